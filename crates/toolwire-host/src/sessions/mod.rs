//! Tools that keep running, under handles (chapters 21 and 24).

mod asking;
mod claim;
mod end;
mod fetched;
mod handle;
mod lines;
mod model;
mod one_shot;
mod options;
mod own;
mod people;
mod pump;
mod reading;
mod registry;
mod said;
mod screen;
mod tool;
mod transport;
mod turn;
mod whole;

pub use end::SessionEnd;
pub use fetched::Fetched;
pub use lines::LineSession;
pub use one_shot::OneShot;
pub use options::{
    FetchOptions, SessionNotice, SessionObserver, SessionRules, SessionsOptions, SpawnOptions,
    TurnEnd,
};
pub use people::{Approval, ApprovalRequest, SessionAnswerer, SessionApprover};
pub use registry::{SessionInfo, Sessions, WaitFor};
pub use tool::SessionTool;
pub use transport::{
    Attached, Given, GivenReceiver, GivenSender, Running, Screen, SessionStart, SessionTransport,
    Shown, Told, Typed, View,
};
pub use turn::Announcement;

//! Tools that keep running, under handles (chapters 21 and 24).

mod ad_hoc;
mod announcement;
mod asking;
mod claim;
mod end;
mod fetched;
mod handle;
mod lines;
mod model;
mod one_shot;
mod options;
mod people;
mod pump;
mod reading;
mod recent;
mod registry;
mod run_to_end;
mod screen;
mod shared;
mod since;
mod state;
mod tool;
mod transport;
mod turn;
mod whole_result;

pub use announcement::Announcement;
pub use asking::OpenQuestion;
pub use end::SessionEnd;
pub use fetched::Fetched;
pub(crate) use fetched::unknown;
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
    Attached, Running, Screen, ScreenText, ScreenView, SessionStart, SessionTransport, ToolRequest,
    ToolRequestReceiver, ToolRequestSender, ToolUpdate, Typed,
};
pub use whole_result::ResultParts;

//! Tools that keep running, under handles (chapter 21).

mod lines;
mod transport;

pub use lines::LineSession;
pub use transport::{
    Given, GivenReceiver, GivenSender, Running, Screen, SessionStart, SessionTransport, Shown,
    Told, View,
};

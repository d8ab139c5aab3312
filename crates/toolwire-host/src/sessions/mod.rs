//! Tools that keep running, under handles (chapter 21).

mod transport;

pub use transport::{Given, Running, Screen, SessionStart, SessionTransport, Shown, Told, View};

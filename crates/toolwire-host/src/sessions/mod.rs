//! Tools that keep running, under handles (chapter 21).

mod transport;

pub use transport::{
    Attached, Given, Running, Screen, SessionStart, SessionTransport, Shown, Told, Typed, View,
};

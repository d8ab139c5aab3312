//! Tools that keep running, under handles (chapter 21).

mod transport;

pub use transport::{
    Given, GivenReceiver, GivenSender, Running, Screen, SessionStart, SessionTransport, Shown,
    Told, View,
};

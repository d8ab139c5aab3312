//! The documents of the protocol: envelopes, calls, questions, events and sessions.

pub mod build;
pub mod call;
pub mod envelope;
pub mod event;
pub mod format;
pub mod identity;
pub mod question;
pub mod read;
pub mod session;

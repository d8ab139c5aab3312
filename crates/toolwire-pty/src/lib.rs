//! Drive any program as a session, without the program knowing anything: in a pseudo-terminal, as
//! `git add --patch`, a REPL or an editor wants it, or on plain pipes.
//!
//! [`PtySession`] and [`PipeSession`] are transports for `toolwire_host::Sessions`. [`transport`] makes the one that
//! a manifest asks for with `session = "pty"` or `session = "pipe"`. The ids in this documentation, such as TERM-5,
//! are rules of `spec/23-terminals.md`.

#![forbid(unsafe_code)]

mod carry;
mod device;
mod emulator;
mod manifest;
mod pipe;
mod plan;
mod pty;
mod sequences;
mod shared;
mod signals;
mod telling;
mod terminal;
mod transcript;
mod typing;
mod view;

pub use carry::carry;
pub use manifest::transport;
pub use pipe::PipeSession;
pub use pty::{PtyOptions, PtySession};

/// The examples of the crate's page are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

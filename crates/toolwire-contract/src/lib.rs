//! What a tool promises its callers, and whether that has changed: [`fingerprint`]s of a tool,
//! [`diff`]erences with a sound verdict, [`lock`] files, [`profile`]s, [`launch`] URIs, conversions between
//! the ways to name a [`server`] ([`convert`]), and what a text hides from its reader ([`hidden`]).
//!
//! Nothing here reads a file, opens a connection or starts a program.

#![forbid(unsafe_code)]

mod compact;
pub mod convert;
pub mod diff;
pub mod fingerprint;
pub mod hidden;
pub mod launch;
pub mod lock;
mod percent;
mod pretty;
pub mod profile;
pub mod server;

use compact::{compact, json, written};
use toolwire::Error;

/// An error without a byte, about what was not read from one text.
fn unplaced(error: &Error) -> Error {
    Error::new(error.code(), error.pointer(), None, error.message())
}

/// The example of the README is tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

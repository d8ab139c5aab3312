//! What the bindings of Toolwire for other languages share. It is not published.
//!
//! A binding converts values and documents; everything that two of them would have to do alike is
//! here.

pub mod answers;
mod args;
mod bell;
pub mod build;
pub mod caller;
pub mod calls;
pub mod connection;
mod contract;
#[rustfmt::skip] // Laid out by the generator.
mod dispatch;
#[cfg(unix)]
mod disposition;
mod elicitation;
pub mod exchange;
mod held;
mod legacy;
pub mod lines;
mod mcp;
mod options;
mod providers;
mod questions;
#[rustfmt::skip] // Laid out by the generator.
pub mod readers;
mod reply;
pub mod reports;
pub mod run;
mod runtime;
mod schema;
pub mod servers;
pub mod serving;
pub mod session;
pub mod sessions;
mod settings;
#[cfg(unix)]
mod signals;
pub mod task;
mod wire;

pub use args::{Arg, Args, Kind, Parameter};
pub use dispatch::{call, parameters};
pub use reply::Reply;

//! What the bindings of Toolwire for other languages share. It is not published.
//!
//! A binding converts values and documents; everything that two of them would have to do alike is
//! here.

pub mod answers;
mod bell;
pub mod build;
pub mod calls;
pub mod command;
pub mod connection;
pub mod contract;
#[cfg(unix)]
mod disposition;
pub mod elicitation;
pub mod exchange;
mod held;
pub mod lines;
pub mod mcp;
pub mod options;
pub mod provider;
pub mod reports;
mod runtime;
pub mod schema;
pub mod servers;
pub mod serving;
pub mod session;
pub mod sessions;
#[cfg(unix)]
mod signals;
pub mod task;
pub mod wire;

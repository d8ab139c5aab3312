//! MCP on both sides: serve any tool to MCP clients, and call the tools of any MCP server.
//!
//! Both speak over [`toolwire_rpc`]. What becomes of an envelope, a question or an answer on the way is decided in
//! [`toolwire::mcp`], without I/O.

#![forbid(unsafe_code)]

pub mod client;
mod headers;
mod local_token;
pub mod server;
mod trace;

/// What a mutex holds, also after a thread has panicked with it.
fn lock<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    let poisoned = std::sync::PoisonError::into_inner;
    mutex.lock().unwrap_or_else(poisoned)
}

/// The examples of the crate's page are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

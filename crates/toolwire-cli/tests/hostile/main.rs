//! What a hostile tool may try, as an audit did: the command must hold, whatever comes.
//!
//! Each module has a table; a new kind of try is a new row. `cargo xtask test hostile` runs the tables
//! once, and `cargo xtask fuzz` runs them again and again with generated payloads and questions, as long
//! as `TOOLWIRE_HOSTILE_MINUTES` says.

#![cfg(unix)]

#[path = "../it/common/mod.rs"]
mod common;

mod bombs;
mod escapes;
mod generate;
mod oracle;
mod pty;
mod signals;

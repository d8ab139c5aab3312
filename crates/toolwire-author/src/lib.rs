//! Write a tool: a plain function with typed arguments that can ask, in a program that any host calls.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use serde::Deserialize;
//! use schemars::JsonSchema;
//! use toolwire_author::{Context, Program, Stop, Tool, boolean};
//!
//! /// Rename a file.
//! #[derive(Deserialize, JsonSchema)]
//! struct Rename {
//!     /// The file.
//!     path: String,
//!     /// Its new name.
//!     to: String,
//! }
//!
//! fn rename(args: Rename, ctx: &mut Context) -> Result<String, Stop> {
//!     let question = boolean(format!("Rename {} to {}?", args.path, args.to)).default(true);
//!     if !ctx.answer("confirm", question)? {
//!         return Ok("Left as it was.".into());
//!     }
//!     std::fs::rename(&args.path, &args.to)?;
//!     Ok(format!("Renamed {} to {}.", args.path, args.to))
//! }
//!
//! fn main() -> ExitCode {
//!     Program::new().tool(Tool::new("rename", rename)).main()
//! }
//! ```
//!
//! The doc comments become descriptions, the types the input schema; an error that `?` gives becomes an
//! error envelope with its causes. Asking ends the run, and the host calls the tool again with the
//! answer. The rules that this documentation names, such as AUTH-20, are those of
//! `spec/13-authoring.md`.

#![forbid(unsafe_code)]

mod arguments;
mod ask;
mod channel;
mod context;
mod program;
mod returned;
mod stop;
mod tool;

pub use ask::{
    Ask, Choice, Number, boolean, form, form_of, integer, multi_select, number, select, string,
};
pub use context::{Answer, Context};
pub use program::Program;
pub use returned::{IntoReturned, Structured};
pub use stop::Stop;
pub use tool::Tool;

/// The core: blocks, envelopes and the functions that build them.
pub use toolwire;

/// The examples of the crate's page are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

//! Write a tool as a plain function with typed arguments. The function can ask questions, and every
//! Toolwire host can call the program.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use toolwire_author::{Context, Error, Program, Tool, arguments, boolean};
//!
//! /// Rename a file.
//! #[arguments]
//! struct Rename {
//!     /// The file.
//!     path: String,
//!     /// Its new name.
//!     to: String,
//! }
//!
//! fn rename(args: Rename, ctx: &Context) -> Result<String, Error> {
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
//! Doc comments become descriptions, and types become the input schema. An error that is returned with `?`
//! becomes an error envelope with its causes. Asking ends the run, and the host calls the tool again with
//! the answer. The ids in this documentation, such as AUTH-20, are rules of `spec/13-authoring.md`.

mod answer;
mod arguments;
mod ask;
mod context;
mod error;
mod events;
pub mod invocation;
mod live;
mod program;
mod returned;
mod schema;
mod serving;
mod tool;

pub use self::{
    answer::Answer,
    ask::{
        Ask, Choice, Number, boolean, form, form_of, integer, multi_select, number, page, select,
        string,
    },
    context::Context,
    error::{ContextError, Error, IntoFailure, ToolError},
    program::Program,
    returned::{IntoReturned, Structured},
    tool::Tool,
};

pub use self::events::{Throttle, heard_by, log, log_from, progress};
pub use toolwire::event::Level;

#[doc(hidden)]
pub use self::live::{Lost, Room};

/// The core: blocks, envelopes and the functions that build them.
pub use toolwire;

pub use toolwire_author_macros::{arguments, output};

/// The crates whose types appear in this crate's API, in the versions that it uses.
pub use {schemars, serde, serde_json};

/// The examples of the crate's page, and of those for authors, are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/start/first-tool.md")]
#[doc = include_str!("../../../docs/guides/write/rust.md")]
pub struct Readme;

//! From one word to a tool. [`resolve`] says what a word means (a program, a name of a manifest, a URL, a
//! launch URI, or a server of a client's file), [`command`] takes a command that was typed, and both give a
//! [`Source`], which says how the tool or the server is reached. `docs/reference/sources.md`
//! describes both.
//!
//! [`LockFile`] is the file `toolwire.lock`, which several processes can write at a time.
//!
//! [`Tools`] has the tools of a host, whatever names them, and answers a model with them.
//!
//! But for [`Tools`], nothing is started here, and nobody is asked: a source that starts a command which nobody typed has a
//! [`Pending`] consent, and whoever uses the source sees to it. What only its launcher knows is an [`Inquiry`],
//! which whoever has started it runs.
//!
//! ```
//! use toolwire_source::{Places, Reached, resolve};
//!
//! let source = resolve("./tools/files.py".as_ref(), &Places::default())?;
//! assert_eq!(source.label, "files");
//! assert!(source.consent.is_none());
//! let Reached::Program(program) = source.reached else {
//!     panic!("it is a path");
//! };
//! assert_eq!(program.command.program(), "./tools/files.py");
//! # Ok::<(), toolwire_source::SourceError>(())
//! ```

#![forbid(unsafe_code)]

mod error;
mod expected;
mod find;
mod launch;
mod launcher;
mod lock_file;
mod locked;
mod pending;
mod places;
mod profile;
mod profiles;
mod script;
mod server;
mod source;
mod started;
mod tools;
mod word;

pub use error::{SourceError, SourceErrorKind};
pub use expected::Expected;
pub use find::{command, is_path, locked, resolve, tool};
pub use launcher::{Folder, OpenFolder, launcher_variables};
pub use lock_file::{LOCK_NAME, LockFile};
pub use pending::Pending;
pub use places::Places;
pub use profiles::{ProfilePlace, StoredProfile};
pub use server::{read_command, read_word};
pub use source::{Kind, MARK, Origin, Program, Reached, Source, UsedProfile};
pub use started::Inquiry;
pub use tools::{
    AddOptions, Added, Response, Tools, ToolsError, Turn, described, manifest_tool, program_tools,
    sources,
};
/// What a source itself asks for.
pub use toolwire_contract::launch::{Listing, Request};

/// The example of the README is tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

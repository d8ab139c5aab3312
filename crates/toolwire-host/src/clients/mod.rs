//! The configuration files of MCP clients (chapter 20): where they are, which servers they name, and how
//! an entry is added to one without changing anything else in it.
//!
//! [`find`] looks for a server by its name in all of them, [`read_file`] reads one that was named, and
//! [`Entry::resolve`] replaces the variables of an entry. A server that only a file of the workspace
//! names is to be approved before it is started ([`Entry::is_approved`], CFG-20).
//! [`OwnServer::entry_text`] is what a client needs to start a server of ours, and [`edit`] puts it into
//! a file.

mod approval;
mod diff;
mod edit;
mod entry;
mod error;
mod find;
mod json;
mod own;
mod places;
mod table;
mod toml;
mod tree;
mod variables;
mod write;

pub use edit::{Edit, edit};
pub use entry::{Entry, Resolved, Target, read_file};
pub use error::{ClientError, ClientErrorKind};
pub use find::{Found, find, list};
pub use own::OwnServer;
pub use places::{Place, Scope, Surroundings, System};
pub use table::{Client, Syntax, Variables};
pub use write::{FileText, current_text, read_text, write_text};

type Result<T, E = ClientError> = std::result::Result<T, E>;

#[cfg(test)]
mod tests;

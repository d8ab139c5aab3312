//! The configuration files of MCP clients (`docs/reference/client-files.md`): where they are, which servers they name, and how
//! an entry is added to one without changing anything else in it.
//!
//! [`find`] looks for a server by its name in all of them, [`read_file`] reads one that was named, and
//! [`Entry::resolve`] replaces the variables of an entry. A person has to agree
//! to a program of a file before it is started ([`Entry::consent`]).
//! [`OwnServer::entry_text`] is what a client needs to start a server of ours, and [`edit`] puts it into
//! a file.

mod approval;
mod edit;
mod entry;
mod error;
mod file;
mod find;
mod json;
mod own;
mod places;
mod toml;
mod tree;
mod variables;
mod write;
mod written;

pub use approval::Consent;
pub use edit::{Edit, edit};
pub use entry::{Entry, Resolved, Target};
pub use error::{ClientError, ClientErrorKind};
pub use file::{read_entry, read_file};
pub use find::{Discovered, Found, discover, find, list};
pub use own::OwnServer;
pub use places::{Place, Scope, Surroundings, System};
pub use toolwire_contract::server::{Client, Syntax, Variables};
pub use write::{FileText, current_text, install_text, read_text, write_text};
pub use written::{Written, read_written};

type Result<T, E = ClientError> = std::result::Result<T, E>;

#[cfg(test)]
mod tests;

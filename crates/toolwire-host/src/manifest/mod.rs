//! The manifest, `toolwire.toml`: tools by name, and how each is run (chapter 14).

mod check;
mod entry;
mod file;
mod find;
mod owner;
mod source;
mod template;
mod trust;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use check::unknown;
pub use entry::{Entry, Inherit, Parameter, Value, Who, time};
pub use find::nearest;
pub use owner::others;
pub use template::Template;
pub use trust::{Trusted, distrust, trust};

use crate::HostError;
use source::Source;

type Result<T, E = HostError> = std::result::Result<T, E>;

/// A program and its arguments; there is at least the program.
pub type Words = Arc<[String]>;

/// A manifest that was read and checked.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Manifest {
    /// The file, as an absolute path.
    pub path: PathBuf,
    /// Its tools by name.
    pub tools: BTreeMap<String, Entry>,
}

impl Manifest {
    /// The nearest manifest, in the current folder or the nearest one above it that has one, if there is
    /// one (MAN-1).
    ///
    /// # Errors
    ///
    /// `untrusted_manifest` if others may have written it and nobody trusts it (MAN-30); otherwise those
    /// of [`Manifest::read`].
    pub fn find() -> Result<Option<Manifest>> {
        find::find()
    }

    /// Reads the manifest with this path, whoever wrote it.
    ///
    /// # Errors
    ///
    /// `manifest_not_found` if there is no such file; `bad_manifest` for a mistake in it, with the file,
    /// the line, the column and the keys that lead there (MAN-4); `system_error` if it can't be read.
    pub fn read(path: &Path) -> Result<Manifest> {
        Manifest::parse(path, file::read(path)?)
    }

    fn parse(path: &Path, bytes: Vec<u8>) -> Result<Manifest> {
        let source = Source::read(path, bytes)?;
        let file = check::file(&source)?;
        let mut tools = file.tools;
        for entry in tools.values_mut() {
            if entry.assistant.is_none() {
                entry.assistant = file.assistant.clone();
            }
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Ok(Manifest { path, tools })
    }

    /// The folder to which relative paths in it are relative (MAN-3).
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }
}

#[cfg(test)]
mod tests;

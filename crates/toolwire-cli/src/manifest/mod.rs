//! The manifest, `toolwire.toml`: tools by name, and how each is run (chapter 14).

mod check;
mod entry;
mod find;
mod owner;
mod source;
mod template;
mod trust;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

pub use check::unknown;
pub use entry::{Alternatives, Entry, Who};
pub use find::{find, nearest};
pub use template::Template;
pub use trust::{distrust, trust};

use crate::exit::{Failure, Result};
use crate::input;
use source::Source;

/// The most bytes of a manifest; one that a person wrote is never near it.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// A manifest that was read and checked.
#[derive(Debug)]
pub struct Manifest {
    pub path: PathBuf,
    pub tools: BTreeMap<String, Entry>,
}

impl Manifest {
    /// Reads a manifest, whoever wrote it.
    ///
    /// A mistake ends it with the file, line, column and key (MAN-4).
    pub fn read(path: &Path) -> Result<Manifest> {
        Manifest::parse(path, Manifest::bytes(path)?)
    }

    /// What a manifest says, as bytes.
    fn bytes(path: &Path) -> Result<Vec<u8>> {
        input::read_file(path, MAX_BYTES)
    }

    /// The same of a file that is open.
    fn bytes_of(path: &Path, file: File) -> Result<Vec<u8>> {
        let metadata = file
            .metadata()
            .map_err(|error| Failure::reading(path, &error))?;
        if !metadata.is_file() {
            let path = path.display();
            return Err(Failure::Io(format!(
                "cannot read `{path}`: it is not a regular file"
            )));
        }
        let source = input::Source {
            path: Some(path.to_owned()),
            size: Some(metadata.len()),
            reader: Box::new(file),
        };
        source.read_all(MAX_BYTES)
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

    /// The folder from which relative paths in it begin (MAN-3).
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }
}

#[cfg(test)]
mod tests;

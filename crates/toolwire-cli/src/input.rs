//! Where outputs come from: files, or standard input for none and for `-`.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use crate::exit::{Failure, Result};

/// One input: a name for messages and an open stream.
pub struct Source {
    /// The file as it was named; absent for standard input.
    pub path: Option<PathBuf>,
    pub reader: Box<dyn Read>,
    /// The size, where the system knows it.
    pub size: Option<u64>,
}

impl Source {
    /// Opens a file, or standard input for none and for `-`.
    pub fn open(path: Option<&Path>) -> Result<Source> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            let stdin = io::stdin();
            if stdin.is_terminal() {
                eprintln!("toolwire: reading from the terminal; end with Ctrl-D");
            }
            return Ok(Source {
                path: None,
                reader: Box::new(stdin),
                size: None,
            });
        };
        let file = File::open(path).map_err(|error| Failure::reading(path, &error))?;
        let metadata = file
            .metadata()
            .map_err(|error| Failure::reading(path, &error))?;
        if metadata.is_dir() {
            return Err(Failure::Io(format!(
                "cannot read `{}`: it is a directory",
                path.display()
            )));
        }
        Ok(Source {
            path: Some(path.to_owned()),
            reader: Box::new(file),
            size: metadata.is_file().then_some(metadata.len()),
        })
    }

    /// The name for a message.
    pub fn name(&self) -> String {
        self.path
            .as_ref()
            .map_or_else(|| "standard input".to_owned(), |p| p.display().to_string())
    }

    /// Reads all, but no more than one byte over `max_bytes`: that is enough to see that the limit
    /// is passed, however much an endless stream has to say.
    pub fn read_all(mut self, max_bytes: usize) -> Result<Vec<u8>> {
        let most = (max_bytes as u64).saturating_add(1);
        let expected = self.size.unwrap_or(0).min(most);
        let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0) + 1);
        let name = self.name();
        let read = self.reader.by_ref().take(most).read_to_end(&mut bytes);
        read.map_err(|error| {
            Failure::Io(format!(
                "cannot read `{name}`: {}",
                crate::exit::reason(&error)
            ))
        })?;
        Ok(bytes)
    }
}

/// The inputs that were named, standard input if there are none.
pub fn paths(files: &[PathBuf]) -> Vec<Option<&Path>> {
    if files.is_empty() {
        return vec![None];
    }
    files.iter().map(|file| Some(file.as_path())).collect()
}

/// The one input of a command that writes one text.
pub fn only(command: &str, files: &[PathBuf]) -> Result<Source> {
    match files {
        [] => Source::open(None),
        [file] => Source::open(Some(file)),
        [_, second, ..] => Err(Failure::usage(format!(
            "`{command}` takes one file, and `{}` is a second one; call it once for each",
            second.display()
        ))),
    }
}

/// Reads a file that belongs to an option.
pub fn read_file(path: &Path, max_bytes: usize) -> Result<Vec<u8>> {
    Source::open(Some(path))?.read_all(max_bytes)
}

//! Where outputs come from: files, or standard input for none and for `-`.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::exit::{Failure, Result};
use crate::terminal;

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
            terminal::invite("reading from the terminal; end with Ctrl-D");
            return Ok(Source {
                path: None,
                reader: Box::new(io::stdin()),
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

    /// What a message calls it.
    pub fn label(&self) -> String {
        let quoted = self
            .path
            .as_ref()
            .map(|path| format!("`{}`", path.display()));
        quoted.unwrap_or_else(|| "standard input".to_owned())
    }

    /// The name before a place, as in `answer.json:2:7`.
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
        let label = self.label();
        let read = self.reader.by_ref().take(most).read_to_end(&mut bytes);
        read.map_err(|error| {
            Failure::Io(format!(
                "cannot read {label}: {}",
                crate::exit::reason(&error)
            ))
        })?;
        if bytes.len() as u64 == most {
            terminal::complain(&format!(
                "{label} is longer than {max_bytes} bytes, and the rest was not read; \
                 `--max-input` sets this limit"
            ));
        }
        Ok(bytes)
    }
}

/// The bytes of standard input that are still to be read, if it is a file.
pub fn rest_of_stdin() -> Option<u64> {
    use std::io::Seek as _;
    #[cfg(unix)]
    let stdin = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned();
    #[cfg(windows)]
    let stdin = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned();
    let mut file = File::from(stdin.ok()?);
    let size = file
        .metadata()
        .ok()
        .filter(std::fs::Metadata::is_file)?
        .len();
    Some(size.saturating_sub(file.stream_position().ok()?))
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
        [_, second, ..] => Err(second_file(command, second)),
    }
}

/// That a command takes one file only.
pub fn second_file(command: &str, second: &Path) -> Failure {
    Failure::usage(format!(
        "`{command}` takes one file, and `{}` is a second one; run it once for each",
        second.display()
    ))
}

/// Refuses to read standard input twice: the second time it would be empty.
pub fn check(inputs: &[&Path]) -> Result<()> {
    let standard = inputs.iter().filter(|path| path.as_os_str() == "-");
    if standard.count() > 1 {
        return Err(Failure::usage(
            "standard input can be read only once; name a file instead of one `-`".to_owned(),
        ));
    }
    Ok(())
}

/// Reads a file that belongs to an option.
pub fn read_file(path: &Path, max_bytes: usize) -> Result<Vec<u8>> {
    Source::open(Some(path))?.read_all(max_bytes)
}

/// Opens a file that somebody else may have put there, without waiting for the other end of a named
/// pipe.
pub fn open_at_once(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path)
}

/// The same, and refuses whatever is not a regular file.
pub fn open_plain(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = open_at_once(path, options)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is not a regular file")),
    }
}

/// A workspace root as the library takes it. It knows no current directory, but a shell does: there
/// a relative path such as `.` is meant from where one stands.
pub fn root(root: &str) -> String {
    let first = root.split(['/', '\\']).next().unwrap_or_default();
    if first.contains(':') {
        return root.to_owned();
    }
    let absolute = std::path::absolute(root).ok();
    let absolute = absolute.and_then(|path| path.into_os_string().into_string().ok());
    absolute.unwrap_or_else(|| root.to_owned())
}

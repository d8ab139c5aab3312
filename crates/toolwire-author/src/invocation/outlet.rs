//! Where the answer goes: the file that the host has named, or what stdout was (AUTH-41).

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;

use super::environment;

/// How long to wait for a pipe that another program has made one that does not wait.
pub(super) const PAUSE: Duration = Duration::from_millis(2);

#[derive(Debug)]
pub(super) enum Outlet {
    File(PathBuf),
    /// Nothing if it was closed from the start.
    Stdout(Option<&'static File>),
}

impl Outlet {
    /// Where the answer goes. If that is stdout, the rest of the process loses it.
    pub(super) fn of(result: Option<&OsStr>) -> Self {
        match environment::channel(result) {
            Some(path) => Outlet::File(path.to_owned()),
            None => Outlet::Stdout(take_stdout()),
        }
    }

    /// Writes the answer, all of it. Never to stdout where a file was meant: it would stand in the log
    /// there (AUTH-45).
    pub(super) fn write(&self, answer: &str) -> io::Result<()> {
        match self {
            Outlet::File(path) => write_file(path, answer).map_err(|error| {
                let message = format!("`{}`: {error}", path.display());
                io::Error::new(error.kind(), message)
            }),
            Outlet::Stdout(Some(stdout)) => {
                write_all(stdout, format!("{answer}\n").as_bytes(), || false)
            }
            Outlet::Stdout(None) => Err(io::Error::other("stdout is closed")),
        }
    }
}

/// Puts the answer in the place of what is in the file.
///
/// An empty file, as the host makes it, is not opened for truncation: some file systems take that for
/// the replacement of a file and put it on the disk when it is closed, and the host would wait for
/// the disk when it removes the file, longer than for the tool.
fn write_file(path: &Path, answer: &str) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).truncate(false).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    if file.metadata()?.len() > 0 {
        file.set_len(0)?;
    }
    file.write_all(answer.as_bytes())
}

/// Writes all bytes; a pipe may take them in parts, or not yet. `interrupted` is called when a signal arrives, and tells
/// whether that is the end of it.
pub(super) fn write_all(
    mut file: &File,
    mut bytes: &[u8],
    interrupted: impl Fn() -> bool,
) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                // A signal may be why this is not all of it.
                if !bytes.is_empty() && interrupted() {
                    return Err(ErrorKind::Interrupted.into());
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted && !interrupted() => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => sleep(PAUSE),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Takes stdout from the rest of the process, once: what anybody prints, also a child that inherits it,
/// goes to stderr from now on. Gives what stdout was; nothing if it was closed.
///
/// On Windows it only keeps stdout at hand: a language that can turn its own stdout does so.
pub fn take_stdout() -> Option<&'static File> {
    static STDOUT: OnceLock<Option<File>> = OnceLock::new();
    STDOUT.get_or_init(turned).as_ref()
}

#[cfg(unix)]
fn turned() -> Option<File> {
    use rustix::{io, stdio};
    use std::os::fd::{AsRawFd as _, IntoRawFd as _};

    if io::fcntl_getfd(stdio::stderr()).is_err() {
        // It is closed. Its number must not be given to something else.
        let nowhere = File::options().write(true).open("/dev/null").ok()?;
        if nowhere.as_raw_fd() == stdio::raw_stderr() {
            let _ = nowhere.into_raw_fd();
        } else {
            stdio::dup2_stderr(&nowhere).ok()?;
        }
    }
    // No child inherits it.
    let stdout = io::fcntl_dupfd_cloexec(stdio::stdout(), 3).ok()?;
    stdio::dup2_stdout(stdio::stderr()).ok()?;
    Some(File::from(stdout))
}

#[cfg(windows)]
fn turned() -> Option<File> {
    use std::os::windows::io::AsHandle as _;

    let stdout = io::stdout().as_handle().try_clone_to_owned().ok()?;
    Some(File::from(stdout))
}

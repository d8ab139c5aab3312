//! Where the answer goes (AUTH-41).

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};

/// Where the answer goes: the file that the host named, or the real stdout.
pub(crate) enum Channel {
    File(OsString),
    #[cfg(unix)]
    Stdout(File),
    /// The stdout that everybody prints to.
    Shared,
}

impl Channel {
    /// Finds the way, and takes stdout from the rest of the process if the answer goes there: what the
    /// author prints, or a child that inherits it, goes to stderr from now on.
    pub(crate) fn open() -> Self {
        match std::env::var_os("TOOLWIRE_RESULT").filter(|path| !path.is_empty()) {
            Some(path) => Channel::File(path),
            None => Channel::taken().unwrap_or(Channel::Shared),
        }
    }

    #[cfg(unix)]
    fn taken() -> Option<Self> {
        use std::os::fd::AsFd;

        let real = io::stdout().as_fd().try_clone_to_owned().ok()?;
        rustix::stdio::dup2_stdout(io::stderr().as_fd()).ok()?;
        Some(Channel::Stdout(File::from(real)))
    }

    #[cfg(not(unix))]
    fn taken() -> Option<Self> {
        None
    }

    /// Writes the answer, all of it.
    pub(crate) fn write(self, answer: &str) -> io::Result<()> {
        match self {
            Channel::File(path) => {
                let mut file = File::options()
                    .write(true)
                    .truncate(true)
                    .create(true)
                    .open(path)?;
                file.write_all(answer.as_bytes())
            }
            #[cfg(unix)]
            Channel::Stdout(mut file) => {
                file.write_all(answer.as_bytes())?;
                file.write_all(b"\n")
            }
            Channel::Shared => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(answer.as_bytes())?;
                stdout.write_all(b"\n")?;
                stdout.flush()
            }
        }
    }
}

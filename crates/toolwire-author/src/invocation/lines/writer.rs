//! The lines of the program, to what stdout was.

use std::fs::File;
use std::io;

use super::super::outlet::{take_stdout, write_all};

#[derive(Debug)]
pub(super) struct Writer {
    stdout: &'static File,
    /// The longest line that the host reads, without its line feed.
    pub(super) max_line: usize,
    /// A line that was cut off can't be followed by another.
    broken: bool,
    /// Whether a signal that has arrived ends the writing.
    pub(super) interrupted: fn() -> bool,
}

impl Writer {
    /// Whatever else is printed goes to stderr from now on.
    pub(super) fn to_stdout() -> Option<Self> {
        Some(Writer {
            stdout: take_stdout()?,
            max_line: usize::MAX,
            broken: false,
            interrupted: || false,
        })
    }

    /// Writes a line, all of it, and waits for the host if it has to.
    pub(super) fn write(&mut self, mut line: String) -> io::Result<()> {
        if line.len() > self.max_line {
            let message = format!(
                "this is {} bytes long, and the host takes lines of at most {} bytes",
                line.len(),
                self.max_line
            );
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        if self.broken {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        line.push('\n');
        let written = write_all(self.stdout, line.as_bytes(), self.interrupted);
        self.broken = written.is_err();
        written
    }
}

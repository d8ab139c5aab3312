//! The lines of the host, from what stdin was.

use std::fs::File;

use toolwire::Limits;
use toolwire::lines::{HostLine, MAX_LINE};

use super::super::stdin::{read_more, take_stdin};

const CHUNK: usize = 64 * 1024;

#[derive(Debug)]
pub(super) struct Reader {
    stdin: &'static File,
    /// What has been read; the first line begins at its start.
    read: Vec<u8>,
    /// So much of it is no line feed.
    searched: usize,
    /// So much of it has been given out.
    taken: usize,
}

impl Reader {
    /// Whoever else reads stdin from now on finds nothing there.
    pub(super) fn of_stdin() -> Option<Self> {
        Some(Reader {
            stdin: take_stdin()?,
            read: Vec::new(),
            searched: 0,
            taken: 0,
        })
    }

    /// What it reads.
    #[cfg(unix)]
    pub(super) fn stdin(&self) -> &'static File {
        self.stdin
    }

    /// The next line of a known type; nothing at the end. Or why it can't be read.
    pub(super) fn next<E>(
        &mut self,
        mut interrupted: impl FnMut() -> Result<(), E>,
    ) -> Result<Result<Option<HostLine>, String>, E> {
        loop {
            match self.there() {
                Ok(None) => {}
                there => return Ok(there),
            }
            match read_more(self.stdin, &mut self.read, CHUNK, &mut interrupted)? {
                Ok(0) if self.read.is_empty() => return Ok(Ok(None)),
                // A last line without its line feed counts, if it is one (LINE-10).
                Ok(0) => self.read.push(b'\n'),
                Ok(_) => {}
                Err(error) => return Ok(Err(error.to_string())),
            }
        }
    }

    /// The next line of a known type that is there as a whole, or why it can't be read.
    pub(super) fn there(&mut self) -> Result<Option<HostLine>, String> {
        while let Some(line) = self.line() {
            match HostLine::from_json(line, &Limits::default()) {
                Ok(None) => {}
                Ok(line) => return Ok(line),
                Err(error) => return Err(error.to_string()),
            }
        }
        let longest = usize::try_from(MAX_LINE).unwrap_or(usize::MAX);
        match self.read.len() > longest {
            true => Err(format!("a line is longer than {MAX_LINE} bytes")),
            false => Ok(None),
        }
    }

    /// Takes what somebody else has read.
    pub(super) fn give(&mut self, bytes: &[u8]) {
        self.read.extend_from_slice(bytes);
    }

    /// Nothing more is read: a last line without its line feed counts, if it is one (LINE-10).
    pub(super) fn end(&mut self) {
        if self.read.len() > self.taken {
            self.read.push(b'\n');
        }
    }

    /// The next line, if all of it is there.
    fn line(&mut self) -> Option<&[u8]> {
        self.read.drain(..std::mem::take(&mut self.taken));
        if self.read.is_empty() && self.read.capacity() > 16 * CHUNK {
            // One long line is no reason to keep its memory.
            self.read = Vec::new();
        }
        let unsearched = &self.read[self.searched..];
        let Some(at) = unsearched.iter().position(|byte| *byte == b'\n') else {
            self.searched = self.read.len();
            return None;
        };
        let end = std::mem::take(&mut self.searched) + at;
        self.taken = end + 1;
        Some(&self.read[..end])
    }
}

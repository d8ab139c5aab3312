//! Reading the lines of a program in bounded memory (LINE-30 to LINE-33).

use std::fmt;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use toolwire::lines::{LineHead, ToolLine};
use toolwire::{Error, Limits};

use crate::ProcessOptions;

/// As much as is read at once, as much as a pipe holds on most systems.
const CHUNK: usize = 64 * 1024;

/// A buffer that is longer than this is given back after its line.
const KEPT: usize = 1024 * 1024;

/// Reads the lines of a program.
#[derive(Debug)]
pub(crate) struct LineReader<R> {
    pipe: R,
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// How far there is no line feed.
    scanned: usize,
    /// How many more bytes are read, if that is known.
    more: Option<usize>,
    limits: Limits,
}

/// Why a program can't be understood any more.
#[derive(Debug)]
pub(crate) enum LineFault {
    /// A line is longer than so many bytes.
    TooLong(usize),
    /// A line is none.
    Bad(Error),
    /// A line is good for nothing, but says which call it is about (LINE-14). What follows can be read.
    OfCall(LineHead, Error),
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineFault::TooLong(most) => {
                write!(f, "the tool wrote a line of more than {most} bytes")
            }
            LineFault::Bad(error) => write!(
                f,
                "the tool wrote a line to stdout that is none of the line transport: {}",
                at_its_place(error)
            ),
            LineFault::OfCall(head, error) => write!(
                f,
                "the tool wrote a line of the type `{}` that can't be used: {}",
                head.kind,
                at_its_place(error)
            ),
        }
    }
}

fn at_its_place(error: &Error) -> String {
    match error.pointer() {
        "" => error.message().to_owned(),
        pointer => format!("at `{pointer}`: {}", error.message()),
    }
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// Lines of at most `max_output` bytes.
    pub(crate) fn new(pipe: R, options: &ProcessOptions) -> Self {
        LineReader {
            pipe,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            more: None,
            limits: Limits {
                max_bytes: options.max_output,
                ..options.limits
            },
        }
    }

    /// The next line of a type that is known; nothing at the end. Nothing is lost if the future is dropped.
    pub(crate) async fn next(&mut self) -> Result<Option<ToolLine>, LineFault> {
        loop {
            while let Some(length) = self.length()? {
                let line = &self.buffer[self.start..self.start + length];
                let read = ToolLine::from_json(line, &self.limits);
                let read = read.map_err(|error| match LineHead::of(line) {
                    Some(head) => LineFault::OfCall(head, error),
                    None => LineFault::Bad(error),
                });
                self.start += length + 1;
                self.scanned = self.start;
                if let Some(line) = read? {
                    self.tidy();
                    return Ok(Some(line));
                }
            }
            self.tidy();
            if self.more == Some(0) {
                return Ok(self.rest());
            }
            self.buffer.reserve(CHUNK);
            // A pipe that breaks is at its end.
            let read = self.pipe.read_buf(&mut self.buffer).await.unwrap_or(0);
            if read == 0 {
                return Ok(self.rest());
            }
            self.more = self.more.map(|more| more.saturating_sub(read));
        }
    }

    /// Has the end come when about so many more bytes were read.
    pub(crate) fn read_at_most(&mut self, bytes: usize) {
        self.more = Some(bytes);
    }

    /// The pipe, for whoever reads on to nowhere.
    pub(crate) fn into_pipe(self) -> R {
        self.pipe
    }

    /// How long the next line is, without its line feed, if it is there as a whole.
    fn length(&mut self) -> Result<Option<usize>, LineFault> {
        let found = self.buffer[self.scanned..]
            .iter()
            .position(|&byte| byte == b'\n');
        let length = match found {
            Some(at) => self.scanned + at - self.start,
            None => {
                self.scanned = self.buffer.len();
                self.scanned - self.start
            }
        };
        if length > self.limits.max_bytes {
            return Err(LineFault::TooLong(self.limits.max_bytes));
        }
        Ok(found.map(|_| length))
    }

    /// What stands behind the last line feed. A program that died while it wrote has left a part of a line,
    /// which says nothing.
    fn rest(&mut self) -> Option<ToolLine> {
        let rest = std::mem::take(&mut self.buffer).split_off(self.start);
        (self.start, self.scanned) = (0, 0);
        ToolLine::from_json(&rest, &self.limits).ok().flatten()
    }

    /// Drops what was read.
    fn tidy(&mut self) {
        if self.start == self.buffer.len() {
            self.buffer.clear();
            if self.buffer.capacity() > KEPT {
                self.buffer = Vec::new();
            }
        } else if self.start >= KEPT {
            self.buffer.drain(..self.start);
        } else {
            return;
        }
        self.scanned -= self.start;
        self.start = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn reader(text: &[u8], most: usize) -> LineReader<Cursor<Vec<u8>>> {
        let options = ProcessOptions {
            max_output: most,
            ..ProcessOptions::default()
        };
        LineReader::new(Cursor::new(text.to_vec()), &options)
    }

    #[tokio::test]
    async fn a_line_may_have_as_many_bytes_as_the_limit_and_no_more() {
        let line = r#"{"type":"stderr","call":1,"text":"hello"}"#;
        let text = format!("{line}\n \n{line}\n").into_bytes();
        let mut exact = reader(&text, line.len());
        for _ in 0..2 {
            assert_eq!(exact.next().await.unwrap().unwrap().to_json(), line);
        }
        assert!(exact.next().await.unwrap().is_none());

        let mut one_less = reader(&text, line.len() - 1);
        assert!(matches!(one_less.next().await, Err(LineFault::TooLong(_))));
        // Also where its end has not come yet.
        let mut endless = reader(&[b' '; 100], 99);
        assert!(matches!(endless.next().await, Err(LineFault::TooLong(99))));
    }

    #[tokio::test]
    async fn the_last_line_needs_no_line_feed_and_a_part_of_one_says_nothing() {
        let line = r#"{"type":"stderr","call":1,"text":"hello"}"#;
        let mut whole = reader(line.as_bytes(), 1000);
        assert!(whole.next().await.unwrap().is_some());
        let mut part = reader(&line.as_bytes()[..20], 1000);
        assert!(part.next().await.unwrap().is_none());
        let mut unknown = reader(b"{\"type\":\"later\"}\nusage: tool\n", 1000);
        assert!(matches!(unknown.next().await, Err(LineFault::Bad(_))));
    }

    #[tokio::test]
    async fn an_envelope_may_be_as_deep_in_a_line_as_alone() {
        let nested = |depth: usize| {
            let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let envelope = format!(r#"{{"content":[],"structuredContent":{value}}}"#);
            format!(r#"{{"type":"result","call":1,"envelope":{envelope}}}"#)
        };
        let most = ProcessOptions::default().limits.max_depth;
        let mut deep = reader(nested(most - 1).as_bytes(), 10_000);
        assert!(deep.next().await.unwrap().is_some());
        // A deeper one is the end of its call, and of nothing else.
        let lines = format!("{}\n{}\n", nested(most), nested(1));
        let mut deeper = reader(lines.as_bytes(), 10_000);
        assert!(matches!(deeper.next().await, Err(LineFault::OfCall(..))));
        assert!(deeper.next().await.unwrap().is_some());
    }
}

//! Reading the lines of a program in bounded memory (LINE-30 to LINE-33).

use std::fmt;

use toolwire::lines::{LineHead, ToolLine};
use toolwire::{Error, Limits};

use crate::ProcessOptions;

/// A buffer that is longer than this is given back after its line.
const KEPT: usize = 1024 * 1024;

/// Reads the lines of a program.
#[derive(Debug)]
pub(crate) struct LineReader {
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// How far there is no line feed.
    scanned: usize,
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

impl LineReader {
    /// Lines of at most `max_output` bytes.
    pub(crate) fn new(options: &ProcessOptions) -> Self {
        LineReader {
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            limits: Limits {
                max_bytes: options.max_output,
                ..options.limits
            },
        }
    }

    /// Takes what was read of the program's stdout.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole line of a type that is known.
    pub(crate) fn next(&mut self) -> Result<Option<ToolLine>, LineFault> {
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
        Ok(None)
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

    /// The bytes after the last line feed. A program that died while it wrote has left a part of a line,
    /// which says nothing.
    pub(crate) fn rest(&mut self) -> Option<ToolLine> {
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
    use super::*;

    fn reader(text: &[u8], most: usize) -> LineReader {
        let options = ProcessOptions {
            max_output: most,
            ..ProcessOptions::default()
        };
        let mut reader = LineReader::new(&options);
        reader.push(text);
        reader
    }

    #[test]
    fn a_line_may_have_as_many_bytes_as_the_limit_and_no_more() {
        let line = r#"{"type":"stderr","call":1,"text":"hello"}"#;
        let text = format!("{line}\n \n{line}\n").into_bytes();
        let mut exact = reader(&text, line.len());
        for _ in 0..2 {
            assert_eq!(exact.next().unwrap().unwrap().to_json(), line);
        }
        assert!(exact.next().unwrap().is_none());

        let mut one_less = reader(&text, line.len() - 1);
        assert!(matches!(one_less.next(), Err(LineFault::TooLong(_))));
        // Also where its end has not come yet.
        let mut endless = reader(&[b' '; 100], 99);
        assert!(matches!(endless.next(), Err(LineFault::TooLong(99))));
    }

    #[test]
    fn the_last_line_needs_no_line_feed_and_a_part_of_one_says_nothing() {
        let line = r#"{"type":"stderr","call":1,"text":"hello"}"#;
        let mut whole = reader(line.as_bytes(), 1000);
        assert!(whole.next().unwrap().is_none() && whole.rest().is_some());
        let mut part = reader(&line.as_bytes()[..20], 1000);
        assert!(part.next().unwrap().is_none() && part.rest().is_none());
        let mut unknown = reader(b"{\"type\":\"later\"}\nusage: tool\n", 1000);
        assert!(matches!(unknown.next(), Err(LineFault::Bad(_))));
    }

    #[test]
    fn an_envelope_may_be_as_deep_in_a_line_as_alone() {
        let nested = |depth: usize| {
            let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let envelope = format!(r#"{{"content":[],"structuredContent":{value}}}"#);
            format!(r#"{{"type":"result","call":1,"envelope":{envelope}}}"#)
        };
        let most = ProcessOptions::default().limits.max_depth;
        let mut deep = reader(nested(most - 1).as_bytes(), 10_000);
        assert!(deep.rest().is_some());
        // A deeper one is the end of its call, and of nothing else.
        let lines = format!("{}\n{}\n", nested(most), nested(1));
        let mut deeper = reader(lines.as_bytes(), 10_000);
        assert!(matches!(deeper.next(), Err(LineFault::OfCall(..))));
        assert!(deeper.next().unwrap().is_some());
    }
}

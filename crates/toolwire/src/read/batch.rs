//! Logs of envelopes: one output a line (NDJSON).

use std::collections::BTreeMap;

use crate::json::ObjectWriter;
use crate::{Code, Limits, Parsed, Verdict, parse};

/// One line of a log.
///
/// ```
/// use toolwire::{Limits, parse_lines};
///
/// let limits = Limits::default();
/// let line = parse_lines(b"\n{}\n", &limits).next().unwrap();
/// assert_eq!((line.number, line.offset), (2, 1));
/// assert_eq!(line.parsed.raw(), b"{}");
/// ```
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// The number of the line, from 1, blank lines counted.
    pub number: u64,
    /// Byte offset of the line's first byte; the offsets in its diagnostics count from there.
    pub offset: u64,
    /// What the line was read as.
    pub parsed: Parsed<'a>,
}

/// Reads each line of a log as an output of its own (READ-40). Lines end with a line feed, a
/// carriage return before it is not part of the line; lines of nothing but white space are left out.
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, parse_lines};
///
/// let log = b"{\"content\":[]}\n\nplain\n";
/// let numbers: Vec<u64> = parse_lines(log, &Limits::default()).map(|line| line.number).collect();
/// assert_eq!(numbers, [1, 3]);
/// ```
pub fn parse_lines<'a>(log: &'a [u8], limits: &'a Limits) -> impl Iterator<Item = Line<'a>> {
    Lines {
        log,
        at: 0,
        number: 0,
    }
    .map(|(number, offset, line)| Line {
        number,
        offset,
        parsed: parse(line, limits),
    })
}

struct Lines<'a> {
    log: &'a [u8],
    at: usize,
    number: u64,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (u64, u64, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        while self.at < self.log.len() {
            let start = self.at;
            let rest = &self.log[start..];
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.at = start + end + 1;
            self.number += 1;
            let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
            if !line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
                return Some((self.number, start as u64, line));
            }
        }
        None
    }
}

/// How the lines of a log were read.
///
/// # Examples
///
/// ```
/// use toolwire::{Code, Limits, Summary, parse_lines};
///
/// let mut summary = Summary::default();
/// for line in parse_lines(b"{\"content\":[]}\nplain\n", &Limits::default()) {
///     summary.add(&line.parsed);
/// }
/// assert_eq!((summary.lines, summary.valid, summary.raw), (2, 1, 1));
/// assert_eq!(summary.by_code[&Code::PlainText], 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Lines that were read; blank ones do not count.
    pub lines: u64,
    /// Lines that are envelopes without a warning.
    pub valid: u64,
    /// Lines that are envelopes with warnings.
    pub warnings: u64,
    /// Lines that are raw text.
    pub raw: u64,
    /// How often each code was found.
    pub by_code: BTreeMap<Code, u64>,
}

impl Summary {
    /// Counts one more line.
    ///
    /// ```
    /// use toolwire::{Limits, Summary, parse};
    ///
    /// let mut summary = Summary::default();
    /// summary.add(&parse(&br#"{"content":[]}"#[..], &Limits::default()));
    /// assert_eq!((summary.lines, summary.valid), (1, 1));
    /// ```
    pub fn add(&mut self, parsed: &Parsed<'_>) {
        self.lines += 1;
        match parsed.verdict() {
            Verdict::Valid => self.valid += 1,
            Verdict::Warnings => self.warnings += 1,
            Verdict::Raw => self.raw += 1,
        }
        for diagnostic in parsed.diagnostics() {
            *self.by_code.entry(diagnostic.code).or_default() += 1;
        }
    }

    /// The counts as a JSON object with `lines`, `valid`, `warnings`, `raw` and `byCode`.
    ///
    /// ```
    /// let json = toolwire::Summary::default().to_json();
    /// assert_eq!(json, r#"{"lines":0,"valid":0,"warnings":0,"raw":0,"byCode":{}}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut codes: Vec<(&Code, &u64)> = self.by_code.iter().collect();
        codes.sort_by_key(|(code, _)| code.as_str());
        let mut by_code = ObjectWriter::new();
        for (code, count) in codes {
            by_code.number(code.as_str(), *count);
        }
        ObjectWriter::new()
            .number("lines", self.lines)
            .number("valid", self.valid)
            .number("warnings", self.warnings)
            .number("raw", self.raw)
            .json("byCode", by_code.end())
            .end()
    }
}

/// Reads a whole log and counts.
///
/// ```
/// use toolwire::{Limits, summarize};
///
/// assert_eq!(summarize(b"one\ntwo\n", &Limits::default()).raw, 2);
/// ```
#[must_use]
pub fn summarize(log: &[u8], limits: &Limits) -> Summary {
    let mut summary = Summary::default();
    for line in parse_lines(log, limits) {
        summary.add(&line.parsed);
    }
    summary
}

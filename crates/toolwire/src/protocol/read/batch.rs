//! Logs of envelopes: one output a line (NDJSON).

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::num::NonZero;

use serde::{Serialize, Serializer};

use super::parallel::in_order;
use crate::base::json::{ObjectWriter, serialize_text};
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
#[non_exhaustive]
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
    Lines::of(log).map(|(number, offset, line)| Line {
        number,
        offset,
        parsed: parse(line, limits),
    })
}

/// As [`parse_lines`], on up to so many threads, all lines at once. A log of less than half a megabyte
/// is read on the caller's thread.
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, all_threads, parse_all_lines};
///
/// let log = b"{\"content\":[]}\n\nplain\n";
/// let lines = parse_all_lines(log, &Limits::default(), all_threads());
/// assert_eq!((lines[1].number, lines[1].offset), (3, 16));
/// ```
#[must_use]
pub fn parse_all_lines<'a>(
    log: &'a [u8],
    limits: &Limits,
    threads: NonZero<usize>,
) -> Vec<Line<'a>> {
    let lines = map_lines(log, limits, threads, |parsed| parsed).into_iter();
    let line = |(number, offset, parsed)| Line {
        number,
        offset,
        parsed,
    };
    lines.map(line).collect()
}

/// Makes something of each line of a log, on up to so many threads; gives it with the line's number
/// and offset. What was read of a line does not outlive it unless `read` keeps it.
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, Verdict, all_threads, map_lines};
///
/// let log = b"{\"content\":[]}\n\nplain\n";
/// let verdicts = map_lines(log, &Limits::default(), all_threads(), |parsed| parsed.verdict());
/// assert_eq!(verdicts, [(1, 0, Verdict::Valid), (3, 16, Verdict::Raw)]);
/// ```
pub fn map_lines<'a, T: Send>(
    log: &'a [u8],
    limits: &Limits,
    threads: NonZero<usize>,
    read: impl Fn(Parsed<'a>) -> T + Sync,
) -> Vec<(u64, u64, T)> {
    let mut all = Vec::new();
    let mut before = 0;
    each_chunk(
        log,
        threads,
        |(chunk, start)| {
            let mut lines = Lines::of(chunk);
            let made = lines.by_ref().map(|(number, offset, line)| {
                let made = read(parse(line, limits));
                (number, start + offset, made)
            });
            (made.collect::<Vec<_>>(), lines.number)
        },
        |(made, lines)| {
            let made = made.into_iter();
            all.extend(made.map(|(number, offset, value)| (number + before, offset, value)));
            before += lines;
        },
    );
    all
}

/// How much of a log is one job for a thread, to the end of a line.
const CHUNK: usize = 256 * 1024;

/// Works on a log in chunks of whole lines, each with its offset, on up to so many threads, and takes the
/// results in order.
fn each_chunk<'a, R: Send>(
    log: &'a [u8],
    threads: NonZero<usize>,
    work: impl Fn((&'a [u8], u64)) -> R + Sync,
    mut take: impl FnMut(R),
) {
    let threads = match log.len() {
        0..CHUNKS_FOR_THREADS => NonZero::<usize>::MIN,
        _ => threads,
    };
    let feed = |hand_over: &mut dyn FnMut((&'a [u8], u64)) -> Result<(), Infallible>| {
        let mut rest = log;
        while !rest.is_empty() {
            let from = rest.len().min(CHUNK);
            let end = memchr::memchr(b'\n', &rest[from..]).map_or(rest.len(), |end| from + end + 1);
            let (chunk, later) = rest.split_at(end);
            hand_over((chunk, (log.len() - rest.len()) as u64))?;
            rest = later;
        }
        Ok(())
    };
    let take = |result| {
        take(result);
        Ok(())
    };
    let Ok(()) = in_order(threads, feed, work, take);
}

/// From this size on threads are worth their start.
const CHUNKS_FOR_THREADS: usize = 2 * CHUNK;

struct Lines<'a> {
    log: &'a [u8],
    at: usize,
    number: u64,
}

impl<'a> Lines<'a> {
    fn of(log: &'a [u8]) -> Self {
        Lines {
            log,
            at: 0,
            number: 0,
        }
    }
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
#[non_exhaustive]
pub struct Summary {
    /// Lines that were read; blank ones do not count.
    pub lines: u64,
    /// Lines that are envelopes without a warning.
    pub valid: u64,
    /// Lines that are envelopes with warnings.
    pub warnings: u64,
    /// Lines that are raw text.
    pub raw: u64,
    /// Lines whose result is an error.
    pub errors: u64,
    /// Errors that say that a later try may succeed.
    pub transient: u64,
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
        self.errors += u64::from(parsed.is_error());
        self.transient += u64::from(parsed.is_error() && parsed.transient());
        for diagnostic in parsed.diagnostics() {
            *self.by_code.entry(diagnostic.code).or_default() += 1;
        }
    }

    /// Adds the counts of another part of a log.
    ///
    /// ```
    /// use toolwire::{Limits, summarize};
    ///
    /// let mut summary = summarize(b"one\n", &Limits::default());
    /// summary.merge(&summarize(b"two\nthree\n", &Limits::default()));
    /// assert_eq!(summary, summarize(b"one\ntwo\nthree\n", &Limits::default()));
    /// ```
    pub fn merge(&mut self, other: &Summary) {
        self.lines += other.lines;
        self.valid += other.valid;
        self.warnings += other.warnings;
        self.raw += other.raw;
        self.errors += other.errors;
        self.transient += other.transient;
        for (code, count) in &other.by_code {
            *self.by_code.entry(*code).or_default() += count;
        }
    }

    /// The counts as a JSON object with `lines`, `valid`, `warnings`, `raw`, `errors`, `transient` and
    /// `byCode`.
    ///
    /// ```
    /// let json = toolwire::Summary::default().to_json();
    /// assert_eq!(
    ///     json,
    ///     r#"{"lines":0,"valid":0,"warnings":0,"raw":0,"errors":0,"transient":0,"byCode":{}}"#,
    /// );
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
            .number("errors", self.errors)
            .number("transient", self.transient)
            .json("byCode", by_code.end())
            .end()
    }
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(self.to_json(), serializer)
    }
}

/// Reads a whole log and counts, on all cores.
///
/// ```
/// use toolwire::{Limits, summarize};
///
/// assert_eq!(summarize(b"one\ntwo\n", &Limits::default()).raw, 2);
/// ```
#[must_use]
pub fn summarize(log: &[u8], limits: &Limits) -> Summary {
    summarize_on(log, limits, super::parallel::all_threads())
}

/// As [`summarize`], on up to so many threads.
///
/// ```
/// use std::num::NonZero;
/// use toolwire::{Limits, summarize_on};
///
/// let one = NonZero::<usize>::MIN;
/// assert_eq!(summarize_on(b"one\ntwo\n", &Limits::default(), one).raw, 2);
/// ```
#[must_use]
pub fn summarize_on(log: &[u8], limits: &Limits, threads: NonZero<usize>) -> Summary {
    let mut summary = Summary::default();
    each_chunk(
        log,
        threads,
        |(chunk, _)| {
            let mut summary = Summary::default();
            parse_lines(chunk, limits).for_each(|line| summary.add(&line.parsed));
            summary
        },
        |chunk| summary.merge(&chunk),
    );
    summary
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_threads_see_what_one_sees() {
        let limits = Limits::default();
        let mut log = Vec::new();
        for line in 0..60_000 {
            match line % 5 {
                0 => log.extend(b"\r\n"),
                1 => log.extend(format!("{{\"content\":[],\"n\":{line}}}\n").bytes()),
                2 => log.extend(b"{\"content\":[5]}\r\n"),
                3 if line % 997 == 0 => log.extend(vec![b'x'; 2 * CHUNK + line]),
                _ => log.extend(format!("words {line}\n").bytes()),
            }
        }
        let key = |line: &Line<'_>| (line.number, line.offset, line.parsed.raw().to_vec());
        let one: Vec<_> = parse_lines(&log, &limits).collect();
        let mut counted = Summary::default();
        one.iter().for_each(|line| counted.add(&line.parsed));
        for threads in [1, 2, 5].map(|n| NonZero::new(n).unwrap()) {
            let many = parse_all_lines(&log, &limits, threads);
            assert!(one.iter().map(key).eq(many.iter().map(key)));
            assert_eq!(summarize_on(&log, &limits, threads), counted);
        }
        assert!(counted.lines > 40_000 && log.len() > 10 * CHUNK);
        assert!(parse_all_lines(b"", &limits, NonZero::<usize>::MIN).is_empty());
    }
}

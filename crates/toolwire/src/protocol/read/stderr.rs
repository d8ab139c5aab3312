//! What the end of stderr says of a failure: its lines (EXIT-4) and its headline (EXIT-20).

use std::borrow::Cow;

use crate::base::escape::read_escape;

/// At most this much of the end of stderr is looked at.
const TAIL_BYTES: usize = 4096;

/// The most lines of a trace.
const TAIL_LINES: usize = 20;

/// Lines that begin with one of these, in capitals or not, explain an error that stands above them.
const ASIDES: [&str; 13] = [
    "- ",
    "bun v",
    "caused by:",
    "for more information",
    "help:",
    "hint:",
    "location:",
    "node.js v",
    "note:",
    "require stack:",
    "stack backtrace:",
    "stack trace:",
    "usage:",
];

/// The line of stderr that says best why a program failed, without control sequences: the last one that
/// is no part of a stack trace and no hint (EXIT-20). Nothing if stderr says nothing.
///
/// Of `stderr` the last 4,096 bytes are looked at, so the text is never longer than what these can hold.
///
/// ```
/// use toolwire::headline;
///
/// let stderr = b"Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: no such day\n";
/// assert_eq!(headline(stderr).as_deref(), Some("ValueError: no such day"));
/// assert_eq!(headline(b" \n"), None);
/// ```
#[must_use]
pub fn headline(stderr: &[u8]) -> Option<String> {
    let tail = Tail::of(stderr);
    let (_, headline) = tail.headline()?;
    Some(headline)
}

/// The last lines of stderr that are not blank, without white space at their ends.
pub(super) fn last_lines(stderr: &[u8]) -> Vec<String> {
    Tail::of(stderr).last_lines(None)
}

/// The headline, and the last lines without it.
pub(super) fn headline_and_others(stderr: &[u8]) -> Option<(String, Vec<String>)> {
    let tail = Tail::of(stderr);
    let (at, headline) = tail.headline()?;
    Some((headline, tail.last_lines(Some(at))))
}

/// The end of stderr.
struct Tail<'a> {
    text: Cow<'a, str>,
    /// Whether the first line has lost its beginning.
    is_cut: bool,
}

impl<'a> Tail<'a> {
    fn of(stderr: &'a [u8]) -> Self {
        let mut from = stderr.len().saturating_sub(TAIL_BYTES);
        let is_cut = from > 0 && stderr[from - 1] != b'\n';
        // A character that the cut would split is left out.
        while from > 0 && stderr.get(from).is_some_and(|byte| byte & 0xC0 == 0x80) {
            from += 1;
        }
        Tail {
            text: String::from_utf8_lossy(&stderr[from..]),
            is_cut,
        }
    }

    /// The lines that are not blank, with their numbers.
    fn lines(&self) -> impl DoubleEndedIterator<Item = (usize, &str)> {
        let lines: Vec<&str> = self.text.lines().map(str::trim_end).collect();
        let lines = lines.into_iter().enumerate();
        lines.filter(|(_, line)| !line.is_empty())
    }

    fn last_lines(&self, but: Option<usize>) -> Vec<String> {
        let lines = self.lines().filter(|(at, _)| Some(*at) != but);
        let mut last: Vec<String> = lines
            .rev()
            .take(TAIL_LINES)
            .map(|(_, line)| line.to_owned())
            .collect();
        last.reverse();
        last
    }

    /// The number of the headline's line, and its text.
    fn headline(&self) -> Option<(usize, String)> {
        let mut last = None;
        for (at, line) in self.lines().rev() {
            let shown = shown(line);
            let text = shown.trim();
            if text.is_empty() {
                continue;
            }
            let is_whole = at > 0 || !self.is_cut;
            if is_whole && !is_beside_the_point(&shown) {
                return Some((at, text.to_owned()));
            }
            last.get_or_insert_with(|| (at, text.to_owned()));
        }
        last
    }
}

/// Whether a line is a part of a stack trace, a hint or a mere sign.
fn is_beside_the_point(line: &str) -> bool {
    let says = |c: char| c.is_ascii_alphanumeric() || !c.is_ascii();
    let small = line.to_ascii_lowercase();
    line.starts_with(char::is_whitespace)
        || !line.chars().any(says)
        || ASIDES.iter().any(|aside| small.starts_with(aside))
}

/// What a terminal would be left with of a line: without control sequences and control characters, and
/// of a line that was written over again and again the last state.
fn shown(line: &str) -> String {
    let plain = without_sequences(line);
    let plain = plain.trim_end();
    let last = plain.rsplit('\r').next().unwrap_or_default();
    let kept = last.chars().filter(|c| *c == '\t' || !c.is_control());
    kept.collect()
}

/// A line without escape sequences.
fn without_sequences(line: &str) -> String {
    let mut rest = line;
    let mut out = String::with_capacity(line.len());
    while let Some(at) = rest.find('\x1b') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let length = read_escape(after).map_or(1, |sequence| sequence.length);
        rest = &after[length..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginnings_are_those_of_the_specification() {
        let chapter = include_str!("../../../../../spec/02-reading.md");
        let rule = chapter.split("**EXIT-20**").nth(1).unwrap_or_default();
        let list = rule.split("one of these: `- `").nth(1).unwrap_or_default();
        let list = format!("`- `{}", list.lines().next().unwrap_or_default());
        let asides: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
        assert_eq!(asides, ASIDES);
    }
}

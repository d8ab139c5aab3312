//! Where a byte stands for a person: line, column, and the line around it.

use serde::Serialize;

use crate::protocol::format::hidden::{is_mark, is_wide};
use crate::protocol::format::{push_picture, push_visible};

/// The widest excerpt, in terminal columns; longer lines are windowed around the place.
const WINDOW: usize = 72;

/// Maximum number of bytes of a line examined on either side of the place.
/// A character is at most four bytes, so this is always more than the window shows.
const REACH: usize = WINDOW * 4;

/// A place in an output, for a person.
///
/// ```
/// use toolwire::{Locator, Position};
///
/// let start = Position { line: 1, column: 1, byte: 0 };
/// assert_eq!(Locator::new(b"").locate(0), start);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1. Lines end with a line feed.
    pub line: u64,
    /// The column in characters, from 1. Each run of bytes that is not UTF-8 counts as one.
    pub column: u64,
    /// The byte, from 0.
    pub byte: u64,
}

/// Finds positions for offsets that mostly ascend, without starting from the top each time.
///
/// A document may be one line of many megabytes with a hundred diagnostics.
///
/// # Examples
///
/// ```
/// use toolwire::{Locator, Position};
///
/// let mut locator = Locator::new("ab\nÄ!".as_bytes());
/// assert_eq!(locator.locate(5), Position { line: 2, column: 2, byte: 5 });
/// ```
#[derive(Clone, Debug)]
pub struct Locator<'a> {
    text: &'a [u8],
    line: u64,
    line_start: usize,
    column: u64,
    at: usize,
}

impl<'a> Locator<'a> {
    /// Begins at the first byte of the output.
    ///
    /// ```
    /// assert_eq!(toolwire::Locator::new(b"a\nb").locate(2).line, 2);
    /// ```
    #[must_use]
    pub fn new(text: &'a [u8]) -> Self {
        Locator {
            text,
            line: 1,
            line_start: 0,
            column: 1,
            at: 0,
        }
    }

    /// The position of the byte at `offset`; past the end, that of the end.
    ///
    /// ```
    /// let mut locator = toolwire::Locator::new(b"ab");
    /// assert_eq!(locator.locate(1).column, 2);
    /// assert_eq!(locator.locate(99).byte, 2);
    /// ```
    pub fn locate(&mut self, offset: u64) -> Position {
        let end = self.text.len();
        let offset = usize::try_from(offset).map_or(end, |offset| offset.min(end));
        if offset < self.at {
            *self = Locator::new(self.text);
        }
        let passed = &self.text[self.at..offset];
        let line_feeds = passed.iter().filter(|byte| **byte == b'\n').count();
        if line_feeds > 0 {
            let last = passed.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
            self.line += line_feeds as u64;
            self.line_start = self.at + last + 1;
            self.at = self.line_start;
            self.column = 1;
        }
        self.column += characters(&self.text[self.at..offset]);
        self.at = offset;
        Position {
            line: self.line,
            column: self.column,
            byte: offset as u64,
        }
    }

    /// The line around the place that was located last.
    pub(super) fn excerpt(&self) -> Excerpt {
        excerpt(self.text, self.line_start, self.at)
    }
}

/// How many characters these bytes are, each run of bad bytes counting as one.
fn characters(bytes: &[u8]) -> u64 {
    let chunks = bytes.utf8_chunks();
    chunks
        .map(|c| c.valid().chars().count() as u64 + u64::from(!c.invalid().is_empty()))
        .sum()
}

/// One line made fit to be shown, and where the caret goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Excerpt {
    /// The line or a window of it: printable characters only, `…` where it was cut.
    pub(super) text: String,
    /// How many terminal columns stand before the place.
    pub(super) caret: usize,
}

fn excerpt(text: &[u8], line_start: usize, at: usize) -> Excerpt {
    let line_end = match text[at..]
        .iter()
        .take(REACH)
        .position(|byte| *byte == b'\n')
    {
        Some(length) => at + length,
        None => text.len().min(at + REACH),
    };
    let from = line_start.max(at.saturating_sub(REACH));
    // A window must not begin inside of a character.
    let from = (from..at)
        .find(|i| *i == line_start || text[*i] & 0xC0 != 0x80)
        .unwrap_or(at);
    let before = visible(&text[from..at]);
    let rest = &text[at..line_end];
    let after = visible(rest.strip_suffix(b"\r").unwrap_or(rest));

    // The place stands at two thirds of the window at most, so that some of what follows is seen.
    let (head, head_width) = fitting(before.iter().rev(), WINDOW * 2 / 3);
    let (tail, _) = fitting(after.iter(), WINDOW - head_width);
    let head = &before[before.len() - head..];
    let is_cut_before = head.len() < before.len() || from > line_start;
    let is_cut_after = tail < after.len() || (line_end < text.len() && text[line_end] != b'\n');
    let cut = |is_cut| if is_cut { "…" } else { "" };
    let (head, tail) = (head.concat(), after[..tail].concat());
    Excerpt {
        text: [cut(is_cut_before), &head, &tail, cut(is_cut_after)].concat(),
        caret: head_width + usize::from(is_cut_before),
    }
}

/// A text on one line with nothing in it that could steer a terminal.
pub(super) fn visible_text(text: &str) -> String {
    text.chars().map(visible_char).collect()
}

/// Each character as it is shown: itself if it is printable, a sign that stands for it if not.
fn visible(bytes: &[u8]) -> Vec<String> {
    let mut out = Vec::new();
    for chunk in bytes.utf8_chunks() {
        out.extend(chunk.valid().chars().map(visible_char));
        out.extend(chunk.invalid().iter().map(|byte| format!("<{byte:02x}>")));
    }
    out
}

fn visible_char(c: char) -> String {
    let mut shown = String::new();
    match c {
        '\n' | '\t' => push_picture(&mut shown, c),
        c => push_visible(&mut shown, c),
    }
    shown
}

fn width(shown: &str) -> usize {
    let columns = |c| match c {
        _ if is_wide(c) => 2,
        _ if is_mark(c) => 0,
        _ => 1,
    };
    shown.chars().map(columns).sum()
}

/// How many of these characters fit, and how many columns they take.
fn fitting<'a>(shown: impl Iterator<Item = &'a String>, columns: usize) -> (usize, usize) {
    let (mut count, mut used) = (0, 0);
    for width in shown.map(|character| width(character)) {
        if used + width > columns {
            break;
        }
        count += 1;
        used += width;
    }
    (count, used)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, offset: u64) -> (u64, u64) {
        let position = Locator::new(text.as_bytes()).locate(offset);
        (position.line, position.column)
    }

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        assert_eq!(place("", 0), (1, 1));
        assert_eq!(place("ab", 1), (1, 2));
        assert_eq!(place("ab\ncd", 3), (2, 1));
        assert_eq!(place("ab\r\ncd", 5), (2, 2));
        assert_eq!(place("äöü😀x", 10), (1, 5));
        assert_eq!(place("ab", 99), (1, 3));
    }

    #[test]
    fn a_locator_goes_on_and_back() {
        let text = "one\ntwo äö\nthree".as_bytes();
        let mut locator = Locator::new(text);
        for offset in [1, 5, 10, 12, 14, 2, 16] {
            assert_eq!(locator.locate(offset), Locator::new(text).locate(offset));
        }
    }

    #[test]
    fn bad_bytes_count_as_one_character_a_run() {
        assert_eq!(Locator::new(b"\xff\xfe{").locate(2).column, 3);
        assert_eq!(Locator::new(b"\xf0\x9f\x98{").locate(3).column, 2);
    }

    #[test]
    fn control_characters_and_hidden_ones_are_shown() {
        let mut locator = Locator::new("a\tb\u{1b}[2J\u{202e}c\r\nnext".as_bytes());
        locator.locate(2);
        assert_eq!(
            locator.excerpt(),
            Excerpt {
                text: "a␉b␛[2J<U+202E>c".into(),
                caret: 2
            }
        );
    }

    #[test]
    fn the_caret_counts_wide_characters_as_two_columns() {
        let mut locator = Locator::new("漢字x".as_bytes());
        locator.locate(6);
        assert_eq!(locator.excerpt().caret, 4);
    }

    #[test]
    fn long_lines_are_windowed_around_the_place() {
        let line = format!("{}!{}", "é".repeat(5000), "b".repeat(5000));
        let mut locator = Locator::new(line.as_bytes());
        locator.locate(10_000);
        let excerpt = locator.excerpt();
        assert!(excerpt.text.starts_with('…') && excerpt.text.ends_with('…'));
        assert_eq!(excerpt.text.chars().nth(excerpt.caret), Some('!'));
        assert!(excerpt.text.chars().count() <= WINDOW + 2);
    }

    #[test]
    fn utf_16_is_shown_as_what_it_is() {
        let mut locator = Locator::new(b"\xff\xfe{\0\"\0");
        locator.locate(0);
        assert_eq!(locator.excerpt().text, "<ff><fe>{␀\"␀");
    }
}

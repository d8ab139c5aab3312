//! What the end of stderr says of a failure: its lines (EXIT-4) and its headline (EXIT-20).

use crate::base::escape::read_escape;

/// At most this much of the end of stderr is looked at.
const TAIL_BYTES: usize = 4096;

/// Maximum number of lines of a trace.
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
    let (lines, is_cut) = tail(stderr);
    headline_of(&lines, is_cut).map(|(_, headline)| headline)
}

/// The last lines (EXIT-4).
pub(super) fn last_lines(stderr: &[u8]) -> Vec<String> {
    last_of(tail(stderr).0)
}

/// The headline, and the last of the other lines.
pub(super) fn headline_and_others(stderr: &[u8]) -> Option<(String, Vec<String>)> {
    let (mut lines, is_cut) = tail(stderr);
    let (at, headline) = headline_of(&lines, is_cut)?;
    lines.remove(at);
    Some((headline, last_of(lines)))
}

/// The lines at the end of stderr that are not blank, and whether the first has lost its beginning.
fn tail(stderr: &[u8]) -> (Vec<String>, bool) {
    let mut from = stderr.len().saturating_sub(TAIL_BYTES);
    let is_cut = from > 0 && !stderr[from - 1..].starts_with(b"\n");
    // A character that the cut would split is left out.
    while from > 0 && stderr.get(from).is_some_and(|byte| byte & 0xC0 == 0x80) {
        from += 1;
    }
    let text = String::from_utf8_lossy(&stderr[from..]);
    let mut lines = text.lines().map(str::trim_end).peekable();
    let is_cut = is_cut && lines.peek().is_some_and(|first| !first.is_empty());
    let lines = lines.filter(|line| !line.is_empty());
    (lines.map(str::to_owned).collect(), is_cut)
}

fn last_of(mut lines: Vec<String>) -> Vec<String> {
    lines.split_off(lines.len().saturating_sub(TAIL_LINES))
}

/// The headline, and which line it is.
fn headline_of(lines: &[String], is_cut: bool) -> Option<(usize, String)> {
    let shown = lines.iter().map(|line| shown(line)).enumerate();
    let shown: Vec<_> = shown.filter(|(_, line)| !line.trim().is_empty()).collect();
    let mut upwards = shown.iter().rev();
    let main = upwards.find(|(at, line)| !(is_cut && *at == 0 || is_beside_the_point(line)));
    let (at, line) = main.or(shown.last())?;
    Some((*at, line.trim().to_owned()))
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

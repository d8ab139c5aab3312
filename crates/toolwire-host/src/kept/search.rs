//! A bounded piece of a text: from a place on, or the lines in which something is found.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use regex::{Regex, RegexBuilder};
use toolwire::json::string;

/// The longest line that is shown whole where something was found in it, in bytes; of a longer one, this much stands
/// around each place.
const MAX_LINE: usize = 300;

/// The maximum number of places that a search shows.
const MAX_FOUND: usize = 100;

/// The maximum length of what is searched for, in bytes, and of the program that a regular expression becomes.
const MAX_PATTERN: usize = 1000;
const MAX_PROGRAM: usize = 256 * 1024;

/// How long a search may take.
const MAX_TIME: Duration = Duration::from_secs(5);

/// The bytes of a line that a regular expression sees at once, so that time is looked at between them, and those that
/// two such pieces have in common.
const PIECE: usize = 64 * 1024;
const OVERLAP: usize = 1024;

/// Where to begin.
#[derive(Debug, Clone, Copy, Default)]
pub struct From {
    /// A line, from 1.
    pub line: Option<usize>,
    /// A byte, from 0; it takes precedence.
    pub byte: Option<usize>,
}

impl From {
    /// The byte at which to begin, which is between characters.
    fn start(self, text: &str) -> usize {
        let byte = self.byte.unwrap_or_else(|| {
            let before = self.line.unwrap_or(1).saturating_sub(1);
            text.split_inclusive('\n').take(before).map(str::len).sum()
        });
        floor(text, byte)
    }
}

/// The nearest place between characters that is not behind this one.
pub fn floor(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    (0..=byte)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

fn line_at(text: &str, byte: usize) -> usize {
    text[..byte].matches('\n').count() + 1
}

/// A piece of a text of at most so many lines and bytes, below a line that says which piece it is and where the next
/// one begins.
pub fn read(text: &str, from: From, lines: Option<usize>, max_bytes: usize) -> String {
    let start = from.start(text);
    let rest = &text[start..];
    let wanted = lines.map_or(rest.len(), |lines| {
        rest.split_inclusive('\n').take(lines).map(str::len).sum()
    });
    let mut end = floor(rest, wanted.min(max_bytes));
    // A piece ends with a line, unless that is longer than the piece.
    if end < wanted {
        end = rest[..end].rfind('\n').map_or(end, |at| at + 1);
    }
    let piece = &rest[..end];
    let all = text.len();
    let next = start + end;
    let mut head = format!(
        "[bytes {start}-{next} of {all}, from line {}",
        line_at(text, start)
    );
    if next < all {
        let _ = write!(head, "; go on with from_byte={next}");
    }
    format!("{head}]\n{piece}")
}

/// What is searched for.
#[derive(Debug)]
pub enum Pattern {
    Literal(String),
    Regex(Regex),
}

impl Pattern {
    /// # Errors
    ///
    /// If it is empty or too long, or not a regular expression; the message says so.
    pub fn new(pattern: &str, is_regex: bool) -> Result<Self, String> {
        if pattern.is_empty() || pattern.len() > MAX_PATTERN {
            return Err(format!("`search` has 1 to {MAX_PATTERN} bytes"));
        }
        if !is_regex {
            return Ok(Pattern::Literal(pattern.to_owned()));
        }
        let built = RegexBuilder::new(pattern).size_limit(MAX_PROGRAM).build();
        built.map(Pattern::Regex).map_err(|error| {
            format!(
                "`search` is not a regular expression that can be used: {error}; without `regex`, it is searched for verbatim"
            )
        })
    }

    /// The first place in a line from a byte on; as an error, the byte up to which there was time.
    fn find(
        &self,
        line: &str,
        from: usize,
        begun: Instant,
    ) -> Result<Option<(usize, usize)>, usize> {
        let regex = match self {
            Pattern::Literal(literal) => {
                let found = line.get(from..).and_then(|rest| rest.find(literal));
                return Ok(found.map(|at| (from + at, from + at + literal.len())));
            }
            Pattern::Regex(regex) => regex,
        };
        let mut at = from;
        loop {
            if begun.elapsed() > MAX_TIME {
                return Err(at);
            }
            let end = floor(line, at + PIECE);
            if let Some(found) = regex.find_at(&line[..end], at) {
                return Ok(Some((found.start(), found.end())));
            }
            if end == line.len() {
                return Ok(None);
            }
            at = floor(line, end - OVERLAP);
        }
    }
}

/// The lines in which something is found, with their numbers, below a line that says how much was searched.
pub fn search(text: &str, pattern: &Pattern, from: From, max_bytes: usize) -> String {
    let start = from.start(text);
    let begun = Instant::now();
    let (mut found, mut count) = (String::new(), 0);
    let (mut at, mut number) = (start, line_at(text, start));
    let mut stopped = None;
    'lines: for whole in text[start..].split_inclusive('\n') {
        if begun.elapsed() > MAX_TIME {
            stopped = Some(at);
            break;
        }
        let line = whole.strip_suffix('\n').unwrap_or(whole);
        let mut next = 0;
        loop {
            let (first, last) = match pattern.find(line, next, begun) {
                Ok(Some(place)) => place,
                Ok(None) => break,
                Err(reached) => {
                    stopped = Some(at + reached);
                    break 'lines;
                }
            };
            let (shown, end) = row(line, number, at, (first, last));
            if count == MAX_FOUND || found.len() + shown.len() > max_bytes {
                stopped = Some(at + first);
                break 'lines;
            }
            found.push_str(&shown);
            count += 1;
            // What is on the row already is not shown again.
            next = end.max(last);
            if next <= first || next >= line.len() {
                break;
            }
        }
        at += whole.len();
        number += 1;
    }
    let all = text.len();
    let end = stopped.unwrap_or(all);
    let mut head = format!("[found {count} in bytes {start}-{end} of {all}");
    if stopped.is_some() {
        let _ = write!(head, "; go on with from_byte={end}");
    }
    format!("{head}]\n{found}")
}

/// A row for a place, and the end of what it shows of the line.
fn row(line: &str, number: usize, at: usize, (first, last): (usize, usize)) -> (String, usize) {
    if line.len() <= MAX_LINE {
        return (format!("{number}: {line}\n"), line.len());
    }
    let from = floor(line, first.saturating_sub(MAX_LINE / 2));
    let to = floor(line, last.min(first + MAX_LINE / 2) + MAX_LINE / 2);
    (
        format!("{number}, byte {}: …{}…\n", at + first, &line[from..to]),
        to,
    )
}

/// What is said of a resource that was given before.
pub fn receipt(uri: &str, bytes: u64, place: &str, tool: &str, handle: &str) -> String {
    let uri = string(&toolwire::json::brief(uri, 200));
    format!(
        "[receipt] The resource {uri} ({bytes} bytes) is the same as in {place}, and is not given again. If you do \
         not have it any more, read it by `{tool}` with handle={handle}."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_START: From = From {
        line: None,
        byte: None,
    };

    #[test]
    fn a_text_is_read_piece_by_piece() {
        let text: String = (1..=1000).map(|n| format!("line {n} ü\n")).collect();
        let (mut all, mut from) = (String::new(), AT_START);
        loop {
            let piece = read(&text, from, None, 1000);
            let (head, piece) = piece.split_once('\n').unwrap();
            assert!(piece.len() <= 1000 && (piece.ends_with('\n') || piece.is_empty()));
            all.push_str(piece);
            let Some((_, next)) = head.split_once("from_byte=") else {
                break;
            };
            from.byte = next.strip_suffix(']').unwrap().parse().ok();
        }
        assert_eq!(all, text);
        let lines = From {
            line: Some(7),
            byte: None,
        };
        let piece = read(&text, lines, Some(2), 1000);
        assert!(
            piece.ends_with("]\nline 7 ü\nline 8 ü\n") && piece.contains("from line 7"),
            "{piece}"
        );
        assert_eq!(
            read(
                "üü",
                From {
                    line: None,
                    byte: Some(3)
                },
                None,
                1000
            ),
            "[bytes 2-4 of 4, from line 1]\nü"
        );
        assert_eq!(
            read(
                "a",
                From {
                    line: Some(9),
                    byte: Some(9)
                },
                None,
                1000
            ),
            "[bytes 1-1 of 1, from line 1]\n"
        );
    }

    #[test]
    fn places_are_found_in_short_lines_and_in_long_ones() {
        let text = "one\ntwo fish\nthree\ntwo birds\n";
        let fish = Pattern::new("two", false).unwrap();
        assert_eq!(
            search(text, &fish, AT_START, 1000),
            "[found 2 in bytes 0-29 of 29]\n2: two fish\n4: two birds\n"
        );
        assert_eq!(
            search(text, &fish, AT_START, 15),
            "[found 1 in bytes 0-19 of 29; go on with from_byte=19]\n2: two fish\n"
        );
        let regex = Pattern::new("^t.o b", true).unwrap();
        assert!(search(text, &regex, AT_START, 1000).ends_with("]\n4: two birds\n"));
        let long = format!("{}needle{}needle", "x".repeat(150_000), "y".repeat(150_000));
        let needle = Pattern::new("needle", false).unwrap();
        let found = search(&long, &needle, AT_START, 1000);
        assert!(
            found.contains("1, byte 150000: …x") && found.contains("1, byte 300006: …y"),
            "{found}"
        );
        assert!(found.len() < 1000);
        // As many as fit, and where the others are.
        let many = "needle ".repeat(50_000);
        let found = search(&many, &needle, AT_START, 1000);
        assert!(
            found.len() < 1100 && found.contains("go on with from_byte="),
            "{found}"
        );
    }

    #[test]
    fn a_long_line_is_left_when_the_time_is_over() {
        let long: String = (0..40_000_000_u32)
            .map(|n| {
                if (n.wrapping_mul(n) / 7) & 1 == 0 {
                    'a'
                } else {
                    'b'
                }
            })
            .take(2_000_000)
            .collect();
        let costly = Pattern::new("a[ab]{3000}[x-z]", true).unwrap();
        let begun = Instant::now();
        let found = search(&long, &costly, AT_START, 1000);
        assert!(begun.elapsed() < Duration::from_secs(60));
        assert!(found.starts_with("[found 0 in bytes 0-"), "{found}");
        // What stands over the end of a piece is found.
        let over = format!("{}needle{}", "x".repeat(PIECE - 3), "y".repeat(PIECE));
        let needle = Pattern::new("n[e]+dle", true).unwrap();
        assert!(search(&over, &needle, AT_START, 1000).starts_with("[found 1 "));
    }

    #[test]
    fn a_pattern_that_costs_too_much_is_refused() {
        for pattern in ["", "(", "(a{1000}){1000}", &"a".repeat(1001)] {
            assert!(Pattern::new(pattern, true).is_err(), "{pattern}");
        }
        let begun = Instant::now();
        let evil = Pattern::new("(a+)+$", true).unwrap();
        search(&("a".repeat(1 << 20) + "b"), &evil, AT_START, 1000);
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
}

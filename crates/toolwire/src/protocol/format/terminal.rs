//! Makes a string safe to print on a terminal (FMT-40 to FMT-48): nothing in it can move the cursor,
//! speak to the terminal, or hide text, and what was neutralized can be seen.

use super::hidden::{is_hidden, is_invisible, is_mark, push_json_escape};
use super::sgr;

/// Maximum number of characters kept in one column (FMT-48). No script stacks more.
const MAX_MARKS: usize = 10;

/// What ends the colours of a block.
pub(super) const RESET: &str = "\x1b[0m";

/// Makes a text safe to print on a terminal (FMT-40 to FMT-48): nothing in it can move the cursor,
/// speak to the terminal or hide text, and what was neutralized can be seen. Line feeds, tabs and,
/// if `color` is true, colours stay.
///
/// # Examples
///
/// ```
/// use toolwire::terminal_safe;
///
/// assert_eq!(terminal_safe("a\x1b[2Jb \x1b[1mc\u{202e}", false), "a␛[2Jb c<U+202E>");
/// assert_eq!(terminal_safe("\x1b[31mred", true), "\x1b[31mred\x1b[0m");
/// ```
#[must_use]
pub fn terminal_safe(text: &str, color: bool) -> String {
    let Safe { mut text, colored } = sanitize(text, color);
    if colored {
        text.push_str(RESET);
    }
    text
}

/// The same JSON text with escapes for all characters that could steer a terminal or deceive its
/// reader. In a JSON text they stand only inside of strings, where an escape means the same; so the
/// spelling changes and the value does not.
///
/// # Examples
///
/// ```
/// use toolwire::terminal_safe_json;
///
/// assert_eq!(terminal_safe_json("[\"é\u{9b}\u{202e}\"]"), r#"["é\u009b\u202e"]"#);
/// assert_eq!(terminal_safe_json("[1,\r\n2]"), "[1,\n2]");
/// ```
#[must_use]
pub fn terminal_safe_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut marks = 0;
    for c in json.chars() {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        match c {
            _ if marks > MAX_MARKS => push_json_escape(&mut out, c),
            // White space between values: a carriage return would let a line overwrite itself, and
            // an escape is no white space.
            '\r' => {}
            '\n' | '\t' => out.push(c),
            c if is_hidden(c) => push_json_escape(&mut out, c),
            c => out.push(c),
        }
    }
    out
}

/// A string that is safe to print.
pub(super) struct Safe {
    pub(super) text: String,
    /// Whether colours were kept, so that they have to be reset behind the text.
    pub(super) colored: bool,
}

/// The characters that stand in one column with the last visible one, of which no more than a few are
/// kept. Colours do not end them.
#[derive(Default)]
struct Stack {
    kept: usize,
    cut: usize,
}

impl Stack {
    /// Adds one; false if it is one too many.
    fn add(&mut self) -> bool {
        let fits = self.kept < MAX_MARKS;
        *(if fits { &mut self.kept } else { &mut self.cut }) += 1;
        fits
    }

    /// A column of its own follows, or nothing any more.
    fn end(&mut self, out: &mut String) {
        if self.cut > 0 {
            out.push_str(&format!("<+{} marks>", self.cut));
        }
        *self = Stack::default();
    }
}

/// Which character the next one follows, for the few invisible ones that are part of how a visible
/// character is written.
#[derive(PartialEq)]
enum Before {
    /// A visible character beyond ASCII that is no white space.
    Shape,
    /// A variation selector that was kept.
    Selector,
    Other,
}

pub(super) fn sanitize(text: &str, color: bool) -> Safe {
    let mut out = String::with_capacity(text.len());
    let (mut colored, mut before) = (false, Before::Other);
    let mut stack = Stack::default();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        let mut now = Before::Other;
        let stays = match c {
            '\u{fe0e}' | '\u{fe0f}' | '\u{200c}' => before == Before::Shape,
            '\u{200d}' => before != Before::Other,
            _ => false,
        };
        let sequence = match c {
            '\x1b' => sgr::read(rest),
            _ => None,
        };
        match (c, sequence) {
            (_, Some((length, is_kept))) => {
                taken = length;
                if is_kept && color {
                    out.push_str(&rest[..length]);
                    colored = true;
                }
            }
            ('\r', _) if rest[1..].starts_with('\n') => {}
            (c, _) if stays || is_mark(c) => {
                if stack.add() {
                    out.push(c);
                }
                now = match c {
                    '\u{fe0e}' | '\u{fe0f}' => Before::Selector,
                    _ if stays => Before::Other,
                    _ => Before::Shape,
                };
            }
            (c, _) => {
                stack.end(&mut out);
                push_visible(&mut out, c);
                if !c.is_ascii() && !c.is_whitespace() && !is_hidden(c) {
                    now = Before::Shape;
                }
            }
        }
        rest = &rest[taken..];
        before = now;
    }
    stack.end(&mut out);
    Safe { text: out, colored }
}

/// A character, or what is written in its place so that it can be seen.
pub(crate) fn push_visible(out: &mut String, c: char) {
    match c {
        '\n' | '\t' => out.push(c),
        '\0'..='\x1f' => push_picture(out, c),
        '\x7f' => out.push('␡'),
        c if c.is_control() || is_invisible(c) => {
            out.push_str(&format!("<U+{:04X}>", u32::from(c)));
        }
        c => out.push(c),
    }
}

/// The picture of a C0 control, such as U+2407 for BEL.
pub(crate) fn push_picture(out: &mut String, c: char) {
    out.extend(char::from_u32(0x2400 + u32::from(c)));
}

/// The start of the SGR sequence that the byte position `at` of a safe string lies inside, or `at`.
pub(super) fn outside_sequence(text: &str, at: usize) -> usize {
    match text[..at].rfind('\x1b') {
        Some(start) if !text[start..at].contains('m') => start,
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        sanitize(text, true).text
    }

    #[test]
    fn attacks() {
        for (text, safe) in [
            ("\x1b[2J\x1b[H", "␛[2J␛[H"),
            ("\x1b]0;owned\x07", "␛]0;owned␇"),
            ("\x1b]52;c;cm0gLXJm\x1b\\", "␛]52;c;cm0gLXJm␛\\"),
            (
                "\x1b]8;;https://evil\x1b\\x\x1b]8;;\x1b\\",
                "␛]8;;https://evil␛\\x␛]8;;␛\\",
            ),
            (
                "\x1bPq\x1b\\ \x1b_x\x1b\\ \x1b^y\x1b\\ \x1bXz\x1b\\",
                "␛Pq␛\\ ␛_x␛\\ ␛^y␛\\ ␛Xz␛\\",
            ),
            ("\u{9b}2J\u{9d}0;x\u{9c}", "<U+009B>2J<U+009D>0;x<U+009C>"),
            ("a\rb\r\nc\r\r\n", "a␍b\nc␍\n"),
            ("a\x08\x7f\x0b\x0c\0", "a␈␡␋␌␀"),
            ("\u{202e}gnp.exe\u{2066}", "<U+202E>gnp.exe<U+2066>"),
            ("pass\u{200b}word\u{e0041}", "pass<U+200B>word<U+E0041>"),
            ("\u{feff}x\u{2028}", "<U+FEFF>x<U+2028>"),
            ("\x1b[8mhidden\x1b[30;40mtoo", "hiddentoo"),
            ("\x1b\x1b[31m", "␛\x1b[31m"),
            ("\x1b[31\x1b[0m", "␛[31\x1b[0m"),
        ] {
            assert_eq!(plain(text), safe, "{text:?}");
        }
    }

    #[test]
    fn colour_is_left_out_when_asked() {
        let safe = sanitize("\x1b[1;31mred\x1b[0m \x1b[8mx", false);
        assert_eq!((safe.text.as_str(), safe.colored), ("red x", false));
        assert!(sanitize("\x1b[m", true).colored);
        assert!(!sanitize("\x1b[8m", true).colored);
    }

    #[test]
    fn emoji_and_joiners_in_scripts_stay() {
        for text in ["❤️", "👩‍❤️‍👩", "نمی‌خواهم", "क्‍ष"] {
            assert_eq!(plain(text), text);
        }
        assert_eq!(
            plain("a\u{200d}b é\u{200d}\u{200d}"),
            "a<U+200D>b é\u{200d}<U+200D>"
        );
    }

    #[test]
    fn no_more_than_ten_marks_stand_in_one_column() {
        let marks = |count| "\u{301}".repeat(count);
        let of = |count: usize| format!("a{}b", marks(count));
        assert_eq!(plain(&of(10)), of(10));
        assert_eq!(plain(&of(11)), format!("a{}<+1 marks>b", marks(10)));
        assert_eq!(plain(&marks(5000)), format!("{}<+4990 marks>", marks(10)));
        // Neither a colour nor a joiner ends them.
        let colored = format!("a{}\x1b[1m{}\x1b[0m{}b", marks(9), marks(2), marks(3));
        let kept = format!("a{}\x1b[1m\u{301}\x1b[0m<+4 marks>b", marks(9));
        assert_eq!(plain(&colored), kept);
        let joined = "\u{301}\u{200d}".repeat(9);
        assert_eq!(
            plain(&format!("é{joined}")),
            format!("é{}<+8 marks>", "\u{301}\u{200d}".repeat(5))
        );
        // A tone mark of Thai, a vowel sign of Devanagari, a vowel and an end of Hangul.
        for mark in ["\u{e48}", "\u{94d}", "\u{1161}", "\u{11ab}", "\u{20dd}"] {
            assert_eq!(
                plain(&mark.repeat(12)),
                format!("{}<+2 marks>", mark.repeat(10)),
                "{mark:?}"
            );
        }
        for text in ["ཧྐྵྨླྺྼྻྂ", "שָׁ֔לוֹם", "각각", "ก็", "Ṩ̴̛̲͓͔", "👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧"]
        {
            assert_eq!(plain(text), text);
        }
    }

    #[test]
    fn marks_in_json_are_escaped_beyond_ten() {
        let json = format!("[\"a{}\"]", "\u{301}".repeat(12));
        let expected = format!("[\"a{}{}\"]", "\u{301}".repeat(10), r"\u0301".repeat(2));
        assert_eq!(terminal_safe_json(&json), expected);
    }

    #[test]
    fn positions_inside_sequences_move_before_them() {
        let text = "ab\x1b[31mc";
        let moved: Vec<usize> = (0..=text.len())
            .map(|at| outside_sequence(text, at))
            .collect();
        assert_eq!(moved, [0, 1, 2, 2, 2, 2, 2, 7, 8]);
    }
}

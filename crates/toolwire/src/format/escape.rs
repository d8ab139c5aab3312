//! Sequences that a terminal carries out, as ECMA-48 and xterm have them.

use std::ops::RangeInclusive;

/// An escape sequence, taken apart.
///
/// ```
/// use toolwire::EscapeSequence;
///
/// let erase = EscapeSequence::at("\x1b[2Jrest").expect("a control sequence");
/// assert_eq!((erase.length, erase.kind, erase.body, erase.end), (4, '[', "2", Some('J')));
/// let link = EscapeSequence::at("\x1b]8;;https://example.org\x07").expect("a string");
/// assert_eq!((link.kind, link.body, link.end), (']', "8;;https://example.org", Some('\x07')));
/// assert!(EscapeSequence::at("plain").is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EscapeSequence<'a> {
    /// Length in bytes.
    pub length: usize,
    /// What follows `ESC`: `[` for a control sequence, `]`, `P`, `X`, `^` or `_` for a string, and otherwise the
    /// first intermediate or the final character. A C1 control is given as its letter.
    pub kind: char,
    /// Parameters and intermediate characters of a control sequence, or the text of a string.
    pub body: &'a str,
    /// The final character behind the body. For a string it is the one that ends it: BEL, `\` or U+009C. Absent
    /// from a sequence of two characters, and from one that is not ended: a string then reaches to the next control
    /// character, a control sequence as far as it is well formed.
    pub end: Option<char>,
}

impl<'a> EscapeSequence<'a> {
    /// Reads the sequence that a text begins with. `None` if it begins with none.
    ///
    /// ```
    /// use toolwire::EscapeSequence;
    ///
    /// assert_eq!(EscapeSequence::at("\u{9b}31mred").map(|one| one.length), Some(5));
    /// assert_eq!(EscapeSequence::at("\x1b"), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn at(text: &'a str) -> Option<Self> {
        let (kind, rest) = match text.as_bytes() {
            [0x1b, kind @ b' '..=b'~', ..] => (*kind, &text[2..]),
            // The C1 controls are `ESC` and a letter in one character.
            [0xc2, c1 @ (0x90 | 0x98 | 0x9b | 0x9d..=0x9f), ..] => (c1 - 0x40, &text[2..]),
            _ => return None,
        };
        let bytes = rest.as_bytes();
        let run =
            |range: RangeInclusive<u8>| bytes.iter().take_while(|b| range.contains(b)).count();
        let (length, end) = match kind {
            b'[' => {
                let length = run(b' '..=b'?');
                let end = bytes.get(length).filter(|end| matches!(end, b'@'..=b'~'));
                (length, end.map(|end| char::from(*end)))
            }
            b']' | b'P' | b'X' | b'^' | b'_' => {
                let is_end = |c: char| c.is_control() && c != '\t';
                let length = rest.find(is_end).unwrap_or(rest.len());
                let end = match &bytes[length..] {
                    [0x07, ..] => Some('\x07'),
                    [0xc2, 0x9c, ..] => Some('\u{9c}'),
                    [0x1b, b'\\', ..] => Some('\\'),
                    _ => None,
                };
                (length, end)
            }
            b' '..=b'/' => {
                let length = run(b' '..=b'/');
                let end = bytes.get(length).filter(|end| matches!(end, b'0'..=b'~'))?;
                (length, Some(char::from(*end)))
            }
            _ => (0, None),
        };
        let ended = match (kind, end) {
            (b']' | b'P' | b'X' | b'^' | b'_', Some('\\' | '\u{9c}')) => 2,
            (_, end) => usize::from(end.is_some()),
        };
        Some(EscapeSequence {
            length: text.len() - rest.len() + length + ended,
            kind: char::from(kind),
            body: &rest[..length],
            end,
        })
    }
}

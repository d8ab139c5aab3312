//! Sequences that a terminal carries out, as ECMA-48 and xterm have them (HID-15).

/// A sequence at the beginning of a text.
///
/// ```
/// use toolwire::{EscapeKind, read_escape};
///
/// let sequence = read_escape("\x1b]0;title\x07text").unwrap();
/// assert_eq!(sequence.length, 10);
/// let expected = EscapeKind::String { begins: ']', text: "0;title", is_ended: true };
/// assert_eq!(sequence.kind, expected);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EscapeSequence<'a> {
    /// Its length in bytes.
    pub length: usize,
    /// What it is.
    pub kind: EscapeKind<'a>,
}

/// The kinds of sequences.
///
/// ```
/// use toolwire::{EscapeKind, read_escape};
///
/// let erase = EscapeKind::Control { parameters: "2", last: Some('J') };
/// assert_eq!(read_escape("\x1b[2J").unwrap().kind, erase);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EscapeKind<'a> {
    /// `ESC [`, parameters, and the character that says what to do; `None` if that is missing.
    Control {
        /// What stands before the last character.
        parameters: &'a str,
        /// The last character.
        last: Option<char>,
    },
    /// A text between `ESC` with `]`, `P`, `X`, `^` or `_` and its end. Without an end, it reaches to the
    /// next control character other than tab: a terminal would swallow what follows.
    String {
        /// The character behind `ESC`.
        begins: char,
        /// The text.
        text: &'a str,
        /// Whether `ESC \`, U+009C or BEL ends it.
        is_ended: bool,
    },
    /// `ESC` and another character, perhaps with characters from U+0020 to U+002F between them.
    Other {
        /// The last character.
        last: char,
    },
}

/// Reads the sequence that a text begins with.
///
/// ```
/// use toolwire::read_escape;
///
/// assert_eq!(read_escape("\u{9b}31mred").unwrap().length, "\u{9b}31m".len());
/// assert_eq!(read_escape("red"), None);
/// ```
#[must_use]
pub fn read_escape(text: &str) -> Option<EscapeSequence<'_>> {
    let mut chars = text.chars();
    let begins = match chars.next()? {
        '\x1b' => chars.next()?,
        // The C1 controls are `ESC` and a letter in one character.
        c @ ('\u{90}' | '\u{98}' | '\u{9b}' | '\u{9d}'..='\u{9f}') => {
            char::from_u32(u32::from(c) - 0x40)?
        }
        _ => return None,
    };
    let body = chars.as_str();
    let head = text.len() - body.len();
    let end_of = |belongs: fn(char) -> bool| body.find(|c| !belongs(c)).unwrap_or(body.len());
    let (length, kind) = match begins {
        '[' => {
            let end = end_of(|c| matches!(c, ' '..='?'));
            let last = body[end..].chars().next();
            let last = last.filter(|c| matches!(c, '@'..='~'));
            let parameters = &body[..end];
            let kind = EscapeKind::Control { parameters, last };
            (end + usize::from(last.is_some()), kind)
        }
        ']' | 'P' | 'X' | '^' | '_' => {
            let end = end_of(|c| !c.is_control() || c == '\t');
            let ends = ["\x1b\\", "\u{9c}", "\x07"];
            let terminator = ends.iter().find(|end_of| body[end..].starts_with(**end_of));
            let kind = EscapeKind::String {
                begins,
                text: &body[..end],
                is_ended: terminator.is_some(),
            };
            (
                end + terminator.map_or(0, |terminator| terminator.len()),
                kind,
            )
        }
        ' '..='/' => {
            let end = end_of(|c| matches!(c, ' '..='/'));
            let last = body[end..].chars().next()?;
            (end + 1, EscapeKind::Other { last })
        }
        last => (0, EscapeKind::Other { last }),
    };
    match kind {
        EscapeKind::Other { last } if !matches!(last, '0'..='~') => None,
        _ => Some(EscapeSequence {
            length: head + length,
            kind,
        }),
    }
}

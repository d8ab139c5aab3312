//! The keys of a terminal by name, and the bytes that they send (TERM-5, TERM-6).

use std::fmt;
use std::str::FromStr;

use super::TerminalModes;
use crate::{Code, Error, nearest};

/// A key, alone or with modifiers: `enter`, `ctrl-c`, `alt-f`, `shift-tab`, `ctrl-right`, `a`.
///
/// ```
/// use toolwire::session::{Key, TerminalModes};
///
/// let up: Key = "up".parse().unwrap();
/// assert_eq!(up.typed(TerminalModes::default()), b"\x1b[A");
/// assert_eq!(up.typed(TerminalModes::new(true, false)), b"\x1bOA");
/// assert_eq!(up.to_string(), "up");
/// assert_eq!("alt-ctrl-left".parse::<Key>().unwrap().to_string(), "ctrl-alt-left");
/// let error = "pagup".parse::<Key>().unwrap_err();
/// assert_eq!(error.to_string(), "there is no key `pagup`; did you mean `pageup`?");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    base: Base,
    ctrl: bool,
    alt: bool,
    shift: bool,
}

/// An error about a key's name, with what to write instead.
fn wrong(message: String) -> Error {
    Error::new(Code::BadArgument, "", None, message)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Base {
    /// A key that types a character, the space among them.
    Character(char),
    /// A key with a name.
    Named(&'static str, Sends),
}

/// What a key with a name sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Sends {
    Byte(u8),
    /// A key of the cursor, with the last letter of its sequence.
    Cursor(u8),
    /// One of the first four function keys, with the last letter of its sequence.
    Function(u8),
    /// A key with a number in its sequence.
    Number(u8),
}

/// The keys by their names; one with several names stands first under that which is shown.
const KEYS: [(&str, &str, Sends); 37] = [
    ("enter", "enter", Sends::Byte(b'\r')),
    ("return", "enter", Sends::Byte(b'\r')),
    ("tab", "tab", Sends::Byte(b'\t')),
    ("backspace", "backspace", Sends::Byte(0x7f)),
    ("escape", "escape", Sends::Byte(0x1b)),
    ("esc", "escape", Sends::Byte(0x1b)),
    ("up", "up", Sends::Cursor(b'A')),
    ("down", "down", Sends::Cursor(b'B')),
    ("right", "right", Sends::Cursor(b'C')),
    ("left", "left", Sends::Cursor(b'D')),
    ("end", "end", Sends::Cursor(b'F')),
    ("home", "home", Sends::Cursor(b'H')),
    ("insert", "insert", Sends::Number(2)),
    ("ins", "insert", Sends::Number(2)),
    ("delete", "delete", Sends::Number(3)),
    ("del", "delete", Sends::Number(3)),
    ("pgup", "pgup", Sends::Number(5)),
    ("pageup", "pgup", Sends::Number(5)),
    ("page-up", "pgup", Sends::Number(5)),
    ("pgdn", "pgdn", Sends::Number(6)),
    ("pagedown", "pgdn", Sends::Number(6)),
    ("page-down", "pgdn", Sends::Number(6)),
    ("f1", "f1", Sends::Function(b'P')),
    ("f2", "f2", Sends::Function(b'Q')),
    ("f3", "f3", Sends::Function(b'R')),
    ("f4", "f4", Sends::Function(b'S')),
    ("f5", "f5", Sends::Number(15)),
    ("f6", "f6", Sends::Number(17)),
    ("f7", "f7", Sends::Number(18)),
    ("f8", "f8", Sends::Number(19)),
    ("f9", "f9", Sends::Number(20)),
    ("f10", "f10", Sends::Number(21)),
    ("f11", "f11", Sends::Number(23)),
    ("f12", "f12", Sends::Number(24)),
    ("space", "space", Sends::Byte(b' ')),
    ("minus", "-", Sends::Byte(b'-')),
    ("plus", "+", Sends::Byte(b'+')),
];

const MODIFIERS: [&str; 3] = ["ctrl", "alt", "shift"];

impl FromStr for Key {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let mut rest = name;
        let mut found = [false; 3];
        while let Some((word, after)) = rest.split_once('-') {
            let Some(at) = MODIFIERS
                .iter()
                .position(|one| one.eq_ignore_ascii_case(word))
            else {
                break;
            };
            if after.is_empty() {
                return Err(wrong(format!(
                    "`{name}` has no key after `{word}`; write `{word}-c`, for instance"
                )));
            }
            if std::mem::replace(&mut found[at], true) {
                return Err(wrong(format!("`{name}` has `{word}` twice; leave one out")));
            }
            rest = after;
        }
        let [ctrl, alt, shift] = found;
        let key = Key {
            base: base(name, rest)?,
            ctrl,
            alt,
            shift,
        };
        match key.bytes(TerminalModes::default()) {
            Some(_) => Ok(key),
            None => Err(wrong(format!(
                "no terminal has the key `{name}`; leave out a modifier"
            ))),
        }
    }
}

/// The key itself, without modifiers.
fn base(name: &str, rest: &str) -> Result<Base, Error> {
    let mut characters = rest.chars();
    if let (Some(character), None) = (characters.next(), characters.next())
        && !character.is_control()
    {
        return Ok(Base::Character(character));
    }
    let found = KEYS
        .iter()
        .find(|(key, _, _)| key.eq_ignore_ascii_case(rest));
    let Some((_, shown, sends)) = found else {
        let names = KEYS.iter().map(|(name, _, _)| *name).chain(MODIFIERS);
        let hint = match nearest(rest, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                "use names such as `enter`, `up`, `ctrl-c` or `f1`, or `text` for a text".to_owned()
            }
        };
        return Err(wrong(format!("there is no key `{name}`; {hint}")));
    };
    Ok(match sends {
        Sends::Byte(byte @ (b' ' | b'-' | b'+')) => Base::Character(char::from(*byte)),
        _ => Base::Named(shown, *sends),
    })
}

impl Key {
    /// The bytes that a terminal sends for it.
    ///
    /// ```
    /// use toolwire::session::{Key, TerminalModes};
    ///
    /// let key: Key = "ctrl-c".parse().unwrap();
    /// assert_eq!(key.typed(TerminalModes::default()), [0x03]);
    /// ```
    #[must_use]
    pub fn typed(&self, modes: TerminalModes) -> Vec<u8> {
        // There is no key without: it was looked for when the name was read.
        self.bytes(modes).unwrap_or_default()
    }

    /// Whether it is the one that ends the input of a program that reads lines, Ctrl-D.
    pub(super) fn is_end_of_input(&self) -> bool {
        self.bytes(TerminalModes::default())
            .is_some_and(|bytes| bytes == [0x04])
    }

    fn bytes(&self, modes: TerminalModes) -> Option<Vec<u8>> {
        let modifiers = 1 + u8::from(self.shift) + 2 * u8::from(self.alt) + 4 * u8::from(self.ctrl);
        let sends = match self.base {
            Base::Character(character) => return self.character(character),
            Base::Named(_, sends) => sends,
        };
        let sequence = |text: String| Some(text.into_bytes());
        match sends {
            Sends::Byte(byte) => self.byte(byte),
            Sends::Cursor(last) if modifiers == 1 => {
                let first = if modes.application_cursor { 'O' } else { '[' };
                sequence(format!("\x1b{first}{}", char::from(last)))
            }
            Sends::Function(last) if modifiers == 1 => {
                sequence(format!("\x1bO{}", char::from(last)))
            }
            Sends::Number(number) if modifiers == 1 => sequence(format!("\x1b[{number}~")),
            Sends::Cursor(last) | Sends::Function(last) => {
                sequence(format!("\x1b[1;{modifiers}{}", char::from(last)))
            }
            Sends::Number(number) => sequence(format!("\x1b[{number};{modifiers}~")),
        }
    }

    /// A key that sends one byte: Alt puts an escape before it, and few know other modifiers.
    fn byte(&self, byte: u8) -> Option<Vec<u8>> {
        let bytes: &[u8] = match (byte, self.ctrl, self.shift) {
            (_, false, false) => &[byte],
            (b'\t', false, true) => b"\x1b[Z",
            (0x7f, true, false) => &[0x08],
            _ => return None,
        };
        Some(self.with_alt(bytes))
    }

    fn character(&self, character: char) -> Option<Vec<u8>> {
        if self.ctrl {
            let byte = match character.to_ascii_lowercase() {
                letter @ 'a'..='z' => letter as u8 & 0x1f,
                ' ' | '@' if !self.shift => 0x00,
                '[' if !self.shift => 0x1b,
                '\\' if !self.shift => 0x1c,
                ']' if !self.shift => 0x1d,
                '^' if !self.shift => 0x1e,
                '_' | '/' if !self.shift => 0x1f,
                '?' if !self.shift => 0x7f,
                _ => return None,
            };
            // Terminals send the same with Shift as without.
            return Some(self.with_alt(&[byte]));
        }
        let text: String = match self.shift {
            true if character.is_alphabetic() => character.to_uppercase().collect(),
            true => return None,
            false => character.to_string(),
        };
        Some(self.with_alt(text.as_bytes()))
    }

    fn with_alt(&self, bytes: &[u8]) -> Vec<u8> {
        let escape: &[u8] = if self.alt { b"\x1b" } else { b"" };
        [escape, bytes].concat()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, held) in MODIFIERS.iter().zip([self.ctrl, self.alt, self.shift]) {
            if held {
                write!(f, "{name}-")?;
            }
        }
        match self.base {
            Base::Character(' ') => f.write_str("space"),
            Base::Character(character) => write!(f, "{character}"),
            Base::Named(name, _) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEYS, Key};
    use crate::protocol::session::TerminalModes;

    fn sends(name: &str) -> Vec<u8> {
        name.parse::<Key>()
            .unwrap_or_else(|error| panic!("{error}"))
            .typed(TerminalModes::default())
    }

    #[test]
    fn keys_send_what_a_terminal_sends() {
        for (name, bytes) in [
            ("enter", &b"\r"[..]),
            ("alt-enter", b"\x1b\r"),
            ("tab", b"\t"),
            ("shift-tab", b"\x1b[Z"),
            ("backspace", b"\x7f"),
            ("ctrl-backspace", b"\x08"),
            ("escape", b"\x1b"),
            ("space", b" "),
            ("ctrl-space", b"\0"),
            ("ctrl-a", b"\x01"),
            ("Ctrl-C", b"\x03"),
            ("ctrl-Z", b"\x1a"),
            ("ctrl-shift-c", b"\x03"),
            ("ctrl-[", b"\x1b"),
            ("ctrl-\\", b"\x1c"),
            ("ctrl-_", b"\x1f"),
            ("ctrl-?", b"\x7f"),
            ("alt-f", b"\x1bf"),
            ("ctrl-alt-c", b"\x1b\x03"),
            ("shift-a", b"A"),
            ("A", b"A"),
            ("-", b"-"),
            ("minus", b"-"),
            ("alt--", b"\x1b-"),
            ("é", "é".as_bytes()),
            ("home", b"\x1b[H"),
            ("ctrl-right", b"\x1b[1;5C"),
            ("shift-alt-up", b"\x1b[1;4A"),
            ("delete", b"\x1b[3~"),
            ("page-up", b"\x1b[5~"),
            ("ctrl-pgdn", b"\x1b[6;5~"),
            ("f1", b"\x1bOP"),
            ("shift-f1", b"\x1b[1;2P"),
            ("f5", b"\x1b[15~"),
            ("ctrl-f12", b"\x1b[24;5~"),
        ] {
            assert_eq!(sends(name), bytes, "{name}");
        }
        let application = TerminalModes::new(true, false);
        for (name, bytes) in [
            ("left", &b"\x1bOD"[..]),
            ("end", b"\x1bOF"),
            ("ctrl-left", b"\x1b[1;5D"),
        ] {
            assert_eq!(
                name.parse::<Key>().unwrap().typed(application),
                bytes,
                "{name}"
            );
        }
    }

    #[test]
    fn what_is_no_key_is_said_with_what_to_write() {
        for name in [
            "",
            "ctrl-",
            "ctrl",
            "hello",
            "f13",
            "ctrl-enter",
            "shift-1",
            "ctrl-é",
            "\u{1}",
            "shift-space",
        ] {
            let error = name.parse::<Key>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{name}`")), "{error}");
        }
    }

    #[test]
    fn a_name_is_read_as_it_is_shown() {
        for (name, shown, _) in KEYS {
            let key: Key = name.parse().unwrap();
            assert_eq!(key.to_string(), shown);
            assert_eq!(shown.parse::<Key>().unwrap(), key);
        }
    }
}

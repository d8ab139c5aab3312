//! Checking the escapes of a string.

use super::entry::Escapes;
use super::fault::Fault;
use super::string::hex4;
use crate::Code;

/// The letters of the escapes that RFC 8785 writes too. A look into a table is one branch for all of
/// them, which the processor can foresee in text that has many.
pub(super) const SHORT_ESCAPES: [bool; 256] = {
    let mut short = [false; 256];
    let letters = br#""\bfnrt"#;
    let mut at = 0;
    while at < letters.len() {
        short[letters[at] as usize] = true;
        at += 1;
    }
    short
};

/// Checks an escape that is not one of [`SHORT_ESCAPES`]; gives the place behind it.
#[cold]
pub(super) fn long_escape(text: &[u8], at: usize) -> Result<(usize, Escapes), Fault> {
    let end = escape(text, at)?;
    Ok((end, kind_of_escape(&text[at + 1..end])))
}

/// Whether RFC 8785 writes an escape, here without its backslash, as it stands.
fn kind_of_escape(escape: &[u8]) -> Escapes {
    match escape {
        [b'u', b'0', b'0', b'0', b'0'..=b'7' | b'b' | b'e' | b'f']
        | [b'u', b'0', b'0', b'1', b'0'..=b'9' | b'a'..=b'f'] => Escapes::Canonical,
        _ => Escapes::Any,
    }
}

/// Checks the escape that begins with the backslash at `at`; gives the place behind it, which for a
/// surrogate pair is behind its second half.
fn escape(text: &[u8], at: usize) -> Result<usize, Fault> {
    match text.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let end = four_digits(text, at)?;
            match hex4(&text[at + 2..end]) {
                0xD800..0xDC00 => low_surrogate(text, at, end),
                0xDC00..0xE000 => Err(Fault {
                    code: Code::LoneSurrogate,
                    offset: at,
                }),
                _ => Ok(end),
            }
        }
        Some(_) => Err(Fault {
            code: Code::BadEscape,
            offset: at,
        }),
        None => Err(Fault::unexpected(text, at + 1)),
    }
}

/// Checks the four digits of the `\u` escape at `at`; gives the place behind them.
fn four_digits(text: &[u8], at: usize) -> Result<usize, Fault> {
    for digit in at + 2..at + 6 {
        match text.get(digit) {
            Some(byte) if byte.is_ascii_hexdigit() => {}
            Some(_) => {
                return Err(Fault {
                    code: Code::BadEscape,
                    offset: at,
                });
            }
            None => return Err(Fault::unexpected(text, digit)),
        }
    }
    Ok(at + 6)
}

/// Checks that the escape of a low surrogate stands at `at`, behind the high one at `high`.
fn low_surrogate(text: &[u8], high: usize, at: usize) -> Result<usize, Fault> {
    let is_low = text[at..].starts_with(b"\\u")
        && four_digits(text, at)
            .is_ok_and(|end| matches!(hex4(&text[at + 2..end]), 0xDC00..0xE000));
    if !is_low {
        return Err(Fault {
            code: Code::LoneSurrogate,
            offset: high,
        });
    }
    Ok(at + 6)
}

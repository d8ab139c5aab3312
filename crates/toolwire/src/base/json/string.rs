//! Strings: finding their end, decoding and writing them.

use std::borrow::Cow;

use super::entry::Entry;
use super::specials::skip_plain;

pub(super) const ONES: u64 = 0x0101_0101_0101_0101;
pub(super) const HIGH: u64 = 0x8080_8080_8080_8080;

/// The position of the first `"`, `\` or control character at or behind `at`; the length of `text`
/// where there is none.
#[inline]
pub(super) fn end_of_plain(text: &[u8], mut at: usize) -> usize {
    // Short strings end within the first words, long ones are walked in blocks that vectorize.
    let mut words = 0;
    while let Some(word) = word_at(text, at) {
        let mask = special(word);
        if mask != 0 {
            return at + (mask.trailing_zeros() / 8) as usize;
        }
        at += 8;
        words += 1;
        if words == 4 {
            at = skip_plain(text, at);
        }
    }
    while at < text.len() && !matches!(text[at], b'"' | b'\\' | 0..=0x1F) {
        at += 1;
    }
    at
}

#[inline]
pub(super) fn word_at(text: &[u8], at: usize) -> Option<u64> {
    text.get(at..at + 8)?
        .try_into()
        .ok()
        .map(u64::from_le_bytes)
}

/// A mask whose lowest set bit is in the first byte that is `"`, `\` or a control character.
#[inline]
fn special(word: u64) -> u64 {
    let quote = word ^ (ONES * u64::from(b'"'));
    let backslash = word ^ (ONES * u64::from(b'\\'));
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (quote.wrapping_sub(ONES) & !quote | backslash.wrapping_sub(ONES) & !backslash | control) & HIGH
}

/// The bytes between the quotes.
#[inline]
pub(crate) fn inside<'a>(text: &'a [u8], entry: &Entry) -> &'a [u8] {
    &text[entry.start as usize + 1..entry.end as usize - 1]
}

/// The document was checked as a whole, and its values begin and end at quotes, brackets and digits,
/// so this check of a part can't fail; it costs little and keeps the crate free of unsafe code.
pub(super) fn str_of(bytes: &[u8]) -> &str {
    simdutf8::basic::from_utf8(bytes).unwrap_or_default()
}

/// The value of a string that was scanned before.
pub(crate) fn decode<'a>(text: &'a [u8], entry: &Entry) -> Cow<'a, str> {
    let bytes = inside(text, entry);
    if entry.escaped() {
        Cow::Owned(unescape(str_of(bytes)))
    } else {
        Cow::Borrowed(str_of(bytes))
    }
}

/// Resolves the escapes of a string's inside. They were checked by the scan.
fn unescape(mut rest: &str) -> String {
    let mut out = String::with_capacity(rest.len());
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let kind = rest.as_bytes().get(at + 1).copied().unwrap_or(b'\\');
        rest = &rest[(at + 2).min(rest.len())..];
        match kind {
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{C}'),
            b'n' => out.push('\n'),
            b'r' => out.push('\r'),
            b't' => out.push('\t'),
            b'u' => {
                let mut unit = hex4(rest.as_bytes());
                rest = &rest[4.min(rest.len())..];
                if (0xD800..0xDC00).contains(&unit) && rest.len() >= 6 {
                    let low = hex4(&rest.as_bytes()[2..]);
                    rest = &rest[6..];
                    unit = 0x1_0000 + ((unit - 0xD800) << 10) + (low.wrapping_sub(0xDC00) & 0x3FF);
                }
                out.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            other => out.push(char::from(other)),
        }
    }
    out.push_str(rest);
    out
}

/// The value of four hexadecimal digits that were checked before.
pub(super) fn hex4(digits: &[u8]) -> u32 {
    digits.iter().take(4).fold(0, |unit, &digit| {
        unit * 16 + char::from(digit).to_digit(16).unwrap_or(0)
    })
}

/// Appends a string in the form that RFC 8785 prescribes: only `"`, `\` and control characters are
/// escaped, with the short escape where there is one.
pub(crate) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut from = 0;
    loop {
        let at = end_of_plain(text.as_bytes(), from);
        out.push_str(&text[from..at]);
        let Some(&byte) = text.as_bytes().get(at) else {
            break;
        };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            0x08 => out.push_str("\\b"),
            0x09 => out.push_str("\\t"),
            0x0A => out.push_str("\\n"),
            0x0C => out.push_str("\\f"),
            0x0D => out.push_str("\\r"),
            other => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                out.push_str("\\u00");
                out.push(char::from(HEX[usize::from(other >> 4)]));
                out.push(char::from(HEX[usize::from(other & 15)]));
            }
        }
        from = at + 1;
    }
    out.push('"');
}

/// The first characters of a text, with `…` where it goes on; for messages.
///
/// ```
/// assert_eq!(toolwire::json::brief("[1,2,3]", 4), "[1,2…");
/// ```
#[must_use]
pub fn brief(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_plain_run_is_found_at_every_position() {
        for special in [b'"', b'\\', 0x00, 0x1F, b'\n'] {
            for length in 0..200 {
                for plain in [b'a', 0x20, 0x7F, 0x80, 0xFF, b'#', b'!', b']', b'['] {
                    let mut text = vec![plain; length];
                    assert_eq!(end_of_plain(&text, 0), length);
                    text.push(special);
                    text.extend([plain; 70]);
                    assert_eq!(end_of_plain(&text, 0), length, "{special} behind {plain}");
                }
            }
        }
    }

    #[test]
    fn every_escape_is_resolved() {
        assert_eq!(
            unescape(r#"a\"\\\/\b\f\n\r\té😀z"#),
            "a\"\\/\u{8}\u{c}\n\r\té😀z"
        );
    }

    #[test]
    fn strings_are_written_with_the_short_escapes() {
        let mut out = String::new();
        write_string(&mut out, "\u{1}\u{8}\t\n\u{c}\r\"\\/é\u{7f}\u{2028}");
        assert_eq!(out, "\"\\u0001\\b\\t\\n\\f\\r\\\"\\\\/é\u{7f}\u{2028}\"");
    }
}

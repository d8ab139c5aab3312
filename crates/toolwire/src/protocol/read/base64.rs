//! Base64 as tools write it: judged strictly, decoded leniently (READ-26).

use std::borrow::Cow;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Takes what is left after normalization: standard alphabet, no padding, any trailing bits.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// What a text is, as base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// RFC 4648, section 4: standard alphabet, padded, unused bits zero.
    Standard,
    /// Readable without doubt, but unpadded, url-safe, with white space or with unused bits set.
    Variant,
    /// Not base64.
    Wrong,
}

/// Judges a text.
pub(crate) fn form(text: &[u8]) -> Form {
    if is_standard(text) {
        return Form::Standard;
    }
    let Some(plain) = normalize(text) else {
        return Form::Wrong;
    };
    if plain.len() % 4 == 1 {
        Form::Wrong
    } else {
        Form::Variant
    }
}

/// The bytes that a text stands for; absent where it is wrong.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    LENIENT.decode(normalize(text)?).ok()
}

/// Standard base64 of some bytes.
pub(crate) fn encode(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn is_standard(text: &[u8]) -> bool {
    if !text.len().is_multiple_of(4) {
        return false;
    }
    let body = match text {
        [rest @ .., b'=', b'='] => rest,
        [rest @ .., b'='] => rest,
        _ => text,
    };
    let padding = text.len() - body.len();
    let unused = match (padding, body.last()) {
        (1, Some(last)) => value(*last) & 0b11,
        (2, Some(last)) => value(*last) & 0b1111,
        _ => 0,
    };
    // Long bodies are checked in blocks that the compiler turns into vector code.
    let mut blocks = body.chunks_exact(64);
    blocks.all(|block| block.iter().fold(true, |ok, &byte| ok & is_digit(byte)))
        && body[body.len() / 64 * 64..]
            .iter()
            .all(|&byte| is_digit(byte))
        && unused == 0
}

fn is_digit(byte: u8) -> bool {
    (byte.wrapping_sub(b'A') < 26)
        | (byte.wrapping_sub(b'a') < 26)
        | (byte.wrapping_sub(b'0') < 10)
        | (byte == b'+')
        | (byte == b'/')
}

/// The six bits of a digit that was checked.
fn value(digit: u8) -> u8 {
    match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        _ => 63,
    }
}

/// The digits in the standard alphabet, without white space and padding; absent where another
/// character stands, where padding is not at the end, or where it is not what the length asks for.
fn normalize(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    let end = text.len() - text.iter().rev().take_while(|b| **b == b'=').count();
    if end == text.len() && text.iter().all(|&byte| is_digit(byte)) {
        return Some(Cow::Borrowed(text));
    }
    let mut plain = Vec::with_capacity(text.len());
    let mut padding = 0;
    for &byte in text {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'=' => padding += 1,
            _ if padding > 0 => return None,
            b'-' => plain.push(b'+'),
            b'_' => plain.push(b'/'),
            _ if is_digit(byte) => plain.push(byte),
            _ => return None,
        }
    }
    let fits = padding == 0 || (padding <= 2 && (plain.len() + padding) % 4 == 0);
    fits.then_some(Cow::Owned(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (text, form_of_it, bytes) in [
            ("", Form::Standard, Some(&b""[..])),
            ("aGk=", Form::Standard, Some(b"hi")),
            ("aGkh", Form::Standard, Some(b"hi!")),
            ("aA==", Form::Standard, Some(b"h")),
            ("aGk", Form::Variant, Some(b"hi")),
            ("aGl=", Form::Variant, Some(b"hi")),
            ("aB==", Form::Variant, Some(b"h")),
            ("aG k=\n", Form::Variant, Some(b"hi")),
            ("-_-_", Form::Variant, Some(b"\xfb\xff\xbf")),
            ("+/+/", Form::Standard, Some(b"\xfb\xff\xbf")),
            ("a", Form::Wrong, None),
            ("aGkhA", Form::Wrong, None),
            ("aGk==", Form::Wrong, None),
            ("aGkh=", Form::Wrong, None),
            ("aGkh====", Form::Wrong, None),
            ("a=Gk", Form::Wrong, None),
            ("aG!k", Form::Wrong, None),
            ("====", Form::Wrong, None),
        ] {
            assert_eq!(form(text.as_bytes()), form_of_it, "{text}");
            if form_of_it != Form::Wrong {
                assert_eq!(decode(text.as_bytes()).as_deref(), bytes, "{text}");
            }
        }
        let long = encode(&vec![7; 1000]);
        assert_eq!(form(long.as_bytes()), Form::Standard);
        assert_eq!(form(long.replace('H', "!").as_bytes()), Form::Wrong);
    }
}

//! Percent-encoding of launch URIs (LAUNCH-3): decoded once, and written in one way.

use toolwire::Error;

use super::refusal::Place;

/// The text that a part of a URI stands for. The place is where the part begins.
pub(super) fn decode(part: &str, place: Place) -> Result<String, Error> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [byte, after @ ..] = rest {
        let at = place.at(place.offset + part.len() - rest.len());
        match (byte, after) {
            (b'%', [high, low, more @ ..]) if both(*high, *low).is_some() => {
                bytes.extend(both(*high, *low));
                rest = more;
            }
            (b'%', _) => return Err(bad_sign(at)),
            _ => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).map_err(|_| {
        place.refuse("what is percent-encoded here is not UTF-8: encode the text as UTF-8")
    })
}

/// Refuses `%` without two hexadecimal digits.
pub(super) fn check(part: &str, place: Place) -> Result<(), Error> {
    for (at, _) in part.match_indices('%') {
        let digits = part.as_bytes().get(at + 1..at + 3);
        if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
            return Err(bad_sign(place.at(place.offset + at)));
        }
    }
    Ok(())
}

fn bad_sign(place: Place) -> Error {
    place.refuse("`%` needs two hexadecimal digits after it: write `%25` for the sign itself")
}

fn both(high: u8, low: u8) -> Option<u8> {
    let high = char::from(high).to_digit(16)?;
    let low = char::from(low).to_digit(16)?;
    u8::try_from(high * 16 + low).ok()
}

/// Writes a text; what `stays` accepts is not encoded.
pub(super) fn encode(out: &mut String, text: &str, stays: fn(u8) -> bool) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        if stays(byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(DIGITS[usize::from(byte >> 4)]));
            out.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
}

/// What stays in front of the query.
pub(super) fn in_target(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$()*+,;=:@/[]".contains(&byte)
}

/// What stays in a value. `+` is encoded, since some readers take it for a space, and so is `'`, so that
/// a canonical form can stand between single quotes of a shell.
pub(super) fn in_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$()*,;:@/?=".contains(&byte)
}

/// What stays in a key.
pub(super) fn in_key(byte: u8) -> bool {
    byte != b'=' && in_value(byte)
}

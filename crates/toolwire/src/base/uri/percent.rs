//! Percent-encoding in its normal form (URI-5 to URI-8), and the character classes of RFC 3986.

/// Letters, digits, `-`, `.`, `_` and `~`: characters that never need an encoding.
pub(super) fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn is_sub_delim(byte: u8) -> bool {
    b"!$&'()*+,;=".contains(&byte)
}

/// What may stand in the name of a host.
pub(super) fn is_host(byte: u8) -> bool {
    is_unreserved(byte) || is_sub_delim(byte)
}

/// What may stand in the user information of an authority.
pub(super) fn is_userinfo(byte: u8) -> bool {
    is_host(byte) || byte == b':'
}

/// What may stand in a segment of a path (`pchar`).
pub(super) fn is_segment(byte: u8) -> bool {
    is_userinfo(byte) || byte == b'@'
}

/// What may stand in a query or a fragment.
pub(super) fn is_query(byte: u8) -> bool {
    is_segment(byte) || matches!(byte, b'/' | b'?')
}

/// Appends `text` so that each byte has one spelling: an encoding of a byte that `decoded` accepts
/// is decoded, other encodings get upper-case digits, and every other byte that `allowed` does not
/// accept is encoded. A percent sign without two hexadecimal digits after it is such a byte.
///
/// What `decoded` accepts, `allowed` must accept too.
pub(super) fn push_normal(
    out: &mut String,
    text: &str,
    allowed: fn(u8) -> bool,
    decoded: fn(u8) -> bool,
) {
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        match triplet(*byte, after) {
            Some(meant) => {
                rest = &after[2..];
                match decoded(meant) {
                    true => out.push(char::from(meant)),
                    false => push_encoded(out, meant),
                }
            }
            None if *byte != b'%' && allowed(*byte) => out.push(char::from(*byte)),
            None => push_encoded(out, *byte),
        }
    }
}

/// The normal form of `text` as a new string; see [`push_normal`].
pub(super) fn normal(text: &str, allowed: fn(u8) -> bool, decoded: fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    push_normal(&mut out, text, allowed, decoded);
    out
}

/// Lower-cases the letters of an already normal text, but not the digits of its encodings.
pub(super) fn lower_outside_triplets(text: &str) -> String {
    let mut out = text.to_ascii_lowercase();
    for (at, _) in text.match_indices('%') {
        if let Some(digits) = out.get_mut(at..at + 3) {
            digits.make_ascii_uppercase();
        }
    }
    out
}

fn push_encoded(out: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digits = [byte >> 4, byte & 15].map(|digit| char::from(DIGITS[usize::from(digit)]));
    out.push('%');
    out.extend(digits);
}

/// The byte that a percent sign and what follows it mean.
fn triplet(byte: u8, after: &[u8]) -> Option<u8> {
    let (b'%', [high, low, ..]) = (byte, after) else {
        return None;
    };
    let [high, low] = [high, low].map(|digit| char::from(*digit).to_digit(16));
    u8::try_from(high? * 16 + low?).ok()
}

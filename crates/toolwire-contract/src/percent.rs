//! Percent-encoding of launch URIs (LAUNCH-3): decoded once, and written in one way.

/// The bytes that a part of a URI stands for.
pub(crate) fn bytes(part: &str) -> Result<Vec<u8>, String> {
    let mut pieces = part.split('%');
    let mut out = Vec::from(pieces.next().unwrap_or_default());
    for piece in pieces {
        let digits = piece
            .get(..2)
            .filter(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let missing = "`%` needs two hexadecimal digits after it: write `%25` for the sign itself";
        out.push(byte.ok_or(missing)?);
        out.extend(&piece.as_bytes()[2..]);
    }
    Ok(out)
}

/// The text that a part of a URI stands for.
pub(crate) fn decode(part: &str) -> Result<String, String> {
    String::from_utf8(bytes(part)?).map_err(|_| {
        "what is percent-encoded here is not UTF-8: encode the text as UTF-8".to_owned()
    })
}

/// Writes a text; letters, digits and the characters in `stays` are not encoded.
pub(crate) fn encode(out: &mut String, text: &str, stays: &[u8]) {
    for byte in text.bytes() {
        match byte.is_ascii_alphanumeric() || stays.contains(&byte) {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
}

/// What stays in front of the query.
pub(crate) const IN_TARGET: &[u8] = b"-._~!$()*+,;=:@/[]";

/// What stays in a value. `+` is encoded, since some readers take it for a space, and so is `'`, so that a canonical
/// form can stand between single quotes of a shell.
pub(crate) const IN_VALUE: &[u8] = b"-._~!$()*,;:@/?=";

/// What stays in a key.
pub(crate) const IN_KEY: &[u8] = b"-._~!$()*,;:@/?";

/// What stays in the name of a tool in front of the query.
pub(crate) const IN_TOOL: &[u8] = b"-._~!$()*,;:@/=";

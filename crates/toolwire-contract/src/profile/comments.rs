//! The comments of JSON files that people write.

use std::borrow::Cow;

/// The text with spaces in the place of its comments, so that every offset stays (PROF-3). What stands in a
/// string is none, and a block comment without an end stays, for the reader of JSON to refuse.
pub(super) fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'"', _) => at = end_of_string(bytes, at + 1),
            (b'/', Some(b'/')) => {
                let end = bytes[at..].iter().position(|byte| *byte == b'\n');
                let end = end.map_or(bytes.len(), |length| at + length);
                blank(&mut out[at..end]);
                at = end;
            }
            (b'/', Some(b'*')) => {
                let inside = &bytes[at + 2..];
                let Some(length) = inside.windows(2).position(|pair| pair == b"*/") else {
                    break;
                };
                let end = at + 2 + length + 2;
                blank(&mut out[at..end]);
                at = end;
            }
            _ => at += 1,
        }
    }
    // Whole characters of a comment became spaces, so what is left is UTF-8 still.
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The place behind the string whose first byte is at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes {
        if !matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_spaces_and_nothing_moves() {
        for (text, expected) in [
            ("{\"a\":1} // é", "{\"a\":1}      "),
            ("{\"u\":\"a//b\\\"//c\"}", "{\"u\":\"a//b\\\"//c\"}"),
            ("[1,/* 2,\n */3]", "[1,     \n   3]"),
            ("// only", "       "),
            ("[/* open]", "[/* open]"),
            ("\"// open", "\"// open"),
            ("[1]/**/", "[1]    "),
            ("[1 / 2]//", "[1 / 2]  "),
        ] {
            let shown = without_comments(text);
            assert_eq!(shown, expected);
            assert_eq!(shown.len(), text.len());
        }
    }
}

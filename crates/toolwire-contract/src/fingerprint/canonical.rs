//! The bytes of a value: RFC 8785 but for exact numbers (FP-10 to FP-13).

use std::borrow::Cow;
use std::cmp::Ordering;

use toolwire::json::{Kind, Node, string};
use toolwire::{Code, Error};

use super::decimal::write_number;

/// Appends a value.
///
/// # Errors
///
/// `number_range` for a number whose exponent is too long.
pub(super) fn write_value(out: &mut Vec<u8>, value: Node<'_>) -> Result<(), Error> {
    match value.kind() {
        Kind::Null | Kind::Bool => out.extend_from_slice(value.raw_bytes()),
        Kind::Number => {
            if !write_number(out, value.raw_bytes()) {
                let offset = u64::try_from(value.start()).ok();
                let message = "the exponent of a number has more than 18 digits";
                return Err(Error::new(Code::NumberRange, "", offset, message));
            }
        }
        Kind::String => write_node_string(out, value),
        Kind::Array => {
            out.push(b'[');
            for (index, element) in value.elements().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_value(out, element)?;
            }
            out.push(b']');
        }
        Kind::Object => {
            out.push(b'{');
            for (index, (name, member)) in sorted_members(value).into_iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_name(out, &name);
                write_value(out, member)?;
            }
            out.push(b'}');
        }
    }
    Ok(())
}

/// A value by itself.
pub(super) fn canonical(value: Node<'_>) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    write_value(&mut out, value)?;
    Ok(out)
}

/// The members of an object in the order in which they are written.
pub(super) fn sorted_members(object: Node<'_>) -> Vec<(Cow<'_, str>, Node<'_>)> {
    let mut members = Vec::with_capacity(object.len());
    members.extend(object.members());
    members.sort_unstable_by(|(a, _), (b, _)| order(&**a, &**b));
    members
}

/// The order of texts: by their UTF-16 code units, as CANON-3 sorts names.
///
/// It is that of the bytes of UTF-8 but for characters past the basic plane, which begin with F0 to F4:
/// their surrogates come before U+E000 to U+FFFF, which begin with EE and EF.
pub(super) fn order(a: impl AsRef<[u8]>, b: impl AsRef<[u8]>) -> Ordering {
    let (a, b) = (a.as_ref(), b.as_ref());
    let rank = |byte: u8| match byte {
        0xEE | 0xEF => byte + 0x10,
        0xF0..=0xF4 => byte - 2,
        _ => byte,
    };
    match a.iter().zip(b).find(|(a, b)| a != b) {
        None => a.len().cmp(&b.len()),
        Some((a, b)) => rank(*a).cmp(&rank(*b)),
    }
}

/// Appends the elements of an array as a set (FP-13).
pub(super) fn write_set(out: &mut Vec<u8>, array: Node<'_>) -> Result<(), Error> {
    let texts: Result<Vec<Vec<u8>>, Error> = array.elements().map(canonical).collect();
    write_sorted(out, texts?);
    Ok(())
}

/// Appends an array of JSON texts that are sorted first, each once.
pub(super) fn write_sorted(out: &mut Vec<u8>, mut texts: Vec<Vec<u8>>) {
    texts.sort_unstable_by(|a, b| order(a, b));
    texts.dedup();
    out.push(b'[');
    out.extend_from_slice(&texts.join(&b","[..]));
    out.push(b']');
}

/// Appends `"name":`.
pub(super) fn write_name(out: &mut Vec<u8>, name: &str) {
    write_text(out, name);
    out.push(b':');
}

/// Appends a string.
pub(super) fn write_text(out: &mut Vec<u8>, text: &str) {
    let plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
    // All of it is looked at, so that the loop needs no branch.
    if text.bytes().fold(true, |all, byte| all & plain(byte)) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(string(text).as_bytes());
    }
}

fn write_node_string(out: &mut Vec<u8>, value: Node<'_>) {
    if value.is_canonical_str() {
        out.extend_from_slice(value.raw_bytes());
    } else {
        write_text(out, &value.as_str().unwrap_or_default());
    }
}

/// A JSON object that is written member by member, in the order in which they are to stand.
pub(super) struct Members<'o> {
    out: &'o mut Vec<u8>,
    first: bool,
}

impl<'o> Members<'o> {
    /// Begins an object.
    pub(super) fn new(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Members { out, first: true }
    }

    /// The place of the value of the next member.
    pub(super) fn member(&mut self, name: &str) -> &mut Vec<u8> {
        if !self.first {
            self.out.push(b',');
        }
        self.first = false;
        write_name(self.out, name);
        self.out
    }

    /// Ends the object.
    pub(super) fn end(self) {
        self.out.push(b'}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolwire::json::Document;

    fn exact(text: &str) -> String {
        let document = Document::new(text).unwrap();
        String::from_utf8(canonical(document.root()).unwrap()).unwrap()
    }

    #[test]
    fn values_are_canonical_but_for_their_digits() {
        assert_eq!(
            exact(
                r#"{ "b": [1.0, 9007199254740993, "\u00e9\/\n"], "a": {"😀": null, "\ue000": true} }"#
            ),
            "{\"a\":{\"😀\":null,\"\u{e000}\":true},\"b\":[1,9007199254740993,\"é/\\n\"]}"
        );
    }

    #[test]
    fn texts_are_in_the_order_of_their_code_units() {
        let pieces = [
            "",
            "a",
            "ab",
            "é",
            "\u{ffff}",
            "\u{e000}",
            "😀",
            "😀a",
            "a😀",
            "a\u{e000}",
        ];
        for a in pieces {
            for b in pieces {
                assert_eq!(
                    order(a, b),
                    a.encode_utf16().cmp(b.encode_utf16()),
                    "{a:?} {b:?}"
                );
            }
        }
    }

    #[test]
    fn a_set_has_each_value_once() {
        let document =
            Document::new(r#"["b", 10, 1.0, "a", 1, {"y":1,"x":2}, {"x":2.0,"y":1}]"#).unwrap();
        let mut out = Vec::new();
        write_set(&mut out, document.root()).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            r#"["a","b",1,10,{"x":2,"y":1}]"#
        );
    }
}

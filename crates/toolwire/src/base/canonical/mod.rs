//! RFC 8785 bytes of a document and their digest, and the exact form, in which numbers keep all
//! their digits (CANON rules).

mod value;

use std::borrow::Cow;
use std::cmp::Ordering;

use sha2::{Digest as _, Sha256};

use crate::base::json::{
    Document, Entry, Fault, Kind, canonical_number, decode, exact_number, inside, write_string,
};
use crate::{Error, Limits};

/// The canonical bytes of any strict JSON text: RFC 8785, from the document, never by way of values.
///
/// # Errors
///
/// The code, offset and message of the first place where the text is not strict JSON, or over a
/// limit.
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, canonicalize};
///
/// let bytes = canonicalize(br#"{ "b": 1.0, "a": "\u00e9" }"#, &Limits::default())?;
/// assert_eq!(bytes, r#"{"a":"é","b":1}"#.as_bytes());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn canonicalize(input: &[u8], limits: &Limits) -> Result<Vec<u8>, Error> {
    rewrite(input, limits, canonical_number, Order::Sorted)
}

/// The exact form of a text that was put together here (CANON-9): its numbers keep their decimal value, and what an
/// author declared keeps its order. What Toolwire writes has it; what is digested is canonical.
pub(crate) fn exact_text(text: String) -> String {
    rewritten(text, Order::Declared)
}

/// The exact form of a value of an author's own, all of which keeps its order.
pub(crate) fn exact_value(text: String) -> String {
    rewritten(text, Order::Kept)
}

fn rewritten(text: String, order: Order) -> String {
    match rewrite(text.as_bytes(), &Limits::WIDEST, exact_number, order) {
        Ok(bytes) => String::from_utf8(bytes).unwrap_or(text),
        Err(_) => text,
    }
}

/// How a number is written.
type WriteNumber = fn(&mut Vec<u8>, &[u8]);

/// The order of the members of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// By name, all the way down.
    Sorted,
    /// By name, but for what an author declared: the properties of a schema, and structured content.
    Declared,
    /// As they stand; those of their values as in `Declared`.
    Properties,
    /// As they stand, all the way down.
    Kept,
}

impl Order {
    /// That of a member's value, or of an element.
    fn inside(self, name: &[u8]) -> Order {
        match self {
            Order::Sorted | Order::Kept => self,
            Order::Properties => Order::Declared,
            Order::Declared => match name {
                b"properties" => Order::Properties,
                b"structuredContent" => Order::Kept,
                _ => Order::Declared,
            },
        }
    }
}

fn rewrite(
    input: &[u8],
    limits: &Limits,
    number: WriteNumber,
    order: Order,
) -> Result<Vec<u8>, Error> {
    let document = Document::read(Cow::Borrowed(input), limits).map_err(Fault::into_error)?;
    let mut writer = Writer {
        text: document.bytes(),
        tape: document.tape(),
        out: Vec::with_capacity(input.len()),
        names: Vec::new(),
        scratch: String::new(),
        number,
    };
    writer.value(0, order);
    Ok(writer.out)
}

/// The digest of a JSON text: `sha256:` and the hexadecimal SHA-256 of its canonical bytes.
///
/// # Errors
///
/// As [`canonicalize`].
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, digest};
///
/// let limits = Limits::default();
/// assert_eq!(digest(b"[1, 2]", &limits)?, digest(b"[1.0,2e0]", &limits)?);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn digest(input: &[u8], limits: &Limits) -> Result<String, Error> {
    canonicalize(input, limits).map(|bytes| digest_bytes(&bytes))
}

/// `sha256:` and the hexadecimal SHA-256 of some bytes.
///
/// # Examples
///
/// ```
/// assert!(toolwire::digest_bytes(b"").starts_with("sha256:e3b0c44298fc1c14"));
/// ```
#[must_use]
pub fn digest_bytes(bytes: &[u8]) -> String {
    let mut digester = Digester::default();
    digester.add(bytes);
    digester.text()
}

/// The digest of bytes that come piece by piece.
#[derive(Debug, Clone, Default)]
pub(crate) struct Digester(Sha256);

impl Digester {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of what was added so far.
    pub(crate) fn text(&self) -> String {
        hex_digest(&self.0.clone().finalize())
    }
}

fn hex_digest(digest: &[u8]) -> String {
    let mut text = String::with_capacity(71);
    text.push_str("sha256:");
    for byte in digest {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
    }
    text
}

struct Writer<'a> {
    text: &'a [u8],
    tape: &'a [Entry],
    out: Vec<u8>,
    /// Places of names that are being sorted, of all open objects one behind the other.
    names: Vec<u32>,
    scratch: String,
    number: WriteNumber,
}

impl Writer<'_> {
    /// Writes the value at a place of the tape. The depth was limited when the tape was written.
    fn value(&mut self, index: u32, order: Order) {
        let entry = &self.tape[index as usize];
        match entry.kind() {
            Kind::Null | Kind::Bool => self.verbatim(entry),
            Kind::Number => {
                let number = &self.text[entry.start as usize..entry.end as usize];
                (self.number)(&mut self.out, number);
            }
            Kind::String => self.string(index),
            Kind::Array => {
                self.out.push(b'[');
                let mut at = index + 1;
                while at < entry.next {
                    if at > index + 1 {
                        self.out.push(b',');
                    }
                    self.value(at, order.inside(b""));
                    at = self.tape[at as usize].next;
                }
                self.out.push(b']');
            }
            Kind::Object => self.object(index, order),
        }
    }

    fn verbatim(&mut self, entry: &Entry) {
        self.out
            .extend_from_slice(&self.text[entry.start as usize..entry.end as usize]);
    }

    fn string(&mut self, index: u32) {
        let entry = &self.tape[index as usize];
        // Most strings are written as they are: they have no escape, or only canonical ones.
        if entry.is_canonical() {
            self.verbatim(entry);
        } else {
            self.scratch.clear();
            write_string(&mut self.scratch, &decode(self.text, entry));
            self.out.extend_from_slice(self.scratch.as_bytes());
        }
    }

    fn object(&mut self, index: u32, order: Order) {
        let end = self.tape[index as usize].next;
        let first = self.names.len();
        let mut at = index + 1;
        let mut sorted = true;
        let sorts = matches!(order, Order::Sorted | Order::Declared);
        while at < end {
            if let Some(&last) = self.names[first..].last().filter(|_| sorts) {
                sorted = sorted && name_order(self.text, self.tape, last, at) == Ordering::Less;
            }
            self.names.push(at);
            at = self.tape[at as usize + 1].next;
        }
        if !sorted {
            let (text, tape) = (self.text, self.tape);
            self.names[first..].sort_unstable_by(|a, b| name_order(text, tape, *a, *b));
        }
        let last = self.names.len();
        self.out.push(b'{');
        for place in first..last {
            if place > first {
                self.out.push(b',');
            }
            let name = self.names[place];
            self.string(name);
            self.out.push(b':');
            let inside = order.inside(inside(self.text, &self.tape[name as usize]));
            self.value(name + 1, inside);
        }
        self.out.push(b'}');
        self.names.truncate(first);
    }
}

/// The order of two names: by their UTF-16 code units (RFC 8785, 3.2.3).
fn name_order(text: &[u8], tape: &[Entry], a: u32, b: u32) -> Ordering {
    let (a, b) = (&tape[a as usize], &tape[b as usize]);
    if a.escaped() || b.escaped() {
        return utf16_order(decode(text, a).as_bytes(), decode(text, b).as_bytes());
    }
    utf16_order(inside(text, a), inside(text, b))
}

/// The order of two UTF-8 texts by their UTF-16 code units. It is that of their bytes but for
/// characters past the basic plane, whose surrogates come before U+E000.
fn utf16_order(a: &[u8], b: &[u8]) -> Ordering {
    match a.iter().zip(b).position(|(x, y)| x != y) {
        None => a.len().cmp(&b.len()),
        Some(at) => rank(a[at]).cmp(&rank(b[at])),
    }
}

/// Moves the first bytes of characters past the basic plane (F0 to F4) before those of U+E000 to
/// U+FFFF (EE and EF), and leaves all other bytes in their order.
fn rank(byte: u8) -> u8 {
    match byte {
        0xEE | 0xEF => byte + 0x10,
        0xF0..=0xF4 => byte - 2,
        _ => byte,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_order_is_that_of_the_code_units() {
        let mut pieces = vec![String::new()];
        for c in [
            '\0',
            'a',
            '\u{7f}',
            'é',
            '\u{7ff}',
            '\u{d7ff}',
            '\u{e000}',
            '\u{ffff}',
            '😀',
            '\u{10ffff}',
        ] {
            for piece in pieces
                .clone()
                .iter()
                .filter(|piece| piece.chars().count() < 2)
            {
                pieces.push(format!("{piece}{c}"));
            }
        }
        for a in &pieces {
            for b in &pieces {
                assert_eq!(
                    utf16_order(a.as_bytes(), b.as_bytes()),
                    a.encode_utf16().cmp(b.encode_utf16()),
                    "{a:?} {b:?}"
                );
            }
        }
    }

    #[test]
    fn the_exact_form_of_the_exact_form_is_itself() {
        let input = "[ 1.0, -0, 1e2, 1e20, 9007199254740993, 123456789012345678901234567890, \
                     0.1234567890123456789, 9007199254740993.0, 1e-400, 0e999, 100000000000000000000000]";
        let once = exact_text(input.to_owned());
        assert_eq!(
            once,
            "[1,0,100,100000000000000000000,9007199254740993,123456789012345678901234567890,\
             0.1234567890123456789,9007199254740993.0,1e-400,0,100000000000000000000000]"
        );
        assert_eq!(exact_text(once.clone()), once);
    }

    #[test]
    fn the_exact_form_keeps_what_an_author_declared_in_order() {
        let input = r#"{"z":1,"structuredContent":{"b":{"d":1,"c":2},"a":3},"schema":{"type":"object","properties":{"title":{"type":"string","minLength":1},"properties":{"type":"object","properties":{"y":true,"x":true}}}}}"#;
        let once = exact_text(input.to_owned());
        assert_eq!(
            once,
            r#"{"schema":{"properties":{"title":{"minLength":1,"type":"string"},"properties":{"properties":{"y":true,"x":true},"type":"object"}},"type":"object"},"structuredContent":{"b":{"d":1,"c":2},"a":3},"z":1}"#
        );
        assert_eq!(exact_text(once.clone()), once);
    }

    #[test]
    fn the_published_example_of_rfc_8785() {
        let input = br#"{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}"#;
        let expected = "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
        assert_eq!(
            canonicalize(input, &Limits::default()).unwrap(),
            expected.as_bytes()
        );
    }
}

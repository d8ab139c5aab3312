//! A view of one value in a strict document.

use std::borrow::Cow;

use super::string::{decode, inside};
use super::tape::Entry;

/// The six kinds of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null = 0,
    /// `true` or `false`
    Bool = 1,
    /// A number.
    Number = 2,
    /// A string.
    String = 3,
    /// An array.
    Array = 4,
    /// An object.
    Object = 5,
}

impl Kind {
    /// The kind with its article, as messages name it.
    ///
    /// ```
    /// assert_eq!(toolwire::json::Kind::Array.name(), "an array");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        }
    }
}

/// One value of a document, as a view: nothing is decoded before it is asked for.
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, parse};
///
/// let parsed = parse(&br#"{"content":[],"structuredContent":{"n":1e2}}"#[..], &Limits::default());
/// let n = parsed.structured_content().and_then(|data| data.get("n")).unwrap();
/// assert_eq!(n.raw(), "1e2");
/// assert_eq!(n.as_f64(), Some(100.0));
/// ```
#[derive(Clone, Copy)]
pub struct Node<'a> {
    text: &'a [u8],
    tape: &'a [Entry],
    index: u32,
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Node").field(&self.raw()).finish()
    }
}

impl<'a> Node<'a> {
    pub(crate) fn new(text: &'a [u8], tape: &'a [Entry], index: u32) -> Self {
        Node { text, tape, index }
    }

    #[inline]
    fn entry(&self) -> &'a Entry {
        &self.tape[self.index as usize]
    }

    /// This value's place on the tape.
    pub(crate) fn index(&self) -> u32 {
        self.index
    }

    /// Whether a byte offset lies inside this value.
    pub(crate) fn contains(&self, offset: u32) -> bool {
        let entry = self.entry();
        entry.start <= offset && offset < entry.end
    }

    /// The value's kind.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> Kind {
        self.entry().kind()
    }

    /// Byte offset of the value's first byte in the document.
    #[must_use]
    pub fn start(&self) -> usize {
        self.entry().start as usize
    }

    /// Byte offset behind the value's last byte.
    #[must_use]
    pub fn end(&self) -> usize {
        self.entry().end as usize
    }

    /// The value's JSON text, to the letter.
    #[must_use]
    pub fn raw(&self) -> &'a str {
        str_of(&self.text[self.start()..self.end()])
    }

    pub(crate) fn raw_bytes(&self) -> &'a [u8] {
        &self.text[self.start()..self.end()]
    }

    /// A string's value; absent for other kinds.
    #[must_use]
    pub fn as_str(&self) -> Option<Cow<'a, str>> {
        (self.kind() == Kind::String).then(|| decode(self.text, self.entry()))
    }

    /// A string's bytes between the quotes and whether they hold escapes.
    pub(crate) fn string_bytes(&self) -> Option<(&'a [u8], bool)> {
        let entry = self.entry();
        (entry.kind() == Kind::String).then(|| (inside(self.text, entry), entry.escaped()))
    }

    /// Whether this is the string `text`; cheaper than to compare the decoded string.
    #[must_use]
    #[inline(always)]
    pub fn is_str(&self, text: &str) -> bool {
        let entry = self.entry();
        entry.kind() == Kind::String && name_is(self.text, entry, text)
    }

    /// A boolean's value; absent for other kinds.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.text[self.start()] == b't')
    }

    /// A number as a double, rounded as IEEE 754 says; absent for other kinds.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        (self.kind() == Kind::Number)
            .then(|| self.raw().parse().ok())
            .flatten()
    }

    /// A number that was written as a whole number from 0 to 2^64 − 1; absent for all others.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        (self.kind() == Kind::Number)
            .then(|| self.raw().parse().ok())
            .flatten()
    }

    /// A number that was written as a whole number that fits 64 bits with sign; absent for others.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        (self.kind() == Kind::Number)
            .then(|| self.raw().parse().ok())
            .flatten()
    }

    /// The number of elements or members; 0 for other kinds.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.kind() {
            Kind::Array | Kind::Object => self.entry().count(),
            _ => 0,
        }
    }

    /// Whether there are no elements or members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The member `name` of an object; absent for other kinds.
    #[must_use]
    #[inline(always)]
    pub fn get(&self, name: &str) -> Option<Node<'a>> {
        let entry = self.entry();
        if entry.kind() != Kind::Object {
            return None;
        }
        let mut at = self.index + 1;
        while at < entry.next {
            if name_is(self.text, &self.tape[at as usize], name) {
                return Some(Node {
                    index: at + 1,
                    ..*self
                });
            }
            at = self.tape[at as usize + 1].next;
        }
        None
    }

    /// The members of an object in document order; nothing for other kinds.
    #[must_use]
    pub fn members(&self) -> Members<'a> {
        let entry = self.entry();
        let end = if entry.kind() == Kind::Object {
            entry.next
        } else {
            0
        };
        Members {
            node: *self,
            at: self.index + 1,
            end,
        }
    }

    /// The elements of an array in order; nothing for other kinds.
    #[must_use]
    pub fn elements(&self) -> Elements<'a> {
        let entry = self.entry();
        let end = if entry.kind() == Kind::Array {
            entry.next
        } else {
            0
        };
        Elements {
            node: *self,
            at: self.index + 1,
            end,
        }
    }
}

/// Iterator over the members of an object.
#[derive(Debug, Clone)]
pub struct Members<'a> {
    node: Node<'a>,
    at: u32,
    end: u32,
}

impl<'a> Members<'a> {
    /// The next member as two nodes: the name, a string, and the value.
    #[inline]
    pub(crate) fn next_nodes(&mut self) -> Option<(Node<'a>, Node<'a>)> {
        if self.at >= self.end {
            return None;
        }
        let name = Node {
            index: self.at,
            ..self.node
        };
        let value = Node {
            index: self.at + 1,
            ..self.node
        };
        self.at = value.entry().next;
        Some((name, value))
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Node<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = self.next_nodes()?;
        Some((decode(name.text, name.entry()), value))
    }
}

/// Iterator over the elements of an array.
#[derive(Debug, Clone)]
pub struct Elements<'a> {
    node: Node<'a>,
    at: u32,
    end: u32,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        if self.at >= self.end {
            return None;
        }
        let node = Node {
            index: self.at,
            ..self.node
        };
        self.at = node.entry().next;
        Some(node)
    }
}

/// Always inlined: the names are constants, and comparing with a constant is an instruction or two.
#[inline(always)]
fn name_is(text: &[u8], entry: &Entry, name: &str) -> bool {
    let bytes = inside(text, entry);
    bytes.len() == name.len() && !entry.escaped() && bytes == name.as_bytes()
        || entry.escaped() && decode(text, entry) == name
}

/// The document was checked as a whole, and its values begin and end at quotes, brackets and digits,
/// so this check of a part can't fail; it costs little and keeps the crate free of unsafe code.
pub(super) fn str_of(bytes: &[u8]) -> &str {
    simdutf8::basic::from_utf8(bytes).unwrap_or_default()
}

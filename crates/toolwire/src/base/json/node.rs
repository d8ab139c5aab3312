//! A view of one value in a strict document.

use std::borrow::Cow;

use super::entry::Entry;
use super::pointer;
use super::string::{decode, inside, str_of};
use super::tape::Tape;

/// The six kinds of JSON values.
///
/// ```
/// use toolwire::json::Kind;
/// use toolwire::{Limits, parse};
///
/// let parsed = parse(&br#"{"content":[],"structuredContent":[]}"#[..], &Limits::default());
/// let data = parsed.structured_content().unwrap();
/// assert_eq!(data.kind(), Kind::Array);
/// ```
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
    tape: &'a Tape,
    /// Those of the tape, or of the insides beside it.
    entries: &'a [Entry],
    index: u32,
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Node").field(&self.raw()).finish()
    }
}

impl<'a> Node<'a> {
    pub(crate) fn new(text: &'a [u8], tape: &'a Tape, index: u32) -> Self {
        Node {
            text,
            tape,
            entries: tape.entries(),
            index,
        }
    }

    #[inline]
    fn entry(&self) -> &'a Entry {
        &self.entries[self.index as usize]
    }

    /// The same value where its inside is written down.
    #[inline(always)]
    fn opened(self) -> Self {
        if !self.entry().is_opaque(self.index) {
            return self;
        }
        let (entries, index) = self.tape.inside(self.text, self.entry());
        Node {
            entries,
            index,
            ..self
        }
    }

    /// This value's place on the tape. Only those have one that reading an envelope looks into.
    pub(crate) fn index(&self) -> u32 {
        debug_assert!(std::ptr::eq(self.entries, self.tape.entries()));
        self.index
    }

    /// Whether the scan has seen that this is a text block of two members that are as they should be.
    #[inline]
    pub(crate) fn is_plain_text_block(&self) -> bool {
        self.entry().is_plain_text_block()
    }

    /// Whether a byte offset lies inside this value.
    pub(crate) fn contains(&self, offset: u32) -> bool {
        let entry = self.entry();
        entry.start <= offset && offset < entry.end
    }

    /// The value's kind.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":"x"}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// assert_eq!(data.kind().name(), "a string");
    /// ```
    #[must_use]
    #[inline]
    pub fn kind(&self) -> Kind {
        self.entry().kind()
    }

    /// Byte offset of the value's first byte in the document.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":[1]}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// assert_eq!((data.start(), data.end()), (34, 37));
    /// ```
    #[must_use]
    pub fn start(&self) -> usize {
        self.entry().start as usize
    }

    /// Byte offset behind the value's last byte.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":[1]}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// assert_eq!(&parsed.raw()[data.start()..data.end()], b"[1]");
    /// ```
    #[must_use]
    pub fn end(&self) -> usize {
        self.entry().end as usize
    }

    /// The value's JSON text, verbatim.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":[1.0, 2]}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// assert_eq!(data.raw(), "[1.0, 2]");
    /// ```
    #[must_use]
    pub fn raw(&self) -> &'a str {
        str_of(&self.text[self.start()..self.end()])
    }

    /// The bytes of [`raw`](Self::raw), which are UTF-8.
    ///
    /// ```
    /// use toolwire::json::Document;
    ///
    /// assert_eq!(Document::new(r#" "é" "#)?.root().raw_bytes(), "\"é\"".as_bytes());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn raw_bytes(&self) -> &'a [u8] {
        &self.text[self.start()..self.end()]
    }

    /// A string's value; absent for other kinds.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":["caf\u00e9", 1]}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// let values: Vec<_> = data.elements().map(|node| node.as_str()).collect();
    /// assert_eq!(values, [Some("café".into()), None]);
    /// ```
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
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":"caf\u00e9"}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// assert!(data.is_str("café"));
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn is_str(&self, text: &str) -> bool {
        let entry = self.entry();
        entry.kind() == Kind::String && name_is(self.text, entry, text)
    }

    /// A boolean's value; absent for other kinds.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":[true, "true"]}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// let values: Vec<_> = data.elements().map(|node| node.as_bool()).collect();
    /// assert_eq!(values, [Some(true), None]);
    /// ```
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.text[self.start()] == b't')
    }

    /// A number as a double, rounded as IEEE 754 says; absent for other kinds.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":[1e2, "1"]}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// let values: Vec<_> = data.elements().map(|node| node.as_f64()).collect();
    /// assert_eq!(values, [Some(100.0), None]);
    /// ```
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        (self.kind() == Kind::Number)
            .then(|| self.raw().parse().ok())
            .flatten()
    }

    /// A number that was written as a whole number from 0 to 2^64 − 1; absent for all others.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":[7, -7, 7.0]}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// let values: Vec<_> = data.elements().map(|node| node.as_u64()).collect();
    /// assert_eq!(values, [Some(7), None, None]);
    /// ```
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        (self.kind() == Kind::Number)
            .then(|| self.raw().parse().ok())
            .flatten()
    }

    /// A number that was written as a whole number that fits 64 bits with sign; absent for others.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":[7, -7, 7.0]}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// let values: Vec<_> = data.elements().map(|node| node.as_i64()).collect();
    /// assert_eq!(values, [Some(7), Some(-7), None]);
    /// ```
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        (self.kind() == Kind::Number)
            .then(|| self.raw().parse().ok())
            .flatten()
    }

    /// A whole number in any spelling, such as `7`, `7.0` or `7e0`, of a size that every language has exactly
    /// (SES-7); absent for all others.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":[7.0, -7e0, 7.5, 1e16]}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// let values: Vec<_> = data.elements().map(|node| node.as_whole()).collect();
    /// assert_eq!(values, [Some(7), Some(-7), None, None]);
    /// ```
    #[must_use]
    pub fn as_whole(&self) -> Option<i64> {
        const MAX_SAFE: f64 = 9_007_199_254_740_991.0;
        let number = self.as_f64()?;
        (number.fract() == 0.0 && number.abs() <= MAX_SAFE).then_some(number as i64)
    }

    /// The number of elements or members; 0 for other kinds.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":{"a":1,"b":[2,3]}}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// assert_eq!(data.len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        match self.kind() {
            Kind::Array | Kind::Object => self.entry().count(),
            _ => 0,
        }
    }

    /// Whether there are no elements or members.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":{}}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// assert!(data.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The member `name` of an object; absent for other kinds.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":{"a":1}}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// assert_eq!(data.get("a").unwrap().as_u64(), Some(1));
    /// assert!(data.get("b").is_none());
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn get(&self, name: &str) -> Option<Node<'a>> {
        if self.kind() != Kind::Object {
            return None;
        }
        let node = self.opened();
        let end = node.entry().next;
        let mut at = node.index + 1;
        while at < end {
            if name_is(node.text, &node.entries[at as usize], name) {
                return Some(Node {
                    index: at + 1,
                    ..node
                });
            }
            at = node.entries[at as usize + 1].next;
        }
        None
    }

    /// The value at a JSON Pointer (RFC 6901) inside of this one.
    ///
    /// ```
    /// use toolwire::json::Document;
    ///
    /// let document = Document::new(r#"{"a":[1,{"b/c":2}]}"#)?;
    /// assert_eq!(document.root().at("/a/1/b~1c").unwrap().raw(), "2");
    /// assert!(document.root().at("/a/01").is_none());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn at(&self, pointer: &str) -> Option<Node<'a>> {
        if pointer.is_empty() {
            return Some(*self);
        }
        let mut steps = pointer.strip_prefix('/')?.split('/');
        steps.try_fold(*self, |node, step| match node.kind() {
            Kind::Array => node.elements().nth(pointer::index(step)?),
            _ => node.get(&pointer::unescape(step)),
        })
    }

    /// The members of an object in document order; nothing for other kinds.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":{"b":1,"a":2}}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// let names: Vec<_> = data.members().map(|(name, _)| name).collect();
    /// assert_eq!(names, ["b", "a"]);
    /// ```
    #[must_use]
    pub fn members(&self) -> Members<'a> {
        let node = self.opened();
        let end = match node.kind() {
            Kind::Object => node.entry().next,
            _ => 0,
        };
        Members {
            node,
            at: node.index + 1,
            end,
        }
    }

    /// The elements of an array in order; nothing for other kinds.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":[1,[2]]}"#[..], &Limits::default());
    /// let data = parsed.structured_content().unwrap();
    /// let elements: Vec<_> = data.elements().map(|node| node.raw()).collect();
    /// assert_eq!(elements, ["1", "[2]"]);
    /// ```
    #[must_use]
    pub fn elements(&self) -> Elements<'a> {
        let node = self.opened();
        let end = match node.kind() {
            Kind::Array => node.entry().next,
            _ => 0,
        };
        Elements {
            node,
            at: node.index + 1,
            end,
        }
    }
}

/// Iterator over the members of an object.
///
/// ```
/// use toolwire::{Limits, parse};
///
/// let parsed = parse(&br#"{"content":[],"structuredContent":{"a":1}}"#[..], &Limits::default());
/// let data = parsed.structured_content().unwrap();
/// let mut members = data.members();
/// let (name, value) = members.next().unwrap();
/// assert_eq!((name.as_ref(), value.raw()), ("a", "1"));
/// assert!(members.next().is_none());
/// ```
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
///
/// ```
/// use toolwire::{Limits, parse};
///
/// let parsed = parse(&br#"{"content":[],"structuredContent":[1]}"#[..], &Limits::default());
/// let data = parsed.structured_content().unwrap();
/// let mut elements = data.elements();
/// assert_eq!(elements.next().unwrap().raw(), "1");
/// assert!(elements.next().is_none());
/// ```
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
    if entry.escaped() {
        return decoded_is(text, entry, name);
    }
    (entry.end - entry.start) as usize == name.len() + 2 && inside(text, entry) == name.as_bytes()
}

#[cold]
fn decoded_is(text: &[u8], entry: &Entry, name: &str) -> bool {
    decode(text, entry) == name
}

//! A strict JSON document: its text and its tape.

use std::borrow::Cow;

use super::entry::{Entry, Escapes};
use super::fault::Fault;
use super::scan::{ScanMode, scan};
use super::tape::Tape;
use super::{Kind, Node, pointer};
use crate::{Error, Limits};

/// A JSON document that passed the strict reading, kept verbatim.
///
/// # Examples
///
/// ```
/// use toolwire::json::Document;
///
/// let document = Document::new(r#"{"n":1e2}"#)?;
/// assert_eq!(document.root().get("n").unwrap().as_f64(), Some(100.0));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Document<'a> {
    text: Cow<'a, [u8]>,
    tape: Tape,
    /// Byte offset of the first integer past 2^53, if there is one.
    big_integer: Option<u32>,
    depth: usize,
}

impl<'a> Document<'a> {
    /// Reads a JSON text of any kind.
    ///
    /// # Errors
    ///
    /// The code, offset and message of the first place where the text is not strict JSON, or over a
    /// limit of [`Limits::default`].
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::Document;
    ///
    /// let error = Document::new(r#"{"a":1,"a":2}"#).unwrap_err();
    /// assert_eq!(error.code(), Code::DuplicateName);
    /// ```
    pub fn new(text: &'a str) -> Result<Self, Error> {
        Document::read(Cow::Borrowed(text.as_bytes()), &Limits::default())
            .map_err(Fault::into_error)
    }

    /// Reads bytes within limits.
    pub(crate) fn of_bytes(text: &'a [u8], limits: &Limits) -> Result<Self, Error> {
        Document::read(Cow::Borrowed(text), limits).map_err(Fault::into_error)
    }

    /// Reads a line of JSON; `None` if it consists of whitespace.
    pub(crate) fn of_line(line: &'a [u8], limits: &Limits) -> Result<Option<Self>, Error> {
        let blank = line.iter().all(|byte| b" \t\r\n".contains(byte));
        (!blank)
            .then(|| Document::of_bytes(line, limits))
            .transpose()
    }

    /// Reads one JSON text of any kind. The size limit, UTF-8 and the byte order mark are judged
    /// first (READ-3 to READ-5).
    pub(crate) fn read(text: Cow<'a, [u8]>, limits: &Limits) -> Result<Self, Fault> {
        let from = preamble(&text, limits)?;
        Document::read_from(text, from, limits, ScanMode::Whole)
    }

    /// Reads the JSON text that begins at `from`, in bytes that are known to be UTF-8.
    pub(crate) fn read_from(
        text: Cow<'a, [u8]>,
        from: usize,
        limits: &Limits,
        mode: ScanMode,
    ) -> Result<Self, Fault> {
        let scanned = scan(&text, from, limits, mode)?;
        Ok(Document {
            text,
            tape: Tape::new(scanned.tape),
            big_integer: scanned.big_integer,
            depth: scanned.depth,
        })
    }

    /// The bytes of the document, white space around it included.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.text
    }

    /// The entries of a document that was read as a whole.
    pub(crate) fn tape(&self) -> &[Entry] {
        self.tape.entries()
    }

    pub(crate) fn big_integer(&self) -> Option<u32> {
        self.big_integer
    }

    /// How many arrays and objects are open at the deepest place; 0 for a scalar.
    ///
    /// ```
    /// use toolwire::json::Document;
    ///
    /// assert_eq!(Document::new("7")?.depth(), 0);
    /// assert_eq!(Document::new(r#"{"a":[1],"b":2}"#)?.depth(), 2);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The document's one value.
    ///
    /// ```
    /// use toolwire::json::{Document, Kind};
    ///
    /// assert_eq!(Document::new(" [] ")?.root().kind(), Kind::Array);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node::new(&self.text, &self.tape, 0)
    }

    /// The value at an index of the tape.
    pub(crate) fn node(&self, index: u32) -> Node<'_> {
        Node::new(&self.text, &self.tape, index)
    }

    /// The innermost value at an offset, and its pointer.
    pub(crate) fn locate(&self, offset: u32) -> (String, Node<'_>) {
        let mut pointer = String::new();
        let mut node = self.root();
        loop {
            let mut members = node.members();
            let mut elements = node.elements().enumerate();
            if let Some((name, value)) = members.find(|(_, value)| value.contains(offset)) {
                pointer::push(&mut pointer, &name);
                node = value;
            } else if let Some((index, value)) = elements.find(|(_, v)| v.contains(offset)) {
                pointer.push('/');
                pointer.push_str(&index.to_string());
                node = value;
            } else {
                return (pointer, node);
            }
        }
    }

    pub(crate) fn pointer_at(&self, offset: u32) -> String {
        self.locate(offset).0
    }

    pub(crate) fn into_tape(self) -> Tape {
        self.tape
    }

    /// An envelope of one empty text, for the one caller that has to have some document.
    pub(crate) fn empty_text() -> Document<'static> {
        const TEXT: &[u8] = br#"{"content":[{"text":"","type":"text"}]}"#;
        let container = |kind, start, end, count| {
            let mut entry = Entry::new(kind, start, end, 0);
            entry.close(end, 8, count);
            entry
        };
        let tape = vec![
            container(Kind::Object, 0, 39, 1),
            Entry::string(1, 10, 2, Escapes::None),
            container(Kind::Array, 11, 38, 1),
            container(Kind::Object, 12, 37, 2),
            Entry::string(13, 19, 5, Escapes::None),
            Entry::string(20, 22, 6, Escapes::None),
            Entry::string(23, 29, 7, Escapes::None),
            Entry::string(30, 36, 8, Escapes::None),
        ];
        Document {
            text: Cow::Borrowed(TEXT),
            tape: Tape::new(tape),
            big_integer: None,
            depth: 2,
        }
    }
}

/// Judges the size, UTF-8 and the byte order mark; gives the offset where the text begins.
pub(crate) fn preamble(text: &[u8], limits: &Limits) -> Result<usize, Fault> {
    use crate::Code;
    let most = limits.max_bytes.min(crate::base::json::limits::MAX_BYTES);
    if text.len() > most {
        return Err(Fault {
            code: Code::LimitBytes,
            offset: most,
        });
    }
    if simdutf8::basic::from_utf8(text).is_err() {
        // The slower check says where; it runs only on bad input.
        let offset = simdutf8::compat::from_utf8(text)
            .err()
            .map_or(0, |e| e.valid_up_to());
        return Err(Fault {
            code: Code::InvalidUtf8,
            offset,
        });
    }
    Ok(if text.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tape_of_the_empty_text_is_what_a_scan_would_write() {
        let written = Document::empty_text();
        let scanned = Document::read(Cow::Borrowed(written.bytes()), &Limits::default());
        assert_eq!(
            scanned.ok().map(|scanned| scanned.tape().to_vec()),
            Some(written.tape().to_vec())
        );
    }

    /// All that a view shows of a value and what is inside it.
    fn seen(node: Node<'_>, out: &mut String) {
        let (start, end) = (node.start(), node.end());
        out.push_str(&format!("{:?} {start} {end} {}\n", node.kind(), node.len()));
        for (name, value) in node.members() {
            out.push_str(&format!("{name:?} {}: ", value.start()));
            assert_eq!(node.get(&name).map(|v| v.start()), Some(value.start()));
            seen(value, out);
        }
        node.elements().for_each(|element| seen(element, out));
    }

    fn read(text: &[u8], mode: ScanMode, limits: &Limits) -> Result<String, Fault> {
        let text = Cow::Borrowed(text);
        let document = Document::read_from(text, 0, limits, mode)?;
        let mut out = format!("{:?} {}\n", document.big_integer(), document.depth());
        seen(document.root(), &mut out);
        Ok(out)
    }

    const ENVELOPES: [&str; 7] = [
        r#"{"content":[{"type":"text","text":"a"},{"text":"b\n","type":"text"}]}"#,
        r#"{"content": [{"type": "text", "text": "c"}, {"text": "\u00e9\"", "type": "text"}]}"#,
        r#"{"content":[{"type":"text","text":"","_meta":{"a":[{}]}},{"text":"d","text":"","x":{}}]}"#,
        r#"{"content":[{"text":"","type":"text" },{"text":"" ,"type":"texts"}],"isError":false}"#,
        r#"{"structuredContent":{"a":[1,{"b":12345678901234567}],"":{},"c":[[]]},"content":[[1,[2]]]}"#,
        r#"{"_meta":{"computer.jp/error":{"trace":["e",{"f":[]}]},"g":{"h":1,"i":[null]}},"j":[true]}"#,
        "[{\"type\":\"text\",\"text\":\"k\"}, \n{\t\"l\" : -0.5e1 , \"m\":[ ] } ]",
    ];

    #[test]
    fn what_is_written_down_later_is_what_would_have_been_at_once() {
        let limits = Limits::default();
        let check = |text: &[u8], limits: &Limits| {
            let whole = read(text, ScanMode::Whole, limits);
            let envelope = read(text, ScanMode::Envelope, limits);
            assert_eq!(whole, envelope, "{}", String::from_utf8_lossy(text));
            whole.is_ok()
        };
        for text in ENVELOPES.map(str::as_bytes) {
            // As it is, cut off, and with each byte replaced by those that matter to JSON.
            let mut good = 0;
            for at in 0..=text.len() {
                check(&text[..at], &limits);
                for other in *b"\"\\{}[],: \n1-.ntx" {
                    let mut text = text.to_vec();
                    if let Some(byte) = text.get_mut(at) {
                        *byte = other;
                    }
                    good += u32::from(check(&text, &limits));
                }
            }
            assert!(good > 20, "{good}");
            for most in 0..12 {
                let (max_depth, max_values) = (most, most);
                check(
                    text,
                    &Limits {
                        max_depth,
                        ..limits
                    },
                );
                check(
                    text,
                    &Limits {
                        max_values,
                        ..limits
                    },
                );
            }
        }
    }
}

//! A strict JSON document: its text and its tape.

use std::borrow::Cow;

use super::scan::{Fault, scan};
use super::tape::{Entry, Escapes};
use super::{Kind, Node, pointer};
use crate::Limits;

/// A JSON document that passed the strict reading, kept to the letter.
#[derive(Debug, Clone)]
pub(crate) struct Document<'a> {
    text: Cow<'a, [u8]>,
    tape: Vec<Entry>,
    /// Byte offset of the first integer past 2^53, if there is one.
    big_integer: Option<u32>,
}

impl<'a> Document<'a> {
    /// Reads one JSON text of any kind. The size limit, UTF-8 and the byte order mark are judged
    /// first (READ-3 to READ-5).
    pub(crate) fn read(text: Cow<'a, [u8]>, limits: &Limits) -> Result<Self, Fault> {
        let from = preamble(&text, limits)?;
        Document::read_from(text, from, limits)
    }

    /// Reads the JSON text that begins at `from`, in bytes that are known to be UTF-8.
    pub(crate) fn read_from(
        text: Cow<'a, [u8]>,
        from: usize,
        limits: &Limits,
    ) -> Result<Self, Fault> {
        let scanned = scan(&text, from, limits)?;
        Ok(Document {
            text,
            tape: scanned.tape,
            big_integer: scanned.big_integer,
        })
    }

    /// The bytes of the document, white space around it included.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.text
    }

    pub(crate) fn tape(&self) -> &[Entry] {
        &self.tape
    }

    pub(crate) fn big_integer(&self) -> Option<u32> {
        self.big_integer
    }

    /// The document's one value.
    #[must_use]
    pub(crate) fn root(&self) -> Node<'_> {
        Node::new(&self.text, &self.tape, 0)
    }

    /// The value at an index of the tape.
    pub(crate) fn node(&self, index: u32) -> Node<'_> {
        Node::new(&self.text, &self.tape, index)
    }

    /// The JSON Pointer of the value that begins at a byte offset.
    pub(crate) fn pointer_at(&self, offset: u32) -> String {
        let mut pointer = String::new();
        let mut node = self.root();
        loop {
            let mut inside = None;
            match node.kind() {
                Kind::Object => {
                    for (name, value) in node.members() {
                        if value.contains(offset) {
                            pointer::push(&mut pointer, &name);
                            inside = Some(value);
                            break;
                        }
                    }
                }
                Kind::Array => {
                    for (index, value) in node.elements().enumerate() {
                        if value.contains(offset) {
                            pointer.push('/');
                            pointer.push_str(&index.to_string());
                            inside = Some(value);
                            break;
                        }
                    }
                }
                _ => {}
            }
            match inside {
                Some(value) => node = value,
                None => return pointer,
            }
        }
    }

    pub(crate) fn into_tape(self) -> Vec<Entry> {
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
            tape,
            big_integer: None,
        }
    }
}

/// Judges the size, UTF-8 and the byte order mark; gives the offset where the text begins.
pub(crate) fn preamble(text: &[u8], limits: &Limits) -> Result<usize, Fault> {
    use crate::Code;
    let most = limits.max_bytes.min(crate::json::limits::MAX_BYTES);
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
            scanned.ok().map(Document::into_tape),
            Some(written.into_tape())
        );
    }
}

//! What was read, apart from the bytes it was read from.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::{Delivered, Finding, Findings, Members, Shape, read_shape};
use crate::base::json::{Document, Fault, ObjectWriter, ScanMode, Tape, array, preamble};
use crate::{Code, Diagnostic, Error, Limits, Verdict};

/// What was read, without the bytes it was read from; [`Parsed`](crate::Parsed) holds both.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) verdict: Verdict,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) blocks: Vec<Delivered>,
    pub(crate) members: Members,
    /// Empty where the document is not the input itself.
    pub(crate) tape: Tape,
    /// The document that stands for an input that is none; made when it is asked for.
    pub(crate) substitute: OnceLock<Document<'static>>,
}

impl Reading {
    fn raw(input: &[u8], diagnostic: Diagnostic) -> Self {
        // The substitute's first block is always the fourth entry of its tape.
        let block = Delivered {
            index: 0,
            node: 3,
            kind: crate::BlockKind::Text,
        };
        Reading {
            verdict: Verdict::Raw,
            diagnostics: vec![diagnostic],
            blocks: if input.is_empty() {
                Vec::new()
            } else {
                vec![block]
            },
            members: Members::default(),
            tape: Tape::default(),
            substitute: OnceLock::new(),
        }
    }

    pub(crate) fn check(self) -> Result<(), Error> {
        let worth = |d: &&Diagnostic| d.severity != crate::Severity::Note;
        let first = self.diagnostics.iter().find(worth);
        match first.or(self.diagnostics.first()).cloned() {
            Some(first) if self.verdict != Verdict::Valid => {
                Err(Error::with_all(first, self.diagnostics))
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn read(input: &[u8], limits: &Limits) -> Reading {
    let document = match read_object(input, limits) {
        Ok(document) => document,
        Err(fault) => return Reading::raw(input, fault.into_diagnostic()),
    };
    match read_shape(&document, limits) {
        Shape::Other(finding) => {
            let mut findings = Findings::new(1);
            findings.push(finding);
            let mut diagnostics = findings.into_diagnostics(&document);
            Reading::raw(input, diagnostics.swap_remove(0))
        }
        Shape::Envelope {
            blocks,
            members,
            mut findings,
        } => {
            if input.starts_with(b"\xEF\xBB\xBF") {
                findings.push(Finding::at_offset(Code::Bom, 0));
            }
            let (verdict, diagnostics) = if findings.is_empty() {
                (Verdict::Valid, Vec::new())
            } else {
                (Verdict::Warnings, findings.into_diagnostics(&document))
            };
            Reading {
                verdict,
                diagnostics,
                blocks,
                members,
                tape: document.into_tape(),
                substitute: OnceLock::new(),
            }
        }
    }
}

/// A strict document whose value is an object.
fn read_object<'a>(input: &'a [u8], limits: &Limits) -> Result<Document<'a>, Fault> {
    let from = preamble(input, limits)?;
    let first = input[from..]
        .iter()
        .position(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
    match first {
        None => Err(Fault {
            code: Code::EmptyOutput,
            offset: 0,
        }),
        Some(at) if input[from + at] != b'{' => Err(Fault {
            code: Code::PlainText,
            offset: from + at,
        }),
        Some(_) => Document::read_from(Cow::Borrowed(input), from, limits, ScanMode::Envelope),
    }
}

/// The envelope that stands for raw text (READ-2). Bytes that are not UTF-8 become U+FFFD.
pub(crate) fn raw_document(input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input);
    let content = if text.is_empty() {
        "[]".to_owned()
    } else {
        text_content(&text)
    };
    ObjectWriter::new().json("content", content).end()
}

/// A `content` of one text block.
pub(super) fn text_content(text: &str) -> String {
    let block = ObjectWriter::new()
        .text("text", text)
        .text("type", "text")
        .end();
    array([block])
}

/// A document that the library wrote itself; it is held to no limit but that of the offsets. Text of
/// gigabytes whose escapes are past even that reads as empty; [`Parsed::raw`] has it all.
pub(crate) fn own_document(text: String) -> Document<'static> {
    Document::read(Cow::Owned(text.into_bytes()), &Limits::WIDEST)
        .unwrap_or_else(|_| Document::empty_text())
}

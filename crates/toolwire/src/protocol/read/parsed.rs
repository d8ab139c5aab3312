//! The result of reading: views over the bytes, decoded when they are asked for.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::base::json::{Node, Tape};
use crate::protocol::read::{
    Delivered, Members, Reading, Shape, own_document, raw_document, read_shape,
};
use crate::{BlockView, Diagnostic, Limits, Status, Verdict};

/// What a tool's output was read as. It is always an envelope: raw text stands in one `text` block.
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, Verdict, parse};
///
/// let output = br#"{"content":[{"type":"text","text":"Check succeeded."}]}"#;
/// let parsed = parse(&output[..], &Limits::default());
/// assert_eq!(parsed.verdict(), Verdict::Valid);
/// let block = parsed.blocks().next().unwrap();
/// assert_eq!(block.text().unwrap(), "Check succeeded.");
///
/// let parsed = parse(&b"plain words"[..], &Limits::default());
/// assert!(parsed.is_raw());
/// assert_eq!(parsed.blocks().next().unwrap().text().unwrap(), "plain words");
/// ```
#[derive(Debug, Clone)]
pub struct Parsed<'a> {
    input: Cow<'a, [u8]>,
    reading: Arc<Reading>,
}

impl<'a> Parsed<'a> {
    pub(crate) fn new(input: Cow<'a, [u8]>, reading: Reading) -> Self {
        let reading = Arc::new(reading);
        Parsed { input, reading }
    }

    /// The same, without a copy of the bytes: what hands out many views of one output keeps the
    /// output with bytes of its own, and lends it.
    ///
    /// ```
    /// use toolwire::{Limits, Parsed, parse};
    ///
    /// let kept: Parsed<'static> = parse(b"plain words".to_vec(), &Limits::default());
    /// let lent = kept.lend();
    /// assert_eq!(lent.raw().as_ptr(), kept.raw().as_ptr());
    /// ```
    #[must_use]
    pub fn lend(&self) -> Parsed<'_> {
        Parsed {
            input: Cow::Borrowed(&self.input),
            reading: Arc::clone(&self.reading),
        }
    }

    /// The same with bytes of its own.
    ///
    /// ```
    /// use toolwire::{Limits, Parsed, parse};
    ///
    /// fn read() -> Parsed<'static> {
    ///     let bytes = b"plain words".to_vec();
    ///     parse(&bytes[..], &Limits::default()).into_owned()
    /// }
    /// assert_eq!(read().raw(), b"plain words");
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Parsed<'static> {
        Parsed {
            input: Cow::Owned(self.input.into_owned()),
            reading: self.reading,
        }
    }

    /// A reading whose document is not its input: what a host makes of a tool that failed.
    pub(crate) fn substituted(
        input: Vec<u8>,
        document: String,
        verdict: Verdict,
        diagnostics: Vec<Diagnostic>,
    ) -> Parsed<'static> {
        let document = own_document(document);
        let (blocks, members) = match read_shape(&document, &Limits::WIDEST) {
            Shape::Envelope {
                blocks, members, ..
            } => (blocks, members),
            Shape::Other(_) => (Vec::new(), Members::default()),
        };
        let reading = Reading {
            verdict,
            diagnostics,
            blocks,
            members,
            tape: Tape::default(),
            substitute: OnceLock::from(document),
        };
        Parsed {
            input: Cow::Owned(input),
            reading: Arc::new(reading),
        }
    }

    /// How the output was read.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[]}"#[..], &Limits::default());
    /// assert_eq!(parsed.verdict().as_str(), "valid");
    /// ```
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.reading.verdict
    }

    /// Whether the output is raw text.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// assert!(parse(&b"{}"[..], &Limits::default()).is_raw());
    /// ```
    #[must_use]
    pub fn is_raw(&self) -> bool {
        self.reading.verdict == Verdict::Raw
    }

    /// The output, verbatim.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&b"not UTF-8: \xFF"[..], &Limits::default());
    /// assert_eq!(parsed.raw(), b"not UTF-8: \xFF");
    /// ```
    #[must_use]
    pub fn raw(&self) -> &[u8] {
        &self.input
    }

    /// What there is to say about the output, in the order of the places.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"chart"}],"isError":"yes"}"#[..], &Limits::default());
    /// let pointers: Vec<_> = parsed.diagnostics().iter().map(|found| &*found.pointer).collect();
    /// assert_eq!(pointers, ["/content/0/type", "/isError"]);
    /// ```
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.reading.diagnostics
    }

    /// The value of the document.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"extra":1}"#[..], &Limits::default());
    /// assert_eq!(parsed.root().get("extra").unwrap().raw(), "1");
    /// ```
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        self.node(0)
    }

    /// The JSON text of the envelope: as the tool wrote it, without white space around it; for raw
    /// text the envelope that stands for it.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&b" {\"content\": []}\n"[..], &Limits::default());
    /// assert_eq!(parsed.document(), br#"{"content": []}"#);
    ///
    /// let parsed = parse(&b"words"[..], &Limits::default());
    /// assert_eq!(parsed.document(), br#"{"content":[{"text":"words","type":"text"}]}"#);
    /// ```
    #[must_use]
    pub fn document(&self) -> &[u8] {
        self.root().raw_bytes()
    }

    fn node(&self, index: u32) -> Node<'_> {
        if self.reading.tape.entries().is_empty() {
            let document = || own_document(raw_document(&self.input));
            self.reading.substitute.get_or_init(document).node(index)
        } else {
            Node::new(&self.input, &self.reading.tape, index)
        }
    }

    /// The blocks that are delivered, in order. Malformed and unknown ones are left out: they are
    /// in the diagnostics and in the document.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"text","text":"a"},7,{"type":"text","text":"b"}]}"#[..], &Limits::default());
    /// let texts: Vec<_> = parsed.blocks().filter_map(|block| block.text()).collect();
    /// assert_eq!(texts, ["a", "b"]);
    /// ```
    pub fn blocks(&self) -> impl Iterator<Item = BlockView<'_>> {
        self.reading.blocks.iter().map(|block| self.view(block))
    }

    /// The block that is the `nth` to be delivered, from 0; found at once, however many there are.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&b"plain words"[..], &Limits::default());
    /// assert_eq!(parsed.block(0).unwrap().text().unwrap(), "plain words");
    /// assert!(parsed.block(1).is_none());
    /// ```
    #[must_use]
    pub fn block(&self, nth: usize) -> Option<BlockView<'_>> {
        self.reading.blocks.get(nth).map(|block| self.view(block))
    }

    #[inline]
    fn view(&self, block: &Delivered) -> BlockView<'_> {
        BlockView::new(block.kind, block.index as usize, self.node(block.node))
    }

    /// The elements of `content` that are not delivered, with their place in it.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"x-chart","points":[1]}]}"#[..], &Limits::default());
    /// let (index, block) = parsed.skipped().next().unwrap();
    /// assert_eq!((index, block.raw()), (0, r#"{"type":"x-chart","points":[1]}"#));
    /// ```
    pub fn skipped(&self) -> impl Iterator<Item = (usize, Node<'_>)> {
        let blocks = self.reading.blocks.iter();
        let mut delivered = blocks.map(|block| block.index as usize).peekable();
        let content = self.root().get("content").into_iter();
        let content = content.flat_map(|content| content.elements().enumerate());
        content.filter(move |(index, _)| delivered.next_if_eq(index).is_none())
    }

    /// Whether the result is an error.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"isError":true}"#[..], &Limits::default());
    /// assert!(parsed.is_error());
    /// ```
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.reading.members.is_error
    }

    /// Where the tool stands; [`Status::Stopped`] where it does not say.
    ///
    /// ```
    /// use toolwire::{Limits, Status, parse};
    ///
    /// let parsed = parse(&br#"{"content":[]}"#[..], &Limits::default());
    /// assert_eq!(parsed.status(), Status::Stopped);
    /// ```
    #[must_use]
    pub fn status(&self) -> Status {
        self.reading.members.status.unwrap_or(Status::Stopped)
    }

    /// Whether an error may go away when the call is repeated.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"isError":true,"_meta":{"computer.jp/error":{"transient":true}}}"#[..], &Limits::default());
    /// assert!(parsed.transient());
    /// ```
    #[must_use]
    pub fn transient(&self) -> bool {
        self.reading.members.transient
    }

    /// The chain of an error's causes, the outermost first.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"isError":true,"_meta":{"computer.jp/error":{"trace":["no such file"]}}}"#[..], &Limits::default());
    /// assert_eq!(parsed.trace(), ["no such file"]);
    /// ```
    #[must_use]
    pub fn trace(&self) -> Vec<Cow<'_, str>> {
        let trace = self.reading.members.trace.map(|trace| self.node(trace));
        trace.map_or_else(Vec::new, |trace| {
            trace.elements().filter_map(|l| l.as_str()).collect()
        })
    }

    /// The structured content, where there is one; `null` is one.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"structuredContent":null}"#[..], &Limits::default());
    /// assert_eq!(parsed.structured_content().unwrap().raw(), "null");
    /// ```
    #[must_use]
    pub fn structured_content(&self) -> Option<Node<'_>> {
        let data = self.reading.members.structured_content;
        data.map(|data| self.node(data))
    }

    /// The envelope's `_meta`, where it is an object.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[],"_meta":{"a":1}}"#[..], &Limits::default());
    /// assert_eq!(parsed.meta().unwrap().get("a").unwrap().as_u64(), Some(1));
    /// ```
    #[must_use]
    pub fn meta(&self) -> Option<Node<'_>> {
        self.reading.members.meta.map(|meta| self.node(meta))
    }

    /// The report as one JSON object: `verdict`, `isError`, `status`, the number of delivered
    /// `blocks`, the `diagnostics`, and the `envelope` verbatim.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let report = parse(&br#"{"content":[]}"#[..], &Limits::default()).report_json();
    /// assert_eq!(
    ///     report,
    ///     r#"{"verdict":"valid","isError":false,"status":"stopped","blocks":0,"diagnostics":[],"envelope":{"content":[]}}"#,
    /// );
    /// ```
    #[must_use]
    pub fn report_json(&self) -> String {
        self.report().to_string()
    }

    /// The same, written piece by piece: where it goes to a file there is no need for memory of its
    /// size, which for raw text may be six times that of the output.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&b"\x01"[..], &Limits::default());
    /// assert_eq!(format!("{}", parsed.report()), parsed.report_json());
    /// ```
    pub fn report(&self) -> impl fmt::Display + '_ {
        struct Report<'p, 'a>(&'p Parsed<'a>);
        impl fmt::Display for Report<'_, '_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                super::report::write(self.0, f)
            }
        }
        Report(self)
    }

    /// The value of the document, if there is one already.
    pub(super) fn written(&self) -> Option<Node<'_>> {
        let is_there =
            !self.reading.tape.entries().is_empty() || self.reading.substitute.get().is_some();
        is_there.then(|| self.root())
    }

    /// The number of delivered blocks.
    pub(super) fn count(&self) -> usize {
        self.reading.blocks.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::read::read;

    #[test]
    fn a_document_that_could_not_be_written_is_one_empty_text() {
        let parsed = Parsed {
            input: Cow::Borrowed(b"too much"),
            reading: Arc::new(Reading {
                substitute: OnceLock::from(own_document("too much".to_owned())),
                ..read(b"too much", &Limits::default())
            }),
        };
        let texts: Vec<_> = parsed.blocks().map(|block| block.text()).collect();
        assert_eq!(texts, [Some(Cow::Borrowed(""))]);
        assert_eq!(parsed.raw(), b"too much");
    }
}

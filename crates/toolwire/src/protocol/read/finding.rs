//! Findings: diagnostics before they are written out, small enough to collect by the million.

use crate::base::json::{Document, Elements, Kind, Node, brief};
use crate::base::uri::WebUrl;
use crate::{Code, Diagnostic};

/// One finding. Its pointer is `/content/BLOCK` + `path` + `/INDEX`, as far as they are there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Finding {
    pub code: Code,
    pub offset: u32,
    pub block: Option<u32>,
    pub path: &'static str,
    pub index: Option<u32>,
    /// The place on the tape of the value that is wrong, or of the block that is skipped.
    pub node: Option<u32>,
}

/// How many findings may be kept beyond those that are shown before they are sorted out.
const ROOM: usize = 4096;

/// The findings of one reading. Only those are kept that may be shown, since there may be millions.
#[derive(Debug)]
pub(crate) struct Findings {
    /// In the order in which they came, but for those that were sorted out.
    kept: Vec<Finding>,
    count: usize,
    most: usize,
}

impl Findings {
    /// Findings of which no more than `most` are shown.
    pub(crate) fn new(most: usize) -> Self {
        Findings {
            kept: Vec::new(),
            count: 0,
            most,
        }
    }

    pub(crate) fn push(&mut self, finding: Finding) {
        self.count += 1;
        self.kept.push(finding);
        if self.kept.len() / 2 > self.most.saturating_add(ROOM) {
            self.sort_out();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Leaves those that are shown and the first that is not, in the order of offset and code.
    fn sort_out(&mut self) {
        self.kept
            .sort_by_key(|finding| (finding.offset, finding.code.as_str()));
        self.kept.truncate(self.most.saturating_add(1));
    }

    /// The diagnostics in the order of offset and code, cut at the maximum with a note (READ-35).
    pub(crate) fn into_diagnostics(mut self, document: &Document<'_>) -> Vec<Diagnostic> {
        self.sort_out();
        let most = self.most;
        let cut = self.kept.get(most).copied();
        let mut blocks = Blocks::of(document);
        let shown = self.kept.iter().take(most);
        let shown = shown.map(|finding| finding.diagnostic(document, &mut blocks));
        let mut diagnostics: Vec<Diagnostic> = shown.collect();
        if let Some(first) = cut {
            diagnostics.push(Diagnostic {
                code: Code::DiagnosticsTruncated,
                severity: Code::DiagnosticsTruncated.severity(),
                pointer: String::new(),
                offset: Some(u64::from(first.offset)),
                message: format!("{} more diagnostics are not shown", self.count - most),
                raw: None,
            });
        }
        diagnostics
    }
}

/// The elements of `content`, walked once for all findings, whose offsets ascend: where there are
/// many of both, looking each one up from the first on would take time by the square.
struct Blocks<'a> {
    rest: Option<std::iter::Peekable<std::iter::Enumerate<Elements<'a>>>>,
}

impl<'a> Blocks<'a> {
    fn of(document: &'a Document<'_>) -> Self {
        let content = document.root().get("content");
        Blocks {
            rest: content.map(|content| content.elements().enumerate().peekable()),
        }
    }

    /// The element at `index`, which is not before the one that was asked for last.
    fn at(&mut self, index: u32) -> Option<Node<'a>> {
        let rest = self.rest.as_mut()?;
        while rest.next_if(|(place, _)| *place < index as usize).is_some() {}
        rest.peek().map(|(_, block)| *block)
    }
}

impl Finding {
    /// A finding about a value outside of the blocks.
    pub(super) fn new(code: Code, path: &'static str, node: Node<'_>) -> Self {
        Finding {
            code,
            offset: node.start() as u32,
            block: None,
            path,
            index: None,
            node: Some(node.index()),
        }
    }

    /// A finding about the output as a whole.
    pub(crate) fn at_offset(code: Code, offset: u32) -> Self {
        Finding {
            code,
            offset,
            block: None,
            path: "",
            index: None,
            node: None,
        }
    }

    fn diagnostic(&self, document: &Document<'_>, blocks: &mut Blocks<'_>) -> Diagnostic {
        let (pointer, node) = match self.code {
            Code::BigInteger => {
                let (pointer, node) = document.locate(self.offset);
                (pointer, Some(node))
            }
            _ => (self.pointer(), self.node.map(|index| document.node(index))),
        };
        let skipped = self.code.effect() == "skip";
        let subject = name_of(self.path);
        let expected = match self.code {
            Code::WrongType | Code::IgnoredField => self.expectation(subject),
            Code::OutOfRange if subject == "size" => {
                "`size` is a whole number of bytes from 0 to 2^53 - 1".to_owned()
            }
            Code::OutOfRange => format!("`{subject}` is a number from 0 to 1"),
            Code::BadUrl => format!("`url` is {}", WebUrl::EXPECTED),
            Code::BadRole => "`audience` names `user` or `assistant`".to_owned(),
            Code::BadTimestamp => format!("`{subject}` is a date and time"),
            Code::BadStatus => "the status is `running`, `waiting` or `stopped`".to_owned(),
            _ => String::new(),
        };
        let found = || node.map_or_else(String::new, described);
        let message = match self.code {
            Code::MissingField => format!("`{subject}` is missing"),
            Code::BigInteger => format!("{} is past 2^53", found()),
            code if expected.is_empty() => code.summary().to_owned(),
            _ if skipped => format!("{expected}, not {}", found()),
            _ => format!("{expected}, not {}{IGNORED}", found()),
        };
        let block = self.block.filter(|_| skipped);
        let block = block.and_then(|block| blocks.at(block));
        Diagnostic {
            code: self.code,
            severity: self.code.severity(),
            pointer,
            offset: Some(u64::from(self.offset)),
            message,
            raw: block.map(|block| block.raw().to_owned()),
        }
    }

    /// What a field should have been, as in `` `text` is a string ``.
    fn expectation(&self, subject: &str) -> String {
        if self.index.is_some() {
            return format!("each element of `{subject}` is a string");
        }
        let kind = match subject {
            "annotations" | "computer.jp/error" | "_meta" | "question" | "resource" | "schema" => {
                "an object"
            }
            "audience" => "an array of roles",
            "isError" | "transient" => "true or false",
            "priority" => "a number from 0 to 1",
            "size" => "a number of bytes",
            "trace" => "an array of strings",
            _ => "a string",
        };
        format!("`{subject}` is {kind}")
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        if let Some(block) = self.block {
            pointer.push_str("/content/");
            pointer.push_str(&block.to_string());
        }
        pointer.push_str(self.path);
        if let Some(index) = self.index {
            pointer.push('/');
            pointer.push_str(&index.to_string());
        }
        pointer
    }
}

/// Ends the message about an optional field that reads as absent. A builder, which refuses the field
/// instead, takes it off.
pub(crate) const IGNORED: &str = ", so it is ignored";

/// A value that was found, for a message: a scalar as it is written, of others the kind.
fn described(node: Node<'_>) -> String {
    let written = || format!("`{}`", brief(node.raw(), 40));
    match node.kind() {
        Kind::Number => format!("the number {}", written()),
        Kind::String => format!("the string {}", written()),
        Kind::Bool | Kind::Null => written(),
        Kind::Array | Kind::Object => node.kind().name().to_owned(),
    }
}

/// The last name of a path, without its escapes.
fn name_of(path: &'static str) -> &'static str {
    match path.rsplit('/').next().unwrap_or(path) {
        "computer.jp~1error" => "computer.jp/error",
        "computer.jp~1status" => "computer.jp/status",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, parse};

    #[test]
    fn a_message_says_what_was_expected() {
        let ignored = |text: &str| format!("{text}, so it is ignored");
        for (envelope, message) in [
            (
                r#"{"content":[{"type":"text","text":5}]}"#,
                "`text` is a string, not the number `5`".to_owned(),
            ),
            (
                r#"{"content":[{"type":"question","question":{"id":"a","text":"","schema":true}}]}"#,
                "`schema` is an object, not `true`".to_owned(),
            ),
            (
                r#"{"content":[],"isError":"yes"}"#,
                ignored("`isError` is true or false, not the string `\"yes\"`"),
            ),
            (
                r#"{"content":[{"type":"text","text":"","annotations":{"audience":{}}}]}"#,
                ignored("`audience` is an array of roles, not an object"),
            ),
            (
                r#"{"content":[{"type":"text","text":"","annotations":{"audience":["cat"]}}]}"#,
                ignored("`audience` names `user` or `assistant`, not the string `\"cat\"`"),
            ),
            (
                r#"{"content":[{"type":"text","text":"","annotations":{"priority":2}}]}"#,
                ignored("`priority` is a number from 0 to 1, not the number `2`"),
            ),
            (
                r#"{"content":[{"type":"resource_link","uri":"a:b","name":"","size":-1}]}"#,
                ignored(
                    "`size` is a whole number of bytes from 0 to 2^53 - 1, not the number `-1`",
                ),
            ),
            (
                r#"{"content":[],"isError":true,"_meta":{"computer.jp/error":{"trace":["a",null]}}}"#,
                ignored("each element of `trace` is a string, not `null`"),
            ),
            (
                r#"{"content":[],"isError":true,"_meta":{"computer.jp/error":[]}}"#,
                ignored("`computer.jp/error` is an object, not an array"),
            ),
        ] {
            let parsed = parse(envelope.as_bytes(), &Limits::default());
            assert_eq!(parsed.diagnostics()[0].message, message);
        }
    }

    #[test]
    fn of_many_findings_the_first_are_shown_and_all_counted() {
        let blocks = vec![r#"{"type":"text","text":"","annotations":{"priority":2}},7"#; 40_000];
        let text = format!(r#"{{"content":[{}],"isError":0}}"#, blocks.join(","));
        for most in [0, 1, 2, 100, usize::MAX] {
            let limits = Limits {
                max_diagnostics: most,
                ..Limits::default()
            };
            let parsed = parse(text.as_bytes(), &limits);
            let found = parsed.diagnostics();
            let shown = most.min(80_001);
            assert_eq!(found.len(), shown + usize::from(shown < 80_001));
            assert!(found.iter().map(|found| found.offset).is_sorted());
            if shown < found.len() {
                let rest = format!("{} more diagnostics are not shown", 80_001 - shown);
                assert_eq!(found[shown].message, rest);
            }
        }
    }

    #[test]
    fn each_skipped_block_is_kept_with_its_own_text_however_many_there_are() {
        let block = |i: usize| match i % 3 {
            0 => format!("{{\"type\":\"x{i}\"}}"),
            1 => format!("{{\"type\":\"text\",\"text\":\"{i}\",\"_meta\":{i}}}"),
            _ => format!("{i}"),
        };
        let blocks: Vec<String> = (0..60_000).map(block).collect();
        let text = format!("{{\"content\":[{}]}}", blocks.join(","));
        let limits = Limits {
            max_diagnostics: usize::MAX,
            ..Limits::default()
        };
        let parsed = parse(text.as_bytes(), &limits);
        assert_eq!(parsed.diagnostics().len(), blocks.len());
        for (i, diagnostic) in parsed.diagnostics().iter().enumerate() {
            let kept = (i % 3 != 1).then_some(&blocks[i]);
            assert_eq!(diagnostic.raw.as_ref(), kept, "{i}");
        }
    }
}

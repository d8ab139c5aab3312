//! Findings: diagnostics before they are written out, small enough to collect by the million.

use crate::json::{Document, Kind, brief};
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

/// The findings of one reading.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    all: Vec<Finding>,
}

impl Findings {
    pub(crate) fn push(&mut self, finding: Finding) {
        self.all.push(finding);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The diagnostics in the order of offset and code, cut at `most` with a note (READ-35).
    pub(crate) fn into_diagnostics(
        mut self,
        document: &Document<'_>,
        most: usize,
    ) -> Vec<Diagnostic> {
        self.all
            .sort_by_key(|finding| (finding.offset, finding.code.as_str()));
        let cut = self.all.get(most).copied();
        let mut diagnostics: Vec<Diagnostic> = self
            .all
            .iter()
            .take(most)
            .map(|finding| finding.diagnostic(document))
            .collect();
        if let Some(first) = cut {
            diagnostics.push(Diagnostic {
                code: Code::DiagnosticsTruncated,
                severity: Code::DiagnosticsTruncated.severity(),
                pointer: String::new(),
                offset: Some(u64::from(first.offset)),
                message: format!("{} more diagnostics are not shown", self.all.len() - most),
                raw: None,
            });
        }
        diagnostics
    }
}

impl Finding {
    /// A finding about the output as a whole.
    pub(crate) fn at_start(code: Code) -> Self {
        Finding {
            code,
            offset: 0,
            block: None,
            path: "",
            index: None,
            node: None,
        }
    }

    fn diagnostic(&self, document: &Document<'_>) -> Diagnostic {
        let node = self.node.map(|index| document.node(index));
        let skipped = self.code.effect() == "skip";
        let pointer = match self.code {
            Code::BigInteger => document.pointer_at(self.offset),
            _ => self.pointer(),
        };
        let subject = if self.path.is_empty() {
            ""
        } else {
            name_of(self.path)
        };
        let found = || match node {
            Some(node) if node.kind() == Kind::String || node.kind() == Kind::Number => {
                format!("`{}`", brief(node.raw(), 40))
            }
            Some(node) => node.kind().name().to_owned(),
            None => String::new(),
        };
        let message = match self.code {
            Code::MissingField => format!("`{subject}` is missing"),
            Code::IgnoredField => {
                format!(
                    "`{subject}` has the wrong type ({}) and is ignored",
                    found()
                )
            }
            Code::OutOfRange => format!("`{subject}` is out of range: {}", found()),
            Code::BadRole => format!(
                "`audience` names {}; only `user` and `assistant` are known",
                found()
            ),
            Code::BadTimestamp => format!("`{subject}` is not a date and time: {}", found()),
            Code::BadStatus => format!("the status {} is not known", found()),
            Code::WrongType => format!("`{subject}` has the wrong type"),
            Code::BigInteger => format!("{} is past 2^53", found()),
            code => code.summary().to_owned(),
        };
        let block = self.block.filter(|_| skipped).and_then(|block| {
            document
                .root()
                .get("content")
                .and_then(|content| content.elements().nth(block as usize))
        });
        Diagnostic {
            code: self.code,
            severity: self.code.severity(),
            pointer,
            offset: Some(u64::from(self.offset)),
            message,
            raw: block.map(|block| block.raw().to_owned()),
        }
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

/// The last name of a path, without its escapes.
fn name_of(path: &'static str) -> &'static str {
    match path.rsplit('/').next().unwrap_or(path) {
        "computer.jp~1error" => "computer.jp/error",
        "computer.jp~1status" => "computer.jp/status",
        name => name,
    }
}

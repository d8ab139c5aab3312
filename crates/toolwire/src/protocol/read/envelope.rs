//! The envelope's own members.

use super::block::read_block;
use super::{Delivered, Finding, Findings, Members};
use crate::base::json::{Document, Kind, Node};
use crate::{BlockKind, Code, Limits, Status};

/// Where the status of a tool stands.
const STATUS: &str = "/_meta/computer.jp~1status";

/// What a strict document is.
pub(crate) enum Shape {
    /// Not an envelope, and why (READ-20, READ-21) or which limit it is over (READ-3).
    Other(Finding),
    /// An envelope.
    Envelope {
        blocks: Vec<Delivered>,
        members: Members,
        findings: Findings,
    },
}

/// Reads the envelope in a document whose value is an object.
pub(crate) fn read_shape(document: &Document<'_>, limits: &Limits) -> Shape {
    let root = document.root();
    let Some(content) = root.get("content") else {
        return other(Code::NoContent, "", root);
    };
    if content.kind() != Kind::Array {
        return other(Code::ContentNotArray, "/content", content);
    }
    if content.len() > limits.max_blocks
        && let Some(first) = content.elements().nth(limits.max_blocks)
    {
        return other(Code::LimitBlocks, "/content", first);
    }
    if !content.is_empty() && !content.elements().any(is_typed) {
        return other(Code::UntypedContent, "/content", content);
    }
    let mut findings = Findings::new(limits.max_diagnostics);
    let blocks = read_content(content, &mut findings);
    let members = read_members(root, &mut findings);
    check_questions(document, &blocks, &members, &mut findings);
    if let Some(offset) = document.big_integer() {
        findings.push(Finding::at_offset(Code::BigInteger, offset));
    }
    Shape::Envelope {
        blocks,
        members,
        findings,
    }
}

fn other(code: Code, path: &'static str, node: Node<'_>) -> Shape {
    Shape::Other(Finding::new(code, path, node))
}

fn is_typed(block: Node<'_>) -> bool {
    block.is_plain_text_block()
        || block
            .get("type")
            .is_some_and(|kind| kind.kind() == Kind::String)
}

fn read_content(content: Node<'_>, findings: &mut Findings) -> Vec<Delivered> {
    let mut blocks = Vec::with_capacity(content.len());
    for (index, node) in content.elements().enumerate() {
        let index = index as u32;
        if let Some(kind) = read_block(node, index, findings) {
            blocks.push(Delivered {
                index,
                node: node.index(),
                kind,
            });
        }
    }
    blocks
}

fn read_members(root: Node<'_>, findings: &mut Findings) -> Members {
    let mut members = Members::default();
    let mut error = None;
    let mut all = root.members();
    while let Some((name, value)) = all.next_nodes() {
        if name.is_str("isError") {
            match value.as_bool() {
                Some(flag) => members.is_error = flag,
                None => findings.push(ignored("/isError", value)),
            }
        } else if name.is_str("structuredContent") {
            members.structured_content = Some(value.index());
        } else if name.is_str("_meta") {
            if value.kind() == Kind::Object {
                members.meta = Some(value.index());
                members.status = value
                    .get("computer.jp/status")
                    .and_then(|s| status(s, findings));
                error = value.get("computer.jp/error");
            } else {
                findings.push(ignored("/_meta", value));
            }
        }
    }
    if let Some(error) = error {
        read_error(error, &mut members, findings);
    }
    members
}

fn status(value: Node<'_>, findings: &mut Findings) -> Option<Status> {
    let status = value.as_str().and_then(|word| word.parse::<Status>().ok());
    if status.is_none() {
        findings.push(Finding::new(Code::BadStatus, STATUS, value));
    }
    status
}

/// Reads `computer.jp/error` (READ-32): each of its two members stands or falls by itself.
fn read_error(error: Node<'_>, members: &mut Members, findings: &mut Findings) {
    const PATH: &str = "/_meta/computer.jp~1error";
    if error.kind() != Kind::Object {
        findings.push(ignored(PATH, error));
        return;
    }
    if !members.is_error {
        findings.push(Finding::new(Code::ErrorWithoutFlag, PATH, error));
    }
    if let Some(transient) = error.get("transient") {
        match transient.as_bool() {
            Some(flag) => members.transient = flag,
            None => findings.push(ignored("/_meta/computer.jp~1error/transient", transient)),
        }
    }
    if let Some(trace) = error.get("trace") {
        const TRACE: &str = "/_meta/computer.jp~1error/trace";
        let wrong = trace
            .elements()
            .enumerate()
            .find(|(_, line)| line.kind() != Kind::String);
        match wrong {
            _ if trace.kind() != Kind::Array => findings.push(ignored(TRACE, trace)),
            Some((index, line)) => {
                findings.push(Finding {
                    index: Some(index as u32),
                    ..ignored(TRACE, line)
                });
            }
            None => members.trace = Some(trace.index()),
        }
    }
}

/// Rules across members (READ-33, READ-34).
fn check_questions(
    document: &Document<'_>,
    blocks: &[Delivered],
    members: &Members,
    findings: &mut Findings,
) {
    let mut seen = std::collections::HashSet::new();
    let mut first_question = None;
    for block in blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Question)
    {
        first_question.get_or_insert(*block);
        let id = document
            .node(block.node)
            .get("question")
            .and_then(|question| question.get("id"));
        if let Some(id) = id
            && let Some(text) = id.as_str()
            && !seen.insert(text)
        {
            findings.push(Finding {
                block: Some(block.index),
                ..Finding::new(Code::DuplicateQuestionId, "/question/id", id)
            });
        }
    }
    let meta = members.meta.map(|meta| document.node(meta));
    let status = meta.and_then(|meta| meta.get("computer.jp/status"));
    match (members.status, first_question, status) {
        (Some(Status::Waiting), None, Some(status)) => {
            findings.push(Finding::new(Code::WaitingWithoutQuestion, STATUS, status));
        }
        (Some(Status::Running | Status::Stopped), Some(question), _) => findings.push(Finding {
            block: Some(question.index),
            ..Finding::new(Code::QuestionNotWaiting, "", document.node(question.node))
        }),
        _ => {}
    }
}

fn ignored(path: &'static str, value: Node<'_>) -> Finding {
    Finding::new(Code::IgnoredField, path, value)
}

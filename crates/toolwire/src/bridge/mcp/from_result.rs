//! The result of a tool of MCP as an envelope (MCP-14 to MCP-23).

use std::borrow::Cow;

use super::patch::{self, applied};
use super::{Fate, LossReport, ResultOptions, Revision, to_result};
use crate::base::json::{Document, MAX_DEPTH, Node, pointer};
use crate::base::schema::tree::Tree;
use crate::{Json, Limits, Parsed, parse};

/// The envelope that a result is read as.
///
/// ```
/// use toolwire::{Limits, mcp::from_result};
///
/// let read = from_result(br#"{"content":[{"type":"text","text":"ok"}]}"#, &Limits::default());
/// assert_eq!(read.parsed.block(0).unwrap().text().unwrap(), "ok");
/// ```
#[derive(Debug, Clone)]
pub struct FromResult {
    /// The envelope; raw text where the result is none (MCP-15).
    pub parsed: Parsed<'static>,
    /// What became of each member of the result.
    pub report: LossReport,
}

/// Reads the `CallToolResult` of any server, of any revision, and restores what a peer that knows
/// Toolwire put into `_meta`. Any bytes give an envelope.
///
/// What a peer wrote into `_meta` is restored only if [`to_result`](super::to_result) would have put it
/// there; anything else stays where it is, and the report says so (MCP-21).
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, parse};
/// use toolwire::mcp::{ResultOptions, Revision, from_result, to_result};
///
/// let output = br#"{"content":[{"resource":{"name":"a","text":"1","uri":"file:///a"},"type":"resource"}]}"#;
/// let parsed = parse(&output[..], &Limits::default());
/// let result = to_result(&parsed, &ResultOptions::new(Revision::LATEST));
/// assert_eq!(result.json.at("/content/0/resource/name"), None);
/// let back = from_result(result.json.as_str().as_bytes(), &Limits::default());
/// assert_eq!(back.parsed.document(), output);
/// ```
#[must_use]
pub fn from_result(result: &[u8], limits: &Limits) -> FromResult {
    // What was moved stands deeper than it did; the envelope is held to the limits itself.
    let wider = Limits {
        max_depth: (limits.max_depth.saturating_add(patch::DEEPER)).min(MAX_DEPTH),
        ..*limits
    };
    let Ok(document) = Document::read(Cow::Borrowed(result), &wider) else {
        return unread(
            result,
            limits,
            "it is not strict JSON, or over a limit: it is read as text",
        );
    };
    let root = document.root();
    let is_result = ["content", "structuredContent", "isError"];
    if !is_result.iter().any(|name| root.get(name).is_some()) {
        return unread(
            result,
            limits,
            "it is no result of a tool: it is read as text",
        );
    }
    let restored = restored(root, limits);
    let report = report(root, restored.as_ref().map(|(_, wrapped)| *wrapped));
    let parsed = match restored {
        Some((parsed, _)) => parsed,
        None => match as_envelope(root) {
            Some(envelope) => parse(envelope.to_json().into_bytes(), limits),
            None => parse(result.to_vec(), limits),
        },
    };
    if parsed.is_raw() {
        return unread(
            result,
            limits,
            "its content is none of blocks: it is read as text",
        );
    }
    FromResult { parsed, report }
}

fn unread(result: &[u8], limits: &Limits, reason: &str) -> FromResult {
    let mut report = LossReport::default();
    report.add("", Fate::Approximated, reason);
    FromResult {
        parsed: parse(result.to_vec(), limits),
        report,
    }
}

/// The envelope that a peer has mapped to this result, and whether its structured content was wrapped: mapping it
/// again has to give exactly the result (MCP-21).
fn restored(root: Node<'_>, limits: &Limits) -> Option<(Parsed<'static>, bool)> {
    let parsed = parse(applied(root)?.to_json().into_bytes(), limits);
    if parsed.is_raw() {
        return None;
    }
    let received = patch::sorted(root);
    let data = [root.get("structuredContent"), parsed.structured_content()];
    let [outside, inside] = data.map(|data| data.map(Json::from));
    let wrapped = match (&outside, &inside) {
        (Some(outside), Some(inside)) => !outside.is_exactly(inside),
        _ => outside.is_some() || inside.is_some(),
    };
    let maps = |revision: Revision, mirror: bool| {
        let options = ResultOptions {
            revision,
            mirror,
            wrapped,
        };
        patch::is_of(&to_result(&parsed, &options).json, &received)
    };
    let mut revisions = Revision::ALL.iter();
    let is_own = revisions.any(|revision| maps(*revision, true) || maps(*revision, false));
    is_own.then_some((parsed, wrapped))
}

/// The result as an envelope, if that is another document.
fn as_envelope(root: Node<'_>) -> Option<Tree> {
    let has_content = root.get("content").is_some();
    if has_content && !patch::is_complete(root) {
        return None;
    }
    let mut envelope = Tree::of(root);
    let members = envelope.object_mut()?;
    if patch::is_complete(root) {
        members.remove("resultType");
    }
    if !has_content {
        members.set("content", Tree::Array(Vec::new()));
    }
    Some(envelope)
}

/// What became of the members of a result; `restored` tells whether structured content was wrapped, if all returned.
fn report(root: Node<'_>, restored: Option<bool>) -> LossReport {
    let mut report = LossReport::default();
    for (name, _) in root.members() {
        let (fate, reason) = match name.as_ref() {
            "resultType" if patch::is_complete(root) => {
                (Fate::Moved, "every envelope is a complete result")
            }
            "structuredContent" if restored == Some(true) => (
                Fate::Moved,
                "it was wrapped in an object, as the member `result`",
            ),
            _ => (Fate::Kept, ""),
        };
        report.add(pointer::join("", &name), fate, reason);
    }
    if root.get("content").is_none() {
        let reason = "a result without content is read as one with no blocks";
        report.add("", Fate::Approximated, reason);
    }
    report.add_patch(root, restored.is_some());
    report.finished()
}

//! The formats that came before envelopes: `Outcome`, `ToolState` and `input_text` (chapter 17, the LEG rules).
//!
//! They are read where a caller asks for it, and never written. Each becomes an envelope, with a report of what
//! became of its members.

mod draft;
mod read;

use std::borrow::Cow;

use crate::base::json::{Document, Place};
use crate::bridge::mcp::LossReport;
use crate::{Code, Error, Limits, Parsed};

/// A format that came before envelopes.
///
/// ```
/// use toolwire::legacy::LegacyFormat;
///
/// assert_eq!(LegacyFormat::ToolState.as_str(), "tool_state");
/// assert_eq!("outcome".parse(), Ok(LegacyFormat::Outcome));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LegacyFormat {
    /// `Outcome`: `{"type":"success"|"error"|"needs_input",…}`.
    Outcome,
    /// `ToolState` of RFD 009, in each of its spellings.
    ToolState,
    /// A result with a block `input_text`.
    InputText,
}

closed_words!(LegacyFormat, "a legacy format", {
    Outcome => "outcome",
    ToolState => "tool_state",
    InputText => "input_text",
});

/// A document in a legacy format, as an envelope.
///
/// ```
/// use toolwire::{Limits, legacy::{LegacyFormat, read_legacy}};
///
/// let answer = br#"{"type":"success","content":"14 files checked"}"#;
/// let legacy = read_legacy(answer, &Limits::default())?.expect("an outcome");
/// assert_eq!(legacy.format, LegacyFormat::Outcome);
/// assert_eq!(legacy.parsed.block(0).unwrap().text().unwrap(), "14 files checked");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug)]
pub struct Legacy {
    /// The format that it was in.
    pub format: LegacyFormat,
    /// The envelope.
    pub parsed: Parsed<'static>,
    /// What became of its members; the pointers lead into the legacy document.
    pub report: LossReport,
}

/// Reads a document in a legacy format (LEG-1 to LEG-13); `None` if it is in none of them.
///
/// # Errors
///
/// `bad_legacy` at the member that is wrong, if the document shows the signs of a legacy format (LEG-1) but is
/// not as that format has it. It can still be read as any other output, which makes it raw text.
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, legacy::read_legacy};
///
/// let asks = br#"{"type":"needs_input","question":{"id":"ok","text":"Replace?","answer_type":"Boolean"}}"#;
/// let legacy = read_legacy(asks, &Limits::default())?.expect("an outcome");
/// assert_eq!(legacy.parsed.block(0).unwrap().question().unwrap().id, "ok");
///
/// assert!(read_legacy(b"12:00", &Limits::default())?.is_none());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_legacy(document: &[u8], limits: &Limits) -> Result<Option<Legacy>, Error> {
    let Ok(document) = Document::read(Cow::Borrowed(document), limits) else {
        return Ok(None);
    };
    let root = Place::new(document.root(), "", Code::BadLegacy);
    let Some(format) = format_of(&root) else {
        return Ok(None);
    };
    let (draft, used) = match format {
        LegacyFormat::Outcome => read::outcome(&root)?,
        LegacyFormat::ToolState => read::tool_state(&root)?,
        LegacyFormat::InputText => {
            let draft = read::input_text(&root)?;
            return Ok(Some(draft.finish(format, &root, None)));
        }
    };
    Ok(Some(draft.finish(format, &root, Some(used))))
}

/// The `Outcome` in the result of an MCP tool, as an envelope (LEG-20): only if the result is a single text block
/// that holds one, and if the result is no error that the outcome denies.
///
/// ```
/// use toolwire::{Limits, legacy::unwrap_outcome, parse};
///
/// let result = br#"{"content":[{"type":"text","text":"{\"type\":\"error\",\"message\":\"busy\",\"transient\":true}"}]}"#;
/// let legacy = unwrap_outcome(&parse(&result[..], &Limits::default())).expect("an outcome");
/// assert!(legacy.parsed.is_error() && legacy.parsed.transient());
///
/// let result = br#"{"content":[{"type":"text","text":"{\"type\":\"success\",\"content\":\"done\"}"}],"isError":true}"#;
/// assert!(unwrap_outcome(&parse(&result[..], &Limits::default())).is_none());
/// ```
#[must_use]
pub fn unwrap_outcome(result: &Parsed<'_>) -> Option<Legacy> {
    let content = result.root().get("content")?;
    if result.is_raw() || content.len() != 1 {
        return None;
    }
    let text = result.block(0)?.text()?;
    let document = Document::new(&text).ok()?;
    let root = Place::new(document.root(), "", Code::BadLegacy);
    if format_of(&root) != Some(LegacyFormat::Outcome) {
        return None;
    }
    let (mut draft, used) = read::outcome(&root).ok()?;
    if result.is_error() && !draft.is_error {
        return None;
    }
    draft.carry_over(result.root());
    Some(draft.finish(LegacyFormat::Outcome, &root, Some(used)))
}

/// The format whose signs the document shows (LEG-1).
fn format_of(root: &Place<'_>) -> Option<LegacyFormat> {
    let word = |name: &str| root.node.get(name).and_then(|node| node.as_str());
    match word("type").as_deref() {
        Some("success" | "error" | "needs_input") => return Some(LegacyFormat::Outcome),
        Some("spawned" | "running" | "waiting" | "stopped") => {
            return Some(LegacyFormat::ToolState);
        }
        Some(_) => return None,
        None => {}
    }
    if let Some("running" | "waiting" | "stopped") = word("state").as_deref()
        && word("id").is_some()
    {
        return Some(LegacyFormat::ToolState);
    }
    let content = root.node.get("content")?;
    let mut kinds = content.elements().filter_map(|block| block.get("type"));
    kinds
        .any(|kind| kind.is_str("input_text"))
        .then_some(LegacyFormat::InputText)
}

/// The member that names the kind or the state.
fn tag(root: &Place<'_>) -> &'static str {
    let kind = root.node.get("type").and_then(|kind| kind.as_str());
    kind.map_or("state", |_| "type")
}

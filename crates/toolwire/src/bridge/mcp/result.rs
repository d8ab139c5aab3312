//! An envelope as the result of a tool of MCP (MCP-1 to MCP-13).

use super::block::block;
use super::patch::{Mapping, NO_MEMBER, TOO_DEEP, can_move};
use super::{Fate, LossReport, Revision};
use crate::base::canonical::exact_text;
use crate::base::json::{Kind, Node, ObjectWriter, array, pointer};
use crate::{BlockKind, Json, Parsed};

/// How an envelope becomes a result.
///
/// ```
/// use toolwire::mcp::{ResultOptions, Revision};
///
/// assert!(ResultOptions::new(Revision::LATEST).mirror);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResultOptions {
    /// The revision that the client speaks.
    pub revision: Revision,
    /// Structured content without a text block is repeated as one, for clients that show nothing else
    /// (MCP-11); true by default.
    pub mirror: bool,
    /// The output schema was wrapped ([`McpTool::wrapped`](super::McpTool::wrapped)), so the structured
    /// content is, whatever it is; false by default.
    pub wrapped: bool,
}

impl ResultOptions {
    /// The options for a revision, the others at their defaults.
    ///
    /// ```
    /// use toolwire::mcp::{ResultOptions, Revision};
    ///
    /// assert!(!ResultOptions::new(Revision::V2025_06_18).wrapped);
    /// ```
    #[must_use]
    pub fn new(revision: Revision) -> Self {
        ResultOptions {
            revision,
            mirror: true,
            wrapped: false,
        }
    }
}

/// A result of MCP, and what became of the envelope.
///
/// ```
/// use toolwire::{Limits, parse};
/// use toolwire::mcp::{ResultOptions, Revision, to_result};
///
/// let parsed = parse(&br#"{"content":[],"isError":true}"#[..], &Limits::default());
/// let result = to_result(&parsed, &ResultOptions::new(Revision::V2025_06_18));
/// assert_eq!(result.json.as_str(), r#"{"content":[],"isError":true}"#);
/// assert!(result.report.is_lossless());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpResult {
    /// The `CallToolResult`, in exact form.
    pub json: Json,
    /// What became of each member of the envelope.
    pub report: LossReport,
}

/// The envelope as a result that the clients of a revision accept (MCP-1). What MCP has no member for
/// moves into `_meta`, from where [`from_result`](super::from_result) restores it.
///
/// A question can't be asked by a result: its text stands in its place (MCP-8).
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, parse};
/// use toolwire::mcp::{Fate, ResultOptions, Revision, to_result};
///
/// let output = br#"{"content":[],"structuredContent":[1,2]}"#;
/// let parsed = parse(&output[..], &Limits::default());
/// let result = to_result(&parsed, &ResultOptions::new(Revision::V2025_11_25));
/// assert_eq!(result.json.at("/structuredContent").unwrap().as_str(), r#"{"result":[1,2]}"#);
/// assert_eq!(result.json.at("/content/0/text").unwrap().as_str(), "\"[1,2]\"");
/// assert_eq!(result.report.entries[1].pointer, "/structuredContent");
/// assert_eq!(result.report.entries[1].fate, Fate::Moved);
/// ```
#[must_use]
pub fn to_result(parsed: &Parsed<'_>, options: &ResultOptions) -> McpResult {
    let mut mapping = Mapping::default();
    let mut out = ObjectWriter::new();
    let mut blocks = Vec::new();
    for (name, value) in parsed.root().members() {
        match name.as_ref() {
            "content" => blocks = content(&mut mapping, parsed, value, options.revision),
            "structuredContent" => structured_content(&mut mapping, &mut out, value, options),
            "isError" if value.kind() == Kind::Bool => {
                out.json("isError", value.raw());
                mapping.report.add("/isError", Fate::Kept, "");
            }
            "_meta" => {}
            name => mapping.moves(pointer::join("", name), value, NO_MEMBER),
        }
    }
    let has_text = parsed.blocks().any(|block| block.kind() == BlockKind::Text);
    if let Some(data) = parsed.structured_content()
        && options.mirror
        && !has_text
    {
        let place = parsed
            .root()
            .get("content")
            .map_or(0, |content| content.len());
        mapping.removes(&format!("/content/{place}"));
        let mut text = ObjectWriter::new();
        text.text("type", "text")
            .text("text", Json::from(data).sorted().as_str());
        blocks.push(text.end());
    }
    out.json("content", array(blocks));
    if options.revision.has_result_type() {
        out.json("resultType", "\"complete\"");
    }
    out.optional_json("_meta", mapping.meta(parsed.root().get("_meta")));
    McpResult {
        json: Json::written(exact_text(out.end())),
        report: mapping.report.finished(),
    }
}

/// The blocks of MCP; other elements are moved.
fn content(
    mapping: &mut Mapping,
    parsed: &Parsed<'_>,
    content: Node<'_>,
    revision: Revision,
) -> Vec<String> {
    mapping.report.add("/content", Fate::Kept, "");
    let mut blocks = Vec::new();
    let mut delivered = parsed.blocks().peekable();
    for (index, element) in content.elements().enumerate() {
        let at = format!("/content/{index}");
        match delivered.next_if(|block| block.index() == index) {
            Some(own) => {
                if parsed.is_raw() && std::str::from_utf8(parsed.raw()).is_err() {
                    let reason = "the bytes are no UTF-8: U+FFFD stands for what is not";
                    mapping
                        .report
                        .add(format!("{at}/text"), Fate::Approximated, reason);
                }
                blocks.push(block(mapping, own.node(), own.kind(), revision, &at));
            }
            None if can_move(element) => {
                mapping.moves(at, element, "it is no block that MCP knows");
            }
            // The elements after it keep their places.
            None => {
                mapping.operation("add", &at, "value", "null");
                mapping.report.add(at, Fate::Dropped, TOO_DEEP);
            }
        }
    }
    blocks
}

fn structured_content(
    mapping: &mut Mapping,
    out: &mut ObjectWriter,
    data: Node<'_>,
    options: &ResultOptions,
) {
    let at = "/structuredContent";
    let is_object = data.kind() == Kind::Object && !options.wrapped;
    if is_object || options.revision.has_any_structured_content() {
        out.json("structuredContent", data.raw());
        mapping.report.add(at, Fate::Kept, "");
    } else if can_move(data) {
        let wrapped = ObjectWriter::new().json("result", data.raw()).end();
        out.json("structuredContent", wrapped);
        mapping.operation("move", at, "from", "\"/structuredContent/result\"");
        let reason = "structured content is an object here: it is the member `result` of one";
        mapping.report.add(at, Fate::Moved, reason);
    } else {
        mapping.report.add(at, Fate::Dropped, TOO_DEEP);
    }
}

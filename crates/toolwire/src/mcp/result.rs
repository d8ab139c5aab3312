//! An envelope as the result of a tool of MCP (MCP-1 to MCP-13).

use super::block::Mapper;
use super::keys::{self, Fields};
use super::{Fate, LossReport, Revision};
use crate::canonical::exact_text;
use crate::json::{Kind, Node, ObjectWriter, array, string};
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
    let mut mapping = Mapping {
        mapper: Mapper::new(options.revision.dialect()),
        options,
        kept: Fields::default(),
        moved: Fields::default(),
        ours: Fields::default(),
    };
    let json = mapping.envelope(parsed);
    McpResult {
        json: Json::written(exact_text(json)),
        report: mapping.mapper.report.finished(),
    }
}

struct Mapping<'o> {
    mapper: Mapper,
    options: &'o ResultOptions,
    kept: Fields,
    moved: Fields,
    /// Members of `_meta` that say what was done.
    ours: Fields,
}

impl Mapping<'_> {
    fn envelope(&mut self, parsed: &Parsed<'_>) -> String {
        let mut meta = super::block::Meta::default();
        let mut content = Vec::new();
        for (name, value) in parsed.root().members() {
            match name.as_ref() {
                "content" => content = self.content(parsed, value),
                "structuredContent" => self.structured_content(value),
                "isError" if value.kind() == Kind::Bool => self.keep("isError", value),
                "_meta" => {
                    if value.kind() == Kind::Object {
                        let place = "/_meta".to_owned();
                        self.mapper.report.add(place, Fate::Kept, "");
                    }
                    meta = self.mapper.meta(value, "", &mut self.moved);
                }
                name => {
                    let reason = "MCP has no such member in a result";
                    self.mapper.moves(&mut self.moved, "", name, value, reason);
                }
            }
        }
        let has_text = parsed.blocks().any(|block| block.kind() == BlockKind::Text);
        if let Some(data) = parsed.structured_content()
            && self.options.mirror
            && !has_text
        {
            content.push(mirror(data));
        }
        self.kept.json("content", array(content));
        if self.options.revision.dialect().result_type {
            self.kept.json("resultType", "\"complete\"");
        }
        let (moved, ours) = (
            std::mem::take(&mut self.moved),
            std::mem::take(&mut self.ours),
        );
        if let Some(meta) = meta.write(moved, ours) {
            self.kept.json("_meta", meta);
        }
        std::mem::take(&mut self.kept).end()
    }

    fn keep(&mut self, name: &str, value: Node<'_>) {
        self.kept.json(name, value.raw());
        self.mapper.report.add(format!("/{name}"), Fate::Kept, "");
    }

    /// The blocks of MCP; other elements go to where they come back from, with their places.
    fn content(&mut self, parsed: &Parsed<'_>, content: Node<'_>) -> Vec<String> {
        self.mapper
            .report
            .add("/content".to_owned(), Fate::Kept, "");
        let (mut blocks, mut others) = (Vec::new(), Vec::new());
        let mut delivered = parsed.blocks().peekable();
        for (index, element) in content.elements().enumerate() {
            let place = format!("/content/{index}");
            match delivered.next_if(|block| block.index() == index) {
                Some(block) => {
                    if parsed.is_raw() && std::str::from_utf8(parsed.raw()).is_err() {
                        let reason = "the bytes are no UTF-8: U+FFFD stands for what is not";
                        let text = format!("{place}/text");
                        self.mapper.report.add(text, Fate::Approximated, reason);
                    }
                    blocks.push(self.mapper.block(block.node(), block.kind(), &place));
                }
                None if keys::can_move(element) => {
                    let mut other = ObjectWriter::new();
                    other
                        .number("index", index as u64)
                        .json("block", element.raw());
                    others.push(other.end());
                    let reason = "it is no block that MCP knows";
                    self.mapper.report.add(place, Fate::Moved, reason);
                }
                None => self.mapper.report.add(place, Fate::Dropped, keys::TOO_DEEP),
            }
        }
        if !others.is_empty() {
            self.ours.json(keys::BLOCKS, array(others));
        }
        blocks
    }

    fn structured_content(&mut self, data: Node<'_>) {
        let any = self.options.revision.dialect().any_structured_content;
        if any || (data.kind() == Kind::Object && !self.options.wrapped) {
            self.keep("structuredContent", data);
            return;
        }
        let place = "/structuredContent".to_owned();
        if !keys::can_move(data) {
            self.mapper.report.add(place, Fate::Dropped, keys::TOO_DEEP);
            return;
        }
        let wrapped = ObjectWriter::new().json(keys::WRAP, data.raw()).end();
        self.kept.json("structuredContent", wrapped);
        self.ours.json(keys::WRAPPED, "true");
        let reason = "structured content is an object here: it is the member `result` of one";
        self.mapper.report.add(place, Fate::Moved, reason);
    }
}

/// The text block that repeats structured content.
pub(super) fn mirror(data: Node<'_>) -> String {
    let meta = ObjectWriter::new().json(keys::MIRROR, "true").end();
    let mut out = ObjectWriter::new();
    out.text("type", "text");
    out.json("text", string(&super::restore::exact(data)));
    out.json("_meta", meta);
    out.end()
}

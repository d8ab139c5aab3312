//! A tool's description as a tool of MCP (MCP-30 to MCP-34).

use super::block::is_icons;
use super::patch::{Mapping, Member, NO_MEMBER, TOO_DEEP};
use super::{Fate, LossReport, Revision};
use crate::base::canonical::exact_text;
use crate::base::json::{Document, Kind, Node};
use crate::base::schema::tree::Tree;
use crate::base::schema::wrap_as;
use crate::protocol::call::{TOOL_MEMBERS, ToolDescription, is_annotation};
use crate::{Json, Limits};
use std::borrow::Cow;

/// A tool as MCP lists it, and what became of the description.
///
/// ```
/// use toolwire::{Json, call::ToolDescription, mcp::{Revision, to_tool}};
///
/// let tool = ToolDescription::new("now", Json::new(r#"{"type":"object"}"#)?);
/// let listed = to_tool(&tool, Revision::LATEST);
/// assert_eq!(listed.json.as_str(), r#"{"inputSchema":{"type":"object"},"name":"now"}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpTool {
    /// The `Tool`, in exact form.
    pub json: Json,
    /// What became of each member of the description.
    pub report: LossReport,
    /// The output schema is wrapped, so structured content must be
    /// ([`ResultOptions::wrapped`](super::ResultOptions::wrapped)).
    pub wrapped: bool,
}

/// The description as a tool that the clients of a revision accept. What MCP has no member for moves
/// into `_meta`, from where [`from_tool`](super::from_tool) restores it. An output schema that describes
/// no object is wrapped where the revision wants an object (MCP-33).
///
/// # Examples
///
/// ```
/// use toolwire::{Json, call::ToolDescription, mcp::{Revision, to_tool}};
///
/// let mut tool = ToolDescription::new("list", Json::new(r#"{"type":"object"}"#)?);
/// tool.output_schema = Some(Json::new(r#"{"type":"array"}"#)?);
/// let listed = to_tool(&tool, Revision::V2025_11_25);
/// assert!(listed.wrapped);
/// assert_eq!(
///     listed.json.at("/outputSchema").unwrap().as_str(),
///     r#"{"properties":{"result":{"type":"array"}},"required":["result"],"type":"object"}"#,
/// );
/// assert!(!to_tool(&tool, Revision::V2026_07_28).wrapped);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn to_tool(tool: &ToolDescription, revision: Revision) -> McpTool {
    let mut mapping = Mapping::default();
    let mut wrapped = false;
    let text = tool.to_json();
    let json = match Document::read(Cow::Borrowed(text.as_bytes()), &Limits::WIDEST) {
        Ok(document) => map(&mut mapping, document.root(), revision, &mut wrapped),
        Err(_) => {
            mapping.report.add("", Fate::Dropped, TOO_DEEP);
            ToolDescription::new(&tool.name, Json::written(r#"{"type":"object"}"#.into())).to_json()
        }
    };
    McpTool {
        json: Json::written(exact_text(json)),
        report: mapping.report.finished(),
        wrapped,
    }
}

fn map(mapping: &mut Mapping, tool: Node<'_>, revision: Revision, wrapped: &mut bool) -> String {
    let mut out = mapping.copy(tool, "", |mapping, name, value, at| {
        let has_any = revision.has_any_structured_content();
        let is_object = |schema: Node<'_>| schema.get("type").is_some_and(|t| t.is_str("object"));
        let fits = match name {
            "inputSchema" => return Member::As(schema(mapping, value, at)),
            "outputSchema" if has_any || is_object(value) => {
                return Member::As(schema(mapping, value, at));
            }
            "outputSchema" => {
                *wrapped = true;
                let reason = "an output schema is that of an object here: this one is the member `result` of it";
                mapping.moves(at.to_owned(), value, reason);
                return Member::As(wrap_as(Tree::of(value), "result").to_json());
            }
            "annotations" => {
                mapping.report.add(at, Fate::Kept, "");
                let fits = |name: &str, _: Node<'_>| is_annotation(name);
                let kept = mapping.object(value, at, fits, NO_MEMBER);
                return kept.map_or(Member::Absent, |mut kept| Member::As(kept.end()));
            }
            "_meta" => return Member::Absent,
            "icons" => revision.has_icons() && is_icons(value),
            "execution" => revision.has_execution() && is_execution(value),
            name => TOOL_MEMBERS.contains(&name),
        };
        if fits {
            mapping.report.add(at, Fate::Kept, "");
        }
        Member::if_fits(fits)
    });
    out.optional_json("_meta", mapping.meta(tool.get("_meta")));
    out.end()
}

/// A schema whose properties are all objects.
fn schema(mapping: &mut Mapping, schema: Node<'_>, at: &str) -> String {
    mapping.report.add(at, Fate::Kept, "");
    let drop = |mapping: &mut Mapping, at: &str| {
        mapping.report.add(at, Fate::Dropped, NO_SCHEMA);
        Member::Absent
    };
    let rule = |mapping: &mut Mapping, name: &str, value: Node<'_>, at: &str| match name {
        "properties" if value.kind() == Kind::Object => Member::As(properties(mapping, value, at)),
        "properties" => drop(mapping, at),
        "required" if !is_names(value) => drop(mapping, at),
        _ => Member::Same,
    };
    mapping.copy(schema, at, rule).end()
}

/// Properties whose schemas are all objects.
fn properties(mapping: &mut Mapping, properties: Node<'_>, at: &str) -> String {
    let rule = |mapping: &mut Mapping, _: &str, value: Node<'_>, at: &str| {
        let same = match value.as_bool() {
            Some(true) => "{}",
            Some(false) => r#"{"not":{}}"#,
            None if value.kind() == Kind::Object => return Member::Same,
            None => {
                mapping.report.add(at, Fate::Dropped, NO_SCHEMA);
                return Member::Absent;
            }
        };
        let reason = "a schema is an object here: this one means the same";
        mapping.report.add(at, Fate::Approximated, reason);
        Member::As(same.to_owned())
    };
    mapping.copy(properties, at, rule).end()
}

const NO_SCHEMA: &str = "it is no JSON Schema, and clients refuse the list of tools with it";

fn is_names(value: Node<'_>) -> bool {
    value.kind() == Kind::Array && value.elements().all(|name| name.kind() == Kind::String)
}

fn is_execution(value: Node<'_>) -> bool {
    let words = ["forbidden", "optional", "required"];
    let fits = |support: Node<'_>| words.iter().any(|word| support.is_str(word));
    value.kind() == Kind::Object
        && value
            .members()
            .all(|(name, value)| name == "taskSupport" && fits(value))
}

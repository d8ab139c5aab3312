//! A tool's description as a tool of MCP (MCP-30 to MCP-35).

use super::block::{OWN_NAME, is_icons};
use super::dialect::TOOL_MEMBERS;
use super::keys::{self, Fields};
use super::schema;
use super::{Fate, LossReport, Revision};
use crate::Json;
use crate::call::ToolDescription;
use crate::canonical::exact_text;
use crate::json::{Kind, Node, pointer, string};

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
    let mut mapping = Mapping {
        revision,
        report: LossReport::default(),
        kept: Fields::default(),
        moved: Fields::default(),
        wrapped: false,
    };
    let json = mapping.tool(tool);
    McpTool {
        json: Json::written(exact_text(json)),
        report: mapping.report.finished(),
        wrapped: mapping.wrapped,
    }
}

struct Mapping {
    revision: Revision,
    report: LossReport,
    kept: Fields,
    moved: Fields,
    wrapped: bool,
}

const NO_MEMBER: &str = "MCP has no such member in a tool";
const TWICE: &str = "the member has a field of its own";

impl Mapping {
    fn tool(&mut self, tool: &ToolDescription) -> String {
        self.keep("name", string(&tool.name));
        for (name, text) in [("title", &tool.title), ("description", &tool.description)] {
            if let Some(text) = text {
                self.keep(name, string(text));
            }
        }
        self.schema("inputSchema", &tool.input_schema);
        if let Some(schema) = &tool.output_schema {
            self.schema("outputSchema", schema);
        }
        if let Some(annotations) = &tool.annotations {
            let extra = &annotations.extra;
            let known = crate::call::ToolAnnotations {
                extra: Default::default(),
                ..annotations.clone()
            };
            self.keep("annotations", known.to_json());
            let mut away = Fields::default();
            for (name, value) in extra {
                if crate::call::is_annotation(name) {
                    let place = pointer::join("/annotations", name);
                    self.report.add(place, Fate::Dropped, TWICE);
                    continue;
                }
                away.json(name, value.as_str());
                self.report
                    .add(pointer::join("/annotations", name), Fate::Moved, NO_MEMBER);
            }
            if let Some(away) = away.some() {
                self.moved.json("annotations", away);
            }
        }
        for (name, value) in &tool.extra {
            self.extra(name, value);
        }
        if let Some(meta) = self.meta(tool) {
            self.kept.json("_meta", meta);
        }
        std::mem::take(&mut self.kept).end()
    }

    fn keep(&mut self, name: &str, json: String) {
        self.kept.json(name, json);
        self.report.add(format!("/{name}"), Fate::Kept, "");
    }

    fn extra(&mut self, name: &str, value: &Json) {
        let place = pointer::join("", name);
        let taken = |fits: fn(Node<'_>) -> bool| {
            let document = super::restore::document(value.as_str());
            document.is_some_and(|document| fits(document.root()))
        };
        let fits = match name {
            "icons" => taken(is_icons),
            "execution" => taken(is_execution),
            _ => false,
        };
        if TOOL_MEMBERS.contains(&name) || name == "_meta" {
            self.report.add(place, Fate::Dropped, TWICE);
        } else if fits && self.revision.dialect().tool_members.contains(&name) {
            self.keep(name, value.to_string());
        } else {
            self.moved.json(name, value.as_str());
            self.report.add(place, Fate::Moved, NO_MEMBER);
        }
    }

    fn schema(&mut self, name: &str, schema: &Json) {
        let place = format!("/{name}");
        let Some(document) = super::restore::document(schema.as_str()) else {
            self.report.add(place, Fate::Dropped, keys::TOO_DEEP);
            return;
        };
        let root = document.root();
        let is_object = root.get("type").is_some_and(|kind| kind.is_str("object"));
        let wants_object = !self.revision.dialect().any_structured_content;
        if name == "outputSchema" && wants_object && !is_object {
            self.wrapped = true;
            self.kept.json(name, schema::wrap(root));
            let reason =
                "an output schema is that of an object here: this one is the member `result` of it";
            self.report.add(place, Fate::Moved, reason);
            return;
        }
        self.report.add(&*place, Fate::Kept, "");
        let mut out = Fields::default();
        for (name, value) in root.members() {
            match name.as_ref() {
                "properties" if value.kind() == Kind::Object => {
                    let properties = self.properties(value, &format!("{place}/properties"));
                    out.json(&name, properties);
                }
                "properties" => self.no_schema(&place, &name),
                "required" if !is_names(value) => self.no_schema(&place, &name),
                _ => out.json(&name, value.raw()),
            }
        }
        self.kept.json(name, out.end());
    }

    fn no_schema(&mut self, place: &str, name: &str) {
        let reason = "it is no JSON Schema, and clients refuse the list of tools with it";
        self.report
            .add(pointer::join(place, name), Fate::Dropped, reason);
    }

    /// Properties whose schemas are all objects.
    fn properties(&mut self, properties: Node<'_>, place: &str) -> String {
        let mut out = Fields::default();
        for (name, value) in properties.members() {
            let object = match value.as_bool() {
                Some(true) => "{}",
                Some(false) => r#"{"not":{}}"#,
                None => value.raw(),
            };
            if value.kind() == Kind::Object || value.kind() == Kind::Bool {
                out.json(&name, object);
            } else {
                self.no_schema(place, &name);
            }
            if value.kind() == Kind::Bool {
                let reason = "a schema is an object here: this one means the same";
                self.report
                    .add(pointer::join(place, &name), Fate::Approximated, reason);
            }
        }
        out.end()
    }

    fn meta(&mut self, tool: &ToolDescription) -> Option<String> {
        let (mut kept, mut own) = (Fields::default(), Fields::default());
        if !tool.actions.is_empty() || !tool.meta.is_empty() {
            self.report.add("/_meta", Fate::Kept, "");
        }
        if let Some(actions) = tool.actions_json() {
            kept.json(crate::call::ACTIONS_KEY, actions);
        }
        for (name, value) in &tool.meta {
            if name == crate::call::ACTIONS_KEY {
                let place = pointer::join("/_meta", name);
                self.report.add(place, Fate::Dropped, TWICE);
            } else if keys::is_own(name) {
                own.json(name, value.as_str());
                let place = pointer::join("/_meta", name);
                self.report.add(place, Fate::Moved, OWN_NAME);
            } else {
                kept.json(name, value.as_str());
            }
        }
        if let Some(own) = own.some() {
            self.moved.json("_meta", own);
        }
        if let Some(moved) = std::mem::take(&mut self.moved).some() {
            kept.json(keys::MEMBERS, moved);
        }
        if self.wrapped {
            kept.json(keys::WRAPPED, "true");
        }
        kept.some()
    }
}

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

//! A tool as a server of MCP lists it, as a tool's description (MCP-36, MCP-37).

use super::patch::{self, applied};
use super::{Fate, LossReport, Revision, to_tool};
use crate::protocol::call::{ACTIONS_KEY, ToolDescription, is_annotation};
use std::borrow::Cow;

use crate::base::json::{Document, Kind, Node, ObjectWriter, brief, pointer};
use crate::{Code, Error, Json, Limits};

/// A tool of a server, and what became of what the server says of it.
///
/// ```
/// use toolwire::{Json, mcp::from_tool};
///
/// let listed = Json::new(r#"{"name":"now","inputSchema":{"type":"object"}}"#)?;
/// assert_eq!(from_tool(&listed)?.tool.name, "now");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FromTool {
    /// The description.
    pub tool: ToolDescription,
    /// The name that the server calls it by.
    pub name: String,
    /// The structured content of its results is wrapped; [`from_result`](super::from_result) sees that
    /// for itself.
    pub wrapped: bool,
    /// What became of each member of the tool.
    pub report: LossReport,
}

/// Reads a tool of any server, of any revision, and restores what a peer that knows Toolwire put into
/// `_meta`. Servers leave out or misspell what a description needs; what can be mended is, and the
/// report says so (MCP-36).
///
/// # Errors
///
/// `bad_description` where the tool is no object, has no name, or has an input schema that describes
/// something else than an object.
///
/// # Examples
///
/// ```
/// use toolwire::{Json, mcp::{Fate, from_tool}};
///
/// let listed = Json::new(r#"{"name":"get time","title":null,"inputSchema":{}}"#)?;
/// let read = from_tool(&listed)?;
/// assert_eq!((read.tool.name.as_str(), read.name.as_str()), ("get_time", "get time"));
/// assert_eq!(read.tool.input_schema.as_str(), r#"{"type":"object"}"#);
/// assert_eq!(read.report.entries[2].fate, Fate::Dropped);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn from_tool(listed: &Json) -> Result<FromTool, Error> {
    let refuse =
        |pointer: &str, message: String| Error::new(Code::BadDescription, pointer, None, message);
    let document = Document::read(Cow::Borrowed(listed.as_str().as_bytes()), &Limits::WIDEST);
    let root = document.as_ref().map(|document| document.root()).ok();
    let Some(root) = root.filter(|root| root.kind() == Kind::Object) else {
        let found = brief(listed.as_str(), 40);
        return Err(refuse("", format!("a tool is an object, not `{found}`")));
    };
    let name = root.get("name").and_then(|name| name.as_str());
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        let message = "`name` is missing, empty or no string: a tool can't be called without one";
        return Err(refuse("/name", message.to_owned()));
    };
    let mut reading = Reading::default();
    if let Some((tool, wrapped)) = restored(root) {
        reading.restored(root, wrapped);
        return Ok(FromTool {
            tool,
            name: name.into_owned(),
            wrapped,
            report: reading.report.finished(),
        });
    }
    let text = reading.tool(root)?;
    let tool = ToolDescription::from_json(&text).map_err(Error::placeless)?;
    Ok(FromTool {
        tool,
        name: name.into_owned(),
        wrapped: false,
        report: reading.report.finished(),
    })
}

/// The description that a peer has mapped to this tool, and whether its output schema was wrapped: mapping it
/// again has to give exactly the tool (MCP-34).
fn restored(root: Node<'_>) -> Option<(ToolDescription, bool)> {
    let tool = ToolDescription::from_json(&applied(root)?.to_json()).ok()?;
    let received = patch::sorted(root);
    let mut ways = Revision::ALL
        .iter()
        .map(|revision| to_tool(&tool, *revision));
    let found = ways.find(|listed| patch::is_of(&listed.json, &received))?;
    Some((tool, found.wrapped))
}

/// Reading what a server says of a tool.
#[derive(Default)]
struct Reading {
    report: LossReport,
}

const WRONG: &str = "it has a type that MCP does not allow";

impl Reading {
    fn restored(&mut self, root: Node<'_>, wrapped: bool) {
        for (name, _) in root.members() {
            let (fate, reason) = match name.as_ref() {
                "outputSchema" if wrapped => (Fate::Moved, "it was wrapped as `result`"),
                _ => (Fate::Kept, ""),
            };
            self.report.add(pointer::join("", &name), fate, reason);
        }
        self.report.add_patch(root, true);
    }

    /// The tool as a description that can be read.
    fn tool(&mut self, root: Node<'_>) -> Result<String, Error> {
        let mut out = ObjectWriter::new();
        for (name, value) in root.members() {
            let name = name.as_ref();
            let place = pointer::join("", name);
            let (fits, fate) = match name {
                "name" => {
                    self.name(value, &mut out);
                    continue;
                }
                "inputSchema" => {
                    self.input_schema(Some(value), &mut out)?;
                    continue;
                }
                "annotations" if value.kind() == Kind::Object => {
                    out.json(name, self.annotations(value));
                    continue;
                }
                "_meta" if value.kind() == Kind::Object => {
                    out.json(name, self.meta(root, value));
                    continue;
                }
                "title" | "description" => (value.kind() == Kind::String, Fate::Dropped),
                "outputSchema" => (value.kind() == Kind::Object, Fate::Dropped),
                "annotations" | "_meta" => (false, Fate::Dropped),
                _ => (true, Fate::Kept),
            };
            if fits {
                out.json(name, value.raw());
                self.report.add(place, Fate::Kept, "");
            } else {
                self.report.add(place, fate, WRONG);
            }
        }
        if root.get("inputSchema").is_none() {
            self.input_schema(None, &mut out)?;
        }
        Ok(out.end())
    }

    fn name(&mut self, name: Node<'_>, out: &mut ObjectWriter) {
        let text = name.as_str().unwrap_or_default();
        let fits = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let plain: String = text
            .chars()
            .map(|c| if fits(c) { c } else { '_' })
            .take(128)
            .collect();
        if plain == text {
            self.report.add("/name", Fate::Kept, "");
        } else {
            let reason = "a name has 1 to 128 ASCII letters, digits, `_`, `-` and `.`";
            self.report.add("/name", Fate::Approximated, reason);
        }
        out.text("name", &plain);
    }

    fn input_schema(
        &mut self,
        schema: Option<Node<'_>>,
        out: &mut ObjectWriter,
    ) -> Result<(), Error> {
        let pointer = schema.map_or("", |_| "/inputSchema");
        let value = schema.filter(|schema| schema.kind() != Kind::Null);
        let kind = value.and_then(|value| value.get("type"));
        let wrong = match (value, kind) {
            (_, Some(kind)) if !kind.is_str("object") => Some(("/inputSchema/type", kind)),
            (Some(value), _) if value.kind() != Kind::Object => Some((pointer, value)),
            _ => None,
        };
        if let Some((place, found)) = wrong {
            let found = brief(found.raw(), 40);
            let message = format!("an input schema describes an object, not `{found}`");
            return Err(Error::new(Code::BadDescription, place, None, message));
        }
        if kind.is_some() {
            self.report.add(pointer, Fate::Kept, "");
            out.json("inputSchema", value.map_or("{}", |value| value.raw()));
            return Ok(());
        }
        let mut typed = ObjectWriter::new();
        typed.text("type", "object");
        for (name, value) in value.into_iter().flat_map(|value| value.members()) {
            typed.json(&name, value.raw());
        }
        out.json("inputSchema", typed.end());
        let reason = "the type of an input schema is `object`: it is added";
        self.report.add(pointer, Fate::Approximated, reason);
        Ok(())
    }

    fn annotations(&mut self, annotations: Node<'_>) -> String {
        self.report.add("/annotations", Fate::Kept, "");
        let mut out = ObjectWriter::new();
        for (name, value) in annotations.members() {
            let kind = if name == "title" {
                Kind::String
            } else {
                Kind::Bool
            };
            if is_annotation(&name) && value.kind() != kind {
                self.report
                    .add(pointer::join("/annotations", &name), Fate::Dropped, WRONG);
            } else {
                out.json(&name, value.raw());
            }
        }
        out.end()
    }

    fn meta(&mut self, root: Node<'_>, meta: Node<'_>) -> String {
        self.report.add("/_meta", Fate::Kept, "");
        self.report.add_patch(root, false);
        let mut out = ObjectWriter::new();
        for (name, value) in meta.members() {
            let place = pointer::join("/_meta", &name);
            if name == ACTIONS_KEY && !crate::protocol::call::are_actions(value) {
                self.report
                    .add(place, Fate::Dropped, "it is no list of actions");
                continue;
            }
            out.json(&name, value.raw());
        }
        out.end()
    }
}

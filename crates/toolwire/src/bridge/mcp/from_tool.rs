//! A tool as a server of MCP lists it, as a tool's description (MCP-36, MCP-37).

use super::patch::{self, applied};
use super::{Fate, LossReport, Revision, to_tool};
use crate::base::json::{Document, Kind, Node, brief, pointer};
use crate::base::schema::tree::{Members, Tree};
use crate::protocol::call::{ACTIONS_KEY, ToolDescription, are_actions, is_annotation};
use crate::{Code, Error, Json, Limits};
use std::borrow::Cow;

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
    let mut report = LossReport::default();
    for (name, _) in root.members() {
        report.add(pointer::join("", &name), Fate::Kept, "");
    }
    let restored = restored(root);
    report.add_patch(root, restored.is_some());
    let (tool, wrapped) = match restored {
        Some(restored) => restored,
        None => (mended(root, &name, &mut report)?, false),
    };
    if wrapped {
        report.add("/outputSchema", Fate::Moved, "it was wrapped as `result`");
    }
    Ok(FromTool {
        tool,
        name: name.into_owned(),
        wrapped,
        report: report.finished(),
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

/// The types of members that are left out if they have another one.
const TYPES: [(&str, Kind); 5] = [
    ("title", Kind::String),
    ("description", Kind::String),
    ("outputSchema", Kind::Object),
    ("annotations", Kind::Object),
    ("_meta", Kind::Object),
];

const WRONG: &str = "it has a type that MCP does not allow";

/// The description of a tool whose server leaves out or misspells what a description needs (MCP-36).
fn mended(root: Node<'_>, name: &str, report: &mut LossReport) -> Result<ToolDescription, Error> {
    let mut tool = Tree::of(root);
    let mut drop = |path: &[&str], reason: &str| {
        let (name, around) = path.split_last()?;
        let mut tree = &mut tool;
        for step in around {
            tree = tree.object_mut()?.get_mut(step)?;
        }
        let at = path.iter().map(|step| pointer::join("", step));
        report.add(at.collect::<String>(), Fate::Dropped, reason);
        tree.object_mut()?.remove(name)
    };
    for (name, kind) in TYPES {
        if root.get(name).is_some_and(|value| value.kind() != kind) {
            drop(&[name], WRONG);
        }
    }
    let annotations = root.get("annotations");
    for (name, value) in annotations.iter().flat_map(Node::members) {
        let kind = match name.as_ref() {
            "title" => Kind::String,
            _ => Kind::Bool,
        };
        if is_annotation(&name) && value.kind() != kind {
            drop(&["annotations", &name], WRONG);
        }
    }
    let actions = root.get("_meta").and_then(|meta| meta.get(ACTIONS_KEY));
    if actions.is_some_and(|actions| !are_actions(actions)) {
        drop(&["_meta", ACTIONS_KEY], "it is no list of actions");
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let plain = name.chars().map(|c| if fits(c) { c } else { '_' });
    let plain: String = plain.take(128).collect();
    if plain != name {
        let reason = "a name has 1 to 128 ASCII letters, digits, `_`, `-` and `.`";
        report.add("/name", Fate::Approximated, reason);
    }
    let schema = input_schema(root, report)?;
    let mut text = String::new();
    if let Some(members) = tool.object_mut() {
        members.set("name", Tree::text(&plain));
        members.set("inputSchema", schema);
        text = tool.to_json();
    }
    let mut read = ToolDescription::from_json(&text).map_err(Error::placeless)?;
    // Members of a schema keep the order of its author, which a tree does not.
    let own = root
        .get("inputSchema")
        .filter(|own| own.get("type").is_some());
    if let Some(own) = own {
        read.input_schema = Json::from(own);
    }
    if let (Some(schema), Some(own)) = (&mut read.output_schema, root.get("outputSchema")) {
        *schema = Json::from(own);
    }
    Ok(read)
}

/// The input schema, with its type.
fn input_schema(root: Node<'_>, report: &mut LossReport) -> Result<Tree, Error> {
    let own = root.get("inputSchema");
    let pointer = own.map_or("", |_| "/inputSchema");
    let schema = own.filter(|schema| schema.kind() != Kind::Null);
    let kind = schema.and_then(|schema| schema.get("type"));
    let wrong = match (schema, kind) {
        (_, Some(kind)) if !kind.is_str("object") => Some(("/inputSchema/type", kind)),
        (Some(schema), _) if schema.kind() != Kind::Object => Some((pointer, schema)),
        _ => None,
    };
    if let Some((place, found)) = wrong {
        let found = brief(found.raw(), 40);
        let message = format!("an input schema describes an object, not `{found}`");
        return Err(Error::new(Code::BadDescription, place, None, message));
    }
    let mut typed = Members::default();
    typed.set("type", Tree::text("object"));
    if let Some(Tree::Object(members)) = schema.map(Tree::of) {
        typed.fill(members);
    }
    if kind.is_none() {
        let reason = "the type of an input schema is `object`: it is added";
        report.add(pointer, Fate::Approximated, reason);
    }
    Ok(Tree::Object(typed))
}

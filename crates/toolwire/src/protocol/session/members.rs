//! The members that the actions of a session add to a tool's own arguments (SES-60, SES-61).

use crate::base::json::{Document, Node};
use crate::protocol::call::{SessionAction, ToolDescription};

/// Where the arguments of a tool stand in `spawn`, if they stand apart.
pub(super) const ARGUMENTS: &str = "arguments";

/// What the description of a tool with a screen says, in `_meta` (SES-62).
const SCREEN: &str = "dev.toolwire/screen";

/// The keywords of a schema whose properties can stand beside other ones.
const PLAIN: [&str; 16] = [
    "$schema",
    "$id",
    "$comment",
    "$defs",
    "definitions",
    "type",
    "title",
    "description",
    "deprecated",
    "readOnly",
    "writeOnly",
    "default",
    "examples",
    "properties",
    "required",
    "additionalProperties",
];

/// The members of an action, in the order in which they are listed.
pub(super) fn members_of(action: SessionAction, screen: bool) -> &'static [&'static str] {
    match action {
        SessionAction::Fetch if screen => &["action", "id", "after", "wait", "until", "view"],
        SessionAction::Fetch => &["action", "id", "after", "wait", "until"],
        SessionAction::Apply => &["action", "id", "input", "answer", "question"],
        SessionAction::Spawn | SessionAction::Abort => &["action", "id"],
    }
}

/// Whether a tool has a screen that `fetch` can show.
pub(super) fn has_screen(tool: &ToolDescription) -> bool {
    let says = tool.meta.get(SCREEN);
    says.is_some_and(|value| value.as_str() == "true")
}

/// All members that the actions of a tool add, with the first action that has each.
pub(super) fn added(tool: &ToolDescription) -> Vec<(&'static str, SessionAction)> {
    let screen = has_screen(tool);
    let mut added: Vec<(&str, SessionAction)> = Vec::new();
    for action in &tool.actions {
        for member in members_of(*action, screen) {
            if !added.iter().any(|(known, _)| known == member) {
                added.push((member, *action));
            }
        }
    }
    added
}

/// Whether `spawn` takes the tool's arguments apart from its own members (SES-61): the two share a name, or the
/// tool's schema says more than which properties there are.
pub(super) fn is_nested(tool: &ToolDescription) -> bool {
    let Ok(document) = Document::new(tool.input_schema.as_str()) else {
        return true;
    };
    let schema = document.root();
    let added = added(tool);
    let is_added = |name: &str| added.iter().any(|(member, _)| *member == name);
    let plain = schema.members().all(|(keyword, value)| match &*keyword {
        "additionalProperties" => value.as_bool() == Some(false),
        keyword => PLAIN.contains(&keyword),
    });
    let properties = schema.get("properties");
    let mut properties = properties.iter().flat_map(Node::members);
    let required = schema.get("required");
    let mut required = required.iter().flat_map(Node::elements);
    !plain
        || properties.any(|(name, _)| is_added(&name))
        || required.any(|name| name.as_str().is_some_and(|name| is_added(&name)))
        || refers_to_root(schema)
}

/// Whether a schema refers to its own root, which is another one where the properties stand beside others.
fn refers_to_root(schema: Node<'_>) -> bool {
    let own = schema.get("$ref");
    own.is_some_and(|reference| reference.is_str("#"))
        || schema.get("$dynamicRef").is_some()
        || schema.members().any(|(_, inside)| refers_to_root(inside))
        || schema.elements().any(refers_to_root)
}

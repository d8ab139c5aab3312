//! An output schema that describes no object, wrapped in one that does (MCP-33).

use super::keys::{Fields, WRAP};
use crate::json::{Kind, Node, array, string};

/// Where the wrapped schema stands in the one around it, as a fragment.
const INSIDE: &str = "#/properties/result";

/// The members of a schema whose own members are schemas under any names.
const NAMED: [&str; 5] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];

/// The members of a schema that are values, not schemas.
const VALUES: [&str; 5] = ["const", "enum", "default", "examples", "required"];

/// The members of a schema that refer to another.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// The schema of an object with the one member `result`, which the given schema describes.
pub(super) fn wrap(schema: Node<'_>) -> String {
    let mut properties = Fields::default();
    properties.json(
        WRAP,
        moved(schema, &|reference| {
            reference
                .strip_prefix('#')
                .filter(|rest| is_place(rest))
                .map(|rest| format!("{INSIDE}{rest}"))
        }),
    );
    let mut out = Fields::default();
    if let Some(dialect) = schema.get("$schema") {
        out.json("$schema", dialect.raw());
    }
    out.json("type", string("object"));
    out.json("properties", properties.end());
    out.json("required", array([string(WRAP)]));
    out.end()
}

/// What was wrapped; absent where there is no member `result`.
pub(super) fn unwrap(schema: Node<'_>) -> Option<String> {
    let inside = schema.get("properties")?.get(WRAP)?;
    let inside = moved(inside, &|reference| {
        reference
            .strip_prefix(INSIDE)
            .filter(|rest| is_place(rest))
            .map(|rest| format!("#{rest}"))
    });
    match schema.get("$schema") {
        Some(dialect) if inside == "{}" => Some(format!(r#"{{"$schema":{}}}"#, dialect.raw())),
        Some(dialect) => inside
            .strip_prefix('{')
            .map(|rest| format!(r#"{{"$schema":{},{rest}"#, dialect.raw())),
        None => Some(inside),
    }
}

/// Whether the rest of a fragment leads to a place; an anchor means the same everywhere.
fn is_place(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

/// A schema at another place, its references changed; `$schema` belongs to the root alone.
fn moved(schema: Node<'_>, change: &impl Fn(&str) -> Option<String>) -> String {
    let mut out = Fields::default();
    for (name, value) in schema.members() {
        if name != "$schema" {
            out.json(&name, member(&name, value, change, has_base(schema)));
        }
    }
    out.end()
}

/// Whether references in a schema are to itself, wherever it stands.
fn has_base(schema: Node<'_>) -> bool {
    let id = schema.get("$id").and_then(|id| id.as_str());
    id.is_some_and(|id| !id.is_empty() && !id.starts_with('#'))
}

fn member(
    name: &str,
    value: Node<'_>,
    change: &impl Fn(&str) -> Option<String>,
    is_own: bool,
) -> String {
    if is_own || VALUES.contains(&name) {
        return value.raw().to_owned();
    }
    if REFERENCES.contains(&name) {
        let changed = value.as_str().and_then(|reference| change(&reference));
        return changed.map_or_else(|| value.raw().to_owned(), |changed| string(&changed));
    }
    match value.kind() {
        Kind::Object if NAMED.contains(&name) => {
            let mut out = Fields::default();
            for (name, value) in value.members() {
                out.json(&name, any(value, change));
            }
            out.end()
        }
        _ => any(value, change),
    }
}

/// A schema, an array of schemas, or anything else, as it is.
fn any(value: Node<'_>, change: &impl Fn(&str) -> Option<String>) -> String {
    match value.kind() {
        Kind::Object => {
            let mut out = Fields::default();
            for (name, inner) in value.members() {
                out.json(&name, member(&name, inner, change, has_base(value)));
            }
            out.end()
        }
        Kind::Array => array(value.elements().map(|element| any(element, change))),
        _ => value.raw().to_owned(),
    }
}

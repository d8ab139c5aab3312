//! Which members of a schema lead to other schemas, and where a reference leads.

use serde_json::Value;

/// Members that hold a schema.
pub(crate) const ONE: &[&str] = &[
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Members that hold an array of schemas.
pub(crate) const MANY: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
/// Members that hold schemas by names.
pub(crate) const NAMED: &[&str] = &[
    "$defs",
    "definitions",
    "dependentSchemas",
    "patternProperties",
    "properties",
];
/// Members that refer to a schema.
pub(crate) const REFERRING: &[&str] = &["$ref", "$dynamicRef"];

/// What a reference into a schema leads to: a place, or an anchor.
pub(crate) fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let name = reference.strip_prefix('#')?;
    let name = percent_decoded(name)?;
    if name.is_empty() || name.starts_with('/') {
        return root.pointer(&name);
    }
    anchored(root, &name)
}

/// The schema that has an anchor, wherever it stands.
fn anchored<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Object(members) => {
            let named = |key: &str| members.get(key).and_then(Value::as_str) == Some(name);
            if named("$anchor") || named("$dynamicAnchor") {
                return Some(value);
            }
            members.values().find_map(|value| anchored(value, name))
        }
        Value::Array(elements) => elements.iter().find_map(|value| anchored(value, name)),
        _ => None,
    }
}

/// A fragment as the name that it stands for; nothing if that is no text.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        let hex = || {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            u8::from_str_radix(digits, 16).ok()
        };
        match (first, hex()) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).ok()
}

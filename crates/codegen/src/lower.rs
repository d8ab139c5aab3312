//! Lowers the canonical schema of the envelope to what typify understands.
//!
//! typify 0.8 makes structs, and that is all it is asked for here: it ignores a bare `const`, turns
//! a `oneOf` into an untagged enum, drops what stands beside `not` and stops at `if`. So what only
//! restricts values is taken out (the reader checks it), what is opaque becomes the type `Json`, and
//! the union of the blocks is left to a type that is written by hand.

use serde_json::{Map, Value, json};

/// Definitions that become a type of their own, written by hand in the core.
pub const BY_HAND: &[(&str, &str)] = &[
    ("Json", "crate::Json"),
    ("block", "crate::Block"),
    ("role", "crate::Role"),
    ("status", "crate::Status"),
];

/// The lowered schema: a root object with `definitions`.
pub fn lower(schema: &Value) -> Result<Value, String> {
    let definitions = schema["$defs"]
        .as_object()
        .ok_or("the schema has no `$defs`")?;
    let mut lowered = Map::new();
    for (name, _) in BY_HAND {
        lowered.insert(type_name(definitions, name), json!({ "type": "object" }));
    }
    for (name, definition) in definitions {
        if is_struct(definition) && !BY_HAND.iter().any(|(by_hand, _)| by_hand == name) {
            lowered.insert(
                type_name(definitions, name),
                object(definition, definitions)?,
            );
        }
    }
    let mut root = object(schema, definitions)?;
    root["definitions"] = Value::Object(lowered);
    Ok(root)
}

/// The Rust type of a definition: its title.
pub fn type_name(definitions: &Map<String, Value>, name: &str) -> String {
    let title = definitions
        .get(name)
        .and_then(|definition| definition["title"].as_str());
    title.unwrap_or(name).to_owned()
}

/// Whether a definition becomes a struct: an object that names members.
fn is_struct(definition: &Value) -> bool {
    definition["title"].is_string() && definition["properties"].is_object()
}

fn object(schema: &Value, definitions: &Map<String, Value>) -> Result<Value, String> {
    let mut properties = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if property.get("const").is_none() {
            properties.insert(name.clone(), member(property, definitions)?);
        }
    }
    let required: Vec<_> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|name| {
            name.as_str()
                .is_some_and(|name| properties.contains_key(name))
        })
        .collect();
    Ok(json!({
        "title": schema["title"],
        "description": schema["description"],
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": { "$ref": "#/definitions/Json" },
    }))
}

/// One member: its JSON type or a reference, with its description.
fn member(schema: &Value, definitions: &Map<String, Value>) -> Result<Value, String> {
    let described = |mut lowered: Value, from: &Value| {
        if let Some(description) = from.get("description") {
            lowered["description"] = description.clone();
        }
        lowered
    };
    if let Some(target) = schema["$ref"].as_str() {
        let name = target
            .strip_prefix("#/$defs/")
            .ok_or(format!("`{target}` is not a `$def`"))?;
        let definition = definitions
            .get(name)
            .ok_or_else(|| format!("`{target}` does not exist"))?;
        let by_hand = BY_HAND.iter().any(|(by_hand, _)| *by_hand == name);
        let lowered = if is_struct(definition) || by_hand {
            let reference = format!("#/definitions/{}", type_name(definitions, name));
            json!({ "allOf": [{ "$ref": reference }], "description": definition["description"] })
        } else {
            member(definition, definitions)?
        };
        return Ok(described(lowered, schema));
    }
    let lowered = match schema["type"].as_str() {
        None | Some("object") => json!({ "allOf": [{ "$ref": "#/definitions/Json" }] }),
        Some("array") => {
            json!({ "type": "array", "items": member(&schema["items"], definitions)? })
        }
        Some("integer") => json!({ "type": "integer", "format": "uint64", "minimum": 0 }),
        Some(plain) => json!({ "type": plain }),
    };
    Ok(described(lowered, schema))
}

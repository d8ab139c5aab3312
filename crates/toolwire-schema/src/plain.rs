//! Schemas of the few keywords that most schemas of arguments and answers have, and values that
//! certainly fit them. To compile a schema, a validator first builds the metaschema, which takes
//! longer than all the rest of a call; a value that fits needs neither.

use serde_json::{Map, Value};

const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Whether a schema is valid and has only such keywords.
pub(crate) fn is_plain(schema: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        return schema.is_boolean();
    };
    keywords.iter().all(|(name, value)| match name.as_str() {
        "type" => match value {
            Value::String(name) => TYPES.contains(&name.as_str()),
            Value::Array(names) => {
                let known = |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
                !names.is_empty() && names.iter().all(known) && are_different(names)
            }
            _ => false,
        },
        "properties" => value
            .as_object()
            .is_some_and(|properties| properties.values().all(is_plain)),
        "items" | "additionalProperties" => is_plain(value),
        "required" => value
            .as_array()
            .is_some_and(|names| names.iter().all(Value::is_string) && are_different(names)),
        "enum" | "examples" => value.is_array(),
        "const" | "default" => true,
        "minimum" | "maximum" => value.is_number(),
        "minLength" | "maxLength" | "minItems" | "maxItems" => value.is_u64(),
        "title" | "description" | "$comment" => value.is_string(),
        "deprecated" | "readOnly" | "writeOnly" => value.is_boolean(),
        _ => false,
    })
}

fn are_different(values: &[Value]) -> bool {
    let pairs = values.iter().enumerate();
    // Longer lists than people write are left to the validator.
    values.len() <= 100
        && pairs
            .into_iter()
            .all(|(at, value)| !values[..at].contains(value))
}

/// Whether a value certainly fits a plain schema. Where it takes more than a look to tell, as with
/// `1.0` and `1`, the answer is no.
pub(crate) fn takes(schema: &Value, value: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        return *schema == Value::Bool(true);
    };
    keywords.iter().all(|(name, keyword)| match name.as_str() {
        "type" => match keyword {
            Value::Array(names) => names.iter().any(|name| has_type(name, value)),
            name => has_type(name, value),
        },
        "properties" => members(value).all(|(name, member)| {
            let schema = keyword.get(name);
            schema.is_none_or(|schema| takes(schema, member))
        }),
        "additionalProperties" => members(value).all(|(name, member)| {
            let property = keywords.get("properties").and_then(|all| all.get(name));
            property.is_some() || takes(keyword, member)
        }),
        "required" => {
            let mut names = keyword.as_array().into_iter().flatten();
            !value.is_object()
                || names.all(|name| name.as_str().is_some_and(|name| value.get(name).is_some()))
        }
        "items" => elements(value)
            .iter()
            .all(|element| takes(keyword, element)),
        "enum" => keyword
            .as_array()
            .is_some_and(|values| values.contains(value)),
        "const" => keyword == value,
        "minimum" => in_order(keyword, value),
        "maximum" => in_order(value, keyword),
        "minLength" => value
            .as_str()
            .is_none_or(|text| Some(length(text)) >= keyword.as_u64()),
        "maxLength" => value
            .as_str()
            .is_none_or(|text| Some(length(text)) <= keyword.as_u64()),
        "minItems" => !value.is_array() || Some(elements(value).len() as u64) >= keyword.as_u64(),
        "maxItems" => !value.is_array() || Some(elements(value).len() as u64) <= keyword.as_u64(),
        _ => true,
    })
}

fn has_type(name: &Value, value: &Value) -> bool {
    match name.as_str() {
        Some("array") => value.is_array(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("null") => value.is_null(),
        Some("number") => value.is_number(),
        Some("object") => value.is_object(),
        Some("string") => value.is_string(),
        _ => false,
    }
}

/// Whether two numbers are in order; anything but numbers is, since a bound says nothing of it.
fn in_order(less: &Value, more: &Value) -> bool {
    if !less.is_number() || !more.is_number() {
        return true;
    }
    match (less.as_i64(), more.as_i64()) {
        (Some(less), Some(more)) => less <= more,
        _ => false,
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The length in characters, as JSON Schema counts it.
fn length(text: &str) -> u64 {
    text.chars().count() as u64
}

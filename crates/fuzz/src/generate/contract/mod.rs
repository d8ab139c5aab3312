//! Contracts of tools: schemas of arguments, steps from one to another with a known direction, values
//! at the boundaries of two schemas, and other spellings of the same schema.

mod schema;
mod spelling;
mod steps;
mod values;

pub use schema::tool_schema;
pub use spelling::{
    change, is_all_reached, renamed, reordered, respelled, spell, with_unused, worded,
};
pub use steps::{Relation, pair};
pub use values::values;

use serde_json::Value;

/// Whether a value of this keyword is a schema.
fn holds_schema(keyword: &str) -> bool {
    matches!(
        keyword,
        "additionalProperties"
            | "contains"
            | "else"
            | "if"
            | "items"
            | "not"
            | "propertyNames"
            | "then"
            | "unevaluatedItems"
            | "unevaluatedProperties"
    )
}

/// Whether a value of this keyword is a list of schemas.
fn holds_list(keyword: &str) -> bool {
    matches!(keyword, "allOf" | "anyOf" | "oneOf" | "prefixItems")
}

/// Whether a value of this keyword has a schema for each name.
fn holds_map(keyword: &str) -> bool {
    matches!(
        keyword,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties"
    )
}

/// Calls `each` with every schema in `schema`, itself included, from the outside in.
pub fn each_schema(schema: &mut Value, each: &mut impl FnMut(&mut Value)) {
    each(schema);
    let Value::Object(members) = schema else {
        return;
    };
    for (keyword, value) in members {
        match value {
            Value::Array(list) if holds_list(keyword) => {
                list.iter_mut().for_each(|inner| each_schema(inner, each));
            }
            Value::Object(map) if holds_map(keyword) => {
                map.values_mut().for_each(|inner| each_schema(inner, each));
            }
            inner if holds_schema(keyword) => each_schema(inner, each),
            _ => {}
        }
    }
}

/// A name as a token of a JSON Pointer.
fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

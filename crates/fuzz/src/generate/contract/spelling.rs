//! One schema written in other ways, and schemas that differ in one thing.

use crate::rng::Rng;
use serde_json::{Map, Value, json};

use super::{each_schema, holds_list, holds_map, holds_schema, token};

/// A text of the value: members in any order, numbers and characters in any spelling, but for integers past
/// 2^53, which most programs round if they have a point.
pub fn spell(value: &Value, rng: &mut Rng) -> String {
    let mut out = String::new();
    write(value, rng, &mut out);
    out
}

fn write(value: &Value, rng: &mut Rng, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut all: Vec<(&String, &Value)> = members.iter().collect();
            rng.shuffle(&mut all);
            out.push('{');
            for (index, (name, inner)) in all.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                quote(name, rng, out);
                out.push_str([":", ": "][rng.usize(..2)]);
                write(inner, rng, out);
            }
            out.push('}');
        }
        Value::Array(list) => {
            out.push('[');
            for (index, inner) in list.iter().enumerate() {
                if index > 0 {
                    out.push_str([",", ",\n"][rng.usize(..2)]);
                }
                write(inner, rng, out);
            }
            out.push(']');
        }
        Value::String(text) => quote(text, rng, out),
        Value::Number(number) => {
            let text = number.to_string();
            out.push_str(&text);
            if text.contains(['e', 'E']) || text.len() > 15 {
                return;
            }
            let endings = match text.as_str() {
                "0" => ["", ".0", "e1", ".00E+0"],
                text if text.contains('.') => ["", "0", "e0", "00E-0"],
                _ => ["", ".0", "0e-1", ".00E+0"],
            };
            // Most people write most numbers plainly.
            out.push_str(endings[rng.usize(..8).saturating_sub(4)]);
        }
        other => out.push_str(&other.to_string()),
    }
}

fn quote(text: &str, rng: &mut Rng, out: &mut String) {
    let escape = rng.u8(..4) == 0;
    out.push('"');
    for c in text.chars() {
        match c {
            _ if escape && rng.bool() => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04X}"));
                }
            }
            '"' | '\\' => out.extend(['\\', c]),
            '/' if escape => out.push_str("\\/"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The schema with its definitions under other names.
pub fn renamed(schema: &Value, rng: &mut Rng) -> Value {
    let mut schema = schema.clone();
    let Some(Value::Object(defs)) = schema.get_mut("$defs") else {
        return schema;
    };
    let mut names: Vec<String> = defs.keys().cloned().collect();
    let old = names.clone();
    rng.shuffle(&mut names);
    if rng.bool() {
        names.iter_mut().for_each(|name| name.push_str("_2"));
    }
    let targets = std::mem::take(defs);
    let moved = old.iter().zip(&names);
    let moved: Vec<(String, String)> = moved
        .map(|(old, new)| {
            let pointer = |name| format!("#/$defs/{}", token(name));
            (pointer(old), pointer(new))
        })
        .collect();
    *defs = names
        .into_iter()
        .zip(targets.into_iter().map(|(_, inner)| inner))
        .collect();
    each_schema(&mut schema, &mut |inner| {
        if let Some(Value::String(reference)) = inner.get_mut("$ref")
            && let Some((_, new)) = moved.iter().find(|(old, _)| old == reference)
        {
            reference.clone_from(new);
        }
    });
    schema
}

/// The schema with one definition more, which nothing leads to, if it can have one.
pub fn with_unused(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(members) = &mut schema
        && let Value::Object(defs) = members.entry("$defs").or_insert_with(|| json!({}))
    {
        let unused = json!({"type": "null", "title": "Unused"});
        defs.entry("unused").or_insert(unused);
    }
    schema
}

/// The schema with every list that is a set in another order.
pub fn reordered(schema: &Value, rng: &mut Rng) -> Value {
    let mut schema = schema.clone();
    each_schema(&mut schema, &mut |inner| {
        for word in ["required", "enum", "type"] {
            if let Some(Value::Array(list)) = inner.get_mut(word) {
                rng.shuffle(list);
            }
        }
        if let Some(Value::Object(map)) = inner.get_mut("dependentRequired") {
            for list in map.values_mut() {
                if let Value::Array(list) = list {
                    rng.shuffle(list);
                }
            }
        }
    });
    schema
}

/// The schema with other keywords for the same: sets in another order, `true` for `{}`, a type as a list.
pub fn respelled(schema: &Value, rng: &mut Rng) -> Value {
    let mut schema = reordered(schema, rng);
    let mut is_root = true;
    each_schema(&mut schema, &mut |inner| {
        let empty = Value::Object(Map::new());
        match inner {
            Value::Object(members) => {
                if members.is_empty() && !is_root {
                    *inner = json!(true);
                } else if let Some(kind @ Value::String(_)) = members.get_mut("type")
                    && rng.bool()
                {
                    *kind = json!([kind]);
                }
            }
            Value::Bool(true) => *inner = empty,
            Value::Bool(false) => *inner = json!({"not": {}}),
            _ => {}
        }
        is_root = false;
    });
    if rng.u8(..4) == 0 {
        schema["$schema"] = json!("http://json-schema.org/draft/2020-12/schema#");
    }
    schema
}

/// The schema with other words for people.
pub fn worded(schema: &Value, rng: &mut Rng) -> Value {
    let mut schema = schema.clone();
    each_schema(&mut schema, &mut |inner| {
        let Value::Object(members) = inner else {
            return;
        };
        match rng.u8(..6) {
            0 => members.insert("title".to_owned(), json!("Another title")),
            1 => members.insert("description".to_owned(), json!("Other words")),
            2 => members.insert("examples".to_owned(), json!([{"type": 1}])),
            3 => members.insert("$comment".to_owned(), json!("Of no concern")),
            4 => members.remove("description"),
            _ => members.remove("title"),
        };
    });
    schema
}

/// Where a schema is reached from the root, as JSON Pointers.
fn reached(schema: &Value) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = vec![String::new()];
    while let Some(at) = open.pop() {
        let Some(Value::Object(members)) = schema.pointer(&at) else {
            continue;
        };
        if found.contains(&at) {
            continue;
        }
        for (keyword, value) in members {
            let here = format!("{at}/{}", token(keyword));
            match value {
                Value::String(reference) if keyword == "$ref" => {
                    open.extend(reference.strip_prefix('#').map(str::to_owned));
                }
                Value::Array(list) if holds_list(keyword) => {
                    open.extend((0..list.len()).map(|index| format!("{here}/{index}")));
                }
                Value::Object(map) if holds_map(keyword) && !keyword.starts_with(['$', 'd']) => {
                    open.extend(map.keys().map(|name| format!("{here}/{}", token(name))));
                }
                Value::Object(_) if holds_schema(keyword) => open.push(here),
                _ => {}
            }
        }
        found.push(at);
    }
    found
}

/// Whether something leads to each definition.
pub fn is_all_reached(schema: &Value) -> bool {
    let reached = reached(schema);
    let names = schema["$defs"].as_object().into_iter().flat_map(Map::keys);
    let mut places = names.map(|name| format!("/$defs/{}", token(name)));
    places.all(|place| reached.contains(&place))
}

/// The schema with one thing changed that is neither a word nor a spelling, and what.
pub fn change(schema: &Value, rng: &mut Rng) -> Option<(Value, String)> {
    let places = reached(schema);
    if places.is_empty() {
        return None;
    }
    for _ in 0..40 {
        let mut changed = schema.clone();
        let place = &places[rng.usize(..places.len())];
        let Some(Value::Object(members)) = changed.pointer_mut(place) else {
            return None;
        };
        if let Some(what) = change_one(members, rng)
            && changed != *schema
        {
            return Some((changed, format!("{what} at `{place}`")));
        }
    }
    None
}

fn change_one(members: &mut Map<String, Value>, rng: &mut Rng) -> Option<String> {
    if members.contains_key("$ref") {
        members.remove("$ref");
        members.insert("const".to_owned(), json!("something else"));
        return Some("a reference is gone".to_owned());
    }
    if rng.u8(..3) == 0 {
        return add(members, rng);
    }
    let names: Vec<&String> = members.keys().collect();
    let name = names.get(rng.usize(..names.len().max(1)))?.to_string();
    let value = members.get_mut(&name)?;
    let words = [
        "title",
        "description",
        "examples",
        "$comment",
        "deprecated",
        "$schema",
        "$defs",
        "definitions",
        "if",
        "then",
        "else",
    ];
    match (name.as_str(), &mut *value) {
        (word, _) if words.contains(&word) => return None,
        ("properties" | "patternProperties" | "dependentSchemas", Value::Object(map)) => {
            let inner = map.keys().next()?.clone();
            let schema = map.remove(&inner)?;
            if rng.bool() {
                map.insert(format!("{inner}x"), schema);
            }
        }
        ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(list)) => {
            list.push(json!({"const": "one more"}));
        }
        ("required" | "enum", Value::Array(list)) if rng.bool() && list.len() > 1 => {
            let first = list.remove(0);
            // In a set it makes no difference how often something stands.
            if list.contains(&first) {
                return None;
            }
        }
        ("required" | "enum", Value::Array(list)) => list.push(json!("one more")),
        ("type", Value::Array(list)) => {
            list.pop();
        }
        ("type", one) if *one == "array" => *one = json!("object"),
        ("type", one) => *one = json!("array"),
        (_, Value::Number(number)) => {
            *value = match number.as_i64() {
                Some(number) => json!(number + 1),
                None => json!(number.as_f64()? + 1.0),
            };
        }
        (_, Value::String(text)) => text.push('x'),
        (_, Value::Bool(truth)) => *truth = !*truth,
        (_, Value::Object(inner)) => {
            inner.insert("x-new".to_owned(), json!(["a"]));
        }
        _ => return None,
    }
    Some(format!("another `{name}`"))
}

/// One keyword more.
fn add(members: &mut Map<String, Value>, rng: &mut Rng) -> Option<String> {
    let all = [
        ("minimum", json!(-77)),
        ("maximum", json!(9_007_199_254_740_995_i64)),
        ("exclusiveMinimum", json!(-78.5)),
        ("multipleOf", json!(1)),
        ("minLength", json!(1)),
        ("maxLength", json!(77)),
        ("pattern", json!(".")),
        ("format", json!("hostname")),
        ("minItems", json!(1)),
        ("uniqueItems", json!(true)),
        ("maxItems", json!(77)),
        ("contains", json!({"type": "null"})),
        ("items", json!({"type": "null"})),
        ("minProperties", json!(1)),
        ("maxProperties", json!(77)),
        ("required", json!(["one more"])),
        ("enum", json!([1, null])),
        ("const", json!({"title": "t"})),
        ("default", json!(null)),
        ("not", json!({"type": "null"})),
        ("anyOf", json!([{"type": "null"}])),
        ("additionalProperties", json!(false)),
        ("propertyNames", json!({"maxLength": 7})),
        ("dependentRequired", json!({"a": ["b"]})),
        ("unevaluatedProperties", json!(false)),
        ("contentEncoding", json!("base64")),
        ("contentMediaType", json!("text/plain")),
        ("readOnly", json!(true)),
        ("x-unheard-of", json!({"description": "kept"})),
        ("nullable", json!(true)),
    ];
    let (name, value) = &all[rng.usize(..all.len())];
    if members.contains_key(*name) {
        return None;
    }
    members.insert((*name).to_owned(), value.clone());
    Some(format!("a new `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::contract::tool_schema;

    #[test]
    fn another_spelling_is_the_same_value() {
        for seed in 0..500 {
            let mut rng = Rng::with_seed(seed);
            let schema = tool_schema(&mut rng);
            let text = spell(&schema, &mut rng);
            let read: Value = serde_json::from_str(&text).expect("JSON");
            let plain = |value: &Value| {
                crate::oracle::canonical_text(value.to_string().as_bytes()).expect("JSON")
            };
            assert_eq!(plain(&read), plain(&schema), "{text}");
        }
    }

    #[test]
    fn a_change_changes_something() {
        let mut made = 0;
        for seed in 0..500 {
            let mut rng = Rng::with_seed(seed);
            let schema = tool_schema(&mut rng);
            if let Some((changed, what)) = change(&schema, &mut rng) {
                assert_ne!(changed, schema, "{what}");
                made += 1;
            }
        }
        assert!(made > 400, "{made}");
    }
}

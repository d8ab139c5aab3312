//! Pairs of schemas whose relation is known by how they were made.
//!
//! Every step widens a schema: whatever it allowed, closed or open as the law says, it still allows.
//! A pair in the other direction is one that may break, and does if there is a value that shows it.

use crate::rng::Rng;
use serde_json::{Map, Value, json};

use super::spelling::{renamed, reordered, worded};
use super::{each_schema, token};

/// How the schemas of a pair are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The new schema allows what the old one does.
    Wider,
    /// The old schema allows what the new one does, and perhaps more.
    Narrower,
    /// Nothing is known.
    Unknown,
}

/// Keywords in which a wider schema does not make the whole wider.
const TURNING: [&str; 5] = ["not", "oneOf", "contains", "if", "dependentSchemas"];

/// An old and a new schema made from `base`, and their relation when both are closed.
pub fn pair(base: &Value, rng: &mut Rng) -> (Value, Value, Relation) {
    let steps = [1, 1, 1, 2, 3][rng.usize(..5)];
    let relation = match rng.u8(..100) {
        0..40 => Relation::Wider,
        40..88 => Relation::Narrower,
        _ => Relation::Unknown,
    };
    let wider = widened(base, steps, relation == Relation::Narrower, rng);
    match relation {
        _ if !is_plain(base) => (base.clone(), wider, Relation::Unknown),
        Relation::Wider => (base.clone(), wider, relation),
        Relation::Narrower => (wider, base.clone(), relation),
        Relation::Unknown => {
            let other = match rng.bool() {
                true => widened(base, steps, false, rng),
                false => disturbed(base, rng),
            };
            (wider, other, relation)
        }
    }
}

/// The schema after some steps; with `more`, one of them is meant to let it allow more than before.
fn widened(base: &Value, steps: usize, more: bool, rng: &mut Rng) -> Value {
    let mut schema = base.clone();
    for step in 0..steps {
        for _ in 0..60 {
            if widen(&mut schema, more && step == 0, rng) {
                break;
            }
        }
    }
    schema
}

/// Something else somewhere: a member with another name, or another schema.
fn disturbed(base: &Value, rng: &mut Rng) -> Value {
    let mut schema = base.clone();
    let places = places(&schema);
    let place = &places[rng.usize(..places.len())];
    let Some(Value::Object(members)) = schema.pointer_mut(place) else {
        return schema;
    };
    match members.get_mut("properties") {
        Some(Value::Object(properties)) if !properties.is_empty() => {
            let name = properties.keys().nth(rng.usize(..properties.len()));
            let name = name.cloned().unwrap_or_default();
            let inner = properties.remove(&name).unwrap_or_default();
            match rng.bool() {
                true => properties.insert(format!("{name}_id"), inner),
                false => properties.insert(name, json!({"type": "boolean"})),
            };
        }
        _ => {
            members.insert("type".to_owned(), json!("boolean"));
        }
    }
    schema
}

/// Whether the steps can tell what they do: no reference where a schema turns the other way, none with
/// a constraint beside it or to somewhere else than a definition, and nothing unevaluated.
fn is_plain(schema: &Value) -> bool {
    let mut plain = schema.is_object();
    each_schema(&mut schema.clone(), &mut |inner| {
        let Value::Object(members) = inner else {
            plain &= inner.is_boolean();
            return;
        };
        if let Some(reference) = members.get("$ref") {
            let words = ["$ref", "title", "description", "default", "$schema"];
            plain &= members.keys().all(|name| words.contains(&name.as_str()))
                && reference
                    .as_str()
                    .is_some_and(|text| text.starts_with("#/$defs/"));
        }
        plain &= !members.keys().any(|name| {
            name.starts_with("unevaluated") || name.contains("ynamic") || name == "$id"
        });
        for turning in TURNING {
            let text = members.get(turning).map(Value::to_string);
            plain &= !text.is_some_and(|text| text.contains("\"$ref\""));
        }
    });
    plain
}

/// Where a wider schema makes the whole wider, as JSON Pointers.
fn places(schema: &Value) -> Vec<String> {
    fn walk(schema: &Value, at: &str, found: &mut Vec<String>) {
        let Value::Object(members) = schema else {
            return;
        };
        found.push(at.to_owned());
        for (keyword, value) in members {
            let here = format!("{at}/{}", token(keyword));
            match (keyword.as_str(), value) {
                ("properties" | "$defs" | "patternProperties", Value::Object(map)) => {
                    for (name, inner) in map {
                        walk(inner, &format!("{here}/{}", token(name)), found);
                    }
                }
                ("allOf" | "anyOf" | "prefixItems", Value::Array(list)) => {
                    for (index, inner) in list.iter().enumerate() {
                        walk(inner, &format!("{here}/{index}"), found);
                    }
                }
                ("items" | "additionalProperties" | "propertyNames", inner) => {
                    walk(inner, &here, found);
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(schema, "", &mut found);
    if found.is_empty() {
        found.push(String::new());
    }
    found
}

/// One step. False if it could not be made here.
fn widen(schema: &mut Value, more: bool, rng: &mut Rng) -> bool {
    let places = places(schema);
    let place = places[rng.usize(..places.len())].clone();
    match rng.u8(if more { 5 } else { 0 }..24) {
        0 => return replaced(schema, rng, renamed),
        1 => return replaced(schema, rng, worded),
        2 => return replaced(schema, rng, reordered),
        3 => return extract(schema, &place),
        4 => return inline(schema, &place),
        _ => {}
    }
    let Some(Value::Object(members)) = schema.pointer_mut(&place) else {
        return false;
    };
    match rng.u8(..if more { 13 } else { 14 }) {
        0 => bounds(members, rng),
        1 => counts(members, rng),
        2 | 3 => dropped(members, rng),
        4 | 5 => one_less(members, "required", rng),
        // Arguments are objects.
        6 => !place.is_empty() && types(members, rng),
        7 => one_more(members, rng),
        8 => alternative(members, rng),
        9 | 10 => optional(members, &place, rng),
        11 => additional(members, rng) || loosened(members),
        12 => rename(members, "oneOf", "anyOf"),
        _ => wrapped(members, &place, rng),
    }
}

fn replaced(schema: &mut Value, rng: &mut Rng, make: fn(&Value, &mut Rng) -> Value) -> bool {
    let by = make(schema, rng);
    let other = *schema != by;
    *schema = by;
    other
}

/// A definition instead of what stands there.
fn extract(schema: &mut Value, place: &str) -> bool {
    let name = "extracted";
    if place.is_empty() || schema.pointer("/$defs/extracted").is_some() {
        return false;
    }
    let Some(target) = schema.pointer_mut(place) else {
        return false;
    };
    let inner = target.take();
    *target = json!({"$ref": "#/$defs/extracted"});
    schema["$defs"][name] = inner;
    true
}

/// What a reference leads to instead of a schema that is only that, unless it leads to itself.
fn inline(schema: &mut Value, place: &str) -> bool {
    let alone = schema.pointer(place).and_then(Value::as_object);
    let alone = alone.filter(|members| members.len() == 1);
    let reference = alone.and_then(|members| members.get("$ref")?.as_str());
    let Some(reference) = reference.map(str::to_owned) else {
        return false;
    };
    let pointer = reference.strip_prefix('#').unwrap_or_default();
    let target = schema.pointer(pointer).cloned();
    match (target, schema.pointer_mut(place)) {
        (Some(target), Some(inner)) if !target.to_string().contains(&reference) => {
            *inner = target;
            true
        }
        _ => false,
    }
}

fn bounds(members: &mut Map<String, Value>, rng: &mut Rng) -> bool {
    let all = [
        ("minimum", "minimum", -1),
        ("maximum", "maximum", 1),
        ("exclusiveMinimum", "minimum", 0),
        ("exclusiveMaximum", "maximum", 0),
        ("exclusiveMinimum", "exclusiveMinimum", -1),
        ("exclusiveMaximum", "exclusiveMaximum", 1),
        ("multipleOf", "multipleOf", 0),
    ];
    let can = |(from, to, _): &&(&str, &str, i64)| {
        members.contains_key(*from) && (from == to || !members.contains_key(*to))
    };
    let can: Vec<_> = all.iter().filter(can).collect();
    if can.is_empty() {
        return false;
    }
    let (from, to, by) = *can[rng.usize(..can.len())];
    let Some(bound) = members.remove(from) else {
        return false;
    };
    let moved = match (bound.as_i64(), bound.as_f64()) {
        (Some(6), _) if from == "multipleOf" => json!(3),
        _ if from == "multipleOf" => return true,
        (Some(bound), _) => json!(bound.saturating_add(by)),
        (_, Some(bound)) => json!(bound + by as f64),
        _ => return false,
    };
    members.insert(to.to_owned(), moved);
    true
}

fn counts(members: &mut Map<String, Value>, rng: &mut Rng) -> bool {
    let all = [
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
    ];
    let present = |name: &&&str| members.contains_key(**name);
    let present: Vec<&&str> = all.iter().filter(present).collect();
    if present.is_empty() {
        return false;
    }
    let name = *present[rng.usize(..present.len())];
    let Some(count) = members.get(name).and_then(Value::as_u64) else {
        return false;
    };
    let count = match (name.starts_with("max"), count) {
        (true, count) => count + 1,
        (false, 0) => return members.remove(name).is_some(),
        (false, count) => count - 1,
    };
    members.insert(name.to_owned(), json!(count));
    true
}

/// A constraint less that declares no member.
fn dropped(members: &mut Map<String, Value>, rng: &mut Rng) -> bool {
    let all = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minItems",
        "maxItems",
        "uniqueItems",
        "contains",
        "minProperties",
        "maxProperties",
        "propertyNames",
        "dependentRequired",
        "required",
        "enum",
        "const",
        "not",
        "anyOf",
        "oneOf",
        "items",
    ];
    let present: Vec<&str> = all
        .into_iter()
        .filter(|name| members.contains_key(*name))
        .collect();
    if present.is_empty() {
        return false;
    }
    let name = present[rng.usize(..present.len())];
    let declares = members[name].to_string();
    if matches!(name, "anyOf" | "oneOf")
        && ["roperties", "$ref", "if\""]
            .iter()
            .any(|word| declares.contains(word))
    {
        return false;
    }
    // Without a type and with nothing to say, the place would be another kind of place to a closing rule.
    let scalar = members.get("type").is_some_and(|kind| kind != "object");
    if matches!(name, "enum" | "const" | "anyOf" | "oneOf") && !scalar {
        return false;
    }
    if name == "items" && declares.contains("roperties") {
        return false;
    }
    if name == "contains" {
        members.remove("minContains");
        members.remove("maxContains");
    }
    members.remove(name).is_some()
}

fn one_less(members: &mut Map<String, Value>, name: &str, rng: &mut Rng) -> bool {
    match members.get_mut(name) {
        Some(Value::Array(list)) if !list.is_empty() => {
            list.remove(rng.usize(..list.len()));
            true
        }
        _ => false,
    }
}

/// One type more.
fn types(members: &mut Map<String, Value>, rng: &mut Rng) -> bool {
    let more = ["number", "string", "boolean", "null", "integer"][rng.usize(..5)];
    let mut list = match members.get("type") {
        Some(Value::String(one)) => vec![json!(one)],
        Some(Value::Array(list)) => list.clone(),
        _ => return false,
    };
    let has = |name: &str| list.iter().any(|own| own == name);
    if has(more) || (more == "integer" && has("number")) {
        return false;
    }
    if more == "number" {
        list.retain(|own| own != "integer");
    }
    list.push(json!(more));
    let list = match list.len() {
        1 => list.remove(0),
        _ => Value::Array(list),
    };
    members.insert("type".to_owned(), list);
    true
}

/// One member of an enumeration more.
fn one_more(members: &mut Map<String, Value>, rng: &mut Rng) -> bool {
    let more = match rng.u8(..4) {
        0 => json!("zz"),
        1 => json!(4),
        2 => json!(9_007_199_254_740_994_i64),
        _ => json!(null),
    };
    if let Some(only) = members.get("const").filter(|only| **only != more) {
        let list = json!([only, more]);
        members.remove("const");
        return members.insert("enum".to_owned(), list).is_none();
    }
    match members.get_mut("enum") {
        Some(Value::Array(list)) if !list.contains(&more) => list.push(more),
        _ => return false,
    }
    true
}

/// One alternative more.
fn alternative(members: &mut Map<String, Value>, rng: &mut Rng) -> bool {
    let Some(Value::Array(list)) = members.get_mut("anyOf") else {
        return false;
    };
    list.push(match rng.u8(..3) {
        0 => json!({"type": "string", "maxLength": 3}),
        1 => json!({"type": "integer", "minimum": 2}),
        _ => json!({"type": "null"}),
    });
    true
}

/// A new optional member, where a closed schema would not have taken one of this name.
fn optional(members: &mut Map<String, Value>, place: &str, rng: &mut Rng) -> bool {
    let composed = ["/allOf/", "/anyOf/", "/oneOf/", "/$defs/", "/propertyNames"];
    let beside = [
        "allOf",
        "anyOf",
        "oneOf",
        "if",
        "not",
        "dependentSchemas",
        "patternProperties",
        "$ref",
    ];
    let closed = members
        .get("additionalProperties")
        .is_none_or(|more| *more == json!(false));
    if !closed
        || composed.iter().any(|word| place.contains(word))
        || beside.iter().any(|word| members.contains_key(*word))
    {
        return false;
    }
    let Some(Value::Object(properties)) = members.get_mut("properties") else {
        return false;
    };
    let name = ["verbose", "after", "n"][rng.usize(..3)];
    if properties.is_empty() || properties.contains_key(name) {
        return false;
    }
    let schema = match rng.u8(..3) {
        0 => json!({"type": "boolean", "default": false}),
        1 => json!({"type": "string"}),
        _ => json!({"type": ["integer", "null"], "minimum": 1}),
    };
    properties.insert(name.to_owned(), schema);
    true
}

fn additional(members: &mut Map<String, Value>, rng: &mut Rng) -> bool {
    if members.get("additionalProperties") != Some(&json!(false)) {
        return false;
    }
    let more = match rng.bool() {
        true => json!(true),
        false => json!({"type": "integer"}),
    };
    members.insert("additionalProperties".to_owned(), more);
    true
}

/// Alternatives with patterns of names that forbade all other names, and leave them to what they stand beside.
fn loosened(members: &mut Map<String, Value>) -> bool {
    let Some(Value::Array(list)) = members.get_mut("anyOf") else {
        return false;
    };
    let shut = |one: &Value| {
        one.get("patternProperties").is_some()
            && one.get("properties").is_none()
            && one.get("additionalProperties") == Some(&json!(false))
    };
    if !list.iter().all(shut) {
        return false;
    }
    for one in list.iter_mut().filter_map(Value::as_object_mut) {
        one.remove("additionalProperties");
    }
    true
}

fn rename(members: &mut Map<String, Value>, from: &str, to: &str) -> bool {
    if members.contains_key(to) {
        return false;
    }
    match members.remove(from) {
        Some(value) => members.insert(to.to_owned(), value).is_none(),
        None => false,
    }
}

/// The same in a composition of one.
fn wrapped(members: &mut Map<String, Value>, place: &str, rng: &mut Rng) -> bool {
    // An alternative that says nothing of members would say something then.
    if place.is_empty()
        || ["/allOf/", "/anyOf/"]
            .iter()
            .any(|word| place.contains(word))
    {
        return false;
    }
    let inner = Value::Object(std::mem::take(members));
    let (word, list) = match rng.u8(..4) {
        0 => ("allOf", json!([inner])),
        1 => ("anyOf", json!([inner])),
        2 => ("anyOf", json!([inner, inner])),
        _ => ("anyOf", json!([inner, {"type": "null"}])),
    };
    members.insert(word.to_owned(), list);
    true
}

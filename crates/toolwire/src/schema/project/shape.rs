//! What schemas of a projection are made of.

use super::unwrap::takes_null;
use crate::json::{is_whole, pointer};
use crate::schema::provider::Provider;
use crate::schema::tree::{Members, Tree};

/// Keywords that say something of values and that a provider refuses; a model is told of them.
pub(super) const TOLD: [&str; 30] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "contentEncoding",
    "contentMediaType",
    "minItems",
    "maxItems",
    "uniqueItems",
    "prefixItems",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedItems",
    "minProperties",
    "maxProperties",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "not",
    "if",
    "then",
    "else",
];

/// Keywords that make up a schema; beside a reference they are lost.
pub(super) const STRUCTURE: [&str; 10] = [
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "allOf",
    "anyOf",
    "oneOf",
];

pub(super) const ANYTHING: [&str; 4] = ["boolean", "null", "number", "string"];

/// What stands for a schema that takes anything: a provider wants a type.
pub(super) fn anything(mut out: Members) -> Tree {
    set_types(&mut out, &ANYTHING.map(str::to_owned));
    Tree::Object(out)
}

/// An object that has these properties and no others, of which some must be there.
pub(super) fn closed(properties: Vec<(String, Tree)>, names: Vec<String>) -> Tree {
    let mut out = Members::default();
    let names = names.iter().map(|name| Tree::text(name)).collect();
    out.set("type", Tree::text("object"));
    out.set("required", Tree::Array(names));
    out.set("additionalProperties", Tree::flag(false));
    out.set("properties", Tree::Object(Members { all: properties }));
    Tree::Object(out)
}

pub(super) fn reference(name: &str) -> Tree {
    let mut out = Members::default();
    out.set("$ref", Tree::text(&format!("#/$defs/{name}")));
    Tree::Object(out)
}

/// Whether a provider takes it as a root: an object whose properties have plain names.
pub(super) fn is_root(schema: &Tree, provider: Provider) -> bool {
    let Some(members) = schema.object() else {
        return false;
    };
    let properties = members.get("properties").and_then(Tree::object);
    let plain =
        properties.is_none_or(|all| all.all.iter().all(|(name, _)| provider.takes_name(name)));
    plain
        && members
            .get("type")
            .is_some_and(|kind| kind.is("\"object\""))
}

pub(super) fn is_simple(value: &Tree) -> bool {
    matches!(value, Tree::Leaf(_))
}

pub(super) fn set_types(out: &mut Members, types: &[String]) {
    let mut types: Vec<&String> = types.iter().collect();
    types.sort_by_key(|kind| (*kind == "null", kind.as_str()));
    types.dedup();
    match types.as_slice() {
        [] => {}
        [one] => out.set("type", Tree::text(one)),
        all => {
            let all = all.iter().map(|kind| Tree::text(kind)).collect();
            out.set("type", Tree::Array(all));
        }
    }
}

/// The types that a simple value has, the narrowest first.
pub(super) fn kinds_of(value: &Tree) -> &'static [&'static str] {
    let json = value.to_json();
    match json.as_bytes().first() {
        Some(b'"') => &["string"],
        Some(b't' | b'f') => &["boolean"],
        Some(b'n') => &["null"],
        _ if is_whole(&json) => &["integer", "number"],
        _ => &["number"],
    }
}

/// The types of simple values.
pub(super) fn kinds_of_all(values: &[Tree]) -> Vec<String> {
    let kinds = values.iter().map(|value| kinds_of(value)[0].to_owned());
    let mut kinds: Vec<String> = kinds.collect();
    if kinds.iter().any(|kind| kind == "number") {
        kinds.retain(|kind| kind != "integer");
    }
    kinds
}

/// The same schema, which takes null too: a member that may be left out is there and null.
pub(super) fn nullable(mut schema: Tree) -> Tree {
    let null = || Tree::Leaf("null".to_owned());
    let null_type = || {
        let mut out = Members::default();
        out.set("type", Tree::text("null"));
        Tree::Object(out)
    };
    let Some(members) = schema.object_mut() else {
        return schema;
    };
    if members.has("$ref") {
        let mut out = Members::default();
        out.set("anyOf", Tree::Array(vec![schema, null_type()]));
        return Tree::Object(out);
    }
    if let Some(Tree::Array(all)) = members.get("anyOf") {
        let mut all = all.clone();
        if !all.iter().any(takes_null) {
            all.push(null_type());
        }
        members.set("anyOf", Tree::Array(all));
        return schema;
    }
    let mut types = match members.get("type") {
        Some(Tree::Array(kinds)) => kinds.iter().filter_map(Tree::as_text).collect(),
        Some(kind) => kind.as_text().into_iter().collect::<Vec<_>>(),
        None => Vec::new(),
    };
    types.push("null".to_owned());
    set_types(members, &types);
    if let Some(Tree::Array(values)) = members.get("enum") {
        let mut values = values.clone();
        if !values.contains(&null()) {
            values.push(null());
        }
        members.set("enum", Tree::Array(values));
    }
    schema
}

/// Tells a model in words what the schema cannot say.
pub(super) fn describe(
    out: &mut Members,
    description: Option<&Tree>,
    labels: &[String],
    told: Members,
) {
    let mut parts: Vec<String> = description.and_then(Tree::as_text).into_iter().collect();
    if !labels.is_empty() {
        parts.push(labels.join("\n"));
    }
    if !told.all.is_empty() {
        let json = Tree::Object(told).to_json();
        // What is so long would cost more than it helps; the answer is checked anyway.
        if json.len() <= 1000 {
            parts.push(format!("JSON Schema: {json}"));
        }
    }
    let text = parts.join("\n\n");
    if !text.is_empty() {
        out.set("description", Tree::text(&text));
    }
}

/// What a reference in the same document refers to.
pub(in crate::schema) fn resolve<'a>(root: &'a Tree, reference: &str) -> Option<&'a Tree> {
    let pointer = reference.strip_prefix('#')?;
    if pointer.is_empty() {
        return Some(root);
    }
    let steps = pointer.strip_prefix('/')?.split('/');
    steps.into_iter().try_fold(root, |tree, step| {
        let name = pointer::unescape(step);
        match tree {
            Tree::Object(members) => members.get(&name),
            Tree::Array(elements) => elements.get(name.parse::<usize>().ok()?),
            Tree::Leaf(_) => None,
        }
    })
}

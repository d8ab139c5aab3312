//! What schemas of a projection are made of.

use crate::base::json::{pointer, type_of};
use crate::base::schema::OF_TYPE;
use crate::base::schema::provider::Provider;
use crate::base::schema::tree::{Members, Tree, types};

/// Keywords that make up a projection; beside a reference they are lost.
const STRUCTURE: [&str; 10] = [
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

/// Further keywords that say something of values.
const OTHER: [&str; 14] = [
    "contentEncoding",
    "contentMediaType",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedItems",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "not",
    "if",
    "then",
    "else",
];

/// The keywords of JSON Schema that say something of values, without a document around them.
///
/// ```
/// assert!(toolwire::schema::value_keywords().any(|keyword| keyword == "minLength"));
/// assert!(toolwire::schema::value_keywords().all(|keyword| keyword != "$ref"));
/// ```
pub fn value_keywords() -> impl Iterator<Item = &'static str> {
    let of_type = OF_TYPE.iter().flat_map(|(_, keywords)| *keywords);
    STRUCTURE.iter().chain(&OTHER).chain(of_type).copied()
}

/// Whether a keyword says something of values, so that it is lost where it can't stand.
pub(super) fn constrains(keyword: &str) -> bool {
    STRUCTURE.contains(&keyword) || is_described(keyword)
}

/// Whether the description has a keyword that the provider refuses.
pub(super) fn is_described(keyword: &str) -> bool {
    let mut of_type = OF_TYPE.iter().flat_map(|(_, keywords)| *keywords);
    !STRUCTURE.contains(&keyword)
        && (OTHER.contains(&keyword) || of_type.any(|own| *own == keyword))
}

pub(super) const ANYTHING: [&str; 4] = ["boolean", "null", "number", "string"];

/// What stands for a schema that takes anything: a provider wants a type.
pub(super) fn anything() -> Tree {
    let mut out = Members::default();
    out.set_types(ANYTHING.map(Tree::text).into());
    Tree::Object(out)
}

/// An object that has these properties and no others, of which some must be there.
pub(super) fn closed(properties: Members, names: Vec<String>) -> Members {
    let names = names.iter().map(|name| Tree::text(name)).collect();
    let mut out = Members::default();
    out.set("required", Tree::Array(names));
    out.set("additionalProperties", Tree::flag(false));
    out.set("properties", Tree::Object(properties));
    out
}

pub(super) fn reference(name: &str) -> Tree {
    Tree::from([("$ref", Tree::text(&format!("#/$defs/{name}")))])
}

pub(super) fn any_of(all: Vec<Tree>) -> Tree {
    Tree::from([("anyOf", Tree::Array(all))])
}

/// Whether a provider takes it as a root: an object whose properties have plain names.
pub(super) fn is_root(schema: &Tree, provider: Provider) -> bool {
    let names = schema.object().map(|members| members.map("properties"));
    let mut names = names.into_iter().flatten();
    schema.has_type("object") && names.all(|(name, _)| provider.takes_name(name))
}

pub(super) fn is_simple(value: &Tree) -> bool {
    matches!(value, Tree::Leaf(_))
}

/// The types that a simple value has, the narrowest first.
pub(super) fn kinds_of(value: &Tree) -> &'static [&'static str] {
    match type_of(&value.to_json()) {
        "integer" => &["integer", "number"],
        "number" => &["number"],
        "boolean" => &["boolean"],
        "null" => &["null"],
        _ => &["string"],
    }
}

/// The types of simple values.
pub(super) fn kinds_of_all<'a>(values: impl Iterator<Item = &'a Tree>) -> Vec<Tree> {
    let mut kinds: Vec<&str> = values.map(|value| kinds_of(value)[0]).collect();
    if kinds.contains(&"number") {
        kinds.retain(|kind| *kind != "integer");
    }
    kinds.into_iter().map(Tree::text).collect()
}

/// The same schema, which takes null too: a member that may be left out is there and null.
pub(super) fn nullable(mut schema: Tree) -> Tree {
    let null = || Tree::from([("type", Tree::text("null"))]);
    let Some(members) = schema.object_mut() else {
        return schema;
    };
    if members.has("$ref") {
        return any_of(vec![schema, null()]);
    }
    if let Some(Tree::Array(all)) = members.get_mut("anyOf") {
        if !all.iter().any(takes_null) {
            all.push(null());
        }
        return schema;
    }
    let types = types(members.get("type")).into_iter();
    let types = types.chain(["null".to_owned()]);
    members.set_types(types.map(|kind| Tree::text(&kind)).collect());
    if let Some(Tree::Array(values)) = members.get_mut("enum")
        && !values.contains(&Tree::null())
    {
        values.push(Tree::null());
    }
    schema
}

/// Tells a model in words what the schema cannot say.
pub(super) fn describe(
    out: &mut Members,
    description: Option<&Tree>,
    labels: &[String],
    described: Members,
) {
    let mut parts: Vec<String> = description.and_then(Tree::as_text).into_iter().collect();
    if !labels.is_empty() {
        parts.push(labels.join("\n"));
    }
    if !described.all.is_empty() {
        let json = Tree::Object(described).to_json();
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
pub(in crate::base::schema) fn resolve<'a>(root: &'a Tree, reference: &str) -> Option<&'a Tree> {
    let pointer = reference.strip_prefix('#')?;
    if pointer.is_empty() {
        return Some(root);
    }
    let mut steps = pointer.strip_prefix('/')?.split('/');
    steps.try_fold(root, |tree, step| {
        let name = pointer::unescape(step);
        match tree {
            Tree::Array(elements) => elements.get(name.parse::<usize>().ok()?),
            tree => tree.get(&name),
        }
    })
}

/// Whether a schema by itself takes null.
fn takes_null(schema: &Tree) -> bool {
    schema.object().is_some_and(says_null)
}

pub(super) fn says_null(members: &Members) -> bool {
    if let Some(value) = members.get("const") {
        return value.is("null");
    }
    if let Some(values) = members.get("enum").and_then(Tree::array) {
        return values.contains(&Tree::null());
    }
    let combined = ["type", "$ref", "allOf", "anyOf", "oneOf"];
    !combined.iter().any(|keyword| members.has(keyword))
        || members.types().iter().any(|kind| kind == "null")
}

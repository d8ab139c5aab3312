//! References inside of one schema: what a `$ref` refers to.

use std::borrow::Cow;

use crate::base::json::{Kind, Node};

/// Maximum length of a chain of references; a longer one is a cycle.
const MAX_STEPS: usize = 16;

/// What a `$ref` refers to, if that is in the same document.
pub(crate) fn resolve<'a>(root: Node<'a>, reference: &str) -> Option<Node<'a>> {
    root.at(reference.strip_prefix('#')?)
}

/// The schema that stands behind references at the top of a schema, so far as they can be followed.
pub(crate) fn target<'a>(schema: Node<'a>, root: Node<'a>) -> Node<'a> {
    let mut schema = schema;
    for _ in 0..MAX_STEPS {
        let reference = schema.get("$ref").and_then(|reference| reference.as_str());
        match reference.and_then(|reference| resolve(root, &reference)) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

/// Keywords with which more than its properties decides what an object is.
const NOT_FLAT: [&str; 10] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "$ref",
    "$dynamicRef",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
];

/// The properties of a flat object with at most so many of them, and the names of the required ones.
pub(crate) fn flat_object<'a>(
    schema: Node<'a>,
    limit: usize,
) -> Option<(Node<'a>, Vec<Cow<'a, str>>)> {
    let kind = schema.get("type")?;
    let kind = kind
        .elements()
        .next()
        .filter(|_| kind.len() == 1)
        .unwrap_or(kind);
    if !kind.is_str("object") || NOT_FLAT.iter().any(|k| schema.get(k).is_some()) {
        return None;
    }
    let others = schema.get("additionalProperties");
    // An object that names the schema of its other members is a map.
    let names_one = |others: Node<'_>| others.kind() != Kind::Object || !others.is_empty();
    if others.is_some_and(|others| others.kind() != Kind::Bool && names_one(others)) {
        return None;
    }
    let properties = schema
        .get("properties")
        .filter(|all| all.kind() == Kind::Object)?;
    let required = schema.get("required").into_iter();
    let required = required.flat_map(|names| names.elements()).take(limit + 1);
    let required: Vec<_> = required.filter_map(|name| name.as_str()).collect();
    let is_known = |name: &Cow<'_, str>| properties.get(name).is_some();
    let fits = properties.len() <= limit && required.len() <= limit;
    (fits && required.iter().all(is_known)).then_some((properties, required))
}

//! JSON Schemas of tools: one form for what languages generate (AUTH-60 to AUTH-69, AUTH-73), and the part that
//! providers of models take.

mod close;
mod inline;
mod project;
mod tidy;
mod tree;

pub use close::close;
pub(crate) use project::without_nulls;
pub use project::{Loss, Projection, project, project_answer};
pub use tidy::{tidy, tidy_input, tidy_output};

use tree::{Members, Tree};

/// The keywords whose values are objects of schemas.
const MAPS: [&str; 5] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
];
/// The keywords whose values are arrays of schemas.
const LISTS: [&str; 4] = ["prefixItems", "allOf", "anyOf", "oneOf"];
/// The keywords whose values are schemas.
const SINGLE: [&str; 11] = [
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "propertyNames",
    "additionalItems",
    "not",
    "if",
    "then",
    "else",
];

/// Calls `visit` for each schema right inside of a schema, with the name that it has in an object.
fn each_inside(schema: &mut Members, visit: &mut dyn FnMut(&str, Option<&str>, &mut Tree)) {
    for (keyword, value) in &mut schema.all {
        if MAPS.contains(&keyword.as_str()) {
            for (name, inside) in value.object_mut().into_iter().flat_map(|m| &mut m.all) {
                visit(keyword, Some(name), inside);
            }
        } else if LISTS.contains(&keyword.as_str()) {
            if let Tree::Array(all) = value {
                for inside in all {
                    visit(keyword, None, inside);
                }
            }
        } else if SINGLE.contains(&keyword.as_str()) {
            visit(keyword, None, value);
        }
    }
}

/// Calls `change` for each reference in a schema.
fn each_reference(schema: &mut Tree, change: &mut dyn FnMut(&mut Tree)) {
    let Some(members) = schema.object_mut() else {
        return;
    };
    if let Some((_, reference)) = members.all.iter_mut().find(|(name, _)| name == "$ref") {
        change(reference);
    }
    each_inside(members, &mut |_, _, inside| each_reference(inside, change));
}

/// Whether a keyword can't move from one schema into another one that holds as well: since it is there
/// too, or since it depends on keywords beside it.
fn clash(keyword: &str, outer: &Members, inner: &Members) -> bool {
    let meets = |one: &str, others: &[&str]| {
        others
            .iter()
            .any(|other| keyword == one && outer.has(other) || outer.has(one) && inner.has(other))
    };
    outer.has(keyword)
        || meets("additionalProperties", &["properties", "patternProperties"])
        || meets("items", &["prefixItems"])
        || meets("additionalItems", &["items"])
        || meets("if", &["then", "else"])
        || meets("contains", &["minContains", "maxContains"])
}

/// Puts a schema under one required property of an object. Its `$defs` and its `$id`
/// stay at the top, and references to other places in it follow it.
fn wrap(mut schema: Tree, name: &str) -> Tree {
    let definitions = schema.object_mut().and_then(|m| m.remove("$defs"));
    let address = schema.object_mut().and_then(|m| m.remove("$id"));
    each_reference(&mut schema, &mut |reference| follow(reference, name));
    let mut outer = Members::default();
    if let Some(mut definitions) = definitions {
        for (_, definition) in definitions
            .object_mut()
            .into_iter()
            .flat_map(|m| &mut m.all)
        {
            each_reference(definition, &mut |reference| follow(reference, name));
        }
        outer.set("$defs", definitions);
    }
    if let Some(address) = address {
        outer.set("$id", address);
    }
    outer.set("type", Tree::text("object"));
    let mut properties = Members::default();
    properties.set(name, schema);
    outer.set("properties", Tree::Object(properties));
    outer.set("required", Tree::Array(vec![Tree::text(name)]));
    Tree::Object(outer)
}

/// Lets a reference lead to where its target has moved.
fn follow(reference: &mut Tree, name: &str) {
    let Some(text) = reference.as_text() else {
        return;
    };
    let Some(pointer) = text.strip_prefix('#') else {
        return;
    };
    let stays = pointer == "/$defs" || pointer.starts_with("/$defs/");
    if !stays && (pointer.is_empty() || pointer.starts_with('/')) {
        *reference = Tree::text(&format!("#/properties/{name}{pointer}"));
    }
}

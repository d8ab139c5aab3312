//! JSON Schemas of tools: one form for what languages generate (AUTH-60 to AUTH-69, AUTH-73), and the part that
//! providers of models take.

mod close;
mod inline;
mod lint;
mod mend;
mod project;
mod provider;
mod tidy;
pub(crate) mod tree;

pub use close::close;
pub use lint::lint_schema;
pub use mend::mend;
pub(crate) use project::without_nulls;
pub use project::{Loss, Projection, project, project_answer};
pub use provider::Provider;
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

/// What stays at the root when a schema moves to another place.
const ROOT: [&str; 4] = ["$schema", "$id", "$defs", "definitions"];

/// Takes out of a schema what stays at the root, and lets all references follow the rest to its new place, a JSON
/// Pointer.
pub(crate) fn lift(schema: &mut Tree, place: &str) -> Members {
    let mut root = Members::default();
    for keyword in ROOT {
        if let Some(value) = schema.object_mut().and_then(|m| m.remove(keyword)) {
            root.set(keyword, value);
        }
    }
    move_references(schema, place);
    for keyword in ["$defs", "definitions"] {
        let all = root.all.iter_mut().filter(|(name, _)| name == keyword);
        for (_, definition) in all
            .filter_map(|(_, all)| all.object_mut())
            .flat_map(|m| &mut m.all)
        {
            move_references(definition, place);
        }
    }
    root
}

fn move_references(schema: &mut Tree, place: &str) {
    let Some(members) = schema.object_mut() else {
        return;
    };
    // What has an address of its own refers to places in itself.
    if members.has("$id") {
        return;
    }
    for (keyword, reference) in &mut members.all {
        if ["$ref", "$dynamicRef", "$recursiveRef"].contains(&keyword.as_str()) {
            follow(reference, place);
        }
    }
    each_inside(members, &mut |_, _, inside| move_references(inside, place));
}

/// Puts a schema under one required property of an object.
pub(crate) fn wrap_as(mut schema: Tree, name: &str) -> Tree {
    let mut outer = lift(&mut schema, &format!("/properties/{name}"));
    outer.set("type", Tree::text("object"));
    let mut properties = Members::default();
    properties.set(name, schema);
    outer.set("properties", Tree::Object(properties));
    outer.set("required", Tree::Array(vec![Tree::text(name)]));
    Tree::Object(outer)
}

/// Lets a reference lead to where its target has moved.
fn follow(reference: &mut Tree, place: &str) {
    let Some(text) = reference.as_text() else {
        return;
    };
    let Some(pointer) = text.strip_prefix('#') else {
        return;
    };
    let stays = |root: &str| {
        let rest = pointer.strip_prefix(root);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let stays = stays("/$defs") || stays("/definitions");
    if !stays && (pointer.is_empty() || pointer.starts_with('/')) {
        *reference = Tree::text(&format!("#{place}{pointer}"));
    }
}

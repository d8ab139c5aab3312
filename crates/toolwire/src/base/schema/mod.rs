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
pub use project::{Loss, Projection, project, project_answer, value_keywords};
pub use provider::Provider;
pub use tidy::{tidy, tidy_input, tidy_output};

use crate::base::json::pointer;
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

/// Keywords that only say something of values of one type, and so imply it.
const OF_TYPE: [(&str, &[&str]); 4] = [
    (
        "object",
        &[
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
        ],
    ),
    ("array", &["items", "prefixItems", "minItems", "maxItems"]),
    ("string", &["minLength", "maxLength", "pattern", "format"]),
    (
        "number",
        &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
    ),
];

/// Calls `visit` for each schema right inside of a schema, with its keyword and, in an object or a list, its
/// name or index.
fn each_inside(schema: &mut Members, visit: &mut dyn FnMut(&str, &str, &mut Tree)) {
    for (keyword, value) in &mut schema.all {
        let keyword = keyword.as_str();
        match value {
            Tree::Object(all) if MAPS.contains(&keyword) => {
                let all = all.all.iter_mut();
                all.for_each(|(name, inside)| visit(keyword, name, inside));
            }
            Tree::Array(all) if LISTS.contains(&keyword) => {
                for (index, inside) in all.iter_mut().enumerate() {
                    visit(keyword, &index.to_string(), inside);
                }
            }
            value if SINGLE.contains(&keyword) => visit(keyword, "", value),
            _ => {}
        }
    }
}

/// The place of a schema that [`each_inside`] visits.
fn place_inside(place: &str, keyword: &str, name: &str) -> String {
    let inside = pointer::join(place, keyword);
    match SINGLE.contains(&keyword) {
        true => inside,
        false => pointer::join(&inside, name),
    }
}

/// Calls `change` for each reference in a schema.
fn each_reference(schema: &mut Tree, change: &mut dyn FnMut(&mut Tree)) {
    let Some(members) = schema.object_mut() else {
        return;
    };
    members.get_mut("$ref").into_iter().for_each(&mut *change);
    each_inside(members, &mut |_, _, inside| each_reference(inside, change));
}

/// Keywords that belong together: one of them can't move away from the others.
const TOGETHER: [(&str, &[&str]); 5] = [
    ("additionalProperties", &["properties", "patternProperties"]),
    ("items", &["prefixItems"]),
    ("additionalItems", &["items"]),
    ("if", &["then", "else"]),
    ("contains", &["minContains", "maxContains"]),
];

/// Whether a keyword can't move from one schema into another one that holds as well: since it is there
/// too, or since it depends on keywords beside it.
fn clash(keyword: &str, outer: &dyn Fn(&str) -> bool, inner: &Members) -> bool {
    let meets = |(one, others): &(&str, &[&str])| {
        let mut others = others.iter();
        others.any(|other| keyword == *one && outer(other) || outer(one) && inner.has(other))
    };
    outer(keyword) || TOGETHER.iter().any(meets)
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
    each_inside(&mut root, &mut |_, _, inside| {
        move_references(inside, place)
    });
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
    for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
        let reference = members.get_mut(keyword);
        reference.into_iter().for_each(|it| follow(it, place));
    }
    each_inside(members, &mut |_, _, inside| move_references(inside, place));
}

/// Puts a schema under one required property of an object.
pub(crate) fn wrap_as(mut schema: Tree, name: &str) -> Tree {
    let mut outer = lift(&mut schema, &format!("/properties/{name}"));
    outer.set("type", Tree::text("object"));
    outer.set("properties", Tree::from([(name, schema)]));
    outer.set("required", Tree::Array(vec![Tree::text(name)]));
    Tree::Object(outer)
}

/// Lets a reference lead to where its target has moved.
fn follow(reference: &mut Tree, place: &str) {
    let text = reference.as_text().unwrap_or_default();
    let Some(pointer) = text.strip_prefix('#') else {
        return;
    };
    let stays = ["/$defs", "/definitions"].map(|root| pointer::holds(root, pointer));
    if !stays.contains(&true) && (pointer.is_empty() || pointer.starts_with('/')) {
        *reference = Tree::text(&format!("#{place}{pointer}"));
    }
}

//! A projection in the form of schemas that Google has: one type each, `nullable` for null, and `anyOf` alone.

use super::shape::any_of;
use crate::base::schema::OF_TYPE;
use crate::base::schema::tree::{Members, Tree};

pub(super) fn lower(schema: Tree) -> Tree {
    let Tree::Object(mut members) = schema else {
        return schema;
    };
    members.remove("additionalProperties");
    let required = members.get("required");
    if required.is_some_and(|names| *names == Tree::Array(Vec::new())) {
        members.remove("required");
    }
    for (keyword, value) in &mut members.all {
        match (keyword.as_str(), value) {
            ("properties", Tree::Object(all)) => {
                all.all
                    .iter_mut()
                    .for_each(|(_, property)| lower_at(property));
            }
            ("items", items) => lower_at(items),
            _ => {}
        }
    }
    match members.remove("anyOf") {
        Some(Tree::Array(all)) => {
            let all = all.into_iter().map(lower).collect();
            union(all, false, &members)
        }
        _ => typed(members),
    }
}

fn lower_at(schema: &mut Tree) {
    *schema = lower(std::mem::replace(schema, Tree::null()));
}

/// A schema with the types that it names.
fn typed(mut members: Members) -> Tree {
    let mut kinds = members.types();
    let all = kinds.len();
    kinds.retain(|kind| kind != "null");
    let nullable = kinds.len() < all;
    if let Some(Tree::Array(values)) = members.get_mut("enum") {
        values.retain(|value| !value.is("null"));
        if values.is_empty() {
            members.remove("enum");
        }
    }
    if kinds.len() > 1 {
        let all = kinds.iter().map(|kind| of_kind(&members, kind));
        return union(all.collect(), nullable, &members);
    }
    // Only null is a type that there is not.
    let kind = kinds.first().map_or("string", String::as_str);
    members.set("type", Tree::text(kind));
    if nullable {
        members.set("nullable", Tree::flag(true));
    }
    Tree::Object(members)
}

/// What a schema says of one of its types.
fn of_kind(members: &Members, kind: &str) -> Tree {
    let mut out = Members::default();
    out.set("type", Tree::text(kind));
    let family = if kind == "integer" { "number" } else { kind };
    let own = OF_TYPE.iter().filter(|(of, _)| *of == family);
    let own = own.flat_map(|(_, keywords)| *keywords);
    // All values of an enumeration are strings.
    let values = ["enum"].iter().filter(|_| kind == "string");
    for keyword in own.chain(values) {
        if let Some(value) = members.get(keyword) {
            out.set(keyword, value.clone());
        }
    }
    Tree::Object(out)
}

/// Alternatives. What is said of all of them moves into the first, since nothing may stand beside them.
fn union(all: Vec<Tree>, mut nullable: bool, around: &Members) -> Tree {
    let null = Tree::from([
        ("type", Tree::text("string")),
        ("nullable", Tree::flag(true)),
    ]);
    let mut flat = Vec::new();
    for one in all {
        match one.get("anyOf").and_then(Tree::array) {
            Some(inner) => flat.extend(inner.iter().cloned()),
            None if one == null => nullable = true,
            None => flat.push(one),
        }
    }
    if let Some(Tree::Object(first)) = flat.first_mut() {
        if let (false, Some(title)) = (first.has("title"), around.get("title")) {
            first.set("title", title.clone());
        }
        let both = [around.text("description"), first.text("description")];
        let both: Vec<String> = both.into_iter().flatten().collect();
        if !both.is_empty() {
            first.set("description", Tree::text(&both.join("\n\n")));
        }
        if nullable {
            first.set("nullable", Tree::flag(true));
        }
    }
    match flat.len() {
        1 => flat.remove(0),
        _ => any_of(flat),
    }
}

//! A projection in the form of schemas that Google has: one type each, `nullable` for null, and `anyOf` alone.

use crate::schema::tree::{Members, Tree};

/// Keywords that belong to one type.
const OWN: [(&str, &[&str]); 4] = [
    (
        "string",
        &["enum", "format", "pattern", "minLength", "maxLength"],
    ),
    ("array", &["items", "minItems", "maxItems"]),
    (
        "object",
        &["properties", "required", "minProperties", "maxProperties"],
    ),
    ("number", &["minimum", "maximum"]),
];

pub(super) fn lower(schema: Tree) -> Tree {
    let Tree::Object(mut members) = schema else {
        return schema;
    };
    members.remove("additionalProperties");
    if members
        .get("required")
        .is_some_and(|all| all.array() == Some(&[]))
    {
        members.remove("required");
    }
    for (keyword, value) in &mut members.all {
        match (keyword.as_str(), value) {
            ("properties", Tree::Object(all)) => {
                for (_, property) in &mut all.all {
                    *property = lower(std::mem::replace(property, Tree::flag(true)));
                }
            }
            ("items", items) => *items = lower(std::mem::replace(items, Tree::flag(true))),
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

/// A schema with the types that it names.
fn typed(mut members: Members) -> Tree {
    let mut kinds: Vec<String> = match members.get("type") {
        Some(Tree::Array(kinds)) => kinds.iter().filter_map(Tree::as_text).collect(),
        Some(kind) => kind.as_text().into_iter().collect(),
        None => Vec::new(),
    };
    let all = kinds.len();
    kinds.retain(|kind| kind != "null");
    let nullable = kinds.len() < all;
    if let Some(Tree::Array(values)) = members.get("enum") {
        let values: Vec<Tree> = values.iter().filter(|v| !v.is("null")).cloned().collect();
        members.remove("enum");
        if !values.is_empty() {
            members.set("enum", Tree::Array(values));
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
    let numbers = if kind == "integer" { "number" } else { kind };
    let own = OWN.iter().find(|(of, _)| *of == numbers);
    for keyword in own.map(|(_, keywords)| *keywords).unwrap_or_default() {
        if let Some(value) = members.get(keyword) {
            out.set(keyword, value.clone());
        }
    }
    Tree::Object(out)
}

/// Alternatives. What is said of all of them moves into the first, since nothing may stand beside them.
fn union(all: Vec<Tree>, nullable: bool, around: &Members) -> Tree {
    let mut nullable = nullable;
    let mut flat = Vec::new();
    for one in all {
        let only_null = one.object().is_some_and(|one| {
            one.all.len() == 2
                && one.has("nullable")
                && one.get("type").is_some_and(|kind| kind.is("\"string\""))
        });
        match one
            .object()
            .and_then(|one| one.get("anyOf"))
            .and_then(Tree::array)
        {
            Some(inner) => flat.extend(inner.iter().cloned()),
            None if only_null => nullable = true,
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
    if flat.len() == 1 {
        return flat.remove(0);
    }
    let mut out = Members::default();
    out.set("anyOf", Tree::Array(flat));
    Tree::Object(out)
}

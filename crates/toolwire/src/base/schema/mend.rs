//! Schemas of other authors: in an older dialect, or with a slip that leaves no doubt of what is meant (Q-78).

use std::collections::BTreeSet;

use super::tree::{Members, Tree};
use super::{MAPS, each_inside};
use crate::Json;

/// A schema as one of 2020-12, so far as that leaves no doubt: an older dialect is translated, and what libraries write
/// for nothing (`null`, `[]` for an empty map) is left out. What else is wrong with it stays.
///
/// ```
/// use toolwire::Json;
/// use toolwire::schema::mend;
///
/// let schema = Json::new(r#"{"items":[{"type":"string"}],"additionalItems":false,"description":null}"#)?;
/// assert_eq!(mend(&schema).as_str(), r#"{"items":false,"prefixItems":[{"type":"string"}]}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn mend(schema: &Json) -> Json {
    let mut root = Tree::read(schema);
    mend_tree(&mut root);
    Json::written(root.to_json())
}

pub(super) fn mend_tree(root: &mut Tree) {
    let dialect = root.object().and_then(|root| root.text("$schema"));
    let is = |old: &[&str]| {
        let dialect = dialect.as_deref().unwrap_or_default();
        old.iter().any(|old| dialect.contains(old))
    };
    let ignores = is(&["draft-04", "draft-06", "draft-07"]);
    if let Some(root) = root.object_mut().filter(|_| ignores || is(&["2019-09"])) {
        root.remove("$schema");
    }
    schema(root, ignores);
}

/// One schema. `ignores` says whether keywords beside a reference have no meaning.
fn schema(tree: &mut Tree, ignores: bool) {
    if is_nothing(tree) {
        *tree = Tree::from([]);
    }
    let Some(members) = tree.object_mut() else {
        return;
    };
    if ignores && members.has("$ref") {
        let stays = ["$ref", "$defs", "definitions"];
        let stays = |(name, _): &(String, Tree)| stays.contains(&name.as_str());
        members.all.retain(stays);
    }
    members.all.retain(|(name, value)| {
        !value.is("null") || ["const", "default", "example"].contains(&name.as_str())
    });
    older(members);
    for (keyword, value) in &mut members.all {
        let is_map = MAPS.contains(&keyword.as_str()) || keyword == "dependentRequired";
        if is_map && is_nothing(value) {
            *value = Tree::from([]);
        }
    }
    each_inside(members, &mut |_, _, inside| schema(inside, ignores));
}

/// What libraries write for an empty object.
fn is_nothing(tree: &Tree) -> bool {
    tree.is("null") || *tree == Tree::Array(Vec::new())
}

/// What older dialects write otherwise.
fn older(members: &mut Members) {
    if !members.list("items").is_empty() {
        rename(members, "items", "prefixItems");
        rename(members, "additionalItems", "items");
    }
    for (limit, exclusive) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
        let flag = members.get(exclusive).cloned();
        let Some(flag) = flag.filter(|flag| flag.is("true") || flag.is("false")) else {
            continue;
        };
        members.remove(exclusive);
        if flag.is("true") {
            rename(members, limit, exclusive);
        }
    }
    if members.text("$recursiveRef").as_deref() == Some("#") && !members.has("$ref") {
        members.remove("$recursiveRef");
        members.set("$ref", Tree::text("#"));
    }
    dependencies(members);
    let mut known = BTreeSet::new();
    match members.get_mut("required") {
        Some(Tree::Array(names)) => {
            names.retain(|name| name.as_text().is_some_and(|name| known.insert(name)));
        }
        // In draft 3 a member said itself whether it is required; no reader supports that any more.
        Some(flag) if flag.is("true") || flag.is("false") => drop(members.remove("required")),
        _ => {}
    }
}

fn dependencies(members: &mut Members) {
    let Some(Tree::Object(all)) = members.remove("dependencies") else {
        return;
    };
    for (name, value) in all.all {
        let keyword = match value {
            Tree::Array(_) => "dependentRequired",
            _ => "dependentSchemas",
        };
        if !members.has(keyword) {
            members.set(keyword, Tree::from([]));
        }
        if let Some(known) = members.get_mut(keyword).and_then(Tree::object_mut) {
            known.set(&name, value);
        }
    }
}

fn rename(members: &mut Members, old: &str, new: &str) {
    if let Some(value) = members.remove(old) {
        members.set(new, value);
    }
}

//! Schemas that somebody else wrote: in an older dialect, or with a slip that leaves no doubt of what is meant (Q-78).

use std::collections::BTreeSet;

use super::tree::{Members, Tree};
use super::{LISTS, MAPS, SINGLE};
use crate::Json;
use crate::json::Document;

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
    let Ok(document) = Document::new(schema.as_str()) else {
        return schema.clone();
    };
    let mut root = Tree::of(document.root());
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

/// One schema. `ignores` tells whether what stands beside a reference has no meaning.
fn schema(tree: &mut Tree, ignores: bool) {
    let is_nothing = tree.is("null") || tree.array().is_some_and(<[Tree]>::is_empty);
    if is_nothing {
        *tree = Tree::Object(Members::default());
    }
    let Some(members) = tree.object_mut() else {
        return;
    };
    if ignores && members.has("$ref") {
        let stays = ["$ref", "$defs", "definitions"];
        members
            .all
            .retain(|(name, _)| stays.contains(&name.as_str()));
    }
    let takes_null = ["const", "default", "example"];
    members
        .all
        .retain(|(name, value)| !value.is("null") || takes_null.contains(&name.as_str()));
    older(members);
    for (keyword, value) in &mut members.all {
        let keyword = keyword.as_str();
        if MAPS.contains(&keyword) || keyword == "dependentRequired" {
            if value.array().is_some_and(<[Tree]>::is_empty) {
                *value = Tree::Object(Members::default());
            }
            let all = value
                .object_mut()
                .filter(|_| keyword != "dependentRequired");
            for (_, inside) in all.into_iter().flat_map(|all| &mut all.all) {
                schema(inside, ignores);
            }
        } else if let (true, Tree::Array(all)) = (LISTS.contains(&keyword), &mut *value) {
            all.iter_mut().for_each(|inside| schema(inside, ignores));
        } else if SINGLE.contains(&keyword) {
            schema(value, ignores);
        }
    }
}

/// What older dialects write otherwise.
fn older(members: &mut Members) {
    let tuple = members.get("items").and_then(Tree::array);
    if tuple.is_some_and(|all| !all.is_empty()) {
        for (old, new) in [("items", "prefixItems"), ("additionalItems", "items")] {
            if let Some(value) = members.remove(old) {
                members.set(new, value);
            }
        }
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
        if let Some(bound) = members.remove(limit) {
            let keyword = if flag.is("true") { exclusive } else { limit };
            members.set(keyword, bound);
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
        // In draft 3 a member said itself whether it is required; nobody reads that any more.
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
            members.set(keyword, Tree::Object(Members::default()));
        }
        if let Some(known) = members.get_mut(keyword).and_then(Tree::object_mut) {
            known.set(&name, value);
        }
    }
}

//! From what a model gave for a projection to the value that the schema means.

use super::shape::{resolve, says_null};
use crate::base::json::Document;
use crate::base::schema::tree::{Members, Tree};
use crate::{Code, Error, Json};

/// Maximum number of schemas examined for one value.
const MAX_SCHEMAS: usize = 100;

pub(super) fn value(schema: &Json, given: &Json, wrapped: bool) -> Result<Json, Error> {
    let schema = Tree::read(schema);
    let document = Document::new(given.as_str())?;
    let mut node = document.root();
    if wrapped {
        node = node.get("answer").ok_or_else(|| {
            let message = "`answer` is missing";
            Error::new(Code::BadArgument, "/answer", None, message)
        })?;
    }
    let mut tree = Tree::of(node);
    strip(&mut tree, &[&schema], &schema);
    Ok(Json::written(tree.to_json()))
}

/// Leaves out the members that are null where the schema has no null but lets them be absent.
fn strip(value: &mut Tree, schemas: &[&Tree], root: &Tree) {
    let holding = alternatives(schemas, root);
    match value {
        Tree::Leaf(_) => {}
        Tree::Array(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                let inner = holding.iter().filter_map(|schema| {
                    let prefix = schema.list("prefixItems").get(index);
                    prefix.or(schema.get("items"))
                });
                strip(element, &inner.collect::<Vec<_>>(), root);
            }
        }
        Tree::Object(members) => {
            members.all.retain_mut(|(name, member)| {
                let inner = holding.iter();
                let inner = inner.filter_map(|schema| schema.get("properties")?.get(name));
                let inner: Vec<&Tree> = inner.collect();
                if !member.is("null") {
                    strip(member, &inner, root);
                    return true;
                }
                let text = Tree::text(name);
                let mut needed = holding.iter();
                let needed = needed.any(|schema| schema.list("required").contains(&text));
                let mut null = alternatives(&inner, root).into_iter();
                inner.is_empty() || needed || null.any(says_null)
            });
        }
    }
}

/// The schemas and all that they refer to or combine.
fn alternatives<'a>(schemas: &[&'a Tree], root: &'a Tree) -> Vec<&'a Members> {
    let mut found: Vec<&Members> = Vec::new();
    let mut next: Vec<&Tree> = schemas.to_vec();
    while let Some(schema) = next.pop() {
        let Some(members) = schema.object() else {
            continue;
        };
        if found.len() >= MAX_SCHEMAS || found.iter().any(|seen| std::ptr::eq(*seen, members)) {
            continue;
        }
        found.push(members);
        let target = members.text("$ref").and_then(|text| resolve(root, &text));
        next.extend(target);
        for list in ["allOf", "anyOf", "oneOf"] {
            next.extend(members.list(list));
        }
    }
    found
}

//! The way back: what stands in `_meta` returns to its place, if that is where this mapping would have
//! taken it from (MCP-21).

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Revision;
use super::block::Mapper;
use super::keys::{self, Fields};
use crate::BlockKind;
use crate::canonical::exact_text;
use crate::json::{Document, Kind, Node};
use crate::{Json, Limits};

/// A text of our own making, as a document.
pub(super) fn document(text: &str) -> Option<Document<'_>> {
    Document::read(Cow::Borrowed(text.as_bytes()), &Limits::WIDEST).ok()
}

/// The block as it stood in the envelope; absent where what stands in `_meta` is not what this mapping
/// would have put there.
pub(super) fn block(received: Node<'_>) -> Option<String> {
    let meta = received.get("_meta")?;
    let candidate = match meta.get(keys::BLOCK) {
        Some(original) => original.raw().to_owned(),
        None => put_back(received),
    };
    let original = document(&candidate)?;
    let kind = crate::read::kind_of(original.root())?;
    let is_question = kind == BlockKind::Question;
    if is_question != meta.get(keys::BLOCK).is_some() {
        return None;
    }
    let received = exact_text(received.raw().to_owned());
    let maps = |revision: &Revision| {
        let mut mapper = Mapper::new(revision.dialect());
        exact_text(mapper.block(original.root(), kind, "")) == received
    };
    Revision::ALL.iter().any(maps).then_some(candidate)
}

/// Whether a block has something to be put back.
pub(super) fn has_own(received: Node<'_>) -> bool {
    let names = [keys::MEMBERS, keys::BLOCK, keys::LIFTED, keys::MIRROR];
    let meta = received.get("_meta");
    meta.is_some_and(|meta| names.iter().any(|name| meta.get(name).is_some()))
}

/// A block with its moved members at their places.
fn put_back(received: Node<'_>) -> String {
    let meta = received.get("_meta");
    let moved = meta.and_then(|meta| meta.get(keys::MEMBERS));
    // There are three annotations; a longer list is none of ours.
    let lifted = meta.and_then(|meta| meta.get(keys::LIFTED));
    let lifted = lifted.filter(|lifted| lifted.len() <= 3);
    let mut out = Fields::default();
    let mut rest = members(moved);
    for (name, value) in received.members() {
        let name = name.as_ref();
        match name {
            "_meta" => {
                if let Some(meta) = put_back_meta(value, rest.remove("_meta"), &keys::ALL) {
                    out.json("_meta", meta);
                }
            }
            "annotations" => {
                let (mut stay, own) = (Fields::default(), rest.remove(name));
                let is_lifted = |name: &str| {
                    lifted.is_some_and(|lifted| lifted.elements().any(|one| one.is_str(name)))
                };
                for (name, value) in value.members() {
                    if !is_lifted(&name) {
                        stay.json(&name, value.raw());
                    }
                }
                let wrong = own.filter(|own| own.kind() != Kind::Object);
                if let Some(own) = wrong.filter(|_| stay.is_empty()) {
                    out.json(name, own.raw());
                    continue;
                }
                for (name, value) in own.into_iter().flat_map(|own| own.members()) {
                    stay.json(&name, value.raw());
                }
                if !stay.is_empty() || own.is_some() || lifted.is_none() {
                    out.json(name, stay.end());
                }
            }
            "resource" => {
                let mut inner = members(rest.remove(name));
                let mut stay = Fields::default();
                for (name, value) in value.members() {
                    let value = inner.remove(name.as_ref()).unwrap_or(value);
                    stay.json(&name, value.raw());
                }
                for (name, value) in inner {
                    stay.json(&name, value.raw());
                }
                out.json(name, stay.end());
            }
            _ => out.json(name, rest.remove(name).unwrap_or(value).raw()),
        }
    }
    for (name, value) in rest {
        out.json(&name, value.raw());
    }
    out.end()
}

/// The members of an object by their names.
pub(super) fn members(node: Option<Node<'_>>) -> BTreeMap<String, Node<'_>> {
    let members = node.into_iter().flat_map(|node| node.members());
    members
        .map(|(name, value)| (name.into_owned(), value))
        .collect()
}

/// A `_meta` without the names that were used, and with what was moved out of it.
pub(super) fn put_back_meta(
    meta: Node<'_>,
    moved: Option<Node<'_>>,
    used: &[&str],
) -> Option<String> {
    let mut stay = Fields::default();
    let mut had_own = false;
    for (name, value) in meta.members() {
        if used.contains(&name.as_ref()) {
            had_own = true;
        } else {
            stay.json(&name, value.raw());
        }
    }
    match moved {
        Some(moved) if moved.kind() == Kind::Object => {
            for (name, value) in moved.members() {
                stay.json(&name, value.raw());
            }
            Some(stay.end())
        }
        Some(moved) if stay.is_empty() => Some(moved.raw().to_owned()),
        _ if stay.is_empty() && had_own => None,
        _ => Some(stay.end()),
    }
}

/// A value in exact form, to compare.
pub(super) fn exact(node: Node<'_>) -> String {
    exact_text(Json::from(node).to_string())
}

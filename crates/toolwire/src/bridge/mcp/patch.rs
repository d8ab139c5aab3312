//! The way back from MCP: a JSON Patch (RFC 6902) in `_meta` makes of what was mapped what it was (MCP-20).

use super::{Fate, LossReport};
use crate::base::json::{Document, Kind, MAX_DEPTH, Node, ObjectWriter, array, pointer};
use crate::base::schema::tree::Tree;
use crate::{Json, Limits};
use std::borrow::Cow;

/// The name in the `_meta` of a result or a tool.
pub(super) const KEY: &str = "dev.toolwire/patch";

/// How much deeper a value can stand in a patch than it stood in its document.
pub(super) const DEEPER: usize = 4;

/// Why something was dropped that could have been moved.
pub(super) const TOO_DEEP: &str = "it is nested too deep to be moved";

/// What all operations of a patch together may look at: a forged one takes no longer than a long one.
const MAX_WORK: usize = 1 << 26;

pub(super) const NO_MEMBER: &str = "MCP has no member with such a value here";

/// What becomes of a member.
pub(super) enum Member {
    Same,
    As(String),
    /// It is in the patch.
    Moved,
    Absent,
}

impl Member {
    pub(super) fn if_fits(fits: bool) -> Self {
        match fits {
            true => Member::Same,
            false => Member::Moved,
        }
    }
}

/// What becomes of a document that is mapped: a report for its reader, and the operations that lead back.
#[derive(Default)]
pub(super) struct Mapping {
    pub report: LossReport,
    operations: Vec<String>,
}

impl Mapping {
    /// Moves the value at a pointer of the document into the patch, unless it is nested too deep for that.
    pub(super) fn moves(&mut self, at: String, value: Node<'_>, reason: &str) {
        self.moves_by("add", at, value, reason);
    }

    /// As [`moves`](Self::moves), if another element stands in its place.
    pub(super) fn replaces(&mut self, at: String, element: Node<'_>, reason: &str) {
        self.moves_by("replace", at, element, reason);
    }

    fn moves_by(&mut self, by: &str, at: String, value: Node<'_>, reason: &str) {
        if can_move(value) {
            self.operation(by, &at, "value", value.raw());
            self.report.add(at, Fate::Moved, reason);
        } else {
            self.report.add(at, Fate::Dropped, TOO_DEEP);
        }
    }

    /// Adds an operation about which the report says nothing.
    pub(super) fn operation(&mut self, by: &str, at: &str, member: &str, json: &str) {
        let mut out = ObjectWriter::new();
        out.text("op", by).text("path", at).json(member, json);
        self.operations.push(out.end());
    }

    /// Lets the way back remove what only the mapped document has.
    pub(super) fn removes(&mut self, at: &str) {
        let mut out = ObjectWriter::new();
        self.operations
            .push(out.text("op", "remove").text("path", at).end());
    }

    /// The members of an object as a rule maps them, by name, value and pointer.
    pub(super) fn copy<'a>(
        &mut self,
        object: Node<'a>,
        at: &str,
        mut rule: impl FnMut(&mut Self, &str, Node<'a>, &str) -> Member,
    ) -> ObjectWriter {
        let mut out = ObjectWriter::new();
        for (name, value) in object.members() {
            let at = pointer::join(at, &name);
            match rule(self, &name, value, &at) {
                Member::Same => drop(out.json(&name, value.raw())),
                Member::As(json) => drop(out.json(&name, json)),
                Member::Moved => self.moves(at, value, NO_MEMBER),
                Member::Absent => {}
            }
        }
        out
    }

    /// The members of an object that fit their place; the others are moved, or all at once if none fits. `None`
    /// if there is no object left.
    pub(super) fn object<'a>(
        &mut self,
        object: Node<'a>,
        at: &str,
        fits: impl Fn(&str, Node<'a>) -> bool,
        reason: &str,
    ) -> Option<ObjectWriter> {
        let (kept, others): (Vec<_>, Vec<_>) = object
            .members()
            .map(|(name, value)| (name.into_owned(), value))
            .partition(|(name, value)| fits(name, *value));
        let was_empty = object.kind() == Kind::Object && object.is_empty();
        if kept.is_empty() && !was_empty {
            self.moves(at.to_owned(), object, reason);
            return None;
        }
        for (name, value) in others {
            self.moves(pointer::join(at, &name), value, reason);
        }
        let mut out = ObjectWriter::new();
        for (name, value) in kept {
            out.json(&name, value.raw());
        }
        Some(out)
    }

    /// The `_meta` of the mapped document: its own, and the patch if there is anything to do.
    pub(super) fn meta(&mut self, own: Option<Node<'_>>) -> Option<String> {
        let object = own.filter(|own| own.kind() == Kind::Object);
        if object.is_some() {
            self.report.add("/_meta", Fate::Kept, "");
        }
        let reason = "the name is the mapping's own";
        let mut kept =
            own.and_then(|own| self.object(own, "/_meta", |name, _| name != KEY, reason));
        if object.is_some_and(|object| object.is_empty()) && !self.operations.is_empty() {
            // It would go with the patch.
            self.operation("add", "/_meta", "value", "{}");
        }
        if !self.operations.is_empty() {
            let patch = array(&self.operations);
            kept.get_or_insert_default().json(KEY, patch);
        }
        kept.map(|mut kept| kept.end())
    }
}

impl LossReport {
    /// Says of a patch whether what it holds has returned to its place.
    pub(super) fn add_patch(&mut self, mapped: Node<'_>, is_applied: bool) {
        if mapped
            .get("_meta")
            .is_some_and(|meta| meta.get(KEY).is_some())
        {
            let (fate, reason) = match is_applied {
                true => (Fate::Moved, "it returned to its place"),
                false => (
                    Fate::Kept,
                    "it is not what a peer would have put there: it stays",
                ),
            };
            self.add(pointer::join("/_meta", KEY), fate, reason);
        }
    }
}

/// Whether a value can be moved without being nested too deep for every reader.
pub(super) fn can_move(value: Node<'_>) -> bool {
    // Its own place in the document is at most four deep.
    depth(value) + 4 + DEEPER <= MAX_DEPTH
}

/// The arrays and objects that are open at the deepest place of a value.
fn depth(value: Node<'_>) -> usize {
    let members = value.members().map(|(_, value)| value);
    let inner = members.chain(value.elements()).map(depth).max();
    match inner {
        Some(inner) => 1 + inner,
        None => usize::from(value.raw().starts_with(['[', '{'])),
    }
}

/// A mapped document without its patch, and without what says that a result is complete.
pub(super) fn without(mapped: Node<'_>) -> Tree {
    let mut document = Tree::of(mapped);
    if let Some(root) = document.object_mut() {
        if let Some(Tree::Object(meta)) = root.get_mut("_meta")
            && meta.remove(KEY).is_some()
            && meta.all.is_empty()
        {
            root.remove("_meta");
        }
        if is_complete(mapped) {
            root.remove("resultType");
        }
    }
    document
}

/// Whether a document says that it is a complete result, as every envelope is (MCP-12).
pub(super) fn is_complete(mapped: Node<'_>) -> bool {
    let kind = mapped.get("resultType");
    kind.is_some_and(|kind| kind.is_str("complete"))
}

/// A document after its patch; `None` if it has none that can be applied.
pub(super) fn applied(mapped: Node<'_>) -> Option<Tree> {
    let patch = mapped.get("_meta")?.get(KEY)?;
    let patch = (patch.kind() == Kind::Array).then_some(patch)?;
    let mut document = without(mapped);
    let mut work = MAX_WORK;
    for operation in patch.elements() {
        let text = |name: &str| operation.get(name).and_then(|text| text.as_str());
        let (by, path) = (text("op")?, text("path")?);
        let value = match by.as_ref() {
            "add" | "replace" => Some(Tree::of(operation.get("value")?)),
            "move" => Some(remove(&mut document, &text("from")?, &mut work)?),
            "remove" => None,
            _ => return None,
        };
        if matches!(by.as_ref(), "remove" | "replace") {
            remove(&mut document, &path, &mut work)?;
        }
        if let Some(value) = value {
            add(&mut document, &path, value, &mut work)?;
        }
    }
    Some(document)
}

/// Whether mapping gave this document, the patch aside: there may be several that lead back.
pub(super) fn is_of(mapped: &Json, received: &Json) -> bool {
    let document = Document::read(Cow::Borrowed(mapped.as_str().as_bytes()), &Limits::WIDEST);
    document.is_ok_and(|document| &sorted(document.root()) == received)
}

/// A mapped document as it is compared: order is no part of it, and what stood between may have changed it.
pub(super) fn sorted(mapped: Node<'_>) -> Json {
    Json::written(without(mapped).to_json()).sorted()
}

fn add(document: &mut Tree, path: &str, value: Tree, work: &mut usize) -> Option<()> {
    let (around, name) = path.rsplit_once('/')?;
    match at(document, around, work)? {
        Tree::Object(members) => {
            pay(work, members.all.len())?;
            members.set(&pointer::unescape(name), value);
        }
        Tree::Array(elements) => {
            pay(work, elements.len())?;
            let index = pointer::index(name).filter(|index| *index <= elements.len())?;
            elements.insert(index, value);
        }
        Tree::Leaf(_) => return None,
    }
    Some(())
}

fn remove(document: &mut Tree, path: &str, work: &mut usize) -> Option<Tree> {
    let (around, name) = path.rsplit_once('/')?;
    match at(document, around, work)? {
        Tree::Object(members) => {
            pay(work, members.all.len())?;
            members.remove(&pointer::unescape(name))
        }
        Tree::Array(elements) => {
            pay(work, elements.len())?;
            let index = pointer::index(name).filter(|index| *index < elements.len())?;
            Some(elements.remove(index))
        }
        Tree::Leaf(_) => None,
    }
}

/// The value at a pointer.
fn at<'a>(document: &'a mut Tree, path: &str, work: &mut usize) -> Option<&'a mut Tree> {
    if path.is_empty() {
        return Some(document);
    }
    path.strip_prefix('/')?
        .split('/')
        .try_fold(document, |tree, step| match tree {
            Tree::Object(members) => {
                pay(work, members.all.len())?;
                members.get_mut(&pointer::unescape(step))
            }
            Tree::Array(elements) => elements.get_mut(pointer::index(step)?),
            Tree::Leaf(_) => None,
        })
}

fn pay(work: &mut usize, price: usize) -> Option<()> {
    *work = work.checked_sub(price + 1)?;
    Some(())
}

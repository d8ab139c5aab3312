//! Definitions put where they are referred to: some generators name every type, others none.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{Members, Tree};
use super::{clash, each_inside, each_reference};
use crate::base::json::pointer;

/// Maximum number of schemas in one whose definitions are inlined; a larger one is left, since
/// each definition in another one may double it.
const MAX_SCHEMAS: usize = 1000;
/// Maximum depth of nested schemas; readers of a description would not accept a deeper one.
const MAX_DEPTH: usize = 40;

/// Keywords of which the ones beside a reference win, since they say nothing about values.
pub(super) const NOTES: [&str; 7] = [
    "title",
    "description",
    "$comment",
    "default",
    "examples",
    "deprecated",
    "readOnly",
];

/// Replaces references to definitions at the top, unless these lead back to themselves, and drops the
/// definitions that nothing refers to any more.
pub(super) fn inline(root: &mut Tree) {
    let Some(definitions) = definitions(root) else {
        return;
    };
    if has_addresses(root) || !plain_references(root) {
        return;
    }
    let edges = edges(&definitions);
    let names = definitions.keys();
    let circular = names.filter(|name| reached_from(edges[*name].clone(), &edges).contains(*name));
    let circular: BTreeSet<String> = circular.cloned().collect();
    let mut work = Work {
        definitions: &definitions,
        circular: &circular,
        left: MAX_SCHEMAS,
    };
    let mut whole = root.clone();
    if work.expand(&mut whole, MAX_DEPTH).is_none() {
        return;
    }
    drop_unused(&mut whole);
    *root = whole;
}

fn definitions(root: &Tree) -> Option<BTreeMap<String, Members>> {
    let all = root.get("$defs")?.object()?;
    let objects = all.all.iter();
    let objects = objects.filter_map(|(name, tree)| Some((name.clone(), tree.object()?.clone())));
    Some(objects.collect())
}

/// Whether a part has an address of its own, so that moving it could change what others refer to.
fn has_addresses(tree: &mut Tree) -> bool {
    let Some(members) = tree.object_mut() else {
        return false;
    };
    let names = ["$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef"];
    let mut found = names.iter().any(|name| members.has(name));
    each_inside(members, &mut |_, _, inside| {
        found |= inside.object().is_some_and(|m| m.has("$id")) || has_addresses(inside);
    });
    found
}

/// Whether all references to definitions refer to whole ones.
fn plain_references(root: &mut Tree) -> bool {
    let mut plain = true;
    each_reference(root, &mut |reference| {
        let text = reference.as_text().unwrap_or_default();
        let rest = text.strip_prefix("#/$defs/");
        plain &= rest.is_none_or(|rest| !rest.contains('/'));
    });
    plain
}

/// The name of the definition that a reference means.
fn name_of(reference: &str) -> Option<String> {
    let name = reference.strip_prefix("#/$defs/")?;
    Some(pointer::unescape(name).into_owned())
}

fn references(members: &Members) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    each_reference(&mut Tree::Object(members.clone()), &mut |reference| {
        names.extend(reference.as_text().as_deref().and_then(name_of));
    });
    names
}

/// Which definitions each definition refers to.
fn edges(definitions: &BTreeMap<String, Members>) -> BTreeMap<String, BTreeSet<String>> {
    let edges = definitions.iter();
    let edges = edges.map(|(name, members)| (name.clone(), references(members)));
    edges.collect()
}

/// The names from which some edges lead on, and those to which they lead, at any distance.
fn reached_from(
    mut reached: BTreeSet<String>,
    edges: &BTreeMap<String, BTreeSet<String>>,
) -> BTreeSet<String> {
    let mut next: Vec<String> = reached.iter().cloned().collect();
    while let Some(name) = next.pop() {
        for other in edges.get(&name).into_iter().flatten() {
            if reached.insert(other.clone()) {
                next.push(other.clone());
            }
        }
    }
    reached
}

struct Work<'a> {
    definitions: &'a BTreeMap<String, Members>,
    circular: &'a BTreeSet<String>,
    /// How many more schemas there may be.
    left: usize,
}

impl Work<'_> {
    /// Puts definitions into a schema; nothing, if it becomes too large or too deep.
    fn expand(&mut self, schema: &mut Tree, deeper: usize) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let deeper = deeper.checked_sub(1)?;
        let Some(members) = schema.object_mut() else {
            return Some(());
        };
        // The chain is finite, since circular definitions stay where they are.
        while let Some(target) = self.target(members) {
            members.remove("$ref");
            members.fill(target);
        }
        let mut fits = Some(());
        each_inside(members, &mut |_, _, inside| {
            if fits.is_some() {
                fits = self.expand(inside, deeper);
            }
        });
        fits
    }

    /// The definition that can stand in the place of a reference.
    fn target(&self, members: &Members) -> Option<Members> {
        let name = name_of(&members.text("$ref")?)?;
        if self.circular.contains(&name) {
            return None;
        }
        let target = self.definitions.get(&name)?;
        let outer = |keyword: &str| keyword != "$ref" && members.has(keyword);
        let odd = |(keyword, _): &(String, Tree)| {
            !NOTES.contains(&keyword.as_str()) && clash(keyword, &outer, target)
        };
        let inner = ["$id", "$defs", "definitions"];
        let moves = !target.all.iter().any(odd) && !inner.iter().any(|name| target.has(name));
        moves.then(|| target.clone())
    }
}

/// Drops the definitions that neither the schema nor a definition in use refers to.
fn drop_unused(root: &mut Tree) {
    let Some(definitions) = definitions(root) else {
        return;
    };
    let Some(members) = root.object_mut() else {
        return;
    };
    let Some(mut all) = members.remove("$defs") else {
        return;
    };
    let used = reached_from(references(members), &edges(&definitions));
    if let Some(all) = all.object_mut() {
        all.all.retain(|(name, _)| used.contains(name));
        if all.all.is_empty() {
            return;
        }
    }
    members.set("$defs", all);
}

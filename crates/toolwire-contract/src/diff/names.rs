//! Names of definitions and anchors that a reader sees in places that were there before (DIFF-42).

use std::borrow::Cow;
use std::collections::BTreeSet;

use toolwire::Json;
use toolwire::json::{Document, Kind, Node, pointer};

use super::reference;

/// The most pairs of places that are looked at; what is beyond them counts as renamed.
const MOST: usize = 20_000;

/// Whether a name that is new, of those in `come`, is one that places which both schemas have refer to, or one that
/// nothing refers to. The others are part of what was added.
pub(super) fn are_seen(old: &Json, new: &Json, come: &BTreeSet<String>) -> bool {
    if come.is_empty() {
        return false;
    }
    let (Ok(old), Ok(new)) = (Document::new(old.as_str()), Document::new(new.as_str())) else {
        return false;
    };
    let (old, new) = (old.root(), new.root());
    let (Some(shared), Some(all)) = (referred(Some(old), new), referred(None, new)) else {
        return true;
    };
    come.iter()
        .any(|name| shared.contains(name) || !all.contains(name))
}

/// The names in the references of a schema, in the places that `old` has too if there is one; nothing if there are
/// too many places.
fn referred(old: Option<Node<'_>>, new: Node<'_>) -> Option<BTreeSet<String>> {
    let roots = (old, new);
    let mut names = BTreeSet::new();
    let mut waiting = vec![(old, new)];
    let mut seen = BTreeSet::new();
    while let Some((old, new)) = waiting.pop() {
        if !seen.insert((old.map(|node| node.start()), new.start())) {
            continue;
        }
        if seen.len() > MOST {
            return None;
        }
        let to = reference_of(new);
        if let Some(reference) = &to {
            names.extend(name(reference));
            if let Some(target) = follow(roots.1, reference) {
                let old = old.map(|old| match (reference_of(old), roots.0) {
                    (Some(reference), Some(root)) => follow(root, &reference).unwrap_or(old),
                    _ => old,
                });
                waiting.push((old, target));
            }
        }
        // What was a reference may stand here itself now.
        let old = match (old.and_then(reference_of), roots.0) {
            (Some(reference), Some(root)) if to.is_none() => follow(root, &reference).or(old),
            _ => old,
        };
        match new.kind() {
            Kind::Object => {
                for (key, value) in new.members() {
                    if matches!(&*key, "$defs" | "definitions") {
                        continue;
                    }
                    match old {
                        None => waiting.push((None, value)),
                        Some(old) => {
                            waiting.extend(old.get(&key).map(|old| (Some(old), value)));
                        }
                    }
                }
            }
            Kind::Array => match old {
                None => waiting.extend(new.elements().map(|value| (None, value))),
                Some(old) => {
                    let pairs = old.elements().zip(new.elements());
                    waiting.extend(pairs.map(|(old, new)| (Some(old), new)));
                }
            },
            _ => {}
        }
    }
    Some(names)
}

fn reference_of(schema: Node<'_>) -> Option<Cow<'_, str>> {
    schema.get("$ref")?.as_str()
}

/// The name that a reference shows: of a definition, or of an anchor.
fn name(reference: &str) -> Option<String> {
    match reference::pointer(reference) {
        Some(place) => {
            let name = place.rsplit('/').next()?;
            Some(pointer::unescape(name).into_owned())
        }
        None => Some(reference.strip_prefix('#')?.to_owned()),
    }
}

/// Where a reference leads to.
fn follow<'a>(root: Node<'a>, reference: &str) -> Option<Node<'a>> {
    let place = reference::pointer(reference)?;
    let mut steps = place.split('/').skip(1);
    steps.try_fold(root, |node, step| {
        let step = pointer::unescape(step);
        match node.kind() {
            Kind::Array => node.elements().nth(step.parse().ok()?),
            _ => node.get(&step),
        }
    })
}

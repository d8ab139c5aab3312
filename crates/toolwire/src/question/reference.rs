//! References inside of one schema: what a `$ref` refers to.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::json::{Node, pointer};

/// A chain of references that is longer than this goes round in circles.
pub(super) const MOST_STEPS: usize = 16;

/// A container with fewer members than this is not worth an index.
const FEW: usize = 16;

/// What a `$ref` refers to, if that is in the same document.
pub(crate) fn resolve<'a>(root: Node<'a>, reference: &str) -> Option<Node<'a>> {
    follow(root, reference, child)
}

/// The schema that stands behind references at the top of a schema, so far as they can be followed.
pub(crate) fn target<'a>(schema: Node<'a>, root: Node<'a>) -> Node<'a> {
    let mut schema = schema;
    for _ in 0..MOST_STEPS {
        let reference = schema.get("$ref").and_then(|reference| reference.as_str());
        match reference.and_then(|reference| resolve(root, &reference)) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

/// Looks up many references of one document. What a step passes is read once, so that all together
/// take time by the size of the document, not by its square.
pub(super) struct References<'a> {
    root: Node<'a>,
    /// By the offset at which a container stands.
    indexes: HashMap<usize, Index<'a>>,
}

enum Index<'a> {
    Members(HashMap<Cow<'a, str>, Node<'a>>),
    Elements(Vec<Node<'a>>),
}

impl<'a> References<'a> {
    pub(super) fn new(root: Node<'a>) -> Self {
        References {
            root,
            indexes: HashMap::new(),
        }
    }

    /// As [`resolve`] does.
    pub(super) fn resolve(&mut self, reference: &str) -> Option<Node<'a>> {
        follow(self.root, reference, |node, name| {
            if node.len() < FEW {
                return child(node, name);
            }
            let index = self.indexes.entry(node.start()).or_insert_with(|| {
                if node.members().next().is_some() {
                    Index::Members(node.members().collect())
                } else {
                    Index::Elements(node.elements().collect())
                }
            });
            match index {
                Index::Members(members) => members.get(name).copied(),
                Index::Elements(elements) => elements.get(name.parse::<usize>().ok()?).copied(),
            }
        })
    }
}

fn follow<'a>(
    root: Node<'a>,
    reference: &str,
    mut step: impl FnMut(Node<'a>, &str) -> Option<Node<'a>>,
) -> Option<Node<'a>> {
    let pointer = reference.strip_prefix('#')?;
    if pointer.is_empty() {
        return Some(root);
    }
    let mut steps = pointer.strip_prefix('/')?.split('/');
    steps.try_fold(root, |node, name| step(node, &pointer::unescape(name)))
}

fn child<'a>(node: Node<'a>, name: &str) -> Option<Node<'a>> {
    let element = || node.elements().nth(name.parse().ok()?);
    node.get(name).or_else(element)
}

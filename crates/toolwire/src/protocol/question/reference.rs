//! References inside of one schema: what a `$ref` refers to.

use crate::base::json::{Node, pointer};

/// A chain of references that is longer than this goes round in circles.
const MOST_STEPS: usize = 16;

/// What a `$ref` refers to, if that is in the same document.
pub(crate) fn resolve<'a>(root: Node<'a>, reference: &str) -> Option<Node<'a>> {
    let pointer = reference.strip_prefix('#')?;
    if pointer.is_empty() {
        return Some(root);
    }
    let mut steps = pointer.strip_prefix('/')?.split('/');
    steps.try_fold(root, |node, name| {
        let name = pointer::unescape(name);
        let element = || node.elements().nth(name.parse().ok()?);
        node.get(&name).or_else(element)
    })
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

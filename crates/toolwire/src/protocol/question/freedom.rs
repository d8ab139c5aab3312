//! Where a secret can be typed (Q-23).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use crate::base::json::{Kind, Node};

/// Maximum number of schemas examined for one question; the others count as free.
const STEPS: usize = 2000;
/// Maximum depth of examined schemas; deeper ones count as free.
const DEPTH: usize = 50;
/// A list of more choices, or of more single characters, can spell anything.
const CHOICES: usize = 100;
const CHARACTERS: usize = 10;

/// What is free among the schemas of a question.
pub(super) struct Freedom<'a> {
    root: Node<'a>,
    left: Cell<usize>,
    depth: Cell<usize>,
    known: RefCell<HashMap<usize, bool>>,
}

impl<'a> Freedom<'a> {
    pub(super) fn new(root: Node<'a>) -> Self {
        Freedom {
            root,
            left: Cell::new(STEPS),
            depth: Cell::new(0),
            known: RefCell::default(),
        }
    }

    /// Whether a value that fits a schema, or anything inside of it, can be typed freely.
    pub(super) fn is_free(&self, schema: Node<'a>) -> bool {
        let known = self.known.borrow().get(&schema.start()).copied();
        known.unwrap_or_else(|| {
            let free = self.decide(schema);
            self.known.borrow_mut().insert(schema.start(), free);
            free
        })
    }

    fn decide(&self, schema: Node<'a>) -> bool {
        if schema.kind() != Kind::Object {
            return schema.as_bool() != Some(false);
        }
        let (left, depth) = (self.left.get(), self.depth.get());
        if left == 0 || depth == DEPTH {
            return true;
        }
        self.left.set(left - 1);
        self.depth.set(depth + 1);
        let free = self.every_bound_is_free(schema);
        self.depth.set(depth);
        free
    }

    fn every_bound_is_free(&self, schema: Node<'a>) -> bool {
        // Each of these bounds the value by itself, so one that leaves no freedom is enough.
        let choices = schema.get("enum").filter(|list| list.kind() == Kind::Array);
        if schema.get("const").is_some() || choices.is_some_and(|list| is_short(list.elements())) {
            return false;
        }
        self.types_are_free(schema) && self.reference_is_free(schema) && self.parts_are_free(schema)
    }

    fn reference_is_free(&self, schema: Node<'a>) -> bool {
        let reference = schema.get("$ref").and_then(|reference| reference.as_str());
        // With a `%` it leads to another place than the one that is called so.
        let plain = reference.filter(|reference| !reference.contains('%'));
        let target = plain.and_then(|reference| super::resolve(self.root, &reference));
        target.is_none_or(|target| self.decide(target))
    }

    fn parts_are_free(&self, schema: Node<'a>) -> bool {
        for keyword in ["anyOf", "oneOf"] {
            let branches = schema.get(keyword).filter(|branches| !branches.is_empty());
            let Some(branches) = branches else { continue };
            let choices = branches.elements().filter_map(|branch| branch.get("const"));
            if is_short(choices) && !branches.elements().any(|branch| self.decide(branch)) {
                return false;
            }
        }
        let all = schema.get("allOf").map(|all| all.elements());
        all.into_iter().flatten().all(|branch| self.decide(branch))
    }

    fn types_are_free(&self, schema: Node<'a>) -> bool {
        match schema.get("type") {
            Some(types) if types.kind() == Kind::Array && !types.is_empty() => {
                types.elements().any(|name| self.type_is_free(schema, name))
            }
            Some(name) => self.type_is_free(schema, name),
            None => true,
        }
    }

    fn type_is_free(&self, schema: Node<'a>, name: Node<'a>) -> bool {
        match name.as_str().as_deref() {
            Some("boolean" | "null") => false,
            Some("object") => {
                let more = schema.get("additionalProperties");
                let closed = more.is_some_and(|more| more.as_bool() == Some(false));
                let named = ["properties", "patternProperties"].iter();
                let named = named.filter_map(|keyword| schema.get(keyword));
                !closed
                    || named
                        .flat_map(|map| map.members())
                        .any(|(_, part)| self.decide(part))
            }
            Some("array") => {
                let first = schema.get("prefixItems");
                schema.get("items").is_none_or(|rest| self.decide(rest))
                    || first.is_some_and(|first| first.elements().any(|part| self.decide(part)))
            }
            _ => true,
        }
    }
}

/// Whether these choices are too few to spell something with them.
fn is_short<'a>(choices: impl Iterator<Item = Node<'a>>) -> bool {
    let (mut all, mut single) = (0, 0);
    for choice in choices.take(CHOICES + 1) {
        let length = choice
            .as_str()
            .map_or(choice.raw().len(), |text| text.chars().count());
        all += 1;
        single += usize::from(length == 1);
    }
    all <= CHOICES && single < CHARACTERS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Document;

    fn free(text: &str) -> bool {
        let document = Document::new(text).unwrap();
        Freedom::new(document.root()).is_free(document.root())
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let all = vec![r##"{"$ref":"#"}"##; 1000].join(",");
        assert!(free(&format!(r#"{{"allOf":[{all}]}}"#)));
        assert!(free(r##"{"$ref":"#"}"##));
        assert!(free(
            r##"{"type":"array","items":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}"##
        ));
    }

    #[test]
    fn every_bound_counts_by_itself() {
        assert!(!free(
            r#"{"type":"string","oneOf":[{"const":"a"},{"const":"b"}]}"#
        ));
        assert!(!free(r#"{"allOf":[{"type":"boolean"},{"title":"a"}]}"#));
        assert!(free(r#"{"anyOf":[{"type":"boolean"},{"type":"array"}]}"#));
        assert!(free(r#"{"type":"object","unevaluatedProperties":false}"#));
    }

    #[test]
    fn what_can_be_spelled_is_free() {
        let list = |count: usize, text: &str| {
            let all: Vec<String> = (0..count).map(|n| format!(r#""{text}{n}""#)).collect();
            format!(r#"{{"enum":[{}]}}"#, all.join(","))
        };
        assert!(!free(&list(CHARACTERS - 1, "")));
        assert!(free(&list(CHARACTERS, "")));
        assert!(!free(&list(CHOICES, "a")));
        assert!(free(&list(CHOICES + 1, "a")));
        let array = format!(r#"{{"type":"array","items":{}}}"#, list(CHARACTERS, ""));
        assert!(free(&array));
    }
}

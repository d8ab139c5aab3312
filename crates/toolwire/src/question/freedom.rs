//! What can be typed freely into an answer (Q-23).

use crate::json::{Kind, Node};

/// So many schemas are looked into for one decision; what is left then counts as free.
const STEPS: usize = 100;

/// Whether a value that fits a schema, or anything inside of it, can be typed freely.
///
/// `bound` says whether references can be followed: with a `$id` inside of the schema they may lead
/// elsewhere than they seem to, and then they bound nothing.
pub(super) fn is_free(schema: Node<'_>, root: Node<'_>, bound: bool) -> bool {
    let mut decision = Decision {
        root,
        bound,
        left: STEPS,
    };
    decision.free(schema)
}

/// One decision, with what is left of its steps.
struct Decision<'a> {
    root: Node<'a>,
    bound: bool,
    left: usize,
}

impl<'a> Decision<'a> {
    fn free(&mut self, schema: Node<'a>) -> bool {
        if schema.kind() != Kind::Object {
            return schema.as_bool() != Some(false);
        }
        let Some(left) = self.left.checked_sub(1) else {
            return true;
        };
        self.left = left;
        // Each of these bounds the value by itself, so one that leaves no freedom is enough.
        let listed = |keyword| schema.get(keyword).is_some_and(|v| v.kind() == Kind::Array);
        if listed("enum") || schema.get("const").is_some() {
            return false;
        }
        self.types_are_free(schema) && self.reference_is_free(schema) && self.parts_are_free(schema)
    }

    fn reference_is_free(&mut self, schema: Node<'a>) -> bool {
        let reference = schema.get("$ref").and_then(|reference| reference.as_str());
        // With a `%` it leads to another place than the one that is called so.
        let plain = reference.filter(|reference| !reference.contains('%'));
        match plain.and_then(|reference| super::resolve(self.root, &reference)) {
            Some(target) if self.bound => self.free(target),
            _ => true,
        }
    }

    fn parts_are_free(&mut self, schema: Node<'a>) -> bool {
        for keyword in ["anyOf", "oneOf"] {
            let branches = schema.get(keyword).filter(|branches| !branches.is_empty());
            if branches.is_some_and(|branches| !branches.elements().any(|branch| self.free(branch)))
            {
                return false;
            }
        }
        let all = schema.get("allOf").map(|all| all.elements());
        all.into_iter().flatten().all(|branch| self.free(branch))
    }

    fn types_are_free(&mut self, schema: Node<'a>) -> bool {
        match schema.get("type") {
            Some(types) if types.kind() == Kind::Array && !types.is_empty() => {
                types.elements().any(|name| self.type_is_free(schema, name))
            }
            Some(name) => self.type_is_free(schema, name),
            None => true,
        }
    }

    fn type_is_free(&mut self, schema: Node<'a>, name: Node<'a>) -> bool {
        match name.as_str().as_deref() {
            Some("boolean" | "null") => false,
            Some("object") => {
                let closed = schema
                    .get("additionalProperties")
                    .is_some_and(|more| more.as_bool() == Some(false));
                let named = ["properties", "patternProperties"]
                    .iter()
                    .filter_map(|keyword| schema.get(keyword));
                !closed
                    || named
                        .flat_map(|map| map.members())
                        .any(|(_, part)| self.free(part))
            }
            Some("array") => {
                let first = schema.get("prefixItems");
                schema.get("items").is_none_or(|rest| self.free(rest))
                    || first.is_some_and(|first| first.elements().any(|part| self.free(part)))
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    fn free(text: &str) -> bool {
        let document = Document::new(text).unwrap();
        is_free(document.root(), document.root(), true)
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
}

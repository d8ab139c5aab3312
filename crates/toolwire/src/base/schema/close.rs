//! Schemas that are made from types take no members that the types do not have (AUTH-73).

use std::collections::BTreeSet;

use super::tree::{Members, Tree};
use super::{LISTS, each_inside, place_inside};
use crate::Json;

/// A schema that was made from types, with unknown members forbidden at every level: otherwise a
/// misspelt one would be dropped where the value is read into the type. An object whose schema says
/// itself what further members it takes stays as it is (AUTH-73).
///
/// ```
/// use toolwire::{Json, schema::close};
///
/// let schema = Json::new(r#"{"items":{"properties":{"a":{"additionalProperties":true}}}}"#)?;
/// assert_eq!(
///     close(&schema).as_str(),
///     r#"{"items":{"additionalProperties":false,"properties":{"a":{"additionalProperties":true}}}}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn close(schema: &Json) -> Json {
    let mut root = Tree::read(schema);
    let mut closing = Closing::default();
    // What is found to be a part may refer to further ones.
    loop {
        let known = closing.parts.len();
        closing.visit(&mut root, "#", false);
        if closing.parts.len() == known {
            break;
        }
    }
    closing.writes = true;
    closing.visit(&mut root, "#", false);
    Json::written(root.to_json())
}

/// What an object takes beside its properties is said by one of these.
const SAID: [&str; 3] = [
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
];
/// Schemas in these do not say what a value has: they are conditions.
const CONDITIONS: [&str; 4] = ["not", "if", "contains", "propertyNames"];
/// Schemas in these hold of the same value as the schema that they are in.
const BESIDE: [&str; 4] = ["then", "else", "dependentSchemas", "$ref"];

#[derive(Default)]
struct Closing {
    /// Where the schemas are that are a part of what is said of an object: closed, they would forbid what
    /// the other parts allow. Pointers with `#` before them, as references are written.
    parts: BTreeSet<String>,
    /// Whether schemas are closed, and not only looked at.
    writes: bool,
}

impl Closing {
    fn visit(&mut self, schema: &mut Tree, place: &str, part: bool) {
        let Some(members) = schema.object_mut() else {
            return;
        };
        let part = part || self.parts.contains(place);
        let alone = !members.has("properties")
            && !SAID.iter().any(|keyword| members.has(keyword))
            && beside(members) <= 1;
        let inner = part || !alone;
        if let Some(reference) = members.text("$ref").filter(|_| inner) {
            self.parts.insert(reference);
        }
        if self.writes && !part && !SAID.iter().any(|keyword| members.has(keyword)) {
            let open = members.text("$ref");
            let open = open.is_some_and(|reference| self.parts.contains(&reference));
            if beside(members) == 0 && members.has("properties") {
                members.set("additionalProperties", Tree::flag(false));
            } else if open || !alone && has_properties(members) {
                members.set("unevaluatedProperties", Tree::flag(false));
            }
        }
        each_inside(members, &mut |keyword, name, inside| {
            if CONDITIONS.contains(&keyword) {
                return;
            }
            // The elements of a tuple are values of their own.
            let beside = LISTS.contains(&keyword) || BESIDE.contains(&keyword);
            let part = inner && beside && keyword != "prefixItems";
            self.visit(inside, &place_inside(place, keyword, name), part);
        });
    }
}

/// How many schemas, or choices of one, hold of the same value as this one.
fn beside(members: &Members) -> usize {
    let keywords = ["anyOf", "oneOf", "if", "$dynamicRef"];
    let count = keywords.iter().chain(&BESIDE).filter(|k| members.has(k));
    members.list("allOf").len() + count.count()
}

/// Whether the schema, or one that stands right beside it, is of an object.
fn has_properties(members: &Members) -> bool {
    let lists = ["allOf", "anyOf", "oneOf"].map(|keyword| members.list(keyword));
    let mut objects = lists.into_iter().flatten().filter_map(Tree::object);
    members.has("properties") || objects.any(|inner| inner.has("$ref") || has_properties(inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::schema::{tidy, tidy_input};

    fn closed(schema: &str) -> String {
        close(&Json::new(schema).unwrap()).as_str().to_owned()
    }

    #[test]
    fn objects_are_closed_at_every_level() {
        assert_eq!(
            closed(
                r#"{"$defs":{"A":{"properties":{}}},"prefixItems":[{"anyOf":[{"properties":{"a":{"items":{"properties":{}}}}},{"type":"null"}]}]}"#
            ),
            r#"{"$defs":{"A":{"additionalProperties":false,"properties":{}}},"prefixItems":[{"anyOf":[{"additionalProperties":false,"properties":{"a":{"items":{"additionalProperties":false,"properties":{}}}}},{"type":"null"}]}]}"#,
        );
    }

    #[test]
    fn what_the_type_says_stays() {
        for schema in [
            r#"{"additionalProperties":{"type":"integer"},"properties":{"a":{}}}"#,
            r#"{"additionalProperties":true,"properties":{"a":{}}}"#,
            r#"{"patternProperties":{"^x-":{}},"properties":{"a":{}}}"#,
            r#"{"type":"object"}"#,
            r#"{"contains":{"properties":{"a":{}}},"not":{"properties":{"b":{}}}}"#,
            "true",
        ] {
            assert_eq!(closed(schema), schema);
        }
    }

    #[test]
    fn parts_of_one_object_are_closed_together() {
        // Two types in one, as zod's `and` writes them.
        assert_eq!(
            closed(r#"{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{"properties":{}}}}]}"#),
            r#"{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{"additionalProperties":false,"properties":{}}}}],"unevaluatedProperties":false}"#,
        );
        // A variant of serde's that has a struct in it, which stands alone elsewhere.
        assert_eq!(
            closed(
                r##"{"$defs":{"A":{"properties":{"a":{}}}},"properties":{"alone":{"$ref":"#/$defs/A"},"tagged":{"oneOf":[{"$ref":"#/$defs/A","properties":{"kind":{"const":"a"}}}]}}}"##
            ),
            r##"{"$defs":{"A":{"properties":{"a":{}}}},"additionalProperties":false,"properties":{"alone":{"$ref":"#/$defs/A","unevaluatedProperties":false},"tagged":{"oneOf":[{"$ref":"#/$defs/A","properties":{"kind":{"const":"a"}},"unevaluatedProperties":false}]}}}"##,
        );
        // One that stands alone in its list is the whole.
        let alone = r##"{"$defs":{"A":{"properties":{"a":{}}}},"allOf":[{"$ref":"#/$defs/A"}]}"##;
        let tidied = tidy(&Json::new(closed(alone)).unwrap());
        assert_eq!(
            tidied.as_str(),
            r#"{"additionalProperties":false,"properties":{"a":{}}}"#
        );
    }

    #[test]
    fn a_type_that_holds_itself_is_closed_once() {
        let schema = r##"{"$defs":{"N":{"properties":{"next":{"$ref":"#/$defs/N"}},"type":"object"}},"$ref":"#/$defs/N"}"##;
        let tidied = tidy_input(&Json::new(closed(schema)).unwrap());
        assert_eq!(
            tidied.as_str(),
            r##"{"additionalProperties":false,"properties":{"next":{"$ref":"#"}},"type":"object"}"##
        );
    }
}

//! Schemas that take only what they declare (DIFF-11).

use std::collections::BTreeSet;

use super::reference;
use super::value::{Members, Value};

/// Closes a schema of 2020-12: each place in it that declares members takes no others, unless the schema
/// itself says which.
pub(super) fn close(root: &Value) -> Value {
    let mut closed = root.clone();
    if closed == Value::Bool(true) {
        closed = Value::Object(Members::new());
    }
    Closing { root }.place(&mut closed, true);
    closed
}

/// What says something of the members of an object. An alternative without any of it, and without others
/// inside of it, takes every member.
const OF_MEMBERS: [&str; 19] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "dependentRequired",
    "dependentSchemas",
    "enum",
    "if",
    "maxProperties",
    "minProperties",
    "not",
    "oneOf",
    "patternProperties",
    "properties",
    "propertyNames",
    "required",
    "then",
    "else",
];

struct Closing<'a> {
    root: &'a Value,
}

impl Closing<'_> {
    /// A schema that a value of its own is held against.
    fn place(&self, schema: &mut Value, is_root: bool) {
        let declares = is_root || self.declares(schema, true, &mut BTreeSet::new());
        self.part(schema, false);
        if let (true, Value::Object(members)) = (declares, schema) {
            members
                .entry("unevaluatedProperties".to_owned())
                .or_insert(Value::Bool(false));
        }
    }

    /// A schema as a part of what is said of a value; `beside` tells whether what it stands beside
    /// declares members.
    fn part(&self, schema: &mut Value, beside: bool) {
        let beside = beside || self.declares(schema, false, &mut BTreeSet::new());
        let Value::Object(members) = schema else {
            return;
        };
        for (keyword, inner) in members {
            match (keyword.as_str(), inner) {
                ("properties" | "patternProperties", Value::Object(all)) => {
                    all.values_mut().for_each(|inner| self.place(inner, false));
                }
                ("additionalProperties" | "items", inner) => self.place(inner, false),
                ("prefixItems", Value::Array(all)) => {
                    all.iter_mut().for_each(|inner| self.place(inner, false));
                }
                ("allOf", Value::Array(all)) => {
                    all.iter_mut().for_each(|inner| self.part(inner, beside));
                }
                ("anyOf" | "oneOf", Value::Array(all)) => {
                    for inner in all {
                        self.part(inner, beside);
                        if !beside {
                            self.open(inner);
                        }
                    }
                }
                ("then" | "else", inner) => self.part(inner, beside),
                ("dependentSchemas", Value::Object(all)) => {
                    all.values_mut().for_each(|inner| self.part(inner, beside));
                }
                ("$defs" | "definitions", Value::Object(all)) => {
                    all.values_mut().for_each(|inner| self.part(inner, false));
                }
                _ => {}
            }
        }
    }

    /// Lets an alternative that says nothing of members take all of them.
    fn open(&self, schema: &mut Value) {
        if !self.is_free(schema, 0) {
            return;
        }
        if *schema == Value::Bool(true) {
            *schema = Value::Object(Members::new());
        }
        if let Value::Object(members) = schema {
            members.insert("additionalProperties".to_owned(), Value::Bool(true));
        }
    }

    fn is_free(&self, schema: &Value, depth: usize) -> bool {
        let members = match schema {
            Value::Object(members) => members,
            other => return *other == Value::Bool(true),
        };
        let takes_objects = members.get("type").is_none_or(|kind| {
            let is_object = |kind: &Value| kind.text() == Some("object");
            is_object(kind) || kind.elements().iter().any(is_object)
        });
        let mut said = OF_MEMBERS
            .iter()
            .filter(|keyword| says_something(members, keyword));
        match (said.next(), said.next()) {
            (None, _) => takes_objects,
            // What it refers to may say nothing either.
            (Some(&"$ref"), None) if depth < 16 => {
                takes_objects
                    && self
                        .target(members)
                        .is_some_and(|target| self.is_free(target, depth + 1))
            }
            _ => false,
        }
    }

    fn target(&self, members: &Members) -> Option<&Value> {
        let reference = members.get("$ref")?.text()?;
        self.root.at(&reference::pointer(reference)?)
    }

    /// Whether a schema, or a part of it, has `properties`; with or without alternatives and conditions.
    fn declares(
        &self,
        schema: &Value,
        alternatives: bool,
        seen: &mut BTreeSet<*const Value>,
    ) -> bool {
        let Value::Object(members) = schema else {
            return false;
        };
        if members.contains_key("properties") {
            return true;
        }
        if let Some(target) = self.target(members)
            && seen.insert(std::ptr::from_ref(target))
            && self.declares(target, alternatives, seen)
        {
            return true;
        }
        let lists: &[&str] = if alternatives {
            &["allOf", "anyOf", "oneOf"]
        } else {
            &["allOf"]
        };
        let parts = lists.iter().filter_map(|keyword| members.get(*keyword));
        let mut parts: Vec<&Value> = parts.flat_map(Value::elements).collect();
        if alternatives {
            if members.contains_key("if") {
                let branches = ["then", "else"];
                parts.extend(branches.iter().filter_map(|keyword| members.get(*keyword)));
            }
            let dependent = members.get("dependentSchemas").and_then(Value::members);
            parts.extend(dependent.into_iter().flat_map(Members::values));
        }
        parts
            .into_iter()
            .any(|part| self.declares(part, alternatives, seen))
    }
}

/// Whether a keyword is there and allows less than all objects.
fn says_something(members: &Members, keyword: &str) -> bool {
    let Some(value) = members.get(keyword) else {
        return false;
    };
    match (keyword, value) {
        ("required", names) => !names.elements().is_empty(),
        ("minProperties", least) => least.limit() != Some(0),
        ("dependentRequired" | "dependentSchemas" | "patternProperties", Value::Object(all)) => {
            !all.is_empty()
        }
        ("if", _) => members.contains_key("then") || members.contains_key("else"),
        ("then" | "else", _) => members.contains_key("if"),
        _ => true,
    }
}

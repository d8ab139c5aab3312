//! How much work a check would be, found out before it is done.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::keywords::{MANY, NAMED, ONE, REFERRING, target};

/// The most times that a schema is held against a value in one check.
const MOST: u64 = 1_000_000;
/// The most schemas that are inside of each other at one time of the check.
const DEEPEST: usize = 500;

/// Counts how often a schema is held against a value, as a validator without any cleverness would do
/// it. Schemas of a few hundred bytes can ask for more work than there is time in the world, by
/// references that multiply at each step, or for an endless one; those are found here.
pub(crate) struct Cost<'a> {
    root: &'a Value,
    /// What is known by the addresses of schema and value; nothing while it is being found out.
    known: HashMap<(*const Value, *const Value), Option<u64>>,
}

impl<'a> Cost<'a> {
    pub(crate) fn new(root: &'a Value) -> Self {
        Cost {
            root,
            known: HashMap::new(),
        }
    }

    pub(crate) fn allows(mut self, value: &'a Value) -> bool {
        self.of(self.root, value, 0)
            .is_some_and(|cost| cost <= MOST)
    }

    /// The number of schemas that are held against a value and its parts; nothing if it is too high,
    /// or endless.
    fn of(&mut self, schema: &'a Value, value: &'a Value, depth: usize) -> Option<u64> {
        let Value::Object(members) = schema else {
            return Some(1);
        };
        if !leads_on(members) {
            return self.keywords(members, value, depth);
        }
        let key = (std::ptr::from_ref(schema), std::ptr::from_ref(value));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if depth > DEEPEST || self.known.len() as u64 > MOST {
            return None;
        }
        self.known.insert(key, None);
        let cost = self.keywords(members, value, depth)?;
        self.known.insert(key, Some(cost));
        Some(cost)
    }

    fn keywords(
        &mut self,
        members: &'a Map<String, Value>,
        value: &'a Value,
        depth: usize,
    ) -> Option<u64> {
        let mut cost = 1_u64;
        for (name, inner) in members {
            cost = cost.saturating_add(self.keyword(name, inner, members, value, depth + 1)?);
            if cost > MOST {
                return None;
            }
        }
        Some(cost)
    }

    fn keyword(
        &mut self,
        name: &str,
        inner: &'a Value,
        siblings: &'a Map<String, Value>,
        value: &'a Value,
        depth: usize,
    ) -> Option<u64> {
        let mut cost = 0_u64;
        let mut add = |part: Option<u64>| {
            cost = cost.saturating_add(part?);
            Some(())
        };
        match name {
            "$ref" | "$dynamicRef" => {
                let leads = inner.as_str().and_then(|text| target(self.root, text));
                if let Some(schema) = leads {
                    add(self.of(schema, value, depth))?;
                }
            }
            "if" | "then" | "else" | "not" => add(self.of(inner, value, depth))?,
            "allOf" | "anyOf" | "oneOf" => {
                for schema in inner.as_array().into_iter().flatten() {
                    add(self.of(schema, value, depth))?;
                }
            }
            "dependentSchemas" => {
                for schema in inner
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(_, schema)| schema)
                {
                    add(self.of(schema, value, depth))?;
                }
            }
            "properties" => {
                for (name, schema) in inner.as_object().into_iter().flatten() {
                    if let Some(part) = value.get(name) {
                        add(self.of(schema, part, depth))?;
                    }
                }
            }
            // A pattern is tried with every name, whether it fits or not.
            "patternProperties" => {
                for (_, schema) in inner.as_object().into_iter().flatten() {
                    for part in value
                        .as_object()
                        .into_iter()
                        .flatten()
                        .map(|(_, part)| part)
                    {
                        add(self.of(schema, part, depth))?;
                    }
                }
            }
            "additionalProperties" | "unevaluatedProperties" => {
                let named = siblings.get("properties").and_then(Value::as_object);
                for (name, part) in value.as_object().into_iter().flatten() {
                    if named.is_none_or(|named| !named.contains_key(name)) {
                        add(self.of(inner, part, depth))?;
                    }
                }
            }
            "propertyNames" => {
                let names = value.as_object().map_or(0, Map::len) as u64;
                // A name is a string: what its schema costs does not depend on it.
                let one = self.of(inner, &Value::Null, depth)?;
                add(names.checked_mul(one))?;
            }
            "prefixItems" => {
                let elements = value.as_array().into_iter().flatten();
                for (schema, part) in inner.as_array().into_iter().flatten().zip(elements) {
                    add(self.of(schema, part, depth))?;
                }
            }
            "items" | "contains" | "unevaluatedItems" => {
                for part in value.as_array().into_iter().flatten() {
                    add(self.of(inner, part, depth))?;
                }
            }
            "uniqueItems" => add(Some(value.as_array().map_or(0, Vec::len) as u64))?,
            "enum" => add(Some(inner.as_array().map_or(0, Vec::len) as u64))?,
            _ => {}
        }
        Some(cost)
    }
}

/// Whether there may be a schema inside of this one: there is nothing to remember of any other.
fn leads_on(members: &Map<String, Value>) -> bool {
    let leading = [ONE, MANY, NAMED, REFERRING];
    members
        .keys()
        .any(|name| leading.iter().any(|names| names.contains(&name.as_str())))
}

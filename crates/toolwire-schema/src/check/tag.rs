//! The tag of a union: a property of which each alternative takes other values.

use serde_json::{Map, Value};

use super::{Check, Fits, elements};
use crate::words::quoted;

/// References that lead on to others are followed so far.
const STEPS: usize = 16;
/// Maximum number of listed values.
const MAX_LISTED: usize = 20;

impl<'s> Check<'s, '_> {
    /// Tells what is wrong with the tag of an object that fits none of some alternatives; whether there is one that is
    /// wrong.
    pub(super) fn tell_tag(&mut self, alternatives: &'s Value, value: &Value) -> Fits {
        let Value::Object(given) = value else {
            return Ok(false);
        };
        let mut objects = Vec::new();
        for schema in elements(alternatives) {
            self.allowance.step(1)?;
            objects.extend(self.properties_of(schema));
        }
        let [first, others @ ..] = &objects[..] else {
            return Ok(false);
        };
        if others.is_empty() {
            return Ok(false);
        }
        for (name, schema) in *first {
            self.allowance.step(1 + others.len() as u64)?;
            let rest = others.iter().map(|other| tags(other.get(name)?));
            let all: Option<Vec<_>> = std::iter::once(tags(schema)).chain(rest).collect();
            let Some(all) = all.map(|all| all.concat()) else {
                continue;
            };
            let found = given.get(name);
            if found.is_some_and(|found| all.contains(&found)) || all.len() > MAX_LISTED {
                continue;
            }
            let words: Vec<String> = all.iter().map(|tag| quoted(tag)).collect();
            let words = words.join(" or ");
            let what = match found {
                Some(found) => format!("must be {words}, not {}", quoted(found)),
                None => format!("is missing: it is {words}"),
            };
            self.no(Some(name), &what)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// The properties of a schema of objects, behind references.
    fn properties_of(&self, mut schema: &'s Value) -> Option<&'s Map<String, Value>> {
        for _ in 0..STEPS {
            match schema.get("$ref").and_then(Value::as_str) {
                Some(reference) => schema = self.schema.target(reference)?,
                None => break,
            }
        }
        schema.get("properties")?.as_object()
    }
}

/// The values that a schema of a tag takes.
fn tags(schema: &Value) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(tag), _) => Some(vec![tag]),
        (None, Some(tags)) => Some(tags.as_array()?.iter().collect()),
        (None, None) => None,
    }
}

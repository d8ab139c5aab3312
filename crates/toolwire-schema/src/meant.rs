//! Which member was meant by a name that an object does not take (AUTH-34).

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use toolwire::nearest;

use crate::budget::{Allowance, Stop};

/// More names than this are not gathered, since of so many none is suggested.
const NAMES: usize = 200;
/// Bytes of a name that count as one step of comparing it.
const LONG: usize = 64;
/// Maximum depth of references and alternatives that are followed, and their total number.
const MAX_DEPTH: usize = 16;
const SCHEMAS: usize = 100;

/// What is said of a member that a schema does not take: with the name that was probably meant, one of
/// those that the schema has and the value has not. `schema` is the object that forbids the member; `has`
/// tells which members the value has.
pub(crate) fn not_expected(
    root: &Value,
    schema: &Map<String, Value>,
    has: &dyn Fn(&str) -> bool,
    name: &str,
    allowance: &mut Allowance,
) -> Result<String, Stop> {
    let mut names = BTreeSet::new();
    let mut left = SCHEMAS;
    gather(root, schema, MAX_DEPTH, &mut left, &mut names);
    // To compare two names takes a step for each pair of their characters at most.
    let length = name.len().min(LONG) as u64;
    allowance.step((SCHEMAS - left) as u64 + names.len() as u64 * length)?;
    names.retain(|other| !has(other));
    Ok(match nearest(name, names.iter().copied()) {
        Some(other) => format!("is not expected; did you mean `{other}`?"),
        None => "is not expected".to_owned(),
    })
}

/// The names of a schema's own properties, and of those that hold beside it.
fn gather<'a>(
    root: &'a Value,
    schema: &'a Map<String, Value>,
    deep: usize,
    left: &mut usize,
    names: &mut BTreeSet<&'a str>,
) {
    if deep == 0 || *left == 0 || names.len() > NAMES {
        return;
    }
    *left -= 1;
    let own = schema.get("properties").and_then(Value::as_object);
    let own = own.into_iter().flat_map(Map::keys).map(String::as_str);
    names.extend(own.take(NAMES + 1));
    let reference = schema.get("$ref").and_then(Value::as_str);
    let referred = reference.and_then(|to| root.pointer(to.strip_prefix('#')?));
    let lists = ["allOf", "anyOf", "oneOf"].map(|keyword| schema.get(keyword));
    let elements = lists.into_iter().flatten().filter_map(Value::as_array);
    let ones = ["if", "then", "else"].map(|keyword| schema.get(keyword));
    let beside = elements
        .flatten()
        .chain(ones.into_iter().flatten())
        .chain(referred);
    for schema in beside.take(SCHEMAS).filter_map(Value::as_object) {
        gather(root, schema, deep - 1, left, names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(schema: Value, value: Value, name: &str) -> String {
        let has = |other: &str| value.get(other).is_some();
        let members = schema.as_object().unwrap();
        not_expected(&schema, members, &has, name, &mut Allowance::default()).unwrap()
    }

    #[test]
    fn the_nearest_name_is_told() {
        let schema = json!({"properties": {"breaking": {}, "title": {}, "id": {}, "dry_run": {}}});
        for (name, meant) in [
            ("braking", Some("breaking")),
            ("tilte", Some("title")),
            ("idd", Some("id")),
            ("dryRun", Some("dry_run")),
            ("Title", Some("title")),
            ("colour", None),
            ("x", None),
            ("", None),
        ] {
            let expected = match meant {
                Some(meant) => format!("is not expected; did you mean `{meant}`?"),
                None => "is not expected".to_owned(),
            };
            assert_eq!(said(schema.clone(), json!({}), name), expected, "{name}");
        }
    }

    #[test]
    fn what_is_there_was_not_meant() {
        let schema = json!({"properties": {"breaking": {}, "braiding": {}}});
        let value = json!({"braking": true, "breaking": false});
        assert_eq!(
            said(schema, value, "braking"),
            "is not expected; did you mean `braiding`?"
        );
    }

    #[test]
    fn names_stand_in_references_and_alternatives_too() {
        let schema = json!({
            "$defs": {"A": {"properties": {"first": {}}, "allOf": [{"$ref": "#/$defs/A"}]}},
            "$ref": "#/$defs/A",
            "oneOf": [{"properties": {"second": {}}}],
            "unevaluatedProperties": false,
        });
        for (name, meant) in [("frist", "first"), ("secnod", "second")] {
            let said = said(schema.clone(), json!({}), name);
            assert_eq!(said, format!("is not expected; did you mean `{meant}`?"));
        }
    }
}

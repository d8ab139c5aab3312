//! Schemas that somebody else wrote: in an older dialect, or with a slip that leaves no doubt of what is meant.

use serde_json::{Map, Value};

use crate::keywords::{self, Form};

/// Makes a schema one of 2020-12, so far as that leaves no doubt. What else is wrong with it stays.
pub(crate) fn mend(root: &mut Value) {
    let dialect = root.get("$schema").and_then(Value::as_str);
    let ignores = dialect.is_some_and(|name| {
        ["draft-04", "draft-06", "draft-07"]
            .iter()
            .any(|old| name.contains(old))
    });
    schema(root, ignores);
}

/// One schema. `ignores` tells whether what stands beside a reference has no meaning.
fn schema(value: &mut Value, ignores: bool) {
    let members = match value {
        Value::Object(members) => members,
        Value::Bool(_) => return,
        // Libraries write an empty map as a list, or what is absent as null.
        Value::Null => return *value = Value::Object(Map::new()),
        Value::Array(elements) if elements.is_empty() => return *value = Value::Object(Map::new()),
        _ => return,
    };
    if ignores && members.contains_key("$ref") {
        members.retain(|name, _| matches!(&**name, "$ref" | "$defs" | "definitions"));
    }
    members.retain(|name, value| !value.is_null() || keywords::form(name).is_none());
    older(members);
    for (name, value) in members {
        match (keywords::form(name), &mut *value) {
            (Some(Form::One), _) => schema(value, ignores),
            (Some(Form::Many), Value::Array(all)) => {
                all.iter_mut().for_each(|inner| schema(inner, ignores));
            }
            (Some(Form::Named | Form::Dependencies), Value::Object(all)) => {
                for inner in all.values_mut() {
                    if !(name == "dependencies" && inner.is_array()) {
                        schema(inner, ignores);
                    }
                }
            }
            (Some(Form::Named | Form::NamesByName | Form::Dependencies), Value::Array(all))
                if all.is_empty() =>
            {
                *value = Value::Object(Map::new());
            }
            _ => {}
        }
    }
}

/// What older dialects write otherwise.
fn older(members: &mut Map<String, Value>) {
    if members
        .get("items")
        .is_some_and(|items| items.as_array().is_some_and(|all| !all.is_empty()))
    {
        let tuple = members.remove("items");
        members.extend(tuple.map(|tuple| ("prefixItems".to_owned(), tuple)));
        let rest = members.remove("additionalItems");
        members.extend(rest.map(|rest| ("items".to_owned(), rest)));
    }
    for (limit, exclusive) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
        if let Some(Value::Bool(is_exclusive)) = members.get(exclusive) {
            let is_exclusive = *is_exclusive;
            members.remove(exclusive);
            if is_exclusive && let Some(bound) = members.remove(limit) {
                members.insert(exclusive.to_owned(), bound);
            }
        }
    }
    if members.get("$recursiveRef").and_then(Value::as_str) == Some("#")
        && !members.contains_key("$ref")
    {
        members.remove("$recursiveRef");
        members.insert("$ref".to_owned(), "#".into());
    }
    match members.get_mut("required") {
        // In draft 3 a member said itself whether it is required; nobody reads that any more.
        Some(Value::Bool(_)) => drop(members.remove("required")),
        Some(Value::Array(names)) => {
            let mut known = std::collections::HashSet::new();
            names.retain(|name| {
                name.as_str()
                    .is_some_and(|name| known.insert(name.to_owned()))
            });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::{CheckError, check_foreign};
    use toolwire::Json;

    fn fits(schema: &str, value: &str) -> bool {
        match check_foreign(&Json::new(schema).unwrap(), &Json::new(value).unwrap()) {
            Ok(()) => true,
            Err(CheckError::Mismatches(_)) => false,
            Err(error) => panic!("{schema}: {error}"),
        }
    }

    #[test]
    fn older_dialects_are_read_as_they_are_meant() {
        let tuple = r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"},{"type":"integer"}],"additionalItems":false}"#;
        assert!(fits(tuple, r#"["a",1]"#));
        assert!(!fits(tuple, r#"[1,"a"]"#) && !fits(tuple, r#"["a",1,2]"#));
        let over = r#"{"minimum":1,"exclusiveMinimum":true,"maximum":3,"exclusiveMaximum":false}"#;
        assert!(fits(over, "3") && !fits(over, "1"));
        let beside = r##"{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/n","minimum":5}},"definitions":{"n":{"type":"integer"}}}"##;
        assert!(fits(beside, r#"{"a":1}"#) && !fits(beside, r#"{"a":"x"}"#));
        let tree = r##"{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"n":{"type":"integer"},"c":{"$recursiveRef":"#"}}}"##;
        assert!(fits(tree, r#"{"c":{"n":1}}"#) && !fits(tree, r#"{"c":{"n":"x"}}"#));
    }

    #[test]
    fn what_libraries_write_for_nothing_is_nothing() {
        for schema in [
            r#"{"type":"object","properties":null,"required":null,"description":null}"#,
            r#"{"type":"object","properties":[],"required":[],"$defs":[]}"#,
            r#"{"properties":{"a":null,"b":[],"c":{"type":"string","enum":null,"default":null}},"required":["a",1,"a"]}"#,
            r#"{"properties":{"a":{"required":true,"items":null,"anyOf":null}}}"#,
        ] {
            assert!(fits(schema, r#"{"a":1}"#), "{schema}");
        }
        assert!(!fits(r#"{"properties":null,"required":["a",null]}"#, "{}"));
        // What nobody can know stays a mistake.
        let text = Json::new(r#"{"type":"text"}"#).unwrap();
        let error = check_foreign(&text, &Json::from(true)).unwrap_err();
        assert!(matches!(error, CheckError::BadSchema(_)));
    }
}

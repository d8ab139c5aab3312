//! What a tool takes, as rows of a table: nested objects are unfolded.

use serde_json::Value;
use toolwire::Json;

use crate::prompt::{columns, fit};
use crate::terminal::on_one_line;

/// The most columns of a type or a default.
const SHOWN: usize = 32;
/// Of more columns than this the values of a choice stand in the description.
const WORDS: usize = 24;
/// Maximum depth of objects that are unfolded, and maximum number of rows; `--json` has all.
const DEEP: usize = 5;
const ROWS: usize = 200;
/// References to references that are followed.
const STEPS: usize = 16;
/// Alternatives and elements in one another that are looked at, and so many of each: a schema can name
/// itself many times.
const NESTED: usize = 4;
const EITHER: usize = 8;
/// The most values that are listed in words.
const LISTED: usize = 30;

/// A row for each argument and each member of one: name, type, whether it must be given, what it is.
pub fn rows(schema: &Json) -> Vec<Vec<String>> {
    let schema: Value = schema.to_value().unwrap_or_default();
    let mut unfolded = Unfolded {
        root: &schema,
        rows: Vec::new(),
    };
    unfolded.members("", &schema, DEEP);
    if unfolded.rows.len() > ROWS {
        unfolded.rows.truncate(ROWS);
        let more = ["…", "", "", "there are more; `--json` has them all"];
        unfolded.rows.push(more.map(str::to_owned).to_vec());
    }
    unfolded.rows
}

struct Unfolded<'a> {
    root: &'a Value,
    rows: Vec<Vec<String>>,
}

impl<'a> Unfolded<'a> {
    /// Rows for the members of an object, whose name and a dot stand before theirs.
    fn members(&mut self, before: &str, schema: &'a Value, deep: usize) {
        for (name, property, is_required) in properties(schema) {
            if self.rows.len() > ROWS {
                return;
            }
            let name = format!("{before}{name}");
            self.row(&name, property, is_required);
            if let Some((suffix, inner)) = self.object(property, NESTED)
                && deep > 1
            {
                self.members(&format!("{name}{suffix}."), inner, deep - 1);
            }
        }
    }

    fn row(&mut self, name: &str, property: &'a Value, is_required: bool) {
        let target = target(self.root, property);
        let member = |key: &str| property.get(key).or_else(|| target.get(key));
        let need = match member("default") {
            _ if is_required => "required".to_owned(),
            Some(default) => format!("default {}", fit(&on_one_line(&spell(default)), SHOWN)),
            None => String::new(),
        };
        let about = ["description", "title"]
            .iter()
            .find_map(|key| member(key)?.as_str());
        let mut about = on_one_line(about.unwrap_or_default());
        let mut kind = on_one_line(&self.kind(property, NESTED));
        if columns(&kind) > WORDS
            && let Some(Value::Array(values)) = target.get("enum")
        {
            about = listed(about, values);
            kind = types(values);
        }
        let kind = fit(&kind, SHOWN);
        self.rows.push(vec![on_one_line(name), kind, need, about]);
    }

    /// The object that a property is, or whose array it is, if it has members of its own, and what
    /// stands behind its name.
    fn object(&self, property: &'a Value, steps: usize) -> Option<(&'static str, &'a Value)> {
        let target = target(self.root, property);
        let steps = steps.checked_sub(1)?;
        if has_properties(target) {
            return Some(("", target));
        }
        if let Some(items) = target.get("items") {
            let (suffix, inner) = self.object(items, steps)?;
            return suffix.is_empty().then_some(("[]", inner));
        }
        // Of alternatives one can be unfolded, such as an object or `null`.
        let mut found = alternatives(target).filter_map(|other| self.object(other, steps));
        found.next().filter(|_| found.next().is_none())
    }

    /// The type of an argument in a word or two.
    fn kind(&self, property: &'a Value, steps: usize) -> String {
        let target = target(self.root, property);
        let Some(steps) = steps.checked_sub(1) else {
            return "any".to_owned();
        };
        if let Some(Value::Array(values)) = target.get("enum") {
            let values: Vec<String> = values.iter().take(LISTED).map(spell).collect();
            return values.join("|");
        }
        if let Some(value) = target.get("const") {
            return spell(value);
        }
        let one = |name: &str| match name {
            "array" => match target.get("items").map(|items| self.kind(items, steps)) {
                Some(items) if items.contains('|') => format!("({items})[]"),
                Some(items) if items != "any" => format!("{items}[]"),
                _ => "array".to_owned(),
            },
            name => name.to_owned(),
        };
        match target.get("type") {
            Some(Value::String(name)) => one(name),
            Some(Value::Array(names)) => {
                let names: Vec<String> = names.iter().filter_map(Value::as_str).map(one).collect();
                names.join("|")
            }
            _ => {
                let either = alternatives(target);
                let either: Vec<String> = either.map(|other| self.kind(other, steps)).collect();
                match either.is_empty() {
                    true => "any".to_owned(),
                    false => either.join("|"),
                }
            }
        }
    }
}

/// The schema behind references into the whole.
pub fn target<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..STEPS {
        let reference = schema.get("$ref").and_then(Value::as_str);
        match reference.and_then(|to| root.pointer(to.strip_prefix('#')?)) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

/// The members that an object may have, and whether it must have them: those come first, since their order says
/// nothing.
pub fn properties(schema: &Value) -> Vec<(&String, &Value, bool)> {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let all = schema.get("properties").and_then(Value::as_object);
    let all = all.into_iter().flatten();
    let mut all: Vec<_> = all
        .map(|(name, value)| (name, value, is_required(name)))
        .collect();
    all.sort_by_key(|(_, _, is_required)| !is_required);
    all
}

pub fn has_properties(schema: &Value) -> bool {
    let all = schema.get("properties").and_then(Value::as_object);
    all.is_some_and(|all| !all.is_empty())
}

pub fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    let either = ["anyOf", "oneOf"]
        .iter()
        .find_map(|key| schema.get(*key)?.as_array());
    either.into_iter().flatten().take(EITHER)
}

/// A description with the values that there are behind it.
fn listed(mut about: String, values: &[Value]) -> String {
    let shown = values
        .iter()
        .take(LISTED)
        .map(|value| on_one_line(&spell(value)));
    let shown: Vec<String> = shown.collect();
    if !about.is_empty() {
        about.push_str("; ");
    }
    about.push_str(&format!("one of {}", shown.join(", ")));
    if values.len() > LISTED {
        about.push_str(&format!(" and {} more", values.len() - LISTED));
    }
    about
}

/// The types of some values.
fn types(values: &[Value]) -> String {
    let mut types: Vec<&str> = Vec::new();
    for value in values {
        let name = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        if !types.contains(&name) {
            types.push(name);
        }
    }
    types.join("|")
}

pub fn spell(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(schema: &str) -> Vec<String> {
        let rows = rows(&Json::new(schema).unwrap());
        rows.iter().map(|row| row.join(" | ")).collect()
    }

    #[test]
    fn objects_are_unfolded_wherever_they_stand() {
        let schema = r##"{"required":["author"],"properties":{
            "author":{"$ref":"#/$defs/Author","description":"who wrote it"},
            "files":{"type":"array","items":{"type":"object","required":["path"],
                "properties":{"path":{"type":"string"},"mode":{"enum":["r","w"],"default":"r"}}}},
            "maybe":{"anyOf":[{"type":"object","properties":{"x":{"type":"integer"}}},{"type":"null"}]},
            "any":{}},
            "$defs":{"Author":{"type":"object","required":["name"],"properties":{
                "name":{"type":"string","description":"in full"},
                "friend":{"$ref":"#/$defs/Author"}}}}}"##;
        assert_eq!(
            shown(schema)[..13],
            [
                "author | object | required | who wrote it",
                "author.name | string | required | in full",
                "author.friend | object |  | ",
                "author.friend.name | string | required | in full",
                "author.friend.friend | object |  | ",
                "author.friend.friend.name | string | required | in full",
                "author.friend.friend.friend | object |  | ",
                "author.friend.friend.friend.name | string | required | in full",
                "author.friend.friend.friend.friend | object |  | ",
                "any | any |  | ",
                "files | object[] |  | ",
                "files[].path | string | required | ",
                "files[].mode | r|w | default r | ",
            ]
        );
        assert_eq!(
            shown(schema)[13..],
            ["maybe | object|null |  | ", "maybe.x | integer |  | "]
        );
    }

    #[test]
    fn long_lists_of_values_are_told_in_words() {
        let schema = r#"{"properties":{"a":{"enum":["alpha","beta","gamma","delta","epsilon","zeta"],
            "description":"a letter"}}}"#;
        assert_eq!(
            shown(schema),
            [
                "a | string |  | a letter; one of alpha, beta, gamma, delta, \
              epsilon, zeta"
            ]
        );
    }

    #[test]
    fn a_schema_that_grows_without_end_is_cut() {
        let name = |n: usize| format!("\"p{n}\":{{\"$ref\":\"#\"}}");
        let names: Vec<String> = (0..20).map(name).collect();
        let schema = format!("{{\"properties\":{{{}}}}}", names.join(","));
        let rows = shown(&schema);
        assert_eq!(rows.len(), ROWS + 1);
        let either = vec!["{\"$ref\":\"#/$defs/a\"}"; 50].join(",");
        let many = format!(
            "{{\"properties\":{{\"a\":{{\"$ref\":\"#/$defs/a\"}}}},\"$defs\":{{\"a\":{{\"anyOf\":[{either}]}}}}}}"
        );
        assert_eq!(shown(&many).len(), 1);
        assert!(rows[ROWS].starts_with('…'), "{}", rows[ROWS]);
        let ring =
            r##"{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/a"}}}"##;
        assert_eq!(shown(ring), ["a | any |  | "]);
    }
}

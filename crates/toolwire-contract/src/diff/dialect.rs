//! Schemas of older drafts as those of 2020-12, and what gets no verdict (28.3).

use std::collections::{BTreeMap, BTreeSet};

use toolwire::json::pointer::{push, unescape};

use super::value::{Members, Value};

/// What stands in a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Schema,
    List,
    Map,
}

/// What the value of a keyword is, if it is made of schemas.
pub(super) fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "additionalProperties"
        | "contains"
        | "contentSchema"
        | "else"
        | "if"
        | "items"
        | "not"
        | "propertyNames"
        | "then"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Holds::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::List,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties" => {
            Holds::Map
        }
        _ => return None,
    })
}

/// Whether a keyword allows and forbids nothing. `discriminator` is a hint of OpenAPI: the alternatives say the same.
pub(super) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "$anchor"
            | "$comment"
            | "$defs"
            | "$id"
            | "$schema"
            | "$vocabulary"
            | "default"
            | "definitions"
            | "deprecated"
            | "description"
            | "discriminator"
            | "examples"
            | "readOnly"
            | "title"
            | "writeOnly"
    )
}

/// Drafts of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Draft7,
    Draft2019,
    Draft2020,
}

impl Dialect {
    fn of(root: &Value) -> Result<Dialect, String> {
        let Some(name) = root.get("$schema") else {
            return Ok(Dialect::Draft2020);
        };
        let name = name.text().unwrap_or_default();
        let bare = name.trim_end_matches('#');
        let bare = bare
            .strip_prefix("https://")
            .or_else(|| bare.strip_prefix("http://"));
        Ok(match bare {
            Some("json-schema.org/draft-07/schema") => Dialect::Draft7,
            Some("json-schema.org/draft/2019-09/schema") => Dialect::Draft2019,
            Some("json-schema.org/draft/2020-12/schema") => Dialect::Draft2020,
            _ => {
                let name = toolwire::json::brief(name, 80).into_owned();
                return Err(format!("the dialect `{name}` is not known"));
            }
        })
    }

    /// A keyword of 2020-12 as this dialect has it; `tuple` tells whether there are `prefixItems`.
    pub(super) fn spelled(self, keyword: &str, tuple: bool) -> &str {
        match (self, keyword) {
            (Dialect::Draft2020, _) => keyword,
            (_, "prefixItems") => "items",
            (_, "items") if tuple => "additionalItems",
            (Dialect::Draft7, "dependentSchemas") => "dependencies",
            _ => keyword,
        }
    }
}

/// Makes a schema one of 2020-12 in which sets are sorted and each reference is a letter before a pointer. Returns its
/// dialect and these pointers; the reason if that can't be done, or if such a schema gets no verdict (DIFF-12, DIFF-13).
pub(super) fn translate(
    root: &mut Value,
    letter: char,
) -> Result<(Dialect, BTreeSet<String>), String> {
    let dialect = Dialect::of(root)?;
    if let Value::Object(members) = root {
        members.remove("$schema");
    }
    let (mut anchors, mut references) = (BTreeMap::new(), Vec::new());
    let mut fault = None;
    each_schema(root, &mut String::new(), &mut |schema, at| {
        let Value::Object(members) = schema else {
            return;
        };
        if fault.is_none() {
            fault = keywords(members, dialect, at.is_empty()).err();
        }
        let text = |name| members.get(name).and_then(Value::text);
        references.extend(text("$ref").map(str::to_owned));
        if let Some(name) = text("$anchor") {
            let place = anchors.entry(format!("#{name}"));
            place.or_insert_with(|| at.to_owned());
        }
    });
    fault.map_or(Ok(()), Err)?;
    let mut targets = BTreeMap::new();
    for reference in references {
        let to = anchors
            .get(&reference)
            .cloned()
            .or_else(|| pointer(&reference));
        let to = to.filter(|to| root.at(to).is_some());
        // What is no schema would be neither translated nor closed.
        let Some(to) = to.filter(|to| to.is_empty() || last_keyword(to).is_some()) else {
            let to = toolwire::json::brief(&reference, 80);
            return Err(format!("the reference `{to}` leads to no schema in it"));
        };
        targets.insert(reference, to);
    }
    each_reference(root, &mut |reference| {
        format!("{letter}{}", targets[reference])
    });
    Ok((dialect, targets.into_values().collect()))
}

/// Writes all references of a schema otherwise.
pub(super) fn each_reference(root: &mut Value, write: &mut dyn FnMut(&str) -> String) {
    each_schema(root, &mut String::new(), &mut |schema, _| {
        if let Value::Object(members) = schema
            && let Some(Value::Text(reference)) = members.get_mut("$ref")
        {
            *reference = write(reference);
        }
    });
}

/// A schema whose references have letters, as others read it.
pub(super) fn without_letters(mut root: Value) -> Value {
    each_reference(&mut root, &mut |reference| {
        let mut out = "#".to_owned();
        for byte in reference.bytes().skip(1) {
            match byte {
                byte if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) => {
                    out.push(char::from(byte));
                }
                byte => out.push_str(&format!("%{byte:02X}")),
            }
        }
        out
    });
    root
}

/// What has no meaning before 2019-09, and before 2020-12.
const NEW_IN_2019: [&str; 10] = [
    "$anchor",
    "$defs",
    "$recursiveAnchor",
    "$recursiveRef",
    "dependentRequired",
    "dependentSchemas",
    "maxContains",
    "minContains",
    "unevaluatedItems",
    "unevaluatedProperties",
];
const NEW_IN_2020: [&str; 3] = ["$dynamicAnchor", "$dynamicRef", "prefixItems"];
/// What depends on what else was looked at, or from where.
const UNDECIDED: [&str; 6] = [
    "$dynamicAnchor",
    "$dynamicRef",
    "$recursiveAnchor",
    "$recursiveRef",
    "unevaluatedItems",
    "unevaluatedProperties",
];

fn keywords(members: &mut Members, dialect: Dialect, is_root: bool) -> Result<(), String> {
    if dialect == Dialect::Draft7 && members.contains_key("$ref") {
        // Whatever stood beside a reference had no meaning; definitions are still found there.
        members.retain(|name, _| {
            let is_word = is_annotation(name) && !name.starts_with('$');
            is_word || matches!(&**name, "$ref" | "$defs" | "$comment")
        });
    }
    for name in members.keys().map(String::as_str) {
        let is_too_new = match dialect {
            // `$defs` is only a place there, and references find it.
            Dialect::Draft7 => {
                name != "$defs" && (NEW_IN_2019.contains(&name) || NEW_IN_2020.contains(&name))
            }
            Dialect::Draft2019 => NEW_IN_2020.contains(&name),
            Dialect::Draft2020 => matches!(name, "additionalItems" | "dependencies"),
        };
        if is_too_new {
            return Err(format!(
                "`{name}` has no meaning in the dialect of the schema"
            ));
        }
        if UNDECIDED.contains(&name) || name == "$id" && !is_root {
            return Err(format!("`{name}` is not decided"));
        }
    }
    for set in ["enum", "required", "type"] {
        if let Some(Value::Array(all)) = members.get_mut(set) {
            all.sort();
            all.dedup();
        }
    }
    if dialect == Dialect::Draft2020 {
        return Ok(());
    }
    let rest = members.remove("additionalItems");
    if matches!(members.get("items"), Some(Value::Array(_))) {
        let tuple = members.remove("items");
        let tuple = tuple.filter(|tuple| !tuple.elements().is_empty());
        members.extend(tuple.map(|tuple| ("prefixItems".to_owned(), tuple)));
        members.extend(rest.map(|rest| ("items".to_owned(), rest)));
    }
    let Some(Value::Object(dependencies)) = members.remove("dependencies") else {
        return Ok(());
    };
    for (name, what) in dependencies {
        let keyword = match what {
            Value::Array(_) => "dependentRequired",
            _ => "dependentSchemas",
        };
        let all = members.entry(keyword.to_owned());
        let all = all.or_insert_with(|| Value::Object(Members::new()));
        match all {
            Value::Object(all) if !all.contains_key(&name) => drop(all.insert(name, what)),
            _ => return Err("`dependencies` stands beside what replaced it".to_owned()),
        }
    }
    Ok(())
}

/// The JSON Pointer that a reference such as `#/$defs/a` stands for; `None` for any other reference.
fn pointer(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        let digits = tail
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => bytes.push(*first),
        }
    }
    let pointer = String::from_utf8(bytes).ok()?;
    (pointer.is_empty() || pointer.starts_with('/')).then_some(pointer)
}

/// The keyword in which the schema at a pointer stands; `None` for the root, and if a step leads to no schema.
pub(super) fn last_keyword(pointer: &str) -> Option<String> {
    let mut steps = pointer.split('/').skip(1);
    let mut last = None;
    while let Some(keyword) = steps.next() {
        let keyword = unescape(keyword);
        match holds(&keyword)? {
            Holds::Schema => {}
            Holds::List | Holds::Map => drop(steps.next()?),
        }
        last = Some(keyword.into_owned());
    }
    last
}

/// Calls a function for a schema and all schemas in it, from the outside in, with their pointers.
pub(super) fn each_schema(
    schema: &mut Value,
    pointer: &mut String,
    call: &mut dyn FnMut(&mut Value, &str),
) {
    call(schema, pointer);
    let Value::Object(members) = schema else {
        return;
    };
    for (keyword, inner) in members {
        let length = pointer.len();
        push(pointer, keyword);
        let start = pointer.len();
        match (holds(keyword), inner) {
            (Some(Holds::Schema), inner) => each_schema(inner, pointer, call),
            (Some(Holds::List), Value::Array(all)) => {
                for (index, inner) in all.iter_mut().enumerate() {
                    push(pointer, &index.to_string());
                    each_schema(inner, pointer, call);
                    pointer.truncate(start);
                }
            }
            (Some(Holds::Map), Value::Object(all)) => {
                for (name, inner) in all {
                    push(pointer, name);
                    each_schema(inner, pointer, call);
                    pointer.truncate(start);
                }
            }
            _ => {}
        }
        pointer.truncate(length);
    }
}

//! Which schemas get a verdict, and their references (28.3).

use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::percent_decode_str;
use serde_json::Value;
use toolwire::Json;
use toolwire::json::pointer::{join, push, unescape};

use super::value::Members;
use crate::fingerprint::{self, Holds, holds};
use crate::percent::encode;

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

/// The short name of the dialect in which a schema is written; the reason if it is not one that is read.
pub(super) fn dialect(schema: &Json) -> Result<&'static str, String> {
    let name = match schema.at("/$schema") {
        None => return Ok("2020-12"),
        Some(name) => name.to_text().unwrap_or_default(),
    };
    fingerprint::dialect(&name).ok_or_else(|| {
        let name = toolwire::json::brief(&name, 80);
        format!("the dialect `{name}` is not known")
    })
}

/// Makes a schema of 2020-12 one in which sets are sorted and each reference is `#` and a pointer that is not encoded.
/// Returns these pointers; the reason if that can't be done, or if such a schema gets no verdict (DIFF-13).
pub(super) fn prepare(root: &mut Value) -> Result<BTreeSet<String>, String> {
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
            fault = keywords(members, at.is_empty()).err();
        }
        let text = |name| members.get(name).and_then(Value::as_str);
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
        let to = to.filter(|to| root.pointer(to).is_some());
        // What is no schema would be neither translated nor closed.
        let Some(to) = to.filter(|to| to.is_empty() || last_keyword(to).is_some()) else {
            let to = toolwire::json::brief(&reference, 80);
            return Err(format!("the reference `{to}` leads to no schema in it"));
        };
        targets.insert(reference, to);
    }
    each_reference(root, &mut |reference| format!("#{}", targets[reference]));
    Ok(targets.into_values().collect())
}

/// Writes all references of a schema otherwise.
pub(super) fn each_reference(root: &mut Value, write: &mut dyn FnMut(&str) -> String) {
    each_schema(root, &mut String::new(), &mut |schema, _| {
        if let Value::Object(members) = schema
            && let Some(Value::String(reference)) = members.get_mut("$ref")
        {
            *reference = write(reference);
        }
    });
}

/// Makes the references of a prepared schema those of a document in which it stands at a pointer.
pub(super) fn encode_references(root: &mut Value, base: &str) {
    each_reference(root, &mut |reference| {
        let mut out = "#".to_owned();
        let pointer = format!("{base}{}", &reference[1..]);
        encode(&mut out, &pointer, b"-._~!$&'()*+,;=:@/?");
        out
    });
}

/// What depends on what else was looked at, or from where.
const UNDECIDED: [&str; 6] = [
    "$dynamicAnchor",
    "$dynamicRef",
    "$recursiveAnchor",
    "$recursiveRef",
    "unevaluatedItems",
    "unevaluatedProperties",
];

fn keywords(members: &mut Members, is_root: bool) -> Result<(), String> {
    let is_undecided =
        |name: &&String| UNDECIDED.contains(&name.as_str()) || *name == "$id" && !is_root;
    if let Some(name) = members.keys().find(is_undecided) {
        return Err(format!("`{name}` is not decided"));
    }
    for set in ["enum", "required", "type"] {
        if let Some(Value::Array(all)) = members.get_mut(set) {
            all.sort_by_cached_key(Value::to_string);
            all.dedup();
        }
    }
    Ok(())
}

/// The JSON Pointer that a reference such as `#/$defs/a` stands for; `None` for any other reference.
pub(super) fn pointer(reference: &str) -> Option<String> {
    let pointer = percent_decode_str(reference.strip_prefix('#')?);
    let pointer = pointer.decode_utf8().ok()?.into_owned();
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

/// The schemas in a schema of any dialect, by the pointers that lead from it to each.
pub(super) fn inside(schema: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        let step = join("", keyword);
        let kind = match keyword.as_str() {
            "additionalItems" => Some(Holds::Schema),
            "dependencies" => Some(Holds::Map),
            keyword => holds(keyword),
        };
        match (kind, value) {
            (Some(Holds::List | Holds::Schema), Value::Array(all)) => {
                let all = all.iter().enumerate();
                found.extend(all.map(|(index, value)| (format!("{step}/{index}"), value)));
            }
            (Some(Holds::Schema), value) => found.push((step, value)),
            (Some(Holds::Map), Value::Object(all)) => {
                found.extend(all.iter().map(|(name, value)| (join(&step, name), value)));
            }
            _ => {}
        }
    }
    found
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

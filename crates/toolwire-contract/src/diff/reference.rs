//! References into a schema, as fragments of a URI.

use std::collections::BTreeMap;

use toolwire::json::pointer::{push, unescape};

use super::dialect::{MANY, NAMED, ONE};
use super::value::Value;

/// The JSON Pointer that a reference such as `#/$defs/a` stands for; nothing for any other reference.
pub(super) fn pointer(reference: &str) -> Option<String> {
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

/// Writes references to anchors as pointers, so that all references are of one kind.
pub(super) fn resolve_anchors(root: &mut Value) {
    let mut anchors = BTreeMap::new();
    each_schema(root, &mut String::new(), &mut |schema, pointer| {
        let anchor = schema.members().and_then(|members| members.get("$anchor"));
        if let Some(name) = anchor.and_then(Value::text) {
            anchors
                .entry(format!("#{name}"))
                .or_insert_with(|| reference(pointer));
        }
    });
    if anchors.is_empty() {
        return;
    }
    each_schema(root, &mut String::new(), &mut |schema, _| {
        let reference = schema
            .members_mut()
            .and_then(|members| members.get_mut("$ref"));
        if let Some(reference) = reference
            && let Some(pointer) = reference.text().and_then(|name| anchors.get(name))
        {
            *reference = Value::Text(pointer.clone());
        }
    });
}

/// Makes sure that no reference leads to what is no schema, such as a `default`: it would be neither
/// translated nor closed. The reason if one does.
pub(super) fn lead_to_schemas(root: &mut Value) -> Result<(), String> {
    let mut references = Vec::new();
    each_schema(root, &mut String::new(), &mut |schema, _| {
        let reference = schema.members().and_then(|members| members.get("$ref"));
        references.extend(reference.and_then(Value::text).map(str::to_owned));
    });
    for reference in references {
        if let Some(pointer) = pointer(&reference)
            && root.at(&pointer).is_some()
            && !is_place_of_schema(&pointer)
        {
            let to = toolwire::json::brief(&reference, 80).into_owned();
            return Err(format!("the reference `{to}` leads to what is no schema"));
        }
    }
    Ok(())
}

/// Whether the steps of a pointer are those from a schema to the schemas in it.
fn is_place_of_schema(pointer: &str) -> bool {
    let mut steps = pointer.split('/').skip(1);
    while let Some(keyword) = steps.next() {
        let keyword = unescape(keyword);
        let is_inner = ONE.contains(&&*keyword)
            || (MANY.contains(&&*keyword) || NAMED.contains(&&*keyword)) && steps.next().is_some();
        if !is_inner {
            return false;
        }
    }
    true
}

/// A pointer as a reference.
fn reference(pointer: &str) -> String {
    let mut out = "#".to_owned();
    for byte in pointer.bytes() {
        match byte {
            byte if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) => {
                out.push(char::from(byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Calls a function for a schema and all schemas in it, with their pointers.
fn each_schema(schema: &mut Value, pointer: &mut String, call: &mut dyn FnMut(&mut Value, &str)) {
    call(schema, pointer);
    let Value::Object(members) = schema else {
        return;
    };
    let length = pointer.len();
    for (keyword, inner) in members {
        let name = keyword.as_str();
        push(pointer, name);
        match inner {
            inner if ONE.contains(&name) => each_schema(inner, pointer, call),
            Value::Array(all) if MANY.contains(&name) => {
                let length = pointer.len();
                for (index, inner) in all.iter_mut().enumerate() {
                    push(pointer, &index.to_string());
                    each_schema(inner, pointer, call);
                    pointer.truncate(length);
                }
            }
            Value::Object(all) if NAMED.contains(&name) => {
                let length = pointer.len();
                for (name, inner) in all {
                    push(pointer, name);
                    each_schema(inner, pointer, call);
                    pointer.truncate(length);
                }
            }
            _ => {}
        }
        pointer.truncate(length);
    }
}

//! Integers past 2^53 on the line of the protocol (CONF-12): `{"integer":"9007199254740993"}`.

use serde_json::{Value, json};
use toolwire::json::{Kind, Node};
use toolwire::{Limits, parse};

const MAX_SAFE: u64 = (1 << 53) - 1;

/// The JSON text of a value that stands in the options.
pub fn text_of(value: &Value) -> String {
    match value {
        Value::Object(members) => match members.get("integer").and_then(Value::as_str) {
            Some(digits) if members.len() == 1 && is_big(digits) => digits.to_owned(),
            _ => {
                let members = members.iter().map(|(name, value)| {
                    format!("{}:{}", Value::from(name.as_str()), text_of(value))
                });
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
        },
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(text_of).collect();
            format!("[{}]", elements.join(","))
        }
        simple => simple.to_string(),
    }
}

/// The value of a JSON text that the core wrote, for the result.
pub fn value_of(text: &str) -> Value {
    let document = format!("{{\"content\":[],\"structuredContent\":{text}}}");
    let parsed = parse(document.into_bytes(), &Limits::WIDEST);
    value(parsed.structured_content().expect("the core writes JSON"))
}

fn value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::Object => {
            let members = node.members();
            members
                .map(|(name, member)| (name.into_owned(), value(member)))
                .collect()
        }
        Kind::Array => node.elements().map(value).collect(),
        Kind::Number if is_big(node.raw()) => json!({"integer": node.raw()}),
        _ => serde_json::from_str(node.raw()).expect("JSON"),
    }
}

fn is_big(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && digits.parse().map_or(true, |number: u64| number > MAX_SAFE)
}

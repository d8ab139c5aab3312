//! Whether an answer fits what a case expects, and where it does not.

use crate::case::Source;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A string longer than this travels as its digest (CONF-6).
pub const LONG_STRING: usize = 4096;
/// An array longer than this travels as its length (CONF-6).
pub const LONG_ARRAY: usize = 1000;

/// One place where an answer does not fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// A JSON pointer into the response.
    pub pointer: String,
    pub expected: String,
    pub actual: String,
}

impl Difference {
    pub fn new(
        pointer: impl Into<String>,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Self {
        Difference {
            pointer: pointer.into(),
            expected: expected.into(),
            actual: actual.into(),
        }
    }
}

/// Compares a response (`{"result":…}` or `{"error":…}`) with a case's `expect`.
///
/// The error tells that the expectation itself cannot be used.
pub fn compare(expect: &Value, response: &Value, input: &[u8]) -> Result<Vec<Difference>, String> {
    let mut out = Vec::new();
    if let Some(parts) = expect.get("contains").and_then(Value::as_array) {
        let text = response
            .pointer("/result/text")
            .and_then(Value::as_str)
            .unwrap_or_default();
        for part in parts.iter().filter_map(Value::as_str) {
            if !text.contains(part) {
                let pointer = if response.get("result").is_some() {
                    "/result/text"
                } else {
                    ""
                };
                out.push(Difference::new(
                    pointer,
                    format!("a text that contains {}", json!(part)),
                    show(Some(response)),
                ));
            }
        }
        return Ok(out);
    }
    for member in ["result", "error"] {
        if let Some(expected) = expect.get(member) {
            match response.get(member) {
                Some(actual) => {
                    fits(
                        &resolve(expected, input)?,
                        Some(actual),
                        &format!("/{member}"),
                        &mut out,
                    );
                }
                None => out.push(Difference::new(
                    "",
                    show(Some(expect)),
                    show(Some(response)),
                )),
            }
            return Ok(out);
        }
    }
    Err("`expect` has none of `result`, `error` and `contains`".to_owned())
}

/// Replaces `$same` and `$text` by the strings that they stand for, shortened as CONF-6 says.
fn resolve(expected: &Value, input: &[u8]) -> Result<Value, String> {
    match expected {
        Value::Object(members) => {
            if let (1, Some(recipe)) = (members.len(), members.get("$text")) {
                let source: Source = serde_json::from_value(recipe.clone())
                    .map_err(|_| "`$text` is not written like an input".to_owned())?;
                return as_text(source.bytes()?);
            }
            if let (1, Some(which)) = (members.len(), members.get("$same")) {
                return match which.as_str() {
                    Some("input") => as_text(input.to_vec()),
                    _ => Err("`$same` can only be `input`".to_owned()),
                };
            }
            let resolved: Result<_, String> = members
                .iter()
                .map(|(name, value)| Ok((name.clone(), resolve(value, input)?)))
                .collect();
            Ok(Value::Object(resolved?))
        }
        Value::Array(elements) if elements.len() > LONG_ARRAY => {
            Ok(json!({"items": elements.len()}))
        }
        Value::Array(elements) => elements.iter().map(|value| resolve(value, input)).collect(),
        Value::String(text) => Ok(shorten(text.clone())),
        other => Ok(other.clone()),
    }
}

fn as_text(bytes: Vec<u8>) -> Result<Value, String> {
    let text = String::from_utf8(bytes)
        .map_err(|_| "an expected text is not UTF-8; expect `rawSha256` instead".to_owned())?;
    Ok(shorten(text))
}

/// A string as it stands in a response (CONF-6).
pub fn shorten(text: String) -> Value {
    if text.len() > LONG_STRING {
        json!({"sha256": sha256_hex(text.as_bytes()), "bytes": text.len()})
    } else {
        Value::String(text)
    }
}

/// SHA-256 in lower-case hex.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The rules of CONF-7; differences are collected, so that one run shows all of them.
fn fits(expected: &Value, actual: Option<&Value>, pointer: &str, out: &mut Vec<Difference>) {
    match (expected, actual) {
        (Value::Null, None | Some(Value::Null)) => {}
        (Value::Object(want), Some(Value::Object(have))) => {
            for (name, value) in want {
                fits(
                    value,
                    have.get(name),
                    &format!("{pointer}/{}", escape(name)),
                    out,
                );
            }
        }
        (Value::Array(want), Some(Value::Array(have))) if want.len() == have.len() => {
            for (index, (value, found)) in want.iter().zip(have).enumerate() {
                fits(value, Some(found), &format!("{pointer}/{index}"), out);
            }
        }
        (Value::Number(want), Some(Value::Number(have))) if want.as_f64() == have.as_f64() => {}
        (want, Some(have)) if want == have => {}
        _ => out.push(Difference::new(pointer, show(Some(expected)), show(actual))),
    }
}

/// The differences between the answers of two implementations; absent and null are the same.
pub fn same(first: &Value, second: &Value, pointer: &str, out: &mut Vec<Difference>) {
    match (first, second) {
        (Value::Object(a), Value::Object(b)) => {
            let names: std::collections::BTreeSet<_> = a.keys().chain(b.keys()).collect();
            for name in names {
                let at = format!("{pointer}/{}", escape(name));
                same(
                    a.get(name).unwrap_or(&Value::Null),
                    b.get(name).unwrap_or(&Value::Null),
                    &at,
                    out,
                );
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (x, y)) in a.iter().zip(b).enumerate() {
                same(x, y, &format!("{pointer}/{index}"), out);
            }
        }
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => {}
        (a, b) if a == b => {}
        (a, b) => out.push(Difference::new(pointer, show(Some(a)), show(Some(b)))),
    }
}

/// A member's name as a JSON pointer's token.
fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A value for a person: compact JSON, cut when it is long.
fn show(value: Option<&Value>) -> String {
    const SHOWN: usize = 400;
    let Some(value) = value else {
        return "nothing".to_owned();
    };
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differences(expect: Value, response: Value) -> Vec<String> {
        let found = compare(&expect, &response, "the input".as_bytes()).unwrap();
        found
            .into_iter()
            .map(|difference| difference.pointer)
            .collect()
    }

    #[test]
    fn named_members_must_fit_and_others_may_be_there() {
        let response = json!({"result": {"a": 1, "b": {"c": [1, {"d": 2, "e": 3}]}, "n": null}});
        let fits = json!({"result": {"a": 1.0, "b": {"c": [1, {"d": 2}]}, "n": null, "x": null}});
        assert!(differences(fits, response.clone()).is_empty());
        let misfits = json!({"result": {"a": 2, "b": {"c": [1, {"d": 2, "z": 1}]}}});
        assert_eq!(
            differences(misfits, response.clone()),
            ["/result/a", "/result/b/c/1/z"]
        );
        let shorter = json!({"result": {"b": {"c": [1]}}});
        assert_eq!(differences(shorter, response.clone()), ["/result/b/c"]);
        assert_eq!(differences(json!({"error": {"code": "x"}}), response), [""]);
    }

    #[test]
    fn texts_may_be_named_by_the_input_or_a_recipe() {
        let long = "y".repeat(LONG_STRING + 1);
        let response = json!({"result": {"t": "the input", "u": shorten(long.clone())}});
        let expect = json!({"result": {"t": {"$same": "input"},
            "u": {"$text": {"concat": [{"repeat": "y", "times": LONG_STRING + 1}]}}}});
        assert!(differences(expect, response.clone()).is_empty());
        assert!(differences(json!({"result": {"u": long}}), response.clone()).is_empty());
        assert!(
            compare(
                &json!({"result": {"t": {"$same": "output"}}}),
                &response,
                b""
            )
            .is_err()
        );
        assert!(compare(&json!({}), &response, b"").is_err());
    }

    #[test]
    fn contains_looks_into_the_text() {
        let response = json!({"result": {"text": "one two"}});
        assert!(differences(json!({"contains": ["one", "two"]}), response.clone()).is_empty());
        assert_eq!(
            differences(json!({"contains": ["three"]}), response),
            ["/result/text"]
        );
        assert_eq!(
            differences(json!({"contains": ["a"]}), json!({"error": {}})),
            [""]
        );
    }

    #[test]
    fn answers_of_two_implementations_may_differ_in_null_against_absent_only() {
        let mut out = Vec::new();
        same(
            &json!({"a": null, "b": 1}),
            &json!({"b": 1.0}),
            "",
            &mut out,
        );
        assert!(out.is_empty());
        same(&json!({"a/b": [1]}), &json!({"a/b": [2]}), "", &mut out);
        assert_eq!(out[0].pointer, "/a~1b/0");
    }
}

//! Whether an answer fits what a case expects, and where it does not.

use crate::case::Source;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// A string longer than this travels as its digest (CONF-6).
pub const LONG_STRING: usize = 4096;
/// An array longer than this travels as its length (CONF-6).
pub const LONG_ARRAY: usize = 1000;

/// The member of an expectation that marks a value that the specification only recommends.
const REFERENCE: &str = "$reference";
/// The member of an expectation that holds a value without members that it does not name.
const WHOLE: &str = "$whole";

/// The member of an expectation with the bounds of a number.
const BETWEEN: &str = "$between";

/// The member of an expectation with parts of a text that is not empty, or with elements of an array, in any order.
const CONTAINS: &str = "$contains";

/// The bounds of a number that an expectation has in place of it.
fn bounds(members: &Map<String, Value>) -> Option<[f64; 2]> {
    let numbers = members.get(BETWEEN)?.as_array()?;
    Some([numbers.first()?.as_f64()?, numbers.get(1)?.as_f64()?])
}

/// An expectation whose upper bounds are multiplied.
pub fn stretched(expect: &Value, factor: u32) -> Value {
    match expect {
        Value::Object(members) => match bounds(members) {
            Some([from, to]) => json!({BETWEEN: [from, to * f64::from(factor)]}),
            None => {
                let inner = members.iter();
                let inner = inner.map(|(name, value)| (name.clone(), stretched(value, factor)));
                Value::Object(inner.collect())
            }
        },
        Value::Array(elements) => elements
            .iter()
            .map(|value| stretched(value, factor))
            .collect(),
        other => other.clone(),
    }
}

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
/// With `exact`, values that the specification only recommends are compared like all others.
pub fn compare(
    expect: &Value,
    response: &Value,
    input: &[u8],
    exact: bool,
) -> Result<Vec<Difference>, String> {
    let mut out = Vec::new();
    for member in ["result", "error"] {
        if let Some(expected) = expect.get(member) {
            match response.get(member) {
                Some(actual) => {
                    fits(
                        &resolve(expected, input, exact)?,
                        Some(actual),
                        &format!("/{member}"),
                        false,
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
    Err("`expect` has neither `result` nor `error`".to_owned())
}

/// Replaces `$same`, `$text` and, if `exact`, `$reference` by the strings that they stand for,
/// shortened as CONF-6 says.
fn resolve(expected: &Value, input: &[u8], exact: bool) -> Result<Value, String> {
    match expected {
        Value::Object(members) => {
            if let Some(value) = members.get(REFERENCE) {
                let known = [REFERENCE, "contains", "or"];
                if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
                    return Err(format!("`$reference` has no member `{name}`"));
                }
                if exact {
                    return resolve(value, input, exact);
                }
            }
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
                .map(|(name, value)| Ok((name.clone(), resolve(value, input, exact)?)))
                .collect();
            Ok(Value::Object(resolved?))
        }
        Value::Array(elements) if elements.len() > LONG_ARRAY => {
            Ok(json!({"items": elements.len()}))
        }
        Value::Array(elements) => elements
            .iter()
            .map(|value| resolve(value, input, exact))
            .collect(),
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

/// Compares a response with an expectation; differences are collected, so that one run shows all of them.
fn fits(
    expected: &Value,
    actual: Option<&Value>,
    pointer: &str,
    whole: bool,
    out: &mut Vec<Difference>,
) {
    match (expected, actual) {
        (Value::Object(want), _) if want.contains_key(WHOLE) => {
            fits(&want[WHOLE], actual, pointer, true, out);
        }
        (Value::Null, None | Some(Value::Null)) => {}
        (Value::Object(want), Some(have))
            if want
                .get(CONTAINS)
                .is_some_and(|parts| contains(parts, have)) => {}
        (Value::Object(want), Some(Value::Number(have)))
            if bounds(want).is_some_and(|[from, to]| {
                have.as_f64()
                    .is_some_and(|have| (from..=to).contains(&have))
            }) => {}
        (Value::Object(want), _) if want.contains_key(REFERENCE) => {
            recommended(want, actual.unwrap_or(&Value::Null), pointer, out);
        }
        (Value::Object(want), Some(Value::Object(have))) => {
            for (name, value) in want {
                fits(
                    value,
                    have.get(name),
                    &format!("{pointer}/{}", escape(name)),
                    whole,
                    out,
                );
            }
            let more = have.iter().filter(|(name, _)| !want.contains_key(*name));
            for (name, value) in more.filter(|(_, value)| whole && !value.is_null()) {
                let pointer = format!("{pointer}/{}", escape(name));
                out.push(Difference::new(pointer, show(None), show(Some(value))));
            }
        }
        (Value::Array(want), Some(Value::Array(have))) if want.len() == have.len() => {
            for (index, (value, found)) in want.iter().zip(have).enumerate() {
                let pointer = format!("{pointer}/{index}");
                fits(value, Some(found), &pointer, whole, out);
            }
        }
        (Value::Number(want), Some(Value::Number(have))) if want.as_f64() == have.as_f64() => {}
        (want, Some(have)) if want == have => {}
        _ => out.push(Difference::new(pointer, show(Some(expected)), show(actual))),
    }
}

/// Whether a text or an array has all of these parts.
fn contains(parts: &Value, have: &Value) -> bool {
    let parts = parts.as_array().map_or(&[][..], Vec::as_slice);
    match have {
        Value::String(text) => {
            let mut parts = parts.iter().filter_map(Value::as_str);
            !text.is_empty() && parts.all(|part| text.contains(part))
        }
        Value::Array(elements) => parts.iter().all(|part| {
            elements.iter().any(|element| {
                let mut differences = Vec::new();
                fits(part, Some(element), "", false, &mut differences);
                differences.is_empty()
            })
        }),
        _ => false,
    }
}

/// A value that the specification only recommends: one of those in `or` will do as well, or else any
/// of the same type; a text must still hold what the rule asks for.
fn recommended(want: &Map<String, Value>, have: &Value, pointer: &str, out: &mut Vec<Difference>) {
    let list = |name: &str| want.get(name).and_then(Value::as_array);
    let mut differ = |expected: String| {
        out.push(Difference::new(pointer, expected, show(Some(have))));
    };
    if let Some(others) = list("or") {
        let fit = |value: &Value| {
            let mut differences = Vec::new();
            fits(value, Some(have), pointer, false, &mut differences);
            differences.is_empty()
        };
        if !fit(&want[REFERENCE]) && !others.iter().any(fit) {
            differ(format!("{} or one of {}", want[REFERENCE], want["or"]));
        }
        return;
    }
    // A long text travels as its digest, a long array as its length (CONF-6).
    if have["sha256"].is_string() || have["items"].is_number() {
        return;
    }
    let text = match (&want[REFERENCE], have) {
        (Value::String(_), Value::String(text)) if !text.is_empty() => text,
        (Value::String(_), _) => "",
        (value, have) if std::mem::discriminant(value) == std::mem::discriminant(have) => return,
        (value, _) => return differ(format!("a value of the same type as {value}")),
    };
    if text.is_empty() {
        differ("a text".to_owned());
    }
    for part in list("contains").into_iter().flatten() {
        if !part.as_str().is_some_and(|part| text.contains(part)) {
            differ(format!("a text that contains {part}"));
        }
    }
}

/// The pointers into a response of the values that the specification only recommends.
pub fn reference_pointers(expect: &Value) -> Vec<String> {
    fn walk(value: &Value, pointer: &str, out: &mut Vec<String>) {
        match value {
            Value::Object(members) if members.contains_key(REFERENCE) => {
                out.push(pointer.to_owned());
            }
            Value::Object(members) if members.contains_key(WHOLE) => {
                walk(&members[WHOLE], pointer, out);
            }
            Value::Object(members) => members
                .iter()
                .for_each(|(name, value)| walk(value, &format!("{pointer}/{}", escape(name)), out)),
            Value::Array(elements) => elements
                .iter()
                .enumerate()
                .for_each(|(index, value)| walk(value, &format!("{pointer}/{index}"), out)),
            _ => {}
        }
    }
    let mut out = Vec::new();
    walk(expect, "", &mut out);
    out
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

/// A value as compact JSON.
fn show(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differences(expect: Value, response: Value) -> Vec<String> {
        let found = compare(&expect, &response, "the input".as_bytes(), false).unwrap();
        found
            .into_iter()
            .map(|difference| difference.pointer)
            .collect()
    }

    #[test]
    fn a_whole_has_no_other_members() {
        let expect = json!({"result": {"a": {"$whole": {"b": [{"c": {"$reference": "x"}}]}}}});
        assert_eq!(reference_pointers(&expect), ["/result/a/b/0/c"]);
        let fits = json!({"result": {"a": {"b": [{"c": "y", "n": null}]}, "z": 1}});
        assert!(differences(expect.clone(), fits).is_empty());
        let more = json!({"result": {"a": {"b": [{"c": "y", "d/e": 1}], "f": 2}}});
        assert_eq!(
            differences(expect, more),
            ["/result/a/b/0/d~1e", "/result/a/f"]
        );
    }

    #[test]
    fn a_text_or_an_array_may_have_parts() {
        let expect = json!({"result": {"t": {"$contains": ["a"]}, "l": {"$contains": [{"n": 1}]}}});
        let of = |text: &str, list: Value| {
            differences(expect.clone(), json!({"result": {"t": text, "l": list}}))
        };
        assert!(of("ba", json!([0, {"n": 1, "m": 2}])).is_empty());
        assert_eq!(of("", json!([])), ["/result/l", "/result/t"]);
    }

    #[test]
    fn a_number_may_have_bounds() {
        let expect = json!({"result": {"t": {"$between": [10, 20]}}});
        let of = |time: Value| differences(expect.clone(), json!({"result": {"t": time}}));
        assert!(of(json!(10)).is_empty() && of(json!(19.5)).is_empty());
        assert_eq!(
            (of(json!(21)), of(json!("15"))),
            (vec!["/result/t".to_owned()], vec!["/result/t".to_owned()])
        );
        let slow = stretched(&expect, 2);
        assert!(differences(slow, json!({"result": {"t": 39}})).is_empty());
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
                b"",
                false
            )
            .is_err()
        );
        assert!(compare(&json!({}), &response, b"", false).is_err());
    }

    #[test]
    fn a_reference_wording_is_compared_to_the_byte_only_when_asked() {
        let advice = json!({"$reference": "Ada did not ask.", "contains": ["Ada"]});
        let expect = json!({"result": {"texts": [advice]}});
        assert_eq!(reference_pointers(&expect), ["/result/texts/0"]);
        let said = |text: &str| json!({"result": {"texts": [text]}});
        let found = |text: &str, exact| compare(&expect, &said(text), b"", exact).unwrap().len();
        assert_eq!(found("Ada did not ask.", true), 0);
        assert_eq!(found("Ada kept quiet.", true), 1);
        assert_eq!(found("Ada kept quiet.", false), 0);
        assert_eq!(found("Somebody did not ask.", false), 1);
        assert_eq!(found("", false), 2);
    }

    #[test]
    fn a_recommended_value_has_its_type_or_is_one_of_the_others() {
        let expect = json!({"result": {
            "verdict": {"$reference": "compatible", "or": ["unknown"]},
            "changes": {"$reference": [{"what": "type"}]},
            "guess": {"$reference": true, "or": [null]}}});
        let found = |verdict: &str, changes: Value, exact| {
            let response = json!({"result": {"verdict": verdict, "changes": changes}});
            let found = compare(&expect, &response, b"", exact).unwrap();
            found
                .into_iter()
                .map(|difference| difference.pointer)
                .collect::<Vec<_>>()
        };
        assert!(found("unknown", json!([]), false).is_empty());
        assert!(found("compatible", json!([{"what": "values"}]), false).is_empty());
        assert_eq!(
            found("breaking", json!(null), false),
            ["/result/changes", "/result/verdict"]
        );
        assert_eq!(
            found("unknown", json!([]), true),
            ["/result/changes", "/result/guess", "/result/verdict"]
        );
        let slip = json!({"result": {"a": {"$reference": 1, "orr": [2]}}});
        assert!(compare(&slip, &json!({"result": {}}), b"", false).is_err());
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

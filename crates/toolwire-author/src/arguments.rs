//! Arguments as the type that the author gave them.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;
use toolwire::author::bad_arguments;
use toolwire::schema::tidy_input;

use crate::Stop;
use crate::stop::Why;
use crate::tool::schema_of;

/// Reads the arguments of a tool. The failure names the argument and says what is wrong (AUTH-34).
pub(crate) fn read<T: DeserializeOwned + JsonSchema>(tool: &str, text: &str) -> Result<T, Stop> {
    let unexpected = unexpected::<T>(text);
    if !unexpected.is_empty() {
        return Err(misfit(tool, &unexpected));
    }
    value(text).map_err(|(pointer, message)| misfit(tool, &[(pointer, message)]))
}

/// Reads a JSON text into a type, or says where it does not fit, and why.
pub(crate) fn value<T: DeserializeOwned>(text: &str) -> Result<T, (String, String)> {
    let mut reader = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let mut pointer = String::new();
        for segment in error.path() {
            match segment {
                Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
                Segment::Map { key } => {
                    pointer.push('/');
                    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
                }
                Segment::Enum { .. } | Segment::Unknown => {}
            }
        }
        (pointer, plain(&error.into_inner().to_string()))
    })
}

fn misfit(tool: &str, mismatches: &[(String, String)]) -> Stop {
    Stop(Why::Failed(bad_arguments(tool, mismatches)))
}

/// The arguments that the input schema does not have, unless it takes any.
fn unexpected<T: JsonSchema>(text: &str) -> Vec<(String, String)> {
    let schema = tidy_input(&schema_of::<T>());
    let schema: Value = serde_json::from_str(schema.as_str()).unwrap_or_default();
    if schema["additionalProperties"] != Value::Bool(false) {
        return Vec::new();
    }
    let known = schema["properties"].as_object();
    let known: BTreeSet<&str> = known
        .into_iter()
        .flatten()
        .map(|(n, _)| n.as_str())
        .collect();
    let given: Value = serde_json::from_str(text).unwrap_or_default();
    let given = given.as_object().into_iter().flatten();
    given
        .filter(|(name, _)| !known.contains(name.as_str()))
        .map(|(name, _)| {
            let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
            (pointer, format!("`{name}` is not expected"))
        })
        .collect()
}

/// What serde's messages call Rust's types, and what everybody calls them.
const WORDS: [(&str, &str); 8] = [
    ("usize", "a whole number that is not negative"),
    ("u64", "a whole number that is not negative"),
    ("u32", "a whole number that is not negative"),
    ("i64", "a whole number"),
    ("i32", "a whole number"),
    ("f64", "a number"),
    ("a sequence", "an array"),
    ("a map", "an object"),
];

/// A message of serde without places in the text and without Rust's names.
fn plain(message: &str) -> String {
    let message = message.split(" at line ").next().unwrap_or(message);
    if let Some(field) = message.strip_prefix("missing field ") {
        return format!("{field} is missing");
    }
    let (found, expected) = match message.split_once(", expected ") {
        Some(parts) => parts,
        None => return message.to_owned(),
    };
    let word = WORDS.iter().find(|(name, _)| *name == expected);
    let expected = match word {
        Some((_, word)) => word,
        None if expected.starts_with("struct ") => "an object",
        None => expected,
    };
    format!("{found}, expected {expected}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only reading it counts")]
    struct Args {
        limit: usize,
        author: Option<Author>,
    }

    #[derive(serde::Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only reading it counts")]
    struct Author {
        names: Vec<String>,
    }

    fn refused(text: &str) -> String {
        match read::<Args>("search", text) {
            Err(Stop(Why::Failed(failure))) => failure.message,
            _ => panic!("{text} was taken"),
        }
    }

    #[test]
    fn the_argument_is_named_and_rust_is_not() {
        assert_eq!(
            refused(r#"{"limit":"3"}"#),
            "the arguments of `search` do not fit: `/limit`: invalid type: string \"3\", expected \
             a whole number that is not negative"
        );
        assert_eq!(
            refused(r#"{"limit":3,"author":{"names":[1]}}"#),
            "the arguments of `search` do not fit: `/author/names/0`: invalid type: integer `1`, \
             expected a string"
        );
        assert_eq!(
            refused("{}"),
            "the arguments of `search` do not fit: `limit` is missing"
        );
        assert_eq!(
            refused(r#"{"limit":3,"a/b":1,"c":2}"#),
            "the arguments of `search` do not fit:\n- `/a~1b`: `a/b` is not expected\n- `/c`: `c` is \
             not expected"
        );
    }

    #[test]
    fn a_number_out_of_range_is_told_without_its_type() {
        let message = refused(r#"{"limit":-1}"#);
        assert!(
            message.ends_with("expected a whole number that is not negative"),
            "{message}"
        );
    }
}

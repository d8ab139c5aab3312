//! The conformance cases of URIs and identities, run in-process, so that a wrong rule shows without
//! a runner.

use std::path::Path;

use serde_json::{Value, json};
use toolwire::{Error, IdentifyOptions, Limits, identify, normalize_uri, parse};

/// The cases of an operation in the files about URIs and identities, the specification's too.
fn cases(op: &str) -> Vec<Value> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases");
    let entries = std::fs::read_dir(dir).expect("the cases stand beside the crate");
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("a directory entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let topic = name.trim_start_matches("spec-");
        if topic.starts_with("uri") || topic.starts_with("identity") {
            let text = std::fs::read_to_string(&path).expect("a readable case file");
            let mut document: Value = serde_json::from_str(&text).expect("a case file is JSON");
            let cases = document["cases"]
                .as_array_mut()
                .expect("a case file has cases");
            found.extend(cases.drain(..).filter(|case| case["op"] == op));
        }
    }
    found
}

/// An input's text from its recipe.
fn input(recipe: &Value) -> String {
    if let Some(text) = recipe["text"].as_str() {
        return text.to_owned();
    }
    if let Some(parts) = recipe["concat"].as_array() {
        return parts.iter().map(input).collect();
    }
    let times = recipe["times"].as_u64().expect("a recipe of a known form");
    recipe["repeat"]
        .as_str()
        .expect("a repeated text")
        .repeat(times as usize)
}

fn refusal(error: &Error) -> Value {
    json!({"error": {
        "code": error.code().as_str(), "pointer": error.pointer(), "offset": error.offset(),
    }})
}

/// Whether the answer has every member that the expectation names; null means absent.
fn fits(expected: &Value, answer: &Value) -> bool {
    match (expected, answer) {
        (Value::Object(wanted), Value::Object(_)) => wanted
            .iter()
            .all(|(name, value)| fits(value, &answer[name])),
        (Value::Array(wanted), Value::Array(given)) => {
            wanted.len() == given.len() && wanted.iter().zip(given).all(|(w, g)| fits(w, g))
        }
        _ => expected == answer,
    }
}

fn check(op: &str, at_least: usize, run: fn(&str, &Value) -> Option<Value>) {
    let cases = cases(op);
    assert!(
        cases.len() >= at_least,
        "only {} cases of `{op}`",
        cases.len()
    );
    let mut wrong = String::new();
    for case in &cases {
        let Some(answer) = run(&input(&case["input"]), &case["options"]) else {
            continue;
        };
        if !fits(&case["expect"], &answer) {
            wrong += &format!(
                "\n{}\n  input    {}\n  expected {}\n  answer   {answer}",
                case["id"], case["input"], case["expect"]
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn normalize_uri_fits_every_case() {
    check("normalize_uri", 120, |uri, options| {
        Some(match normalize_uri(uri, options["root"].as_str()) {
            Ok(uri) => json!({"result": {"uri": uri}}),
            Err(error) => refusal(&error),
        })
    });
}

/// Options that have their types in Rust; what others are refused with is no concern of this crate.
fn identify_options(options: &Value) -> Option<IdentifyOptions> {
    let root = match &options["root"] {
        Value::Null => None,
        root => Some(root.as_str()?.to_owned()),
    };
    let known = match &options["known"] {
        Value::Null => Vec::new(),
        known => serde_json::from_value(known.clone()).ok()?,
    };
    let others = options.as_object().into_iter().flat_map(|o| o.keys());
    let typed = others
        .into_iter()
        .all(|name| ["root", "known"].contains(&name.as_str()));
    typed.then_some(IdentifyOptions { root, known })
}

#[test]
fn identify_fits_every_case_with_typed_options() {
    check("identify", 25, |output, options| {
        let options = identify_options(options)?;
        let identities = identify(&parse(output.as_bytes(), &Limits::default()), &options);
        Some(match identities {
            Ok(identities) => {
                let identities = serde_json::to_value(identities).expect("identities are written");
                json!({"result": {"identities": identities}})
            }
            Err(error) => refusal(&error),
        })
    });
}

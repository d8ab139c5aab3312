//! Runs the conformance cases of the operation `format` with their options as text.

use std::path::PathBuf;

use serde_json::Value;
use toolwire::{Limits, format, parse};
use toolwire_ffi::readers;

#[test]
fn every_case_gives_its_text_or_error() {
    let folder = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../conformance/cases"
    ));
    let mut count = 0;
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the cases are in the checkout") {
        let path = entry.expect("the folder can be listed").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !name.starts_with("format") && name != "spec-formatting.json" {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a case file can be read");
        let file: Value = serde_json::from_str(&text).expect("a case file is JSON");
        for case in file["cases"].as_array().expect("a case file has cases") {
            if case["op"] == "format" {
                count += 1;
                check(case).unwrap_or_else(|message| wrong.push(message));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} cases:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(count >= 100, "only {count} cases were found");
}

fn check(case: &Value) -> Result<(), String> {
    let input = bytes(&case["input"]);
    let mut given = case["options"].clone();
    let limits = match given
        .as_object_mut()
        .and_then(|given| given.remove("limits"))
    {
        Some(limits) => readers::limits(&limits.to_string()).map_err(|e| e.to_string())?,
        None => Limits::default(),
    };
    let given = if given.is_null() {
        "{}".to_owned()
    } else {
        given.to_string()
    };
    let parsed = parse(input, &limits);
    let result = readers::format_options(&given).and_then(|options| format(&parsed, &options));
    let fits = match (&result, &case["expect"]) {
        (Ok(text), Value::Object(expect)) if expect.contains_key("result") => {
            let expected = &expect["result"]["text"];
            match expected.get("$text") {
                Some(text_of) => text.as_bytes() == bytes(text_of),
                None => expected.as_str() == Some(text),
            }
        }
        (Err(error), Value::Object(expect)) if expect.contains_key("error") => {
            let expected = &expect["error"];
            expected["code"] == error.code().as_str() && expected["pointer"] == error.pointer()
        }
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let result =
        result.map_err(|error| format!("{} at `{}`", error.code().as_str(), error.pointer()));
    Err(format!(
        "{}\n  expected {}\n  got      {result:?}",
        case["id"], case["expect"]
    ))
}

/// The bytes of an input, or of an expected text, as chapter 8.3 writes them.
fn bytes(input: &Value) -> Vec<u8> {
    if let Some(text) = input["text"].as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(digits) = input["base64"].as_str() {
        let image =
            format!(r#"{{"content":[{{"type":"image","data":"{digits}","mimeType":"a/b"}}]}}"#);
        let parsed = parse(image.into_bytes(), &Limits::default());
        return parsed
            .blocks()
            .next()
            .and_then(|block| block.bytes())
            .expect("base64");
    }
    if let Some(text) = input["repeat"].as_str() {
        return text
            .repeat(input["times"].as_u64().expect("a count") as usize)
            .into_bytes();
    }
    input["concat"]
        .as_array()
        .expect("an input")
        .iter()
        .flat_map(bytes)
        .collect()
}

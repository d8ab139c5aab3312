//! Laws of what a tool's author gets: schemas, questions, turns.

use super::{same, same_but_for_order};
use crate::calls;
use crate::rng::Rng;
use toolwire::question::read_question;
use toolwire::schema::{Provider, lint_schema};
use toolwire::{Json, Limits};

fn schema_of(input: &[u8]) -> Option<Json> {
    std::str::from_utf8(input)
        .ok()
        .and_then(|text| Json::new(text).ok())
}

pub(super) fn tidy(input: &[u8], salt: u64) -> Result<(), String> {
    let Some(schema) = schema_of(input) else {
        return Ok(());
    };
    let role = ["schema", "input", "output"][Rng::with_seed(salt).usize(..3)];
    let once = calls::tidy(role, &schema);
    let text = once.as_str().as_bytes();
    let canonical = toolwire::canonicalize(text, &Limits::WIDEST)
        .map_err(|error| format!("the tidy schema is no JSON: {error}"))?;
    same_but_for_order(
        "the tidy schema is not canonical but for its numbers and order",
        once.as_str(),
        &canonical,
    )?;
    let again = calls::tidy(role, &once);
    same("tidying is not idempotent", text, again.as_str().as_bytes())
}

pub(super) fn project(input: &[u8], salt: u64) -> Result<(), String> {
    let Some(schema) = schema_of(input) else {
        return Ok(());
    };
    let projection = toolwire::schema::project(&schema, Provider::Common);
    if projection.losses.iter().any(|loss| loss.what == "size") {
        // The wrapper makes it one schema larger.
        return Ok(());
    }
    let projected = projection.schema;
    let text = projected.as_str();
    let again = toolwire::schema::project(&projected, Provider::Common);
    same(
        "the projection of a projection is another",
        text.as_bytes(),
        again.schema.as_str().as_bytes(),
    )?;
    if again.wrapped || !again.losses.is_empty() {
        return Err(format!(
            "a projection loses {:?}, or is wrapped",
            again.losses
        ));
    }
    let document: serde_json::Value =
        serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
    if document["type"] != "object" || document["additionalProperties"] != false {
        return Err(format!("the root is not an object: {text}"));
    }
    for keyword in ["anyOf", "oneOf", "allOf", "enum", "not", "$ref"] {
        if document.get(keyword).is_some() {
            return Err(format!("`{keyword}` stands at the root: {text}"));
        }
    }
    // Whatever a model gives, something comes out, or the wrapper is missed.
    let mut rng = Rng::with_seed(salt);
    let provider = Provider::ALL[rng.usize(..Provider::ALL.len())];
    let projection = toolwire::schema::project(&schema, provider);
    // How large a schema may be as a whole is said of the whole.
    let found = lint_schema(&projection.schema, provider);
    if let Some(found) = found.iter().find(|found| !found.pointer.is_empty()) {
        return Err(format!(
            "{}: {}: {}",
            found.pointer, found.message, projection.schema
        ));
    }
    let values = [
        "null",
        "[null]",
        r#"{"answer":{"a":null,"b":[{"a":null}]}}"#,
        r#"{"a":null}"#,
    ];
    let given = Json::new(values[rng.usize(..values.len())]).map_err(|e| e.to_string())?;
    match projection.unwrap_value(&given) {
        Err(error) if error.pointer() != "/answer" => Err(format!("it cannot be read: {error}")),
        _ => Ok(()),
    }
}

pub(super) fn secret(input: &[u8], salt: u64) -> Result<(), String> {
    let Some(schema) = schema_of(input) else {
        return Ok(());
    };
    let schema = schema.as_str();
    let marks = [r#"{"writeOnly":true}"#, r#"{"format":"password"}"#];
    let mark = marks[Rng::with_seed(salt).usize(..marks.len())];
    for (schema, marked) in [
        (schema.to_owned(), false),
        (
            format!(r#"{{"$defs":{{"a":{schema}}},"b":[{mark}]}}"#),
            true,
        ),
        (format!(r#"{{"not":{mark},"oneOf":[{schema}]}}"#), true),
    ] {
        let text = format!(r#"{{"id":"q","schema":{schema},"text":"?"}}"#);
        let (Ok(question), Ok(whole)) = (read_question(&text), Json::new(&text)) else {
            continue;
        };
        match calls::find_secret(&question) {
            Some(pointer) if whole.at(&pointer).is_none() => {
                return Err(format!("there is no `{pointer}` in {text}"));
            }
            None if marked => return Err(format!("the mark in {text} is not seen")),
            _ => {}
        }
    }
    Ok(())
}

pub(super) fn ask(input: &[u8], salt: u64) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(());
    };
    let kinds = [
        "boolean",
        "select",
        "multi_select",
        "string",
        "number",
        "integer",
        "form",
    ];
    let kind = kinds[Rng::with_seed(salt).usize(..kinds.len())];
    // Any JSON can stand where an argument is taken.
    let value = if Json::new(text).is_ok() {
        text
    } else {
        "\"a\""
    };
    for arguments in [
        text.to_owned(),
        format!(r#"{{"text":"?","choices":{value}}}"#),
        format!(r#"{{"text":"?","choices":["a",1],"default":{value}}}"#),
        format!(r#"{{"text":"?","minimum":{value}}}"#),
        format!(r#"{{"text":"?","schema":{{"const":{value}}},"default":{value}}}"#),
    ] {
        let Ok(asked) = calls::ask(kind, &arguments) else {
            continue;
        };
        let question = format!(r#"{{"id":"q",{}"#, asked.trim_start_matches('{'));
        let question = read_question(&question)
            .map_err(|error| format!("`{asked}` is no question: {error}"))?;
        let prompt = match toolwire::question::prompt(&question) {
            Ok(prompt) => prompt,
            Err(error) if error.code() == toolwire::Code::SecretQuestion => continue,
            Err(error) => return Err(format!("`{asked}` has no prompt: {error}")),
        };
        let expected = match kind {
            "string" => "text",
            "integer" => "number",
            other => other,
        };
        if kind != "form" && prompt.kind().as_str() != expected {
            return Err(format!("`{asked}` is asked as `{}`", prompt.kind()));
        }
        if question
            .default
            .is_some_and(|default| !prompt.offers(&default))
        {
            return Err(format!("the default of `{asked}` is never offered"));
        }
    }
    Ok(())
}

pub(super) fn open(input: &[u8], _salt: u64) -> Result<(), String> {
    let Err(answer) = calls::open(input) else {
        return Ok(());
    };
    let reading = calls::parse(answer.as_bytes(), &Limits::WIDEST);
    if reading.verdict == "valid" && reading.is_error {
        return Ok(());
    }
    Err(format!(
        "what answers a call that is none is no error: {answer}"
    ))
}

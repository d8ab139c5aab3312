//! The operations of chapters 21 and 23.

use serde_json::{Value, json};
use toolwire::session::{TerminalInput, TerminalModes};
use toolwire::{Error, Json};
use toolwire_ffi::command::{action_schema, read_command};
use toolwire_ffi::session::{handle, machine};

use crate::integers::{text_of, value_of};

/// What comes of each event, without the wording of refusals.
pub fn session(options: &Value) -> Result<Value, Error> {
    let mut options = options.clone();
    let mut take = |name: &str| {
        options
            .as_object_mut()
            .and_then(|members| members.remove(name))
    };
    let (id, events) = (take("id"), take("events"));
    let id = id.as_ref().and_then(Value::as_str).unwrap_or("staging");
    let mut machine = machine(id, &options.to_string())?;
    let mut outcomes = Vec::new();
    for event in events.iter().filter_map(Value::as_array).flatten() {
        let mut outcome = value_of(&handle(&mut machine, text_of(event).as_bytes())?);
        if let Some(refusal) = outcome.get_mut("refusal").and_then(Value::as_object_mut) {
            refusal.remove("message");
            let mismatches = refusal.get_mut("mismatches").and_then(Value::as_array_mut);
            for one in mismatches.into_iter().flatten() {
                *one = json!({"pointer": one["pointer"]});
            }
        }
        outcomes.push(outcome);
    }
    Ok(json!({"outcomes": outcomes, "question": machine.question().map(|question| &question.id)}))
}

/// What a model's call asks for.
pub fn command(arguments: &str, options: &Value) -> Result<Value, Error> {
    let command = read_command(arguments, &text_of(&options["tool"]))?;
    Ok(json!({"text": Json::new(command)?.sorted().as_str()}))
}

/// The schema that a model is shown.
pub fn schema(tool: &str, options: &Value) -> Result<Value, Error> {
    let style = options["style"].as_str().unwrap_or_default();
    Ok(json!({"schema": value_of(&action_schema(tool, style)?)}))
}

/// What a terminal and pipes are sent for an input.
pub fn terminal_input(input: &str, options: &Value) -> Result<Value, Error> {
    let input = TerminalInput::read(&Json::new(input)?)?;
    if let TerminalInput::Size { columns, rows } = input {
        return Ok(json!({"size": [columns, rows]}));
    }
    let is_set = |name: &str| options[name].as_bool().unwrap_or_default();
    let modes = TerminalModes::new(is_set("applicationCursor"), is_set("bracketedPaste"));
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let mut result = json!({"typed": text(input.typed(modes))});
    if let Ok((bytes, eof)) = input.piped() {
        result["piped"] = text(bytes).into();
        result["eof"] = eof.into();
    }
    Ok(result)
}

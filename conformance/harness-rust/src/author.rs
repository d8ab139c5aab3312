//! What an author's program does, as the protocol asks for it.

use serde_json::{Value, json};
use toolwire::author::{Ask, Failure, Opened, Returned, exit_status, open, read_tools};
use toolwire::call::Answer;
use toolwire::schema::{close, tidy, tidy_input, tidy_output};
use toolwire::{Block, Error, Json};

use crate::integers::{text_of, value_of};

/// A turn: the steps of the script, then what it ends with.
pub fn turn(input: &[u8], options: &Value) -> Result<Value, Error> {
    let names = options["names"].as_array().into_iter().flatten();
    let names: Vec<&str> = names.filter_map(Value::as_str).collect();
    let mut turn = match open(input, &names) {
        Opened::Turn(turn) => turn,
        Opened::Answered(answer) => {
            return Ok(json!({"text": answer.to_json(), "exit": exit_status(&answer)}));
        }
    };
    let mut asked = Vec::new();
    for step in options["steps"].as_array().into_iter().flatten() {
        if let Some(block) = step.get("emit") {
            turn.emit(Block::from_json(&text_of(block))?)?;
        } else if let Some(question) = step.get("ask") {
            let answer = turn.ask(text(&question["id"]), &ask(question)?)?;
            asked.push(told(answer.as_ref()));
        } else if let Some(question) = step.get("ask_again") {
            let answer = turn.ask_again(text(&question["id"]), &ask(question)?)?;
            asked.push(told(answer.as_ref()));
        } else {
            let question = &step["require"];
            turn.require(text(&question["id"]), &ask(question)?)?;
        }
    }
    let answer = if let Some(failure) = options.get("fail") {
        turn.fail(Failure::from_json(&text_of(failure))?)
    } else if let Some(tools) = options.get("tools") {
        let problems = options.get("problems").cloned().unwrap_or_default();
        let problems = serde_json::from_value(problems).unwrap_or_default();
        turn.describe(&read_tools(&text_of(tools))?, &problems)?
    } else if let Some(finish) = options.get("finish") {
        turn.finish(Returned::from_json(
            text(&finish["kind"]),
            &text_of(&finish["value"]),
        )?)?
    } else {
        turn.finish(Returned::Nothing)?
    };
    Ok(json!({"asked": asked, "text": answer.to_json(), "exit": exit_status(&answer)}))
}

fn told(answer: Option<&Answer>) -> Value {
    answer.map_or(Value::Null, |answer| value_of(&answer.to_json()))
}

fn ask(question: &Value) -> Result<Ask, Error> {
    Ask::from_json(text(&question["kind"]), &text_of(&question["args"]))
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// A question of a kind.
pub fn ask_text(arguments: &str, options: &Value) -> Result<Value, Error> {
    Ok(json!({"text": Ask::from_json(text(&options["kind"]), arguments)?.to_json()}))
}

/// A schema in its tidy form; for an output with what becomes of the values.
pub fn tidy_schema(schema: &str, options: &Value) -> Result<Value, Error> {
    let mut schema = Json::new(schema)?;
    if options["closed"] == true {
        schema = close(&schema);
    }
    Ok(match options["role"].as_str() {
        Some("input") => json!({"text": tidy_input(&schema).as_str()}),
        Some("output") => {
            let (schema, wrapped) = tidy_output(&schema);
            json!({"text": schema.as_str(), "wrapped": wrapped})
        }
        _ => json!({"text": tidy(&schema).as_str()}),
    })
}

//! The operations of the host: answers that fit, and the loop of questions.

use serde_json::{Value, json};
use toolwire::call::Call;
use toolwire::question::read_question;
use toolwire::{Code, Diagnostic, Error, Json, Limits, parse};
use toolwire_ffi::exchange::{answers_json, read_answer};
use toolwire_ffi::readers::exchange_options;
use toolwire_host::{CheckError, Exchange, Step, check_answer, check_question};

use crate::integers::{text_of, value_of};

/// What is wrong with a question and with an answer to it.
pub fn check(input: &str, options: &Value) -> Result<Value, Error> {
    let question = read_question(input)?;
    let found = check_question(&question);
    if let Some(bad) = found.iter().find(|found| found.code == Code::BadSchema) {
        return Err(Error::new(
            bad.code,
            &*bad.pointer,
            bad.offset,
            &*bad.message,
        ));
    }
    let mut mismatches = Vec::new();
    if let Some(answer) = options["answer"].as_str() {
        match check_answer(&question, &Json::new(answer)?) {
            Ok(()) => {}
            Err(CheckError::Mismatches(found)) => mismatches = found,
            Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => return Err(error),
        }
    }
    Ok(json!({
        "mismatches":
            mismatches.iter().map(|found| json!({"pointer": found.pointer})).collect::<Vec<_>>(),
        "diagnostics": diagnostics(&found),
    }))
}

/// An exchange with a tool and an answerer that are written down: what the tool says to each call,
/// and what becomes of each question each time that it is asked. It ends early where they do.
pub fn exchange(input: &[u8], options: &Value, limits: &Limits) -> Result<Value, Error> {
    let mut own = options.clone();
    let members = own.as_object_mut().expect("the options are an object");
    let outputs = members.remove("outputs").unwrap_or_default();
    let mut outputs = outputs.as_array().into_iter().flatten();
    let replies = members.remove("replies").unwrap_or_default();
    let settings = exchange_options(&text_of(&own))?;
    let mut exchange = Exchange::new(Call::from_json(input, limits)?, settings);
    let (mut calls, mut asked) = (Vec::new(), Vec::<Value>::new());
    loop {
        match exchange.step() {
            Step::Call(document) => {
                let Some(output) = outputs.next().and_then(Value::as_str) else {
                    break;
                };
                calls.push(document);
                exchange.handle_result(parse(output.to_owned().into_bytes(), limits));
            }
            Step::Ask(asking) => {
                let id = &asking.question.id;
                let before = asked.iter().filter(|asked| asked["id"] == **id).count();
                let reply = &replies[id][before];
                if reply.is_null() {
                    break;
                }
                asked.push(json!({
                    "id": id,
                    "prompt": asking.prompt.kind(),
                    "default": asking.default.as_ref().map(Json::as_str),
                    "context": asking.context.len(),
                    "shown": asking.shown,
                    "mismatches":
                        asking.mismatches.iter().map(|found| &found.pointer).collect::<Vec<_>>(),
                    "round": asking.round,
                    "secret": asking.secret.as_ref().map(|secret| value_of(&secret.to_json())),
                    "warning": asking.warning,
                }));
                let value = reply.get("value").map(text_of);
                let answer = read_answer(
                    reply["state"].as_str().unwrap_or("accepted"),
                    reply["source"].as_str().unwrap_or("user"),
                    value.as_deref(),
                )?;
                let _ = exchange.handle_answer(id, answer);
            }
            Step::Done => break,
        }
    }
    let exchanged = exchange.finish();
    Ok(json!({
        "calls": calls,
        "asked": asked,
        "rounds": exchanged.rounds,
        "end": exchanged.end.as_str(),
        "answers": value_of(&answers_json(&exchanged)),
        "diagnostics": diagnostics(&exchanged.diagnostics),
        "verdict": exchanged.parsed.verdict().as_str(),
        "document": String::from_utf8_lossy(exchanged.parsed.document()),
    }))
}

fn diagnostics(found: &[Diagnostic]) -> Vec<Value> {
    let told = |found: &Diagnostic| {
        json!({
            "code": found.code.as_str(), "severity": found.severity.as_str(),
            "pointer": found.pointer, "offset": found.offset,
        })
    };
    found.iter().map(told).collect()
}

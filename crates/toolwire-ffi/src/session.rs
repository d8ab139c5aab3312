//! The state machine of a session as text.

use std::collections::BTreeMap;

use serde_json::Value;
use toolwire::json::{array, pointer, string};
use toolwire::question::write_question;
use toolwire::session::{SessionEvent, SessionMachine, SessionMachineOptions};
use toolwire::{Code, Error, Json};
use toolwire_schema::AnswerChecker;

/// The most that a limit can be.
const MOST: f64 = 1_000_000_000.0;

/// A machine with options `{"actions":["spawn"…],"maxBlocks","maxBytes","maxQuestions"}`; what is absent or null
/// keeps its default.
///
/// # Errors
///
/// `bad_argument` at `/id`; `bad_option` at an unknown option and at one with a wrong value.
pub fn machine(id: &str, options: &str) -> Result<SessionMachine, Error> {
    SessionMachine::new(id, read_options(options)?)
}

fn read_options(text: &str) -> Result<SessionMachineOptions, Error> {
    let wrong = |name: &str, message: String| Error::new(Code::BadOption, name, None, message);
    let members: BTreeMap<String, Json> = Json::new(text)
        .and_then(|json| json.to_value())
        .map_err(|error| wrong("", format!("the options are no JSON object: {error}")))?;
    let mut options = SessionMachineOptions::default();
    for (name, value) in members {
        let pointer = pointer::join("", &name);
        let simple: Value = value.to_value().unwrap_or_default();
        if simple.is_null() {
            continue;
        }
        let expected = |what: &str| wrong(&pointer, format!("`{name}` must be {what}"));
        let count = || {
            // `8.0` is a whole number too: some languages can't tell it from `8`.
            let count = simple.as_f64().filter(|n| n.fract() == 0.0);
            let count = count.filter(|n| (1.0..=MOST).contains(n));
            let most = MOST as u64;
            count
                .map(|n| n as usize)
                .ok_or_else(|| expected(&format!("a whole number from 1 to {most}")))
        };
        match name.as_str() {
            "actions" => {
                let words = value.to_value();
                options.actions = words
                    .map_err(|_| expected("an array of `spawn`, `fetch`, `apply` and `abort`"))?;
            }
            "maxBlocks" => options.max_blocks = count()?,
            "maxBytes" => options.max_bytes = count()?,
            "maxQuestions" => options.max_questions = count()?,
            _ => return Err(wrong(&pointer, format!("`{name}` is not an option here"))),
        }
    }
    Ok(options)
}

/// What comes of an event, both as JSON objects.
///
/// # Errors
///
/// Those of [`SessionEvent::from_json`], and `invalid_utf8`.
pub fn handle(machine: &mut SessionMachine, event: &[u8]) -> Result<String, Error> {
    let event = std::str::from_utf8(event).map_err(|error| {
        let at = error.valid_up_to() as u64;
        Error::new(Code::InvalidUtf8, "", Some(at), "the event is not UTF-8")
    })?;
    let event = SessionEvent::from_json(event)?;
    Ok(machine.handle(event, &AnswerChecker).to_json())
}

/// The open question as a JSON object, as it stands in a block.
#[must_use]
pub fn question(machine: &SessionMachine) -> Option<String> {
    machine.question().map(write_question)
}

/// The actions that somebody can use now, as a JSON array of words.
///
/// # Errors
///
/// `bad_argument` at `/by` if that is no source of an answer.
pub fn possible(machine: &SessionMachine, by: &str) -> Result<String, Error> {
    let by = by.parse().map_err(|error: toolwire::UnknownWord| {
        Error::new(Code::BadArgument, "/by", None, format!("`by`: {error}"))
    })?;
    let actions = machine.possible(by);
    Ok(array(actions.iter().map(|action| string(action.as_str()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_wrong_ones_named() {
        assert!(
            machine(
                "a",
                r#"{"actions":["spawn","fetch"],"maxBlocks":1,"maxBytes":null}"#
            )
            .is_ok()
        );
        for (text, place) in [
            (r#"{"actions":["run"]}"#, "/actions"),
            (r#"{"maxBlocks":0}"#, "/maxBlocks"),
            (r#"{"maxQuestions":1.5}"#, "/maxQuestions"),
            (r#"{"max":1}"#, "/max"),
        ] {
            assert_eq!(machine("a", text).unwrap_err().pointer(), place);
        }
        assert_eq!(machine("", "{}").unwrap_err().pointer(), "/id");
    }

    #[test]
    fn a_machine_goes_on_as_text() {
        let mut machine = machine("a", "{}").unwrap();
        assert_eq!(possible(&machine, "user").unwrap(), r#"["spawn"]"#);
        assert_eq!(possible(&machine, "me").unwrap_err().pointer(), "/by");
        let started = handle(&mut machine, br#"{"event":"spawn","by":"user"}"#).unwrap();
        assert_eq!(
            started,
            r#"{"state":"running","effects":[{"effect":"start"}]}"#
        );
        assert_eq!(handle(&mut machine, b"{}").unwrap_err().pointer(), "/event");
    }
}

//! The state machine of a session as text.

use toolwire::json::{array, string};
use toolwire::session::{SessionEvent, SessionMachine};
use toolwire::{Code, Error};
use toolwire_schema::AnswerChecker;

use crate::readers;

/// A machine with options `{"actions":["spawn"…],"maxBlocks","maxBytes","maxQuestions"}`; what is absent or null
/// keeps its default.
///
/// # Errors
///
/// `bad_argument` at `/id`; `bad_option` at an unknown option and at one with a wrong value.
pub fn machine(id: &str, options: &str) -> Result<SessionMachine, Error> {
    SessionMachine::new(id, readers::session_machine_options(options)?)
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

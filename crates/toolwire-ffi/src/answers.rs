//! Answers as a tool gets them: checked with the question's schema, whoever gave them (AUTH-26).

use toolwire::author::{Ask, misfit};
use toolwire::call::Answer;
use toolwire::{Code, Error};
use toolwire_schema::{CheckError, check_value};

/// Refuses the first answer that does not fit its question, with `answer_mismatch` and the message with
/// which the tool fails. Both lists have the same order.
///
/// # Errors
///
/// As said. With a schema that can't be used, no answer is refused.
pub fn check_answers(asks: &[(&str, &Ask)], answers: &[Answer]) -> Result<(), Error> {
    for ((id, ask), answer) in asks.iter().zip(answers) {
        let Some(value) = answer.value() else {
            continue;
        };
        if let Err(CheckError::Mismatches(found)) = check_value(&ask.schema, value) {
            let found: Vec<(String, String)> = found
                .into_iter()
                .map(|one| (one.pointer, one.message))
                .collect();
            let message = misfit(&format!("the answer to `{id}` does"), &found).message;
            return Err(Error::new(Code::AnswerMismatch, "", None, message));
        }
    }
    Ok(())
}

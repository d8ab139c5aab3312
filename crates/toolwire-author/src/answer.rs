//! The answer to a question.

use serde::de::DeserializeOwned;
use toolwire::Json;
use toolwire::author;
use toolwire::call::{AnswerSource, AnswerState};

use crate::{ContextError, arguments};

/// The answer to a question, with its state (CALL-20 to CALL-22).
///
/// ```
/// use toolwire_author::{Context, ContextError, string};
/// use toolwire_author::toolwire::call::AnswerState;
///
/// fn name(ctx: &Context) -> Result<Option<String>, ContextError> {
///     let answer = ctx.ask("name", string("What is your name?"))?;
///     if answer.state == AnswerState::Declined {
///         ctx.emit("As you like.")?;
///     }
///     Ok(answer.value)
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer<T> {
    /// Accepted, opened, declined, cancelled or unavailable.
    pub state: AnswerState,
    /// Who decided that, if it is known.
    pub source: Option<AnswerSource>,
    /// The value, if it was accepted; `true` if it was a page that was opened.
    pub value: Option<T>,
}

/// An answer with the type that the author gave it.
pub(crate) fn typed_answer<T: DeserializeOwned>(
    id: &str,
    ask: &author::Ask,
    answer: &toolwire::call::Answer,
) -> Result<Answer<T>, ContextError> {
    // A page has no value; that it was opened is what a tool wants to know (AUTH-27).
    let opened = (answer.state() == AnswerState::Opened).then(|| Json::from(true));
    let value = answer
        .value()
        .or(opened.as_ref())
        .map(|value| arguments::checked(&ask.schema, value));
    let value = value.transpose().map_err(|found| {
        let failure = author::misfit(&format!("the answer to `{id}` does"), &found);
        ContextError::from(failure)
    })?;
    Ok(Answer {
        state: answer.state(),
        source: answer.source(),
        value,
    })
}

//! Who answers the questions of a tool.

use std::future::{Future, ready};
use std::pin::Pin;

use toolwire::call::{Answer, AnswerSource};

use crate::PendingQuestion;

/// Who answers the questions of a tool: a person at a prompt, a model, a table.
///
/// Questions come one at a time. A wrong answer is asked for again, with the mismatches in
/// [`PendingQuestion::mismatches`]. The future is dropped if the call is cancelled.
///
/// A function that answers at once is an answerer too: `FnMut(&PendingQuestion) -> Answer`. It must not block;
/// while it works nothing else does, cancelling included.
///
/// # Examples
///
/// ```
/// use std::{future::Future, pin::Pin};
/// use toolwire::{Json, call::{Answer, AnswerSource}};
/// use toolwire_host::{Answerer, PendingQuestion};
///
/// /// Says yes to whatever can be answered with it.
/// struct Yes;
///
/// impl Answerer for Yes {
///     fn answer<'a>(&'a mut self, asking: &'a PendingQuestion) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
///         Box::pin(async move {
///             match asking.prompt.kind() {
///                 "boolean" => Answer::accepted(Json::from(true), AnswerSource::User),
///                 _ => Answer::declined(AnswerSource::User),
///             }
///         })
///     }
/// }
/// # let _: &mut dyn Answerer = &mut Yes;
/// ```
pub trait Answerer: Send {
    /// The answer to a question.
    fn answer<'a>(
        &'a mut self,
        asking: &'a PendingQuestion,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;
}

impl<F: FnMut(&PendingQuestion) -> Answer + Send> Answerer for F {
    fn answer<'a>(
        &'a mut self,
        asking: &'a PendingQuestion,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(ready(self(asking)))
    }
}

/// Nobody: every question is unavailable.
///
/// ```
/// use toolwire_host::{Answerer, Nobody};
///
/// let answerer: &mut dyn Answerer = &mut Nobody;
/// # let _ = answerer;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Nobody;

impl Answerer for Nobody {
    fn answer<'a>(
        &'a mut self,
        _asking: &'a PendingQuestion,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        let answer = Answer::unavailable(AnswerSource::Policy);
        Box::pin(ready(answer))
    }
}

//! Answering the questions of a tool.

use std::future::Future;

use toolwire::call::{Answer, AnswerSource};

use crate::PendingQuestion;

/// Answers the questions of a tool: a person at a prompt, a model, a lookup table.
///
/// Questions come one at a time. After a wrong answer the question is asked again, with the mismatches in
/// [`PendingQuestion::mismatches`]. The future is dropped if the call is cancelled.
///
/// A function `FnMut(&PendingQuestion) -> Answer` is an answerer too. It must not block: while it runs,
/// nothing else does, not even cancelling.
///
/// # Examples
///
/// ```
/// use toolwire::{Json, call::{Answer, AnswerSource}, question::PromptKind};
/// use toolwire_host::{Answerer, PendingQuestion};
///
/// /// Says yes to whatever can be answered with it.
/// struct Yes;
///
/// impl Answerer for Yes {
///     async fn answer(&mut self, question: &PendingQuestion) -> Answer {
///         match question.prompt.kind() {
///             PromptKind::Boolean => Answer::accepted(Json::from(true), AnswerSource::User),
///             _ => Answer::declined(AnswerSource::User),
///         }
///     }
/// }
/// # fn is_answerer(_: impl Answerer) {}
/// # is_answerer(Yes);
/// ```
pub trait Answerer: Send {
    /// The answer to a question. An `async fn` will do, if its future can be sent to another thread.
    fn answer(&mut self, question: &PendingQuestion) -> impl Future<Output = Answer> + Send;
}

impl<F: FnMut(&PendingQuestion) -> Answer + Send> Answerer for F {
    async fn answer(&mut self, question: &PendingQuestion) -> Answer {
        self(question)
    }
}

/// An answerer for which every question is unavailable.
///
/// ```
/// use toolwire_host::{Answerer, Nobody};
///
/// fn is_answerer(_: impl Answerer) {}
/// is_answerer(Nobody);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Nobody;

impl Answerer for Nobody {
    async fn answer(&mut self, _: &PendingQuestion) -> Answer {
        Answer::unavailable(AnswerSource::Policy)
    }
}

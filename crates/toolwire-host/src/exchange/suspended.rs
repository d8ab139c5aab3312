//! A call that stops while its questions are open, to go on later, also in another process.

use std::collections::BTreeMap;

use toolwire::Json;
use toolwire::call::Answer;

use super::PendingQuestion;

/// What a call has come to: the answers so far, each already checked against its question.
///
/// It is what a host must keep where a call goes on later ([`Exchange::resume`](crate::Exchange::resume)),
/// and must be able to trust then: nothing in it is checked again.
///
/// ```
/// use toolwire::{Json, call::{Answer, AnswerSource}};
/// use toolwire_host::{Settled, Standing};
///
/// let mut standing = Standing { rounds: 1, ..Standing::default() };
/// standing.answers.insert("ok".into(), Settled {
///     answer: Answer::accepted(Json::from(true), AnswerSource::User),
///     schema: Some(Json::new(r#"{"type":"boolean"}"#)?),
///     suspected: false,
/// });
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// The number of calls of the tool so far.
    pub rounds: usize,
    /// The answers, by the ids of their questions.
    pub answers: BTreeMap<String, Settled>,
}

/// An answer, and what is needed to tell its question from another one with the same id.
///
/// ```
/// use toolwire::{Json, call::{Answer, AnswerSource}};
/// use toolwire_host::Settled;
///
/// let settled = Settled {
///     answer: Answer::declined(AnswerSource::User),
///     schema: Some(Json::new("{}")?),
///     suspected: false,
/// };
/// assert!(settled.answer.value().is_none());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// What became of the question.
    pub answer: Answer,
    /// The question's schema; nothing if it has a page instead.
    pub schema: Option<Json>,
    /// Whether the question seemed to ask for a secret (Q-110).
    pub suspected: bool,
}

/// A call that has stopped at its open questions ([`Exchange::suspend`](crate::Exchange::suspend)).
///
/// ```
/// use toolwire_host::{Standing, Suspended};
///
/// let suspended = Suspended { questions: vec![], standing: Standing::default() };
/// assert_eq!(suspended.standing.rounds, 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Suspended {
    /// All open questions of the tool's last answer, in their order.
    pub questions: Vec<PendingQuestion>,
    /// What the call has come to.
    pub standing: Standing,
}

//! A pending question.

use toolwire::Json;
use toolwire::block::Question;
use toolwire::question::{Prompt, Secret};

use super::{QuestionContext, Who};
use crate::Mismatch;

/// A pending question, with everything that is needed to answer it. A question that declares a secret is never
/// asked (Q-20). One that is suspected of asking for a secret says so in `secret`.
///
/// ```
/// use toolwire::{Json, Limits, call::Call, parse};
/// use toolwire_host::{Exchange, ExchangeOptions, Step};
///
/// let mut exchange = Exchange::new(Call::new("rename", Json::new("{}")?), ExchangeOptions::default());
/// let answer = br#"{"content":[{"type":"text","text":"a exists"},
///     {"type":"question","question":{"id":"ok","text":"Replace?","schema":{"type":"boolean"}}}]}"#;
/// exchange.handle_result(parse(&answer[..], &Limits::default()));
/// let Step::Ask(asking) = exchange.step() else { panic!() };
/// assert_eq!((asking.question.text.as_str(), asking.prompt.kind().as_str()), ("Replace?", "boolean"));
/// assert_eq!(asking.context.len(), 1);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PendingQuestion {
    /// The question as the tool asks it.
    pub question: Question,
    /// How a person is asked (Q-1).
    pub prompt: Prompt,
    /// The question's default, if it fits the prompt and the schema.
    pub default: Option<Json>,
    /// The blocks before the question, which are its context, without other questions. Blocks for every
    /// audience are included: before you show them to a person or a model, leave out those whose
    /// `annotations.audience` names only the other one.
    pub context: QuestionContext,
    /// The questions with a `url` that come after this one in the same answer of the tool.
    pub later_pages: Vec<Question>,
    /// How many of these blocks were already the context of the previous question.
    pub shown: usize,
    /// What was wrong with the previous answer, if there was one; empty at first.
    pub mismatches: Vec<Mismatch>,
    /// The tool that asks.
    pub tool: Option<String>,
    /// The arguments that the tool was called with.
    pub arguments: Json,
    /// Present if the question seems to ask for a secret. Such a question is for a person only: only an answer
    /// from the source `user` is accepted, no default is offered, and the input must be neither shown nor
    /// stored (Q-110 to Q-114).
    pub secret: Option<Secret>,
    /// The warning to show above such a question (Q-112).
    pub warning: Option<String>,
    /// Who should answer, if a manifest says so: [`Who::User`] or [`Who::Assistant`]. Only a person can answer a
    /// question for the user.
    pub who: Option<Who>,
    /// The number of calls of the tool so far; 1 at the first question.
    pub round: usize,
}

//! A question that waits for its answer.

use toolwire::Json;
use toolwire::block::Question;
use toolwire::question::{Prompt, Secret};

use super::{QuestionContext, Who};
use crate::Mismatch;

/// A question that waits for its answer, with all that whoever answers may want to know. It never
/// declares a secret: those are not asked (Q-20). One that is suspected to ask for one says so in
/// `secret`.
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
    /// The blocks before the question, which are its context; no questions among them. All of them,
    /// whomever they are for: whoever shows them to a person, or hands them to a model, leaves out
    /// those whose `annotations.audience` names only the other one.
    pub context: QuestionContext,
    /// How many of these blocks were already the context of the question before.
    pub shown: usize,
    /// What was wrong with the answer before, if there was one; empty at first.
    pub mismatches: Vec<Mismatch>,
    /// The tool that asks.
    pub tool: Option<String>,
    /// The arguments that the tool was called with.
    pub arguments: Json,
    /// The sign by which it seems to ask for a secret, if it does. Then it is for a person alone: only
    /// an answer from the source `user` is taken, no default is offered, and what is typed must not be
    /// shown nor kept (Q-110 to Q-114).
    pub secret: Option<Secret>,
    /// What stands above such a question, for the person who is asked (Q-112).
    pub warning: Option<String>,
    /// Who is to answer, if a manifest says so: [`Who::User`] or [`Who::Assistant`]. A person alone can
    /// answer what is for the user (MAN-44).
    pub who: Option<Who>,
    /// How often the tool has been called so far; 1 at the first question.
    pub round: usize,
}

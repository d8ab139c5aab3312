//! Answers to the questions of a tool that keeps running, where the host or its answerer gives them (HOST-22).

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource, SessionAction};
use toolwire::question::{RefusalAbout, SecretContext, find_secret, read_question, write_question};
use toolwire::session::Applied;
use toolwire::{Code, Json};

use super::SessionAnswerer;
use super::handle::Handle;
use super::state::State;
use crate::exchange::{Plan, plan};
use crate::{Mismatch, PendingQuestion, Unanswered, Who};

/// What a tool asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OpenQuestion {
    /// The question.
    #[serde(serialize_with = "write", deserialize_with = "read")]
    pub question: Question,
    /// Whether a model must not answer it (SES-25).
    pub person: bool,
    /// What secret it seems to ask for, with what was said before it (SES-6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspected: Option<RefusalAbout>,
}

fn write<S: Serializer>(question: &Question, serializer: S) -> Result<S::Ok, S::Error> {
    let question = Json::new(write_question(question)).map_err(ser::Error::custom)?;
    question.serialize(serializer)
}

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Question, D::Error> {
    let question = Json::deserialize(deserializer)?;
    read_question(question.as_str()).map_err(de::Error::custom)
}

impl State {
    /// What the tool asks now, and who may answer.
    pub(super) fn asks(&self) -> Option<OpenQuestion> {
        let question = self.machine.question()?.clone();
        let possible = self.machine.possible(AnswerSource::Assistant);
        let person = !possible.contains(&SessionAction::Apply);
        let texts = self.recent.context();
        let mut context = SecretContext::default();
        for text in &texts {
            context.add(text.as_str());
        }
        let secret = find_secret(&question, &context).filter(|_| person);
        Some(OpenQuestion {
            suspected: secret.map(|secret| secret.about),
            question,
            person,
        })
    }
}

impl Handle {
    /// Whether a question is for the user alone, as the host's settings say.
    pub(super) fn is_for_user(&self, state: &State, question: &str) -> bool {
        state.tool.exchange.who(question) == Some(&Who::User)
    }

    /// Has the open question answered, if that is not left to somebody who applies an answer.
    pub(super) fn ask(self: &Arc<Self>, state: &mut State, person: bool) {
        let Some(question) = state.machine.question().cloned() else {
            return;
        };
        let tool = Arc::clone(&state.tool);
        let exchange = &tool.exchange;
        let settled = exchange.given.contains_key(&question.id)
            || exchange.unanswered != Unanswered::Ask
            || exchange
                .who(&question.id)
                .is_some_and(|who| who.asked().is_none());
        let answerer = self.options.answerer.clone();
        let asks = person || self.asks_all;
        if !settled && !(asks && (answerer.is_some() || self.asks_all)) {
            return;
        }
        let (texts, call) = (state.recent.context(), state.call.clone());
        let handle = Arc::clone(self);
        let asking = tokio::spawn(async move {
            match plan(&tool.exchange, &call, &question, &texts, person) {
                Plan::Answer(answer) => handle.settle(&question, answer),
                Plan::Ask(pending) if asks => {
                    let tries = tool.exchange.max_tries;
                    handle.ask_answerer(answerer, *pending, tries).await;
                }
                // What was given did not settle it, so that it is left to be applied.
                Plan::Ask(_) => {}
            }
        });
        state.asking = Some(asking.abort_handle());
    }

    async fn ask_answerer(
        self: &Arc<Self>,
        answerer: Option<SessionAnswerer>,
        mut pending: PendingQuestion,
        tries: usize,
    ) {
        let nobody = || Answer::unavailable(AnswerSource::Policy);
        let question = pending.question.clone();
        let Some(answerer) = answerer else {
            return self.settle(&question, nobody());
        };
        for _ in 0..tries.max(1) {
            let asked = pending.clone();
            let answerer = answerer.clone();
            // One that panics has no answer.
            let mut asking = Asking(tokio::spawn(async move { answerer.answer(&asked).await }));
            let answer = (&mut asking.0).await.unwrap_or_else(|_| nobody());
            let (by, what) = (source(&answer), Applied::Answer(answer));
            let given = self.apply(by, what, Some(question.id.clone()));
            match given.err().flatten() {
                Some(refusal) if refusal.code == Code::AnswerMismatch => {
                    pending.mismatches = mismatches(refusal.mismatches, &pending);
                }
                Some(refusal) if refusal.code == Code::PersonOnly => break,
                _ => return,
            }
        }
        self.settle(&question, nobody());
    }

    /// Gives an answer that is nobody's choice. One that does not fit is none.
    fn settle(self: &Arc<Self>, question: &Question, answer: Answer) {
        let by = source(&answer);
        let id = Some(question.id.clone());
        let given = self.apply(by, Applied::Answer(answer), id.clone());
        let refusal = given.err().flatten();
        if refusal.is_some_and(|refusal| refusal.code != Code::NoQuestion) {
            let answer = Answer::unavailable(AnswerSource::Policy);
            let _ = self.apply(AnswerSource::Policy, Applied::Answer(answer), id);
        }
    }
}

/// Dropped with the task that waits for it.
struct Asking(tokio::task::JoinHandle<Answer>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn source(answer: &Answer) -> AnswerSource {
    answer.source().unwrap_or(AnswerSource::User)
}

/// What was wrong, without what a secret may have been.
fn mismatches(found: Vec<(String, String)>, pending: &PendingQuestion) -> Vec<Mismatch> {
    if pending.secret.is_some() {
        return vec![Mismatch {
            pointer: String::new(),
            message: "the answer does not fit the schema".to_owned(),
        }];
    }
    let mismatch = |(pointer, message)| Mismatch { pointer, message };
    found.into_iter().map(mismatch).collect()
}

//! Who answers a question (CLI-47).

use std::collections::BTreeMap;
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;
use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire_host::{Answerer, Asking, Assistant};

use super::given::{Given, example};
use super::screen::Screen;
use crate::args::NonInteractive;
use crate::manifest::Who;
use crate::prompt;

/// Puts each question to the one who is to answer it.
pub struct Router {
    pub given: Given,
    pub questions: BTreeMap<String, Who>,
    pub assistant: Option<Assistant>,
    /// What happens to a question for a person; nothing if there is one.
    pub nobody: Option<NonInteractive>,
    pub screen: Screen,
    pub color: bool,
    pub end: Ending,
}

/// The end of a call because of a question, which the router decides and the caller carries out.
#[derive(Clone, Default)]
pub struct Ending(Arc<(Mutex<Option<Ended>>, Notify)>);

/// Why a question ends the call.
#[derive(Clone, Debug)]
pub enum Ended {
    /// Nobody is there to answer it; with an option that would.
    Unanswered {
        tool: Option<String>,
        id: String,
        text: String,
        option: String,
    },
    /// What was given does not fit.
    Wrong(Vec<String>),
    /// The terminal failed.
    Terminal(String),
}

impl Ending {
    /// Done when a question has ended the call.
    pub async fn reached(&self) {
        self.0.1.notified().await;
    }

    pub fn take(&self) -> Option<Ended> {
        self.0
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Ends the call; whoever waits for this answer is given up.
    async fn with(&self, ended: Ended) -> Answer {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
        self.0.1.notify_one();
        pending().await
    }
}

impl Answerer for Router {
    fn answer<'a>(
        &'a mut self,
        asking: &'a Asking,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(async move {
            self.screen.pause();
            let answer = self.decide(asking).await;
            self.screen.start();
            answer
        })
    }
}

impl Router {
    async fn decide(&mut self, asking: &Asking) -> Answer {
        let question = &asking.question;
        match self.given.answer(question) {
            // It is asked again because the value did not fit.
            Ok(Some(_)) if !asking.mismatches.is_empty() => return self.wrong(asking).await,
            Ok(Some(value)) => return Answer::accepted(value, AnswerSource::Policy),
            Ok(None) => {}
            Err(message) => {
                let message = format!("the answer to `{}` does not fit: {message}", question.id);
                return self.end.with(Ended::Wrong(vec![message])).await;
            }
        }
        let who = self
            .questions
            .get(&question.id)
            .or_else(|| self.questions.get("*"))
            .cloned();
        match who {
            Some(Who::Value(_)) if !asking.mismatches.is_empty() => self.wrong(asking).await,
            Some(Who::Value(value)) => Answer::accepted(value.to_json(), AnswerSource::Policy),
            Some(Who::Default) => default(asking),
            Some(Who::Decline) => declined(),
            Some(Who::User) => self.ask_person(asking).await,
            Some(Who::Assistant) | None => match &mut self.assistant {
                Some(assistant) => {
                    self.screen.start();
                    let answer = assistant.answer(asking).await;
                    self.screen.pause();
                    answer
                }
                None => self.ask_person(asking).await,
            },
        }
    }

    async fn wrong(&mut self, asking: &Asking) -> Answer {
        let id = &asking.question.id;
        let found = asking.mismatches.iter();
        let messages =
            found.map(|one| format!("the answer to `{id}` does not fit: {}", one.message));
        self.end.with(Ended::Wrong(messages.collect())).await
    }

    async fn ask_person(&mut self, asking: &Asking) -> Answer {
        match self.nobody {
            None => match prompt::ask_person(asking, self.color).await {
                Ok(answer) => answer,
                Err(error) => {
                    let reason = crate::exit::reason(&error).to_string();
                    self.end.with(Ended::Terminal(reason)).await
                }
            },
            Some(NonInteractive::Defaults) => default(asking),
            Some(NonInteractive::Decline) => declined(),
            Some(NonInteractive::Fail) => {
                let unanswered = Ended::Unanswered {
                    tool: asking.tool.clone(),
                    id: asking.question.id.clone(),
                    text: asking.question.text.clone(),
                    option: example(&asking.question, &asking.prompt),
                };
                self.end.with(unanswered).await
            }
        }
    }
}

fn default(asking: &Asking) -> Answer {
    match &asking.default {
        Some(value) => Answer::accepted(value.clone(), AnswerSource::Default),
        None => Answer::without_value(AnswerState::Unavailable, AnswerSource::Policy),
    }
}

fn declined() -> Answer {
    Answer::without_value(AnswerState::Declined, AnswerSource::Policy)
}

//! Who answers a question (CLI-47).

use std::collections::BTreeMap;

use toolwire::call::{Answer, AnswerSource};
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
}

/// Why a question ends the call.
#[derive(Debug)]
pub enum Ended {
    /// Nobody is there to answer it; with an option that would.
    Unanswered(String),
    /// What was given does not fit.
    Wrong(Vec<String>),
    /// The terminal failed.
    Terminal(String),
}

impl Router {
    /// The answer to a question, of whoever is to give it.
    pub async fn answer(&mut self, asking: &Asking) -> Result<Answer, Ended> {
        let question = &asking.question;
        match self.given.answer(question) {
            // It is asked again because the value did not fit.
            Ok(Some(_)) if !asking.mismatches.is_empty() => return Err(wrong(asking)),
            Ok(Some(value)) => return Ok(Answer::accepted(value, AnswerSource::Policy)),
            Ok(None) => {}
            Err(message) => {
                let message = format!("the answer to `{}` does not fit: {message}", question.id);
                return Err(Ended::Wrong(vec![message]));
            }
        }
        let who = self
            .questions
            .get(&question.id)
            .or_else(|| self.questions.get("*"));
        match who {
            Some(Who::Value(_)) if !asking.mismatches.is_empty() => Err(wrong(asking)),
            Some(Who::Value(value)) => Ok(Answer::accepted(value.to_json(), AnswerSource::Policy)),
            Some(Who::Default) => Ok(default(asking)),
            Some(Who::Decline) => Ok(declined()),
            Some(Who::User) => self.ask_person(asking).await,
            Some(Who::Assistant) | None => match &mut self.assistant {
                Some(assistant) => {
                    self.screen.start();
                    let answer = assistant.answer(asking).await;
                    self.screen.pause();
                    Ok(answer)
                }
                None => self.ask_person(asking).await,
            },
        }
    }

    async fn ask_person(&self, asking: &Asking) -> Result<Answer, Ended> {
        match self.nobody {
            None => {
                let answer = prompt::ask_person(asking, self.color).await;
                answer.map_err(|error| Ended::Terminal(crate::exit::reason(&error).to_string()))
            }
            Some(NonInteractive::Defaults) => Ok(default(asking)),
            Some(NonInteractive::Decline) => Ok(declined()),
            Some(NonInteractive::Fail) => {
                let option = example(&asking.question, &asking.prompt);
                Err(Ended::Unanswered(option))
            }
        }
    }
}

fn wrong(asking: &Asking) -> Ended {
    let id = &asking.question.id;
    let found = asking.mismatches.iter();
    let messages = found.map(|one| format!("the answer to `{id}` does not fit: {}", one.message));
    Ended::Wrong(messages.collect())
}

fn default(asking: &Asking) -> Answer {
    match &asking.default {
        Some(value) => Answer::accepted(value.clone(), AnswerSource::Default),
        None => Answer::unavailable(AnswerSource::Policy),
    }
}

fn declined() -> Answer {
    Answer::declined(AnswerSource::Policy)
}

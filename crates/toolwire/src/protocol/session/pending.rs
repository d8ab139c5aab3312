//! A question that waits, and what may answer it (SES-25, SES-26).

use super::{Checker, Effect};
use crate::Code;
use crate::block::{Question, QuestionBlock};
use crate::protocol::call::{Answer, AnswerSource, AnswerState};

/// A question that waits for its answer.
#[derive(Debug, Clone)]
pub(super) struct PendingQuestion {
    pub block: QuestionBlock,
    /// Whether only a person may answer it.
    pub person: bool,
}

impl PendingQuestion {
    pub(super) fn question(&self) -> &Question {
        &self.block.question
    }

    pub(super) fn open(&self) -> Effect {
        Effect::Open {
            id: self.question().id.clone(),
            person: self.person,
        }
    }

    pub(super) fn withdraw(&self) -> Effect {
        Effect::Withdraw {
            id: self.question().id.clone(),
        }
    }
}

/// Why an event is refused.
pub(super) struct Refused {
    pub code: Code,
    pub message: String,
    pub mismatches: Vec<(String, String)>,
    /// Effects of the refusal, which the tool must know.
    pub effects: Vec<Effect>,
}

pub(super) fn refuse<T>(code: Code, message: impl Into<String>) -> Result<T, Refused> {
    Err(Refused {
        code,
        message: message.into(),
        mismatches: Vec::new(),
        effects: Vec::new(),
    })
}

impl PendingQuestion {
    /// Whether the answer may be given, and fits (SES-25, SES-26).
    pub(super) fn take(
        &self,
        by: AnswerSource,
        answer: &Answer,
        checker: &dyn Checker,
    ) -> Result<(), Refused> {
        let answers = matches!(answer.state(), AnswerState::Accepted | AnswerState::Opened);
        // A rule may decline; it may not answer in the person's place.
        if self.person && (by == AnswerSource::Assistant || by != AnswerSource::User && answers) {
            let message = format!("only a person may answer `{}`", self.question().id);
            return refuse(Code::PersonOnly, message);
        }
        let is_page = self.question().url.is_some();
        let fits = match (answer.state(), answer.value()) {
            (AnswerState::Accepted, Some(value)) if !is_page => {
                checker.answer(self.question(), value)
            }
            (AnswerState::Accepted, _) => {
                misfit("the question is answered on its page, by no value")
            }
            (AnswerState::Opened, _) if !is_page => misfit("the question has no page to open"),
            _ => Ok(()),
        };
        fits.map_err(|mismatches| Refused {
            code: Code::AnswerMismatch,
            message: format!("the answer does not fit `{}`", self.question().id),
            mismatches,
            effects: Vec::new(),
        })
    }
}

/// An answer that fits nowhere.
fn misfit(message: &str) -> Result<(), Vec<(String, String)>> {
    Err(vec![(String::new(), message.to_owned())])
}

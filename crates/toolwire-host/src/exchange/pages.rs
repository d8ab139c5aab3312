//! Questions that are answered on a page.

use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire::{Code, Diagnostic, Error, Json};

/// What an answer is to: by it a question is known again.
#[derive(Debug, PartialEq)]
pub(super) enum Form {
    Schema(Json),
    /// A page. Its URL may be another one each time.
    Page,
}

impl Form {
    pub(super) fn of(question: &Question) -> Self {
        match question.url {
            Some(_) => Form::Page,
            None => Form::Schema(question.schema.clone()),
        }
    }

    pub(super) fn schema(&self) -> Option<Json> {
        match self {
            Form::Schema(schema) => Some(schema.clone()),
            Form::Page => None,
        }
    }
}

impl From<Option<Json>> for Form {
    fn from(schema: Option<Json>) -> Self {
        schema.map_or(Form::Page, Form::Schema)
    }
}

/// Whether an answer without a value can be one to this question: only a page is opened.
pub(super) fn fits(question: &Question, answer: &Answer) -> bool {
    answer.state() != AnswerState::Opened || question.url.is_some()
}

/// Whether a page counts as opened though no person agreed.
pub(super) fn lacks_consent(question: &Question, answer: &Answer) -> bool {
    question.url.is_some()
        && answer.state() == AnswerState::Opened
        && answer.source() != Some(AnswerSource::User)
}

/// The diagnostic for a page that nobody agreed to open.
pub(super) fn no_consent(question: &Question) -> Vec<Diagnostic> {
    let message = format!(
        "the page of `{}` was not opened: only a person can agree to that",
        question.id
    );
    let error = Error::new(Code::AnswerMismatch, "", None, message);
    error.diagnostics().to_vec()
}

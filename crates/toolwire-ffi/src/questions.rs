//! How questions are presented, and which are never asked (chapter 11).

use toolwire::Error;
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource};
use toolwire::question;

use crate::reply::{Reply, written};

pub(crate) fn find_secret(question: &Question, context: &[String]) -> Option<Reply> {
    let context = context.iter().map(String::as_str).collect();
    question::find_secret(question, &context).map(|found| written(found.to_json()))
}

pub(crate) fn prompt(question: &Question) -> Result<Reply, Error> {
    let prompt = question::prompt(question)?;
    Ok(written(prompt.to_json(question, question.default.as_ref())))
}

/// The answer of a person; nothing but comments means to cancel.
pub(crate) fn read_template(edited: &str) -> Result<Answer, Error> {
    Ok(match question::read_template(edited)? {
        Some(value) => Answer::accepted(value, AnswerSource::User),
        None => Answer::cancelled(AnswerSource::User),
    })
}

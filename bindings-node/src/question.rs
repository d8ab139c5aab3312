//! Questions: how one is presented, what is never asked, what is said instead.

use napi_derive::napi;
use toolwire::Block;
use toolwire::block::Question;
use toolwire_ffi::exchange::question_json;
use toolwire_host::PendingQuestion;

use crate::fault::{Result, told};
use crate::json::{Object, array, string};
use crate::source::utf8;

/// A question from its JSON text.
pub fn read(question: &[u8]) -> Result<Question> {
    toolwire::question::read_question(utf8(question)?).map_err(told)
}

/// A question as one JSON object, with its schema and default as texts.
#[napi(catch_unwind)]
pub fn read_question(question: &[u8]) -> Result<String> {
    let question = read(question)?;
    Ok(Object::new()
        .text("id", &question.id)
        .text("text", &question.text)
        .text("schemaText", question.schema.as_str())
        .optional(
            "defaultText",
            question.default.as_ref().map(|json| json.as_str()),
        )
        .optional("url", question.url.as_deref())
        .end())
}

/// The first sign that a question asks for a secret, as a JSON object; nothing if it does not.
#[napi(catch_unwind)]
pub fn find_secret(question: &[u8], context: Vec<String>) -> Result<Option<String>> {
    let context = context.into_iter().collect();
    let found = toolwire::question::find_secret(&read(question)?, &context);
    Ok(found.map(|secret| secret.to_json()))
}

/// How a question is presented, as a JSON object.
#[napi(catch_unwind)]
pub fn prompt(question: &[u8]) -> Result<String> {
    let question = read(question)?;
    let prompt = toolwire::question::prompt(&question).map_err(told)?;
    Ok(prompt.to_json(&question, question.default.as_ref()))
}

/// The text with which an editor begins.
#[napi(catch_unwind)]
pub fn template(question: &[u8]) -> Result<String> {
    Ok(toolwire::question::template(&read(question)?))
}

/// The JSON text of the answer in an edited template; nothing to cancel.
#[napi(catch_unwind)]
pub fn read_template(edited: &[u8]) -> Result<Option<String>> {
    let answer = toolwire::question::read_template(utf8(edited)?).map_err(told)?;
    Ok(answer.map(|json| json.as_str().to_owned()))
}

/// The canonical text of the envelope that stands for a question without an answer.
#[napi(catch_unwind)]
pub fn refusal(options: String) -> Result<String> {
    let options = toolwire_ffi::options::refusal(&options).map_err(told)?;
    let envelope = toolwire::question::refusal(&options).map_err(told)?;
    Ok(envelope.to_json())
}

/// A question that waits, as a JSON object, and its context.
pub fn pending(question: &PendingQuestion) -> String {
    Object::new()
        .raw("question", &question_json(question))
        .raw("context", &context(question))
        .end()
}

/// The blocks before a question, as a JSON array of their JSON texts.
pub fn context(question: &PendingQuestion) -> String {
    let texts = question.context.iter().map(Block::to_json);
    array(texts.map(|json| string(&json)))
}

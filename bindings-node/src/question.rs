//! Questions that wait.

use toolwire::Block;
use toolwire_ffi::exchange::question_json;
use toolwire_host::PendingQuestion;

use crate::json::{Object, array, string};

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

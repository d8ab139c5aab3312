//! Questions and answers as the elicitation of MCP.

use napi_derive::napi;
use toolwire_ffi::elicitation;

use crate::fault::{Result, told};
use crate::source::utf8;

/// A document and the report about it, as JSON texts.
fn texts(mapped: elicitation::Mapped) -> Vec<String> {
    vec![mapped.json, mapped.report]
}

/// The params of a request, and the report.
#[napi(catch_unwind)]
pub fn to_elicitation(question: &[u8], options: String) -> Result<Vec<String>> {
    elicitation::to_elicitation(utf8(question)?, &options)
        .map(texts)
        .map_err(told)
}

/// The result that asks an array of questions, and the report.
#[napi(catch_unwind)]
pub fn to_input_required(questions: String, options: String) -> Result<Vec<String>> {
    elicitation::to_input_required(&questions, &options)
        .map(texts)
        .map_err(told)
}

/// `{"state","source","value"}` of a result.
#[napi(catch_unwind)]
pub fn answer_from_elicit_result(
    question: &[u8],
    result: &[u8],
    options: String,
) -> Result<String> {
    elicitation::answer_from_elicit_result(utf8(question)?, utf8(result)?, &options).map_err(told)
}

/// The question of the params of a request, and the report.
#[napi(catch_unwind)]
pub fn from_elicitation(params: &[u8], id: String) -> Result<Vec<String>> {
    elicitation::from_elicitation(utf8(params)?, &id)
        .map(texts)
        .map_err(told)
}

/// The result for an answer, `{"state","source","value"}`.
#[napi(catch_unwind)]
pub fn answer_to_elicit_result(params: &[u8], answer: String, options: String) -> Result<String> {
    elicitation::answer_to_elicit_result(utf8(params)?, &answer, &options).map_err(told)
}

/// The envelope for an array of questions, and after it `true` or `false`: whether there is another way.
#[napi(catch_unwind)]
pub fn without_elicitation(questions: String, options: String) -> Result<Vec<String>> {
    elicitation::without_elicitation(&questions, &options)
        .map(|(envelope, has_way)| vec![envelope, has_way.to_string()])
        .map_err(told)
}

/// Whether a client can be asked a question.
#[napi(catch_unwind)]
pub fn can_elicit(question: &[u8], options: String) -> Result<bool> {
    elicitation::can_elicit(utf8(question)?, &options).map_err(told)
}

/// The capabilities that an array of questions needs.
#[napi(catch_unwind)]
pub fn required_capabilities(questions: String) -> Result<String> {
    elicitation::required_capabilities(&questions).map_err(told)
}

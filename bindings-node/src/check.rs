//! Whether a value fits a JSON Schema.

use napi_derive::napi;
use toolwire::Json;
use toolwire_host::CheckError;

use crate::fault::{Result, told};
use crate::json::array;
use crate::question;

/// The places where a value does not fit a schema, in a JSON array; both are JSON text.
#[napi(catch_unwind)]
pub fn check_value(schema: String, value: String) -> Result<String> {
    let (schema, value) = (json(schema)?, json(value)?);
    mismatches(toolwire_host::check_value(&schema, &value))
}

/// The places where an answer does not fit its question, in a JSON array.
#[napi(catch_unwind)]
pub fn check_answer(question: &[u8], value: String) -> Result<String> {
    mismatches(toolwire_host::check_answer(
        &question::read(question)?,
        &json(value)?,
    ))
}

/// What is wrong with a question, in a JSON array of diagnostics.
#[napi(catch_unwind)]
pub fn check_question(question: &[u8]) -> Result<String> {
    let found = toolwire_host::check_question(&question::read(question)?);
    Ok(toolwire::diagnostics_json(&found))
}

/// What does not fit; a schema that can't be used is an error.
pub fn mismatches(checked: std::result::Result<(), CheckError>) -> Result<String> {
    match checked {
        Ok(()) => Ok("[]".to_owned()),
        Err(CheckError::Mismatches(found)) => Ok(array(found.iter().map(|one| one.to_json()))),
        Err(CheckError::BadSchema(error)) => Err(told(error)),
    }
}

fn json(text: String) -> Result<Json> {
    Json::new(text).map_err(told)
}

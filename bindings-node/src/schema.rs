//! JSON Schemas: whether a value fits one, and the forms in which they are passed on.

use napi_derive::napi;
use toolwire::Json;
use toolwire::schema::{Projection, close, tidy, tidy_input};
use toolwire_schema::CheckError;

use crate::fault::{Result, told};
use crate::json::{Object, array};
use crate::question;

/// The places where a value does not fit a schema, in a JSON array; both are JSON text.
#[napi(catch_unwind)]
pub fn check_value(schema: String, value: String) -> Result<String> {
    let schema = json(schema)?;
    mismatches(toolwire_schema::check_value(&schema, &json(value)?))
}

/// As [`check_value`], of a value that was read before.
pub fn check(schema: String, value: &Json) -> Result<String> {
    mismatches(toolwire_schema::check_value(&json(schema)?, value))
}

/// The places where an answer does not fit its question, in a JSON array.
#[napi(catch_unwind)]
pub fn check_answer(question: &[u8], value: String) -> Result<String> {
    mismatches(toolwire_schema::check_answer(
        &question::read(question)?,
        &json(value)?,
    ))
}

/// What is wrong with a question, in a JSON array of diagnostics.
#[napi(catch_unwind)]
pub fn check_question(question: &[u8]) -> Result<String> {
    let found = toolwire_schema::check_question(&question::read(question)?);
    Ok(array(found.iter().map(|one| one.to_json())))
}

/// The projection of a schema, or of that of an answer, for providers of models, as a JSON object.
#[napi(catch_unwind)]
pub fn project_schema(schema: String, answer: bool, provider: Option<String>) -> Result<String> {
    Ok(projection(schema, answer, provider)?.to_json())
}

/// What a provider of models would reject of a schema, in a JSON array of diagnostics.
#[napi(catch_unwind)]
pub fn lint_schema(schema: String, provider: Option<String>) -> Result<String> {
    toolwire_ffi::schema::lint(&json(schema)?, provider.as_deref()).map_err(told)
}

/// What a model that was shown the projection meant by a value; both are JSON text.
#[napi(catch_unwind)]
pub fn unwrap_projected(
    schema: String,
    answer: bool,
    provider: Option<String>,
    given: String,
) -> Result<String> {
    let meant = projection(schema, answer, provider)?.unwrap_value(&json(given)?);
    Ok(meant.map_err(told)?.as_str().to_owned())
}

fn projection(schema: String, answer: bool, provider: Option<String>) -> Result<Projection> {
    toolwire_ffi::schema::projection(&json(schema)?, answer, provider.as_deref()).map_err(told)
}

/// A schema, or an input schema, in the form that all languages give.
#[napi(catch_unwind)]
pub fn tidy_schema(schema: String, input: bool) -> Result<String> {
    let tidy = if input { tidy_input } else { tidy };
    let schema = tidy(&json(schema)?);
    Ok(schema.as_str().to_owned())
}

/// A schema that was made from types, with unknown members forbidden at every level.
#[napi(catch_unwind)]
pub fn close_schema(schema: String) -> Result<String> {
    Ok(close(&json(schema)?).as_str().to_owned())
}

/// An output schema in the form that all languages give, and whether values are wrapped for it, as a
/// JSON object.
#[napi(catch_unwind)]
pub fn tidy_output(schema: String) -> Result<String> {
    let (schema, wrapped) = toolwire::schema::tidy_output(&json(schema)?);
    Ok(Object::new()
        .raw("schema", schema.as_str())
        .flag("wrapped", wrapped)
        .end())
}

/// What does not fit; a schema that can't be used is an error.
fn mismatches(checked: std::result::Result<(), CheckError>) -> Result<String> {
    match checked {
        Ok(()) => Ok("[]".to_owned()),
        Err(CheckError::Mismatches(found)) => Ok(array(found.iter().map(|one| one.to_json()))),
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => Err(told(error)),
    }
}

fn json(text: String) -> Result<Json> {
    Json::new(text).map_err(told)
}

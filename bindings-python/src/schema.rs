//! Schemas: made into one form, and values checked with them.

use pyo3::prelude::*;
use toolwire::{Code, Json};
use toolwire_host::CheckError;

use crate::call::schema_of;
use crate::error::raise;
use crate::question::question_of;
use crate::to_json::append;
use crate::to_python::json_to_python;

/// A JSON Schema in the one form that all languages give: without what only a generator has put there.
///
/// >>> from toolwire._toolwire import tidy_schema
/// >>> tidy_schema({'title': 'A', 'anyOf': [{'type': 'integer'}, {'type': 'null'}], 'default': None})
/// {'type': ['integer', 'null']}
#[pyfunction]
pub fn tidy_schema<'py>(schema: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let tidy = toolwire::schema::tidy(&schema_of(schema, "schema")?);
    json_to_python(schema.py(), tidy.as_str())
}

/// The input schema of a tool in that form: an object, which takes no other names unless it says so.
///
/// >>> from toolwire._toolwire import tidy_input
/// >>> tidy_input({})
/// {'additionalProperties': False, 'properties': {}, 'type': 'object'}
#[pyfunction]
pub fn tidy_input<'py>(schema: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let tidy = toolwire::schema::tidy_input(&schema_of(schema, "schema")?);
    json_to_python(schema.py(), tidy.as_str())
}

/// The output schema of a tool in that form, and whether a value is to be wrapped as `result`.
///
/// >>> from toolwire._toolwire import tidy_output
/// >>> tidy_output({'type': 'object'})
/// ({'type': 'object'}, False)
/// >>> tidy_output({'type': 'string'})[1]
/// True
#[pyfunction]
pub fn tidy_output<'py>(schema: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, bool)> {
    let (tidy, wrapped) = toolwire::schema::tidy_output(&schema_of(schema, "schema")?);
    Ok((json_to_python(schema.py(), tidy.as_str())?, wrapped))
}

/// The places where a value does not fit a JSON Schema of 2020-12: pairs of a JSON Pointer into the
/// value and a sentence, at most 20; none if it fits.
///
/// Nothing but the two is looked at: `$ref` leads into the schema itself. A schema that can't be used
/// is refused with `bad_schema`.
///
/// >>> import toolwire
/// >>> schema = {'type': 'object', 'properties': {'limit': {'maximum': 9}}}
/// >>> toolwire.check_value(schema, {'limit': 3})
/// []
/// >>> toolwire.check_value(schema, {'limit': 30})
/// [('/limit', '`limit` is at most 9, not `30`')]
#[pyfunction]
pub fn check_value(
    schema: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<Vec<(String, String)>> {
    let (schema, value) = (schema_of(schema, "schema")?, value_of(value, "value")?);
    let py = value.1;
    found(
        py,
        py.detach(|| toolwire_host::check_value(&schema, &value.0)),
    )
}

/// The same for the answer to a question; a bad schema is refused with a pointer into the question.
///
/// >>> import toolwire
/// >>> question = {'id': 'n', 'text': 'How many?', 'schema': {'type': 'integer'}}
/// >>> toolwire.check_answer(question, 3.5)
/// [('', 'the value is a whole number, not `3.5`')]
#[pyfunction]
pub fn check_answer(
    question: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<Vec<(String, String)>> {
    let (question, value) = (question_of(question)?, value_of(value, "value")?);
    let py = value.1;
    found(
        py,
        py.detach(|| toolwire_host::check_answer(&question, &value.0)),
    )
}

/// A value of any JSON kind.
fn value_of<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<(Json, Python<'py>)> {
    let mut json = String::new();
    append(value, &format!("/{name}"), Code::BadArgument, &mut json)?;
    let json = Json::new(json).map_err(|error| raise(value.py(), &error))?;
    Ok((json, value.py()))
}

fn found(py: Python<'_>, checked: Result<(), CheckError>) -> PyResult<Vec<(String, String)>> {
    match checked {
        Ok(()) => Ok(Vec::new()),
        Err(CheckError::BadSchema(error)) => Err(raise(py, &error)),
        Err(CheckError::Mismatches(found)) => Ok(found
            .into_iter()
            .map(|it| (it.pointer, it.message))
            .collect()),
    }
}

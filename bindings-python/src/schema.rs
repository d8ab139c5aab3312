//! Schemas: made into one form, and values checked with them.

use pyo3::prelude::*;
use pyo3::types::PyList;
use toolwire::schema::{Projection, lint_schema as lint};
use toolwire::{Code, Json};
use toolwire_ffi::schema::{projection, provider as provider_of};
use toolwire_schema::CheckError;

use crate::call::schema_of;
use crate::diagnostic::PyDiagnostic;
use crate::error::raise;
use crate::input::{Keyword, text_of};
use crate::question::question_of;
use crate::to_json::alone;
use crate::to_python::json_to_python;

/// A JSON Schema in the form that is the same in all languages, without the habits of a generator.
///
/// >>> from toolwire._toolwire import tidy_schema
/// >>> tidy_schema({'title': 'A', 'anyOf': [{'type': 'integer'}, {'type': 'null'}], 'default': None})
/// {'type': ['integer', 'null']}
#[pyfunction]
pub fn tidy_schema<'py>(schema: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let tidy = toolwire::schema::tidy(&schema_of(schema, "schema")?);
    json_to_python(schema.py(), tidy.as_str())
}

/// The input schema of a tool in that form: an object without other members, unless it says otherwise.
///
/// >>> from toolwire._toolwire import tidy_input
/// >>> tidy_input({})
/// {'additionalProperties': False, 'properties': {}, 'type': 'object'}
#[pyfunction]
pub fn tidy_input<'py>(schema: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let tidy = toolwire::schema::tidy_input(&schema_of(schema, "schema")?);
    json_to_python(schema.py(), tidy.as_str())
}

/// A schema that was made from types, with unknown members forbidden at every level.
///
/// >>> from toolwire._toolwire import close_schema
/// >>> close_schema({'properties': {}})
/// {'additionalProperties': False, 'properties': {}}
#[pyfunction]
pub fn close_schema<'py>(schema: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let closed = toolwire::schema::close(&schema_of(schema, "schema")?);
    json_to_python(schema.py(), closed.as_str())
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

/// Validate a value against a JSON Schema (2020-12). Returns the places where it does not fit, at most 20,
/// as pairs of a JSON Pointer into the value and a sentence; an empty list if it fits.
///
/// Nothing is fetched: a `$ref` must refer into the schema itself. Raises `bad_schema` if the schema cannot
/// be used.
///
/// >>> import toolwire
/// >>> schema = {'type': 'object', 'properties': {'limit': {'maximum': 9}}}
/// >>> toolwire.check_value(schema, {'limit': 3})
/// []
/// >>> toolwire.check_value(schema, {'limit': 30})
/// [('/limit', '`limit` must be at most 9, not `30`')]
#[pyfunction]
pub fn check_value(
    schema: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<Vec<(String, String)>> {
    let (schema, value) = (schema_of(schema, "schema")?, value_of(value, "value")?);
    let py = value.1;
    found(
        py,
        py.detach(|| toolwire_schema::check_value(&schema, &value.0)),
    )
}

/// The same for the answer to a question. The pointer of `bad_schema` leads into the question.
///
/// >>> import toolwire
/// >>> question = {'id': 'n', 'text': 'How many?', 'schema': {'type': 'integer'}}
/// >>> toolwire.check_answer(question, 3.5)
/// [('', 'the value must be a whole number, not `3.5`')]
#[pyfunction]
pub fn check_answer(
    question: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<Vec<(String, String)>> {
    let (question, value) = (question_of(question)?, value_of(value, "value")?);
    let py = value.1;
    found(
        py,
        py.detach(|| toolwire_schema::check_answer(&question, &value.0)),
    )
}

/// Check a question before it is asked. Returns diagnostics: a default that does not fit the schema, or a
/// schema that cannot be used.
///
/// >>> import toolwire
/// >>> question = {'id': 'n', 'text': '?', 'schema': {'type': 'integer'}, 'default': 'one'}
/// >>> toolwire.check_question(question)
/// [<toolwire.Diagnostic warning default_mismatch /default>]
#[pyfunction]
pub fn check_question<'py>(question: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let found = toolwire_schema::check_question(&question_of(question)?);
    let found = found.into_iter().map(PyDiagnostic::new);
    PyList::new(question.py(), found.collect::<Vec<_>>())
}

/// A schema in the form that model providers accept, and what it does not express of the original. Made by
/// `project_schema`.
///
/// >>> import toolwire
/// >>> projection = toolwire.project_schema({'type': 'integer', 'minimum': 1})
/// >>> projection.wrapped, projection.losses
/// (True, [('/minimum', 'minimum')])
/// >>> projection.unwrap({'answer': 3})
/// 3
#[pyclass(frozen, module = "toolwire", name = "Projection")]
pub struct PyProjection {
    inner: Projection,
}

#[pymethods]
impl PyProjection {
    /// The schema, as a dict.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_python(py, self.inner.schema.as_str())
    }

    /// The JSON text of the schema, in exact form.
    #[getter]
    fn schema_json(&self) -> &str {
        self.inner.schema.as_str()
    }

    /// Whether the value is the member `answer` of what the model returns.
    #[getter]
    fn wrapped(&self) -> bool {
        self.inner.wrapped
    }

    /// What it does not express: pairs of the place in the schema and the keyword.
    #[getter]
    fn losses(&self) -> Vec<(String, String)> {
        let all = self.inner.losses.iter().cloned();
        all.map(|loss| (loss.pointer, loss.what)).collect()
    }

    /// Convert a value that fits the projection to one for the original schema.
    fn unwrap<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (value, py) = value_of(value, "value")?;
        let meant = self.inner.unwrap_value(&value);
        json_to_python(py, meant.map_err(|error| raise(py, &error))?.as_str())
    }

    fn __repr__(&self) -> String {
        let schema = self.inner.schema.as_str();
        let shown: String = schema.chars().take(60).collect();
        let more = if shown.len() < schema.len() {
            "…"
        } else {
            ""
        };
        format!("<toolwire.Projection {shown}{more}>")
    }
}

/// Convert a schema to the part of JSON Schema that a provider of models accepts: `'common'`, `'openai'`,
/// `'openai_strict'`, `'anthropic'`, `'anthropic_strict'` or `'google'`. With `answer`, the schema is for the answer
/// to a question and is always wrapped.
///
/// >>> import toolwire
/// >>> toolwire.project_schema({'type': 'boolean'}, answer=True).schema['properties']
/// {'answer': {'type': 'boolean'}}
/// >>> schema = {'type': 'object', 'properties': {'a': {'type': ['string', 'null']}}}
/// >>> toolwire.project_schema(schema, provider='google').schema['properties']
/// {'a': {'nullable': True, 'type': 'string'}}
#[pyfunction]
#[pyo3(signature = (schema, *, answer=false, provider=None), text_signature = "(schema, *, answer=False, provider='common')")]
pub fn project_schema(
    schema: &Bound<'_, PyAny>,
    answer: bool,
    provider: Keyword<'_, '_>,
) -> PyResult<PyProjection> {
    let py = schema.py();
    let schema = schema_of(schema, "schema")?;
    let word = word_of(provider, "provider")?;
    let inner = projection(&schema, answer, word.as_deref());
    Ok(PyProjection {
        inner: inner.map_err(|error| raise(py, &error))?,
    })
}

/// Find what a provider of models would reject of the schema of a tool's arguments. Returns diagnostics; none if the
/// provider accepts it. The providers are those of `project_schema`.
///
/// >>> import toolwire
/// >>> toolwire.lint_schema({'type': 'object', 'anyOf': []}, provider='anthropic')
/// [<toolwire.Diagnostic error schema_refused /anyOf>]
#[pyfunction]
#[pyo3(signature = (schema, *, provider=None), text_signature = "(schema, *, provider='common')")]
pub fn lint_schema<'py>(
    schema: &Bound<'py, PyAny>,
    provider: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyList>> {
    let py = schema.py();
    let schema = schema_of(schema, "schema")?;
    let word = word_of(provider, "provider")?;
    let provider = provider_of(word.as_deref()).map_err(|error| raise(py, &error))?;
    let found = lint(&schema, provider).into_iter().map(PyDiagnostic::new);
    PyList::new(py, found.collect::<Vec<_>>())
}

/// A word of the options, if it was given.
pub fn word_of(word: Keyword<'_, '_>, name: &str) -> PyResult<Option<String>> {
    let text = word.map(|word| text_of(word, name, Code::BadOption));
    Ok(text.transpose()?.map(|text| text.into_owned()))
}

/// A value of any JSON kind.
pub fn value_of<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<(Json, Python<'py>)> {
    let json = alone(value, &format!("/{name}"), Code::BadArgument)?;
    let json = Json::new(json).map_err(|error| raise(value.py(), &error))?;
    Ok((json, value.py()))
}

fn found(py: Python<'_>, checked: Result<(), CheckError>) -> PyResult<Vec<(String, String)>> {
    match checked {
        Ok(()) => Ok(Vec::new()),
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => Err(raise(py, &error)),
        Err(CheckError::Mismatches(found)) => Ok(found
            .into_iter()
            .map(|it| (it.pointer, it.message))
            .collect()),
    }
}

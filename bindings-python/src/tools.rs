//! What `Tools` has beside `Sessions`: sources by whatever names them, definitions, and answers to models.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use toolwire::Code;
use toolwire_ffi::sessions::Added;

use crate::input::wrong_type;
use crate::program::{caller, command_of, options_of, raise_failure};
use crate::sessions::PyHostSessions;
use crate::task::PyTask;
use crate::to_python::json_to_python;

/// Add what a word or a path names, or the command that a list is. `options` are those of `source`, by their names.
#[pyfunction]
pub fn tools_add(
    sessions: &PyHostSessions,
    source: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
) -> PyResult<PyTask> {
    let py = options.py();
    if source.is_instance_of::<PyDict>() {
        let expected = "a path, a word, a list of a program and its arguments, a manifest or a function with `tool`";
        return Err(wrong_type(
            source,
            "source",
            Code::BadArgument,
            expected,
            "",
        ));
    }
    let command = command_of(source, "source")?;
    let is_word = source.is_instance_of::<PyString>() || source.hasattr("__fspath__")?;
    let added = match is_word {
        true => Added::Word(command.program().to_owned()),
        false => Added::Command(command),
    };
    let (options, caller) = (options_of(options)?, caller(py, Vec::new())?);
    let task = sessions.inner.add_source(added, &options, &caller);
    task.map(PyTask)
        .map_err(|error| raise_failure(py, &error.into()))
}

/// The descriptions of the tools.
#[pyfunction]
pub fn tools_list<'py>(py: Python<'py>, sessions: &PyHostSessions) -> PyResult<Bound<'py, PyAny>> {
    json_to_python(py, &sessions.inner.descriptions())
}

/// The definitions for a request, by the options of `to_tools`: a task that is over.
#[pyfunction]
pub fn tools_define(
    py: Python<'_>,
    sessions: &PyHostSessions,
    provider: &str,
    options: &Bound<'_, PyDict>,
) -> PyResult<PyTask> {
    let task = sessions.inner.definitions(provider, &options_of(options)?);
    task.map(PyTask)
        .map_err(|error| raise_failure(py, &error.into()))
}

/// Answer a model's whole response, given as JSON text.
#[pyfunction]
pub fn tools_respond(
    py: Python<'_>,
    sessions: &PyHostSessions,
    provider: &str,
    reply: &str,
    options: &Bound<'_, PyDict>,
) -> PyResult<PyTask> {
    let task = sessions
        .inner
        .respond(provider, reply, &options_of(options)?);
    task.map(PyTask)
        .map_err(|error| raise_failure(py, &error.into()))
}

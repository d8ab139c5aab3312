//! What `Tools` has beside `Sessions`: sources by whatever names them, definitions, and answers to models.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use toolwire::Code;
use toolwire_ffi::sessions::{AddOptions, Added};

use crate::connection::{flag_of, headers_of, options, path_of};
use crate::error::raise;
use crate::input::wrong_type;
use crate::program::{Arguments, command_of, strings_of};
use crate::sessions::{PyHostSessions, exchange, read_settings};
use crate::task::PyTask;
use crate::to_python::json_to_python;

/// Add what a word or a path names, or the command that a list is. `arguments` are those of `add`, by their names.
#[pyfunction]
pub fn tools_add(
    sessions: &PyHostSessions,
    source: &Bound<'_, PyAny>,
    arguments: &Bound<'_, PyDict>,
    settings: &Bound<'_, PyDict>,
) -> PyResult<PyTask> {
    let py = arguments.py();
    let given = Arguments(arguments);
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
    let mut add = AddOptions::default();
    add.process = given.process_options(None)?;
    add.env = strings_of(&given, "env")?.into_iter().collect();
    add.client = options(&given)?;
    add.headers = headers_of(&given)?;
    add.lock = path_of(&given, "lock")?;
    add.places.config = path_of(&given, "config")?;
    add.trust = flag_of(&given, "trust", "trust")?;
    add.exchange = exchange(arguments)?;
    let task = sessions
        .inner
        .add_source(added, add, read_settings(settings)?);
    task.map(PyTask).map_err(|error| raise(py, &error))
}

/// The descriptions of the tools.
#[pyfunction]
pub fn tools_list<'py>(py: Python<'py>, sessions: &PyHostSessions) -> PyResult<Bound<'py, PyAny>> {
    json_to_python(py, &sessions.inner.descriptions())
}

/// The definitions for a request, by options of the shared code as JSON text: a task that is over.
#[pyfunction]
pub fn tools_define(
    py: Python<'_>,
    sessions: &PyHostSessions,
    provider: &str,
    options: &str,
) -> PyResult<PyTask> {
    let task = sessions.inner.definitions(provider, options);
    task.map(PyTask).map_err(|error| raise(py, &error))
}

/// Answer a model's whole response, given as JSON text.
#[pyfunction]
pub fn tools_respond(
    py: Python<'_>,
    sessions: &PyHostSessions,
    provider: &str,
    reply: &str,
    options: &str,
) -> PyResult<PyTask> {
    let task = sessions.inner.respond(provider, reply, options);
    task.map(PyTask).map_err(|error| raise(py, &error))
}

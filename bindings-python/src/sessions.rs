//! `Sessions`: the handles of a host, as the shared code carries them out.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use toolwire::Json;
use toolwire::call::{Answer, AnswerSource};
use toolwire_ffi::caller::Unit;
use toolwire_ffi::serving::Functions;
use toolwire_ffi::sessions::{Notice, Request, Sessions};

use crate::answer::PyAnswer;
use crate::calls::all_calls;
use crate::error::raise;
use crate::event::{PyMessage, PyProgress};
use crate::exchange::PyPendingQuestion;
use crate::input::{Given, document_of};
use crate::manifest::PyManifest;
use crate::program::{caller, command_of, options_of, raise_failure};
use crate::serving::{PyOpenCall, tell_of_calls};
use crate::task::PyTask;
use crate::to_python::json_to_python;

/// The handles of a host. `options` are those of `Sessions`, by their names; `signals` the numbers of those that end this process and nobody handles.
#[pyclass(frozen, module = "toolwire._toolwire", name = "HostSessions")]
pub struct PyHostSessions {
    pub inner: Sessions,
}

#[pymethods]
impl PyHostSessions {
    #[new]
    fn open(options: &Bound<'_, PyDict>, signals: Vec<i32>) -> PyResult<Self> {
        let py = options.py();
        let opened = all_calls().sessions(&options_of(options)?, &caller(py, signals)?);
        let inner = opened.map_err(|failure| raise_failure(py, &failure))?;
        Ok(PyHostSessions { inner })
    }

    /// Add a program or a manifest. `options` are those of `add`, by their names.
    fn add(&self, tools: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<PyTask> {
        let py = tools.py();
        let (options, caller) = (options_of(options)?, caller(py, Vec::new())?);
        let added = match tools.cast::<PyManifest>() {
            Ok(manifest) => self
                .inner
                .add_manifest(&manifest.get().inner, &options, &caller),
            Err(_) => {
                let command = command_of(tools, "program")?;
                self.inner.add_program(command, &options, &caller)
            }
        };
        added
            .map(PyTask)
            .map_err(|error| raise_failure(py, &error.into()))
    }

    /// Add functions of this program: their calls, and what ends with their names.
    fn add_functions(&self, options: &Bound<'_, PyDict>) -> PyResult<(PyFunctions, PyTask)> {
        let py = options.py();
        let (options, caller) = (options_of(options)?, caller(py, Vec::new())?);
        let added = self.inner.add_functions(&options, &caller);
        let (functions, task) = added.map_err(|error| raise_failure(py, &error.into()))?;
        Ok((PyFunctions(functions), PyTask(task)))
    }

    /// Carry out a command: a dict with `do` and its members, and the arguments of a tool as a dict or JSON text.
    fn command(
        &self,
        command: &Bound<'_, PyDict>,
        arguments: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyTask> {
        let py = command.py();
        let mut text = json_of(command, "command")?;
        if let Some(arguments) = arguments {
            let document = document_of(arguments, "arguments")?;
            let given = String::from_utf8_lossy(document.as_bytes());
            let given = Json::new(&*given).map_err(|error| raise(py, &error))?;
            text.truncate(text.len().saturating_sub(1));
            text.push_str(&format!(",\"arguments\":{}}}", given.as_str()));
        }
        let task = self.inner.command(&text, Unit::Seconds);
        task.map(PyTask).map_err(|error| raise(py, &error))
    }

    /// The next request: its number and a `PendingQuestion`, a dict that asks for approval, or None if it was
    /// withdrawn. None if no request waits.
    fn next_request<'py>(&self, py: Python<'py>) -> PyResult<Option<(u64, Bound<'py, PyAny>)>> {
        let Some(request) = self.inner.next_request() else {
            return Ok(None);
        };
        Ok(Some(match request {
            Request::Question(number, question) => (
                number,
                PyPendingQuestion::new(*question).into_bound_py_any(py)?,
            ),
            Request::Approval(number, request) => (number, json_to_python(py, &request)?),
            Request::Withdrawn(number) => (number, py.None().into_bound(py)),
        }))
    }

    /// The next thing that has happened: the name of its callback, the id of the handle, and what it is. None if
    /// nothing waits.
    fn next_notice<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(&'static str, String, Bound<'py, PyAny>)>> {
        let Some((id, notice)) = self.inner.next_notice() else {
            return Ok(None);
        };
        let (callback, told) = match notice {
            Notice::State(state) => ("on_state", state.as_str().into_bound_py_any(py)?),
            Notice::Progress(progress) => {
                ("on_progress", PyProgress(progress).into_bound_py_any(py)?)
            }
            Notice::Message(message) => ("on_log", PyMessage(message).into_bound_py_any(py)?),
            Notice::Stderr(piece) => ("on_stderr", PyBytes::new(py, &piece).into_any()),
        };
        Ok(Some((callback, id, told)))
    }

    /// Have a function called, on another thread, when requests or notices wait.
    fn on_news(&self, wake: Py<PyAny>) {
        self.inner.on_news(move || {
            let _ = Python::try_attach(|py| wake.call0(py).is_ok());
        });
    }

    /// Reply to a question with a value or an `Answer`; with None if there is no answer.
    fn answer(&self, number: u64, answer: &Bound<'_, PyAny>) -> PyResult<()> {
        let answer = match answer.cast::<PyAnswer>() {
            Ok(answer) => answer.get().to_core(),
            // Nothing is what a function gives that has no answer. JSON's null is `Answer(None)`.
            Err(_) if answer.is_none() => Answer::unavailable(AnswerSource::Policy),
            Err(_) => {
                let value = Given::Value(answer.clone());
                PyAnswer::make(answer.py(), value, None, None)?.to_core()
            }
        };
        self.inner.answer(number, answer);
        Ok(())
    }

    /// Reply to a request for approval.
    fn approve(&self, number: u64, granted: bool, reason: Option<String>) {
        self.inner.approve(number, granted, reason);
    }
}

/// The calls of functions of this program.
#[pyclass(frozen, module = "toolwire._toolwire", name = "Functions")]
pub struct PyFunctions(Functions);

#[pymethods]
impl PyFunctions {
    /// The next call, or None if none waits.
    fn next_call(&self) -> Option<PyOpenCall> {
        PyOpenCall::next(&self.0)
    }

    /// Have a function called, on another thread, when calls wait.
    fn on_call(&self, wake: Py<PyAny>) {
        tell_of_calls(&self.0, wake);
    }
}

/// The JSON text of a dict.
fn json_of(dict: &Bound<'_, PyDict>, name: &str) -> PyResult<String> {
    let document = document_of(dict, name)?;
    Ok(String::from_utf8_lossy(document.as_bytes()).into_owned())
}

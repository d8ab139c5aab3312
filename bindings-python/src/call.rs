//! `Call`: the document that tells a tool what to do, and the words that a person gives as arguments.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use toolwire::Limits;
use toolwire::call::Call;

use crate::answer::answers_to_python;
use crate::error::raise;
use crate::view::{Pickle, View, pickled_text};

/// A call of a tool. Made by `wire.read_call`.
///
/// >>> import toolwire
/// >>> call = toolwire.wire.read_call({
/// ...     'tool': {'name': 'rename', 'arguments': {'path': 'a'}, 'answers': {'confirm': True}},
/// ...     'context': {'action': 'run', 'root': '/project'},
/// ... })
/// >>> call
/// <toolwire.Call run rename>
/// >>> call.arguments, call.answers['confirm'].value, call.options
/// ({'path': 'a'}, True, {})
#[pyclass(frozen, module = "toolwire", name = "Call")]
pub struct PyCall {
    inner: Call,
}

impl PyCall {
    pub fn new(inner: Call) -> Self {
        PyCall { inner }
    }

    pub fn core(&self) -> &Call {
        &self.inner
    }
}

impl PyCall {
    /// The answers so far, by the ids of the questions.
    pub fn get_answers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        answers_to_python(py, &self.inner.answers)
    }
}

impl View for PyCall {
    fn text(&self) -> Cow<'_, str> {
        self.inner.to_json().into()
    }

    fn shown(&self, _py: Python<'_>) -> PyResult<String> {
        let name: Vec<&str> = self.inner.name.as_deref().into_iter().collect();
        let name: String = name.concat().chars().take(60).collect();
        let space = if name.is_empty() { "" } else { " " };
        let action = self.inner.action.as_str();
        Ok(format!("<toolwire.Call {action}{space}{name}>"))
    }
}

impl Pickle for PyCall {
    fn restore(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let document = pickled_text(state)?;
        let read = Call::from_json(document.as_bytes(), &Limits::WIDEST);
        read.map(PyCall::new)
            .map_err(|error| raise(state.py(), &error))
    }
}

/// The text that bytes hold; where they hold none, the core says at which byte.
pub fn text_in<'a>(py: Python<'_>, bytes: &'a [u8]) -> PyResult<Cow<'a, str>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) => match toolwire::canonicalize(bytes, &Limits::WIDEST) {
            Ok(canonical) => Ok(Cow::Owned(String::from_utf8_lossy(&canonical).into_owned())),
            Err(error) => Err(raise(py, &error)),
        },
    }
}

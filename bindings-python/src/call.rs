//! `Call`: the document that tells a tool what to do, and the words that a person gives as arguments.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};
use toolwire::Limits;
use toolwire::call::Call;

use crate::answer::PyAnswer;
use crate::error::raise;
use crate::to_python::json_to_python;

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
#[pyclass(frozen, eq, module = "toolwire", name = "Call")]
#[derive(PartialEq)]
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

#[pymethods]
impl PyCall {
    /// The tool; None if a program is asked to describe all of its tools.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.inner.name.as_deref()
    }

    /// `'run'`, `'format_arguments'` or `'describe'`.
    #[getter]
    fn action(&self) -> &'static str {
        self.inner.action.as_str()
    }

    /// The root of the workspace, an absolute path or a `file:` URI, or None.
    #[getter]
    fn root(&self) -> Option<&str> {
        self.inner.root.as_deref()
    }

    /// The arguments, as a dict.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_python(py, self.inner.arguments.as_str())
    }

    /// The JSON text of the arguments, unchanged.
    #[getter]
    fn arguments_json(&self) -> &str {
        self.inner.arguments.as_str()
    }

    /// The settings that the host passes to this tool, as a dict.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_python(py, self.inner.options.as_str())
    }

    /// The answers to questions so far, by id.
    #[getter]
    fn answers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let answers = PyDict::new(py);
        for (id, answer) in &self.inner.answers {
            answers.set_item(id, Py::new(py, PyAnswer::new(answer))?)?;
        }
        Ok(answers)
    }

    /// The call document in exact form, in which numbers keep all their digits; the same as `str(call)`.
    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// The JSON text of the two members of `_meta` that hold the call in an MCP request.
    fn to_meta_json(&self) -> String {
        self.inner.to_meta()
    }

    fn __str__(&self) -> String {
        self.inner.to_json()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.to_json().as_bytes())
    }

    fn __repr__(&self) -> String {
        let name: Vec<&str> = self.inner.name.as_deref().into_iter().collect();
        let name: String = name.concat().chars().take(60).collect();
        let space = if name.is_empty() { "" } else { " " };
        format!("<toolwire.Call {}{space}{name}>", self.action())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.inner.to_json()).hash()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let state = (self.inner.to_json(),).into_pyobject(py)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, state))
    }

    #[classmethod]
    fn _restore(class: &Bound<'_, PyType>, document: &str) -> PyResult<Self> {
        let inner = Call::from_json(document.as_bytes(), &Limits::WIDEST)
            .map_err(|error| raise(class.py(), &error))?;
        Ok(PyCall { inner })
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
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

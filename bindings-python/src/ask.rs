//! The native half of `toolwire.Ask`: what a tool asks for.

use pyo3::prelude::*;
use pyo3::types::PyString;
use toolwire::author::Ask;

use crate::call::text_in;
use crate::error::raise;
use crate::input::document_of;
use crate::to_python::json_to_python;

/// What a tool asks for: the text that is shown, the JSON Schema of the answer, and a default.
///
/// It is made from the name of a kind, such as `'boolean'`, and its arguments in the JSON spelling.
/// Those that are None are left out by who calls, since None may be a default.
///
/// >>> from toolwire._toolwire import Ask
/// >>> ask = Ask('boolean', {'text': 'Go on?', 'default': True})
/// >>> ask.text, ask.schema, ask.default
/// ('Go on?', {'type': 'boolean'}, True)
#[pyclass(frozen, eq, module = "toolwire", name = "Ask")]
#[derive(PartialEq)]
pub struct PyAsk {
    inner: Ask,
}

impl PyAsk {
    pub fn core(&self) -> &Ask {
        &self.inner
    }
}

#[pymethods]
impl PyAsk {
    #[new]
    fn make(kind: &str, arguments: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = arguments.py();
        let arguments = document_of(arguments, "arguments")?;
        let arguments = text_in(py, arguments.as_bytes())?;
        let inner = Ask::from_json(kind, &arguments).map_err(|error| raise(py, &error))?;
        Ok(PyAsk { inner })
    }

    /// The short text to show.
    #[getter]
    fn text(&self) -> &str {
        &self.inner.text
    }

    /// The JSON Schema of the answer, as a dict.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_python(py, self.inner.schema.as_str())
    }

    /// The answer that is suggested; None if it is null or absent.
    #[getter]
    fn default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.inner.default {
            Some(default) => json_to_python(py, default.as_str()),
            None => Ok(py.None().into_bound(py)),
        }
    }

    /// Whether there is a default, be it null.
    #[getter]
    fn has_default(&self) -> bool {
        self.inner.default.is_some()
    }

    /// The page where the person answers, if not in a form.
    #[getter]
    fn url(&self) -> Option<&str> {
        self.inner.url.as_deref()
    }

    /// `text`, `schema`, `default` and `url` as a JSON object, in exact form.
    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text: String = self.inner.text.chars().take(60).collect();
        let more = if text.len() < self.inner.text.len() {
            "…"
        } else {
            ""
        };
        let text = PyString::new(py, &format!("{text}{more}")).repr()?;
        Ok(format!("<toolwire.Ask {text}>"))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.inner.to_json()).hash()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

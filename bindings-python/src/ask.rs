//! The native half of `toolwire.Ask`: what a tool asks for.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::PyString;
use toolwire::author::Ask;

use crate::call::text_in;
use crate::error::raise;
use crate::input::document_of;
use crate::view::{View, shorten};

/// What a tool asks for: the text that is shown, the JSON Schema of the answer, and a default.
///
/// It is made from the name of a kind, such as `'boolean'`, and its arguments in the JSON spelling.
/// Those that are None are left out by who calls, since None may be a default.
///
/// >>> from toolwire._toolwire import Ask
/// >>> ask = Ask('boolean', {'text': 'Go on?', 'default': True})
/// >>> ask.text, ask.schema, ask.default
/// ('Go on?', {'type': 'boolean'}, True)
#[pyclass(frozen, module = "toolwire", name = "Ask")]
pub struct PyAsk {
    inner: Ask,
}

impl PyAsk {
    pub fn core(&self) -> &Ask {
        &self.inner
    }

    pub fn make(
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        arguments: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let kind: String = kind.extract()?;
        let arguments = document_of(arguments, "arguments")?;
        let arguments = text_in(py, arguments.as_bytes())?;
        let inner = Ask::from_json(&kind, &arguments).map_err(|error| raise(py, &error))?;
        Ok(PyAsk { inner })
    }
}

impl View for PyAsk {
    fn text(&self) -> Cow<'_, str> {
        self.inner.to_json().into()
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let text = PyString::new(py, &shorten(&self.inner.text)).repr()?;
        Ok(format!("<toolwire.Ask {text}>"))
    }
}

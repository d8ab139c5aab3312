//! `Diagnostic`: one finding about what a tool wrote.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use toolwire::{Diagnostic, Json};

use crate::view::{Pickle, View, pickled_text};

/// A finding about an output. `code`, `pointer` and `offset` are stable; the wording can change.
///
/// >>> import toolwire
/// >>> [finding] = toolwire.parse(b'{"content": [{"type": "text"}]}').diagnostics
/// >>> finding.code, finding.severity, finding.pointer, finding.offset
/// ('missing_field', 'warning', '/content/0/text', 13)
/// >>> finding.raw
/// '{"type": "text"}'
#[pyclass(frozen, module = "toolwire", name = "Diagnostic")]
pub struct PyDiagnostic {
    inner: Diagnostic,
}

impl PyDiagnostic {
    pub fn new(inner: Diagnostic) -> Self {
        PyDiagnostic { inner }
    }

    pub fn core(&self) -> &Diagnostic {
        &self.inner
    }
}

impl View for PyDiagnostic {
    fn text(&self) -> Cow<'_, str> {
        self.inner.to_json().into()
    }

    fn printed(&self) -> Cow<'_, str> {
        self.inner.message.as_str().into()
    }

    fn shown(&self, _py: Python<'_>) -> PyResult<String> {
        let Diagnostic {
            code,
            severity,
            pointer,
            offset,
            ..
        } = &self.inner;
        let at = offset.map(|n| format!(" byte {n}")).unwrap_or_default();
        let space = if pointer.is_empty() { "" } else { " " };
        Ok(format!(
            "<toolwire.Diagnostic {severity} {code}{space}{pointer}{at}>"
        ))
    }
}

impl Pickle for PyDiagnostic {
    fn restore(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let read = Json::new(pickled_text(state)?).and_then(|json| json.to_value());
        read.map(PyDiagnostic::new)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

//! `Diagnostic`: one finding about what a tool wrote.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use toolwire::{Diagnostic, Json};

/// A finding about an output. `code`, `pointer` and `offset` are stable; the wording can change.
///
/// >>> import toolwire
/// >>> [finding] = toolwire.parse(b'{"content": [{"type": "text"}]}').diagnostics
/// >>> finding.code, finding.severity, finding.pointer, finding.offset
/// ('missing_field', 'warning', '/content/0/text', 13)
/// >>> finding.raw
/// '{"type": "text"}'
#[pyclass(frozen, eq, module = "toolwire", name = "Diagnostic")]
#[derive(Clone, PartialEq, Eq)]
pub struct PyDiagnostic {
    inner: Diagnostic,
}

impl PyDiagnostic {
    pub fn new(inner: Diagnostic) -> Self {
        PyDiagnostic { inner }
    }
}

#[pymethods]
impl PyDiagnostic {
    /// A code from the registry, such as `'missing_field'`.
    #[getter]
    fn code(&self) -> &'static str {
        self.inner.code.as_str()
    }

    /// `'error'`, `'warning'` or `'note'`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.inner.severity.as_str()
    }

    /// The place as a JSON Pointer into the document; empty for the whole.
    #[getter]
    fn pointer(&self) -> &str {
        &self.inner.pointer
    }

    /// The place as a byte offset into the output, or None.
    #[getter]
    fn offset(&self) -> Option<u64> {
        self.inner.offset
    }

    /// A sentence for a person.
    #[getter]
    fn message(&self) -> &str {
        &self.inner.message
    }

    /// The unchanged JSON text of a block that was skipped, or None.
    #[getter]
    fn raw(&self) -> Option<&str> {
        self.inner.raw.as_deref()
    }

    /// What to do about it.
    #[getter]
    fn help(&self) -> &'static str {
        self.inner.code.help()
    }

    /// The id of the rule in the specification.
    #[getter]
    fn rule(&self) -> &'static str {
        self.inner.code.rule()
    }

    /// The diagnostic as a JSON object.
    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    fn __str__(&self) -> &str {
        &self.inner.message
    }

    fn __repr__(&self) -> String {
        let Diagnostic {
            code,
            severity,
            pointer,
            offset,
            ..
        } = &self.inner;
        let at = offset.map(|n| format!(" byte {n}")).unwrap_or_default();
        let space = if pointer.is_empty() { "" } else { " " };
        format!("<toolwire.Diagnostic {severity} {code}{space}{pointer}{at}>")
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.inner.to_json().into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let restore = py.get_type::<Self>().getattr("_restore")?;
        Ok((restore, (self.inner.to_json(),)))
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, json: &str) -> PyResult<Self> {
        Json::new(json)
            .and_then(|json| json.to_value())
            .map(|inner| PyDiagnostic { inner })
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

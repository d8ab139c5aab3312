//! The formats that came before envelopes, as envelopes.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use toolwire::legacy::Legacy;
use toolwire::{Code, Limits};

use crate::document::Document;
use crate::error::raise;
use crate::functions::document_in;
use crate::input::{Keyword, bytes_of, limits};
use crate::parsed::PyParsed;
use crate::reading::Reading;

/// A document in a legacy format, as an envelope. Made by `read_legacy` and `unwrap_outcome`.
///
/// >>> import toolwire
/// >>> legacy = toolwire.read_legacy(b'{"type": "success", "content": "done"}')
/// >>> legacy.format, legacy.parsed.envelope.content[0].text
/// ('outcome', 'done')
#[pyclass(frozen, module = "toolwire", name = "Legacy")]
pub struct PyLegacy {
    format: &'static str,
    parsed: Py<PyParsed>,
    report: Vec<(String, String, String)>,
}

impl PyLegacy {
    fn new(py: Python<'_>, legacy: Legacy) -> PyResult<Self> {
        let raw = PyBytes::new(py, legacy.parsed.raw());
        let reading = Reading::owned(raw, legacy.parsed);
        let document = Document::new(reading, Limits::WIDEST);
        let entries = legacy.report.entries.into_iter();
        Ok(PyLegacy {
            format: legacy.format.as_str(),
            parsed: Py::new(py, PyParsed::new(document))?,
            report: entries
                .map(|one| (one.pointer, one.fate.to_string(), one.reason))
                .collect(),
        })
    }
}

#[pymethods]
impl PyLegacy {
    /// The format that it was in: `outcome`, `tool_state` or `input_text`.
    #[getter]
    fn format(&self) -> &str {
        self.format
    }

    /// The envelope.
    #[getter]
    fn parsed(&self, py: Python<'_>) -> Py<PyParsed> {
        self.parsed.clone_ref(py)
    }

    /// What became of its members: tuples of a JSON Pointer into the legacy document, a fate (`kept`, `moved`,
    /// `approximated` or `dropped`) and a reason.
    #[getter]
    fn report(&self) -> Vec<(String, String, String)> {
        self.report.clone()
    }

    fn __repr__(&self) -> String {
        format!("<toolwire.Legacy {}>", self.format)
    }
}

/// Read a document in a legacy format: `Outcome`, `ToolState`, or a result with `input_text`. None if it is in
/// none of them. Raises `bad_legacy` if it shows the signs of one but is not as that format has it.
///
/// >>> import toolwire
/// >>> toolwire.read_legacy(b'12:00') is None
/// True
#[pyfunction]
#[pyo3(signature = (document, *, max_bytes=None, max_depth=None, max_values=None, max_blocks=None,
    max_diagnostics=None))]
pub fn read_legacy(
    document: &Bound<'_, PyAny>,
    max_bytes: Keyword<'_, '_>,
    max_depth: Keyword<'_, '_>,
    max_values: Keyword<'_, '_>,
    max_blocks: Keyword<'_, '_>,
    max_diagnostics: Keyword<'_, '_>,
) -> PyResult<Option<PyLegacy>> {
    let py = document.py();
    let limits = limits(
        py,
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    )?;
    let bytes = bytes_of(document, "document", Code::BadArgument)?;
    let read = toolwire::legacy::read_legacy(bytes.as_bytes(), &limits);
    let read = read.map_err(|error| raise(py, &error))?;
    read.map(|legacy| PyLegacy::new(py, legacy)).transpose()
}

/// The `Outcome` in the result of an MCP tool, as an envelope: only if the result is a single text block that
/// holds one, and if the result is not an error that the outcome denies. Otherwise None.
///
/// >>> import json, toolwire
/// >>> result = {'content': [{'type': 'text', 'text': '{"type": "success", "content": "done"}'}]}
/// >>> toolwire.unwrap_outcome(toolwire.parse(json.dumps(result))).parsed.envelope.content[0].text
/// 'done'
#[pyfunction]
#[pyo3(signature = (result, *, max_bytes=None, max_depth=None, max_values=None, max_blocks=None,
    max_diagnostics=None))]
pub fn unwrap_outcome(
    result: &Bound<'_, PyAny>,
    max_bytes: Keyword<'_, '_>,
    max_depth: Keyword<'_, '_>,
    max_values: Keyword<'_, '_>,
    max_blocks: Keyword<'_, '_>,
    max_diagnostics: Keyword<'_, '_>,
) -> PyResult<Option<PyLegacy>> {
    let py = result.py();
    let limits = limits(
        py,
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    )?;
    let document = document_in(result, limits)?;
    let read = toolwire::legacy::unwrap_outcome(document.parsed());
    read.map(|legacy| PyLegacy::new(py, legacy)).transpose()
}

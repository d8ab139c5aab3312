//! `Envelope`: the result of a tool, in one representation: its document and an index into it.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple, PyType};
use toolwire::{Code, Limits, Parsed};

use crate::block::PyBlock;
use crate::document::{Document, canonical};
use crate::error::raise;
use crate::input::bytes_of;
use crate::reading::Reading;
use crate::to_python::{to_python, to_python_or_none};

/// The answer of a tool. A tool written in Python answers by printing it.
///
/// Envelopes are immutable. Two are equal if their canonical bytes are equal. `bytes(envelope)` and
/// `str(envelope)` are its JSON text: in exact form if it was built here, unchanged if it was read.
///
/// >>> import toolwire
/// >>> answer = toolwire.envelope(toolwire.text('done'), structured_content={'count': 3})
/// >>> print(answer)
/// {"content":[{"text":"done","type":"text"}],"structuredContent":{"count":3}}
/// >>> answer.content[0].text, answer.structured_content['count']
/// ('done', 3)
#[pyclass(frozen, module = "toolwire", name = "Envelope")]
pub struct PyEnvelope {
    document: Arc<Document>,
}

impl PyEnvelope {
    pub fn new(document: Arc<Document>) -> Self {
        PyEnvelope { document }
    }

    /// The envelope in a JSON text that the core wrote.
    pub fn from_document(py: Python<'_>, document: &[u8], limits: &Limits) -> Self {
        PyEnvelope::new(Document::read(py, PyBytes::new(py, document), *limits))
    }

    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    pub fn core(&self) -> &Parsed<'_> {
        self.document.parsed()
    }

    /// The JSON text.
    pub fn json(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.core().document())
    }
}

#[pymethods]
impl PyEnvelope {
    /// Read an envelope from a JSON text. Raises `ToolwireError` if it is not an envelope. To read any output
    /// of a tool, use `parse`.
    ///
    /// >>> import toolwire
    /// >>> toolwire.Envelope.from_json('{"content": []}')
    /// <toolwire.Envelope 0 blocks>
    #[classmethod]
    fn from_json(class: &Bound<'_, PyType>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = class.py();
        let limits = Limits::default();
        let reading = Reading::new(py, bytes_of(data, "data", Code::BadArgument)?, &limits);
        if reading.parsed().is_raw() {
            let bytes = reading.raw(py);
            // The core says why; bytes that are no text have nothing to do with envelopes yet.
            let refusal = match std::str::from_utf8(bytes.as_bytes()) {
                Ok(text) => toolwire::Envelope::from_json(text).map(|_| ()),
                Err(_) => toolwire::validate(bytes.as_bytes(), &limits),
            };
            refusal.map_err(|error| raise(py, &error))?;
        }
        Ok(PyEnvelope::new(Document::new(reading, limits)))
    }

    /// The blocks, in order. Malformed and unknown blocks are in `skipped`.
    #[getter]
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for nth in 0..self.core().blocks().count() {
            list.append(PyBlock::new(py, &self.document, nth)?)?;
        }
        Ok(list)
    }

    /// The blocks that were skipped: their index in `content` and their JSON text.
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.document.skipped())
    }

    /// The structured content as a Python value; None if it is null or absent.
    #[getter]
    fn structured_content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python_or_none(py, self.core().structured_content())
    }

    /// The JSON text of the structured content, unchanged; None if it is absent.
    #[getter]
    fn structured_content_json(&self) -> Option<&str> {
        self.core()
            .structured_content()
            .map(|content| content.raw())
    }

    /// Whether there is structured content; it may be null.
    #[getter]
    fn has_structured_content(&self) -> bool {
        self.core().structured_content().is_some()
    }

    /// Whether the tool reports an error.
    #[getter]
    fn is_error(&self) -> bool {
        self.core().is_error()
    }

    /// `'running'`, `'waiting'` or `'stopped'`; stopped if the envelope does not say.
    #[getter]
    fn status(&self) -> &'static str {
        self.core().status().as_str()
    }

    /// Whether the tool says that a retry may help.
    #[getter]
    fn transient(&self) -> bool {
        self.core().transient()
    }

    /// The messages of the causes of an error, nearest first.
    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.core().trace())
    }

    /// The member `_meta` as a dict, or None.
    #[getter]
    fn meta<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python_or_none(py, self.core().meta())
    }

    /// The JSON text; the same as `str(envelope)`.
    fn to_json(&self) -> Cow<'_, str> {
        self.json()
    }

    /// The whole envelope as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.core().root())
    }

    fn __str__(&self) -> Cow<'_, str> {
        self.json()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.core().document())
    }

    fn __repr__(&self) -> String {
        let parsed = self.core();
        let kinds: Vec<&str> = parsed.blocks().map(|block| block.kind().as_str()).collect();
        let shown = match kinds.len() {
            0 => "0 blocks".to_owned(),
            1 => format!("1 block: {}", kinds[0]),
            2..=6 => format!("{} blocks: {}", kinds.len(), kinds.join(", ")),
            count => format!("{count} blocks: {}, …", kinds[..5].join(", ")),
        };
        let error = if parsed.is_error() { ", error" } else { "" };
        let status = match parsed.status().as_str() {
            "stopped" => String::new(),
            status => format!(", {status}"),
        };
        format!("<toolwire.Envelope {shown}{error}{status}>")
    }

    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        let (one, two) = (self.core().document(), other.core().document());
        Ok(one == two || canonical(py, one)? == canonical(py, two)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &canonical(py, self.core().document())?).hash()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let state = (PyBytes::new(py, self.core().document()),).into_pyobject(py)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, state))
    }

    #[classmethod]
    fn _restore(class: &Bound<'_, PyType>, document: &Bound<'_, PyBytes>) -> Self {
        PyEnvelope::from_document(class.py(), document.as_bytes(), &Limits::WIDEST)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

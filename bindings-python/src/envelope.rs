//! `Envelope`: the result of a tool, in one representation: its document and an index into it.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use toolwire::{Code, Limits, Parsed};

use crate::block::PyBlock;
use crate::document::Document;
use crate::error::raise;
use crate::input::bytes_of;
use crate::reading::Reading;
use crate::to_python::to_python;
use crate::view::{Pickle, View, pickled_text};

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

    /// Reads a JSON text that must be an envelope.
    pub fn read(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = data.py();
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

    pub fn get_content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for nth in 0..self.core().blocks().count() {
            list.append(PyBlock::new(py, &self.document, nth)?)?;
        }
        Ok(list)
    }

    pub fn get_skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.document.skipped(py)
    }
}

impl View for PyEnvelope {
    fn text(&self) -> Cow<'_, str> {
        self.json()
    }

    fn shown(&self, _py: Python<'_>) -> PyResult<String> {
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
        Ok(format!("<toolwire.Envelope {shown}{error}{status}>"))
    }

    fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.core().root())
    }
}

impl Pickle for PyEnvelope {
    fn restore(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let document = pickled_text(state)?;
        let limits = &Limits::WIDEST;
        Ok(PyEnvelope::from_document(
            state.py(),
            document.as_bytes(),
            limits,
        ))
    }
}

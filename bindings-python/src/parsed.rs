//! `Parsed`: what one output is, and everything that was found on the way.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use toolwire::{Limits, Parsed, Verdict};

use crate::answer::{PyAnswer, answers_to_python};
use crate::diagnostic::PyDiagnostic;
use crate::document::Document;
use crate::envelope::PyEnvelope;
use crate::received::Received;
use crate::view::{Pickle, View};

/// The result of reading an output. Made by `parse`, `receive` and `parse_lines`.
///
/// >>> import toolwire
/// >>> parsed = toolwire.parse(b'{"content": [{"type": "text", "text": "hello"}]}')
/// >>> parsed.verdict, parsed.is_raw, parsed.is_error, parsed.status
/// ('valid', False, False, 'stopped')
/// >>> parsed.envelope.content[0].text
/// 'hello'
/// >>> toolwire.parse('plain words').envelope.content[0].text
/// 'plain words'
#[pyclass(frozen, module = "toolwire", name = "Parsed")]
pub struct PyParsed {
    document: Arc<Document>,
}

impl PyParsed {
    pub fn new(document: Arc<Document>) -> Self {
        PyParsed { document }
    }

    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    pub fn core(&self) -> &Parsed<'_> {
        self.document.parsed()
    }
}

/// The five limits as a tuple, for pickling.
pub type LimitTuple = (usize, usize, usize, usize, usize);

pub fn limits_to_tuple(limits: &Limits) -> LimitTuple {
    let Limits {
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    } = *limits;
    (
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    )
}

pub fn limits_from_tuple(limits: LimitTuple) -> Limits {
    let (max_bytes, max_depth, max_values, max_blocks, max_diagnostics) = limits;
    Limits {
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    }
}

impl PyParsed {
    pub fn get_verdict<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyString>> {
        // The three words are made once, since a host asks for one of every answer.
        Ok(match self.core().verdict() {
            Verdict::Valid => intern!(py, "valid"),
            Verdict::Warnings => intern!(py, "warnings"),
            Verdict::Raw => intern!(py, "raw"),
        })
    }

    pub fn get_raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(self.document.raw(py))
    }

    pub fn get_envelope(&self, _py: Python<'_>) -> PyResult<PyEnvelope> {
        Ok(PyEnvelope::new(Arc::clone(&self.document)))
    }

    pub fn get_diagnostics(&self, _py: Python<'_>) -> PyResult<Vec<PyDiagnostic>> {
        let all = self.core().diagnostics().iter().cloned();
        Ok(all.map(PyDiagnostic::new).collect())
    }

    pub fn get_skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.document.skipped(py)
    }
}

impl View for PyParsed {
    /// A report: verdict, diagnostics, and the unchanged envelope.
    fn text(&self) -> Cow<'_, str> {
        self.core().report_json().into()
    }

    fn key(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        Ok(self.document.raw(py).as_bytes().to_vec())
    }

    fn equals(&self, _py: Python<'_>, other: &Self) -> PyResult<bool> {
        let (one, two) = (self.core(), other.core());
        Ok(one.raw() == two.raw()
            && one.document() == two.document()
            && one.diagnostics() == two.diagnostics()
            && one.is_error() == two.is_error())
    }

    fn shown(&self, _py: Python<'_>) -> PyResult<String> {
        let parsed = self.core();
        let mut parts = match parsed.blocks().count() {
            _ if parsed.is_raw() => vec![format!("{} bytes", parsed.raw().len())],
            1 => vec!["1 block".to_owned()],
            count => vec![format!("{count} blocks")],
        };
        if parsed.is_error() {
            parts.push("error".to_owned());
        }
        match parsed.diagnostics() {
            [] => {}
            [one] => parts.push(one.code.to_string()),
            all => parts.push(format!("{} diagnostics", all.len())),
        }
        let (verdict, parts) = (parsed.verdict().as_str(), parts.join(", "));
        Ok(format!("<toolwire.Parsed {verdict}: {parts}>"))
    }
}

/// A reading is pickled as what was read and how, and read again.
impl Pickle for PyParsed {
    fn pickled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let limits = limits_to_tuple(self.document.limits());
        let source = match self.document.received() {
            None => self.document.raw(py).into_any(),
            Some(received) => received.to_tuple(py)?.into_any(),
        };
        let answers = self.document.answers();
        let answers = answers
            .map(|answers| answers_to_python(py, answers))
            .transpose()?;
        (source, limits, answers).into_pyobject(py)
    }

    fn restore(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let py = state.py();
        type State<'py> = (
            Bound<'py, PyAny>,
            LimitTuple,
            Option<BTreeMap<String, Py<PyAnswer>>>,
        );
        let (source, limits, answers): State<'_> = state.extract()?;
        let limits = limits_from_tuple(limits);
        let document = match source.cast::<PyBytes>() {
            Ok(raw) => Document::read(py, raw.clone(), limits),
            Err(_) => Document::receive(py, Received::from_tuple(&source)?, limits),
        };
        let Some(answers) = answers else {
            return Ok(PyParsed::new(document));
        };
        let answers = answers.into_iter();
        let answers = answers
            .map(|(id, answer)| (id, answer.get().to_core()))
            .collect();
        Ok(PyParsed::new(document.with_answers(py, answers)))
    }
}

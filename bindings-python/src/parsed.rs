//! `Parsed`: what one output is, and everything that was found on the way.

use std::sync::Arc;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple, PyType};
use toolwire::{Limits, Parsed, Verdict};

use crate::answer::PyAnswer;
use crate::diagnostic::PyDiagnostic;
use crate::document::Document;
use crate::envelope::PyEnvelope;
use crate::received::Received;
use crate::to_python::to_python_or_none;

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

impl PartialEq for PyParsed {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (self.core(), other.core());
        one.raw() == two.raw()
            && one.document() == two.document()
            && one.diagnostics() == two.diagnostics()
            && one.is_error() == two.is_error()
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

#[pymethods]
impl PyParsed {
    /// `'valid'`, `'warnings'` (something in it was skipped or ignored) or `'raw'` (it is not an envelope).
    #[getter]
    fn verdict<'py>(&self, py: Python<'py>) -> &Bound<'py, PyString> {
        // The three words are made once, since a host asks for one of every answer.
        match self.core().verdict() {
            Verdict::Valid => intern!(py, "valid"),
            Verdict::Warnings => intern!(py, "warnings"),
            Verdict::Raw => intern!(py, "raw"),
        }
    }

    /// Whether the output is raw text and not an envelope, which is not an error.
    #[getter]
    fn is_raw(&self) -> bool {
        self.core().is_raw()
    }

    /// The unchanged output.
    #[getter]
    pub fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.document.raw(py)
    }

    /// The envelope. For raw text, it has a single text block.
    #[getter]
    fn envelope(&self) -> PyEnvelope {
        PyEnvelope::new(Arc::clone(&self.document))
    }

    /// The diagnostics, in the order of the output.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let all = self
            .core()
            .diagnostics()
            .iter()
            .cloned()
            .map(PyDiagnostic::new);
        PyList::new(py, all.collect::<Vec<_>>())
    }

    /// Whether the tool reports an error.
    #[getter]
    fn is_error(&self) -> bool {
        self.core().is_error()
    }

    /// `'running'`, `'waiting'` or `'stopped'`; stopped if the output does not say.
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

    /// The blocks that were skipped: their index in `content` and their unchanged JSON text.
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.document.skipped())
    }

    /// A report as a JSON object: verdict, diagnostics, and the unchanged envelope.
    fn to_json(&self) -> String {
        self.core().report_json()
    }

    fn __repr__(&self) -> String {
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
        format!(
            "<toolwire.Parsed {}: {}>",
            parsed.verdict().as_str(),
            parts.join(", ")
        )
    }

    fn __eq__(&self, other: PyRef<'_, Self>) -> bool {
        *self == *other
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.document.raw(py).hash()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let limits = limits_to_tuple(self.document.limits());
        let source = match self.document.received() {
            None => self.document.raw(py).into_any(),
            Some(received) => received.to_tuple(py)?.into_any(),
        };
        let answers = self.document.answers().map(|answers| {
            let pairs = answers
                .iter()
                .map(|(id, answer)| (id, PyAnswer::new(answer)));
            pairs.collect::<Vec<_>>()
        });
        let state = (source, limits, answers).into_pyobject(py)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, state))
    }

    #[classmethod]
    #[pyo3(signature = (source, limits, answers=None))]
    fn _restore(
        class: &Bound<'_, PyType>,
        source: &Bound<'_, PyAny>,
        limits: LimitTuple,
        answers: Option<Vec<(String, Py<PyAnswer>)>>,
    ) -> PyResult<Self> {
        let py = class.py();
        let limits = limits_from_tuple(limits);
        let document = match source.cast::<PyBytes>() {
            Ok(raw) => Document::read(py, raw.clone(), limits),
            Err(_) => Document::receive(py, Received::from_tuple(source)?, limits),
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

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

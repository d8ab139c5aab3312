//! Logs with an output a line: `parse_lines` and `summarize`. Other threads run meanwhile.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};
use toolwire::{Code, Summary};

use crate::document::Document;
use crate::error::refuse;
use crate::input::{Keyword, bytes_of, read_limits};
use crate::parsed::PyParsed;
use crate::reading::Batch;

/// One line of a log.
///
/// >>> import toolwire
/// >>> toolwire.parse_lines(b'plain words\n')
/// [<toolwire.Line 1: raw>]
#[pyclass(frozen, module = "toolwire", name = "Line")]
pub struct PyLine {
    number: u64,
    offset: u64,
    parsed: Py<PyParsed>,
}

#[pymethods]
impl PyLine {
    /// The number of the line, from 1, counting blank lines.
    #[getter]
    fn number(&self) -> u64 {
        self.number
    }

    /// The byte offset of the line in the log. Offsets in its diagnostics count from there.
    #[getter]
    fn offset(&self) -> u64 {
        self.offset
    }

    /// The result of reading the line.
    #[getter]
    fn parsed(&self, py: Python<'_>) -> Py<PyParsed> {
        self.parsed.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        let verdict = self.parsed.get().core().verdict();
        format!("<toolwire.Line {}: {}>", self.number, verdict.as_str())
    }

    fn __eq__(&self, other: PyRef<'_, Self>) -> bool {
        (self.number, self.offset) == (other.number, other.offset)
            && self.parsed.get() == other.parsed.get()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.state(py)?.hash()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, self.state(py)?))
    }

    #[classmethod]
    fn _restore(
        _class: &Bound<'_, PyType>,
        number: u64,
        offset: u64,
        parsed: Py<PyParsed>,
    ) -> Self {
        PyLine {
            number,
            offset,
            parsed,
        }
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

impl PyLine {
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.number, self.offset, self.parsed.clone_ref(py)).into_pyobject(py)
    }
}

/// Read each line of a log (NDJSON) as a separate output. Blank lines are skipped.
///
/// >>> import toolwire
/// >>> log = b'{"content": []}\n\nplain words\n'
/// >>> [(line.number, line.offset, line.parsed.verdict) for line in toolwire.parse_lines(log)]
/// [(1, 0, 'valid'), (3, 17, 'raw')]
#[pyfunction]
#[pyo3(signature = (data, *, limits=None))]
pub fn parse_lines<'py>(
    data: &Bound<'py, PyAny>,
    limits: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyList>> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let batch = Batch::new(py, bytes_of(data, "data", Code::BadArgument)?, &limits);
    let list = PyList::empty(py);
    for (index, line) in batch.lines().iter().enumerate() {
        let parsed = Py::new(
            py,
            PyParsed::new(Document::new(batch.reading(index), limits)),
        )?;
        list.append(PyLine {
            number: line.number,
            offset: line.offset,
            parsed,
        })?;
    }
    Ok(list)
}

/// Counts of the lines of a log, by verdict and by code.
///
/// >>> import toolwire
/// >>> summary = toolwire.summarize(b'{"content": []}\nplain words\n')
/// >>> summary
/// <toolwire.Summary 2 lines: 1 valid, 0 with warnings, 1 raw>
/// >>> summary.by_code
/// {'plain_text': 1}
#[pyclass(frozen, eq, module = "toolwire", name = "Summary")]
#[derive(PartialEq)]
pub struct PySummary {
    inner: Summary,
}

#[pymethods]
impl PySummary {
    /// Number of lines that were read, without blank ones.
    #[getter]
    fn lines(&self) -> u64 {
        self.inner.lines
    }

    /// Number of lines that are envelopes without a warning.
    #[getter]
    fn valid(&self) -> u64 {
        self.inner.valid
    }

    /// Number of lines that are envelopes with warnings.
    #[getter]
    fn warnings(&self) -> u64 {
        self.inner.warnings
    }

    /// Number of lines that are raw text.
    #[getter]
    fn raw(&self) -> u64 {
        self.inner.raw
    }

    /// Lines whose result is an error.
    #[getter]
    fn errors(&self) -> u64 {
        self.inner.errors
    }

    /// Errors that say that a later try may succeed.
    #[getter]
    fn transient(&self) -> u64 {
        self.inner.transient
    }

    /// Number of diagnostics by code.
    #[getter]
    fn by_code<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        for (code, count) in &self.inner.by_code {
            counts.set_item(code.as_str(), count)?;
        }
        Ok(counts)
    }

    /// The counts as a JSON object.
    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    fn __repr__(&self) -> String {
        let Summary {
            lines,
            valid,
            warnings,
            raw,
            ..
        } = &self.inner;
        format!(
            "<toolwire.Summary {lines} lines: {valid} valid, {warnings} with warnings, {raw} raw>"
        )
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let Summary {
            lines,
            valid,
            warnings,
            raw,
            errors,
            transient,
            ..
        } = self.inner;
        let counts = (lines, valid, warnings, raw, errors, transient);
        let state = (counts, self.by_code(py)?).into_pyobject(py)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, state))
    }

    #[classmethod]
    fn _restore(
        class: &Bound<'_, PyType>,
        counts: (u64, u64, u64, u64, u64, u64),
        codes: BTreeMap<String, u64>,
    ) -> PyResult<Self> {
        let mut by_code = BTreeMap::new();
        for (name, count) in codes {
            let code = name.parse::<Code>().map_err(|_| {
                let message = format!("there is no code `{name}`");
                refuse(class.py(), Code::BadArgument, "/byCode", &message)
            })?;
            by_code.insert(code, count);
        }
        let mut inner = Summary::default();
        (
            inner.lines,
            inner.valid,
            inner.warnings,
            inner.raw,
            inner.errors,
            inner.transient,
        ) = counts;
        inner.by_code = by_code;
        Ok(PySummary { inner })
    }
}

/// Read a whole log and count its lines by verdict, and its diagnostics by code.
///
/// >>> import toolwire
/// >>> toolwire.summarize(b'{"content": []}\n' * 1000).valid
/// 1000
#[pyfunction]
#[pyo3(signature = (data, *, limits=None))]
pub fn summarize(data: &Bound<'_, PyAny>, limits: Keyword<'_, '_>) -> PyResult<PySummary> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let bytes = bytes_of(data, "data", Code::BadArgument)?;
    let log = bytes.as_bytes();
    Ok(PySummary {
        inner: py.detach(|| toolwire::summarize(log, &limits)),
    })
}

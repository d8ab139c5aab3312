//! Logs with an output a line: `parse_lines` and `summarize`. Other threads run meanwhile.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use toolwire::Code;

use crate::document::Document;
use crate::input::{Keyword, bytes_of, read_limits};
use crate::parsed::PyParsed;
use crate::reading::Batch;
use crate::to_python::json_to_python;
use crate::view::{Pickle, View};

/// One line of a log.
///
/// >>> import toolwire
/// >>> toolwire.parse_lines(b'plain words\n')
/// [<toolwire.Line 1: raw>]
#[pyclass(frozen, module = "toolwire", name = "Line")]
pub struct PyLine {
    pub number: u64,
    pub offset: u64,
    parsed: Py<PyParsed>,
}

impl PyLine {
    pub fn core(&self) -> &Self {
        self
    }

    pub fn get_parsed(&self, py: Python<'_>) -> PyResult<Py<PyParsed>> {
        Ok(self.parsed.clone_ref(py))
    }
}

impl View for PyLine {
    fn text(&self) -> Cow<'_, str> {
        let parsed = self.parsed.get().core().report_json();
        let place = format!("\"number\":{},\"offset\":{}", self.number, self.offset);
        format!("{{{place},\"parsed\":{parsed}}}").into()
    }

    fn key(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let mut key = self.parsed.get().key(py)?;
        key.extend(self.offset.to_be_bytes());
        Ok(key)
    }

    fn equals(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        let is_same_place = (self.number, self.offset) == (other.number, other.offset);
        Ok(is_same_place && self.parsed.get().equals(py, other.parsed.get())?)
    }

    fn shown(&self, _py: Python<'_>) -> PyResult<String> {
        let verdict = self.parsed.get().core().verdict();
        Ok(format!(
            "<toolwire.Line {}: {}>",
            self.number,
            verdict.as_str()
        ))
    }
}

impl Pickle for PyLine {
    fn pickled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.number, self.offset, self.parsed.clone_ref(py)).into_pyobject(py)
    }

    fn restore(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (number, offset, parsed) = state.extract()?;
        Ok(PyLine {
            number,
            offset,
            parsed,
        })
    }
}

/// Reads each line of a log.
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

/// Counts the lines of a log.
pub fn summarize<'py>(
    data: &Bound<'py, PyAny>,
    limits: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let bytes = bytes_of(data, "data", Code::BadArgument)?;
    let log = bytes.as_bytes();
    let summary = py.detach(|| toolwire::summarize(log, &limits));
    json_to_python(py, &summary.to_json())
}

//! An output that was read, with what it takes to read it again: shared by the `Parsed`, the
//! `Envelope` and the `Block`s that view it.

use std::collections::BTreeMap;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use toolwire::call::Answer;
use toolwire::{Limits, Parsed};

use crate::reading::Reading;
use crate::received::Received;

pub struct Document {
    reading: Reading,
    limits: Limits,
    /// What `receive` was given, to be able to do it again after pickling.
    received: Option<Received>,
    /// Who answered what in the call that this is the result of.
    answers: Option<BTreeMap<String, Answer>>,
}

impl Document {
    /// Reads an output.
    pub fn read(py: Python<'_>, bytes: Bound<'_, PyBytes>, limits: Limits) -> Arc<Self> {
        Document::new(Reading::new(py, bytes, &limits), limits)
    }

    pub fn new(reading: Reading, limits: Limits) -> Arc<Self> {
        Arc::new(Document {
            reading,
            limits,
            received: None,
            answers: None,
        })
    }

    /// Reads what a process left behind.
    pub fn receive(py: Python<'_>, received: Received, limits: Limits) -> Arc<Self> {
        Arc::new(Document {
            reading: received.read(py, &limits),
            limits,
            received: Some(received),
            answers: None,
        })
    }

    /// The result of a call, with who answered what; `received` if it is what a process left behind.
    pub fn of_call(
        reading: Reading,
        limits: Limits,
        received: Option<Received>,
        answers: BTreeMap<String, Answer>,
    ) -> Arc<Self> {
        Arc::new(Document {
            reading,
            limits,
            received,
            answers: Some(answers),
        })
    }

    /// The result of an exchange: what was read last, with who answered what, or what stands for it.
    pub fn of_exchange(
        py: Python<'_>,
        parsed: Parsed<'static>,
        last: Option<&Document>,
        answers: BTreeMap<String, Answer>,
    ) -> Arc<Self> {
        let received = last.and_then(|last| last.received.as_ref());
        let raw = PyBytes::new(py, parsed.raw());
        Arc::new(Document {
            reading: Reading::owned(raw, parsed),
            limits: last.map_or(Limits::WIDEST, |last| last.limits),
            received: received.map(|received| received.again(py)),
            answers: Some(answers),
        })
    }

    /// The same reading with who answered what, as the result of a call has it.
    pub fn with_answers(&self, py: Python<'_>, answers: BTreeMap<String, Answer>) -> Arc<Self> {
        let parsed = self.parsed().clone().with_answers(&answers);
        Arc::new(Document {
            reading: Reading::owned(PyBytes::new(py, parsed.raw()), parsed),
            limits: self.limits,
            received: self.received.as_ref().map(|received| received.again(py)),
            answers: Some(answers),
        })
    }

    pub fn parsed(&self) -> &Parsed<'_> {
        self.reading.parsed()
    }

    /// The output to the letter.
    pub fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.reading.raw(py)
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub fn received(&self) -> Option<&Received> {
        self.received.as_ref()
    }

    pub fn answers(&self) -> Option<&BTreeMap<String, Answer>> {
        self.answers.as_ref()
    }

    /// The blocks that are not delivered.
    pub fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for (index, node) in self.parsed().skipped() {
            let entry = PyDict::new(py);
            entry.set_item("index", index)?;
            entry.set_item("json", node.raw())?;
            list.append(entry)?;
        }
        Ok(list)
    }
}

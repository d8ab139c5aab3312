//! A reading kept together with the Python bytes that it views: one document, one index, no copy.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use self_cell::self_cell;
use toolwire::{Limits, Line, Parsed, all_threads, parse, parse_all_lines};

use crate::input::DETACH_FROM;

self_cell!(
    /// One output and what was read of it.
    struct Output {
        owner: Py<PyBytes>,
        #[covariant]
        dependent: Parsed,
    }
);

type Lines<'a> = Vec<Line<'a>>;

self_cell!(
    /// Many outputs in one `bytes`, a line each.
    struct Log {
        owner: (Py<PyBytes>, Limits),
        #[covariant]
        dependent: Lines,
    }
);

/// What was read, wherever its bytes live.
pub struct Reading {
    held: Held,
}

enum Held {
    Output(Output),
    Line(Batch, usize),
}

impl Reading {
    /// Reads an output; other threads may run meanwhile if it is long.
    pub fn new(py: Python<'_>, bytes: Bound<'_, PyBytes>, limits: &Limits) -> Self {
        let output = Output::new(bytes.unbind(), |owner| {
            let data = owner.as_bytes(py);
            if data.len() < DETACH_FROM {
                parse(data, limits)
            } else {
                py.detach(|| parse(data, limits))
            }
        });
        Reading {
            held: Held::Output(output),
        }
    }

    /// Keeps what was read elsewhere, beside the bytes that it came from.
    pub fn owned(bytes: Bound<'_, PyBytes>, parsed: Parsed<'static>) -> Self {
        Reading {
            held: Held::Output(Output::new(bytes.unbind(), |_| parsed)),
        }
    }

    pub fn parsed(&self) -> &Parsed<'_> {
        match &self.held {
            Held::Output(output) => output.borrow_dependent(),
            Held::Line(batch, index) => &batch.lines()[*index].parsed,
        }
    }

    /// The output to the letter: the object that was given, where it is the whole of one.
    pub fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let raw = self.parsed().raw();
        if let Held::Output(output) = &self.held {
            let given = output.borrow_owner();
            if std::ptr::eq(given.as_bytes(py), raw) {
                return given.bind(py).clone();
            }
        }
        PyBytes::new(py, raw)
    }
}

/// The readings of a log, shared by its lines.
#[derive(Clone)]
pub struct Batch {
    log: Arc<Log>,
}

impl Batch {
    pub fn new(py: Python<'_>, bytes: Bound<'_, PyBytes>, limits: &Limits) -> Self {
        let log = Log::new((bytes.unbind(), *limits), |(owner, limits)| {
            let data = owner.as_bytes(py);
            py.detach(|| parse_all_lines(data, limits, all_threads()))
        });
        Batch { log: Arc::new(log) }
    }

    pub fn lines(&self) -> &[Line<'_>] {
        self.log.borrow_dependent()
    }

    /// The reading of one line; `index` is one of [`Batch::lines`].
    pub fn reading(&self, index: usize) -> Reading {
        Reading {
            held: Held::Line(self.clone(), index),
        }
    }
}

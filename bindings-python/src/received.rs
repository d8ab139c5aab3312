//! What a process left behind, as Python gave it.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use toolwire::{Exit, Limits, Output};

use crate::reading::Reading;

/// What a process left behind.
pub struct Received {
    pub stdout: Py<PyBytes>,
    pub stderr: Py<PyBytes>,
    pub result: Option<Py<PyBytes>>,
    pub exit: Exit,
}

impl Received {
    /// What a process left behind that has ended by itself; `answer` is what is to be read.
    pub fn ended(answer: Py<PyBytes>, stderr: Py<PyBytes>, exit: Exit) -> Self {
        Received {
            stdout: answer,
            stderr,
            result: None,
            exit,
        }
    }

    pub fn again(&self, py: Python<'_>) -> Self {
        Received {
            stdout: self.stdout.clone_ref(py),
            stderr: self.stderr.clone_ref(py),
            result: self.result.as_ref().map(|result| result.clone_ref(py)),
            ..*self
        }
    }

    /// Reads it as one result.
    pub fn read(&self, py: Python<'_>, limits: &Limits) -> Reading {
        let output = Output {
            stdout: self.stdout.as_bytes(py),
            stderr: self.stderr.as_bytes(py),
            result: self.result.as_ref().map(|result| result.as_bytes(py)),
            exit: self.exit,
        };
        let parsed = py.detach(|| toolwire::receive(&output, limits));
        Reading::owned(self.stdout.bind(py).clone(), parsed)
    }

    pub fn to_tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Received {
            stdout,
            stderr,
            result,
            exit,
        } = self;
        let (exit_code, signal) = match *exit {
            Exit::Code(code) => (code, None),
            Exit::Signal(signal) => (0, Some(signal)),
        };
        (stdout, stderr, result, exit_code, signal).into_pyobject(py)
    }

    pub fn from_tuple(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (stdout, stderr, result, exit_code, signal) = state.extract()?;
        let signal: Option<i32> = signal;
        Ok(Received {
            stdout,
            stderr,
            result,
            exit: signal.map_or(Exit::Code(exit_code), Exit::Signal),
        })
    }
}

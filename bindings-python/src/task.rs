//! `Task`: something that goes on in the background.

use std::time::Duration;

use pyo3::prelude::*;
use toolwire_ffi::task::{self, Ended};

use crate::error::raise_server;
use crate::to_python::json_to_python;

/// So often a program that waits looks for Ctrl-C; the end wakes it.
const TICK: Duration = Duration::from_millis(50);

/// Something that goes on in the background. It ends with a value, or with why there is none.
#[pyclass(frozen, module = "toolwire._toolwire", name = "Task")]
pub struct PyTask(pub task::Task);

#[pymethods]
impl PyTask {
    /// Wait for its end: the value. Other threads run meanwhile, and what handles a signal may raise.
    fn wait<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        while !py.detach(|| self.0.wait(TICK)) {
            py.check_signals()?;
        }
        self.take(py)
    }

    /// Have a function called at its end, on another thread; at once if that has come.
    fn on_end(&self, wake: Py<PyAny>) {
        self.0.on_end(move || {
            // Whoever listens may be gone with the interpreter.
            let _ = Python::try_attach(|py| wake.call0(py).is_ok());
        });
    }

    /// The value that it ended with, once.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0.take() {
            Some(ended) => value(py, ended),
            None => Ok(py.None().into_bound(py)),
        }
    }

    /// Give it up.
    fn cancel(&self) {
        self.0.cancel();
    }
}

fn value(py: Python<'_>, ended: Ended) -> PyResult<Bound<'_, PyAny>> {
    let json = ended.map_err(|error| raise_server(py, &error))?;
    json_to_python(py, &json)
}

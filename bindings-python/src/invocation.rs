//! `Invocation`: how a program in Python is called, and how its answer gets out.

use std::ffi::OsString;

use pyo3::prelude::*;
use toolwire_author::invocation::{Invocation, Variables};

use crate::envelope::PyEnvelope;
use crate::turn::{opened, tools_of};

/// The one call that the process answers. Made by `Invocation.accept`.
#[pyclass(frozen, module = "toolwire", name = "Invocation")]
pub struct PyInvocation(Invocation);

#[pymethods]
impl PyInvocation {
    /// Take the call from stdin, and stdout from the rest of the process; None if nobody calls.
    /// `call` and `result` are the two variables, which nobody finds in the environment any more.
    #[staticmethod]
    fn accept(
        py: Python<'_>,
        call: Option<OsString>,
        result: Option<OsString>,
    ) -> PyResult<Option<Self>> {
        let variables = Variables { call, result };
        let interrupted = || Python::attach(|py| py.check_signals());
        let accepted = py.detach(|| Invocation::accept(variables, interrupted))?;
        Ok(accepted.map(PyInvocation))
    }

    /// Read the call, as `Turn.open` does: a turn, or the finished answer.
    fn open<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        opened(py, self.0.open(&names))
    }

    /// Write the answer where it belongs; gives the exit status.
    fn end(&self, py: Python<'_>, answer: &PyEnvelope) -> u8 {
        let (text, is_error) = (answer.json(), answer.core().is_error());
        py.detach(|| self.0.end(&text, is_error))
    }

    /// Tell a person what the program is that nobody has called; gives the exit status.
    #[staticmethod]
    fn help(program: &str, tools: &Bound<'_, PyAny>) -> PyResult<u8> {
        Ok(toolwire_author::invocation::help(
            program,
            &tools_of(tools)?,
        ))
    }
}

/// Keep stdout for messages: what is printed from now on goes to stderr.
#[pyfunction]
pub fn hold_stdout() {
    // One that is closed is reported by the server.
    let _ = toolwire_author::invocation::take_stdout();
}

/// Keep what is printed out of the answer before the call is read, if the two variables say that a
/// host has called that offers no result channel. Tells whether it did so.
#[pyfunction]
pub fn guard(call: Option<OsString>, result: Option<OsString>) -> bool {
    toolwire_author::invocation::guard(call.as_deref(), result.as_deref())
}

//! `Serving`: the functions of this program, served beside programs.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use toolwire::author::{Caller, open};
use toolwire_author::heard_by;
use toolwire_ffi::serving::{Functions, Serving};
use toolwire_host::OpenCall;

use crate::calls::all_calls;
use crate::envelope::PyEnvelope;
use crate::lines::{PyLineCall, writing};
use crate::program::{caller, command_of, options_of, raise_failure};
use crate::task::PyTask;
use crate::turn::opened;

/// What tells which call the code that runs belongs to.
static CURRENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// A server that runs. `options` are those of `serve`, by their names; `functions` says whether there are functions, whose calls `next_call` gives. `ending` ends with the server.
#[pyclass(frozen, module = "toolwire._toolwire", name = "Serving")]
pub struct PyServing {
    inner: Arc<Serving>,
    /// What ends with the server.
    #[pyo3(get)]
    ending: Py<PyTask>,
}

#[pymethods]
impl PyServing {
    #[new]
    fn start(
        py: Python<'_>,
        programs: Vec<Bound<'_, PyAny>>,
        options: &Bound<'_, PyDict>,
        functions: bool,
    ) -> PyResult<Self> {
        let programs = programs.iter().map(|program| command_of(program, "tools"));
        let programs = programs.collect::<PyResult<Vec<_>>>()?;
        let (options, caller) = (options_of(options)?, caller(py, Vec::new())?);
        let (inner, ending) = py
            .detach(|| all_calls().serve(programs, functions, &options, &caller))
            .map_err(|failure| raise_failure(py, &failure))?;
        Ok(PyServing {
            inner: Arc::new(inner),
            ending: Py::new(py, PyTask(ending))?,
        })
    }

    /// Where clients connect to, over HTTP; otherwise None.
    #[getter]
    fn url(&self) -> Option<&str> {
        self.inner.url()
    }

    /// The next call of a function, or None if none waits.
    fn next_call(&self) -> Option<PyOpenCall> {
        PyOpenCall::next(self.inner.functions())
    }

    /// Have a function called, on another thread, when calls wait.
    fn on_call(&self, wake: Py<PyAny>) {
        tell_of_calls(self.inner.functions(), wake);
    }

    /// End the server.
    fn stop(&self) {
        self.inner.stop();
    }
}

/// A call of a function, until it is answered. Dropped before, it is an error.
#[pyclass(frozen, module = "toolwire._toolwire", name = "OpenCall")]
pub struct PyOpenCall {
    functions: Functions,
    caller: Arc<dyn Caller>,
    call: Mutex<Option<OpenCall>>,
}

#[pymethods]
impl PyOpenCall {
    /// Read the call document, as `Turn.open` does: a turn, or the finished answer.
    fn open<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let document = self.with(|call| call.document().to_owned());
        opened(py, open(document.unwrap_or_default().as_bytes(), &names))
    }

    /// Answer it; a second time does nothing.
    fn answer(&self, envelope: &PyEnvelope) {
        let call = self.lock().take();
        if let Some(call) = call {
            call.answer(envelope.json().into_owned());
        }
    }

    /// Whether nobody waits for the answer any more.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.caller.is_cancelled()
    }

    /// Have a function called, on another thread, if the call is given up.
    fn on_cancel(&self, wake: Py<PyAny>) {
        self.with(|call| {
            self.functions.on_cancel(call, move || {
                let _ = Python::try_attach(|py| wake.call0(py).is_ok());
            });
        });
    }
}

impl PyOpenCall {
    /// The next call of these functions, if one waits.
    pub fn next(functions: &Functions) -> Option<Self> {
        let call = functions.next_call()?;
        Some(PyOpenCall {
            caller: call.caller(),
            functions: functions.clone(),
            call: Mutex::new(Some(call)),
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<OpenCall>> {
        self.call.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, use_it: impl FnOnce(&OpenCall) -> T) -> Option<T> {
        self.lock().as_ref().map(use_it)
    }
}

/// Has a function called, on another thread, when calls of these functions wait.
pub fn tell_of_calls(functions: &Functions, wake: Py<PyAny>) {
    functions.on_call(move || {
        let _ = Python::try_attach(|py| wake.call0(py).is_ok());
    });
}

/// Have this function tell which call the code that runs belongs to: an `OpenCall`, a `LineCall`, or None.
#[pyfunction]
pub fn set_current(py: Python<'_>, current: Py<PyAny>) {
    // There is one for all of the process.
    let _ = CURRENT.set(py, current);
}

/// Says something of the call that the code that runs belongs to.
pub fn said(py: Python<'_>, say: impl FnOnce() + Send) -> PyResult<()> {
    let Some(current) = CURRENT.get(py) else {
        say();
        return Ok(());
    };
    let call = current.call0(py)?;
    let call = call.bind(py);
    if let Ok(call) = call.cast::<PyOpenCall>() {
        heard_by(&call.get().caller, say);
    } else if let Ok(call) = call.cast::<PyLineCall>() {
        let caller = call.get().caller();
        // It may have to wait for the host.
        writing(py, || heard_by(&caller, say))?;
    } else {
        say();
    }
    Ok(())
}

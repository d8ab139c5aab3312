//! `Connection`: an MCP server whose tools are called.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use toolwire::Code;
use toolwire_ffi::connection::{Connection, Server};

use crate::calls::all_calls;
use crate::input::wrong_type;
use crate::program::{caller, command_of, options_of, raise_failure};
use crate::task::PyTask;

/// A connection to a server. `options` are those of `connect`, by their names; `signals` the numbers of those that end
/// this process and nobody handles. `opening` says when it can be used.
#[pyclass(frozen, module = "toolwire._toolwire", name = "Connection")]
pub struct PyConnection {
    pub inner: Connection,
    /// What says when it can be used.
    #[pyo3(get)]
    opening: Py<PyTask>,
}

#[pymethods]
impl PyConnection {
    #[new]
    fn start(
        server: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
        signals: Vec<i32>,
    ) -> PyResult<Self> {
        let py = server.py();
        let (options, caller) = (options_of(options)?, caller(py, signals)?);
        let begun = if let Ok(word) = server.cast::<PyString>() {
            all_calls().connect(Server::Word(&word.to_string_lossy()), &options, &caller)
        } else if server.cast::<PyMapping>().is_ok() {
            let expected = "a list of a program and its arguments, a URL, a path or a name";
            return Err(wrong_type(
                server,
                "server",
                Code::BadArgument,
                expected,
                "",
            ));
        } else {
            let command = Server::Command(command_of(server, "server")?);
            all_calls().connect(command, &options, &caller)
        };
        let (inner, opening) = begun.map_err(|failure| raise_failure(py, &failure))?;
        Ok(PyConnection {
            inner,
            opening: Py::new(py, PyTask(opening))?,
        })
    }

    /// List the tools, as dicts in MCP's form.
    fn tools(&self) -> PyTask {
        PyTask(self.inner.tools())
    }

    /// End the connection.
    fn close(&self) -> PyTask {
        PyTask(self.inner.close())
    }
}

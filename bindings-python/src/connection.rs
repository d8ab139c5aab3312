//! `Connection`: an MCP server whose tools are called.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use toolwire::{Code, Limits};
use toolwire_ffi::connection::Connection;
use toolwire_ffi::servers::{Named, Reach};
use toolwire_host::{Command, Transport};
use toolwire_mcp::client::{ClientOptions, Header};

use crate::calls::all_calls;
use crate::error::{raise_host, raise_server, refuse};
use crate::input::wrong_type;
use crate::program::{Arguments, command_of, strings_of};
use crate::task::PyTask;

/// A connection to a server. `arguments` are those of `connect`, by their names; `signals` the numbers of those
/// that end this process and nobody handles. `opening` says when it can be used.
#[pyclass(frozen, module = "toolwire._toolwire", name = "Connection")]
pub struct PyConnection {
    inner: Connection,
    limits: Limits,
    /// What says when it can be used.
    #[pyo3(get)]
    opening: Py<PyTask>,
}

#[pymethods]
impl PyConnection {
    #[new]
    fn start(arguments: &Bound<'_, PyDict>, signals: Vec<i32>) -> PyResult<Self> {
        let py = arguments.py();
        let arguments = Arguments(arguments);
        let named = named(&arguments)?;
        let options = options(&arguments)?;
        let limits = options.limits;
        let (inner, opening) = all_calls()
            .connect(named, options, &signals)
            .map_err(|error| raise_host(py, &error))?;
        Ok(PyConnection {
            inner,
            limits,
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

impl PyConnection {
    /// What carries one call, and the limits for reading its result.
    pub fn transport(&self, py: Python<'_>) -> PyResult<(Arc<dyn Transport>, Limits)> {
        let transport = self.inner.transport();
        let transport = transport.map_err(|error| raise_server(py, &error))?;
        Ok((transport, self.limits))
    }
}

/// The server that is meant: a list is a command, a word what `toolwire run` takes it for.
fn named(arguments: &Arguments<'_, '_>) -> PyResult<Named> {
    let py = arguments.0.py();
    let mut options = arguments.process_options(None)?;
    options.timeout = None;
    let env = strings_of(arguments, "env")?;
    let trust = flag_of(arguments, "trust", "trust")?;
    let reach = Reach {
        trust,
        options,
        env: env.into_iter().collect(),
        headers: headers_of(arguments)?,
        config: path_of(arguments, "config")?,
    };
    let Some(server) = arguments.get("server")? else {
        let message = "give the server: a command as a list, a URL, a program or a name";
        return Err(refuse(py, Code::BadArgument, "/server", message));
    };
    let named = match server.cast::<PyString>() {
        Ok(word) => Named::word(&word.to_string_lossy(), reach),
        Err(_) => Named::command(server_command(&server)?, reach),
    };
    let mut named = named.map_err(|error| raise_server(py, &error))?;
    if let Some(name) = arguments.get("name")? {
        let wrong = |_| wrong_type(&name, "name", Code::BadOption, "a str", "");
        named.label = name.extract().map_err(wrong)?;
    }
    Ok(named)
}

/// The headers that are sent to a URL.
pub fn headers_of(arguments: &Arguments<'_, '_>) -> PyResult<Vec<Header>> {
    let headers = strings_of(arguments, "headers")?.into_iter();
    let headers = headers.map(|(name, value)| Header::new(name, value));
    Ok(headers.collect())
}

/// A path among the options.
pub fn path_of(arguments: &Arguments<'_, '_>, name: &str) -> PyResult<Option<PathBuf>> {
    let path = arguments.get(name)?.map(|path| {
        let expected = "a str or an os.PathLike of str";
        let wrong = |_| wrong_type(&path, name, Code::BadOption, expected, "");
        path.extract::<PathBuf>().map_err(wrong)
    });
    path.transpose()
}

fn server_command(server: &Bound<'_, PyAny>) -> PyResult<Command> {
    if server.is_instance_of::<PyDict>() || server.cast::<PyMapping>().is_ok() {
        let expected = "a list of a program and its arguments, a URL, a path or a name";
        return Err(wrong_type(
            server,
            "server",
            Code::BadArgument,
            expected,
            "",
        ));
    }
    command_of(server, "server")
}

/// A flag, which is off if it is not given; `member` is what messages call it.
pub fn flag_of(arguments: &Arguments<'_, '_>, name: &str, member: &str) -> PyResult<bool> {
    let Some(flag) = arguments.get(name)? else {
        return Ok(false);
    };
    let wrong = |_| wrong_type(&flag, member, Code::BadOption, "True or False", "");
    flag.extract().map_err(wrong)
}

pub fn options(arguments: &Arguments<'_, '_>) -> PyResult<ClientOptions> {
    let usual = ClientOptions::default();
    let process = arguments.process_options(None)?;
    let whole = |name: &str, usual: usize| match arguments.get(name)? {
        Some(most) => {
            let wrong = |_| wrong_type(&most, name, Code::BadOption, "a whole number of bytes", "");
            most.extract().map_err(wrong)
        }
        None => Ok(usual),
    };
    let send_context = flag_of(arguments, "send_context", "sendContext")?;
    Ok(ClientOptions {
        connect_timeout: arguments
            .seconds("connect_timeout")?
            .unwrap_or(usual.connect_timeout),
        timeout: process.timeout,
        max_timeout: arguments
            .seconds("max_timeout")?
            .unwrap_or(usual.max_timeout),
        max_message: whole("max_message", usual.max_message)?,
        limits: process.limits,
        send_context,
        ..usual
    })
}

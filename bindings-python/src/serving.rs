//! `Serving`: the functions of this program, served beside programs.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList};
use toolwire::Code;
use toolwire::author::{Caller, open};
use toolwire_author::heard_by;
use toolwire_ffi::serving::{Functions, Serving, Wanted};
use toolwire_host::{Command, KeptOptions, OpenCall};
use toolwire_mcp::server::{
    HttpOptions, ManifestOffer, Offer, ProcessSettings, Reporter, ServeOptions,
};

use crate::calls::all_calls;
use crate::envelope::PyEnvelope;
use crate::error::{raise_server, refuse};
use crate::input::wrong_type;
use crate::lines::{PyLineCall, writing};
use crate::program::{Arguments, command_of, inherited, strings_of};
use crate::task::PyTask;
use crate::turn::opened;

/// What tells which call the code that runs belongs to.
static CURRENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// A server that runs. `arguments` are those of `serve`, by their names, with `programs` as a list; `functions`
/// says whether there are functions, whose calls `next_call` gives. `ending` ends with the server.
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
    fn start(py: Python<'_>, arguments: &Bound<'_, PyDict>, functions: bool) -> PyResult<Self> {
        let wanted = wanted(&Arguments(arguments), functions)?;
        let (inner, ending) = py
            .detach(|| all_calls().serve(wanted))
            .map_err(|error| raise_server(py, &error))?;
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

fn wanted(arguments: &Arguments<'_, '_>, functions: bool) -> PyResult<Wanted> {
    let py = arguments.0.py();
    let offer = Offer {
        programs: programs(arguments)?,
        manifest: manifest(arguments)?,
        only: names(arguments, "only")?,
        except: names(arguments, "exclude")?,
        prefix: flag(arguments, "prefix")?,
        ..Offer::default()
    };
    let usual = ServeOptions::new(offer).map_err(|error| raise_server(py, &error.into()))?;
    let process = arguments.process_options(None)?;
    let inherit = arguments.get("inherit")?;
    let max_output = arguments.get("max_output")?.map(|_| process.max_output);
    let root = path(arguments, "root")?;
    let options = ServeOptions {
        process: ProcessSettings {
            cwd: process.cwd.or_else(|| root.clone()),
            root: root.map(|root| root.to_string_lossy().into_owned()),
            inherit: inherit.map(|inherit| inherited(&inherit)).transpose()?,
            env: strings_of(arguments, "env")?.into_iter().collect(),
            timeout: process.timeout,
            max_output,
            ..ProcessSettings::default()
        },
        name: text(arguments, "name")?.unwrap_or_else(|| usual.name.clone()),
        instructions: text(arguments, "instructions")?,
        jobs: count(arguments, "jobs")?.unwrap_or(usual.jobs),
        queue: count(arguments, "queue")?.unwrap_or(usual.queue),
        search_above: count(arguments, "search_above")?,
        plain_schemas: flag(arguments, "plain_schemas")?,
        keep: count(arguments, "keep_results")?.map(KeptOptions::over),
        reporter: Reporter::new(complain),
        ..usual
    };
    Ok(Wanted {
        options,
        functions,
        state_keys: path(arguments, "state_keys")?,
        http: http(arguments)?,
        tokens: path(arguments, "tokens")?,
    })
}

/// What people should know, on stderr, where the words of a tool do no harm.
fn complain(message: &str) {
    use std::io::Write as _;

    let message = toolwire::terminal_safe(message, false);
    let _ = writeln!(std::io::stderr(), "toolwire: {message}");
}

fn programs(arguments: &Arguments<'_, '_>) -> PyResult<Vec<Command>> {
    let Some(programs) = arguments.get("programs")? else {
        return Ok(Vec::new());
    };
    let programs = programs.cast_into::<PyList>()?;
    let all = programs.iter();
    all.map(|program| command_of(&program, "tools")).collect()
}

fn manifest(arguments: &Arguments<'_, '_>) -> PyResult<Option<ManifestOffer>> {
    let path = path(arguments, "manifest")?;
    Ok(path.map(|path| ManifestOffer {
        path: Some(path),
        names: Vec::new(),
    }))
}

fn http(arguments: &Arguments<'_, '_>) -> PyResult<Option<HttpOptions>> {
    let Some(address) = text(arguments, "http")? else {
        return Ok(None);
    };
    let Ok(address) = address.parse::<SocketAddr>() else {
        let message = format!(
            "`http` is an address with a port, such as `127.0.0.1:8080`, not `{}`",
            toolwire::terminal_safe(&address, false)
        );
        let py = arguments.0.py();
        return Err(refuse(py, Code::BadOption, "/http", &message));
    };
    Ok(Some(HttpOptions {
        no_token: flag(arguments, "no_token")?,
        hosts: names(arguments, "hosts")?,
        origins: names(arguments, "origins")?,
        ..HttpOptions::new(address)
    }))
}

fn text(arguments: &Arguments<'_, '_>, name: &str) -> PyResult<Option<String>> {
    extracted(arguments, name, "a str")
}

fn path(arguments: &Arguments<'_, '_>, name: &str) -> PyResult<Option<PathBuf>> {
    extracted(arguments, name, "a str or an os.PathLike of str")
}

fn count(arguments: &Arguments<'_, '_>, name: &str) -> PyResult<Option<usize>> {
    extracted(arguments, name, "a whole number")
}

fn flag(arguments: &Arguments<'_, '_>, name: &str) -> PyResult<bool> {
    Ok(extracted(arguments, name, "True or False")?.unwrap_or_default())
}

fn names(arguments: &Arguments<'_, '_>, name: &str) -> PyResult<Vec<String>> {
    Ok(extracted(arguments, name, "a list of str")?.unwrap_or_default())
}

fn extracted<'py, T>(
    arguments: &Arguments<'_, 'py>,
    name: &str,
    expected: &str,
) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let Some(value) = arguments.get(name)? else {
        return Ok(None);
    };
    match value.extract::<T>() {
        Ok(value) => Ok(Some(value)),
        Err(_) => Err(wrong_type(&value, name, Code::BadOption, expected, "")),
    }
}

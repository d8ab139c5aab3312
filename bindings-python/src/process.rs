//! `Program` and `Process`: runs of a tool, each on a thread of its own, so that Python neither waits
//! nor is called from elsewhere than where it wants to be.

use std::ffi::OsString;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString};
use toolwire::{Code, Exit, Limits};
use toolwire_host::{Environment, HostError, Observer, Outcome, RunOptions, Tool, blocking};

use crate::error::{raise_host, refuse};
use crate::input::{Keyword, bytes_of, in_python, limits_of, wrong_type};
use crate::parsed::PyParsed;
use crate::reading::Reading;
use crate::receive::Received;

/// So many bytes of stderr wait to be taken; where nobody takes them, the oldest ones give way.
const WAITING: usize = 1024 * 1024;

/// After this time the bell rings again.
const PATIENCE: Duration = Duration::from_secs(1);

/// The runs whose threads may still call Python, for the end of the interpreter: one that calls while
/// the interpreter is taken down would crash it. Each has the number of the process that it is in.
static LIVE: Mutex<Vec<(u32, Arc<Shared>)>> = Mutex::new(Vec::new());

/// Told when one leaves.
static LEFT: Condvar = Condvar::new();

/// What the thread of a run shares with Python.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    news: Condvar,
}

#[derive(Default)]
struct State {
    cancelled: bool,
    /// Whoever waits inside of the run for its being cancelled.
    waker: Option<Waker>,
    /// What the tool wrote to stderr and nobody has taken yet.
    stderr: Vec<u8>,
    /// When Python was told that there is something to be taken, if it has not come yet.
    told: Option<Instant>,
    end: End,
}

#[derive(Default)]
enum End {
    #[default]
    Running,
    Ended(Box<Result<Outcome, HostError>>),
    /// The host itself has failed; that never leaves its thread as a panic.
    Failed,
    Taken,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn cancel(&self) {
        let mut state = self.lock();
        state.cancelled = true;
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }

    fn has_ended(&self) -> bool {
        !matches!(self.lock().end, End::Running)
    }

    /// Waits until there is something to be taken, until the end, or for some time.
    fn wait(&self, time: Duration) {
        let state = self.lock();
        let nothing =
            |state: &mut State| state.stderr.is_empty() && matches!(state.end, End::Running);
        drop(self.news.wait_timeout_while(state, time, nothing));
    }

    /// Waits for the end, which comes: a tool that was asked to end and does not is killed.
    fn join(&self) {
        let state = self.lock();
        let running = |state: &mut State| matches!(state.end, End::Running);
        drop(self.news.wait_while(state, running));
    }
}

/// A panic of another thread leaves nothing half done here: all changes are single assignments.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Done when the run is cancelled.
struct Cancelled(Arc<Shared>);

impl Future for Cancelled {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.0.lock();
        if state.cancelled {
            return Poll::Ready(());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

/// How Python is told that there is something to be taken.
struct Bell {
    shared: Arc<Shared>,
    wake: Option<Py<PyAny>>,
}

impl Bell {
    /// Rings once until Python has come; and again after a while, since a loop that is closed in
    /// between never comes.
    fn ring(&self) {
        self.shared.news.notify_all();
        let Some(wake) = &self.wake else { return };
        let now = Instant::now();
        let mut state = self.shared.lock();
        let due = state
            .told
            .is_none_or(|told| now.duration_since(told) >= PATIENCE);
        if due {
            state.told = Some(now);
            drop(state);
            let heard = Python::try_attach(|py| wake.call0(py).is_ok());
            if heard == Some(false) {
                // The loop is closed: nobody waits for the tool any more.
                self.shared.cancel();
            }
        }
    }

    /// Rings for the end, and lets go of Python's function.
    fn ring_last(self) {
        self.shared.news.notify_all();
        if let Some(wake) = self.wake {
            let _ = Python::try_attach(|py| {
                let _ = wake.call0(py);
                drop(wake);
            });
        }
    }
}

/// A program with all that is the same for each of its runs. The package's own `run` and `list_tools`
/// are made of it.
///
/// >>> from toolwire._toolwire import Program
/// >>> program = Program(['python3', '-c', 'print("hello")'])
/// >>> program.name
/// 'python3'
/// >>> process = program.start('')
/// >>> process.join()
/// >>> process.result()[0].envelope.content[0].text
/// 'hello\n'
#[pyclass(frozen, module = "toolwire._toolwire", name = "Program")]
pub struct PyProgram {
    tool: Tool,
    options: RunOptions,
    watch_stderr: bool,
}

#[pymethods]
impl PyProgram {
    /// `program` is a str or path, or an argument vector.
    #[new]
    #[pyo3(signature = (program, *, cwd=None, env=None, clean_env=false, timeout=None, max_output=None,
        limits=None, watch_stderr=false))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword arguments are how Python names options"
    )]
    fn make<'py>(
        program: &Bound<'py, PyAny>,
        cwd: Keyword<'_, 'py>,
        env: Keyword<'_, 'py>,
        clean_env: bool,
        timeout: Keyword<'_, 'py>,
        max_output: Keyword<'_, 'py>,
        limits: Keyword<'_, 'py>,
        watch_stderr: bool,
    ) -> PyResult<Self> {
        let mut options = RunOptions {
            environment: environment(env, clean_env)?,
            ..RunOptions::default()
        };
        if let Some(cwd) = cwd {
            options.cwd = Some(PathBuf::from(path(cwd, "cwd", Code::BadOption)?));
        }
        if let Some(timeout) = timeout {
            let time = timeout
                .extract::<f64>()
                .ok()
                .filter(|seconds| *seconds > 0.0);
            let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            let expected = "a number of seconds above 0";
            let wrong = || unfit(timeout, "timeout", expected);
            options.timeout = Some(time.ok_or_else(wrong)?);
        }
        if let Some(most) = max_output {
            let expected = "a whole number of bytes";
            let wrong = |_| unfit(most, "maxOutput", expected);
            options.max_output = most.extract().map_err(wrong)?;
        }
        if let Some(limits) = limits {
            options.limits = limits_of(limits)?;
        }
        Ok(PyProgram {
            tool: tool_of(program)?,
            options,
            watch_stderr,
        })
    }

    /// How a tool is called that is not known by another name: as the program's file.
    #[getter]
    fn name(&self) -> String {
        let stem = Path::new(self.tool.program()).file_stem();
        stem.unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Start it with a call document on stdin. `wake` is called, on another thread, when there is
    /// something on stderr and when the tool has ended; then once more only after `stderr` was called.
    #[pyo3(signature = (document, wake=None))]
    fn start(&self, document: &Bound<'_, PyAny>, wake: Option<Py<PyAny>>) -> PyResult<PyProcess> {
        let shared = Arc::new(Shared::default());
        let bell = Arc::new(Bell {
            shared: Arc::clone(&shared),
            wake,
        });
        let document = bytes_of(document, "document", Code::BadArgument)?;
        let mut options = self.options.clone();
        options.stdin = document.as_bytes().to_vec();
        if self.watch_stderr {
            let bell = Arc::clone(&bell);
            options.on_stderr = Some(Observer::new(move |piece| {
                keep(&mut bell.shared.lock().stderr, piece);
                bell.ring();
            }));
        }
        let tool = self.tool.clone();
        let cancelled = Cancelled(Arc::clone(&shared));
        lock(&LIVE).push((std::process::id(), Arc::clone(&shared)));
        let thread = std::thread::Builder::new().name("toolwire".to_owned());
        let started = thread.spawn(move || {
            let run = || blocking::run_until(&tool, &options, cancelled);
            let end = match catch_unwind(AssertUnwindSafe(run)) {
                Ok(outcome) => End::Ended(Box::new(outcome)),
                Err(_) => End::Failed,
            };
            // The observer has the bell too.
            drop(options);
            bell.shared.lock().end = end;
            let shared = Arc::clone(&bell.shared);
            if let Some(bell) = Arc::into_inner(bell) {
                bell.ring_last();
            }
            leave(&shared);
        });
        if let Err(error) = started {
            leave(&shared);
            return Err(error.into());
        }
        Ok(PyProcess {
            shared,
            limits: self.options.limits,
        })
    }
}

/// One run of a program. Made by `Program.start`.
#[pyclass(frozen, module = "toolwire._toolwire", name = "Process")]
pub struct PyProcess {
    shared: Arc<Shared>,
    limits: Limits,
}

#[pymethods]
impl PyProcess {
    /// Ask the tool to end; it is killed if it does not within two seconds.
    fn cancel(&self) {
        self.shared.cancel();
    }

    /// Wait until there is something on stderr, until the end, or so many seconds. Other threads run
    /// meanwhile.
    fn wait(&self, py: Python<'_>, seconds: f64) {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO);
        py.detach(|| self.shared.wait(time));
    }

    /// Wait for the end, signals or not.
    fn join(&self, py: Python<'_>) {
        py.detach(|| self.shared.join());
    }

    /// Whether it has ended.
    #[getter]
    fn ended(&self) -> bool {
        self.shared.has_ended()
    }

    /// What came on stderr since the last time.
    fn stderr<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut state = self.shared.lock();
        state.told = None;
        let piece = std::mem::take(&mut state.stderr);
        drop(state);
        PyBytes::new(py, &piece)
    }

    /// What it came to, once: the parsed result, stdout, the end of stderr, why it was stopped, the exit
    /// code and the signal.
    #[expect(clippy::type_complexity, reason = "it is Python that takes it apart")]
    fn result<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(
        PyParsed,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Option<&'static str>,
        Option<i32>,
        Option<i32>,
    )> {
        let end = std::mem::replace(&mut self.shared.lock().end, End::Taken);
        let outcome = match end {
            End::Ended(outcome) => outcome.map_err(|error| raise_host(py, &error))?,
            _ => return Err(PyRuntimeError::new_err("there is no result of this run")),
        };
        let (stdout, stderr) = (
            PyBytes::new(py, &outcome.stdout),
            PyBytes::new(py, &outcome.stderr),
        );
        let (exit_code, signal) = match outcome.exit {
            Exit::Code(code) => (Some(code), None),
            Exit::Signal(signal) => (None, Some(signal)),
        };
        let stopped = outcome.stopped.map(toolwire_host::Stop::as_str);
        let answer = PyBytes::new(py, outcome.parsed.raw());
        // The result of a tool that was stopped is an envelope of its own, whatever the tool did.
        let received = stopped.is_none().then(|| {
            Received::ended(
                answer.clone().unbind(),
                stderr.clone().unbind(),
                outcome.exit,
            )
        });
        let reading = Reading::owned(answer, outcome.parsed);
        let parsed = PyParsed::of_run(reading, self.limits, received);
        Ok((parsed, stdout, stderr, stopped, exit_code, signal))
    }
}

impl Drop for PyProcess {
    /// A run that nobody waits for any more is ended.
    fn drop(&mut self) {
        self.shared.cancel();
    }
}

/// End all runs of this process, and wait for their ends: for when the interpreter exits.
#[pyfunction]
pub fn end_all(py: Python<'_>) {
    // A forked process has no threads of its parent's, so it has nothing to wait for.
    let own = |entry: &(u32, Arc<Shared>)| entry.0 == std::process::id();
    let live = lock(&LIVE);
    for (_, shared) in live.iter().filter(|entry| own(entry)) {
        shared.cancel();
    }
    drop(live);
    py.detach(|| {
        drop(LEFT.wait_while(lock(&LIVE), |live| live.iter().any(own)));
    });
}

/// Takes a run off the list: its thread has nothing to do with Python any more.
fn leave(shared: &Arc<Shared>) {
    lock(&LIVE).retain(|(_, live)| !Arc::ptr_eq(live, shared));
    LEFT.notify_all();
}

/// Appends a piece, and lets go of what is oldest if that is too much.
fn keep(waiting: &mut Vec<u8>, piece: &[u8]) {
    waiting.extend_from_slice(piece);
    if waiting.len() > WAITING {
        waiting.drain(..waiting.len() - WAITING);
    }
}

/// A program, or an argument vector.
fn tool_of(program: &Bound<'_, PyAny>) -> PyResult<Tool> {
    let is_one = program.is_instance_of::<PyString>()
        || program.is_instance_of::<PyBytes>()
        || program.get_type().hasattr("__fspath__").unwrap_or(false);
    if is_one {
        return Ok(Tool::new(path(program, "program", Code::BadArgument)?));
    }
    let Ok(items) = program.try_iter() else {
        let expected = "a str, a path, or a list of them: the program and its arguments";
        return Err(wrong_type(
            program,
            "program",
            Code::BadArgument,
            expected,
            "",
        ));
    };
    let mut words = Vec::new();
    for (index, item) in items.enumerate() {
        words.push(path(
            &item?,
            &format!("program/{index}"),
            Code::BadArgument,
        )?);
    }
    if words.is_empty() {
        let message = "`program` is empty; give at least the program";
        return Err(refuse(program.py(), Code::BadArgument, "/program", message));
    }
    let program = words.remove(0);
    Ok(Tool::new(program).args(words))
}

/// What the system is given for a str or a path.
fn path(value: &Bound<'_, PyAny>, name: &str, code: Code) -> PyResult<OsString> {
    value
        .extract::<PathBuf>()
        .map(PathBuf::into_os_string)
        .map_err(|_| wrong_type(value, name, code, "a str or an os.PathLike of str", ""))
}

/// Refuses an option by its value: of a number that says more than its class.
fn unfit(value: &Bound<'_, PyAny>, name: &str, expected: &str) -> PyErr {
    match value.extract::<f64>() {
        Ok(number) => {
            let message = format!("`{}` is {expected}, not `{number}`", in_python(name));
            refuse(value.py(), Code::BadOption, &format!("/{name}"), &message)
        }
        Err(_) => wrong_type(value, name, Code::BadOption, expected, ""),
    }
}

/// The variables of the tool: those of the host that tell it its way, and others beside.
fn environment(env: Keyword<'_, '_>, clean: bool) -> PyResult<Environment> {
    let mut environment = match clean {
        true => Environment::only(Vec::<OsString>::new()),
        false => Environment::standard(),
    };
    let Some(env) = env else {
        return Ok(environment);
    };
    let expected = "a dict of str to str";
    if !env.is_instance_of::<PyDict>() && env.cast::<PyMapping>().is_err() {
        return Err(wrong_type(env, "env", Code::BadOption, expected, ""));
    }
    for item in env.call_method0("items")?.try_iter()? {
        let (name, value) = item?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let text = |it: &Bound<'_, PyAny>| match it.extract::<OsString>() {
            Ok(text) => Ok(text),
            Err(_) => Err(wrong_type(it, "env", Code::BadOption, expected, "")),
        };
        environment = environment.with(text(&name)?, text(&value)?);
    }
    Ok(environment)
}

//! `Conversation`: a call that goes on, as the shared driver carries it out, in Python's values.

use std::sync::Arc;
use std::time::Duration;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use toolwire::call::{Answer, AnswerSource};
use toolwire::{Exit, Limits};
use toolwire_ffi::run::Tools;
use toolwire_host::{CallOutcome, Conversation, End, Event, HostErrorKind, StopReason, ToolList};

use crate::answer::PyAnswer;
use crate::answer::answers_to_python;
use crate::calls::all_calls;
use crate::connection::PyConnection;
use crate::diagnostic::PyDiagnostic;
use crate::document::Document;
use crate::error::raise_host;
use crate::event::{PyMessage, PyProgress};
use crate::exchange::PyPendingQuestion;
use crate::input::Given;
use crate::manifest::PyManifest;
use crate::parsed::PyParsed;
use crate::program::{caller, command_of, options_of, raise_failure};
use crate::reading::Reading;
use crate::received::Received;

/// So often a program that waits for an event looks for Ctrl-C; an event wakes it.
const TICK: Duration = Duration::from_millis(50);

/// A call that goes on. `run` and its like are made of it.
///
/// `program` is what `run` takes, a manifest or a connection; `options` are those of `run`, by their names, and with
/// `describes` those of `list_tools`; `signals` the numbers of those that end this process
/// and nobody handles. An event is a piece of stderr as bytes, if there is an `on_stderr`; `Progress` or a
/// `Message`, if there is an `on_progress` or `on_log`; a `PendingQuestion`; or a dict, which is the result
/// and the last one. Dropped before, it is cancelled.
///
/// >>> from toolwire._toolwire import Conversation
/// >>> conversation = Conversation(['python3', '-c', 'print("hello")'], {}, [], False)
/// >>> conversation.next()['stdout']
/// b'hello\n'
/// >>> conversation.is_over
/// True
#[pyclass(frozen, module = "toolwire._toolwire", name = "Conversation")]
pub struct PyConversation {
    inner: Arc<Conversation>,
    limits: Limits,
    /// Whether it asks a program for its tools.
    describes: bool,
}

#[pymethods]
impl PyConversation {
    #[new]
    #[pyo3(signature = (program, options, signals, describes))]
    fn start(
        program: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
        signals: Vec<i32>,
        describes: bool,
    ) -> PyResult<Self> {
        let py = program.py();
        let (options, caller) = (options_of(options)?, caller(py, signals)?);
        let begin = |tools: &Tools<'_>| match describes {
            true => all_calls().list(tools, &options, &caller),
            false => all_calls().run(tools, &options, &caller),
        };
        let begun = if let Ok(server) = program.cast::<PyConnection>() {
            begin(&Tools::Server(&server.get().inner))
        } else if let Ok(manifest) = program.cast::<PyManifest>() {
            begin(&Tools::Manifest(&manifest.get().inner))
        } else {
            begin(&Tools::Program(command_of(program, "program")?))
        };
        let run = begun.map_err(|failure| raise_failure(py, &failure))?;
        Ok(PyConversation {
            inner: Arc::new(run.conversation),
            limits: run.limits,
            describes,
        })
    }

    /// Wait for the next event. Other threads run meanwhile, and what handles a signal may raise.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loop {
            self.check_that_it_goes_on()?;
            let event = py.detach(|| self.inner.next_timeout(TICK));
            if let Some(event) = self.event_to_python(py, event)? {
                return Ok(event);
            }
            py.check_signals()?;
        }
    }

    /// The next event, or None if there is none yet.
    fn try_next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.check_that_it_goes_on()?;
        let mut event = self.inner.try_next();
        // Nobody is waked for what comes behind one that gives nothing here.
        while matches!(event, Some(Event::Log(_))) {
            event = self.inner.try_next();
        }
        self.event_to_python(py, event)
    }

    /// Have a function called, on another thread, when there are events again after all were taken. If
    /// it raises, nobody listens any more, and the call is cancelled.
    fn on_event(&self, py: Python<'_>, wake: Py<PyAny>) -> PyResult<()> {
        let conversation = Arc::downgrade(&self.inner);
        let tell = move || {
            let told = Python::try_attach(|py| wake.call0(py).is_ok());
            if let (Some(false), Some(conversation)) = (told, conversation.upgrade()) {
                conversation.cancel();
            }
        };
        let listening = all_calls().on_event(&self.inner, tell);
        listening.map_err(|error| raise_host(py, &error))
    }

    /// Answer the question that waits with a value or an `Answer`; with None if there is no answer.
    fn answer(&self, id: &str, answer: &Bound<'_, PyAny>) -> PyResult<()> {
        let answer = match answer.cast::<PyAnswer>() {
            Ok(answer) => answer.get().to_core(),
            // Nothing is what a function gives that has no answer. JSON's null is `Answer(None)`.
            Err(_) if answer.is_none() => Answer::unavailable(AnswerSource::Policy),
            Err(_) => {
                let value = Given::Value(answer.clone());
                PyAnswer::make(answer.py(), value, None, None)?.to_core()
            }
        };
        self.inner.answer(id, answer);
        Ok(())
    }

    /// Ask the tool to end; it is killed if it does not within two seconds. The result says so.
    fn cancel(&self) {
        if !self.inner.is_forked() {
            self.inner.cancel();
        }
    }

    /// Whether no event is to come: the last one was taken, or this process is a fork.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.is_forked() || self.inner.is_over()
    }
}

impl PyConversation {
    fn check_that_it_goes_on(&self) -> PyResult<()> {
        let why = match () {
            () if self.inner.is_forked() => {
                "this call was begun in the process that this one is a fork of; make one of your own"
            }
            () if self.inner.is_over() => "this call is over; make another one",
            () => return Ok(()),
        };
        Err(PyRuntimeError::new_err(why))
    }

    fn event_to_python<'py>(
        &self,
        py: Python<'py>,
        event: Option<Event>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match event {
            Some(Event::Stderr(piece)) => Ok(Some(PyBytes::new(py, &piece).into_any())),
            Some(Event::Progress(progress)) => PyProgress(progress).into_bound_py_any(py).map(Some),
            Some(Event::Message(message)) => PyMessage(message).into_bound_py_any(py).map(Some),
            Some(Event::Question(question)) => {
                let question = PyPendingQuestion::new(*question);
                question.into_bound_py_any(py).map(Some)
            }
            Some(Event::Done(Ok(outcome))) => {
                let told = self.describes.then(|| ToolList::tools_in(&outcome));
                let result = result(py, *outcome, self.limits)?;
                if let Some(Err(error)) = told
                    && error.kind() == HostErrorKind::DescribeFailed
                {
                    // It is raised with the result, which is made in Python.
                    result.set_item("failure", raise_host(py, &error))?;
                }
                Ok(Some(result.into_any()))
            }
            Some(Event::Done(Err(error))) => Err(raise_host(py, &error)),
            // A log is in the result.
            _ => Ok(None),
        }
    }
}

/// What a call came to: the members of a `RunResult`.
fn result<'py>(
    py: Python<'py>,
    outcome: CallOutcome,
    limits: Limits,
) -> PyResult<Bound<'py, PyDict>> {
    let CallOutcome {
        parsed,
        answers,
        rounds,
        end,
        diagnostics,
        report,
        elapsed,
        ..
    } = outcome;
    let result = PyDict::new(py);
    let stderr = PyBytes::new(py, &report.stderr);
    let (exit_code, signal) = match report.exit {
        Some(Exit::Code(code)) => (Some(code), None),
        Some(Exit::Signal(signal)) => (None, Some(signal)),
        None => (None, None),
    };
    result.set_item("answers", answers_to_python(py, &answers)?)?;
    result.set_item("rounds", rounds)?;
    result.set_item("end", end.as_str())?;
    let diagnostics = diagnostics.into_iter().map(PyDiagnostic::new);
    result.set_item(
        "diagnostics",
        PyList::new(py, diagnostics.collect::<Vec<_>>())?,
    )?;
    result.set_item("stdout", PyBytes::new(py, &report.stdout))?;
    result.set_item("stderr", &stderr)?;
    result.set_item("stopped", report.stopped.map(StopReason::as_str))?;
    result.set_item("exit_code", exit_code)?;
    result.set_item("signal", signal)?;
    result.set_item("elapsed", elapsed.as_secs_f64())?;
    // The result of a tool that was stopped is an envelope of its own, whatever the tool did.
    let is_answer = end == End::Answered && report.stopped.is_none();
    let raw = PyBytes::new(py, parsed.raw());
    let received = report.exit.filter(|_| is_answer);
    let received =
        received.map(|exit| Received::ended(raw.clone().unbind(), stderr.unbind(), exit));
    let limits = if is_answer { limits } else { Limits::WIDEST };
    let reading = Reading::owned(raw, parsed);
    let document = Document::of_call(reading, limits, received, answers);
    result.set_item("parsed", Py::new(py, PyParsed::new(document))?)?;
    Ok(result)
}

//! `Lines` and `LineCall`: a program that takes its calls as lines.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use toolwire::author::{Ask, Caller};
use toolwire::call::Answer;
use toolwire::{Block, Code, Error, Json};
use toolwire_author::invocation::Lines;
use toolwire_ffi::answers::check_answers;
use toolwire_ffi::lines::{Heard, LineCall, listen};

use crate::answer::PyAnswer;
use crate::ask::PyAsk;
use crate::build::append_block;
use crate::envelope::PyEnvelope;
use crate::error::raise;
use crate::input::{bytes_of, text_of};
use crate::to_python::json_to_python;
use crate::turn::opened;

/// What a host says to a program that stays. Made by `Lines.begin`.
#[pyclass(frozen, module = "toolwire._toolwire", name = "Lines")]
pub struct PyLines {
    lines: Lines,
    /// Whether the program is about to exit. It is locked while the host's thread is in Python: there it must not be
    /// when Python ends, which would end the thread within Rust, and the process by a crash.
    left: Arc<Mutex<bool>>,
}

#[pymethods]
impl PyLines {
    /// Take stdin and stdout from the rest of the process, and greet the host: the program takes so many calls at
    /// the same time. None if that fails, which has been told on stderr.
    #[staticmethod]
    fn begin(py: Python<'_>, calls: u64) -> PyResult<Option<Self>> {
        let interrupted = || Python::attach(|py| py.check_signals());
        let begun = py.detach(|| Lines::begin(calls, interrupted))?;
        if let Some(lines) = &begun {
            lines.on_interrupt(is_interrupted);
        }
        Ok(begun.map(|lines| PyLines {
            lines,
            left: Arc::default(),
        }))
    }

    /// Have a function called on another thread with each thing that the host says, until it returns: with
    /// `'call'`, a LineCall and None; `'input'`, the number of a call and a pair of a value and its size in bytes;
    /// `'answer'`, the number and a pair of an id and an Answer; `'end'`, the number and None; at last with `'over'`, 0 and None.
    fn listen(&self, heard: Py<PyAny>) -> PyResult<()> {
        let left = Arc::clone(&self.left);
        let told = move |line: Heard| {
            let left = left.lock().unwrap_or_else(PoisonError::into_inner);
            if *left {
                return;
            }
            // At the end of the process there is no Python any more.
            Python::try_attach(|py| {
                if let Err(error) = tell(py, &heard, line) {
                    error.write_unraisable(py, Some(heard.bind(py)));
                }
            });
        };
        Ok(listen(self.lines.clone(), told)?)
    }

    /// The exit status of the program when there is nothing more to be heard.
    #[getter]
    fn status(&self) -> u8 {
        self.lines.status()
    }

    /// Hear nothing any more: the program is about to exit.
    fn leave(&self, py: Python<'_>) {
        py.detach(|| *self.left.lock().unwrap_or_else(PoisonError::into_inner) = true);
    }
}

/// What a handler of signals has raised while a line was written.
static RAISED: Mutex<Option<PyErr>> = Mutex::new(None);

fn raised() -> MutexGuard<'static, Option<PyErr>> {
    RAISED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets Python handle a signal that has come in this thread.
fn is_interrupted() -> bool {
    let error = Python::attach(|py| py.check_signals()).err();
    let is_error = error.is_some();
    if is_error {
        *raised() = error;
    }
    is_error
}

/// Writes something, and raises what a handler of signals has raised meanwhile.
pub fn writing<T: Send>(py: Python<'_>, write: impl FnOnce() -> T + Send) -> PyResult<T> {
    let written = py.detach(write);
    match raised().take() {
        Some(error) => Err(error),
        None => Ok(written),
    }
}

fn tell(py: Python<'_>, heard: &Py<PyAny>, line: Heard) -> PyResult<()> {
    match line {
        Heard::Call(call) => {
            let call = Bound::new(py, PyLineCall { call })?;
            heard.call1(py, ("call", call, py.None()))
        }
        Heard::Input(call, input) => {
            let value = json_to_python(py, input.as_str())?;
            heard.call1(py, ("input", call, (value, input.as_str().len())))
        }
        Heard::Answer(call, id, answer) => {
            heard.call1(py, ("answer", call, (id, PyAnswer::new(&answer))))
        }
        Heard::End(call, _) => heard.call1(py, ("end", call, py.None())),
        Heard::Over => heard.call1(py, ("over", 0, py.None())),
    }
    .map(drop)
}

/// A call of a program that stays, until it has its result.
#[pyclass(frozen, module = "toolwire._toolwire", name = "LineCall")]
pub struct PyLineCall {
    call: Arc<LineCall>,
}

impl PyLineCall {
    /// Whoever hears what is said in the call.
    pub fn caller(&self) -> Arc<dyn Caller> {
        Arc::clone(&self.call) as Arc<dyn Caller>
    }
}

#[pymethods]
impl PyLineCall {
    /// Its number.
    #[getter]
    fn number(&self) -> u64 {
        self.call.number()
    }

    /// Whether it is a session.
    #[getter]
    fn is_session(&self) -> bool {
        self.call.is_session()
    }

    /// Whether this is the process that was called, and no copy that a fork made of it.
    #[getter]
    fn is_here(&self) -> bool {
        self.call.is_here()
    }

    /// Where it belongs in a distributed trace.
    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let trace = self.call.trace();
        let all = PyDict::new(py);
        for (name, value) in [
            ("traceparent", &trace.traceparent),
            ("tracestate", &trace.tracestate),
            ("baggage", &trace.baggage),
        ] {
            if let Some(value) = value {
                all.set_item(name, value)?;
            }
        }
        Ok(all)
    }

    /// Read the call, as `Turn.open` does: a turn, or the finished answer.
    fn open<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        opened(py, self.call.open(&names))
    }

    /// Why it is to end; None if it is not.
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        self.call.ending().map(|reason| reason.as_str())
    }

    /// Whether it is to end.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.call.is_cancelled()
    }

    /// Write blocks or texts of a session. It waits while the host reads nothing.
    fn output(&self, py: Python<'_>, blocks: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        let mut all = Vec::with_capacity(blocks.len());
        for block in &blocks {
            let mut json = String::new();
            append_block(block, "/block", &mut json)?;
            all.push(Block::from_json(&json).map_err(|error| raise(py, &error))?);
        }
        let written = writing(py, || self.call.output(&all))?;
        is_written(py, written.map_err(|(_, error)| raise(py, &error))?)
    }

    /// The function has taken an input of so many bytes.
    fn took(&self, size: usize) {
        self.call.took(size);
    }

    /// Begin to wait for the answer to a question, until `forget`. Refused if another with this id waits.
    fn expect(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        let word = text_of(id, "id", Code::BadArgument)?;
        let expected = self.call.expect(&word);
        expected.map_err(|error| raise(id.py(), &error))
    }

    /// Wait no more for the answer to a question.
    fn forget(&self, id: &str) {
        self.call.forget(id);
    }

    /// Ask a question of a session; `person` if it is for the user alone. It waits while the host reads nothing, and
    /// not for the answer.
    fn ask(&self, id: &Bound<'_, PyAny>, ask: &Bound<'_, PyAny>, person: bool) -> PyResult<()> {
        let py = ask.py();
        let id = text_of(id, "id", Code::BadArgument)?;
        let ask = ask.cast::<PyAsk>()?.get().core();
        let asked = writing(py, || self.call.ask(&id, ask, person))?;
        is_written(py, asked.map_err(|error| raise(py, &error))?)
    }

    /// Refuse an answer that does not fit its question, with `answer_mismatch`. The questions are pairs of an id
    /// and an Ask, in the order of the answers.
    #[staticmethod]
    fn check(
        py: Python<'_>,
        asks: Vec<(String, Py<PyAsk>)>,
        answers: Vec<Py<PyAnswer>>,
    ) -> PyResult<()> {
        let asks: Vec<(&str, &Ask)> = asks
            .iter()
            .map(|(id, ask)| (id.as_str(), ask.get().core()))
            .collect();
        let answers: Vec<Answer> = answers
            .iter()
            .map(|answer| answer.get().to_core())
            .collect();
        check_answers(&asks, &answers).map_err(|error| raise(py, &error))
    }

    /// Take what the call has printed. Tells whether it is taken: in a copy of the process it is not.
    fn print(&self, data: &Bound<'_, PyAny>) -> PyResult<bool> {
        let bytes = bytes_of(data, "data", Code::BadArgument)?;
        let bytes = bytes.as_bytes();
        writing(data.py(), || self.call.print(bytes))
    }

    /// Write what was printed without a line end.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        writing(py, || self.call.flush())
    }

    /// End the call with its envelope. What is said in it afterwards goes nowhere. False if an error took its place,
    /// because the host takes no such long line.
    fn result(&self, py: Python<'_>, envelope: &PyEnvelope) -> PyResult<bool> {
        let json = Json::new(envelope.json()).map_err(|error| raise(py, &error))?;
        Ok(writing(py, || self.call.result(json))??)
    }

    fn __repr__(&self) -> String {
        format!("<toolwire.LineCall {}>", self.call.number())
    }
}

/// Refuses what is longer than the host takes; that the host has gone is an error of the system.
fn is_written(py: Python<'_>, written: io::Result<()>) -> PyResult<()> {
    written.map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            let message = error.to_string();
            raise(py, &Error::new(Code::OverBudget, "", None, message))
        }
        _ => error.into(),
    })
}

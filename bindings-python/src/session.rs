//! `SessionMachine`: the state machine of a session, without input or output.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use toolwire::Code;
use toolwire_ffi::session::{handle, machine, possible};

use crate::block::PyQuestion;
use crate::error::raise;
use crate::input::{Keyword, document_of, options_json, text_of};
use crate::to_python::json_to_python;

/// The state machine of one handle of a tool that keeps running, without input or output: `handle` takes what
/// happens, and says what the host does now. Chapter 21 of the specification lists the events and the effects.
///
/// `actions` are those that the tool offers to a model: `'spawn'`, `'fetch'`, `'apply'`, `'abort'`. `max_blocks`
/// and `max_bytes` bound what is kept for a reader, `max_questions` what is asked and not answered.
///
/// >>> import toolwire
/// >>> machine = toolwire.wire.SessionMachine('check', actions=['spawn', 'fetch'])
/// >>> machine.handle({'event': 'spawn', 'by': 'assistant'})
/// {'state': 'running', 'effects': [{'effect': 'start'}]}
/// >>> block = {'type': 'text', 'text': 'Checking toolwire'}
/// >>> _ = machine.handle({'event': 'output', 'blocks': [block]})
/// >>> machine.handle({'event': 'fetch', 'by': 'assistant'})['effects'][0]['envelope']['content']
/// [{'type': 'text', 'text': 'Checking toolwire'}]
/// >>> refusal = machine.handle({'event': 'abort', 'by': 'assistant'})['refusal']
/// >>> refusal['code'], refusal['possible']
/// ('action_not_offered', ['fetch'])
#[pyclass(frozen, module = "toolwire", name = "SessionMachine")]
pub struct PySessionMachine {
    inner: Mutex<toolwire::session::SessionMachine>,
}

impl PySessionMachine {
    fn held(&self) -> MutexGuard<'_, toolwire::session::SessionMachine> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PySessionMachine {
    #[new]
    #[pyo3(signature = (id, *, actions=None, max_blocks=None, max_bytes=None, max_questions=None))]
    fn make(
        id: &Bound<'_, PyAny>,
        actions: Keyword<'_, '_>,
        max_blocks: Keyword<'_, '_>,
        max_bytes: Keyword<'_, '_>,
        max_questions: Keyword<'_, '_>,
    ) -> PyResult<Self> {
        let py = id.py();
        let options = options_json(&[
            ("actions", actions),
            ("maxBlocks", max_blocks),
            ("maxBytes", max_bytes),
            ("maxQuestions", max_questions),
        ])?;
        let id = text_of(id, "id", Code::BadArgument)?;
        let machine = machine(&id, options.as_deref().unwrap_or("{}"));
        Ok(PySessionMachine {
            inner: Mutex::new(machine.map_err(|error| raise(py, &error))?),
        })
    }

    /// Take what happens, a dict or its JSON text, and return what comes of it: a dict with the `state`
    /// afterwards, the `effects`, and the `refusal` if it was refused. Raises `bad_argument` if it is no event.
    fn handle<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = event.py();
        let bytes = document_of(event, "event")?;
        let outcome = handle(&mut self.held(), bytes.as_bytes());
        json_to_python(py, &outcome.map_err(|error| raise(py, &error))?)
    }

    /// The state: `'absent'`, `'running'`, `'waiting'`, `'ending'` or `'stopped'`.
    #[getter]
    fn state(&self) -> &'static str {
        self.held().state().as_str()
    }

    /// The open question, or None.
    #[getter]
    fn question(&self, py: Python<'_>) -> PyResult<Option<PyQuestion>> {
        let question = self.held().question().cloned();
        let question = question.as_ref();
        question
            .map(|question| PyQuestion::from_core(py, question))
            .transpose()
    }

    /// The actions that somebody can use now: `by` is `'assistant'`, `'user'`, `'default'` or `'policy'`.
    fn possible<'py>(&self, by: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = by.py();
        let by = text_of(by, "by", Code::BadArgument)?;
        let actions = possible(&self.held(), &by);
        json_to_python(py, &actions.map_err(|error| raise(py, &error))?)
    }

    fn __repr__(&self) -> String {
        format!("<toolwire.SessionMachine {}>", self.state())
    }
}

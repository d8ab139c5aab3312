//! `Turn`: one call while a program answers it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyType};
use toolwire::author::{Ask, Failure, Opened, Returned, Turn, open, read_tools};
use toolwire::call::ToolDescription;
use toolwire::{Block, Code, Envelope, Limits};
use toolwire_ffi::answers::check_answers;

use crate::answer::PyAnswer;
use crate::ask::PyAsk;
use crate::build::append_block;
use crate::envelope::PyEnvelope;
use crate::error::raise;
use crate::input::{Keyword, bytes_of, text_of, wrong_type};
use crate::to_json::append;
use crate::to_python::json_to_python;

/// One call while a program answers it: the call, what was emitted and what was asked. It does no
/// input or output; `main` does that around it. Made by `Turn.open`.
///
/// >>> from toolwire._toolwire import Ask, Turn
/// >>> call = '{"tool": {"name": "now", "arguments": {}}, "context": {"action": "run"}}'
/// >>> turn = Turn.open(call, ['now', 'then'])
/// >>> turn.emit('It is')
/// >>> print(turn.finish('text', 'noon.'))
/// {"content":[{"text":"It is","type":"text"},{"text":"noon.","type":"text"}]}
/// >>> turn.ask('utc', Ask('boolean', {'text': 'In UTC?'})) is None, turn.is_pending
/// (True, True)
#[pyclass(frozen, module = "toolwire", name = "Turn")]
pub struct PyTurn {
    // A tool may emit from several threads.
    inner: Mutex<Turn>,
}

impl PyTurn {
    pub fn new(turn: Turn) -> Self {
        PyTurn {
            inner: Mutex::new(turn),
        }
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        // The core leaves a turn whole even where it refuses.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyTurn {
    /// Begin: read the call document, and see whether the program holds the tool. `names` are all its
    /// tools. Where there is nothing to do, what comes back is the finished answer, an envelope with
    /// an error.
    ///
    /// >>> from toolwire._toolwire import Turn
    /// >>> call = '{"tool": {"name": "later"}, "context": {"action": "run"}}'
    /// >>> Turn.open(call, ['now', 'then']).content[0].text
    /// 'there is no tool `later`; there are `now` and `then`'
    #[classmethod]
    #[pyo3(name = "open")]
    fn begin<'py>(
        class: &Bound<'py, PyType>,
        document: &Bound<'py, PyAny>,
        names: Vec<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = class.py();
        let document = bytes_of(document, "document", Code::BadArgument)?;
        opened(py, open(document.as_bytes(), &names))
    }

    /// The tool; None where all are to be described.
    #[getter]
    fn name(&self) -> Option<String> {
        self.turn().call().name.clone()
    }

    /// `'run'`, `'format_arguments'` or `'describe'`.
    #[getter]
    fn action(&self) -> &'static str {
        self.turn().call().action.as_str()
    }

    /// The root of the workspace, an absolute path or a `file:` URI, or None.
    #[getter]
    fn root(&self) -> Option<String> {
        self.turn().call().root.clone()
    }

    /// The arguments, as a dict.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_python(py, self.turn().call().arguments.as_str())
    }

    /// What the host is configured to pass to this tool, as a dict.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_python(py, self.turn().call().options.as_str())
    }

    /// Whether a question waits for its answer: then the run should end, and `finish` gives the
    /// question whatever the tool returned.
    #[getter]
    fn is_pending(&self) -> bool {
        self.turn().is_pending()
    }

    /// Add a block, or a text, to the answer, in front of what the tool returns.
    fn emit(&self, block: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = block.py();
        let mut json = String::new();
        append_block(block, "/block", &mut json)?;
        let block = Block::from_json(&json);
        let emitted = block.and_then(|block| self.turn().emit(block));
        emitted.map_err(|error| raise(py, &error))
    }

    /// What became of a question, whatever its state; None if it has no answer yet. Then it is
    /// pending, and the run should end. The answer is given as it came, unlike by `answers`.
    fn ask(&self, id: &Bound<'_, PyAny>, ask: &Bound<'_, PyAny>) -> PyResult<Option<PyAnswer>> {
        let (id, ask) = (text_of(id, "id", Code::BadArgument)?, ask_of(ask)?);
        let answer = self.turn().ask(&id, ask.get().core());
        let answer = answer.map_err(|error| raise(ask.py(), &error))?;
        Ok(answer.map(|answer| PyAnswer::new(&answer)))
    }

    /// As `ask`, but a page that was opened is asked again.
    fn ask_again(
        &self,
        id: &Bound<'_, PyAny>,
        ask: &Bound<'_, PyAny>,
    ) -> PyResult<Option<PyAnswer>> {
        let (id, ask) = (text_of(id, "id", Code::BadArgument)?, ask_of(ask)?);
        let answer = self.turn().ask_again(&id, ask.get().core());
        let answer = answer.map_err(|error| raise(ask.py(), &error))?;
        Ok(answer.map(|answer| PyAnswer::new(&answer)))
    }

    /// What became of several questions, pairs of an id and an ask; None if the run should end. With
    /// `required` that is so too where one has an answer that was not accepted. An answer that does not
    /// fit is refused with `answer_mismatch`.
    fn answers(
        &self,
        asks: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
        required: bool,
    ) -> PyResult<Option<Vec<PyAnswer>>> {
        let mut all: Vec<(String, &Ask)> = Vec::with_capacity(asks.len());
        for (id, ask) in &asks {
            let id = text_of(id, "id", Code::BadArgument)?;
            all.push((id.into_owned(), ask_of(ask)?.get().core()));
        }
        let answers = self.turn().answers(&all, required);
        let raised = |error| Python::attach(|py| raise(py, &error));
        let answers = answers.map_err(raised)?;
        let all: Vec<(&str, &Ask)> = all.iter().map(|(id, ask)| (id.as_str(), *ask)).collect();
        check_answers(&all, answers.as_deref().unwrap_or_default()).map_err(raised)?;
        Ok(answers.map(|answers| answers.iter().map(PyAnswer::new).collect()))
    }

    /// Ask although there is an answer, one that was not accepted: the tool can't go on without a
    /// value, and the host ends the call.
    fn require(&self, id: &Bound<'_, PyAny>, ask: &Bound<'_, PyAny>) -> PyResult<()> {
        let (id, ask) = (text_of(id, "id", Code::BadArgument)?, ask_of(ask)?);
        let asked = self.turn().require(&id, ask.get().core());
        asked.map_err(|error| raise(ask.py(), &error))
    }

    /// The answer: what was emitted and what the tool returned. `kind` says what that is: `'nothing'`,
    /// `'text'` (a str), `'blocks'` (a list of them and of str), `'envelope'`, `'value'` (structured
    /// content, in which all but an object is wrapped as `result`) or `'wrapped'` (always wrapped).
    ///
    /// >>> from toolwire._toolwire import Turn
    /// >>> call = '{"tool": {"name": "now"}, "context": {"action": "run"}}'
    /// >>> Turn.open(call, ['now']).finish('value', [12, 30]).structured_content
    /// {'result': [12, 30]}
    #[pyo3(signature = (kind, value=None))]
    fn finish<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        value: Keyword<'_, 'py>,
    ) -> PyResult<PyEnvelope> {
        let none = py.None().into_bound(py);
        let value = value.unwrap_or(&none);
        let mut json = String::new();
        match kind {
            "envelope" if value.is_instance_of::<PyEnvelope>() => {
                json = value.cast::<PyEnvelope>()?.get().json().into_owned();
            }
            "blocks" if !value.is_instance_of::<PyDict>() => {
                json.push('[');
                for (index, block) in value.try_iter()?.enumerate() {
                    if index > 0 {
                        json.push(',');
                    }
                    append_block(&block?, &format!("/value/{index}"), &mut json)?;
                }
                json.push(']');
            }
            _ => append(value, "/value", Code::BadArgument, &mut json)?,
        }
        let returned = Returned::from_json(kind, &json);
        let answer = returned.and_then(|returned| self.turn().finish(returned));
        let answer = answer.map_err(|error| raise(py, &error))?;
        Ok(to_python(py, &answer))
    }

    /// The answer to a call that failed: what was emitted, and what went wrong. `failure` is
    /// `{'message', 'trace', 'transient'}`, `{'chain': [{'message', 'names'}], 'transient'}` of errors
    /// with the outermost first, `{'tool', 'mismatches': [{'pointer', 'message'}]}`,
    /// or `{'exited': status}`.
    ///
    /// >>> from toolwire._toolwire import Turn
    /// >>> turn = Turn.open('{"tool": {"name": "now"}, "context": {"action": "run"}}', ['now'])
    /// >>> answer = turn.fail({'chain': [{'message': 'no answer', 'names': ['TimeoutError']}]})
    /// >>> answer.content[0].text, answer.transient
    /// ('no answer', True)
    fn fail(&self, failure: &Bound<'_, PyAny>) -> PyResult<PyEnvelope> {
        let py = failure.py();
        let mut json = String::new();
        append(failure, "", Code::BadArgument, &mut json)?;
        let failure = Failure::from_json(&json).map_err(|error| raise(py, &error))?;
        Ok(to_python(py, &self.turn().fail(failure)))
    }

    /// Refuses a tool, a dict in MCP's shape, whose schemas nothing can be checked with.
    #[staticmethod]
    fn check_tool(tool: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = tool.py();
        let tools = tools_of(PyList::new(py, [tool])?.as_any())?;
        let checked = tools.iter().try_for_each(toolwire_schema::check_tool);
        checked.map_err(|error| raise(py, &error))
    }

    /// The answer to `describe`: all tools, or the one that the call names. Each is a dict in MCP's
    /// shape; schemas are tidied, and members that are None are left out.
    #[pyo3(signature = (tools, problems = BTreeMap::new()))]
    fn describe(
        &self,
        tools: &Bound<'_, PyAny>,
        problems: BTreeMap<String, String>,
    ) -> PyResult<PyEnvelope> {
        let py = tools.py();
        let tools = tools_of(tools)?;
        let answer = self.turn().describe(&tools, &problems);
        let answer = answer.map_err(|error| raise(py, &error))?;
        Ok(to_python(py, &answer))
    }

    fn __repr__(&self) -> String {
        let turn = self.turn();
        let pending = if turn.is_pending() { ", pending" } else { "" };
        let name: String = turn
            .call()
            .name
            .iter()
            .flat_map(|n| n.chars())
            .take(60)
            .collect();
        let space = if name.is_empty() { "" } else { " " };
        let action = turn.call().action.as_str();
        format!("<toolwire.Turn {action}{space}{name}{pending}>")
    }
}

fn to_python(py: Python<'_>, envelope: &Envelope) -> PyEnvelope {
    PyEnvelope::from_document(py, envelope.to_json().as_bytes(), &Limits::WIDEST)
}

/// The tools of a program, as its functions and their hints tell of them.
pub fn tools_of(tools: &Bound<'_, PyAny>) -> PyResult<Vec<ToolDescription>> {
    let mut json = String::new();
    append(tools, "", Code::BadDescription, &mut json)?;
    read_tools(&json).map_err(|error| raise(tools.py(), &error))
}

fn ask_of<'a, 'py>(ask: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyAsk>> {
    ask.cast::<PyAsk>().map_err(|_| {
        let expected = "an Ask";
        wrong_type(ask, "ask", Code::BadArgument, expected, "")
    })
}

/// A turn, or the finished answer, as Python has them.
pub fn opened(py: Python<'_>, opened: Opened) -> PyResult<Bound<'_, PyAny>> {
    Ok(match opened {
        Opened::Turn(turn) => Bound::new(py, PyTurn::new(turn))?.into_any(),
        Opened::Answered(answer) => Bound::new(py, to_python(py, &answer))?.into_any(),
    })
}

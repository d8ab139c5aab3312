//! `Exchange` and `PendingQuestion`: the questions of a call, without input or output.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping};
use toolwire::{Block, Code, Limits};
use toolwire_ffi::exchange::{mismatches_json, question_json};
use toolwire_ffi::readers;
use toolwire_host::{Exchange, ExchangeOptions, PendingQuestion, Step, Who};

use crate::answer::{answer_of, answers_to_python};
use crate::block::{PyBlock, PyQuestion};
use crate::call::PyCall;
use crate::diagnostic::PyDiagnostic;
use crate::document::Document;
use crate::error::{raise, refuse};
use crate::functions::document_in;
use crate::input::{Keyword, document_of, members_of, options_json, text_of};
use crate::parsed::PyParsed;
use crate::to_python::{JsonMember, json_to_python};
use crate::view::View;

/// A pending question, with everything that is needed to answer it. A question that declares a secret is
/// never asked.
///
/// >>> import toolwire
/// >>> exchange = toolwire.wire.Exchange({'tool': {'name': 'rename'}, 'context': {'action': 'run'}})
/// >>> question = toolwire.question('sure', 'Replace it?', {'type': 'boolean'}, default=True)
/// >>> exchange.handle_result(toolwire.envelope(toolwire.text('b exists'), question))
/// >>> asking = exchange.step()
/// >>> asking
/// <toolwire.PendingQuestion 'sure' 'Replace it?'>
/// >>> asking.schema, asking.default, asking.prompt, asking.context[0].text, asking.tool
/// ({'type': 'boolean'}, True, {'kind': 'boolean', 'default': True}, 'b exists', 'rename')
#[pyclass(frozen, module = "toolwire", name = "PendingQuestion")]
pub struct PyPendingQuestion {
    inner: PendingQuestion,
}

impl PyPendingQuestion {
    pub fn new(inner: PendingQuestion) -> Self {
        PyPendingQuestion { inner }
    }

    pub fn core(&self) -> &PendingQuestion {
        &self.inner
    }

    pub fn get_prompt<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (prompt, question) = (&self.inner.prompt, &self.inner.question);
        json_to_python(py, &prompt.to_json(question, self.inner.default.as_ref()))
    }

    pub fn get_question(&self, py: Python<'_>) -> PyResult<PyQuestion> {
        PyQuestion::from_core(py, &self.inner.question)
    }

    pub fn get_context(&self, py: Python<'_>) -> PyResult<Vec<PyBlock>> {
        let blocks = self.inner.context.iter();
        let blocks = blocks.map(|block: &Block| PyBlock::from_json(py, &block.to_json()));
        blocks.collect()
    }

    pub fn get_mismatches<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_python(py, &mismatches_json(&self.inner.mismatches))
    }

    pub fn get_secret<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let secret = self.inner.secret.as_ref();
        secret.map(|secret| secret.to_json()).member_value(py)
    }

    pub fn get_who(&self, _py: Python<'_>) -> PyResult<Option<&'static str>> {
        Ok(self.inner.who.as_ref().and_then(Who::asked))
    }
}

impl View for PyPendingQuestion {
    fn text(&self) -> Cow<'_, str> {
        question_json(&self.inner).into()
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let shown = self.get_question(py)?.shown(py)?;
        Ok(shown.replacen("Question", "PendingQuestion", 1))
    }
}

/// The loop of a call and its questions, without input or output: `step` says what to do next, and the
/// other methods take the results. `run` does all this with a process.
///
/// `call` is a `Call`, a dict or its text. `host` is the name of the host in texts for people. `given`
/// holds answers that are known beforehand, by question id. `unanswered` says what happens to all other
/// questions: `'ask'`, `'defaults'`, `'decline'` or `'fail'`. `refusals` says what people can do if a tool
/// cannot go on without an answer, by question id or `'*'` for all others: dicts with the keywords
/// `service`, `oauth`, `url`, `up_front` and `app_passwords` of `refusal`.
///
/// >>> import toolwire
/// >>> exchange = toolwire.wire.Exchange({'tool': {'name': 'rename'}, 'context': {'action': 'run'}})
/// >>> document = exchange.step()   # the call document, which is what the tool gets
/// >>> exchange.handle_result(toolwire.envelope(toolwire.question('sure', 'Sure?', {'type': 'boolean'})))
/// >>> exchange.step()
/// <toolwire.PendingQuestion 'sure' 'Sure?'>
/// >>> exchange.handle_answer('sure', 'yes')
/// [{'message': 'the value must be true or false, not `"yes"`', 'pointer': ''}]
/// >>> exchange.handle_answer('sure', True)
/// []
/// >>> toolwire.wire.read_call(exchange.step()).answers['sure'].value
/// True
/// >>> exchange.handle_result('Renamed.')
/// >>> exchange.step() is None
/// True
/// >>> exchange.finish()['end']
/// 'answered'
#[pyclass(frozen, module = "toolwire", name = "Exchange")]
pub struct PyExchange {
    inner: Mutex<Option<Held>>,
}

struct Held {
    exchange: Exchange,
    /// What was read last, which is what the result is made of where the tool has answered.
    last: Option<Arc<Document>>,
}

impl PyExchange {
    fn held(&self) -> MutexGuard<'_, Option<Held>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, py: Python<'_>, work: impl FnOnce(&mut Held) -> T) -> PyResult<T> {
        match self.held().as_mut() {
            Some(held) => Ok(work(held)),
            None => Err(finished(py)),
        }
    }
}

fn finished(py: Python<'_>) -> PyErr {
    let message = "the exchange is finished; make another one for another call";
    refuse(py, Code::BadArgument, "", message)
}

/// What the standard text takes from `refusals`, in the JSON spelling.
const ALTERNATIVES: [&str; 5] = ["service", "oauth", "url", "upFront", "appPasswords"];

/// `refusals` with its names in the JSON spelling. What is no dict is left to the core to refuse.
pub fn alternatives<'py>(refusals: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let Ok(entries) = refusals.cast::<PyMapping>() else {
        return Ok(refusals.clone());
    };
    let named = PyDict::new(refusals.py());
    for item in entries.items()? {
        let (id, entry) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let name = text_of(&id, "refusals", Code::BadOption)?;
        let place = toolwire::json::pointer::join("/refusals", &name);
        let ways = match entry.cast::<PyMapping>() {
            Ok(_) => members_of(&entry, "refusals", &ALTERNATIVES, Some(&place))?,
            Err(_) => entry,
        };
        named.set_item(id, ways)?;
    }
    Ok(named.into_any())
}

/// How the questions of a call are answered.
fn exchange_options(
    host: Keyword<'_, '_>,
    max_rounds: Keyword<'_, '_>,
    max_tries: Keyword<'_, '_>,
    given: Keyword<'_, '_>,
    unanswered: Keyword<'_, '_>,
    refusals: Keyword<'_, '_>,
) -> PyResult<ExchangeOptions> {
    let alternatives = refusals.map(alternatives).transpose()?;
    let options = [
        ("host", host),
        ("maxRounds", max_rounds),
        ("maxTries", max_tries),
        ("given", given),
        ("unanswered", unanswered),
        ("refusals", alternatives.as_ref()),
    ];
    let Some(json) = options_json(&options)? else {
        return Ok(ExchangeOptions::default());
    };
    Python::attach(|py| readers::exchange_options(&json).map_err(|error| raise(py, &error)))
}

#[pymethods]
impl PyExchange {
    #[new]
    #[pyo3(signature = (call, *, host=None, max_rounds=None, max_tries=None, given=None,
        unanswered=None, refusals=None))]
    fn make(
        call: &Bound<'_, PyAny>,
        host: Keyword<'_, '_>,
        max_rounds: Keyword<'_, '_>,
        max_tries: Keyword<'_, '_>,
        given: Keyword<'_, '_>,
        unanswered: Keyword<'_, '_>,
        refusals: Keyword<'_, '_>,
    ) -> PyResult<Self> {
        let py = call.py();
        let call = match call.cast::<PyCall>() {
            Ok(call) => call.get().core().clone(),
            Err(_) => {
                let document = document_of(call, "call")?;
                toolwire::call::Call::from_json(document.as_bytes(), &Limits::default())
                    .map_err(|error| raise(py, &error))?
            }
        };
        let options = exchange_options(host, max_rounds, max_tries, given, unanswered, refusals)?;
        Ok(PyExchange {
            inner: Mutex::new(Some(Held {
                exchange: Exchange::new(call, options),
                last: None,
            })),
        })
    }

    /// What to do next: call the tool with this call document (a str), get an answer to this
    /// `PendingQuestion`, or nothing (None), because there is a result.
    fn step<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.with(py, |held| held.exchange.step())? {
            Step::Call(document) => document.into_bound_py_any(py),
            Step::Ask(question) => PyPendingQuestion::new(*question).into_bound_py_any(py),
            Step::Done => Ok(py.None().into_bound(py)),
        }
    }

    /// Take the tool's answer to the call: its output, or the result of reading it.
    fn handle_result(&self, output: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = output.py();
        let document = document_in(output, Limits::default())?;
        let core = document.parsed().clone().into_owned();
        self.with(py, |held| {
            held.exchange.handle_result(core);
            held.last = Some(document);
        })
    }

    /// Take the answer to the pending question: an `Answer`, or a value from the user. If it does not fit, returns
    /// the places, each a dict with `pointer` and `message`, and the question is still pending.
    fn handle_answer<'py>(
        &self,
        id: &Bound<'py, PyAny>,
        answer: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = id.py();
        let id = text_of(id, "id", Code::BadArgument)?;
        let answer = answer_of(answer)?;
        let taken = self.with(py, |held| held.exchange.handle_answer(&id, answer))?;
        json_to_python(py, &mismatches_json(&taken.err().unwrap_or_default()))
    }

    /// Return the result as a dict: `parsed`; `answers`, by question id; `rounds`, the number of calls;
    /// `end`, why the call ended; `diagnostics` about the questions. If there was no result yet, the call is
    /// cancelled, and the result is an error.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Some(Held { exchange, last }) = self.held().take() else {
            return Err(finished(py));
        };
        let exchanged = exchange.finish();
        let answers = answers_to_python(py, &exchanged.answers)?;
        let last = last.filter(|_| exchanged.end == toolwire_host::End::Answered);
        let last = last.as_deref();
        let document = Document::of_exchange(py, exchanged.parsed, last, exchanged.answers);
        let result = PyDict::new(py);
        result.set_item("parsed", Py::new(py, PyParsed::new(document))?)?;
        result.set_item("answers", answers)?;
        result.set_item("rounds", exchanged.rounds)?;
        result.set_item("end", exchanged.end.as_str())?;
        let found = exchanged.diagnostics.into_iter().map(PyDiagnostic::new);
        result.set_item("diagnostics", PyList::new(py, found.collect::<Vec<_>>())?)?;
        Ok(result)
    }
}

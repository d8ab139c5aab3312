//! Questions and answers as the elicitation of MCP.

use pyo3::prelude::*;
use toolwire::call::Answer;
use toolwire::json::{Document, Node};
use toolwire::{Code, Limits};
use toolwire_ffi::elicitation;

use crate::answer::PyAnswer;
use crate::block::PyQuestion;
use crate::envelope::PyEnvelope;
use crate::error::raise;
use crate::exchange::alternatives;
use crate::input::{self, Keyword, document_of, options_json};
use crate::to_python::json_to_python;

/// What became of each member: a JSON Pointer, a fate and a reason.
type Report = Vec<(String, String, String)>;

/// The JSON text of a question, as the core reads it.
fn question_text(question: &Bound<'_, PyAny>) -> PyResult<String> {
    match question.cast::<PyQuestion>() {
        Ok(question) => Ok(question.get().json().to_owned()),
        Err(_) => text_of(question, "question"),
    }
}

/// The JSON text of a document.
fn text_of(document: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    let bytes = document_of(document, name)?;
    crate::call::text_in(document.py(), bytes.as_bytes()).map(std::borrow::Cow::into_owned)
}

/// The JSON text of a list of questions.
fn questions_text(questions: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut texts = Vec::new();
    for question in questions.try_iter()? {
        texts.push(question_text(&question?)?);
    }
    Ok(toolwire::json::array(texts))
}

fn told<T>(py: Python<'_>, result: Result<T, toolwire::Error>) -> PyResult<T> {
    result.map_err(|error| raise(py, &error))
}

/// The entries of a report that the core wrote.
fn report_of(py: Python<'_>, report: &str) -> PyResult<Report> {
    let report = told(py, Document::new(report))?;
    let text = |entry: Node<'_>, name: &str| {
        let text = entry.get(name).and_then(|text| text.as_str());
        text.unwrap_or_default().into_owned()
    };
    let entries = report.root().elements();
    Ok(entries
        .map(|entry| {
            (
                text(entry, "pointer"),
                text(entry, "fate"),
                text(entry, "reason"),
            )
        })
        .collect())
}

/// A question as the `params` of MCP's `elicitation/create` in a revision, and what became of its members:
/// tuples of a JSON Pointer, a fate (`kept`, `approximated` or `dropped`) and a reason. What the client
/// returns is read by `answer_from_elicit_result`.
///
/// `context` holds the texts before the question, by which it may be suspected of asking for a secret. Such a
/// question gets a warning, which names the `client` and says what to do instead (`oauth` and so on, as in
/// `refusal`). A page (`url`) needs an `elicitation_id` in 2025-11-25. Raises `secret_question` if the question
/// declares a secret, and `cannot_elicit` if the revision has no such request.
///
/// >>> import toolwire
/// >>> question = {'id': 'n', 'text': 'How many?', 'schema': {'type': 'integer'}}
/// >>> params, report = toolwire.to_elicitation(question, revision='2025-06-18')
/// >>> params['requestedSchema']
/// {'type': 'object', 'properties': {'answer': {'type': 'integer'}}, 'required': ['answer']}
/// >>> report[-1]
/// ('/text', 'kept', '')
#[pyfunction]
#[pyo3(signature = (question, *, revision, context=None, client=None, elicitation_id=None, tool=None,
    service=None, oauth=None, url=None, up_front=None, app_passwords=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword arguments are how Python names options"
)]
pub fn to_elicitation<'py>(
    question: &Bound<'py, PyAny>,
    revision: &Bound<'py, PyAny>,
    context: Keyword<'_, 'py>,
    client: Keyword<'_, 'py>,
    elicitation_id: Keyword<'_, 'py>,
    tool: Keyword<'_, 'py>,
    service: Keyword<'_, 'py>,
    oauth: Keyword<'_, 'py>,
    url: Keyword<'_, 'py>,
    up_front: Keyword<'_, 'py>,
    app_passwords: Keyword<'_, 'py>,
) -> PyResult<(Bound<'py, PyAny>, Report)> {
    let py = question.py();
    let options = options_json(&[
        ("revision", Some(revision)),
        ("context", context),
        ("client", client),
        ("elicitationId", elicitation_id),
        ("tool", tool),
        ("service", service),
        ("oauth", oauth),
        ("url", url),
        ("upFront", up_front),
        ("appPasswords", app_passwords),
    ])?;
    let request =
        elicitation::to_elicitation(&question_text(question)?, &options.unwrap_or_default());
    let request = told(py, request)?;
    let params = json_to_python(py, &request.json)?;
    Ok((params, report_of(py, &request.report)?))
}

/// The result with which a server of 2026-07-28 asks its client: one request for each question, under its id, and
/// what became of the questions, with pointers that begin with their places. `state` is the `requestState` that the
/// client returns; a server seals it, since a client can send anything. The other options are those of
/// `to_elicitation`, whose errors this raises too, and `bad_argument` if two questions have the same id.
///
/// >>> import toolwire
/// >>> question = {'id': 'ok', 'text': 'Go on?', 'schema': {'type': 'boolean'}}
/// >>> result, report = toolwire.to_input_required([question], state='sealed')
/// >>> result['resultType'], list(result['inputRequests']), report[0]
/// ('input_required', ['ok'], ('/0/id', 'kept', ''))
#[pyfunction]
#[pyo3(signature = (questions, *, state=None, context=None, client=None, tool=None, service=None, oauth=None,
    url=None, up_front=None, app_passwords=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword arguments are how Python names options"
)]
pub fn to_input_required<'py>(
    questions: &Bound<'py, PyAny>,
    state: Keyword<'_, 'py>,
    context: Keyword<'_, 'py>,
    client: Keyword<'_, 'py>,
    tool: Keyword<'_, 'py>,
    service: Keyword<'_, 'py>,
    oauth: Keyword<'_, 'py>,
    url: Keyword<'_, 'py>,
    up_front: Keyword<'_, 'py>,
    app_passwords: Keyword<'_, 'py>,
) -> PyResult<(Bound<'py, PyAny>, Report)> {
    let py = questions.py();
    let options = options_json(&[
        ("state", state),
        ("context", context),
        ("client", client),
        ("tool", tool),
        ("service", service),
        ("oauth", oauth),
        ("url", url),
        ("upFront", up_front),
        ("appPasswords", app_passwords),
    ])?;
    let options = options.unwrap_or_else(|| "{}".to_owned());
    let asks = elicitation::to_input_required(&questions_text(questions)?, &options);
    let asks = told(py, asks)?;
    let result = json_to_python(py, &asks.json)?;
    Ok((result, report_of(py, &asks.report)?))
}

/// The answer to a question that was asked by `to_elicitation`, from what the client returned. The value has
/// the form of the question's schema, but `check_answer` has still to check it. Raises `bad_elicitation` if the
/// result is malformed.
///
/// >>> import toolwire
/// >>> question = {'id': 'n', 'text': 'How many?', 'schema': {'type': 'integer'}}
/// >>> result = {'action': 'accept', 'content': {'answer': 7}}
/// >>> toolwire.answer_from_elicit_result(question, result, revision='2025-06-18').value
/// 7
#[pyfunction]
#[pyo3(signature = (question, result, *, revision))]
pub fn answer_from_elicit_result(
    question: &Bound<'_, PyAny>,
    result: &Bound<'_, PyAny>,
    revision: &Bound<'_, PyAny>,
) -> PyResult<PyAnswer> {
    let py = question.py();
    let options = options_json(&[("revision", Some(revision))])?;
    let answer = elicitation::answer_from_elicit_result(
        &question_text(question)?,
        &text_of(result, "result")?,
        &options.unwrap_or_default(),
    );
    let answer = answer.and_then(|answer| Answer::from_json(&answer));
    Ok(PyAnswer::new(&told(py, answer)?))
}

/// The question that an MCP server asks with these `params` of `elicitation/create`, and what became of their
/// members. Its answer is an object, which `answer_to_elicit_result` hands back. Raises `bad_elicitation` if the
/// params are malformed.
///
/// >>> import toolwire
/// >>> schema = {'type': 'object', 'properties': {'name': {'type': 'string'}}}
/// >>> question, _ = toolwire.from_elicitation({'message': 'Who?', 'requestedSchema': schema}, id='who')
/// >>> question
/// <toolwire.Question 'who' 'Who?'>
#[pyfunction]
#[pyo3(signature = (params, *, id))]
pub fn from_elicitation(
    params: &Bound<'_, PyAny>,
    id: &Bound<'_, PyAny>,
) -> PyResult<(PyQuestion, Report)> {
    let py = params.py();
    let id = input::text_of(id, "id", Code::BadOption)?;
    let params = text_of(params, "params")?;
    let asked = told(py, elicitation::from_elicitation(&params, &id))?;
    let question = PyQuestion::from_json(py, &asked.json)?;
    Ok((question, report_of(py, &asked.report)?))
}

/// What an MCP server is answered to these `params` of `elicitation/create`, as a dict. Fields that were left
/// out get the server's defaults.
///
/// >>> import toolwire
/// >>> schema = {'type': 'object', 'properties': {'name': {'type': 'string'}}}
/// >>> params = {'message': 'Who?', 'requestedSchema': schema}
/// >>> toolwire.answer_to_elicit_result(params, toolwire.Answer({'name': 'Ada'}), revision='2026-07-28')
/// {'action': 'accept', 'content': {'name': 'Ada'}}
#[pyfunction]
#[pyo3(signature = (params, answer, *, revision))]
pub fn answer_to_elicit_result<'py>(
    params: &Bound<'py, PyAny>,
    answer: &Bound<'py, PyAnswer>,
    revision: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = params.py();
    let options = options_json(&[("revision", Some(revision))])?;
    let result = elicitation::answer_to_elicit_result(
        &text_of(params, "params")?,
        &answer.get().to_core().to_json(),
        &options.unwrap_or_default(),
    );
    json_to_python(py, &told(py, result)?)
}

/// The envelope for a client that cannot ask its user these questions, and whether there is another way to
/// each of them. `client` is the name that the client gives itself; `refusals` has the ways by the ids of the
/// questions, as for `run`.
///
/// >>> import toolwire
/// >>> question = {'id': 'branch', 'text': 'Which branch?', 'schema': {'type': 'string'}}
/// >>> ways = {'branch': {'up_front': 'the argument `branch`'}}
/// >>> envelope, has_way = toolwire.without_elicitation([question], client='Ada', refusals=ways)
/// >>> envelope.content[0].text.split(',')[0], has_way
/// ('Ada has no way to ask you for an answer here', True)
#[pyfunction]
#[pyo3(signature = (questions, *, client=None, tool=None, refusals=None))]
pub fn without_elicitation(
    questions: &Bound<'_, PyAny>,
    client: Keyword<'_, '_>,
    tool: Keyword<'_, '_>,
    refusals: Keyword<'_, '_>,
) -> PyResult<(PyEnvelope, bool)> {
    let py = questions.py();
    let refusals = refusals.map(alternatives).transpose()?;
    let options = options_json(&[
        ("client", client),
        ("tool", tool),
        ("refusals", refusals.as_ref()),
    ])?;
    let options = options.unwrap_or_else(|| "{}".to_owned());
    let without = elicitation::without_elicitation(&questions_text(questions)?, &options);
    let (envelope, has_way) = told(py, without)?;
    let envelope = PyEnvelope::from_document(py, envelope.as_bytes(), &Limits::WIDEST);
    Ok((envelope, has_way))
}

/// Whether an MCP client can be asked a question. `elicitation` is the member of that name in the client's
/// capabilities, or None if it has none.
///
/// >>> import toolwire
/// >>> question = {'id': 'ok', 'text': 'Go on?', 'schema': {'type': 'boolean'}}
/// >>> toolwire.can_elicit(question, {}, revision='2026-07-28')
/// True
/// >>> toolwire.can_elicit(question, None, revision='2026-07-28')
/// False
#[pyfunction]
#[pyo3(signature = (question, elicitation=None, *, revision))]
pub fn can_elicit(
    question: &Bound<'_, PyAny>,
    elicitation: Keyword<'_, '_>,
    revision: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let options = options_json(&[("revision", Some(revision)), ("elicitation", elicitation)])?;
    let can = elicitation::can_elicit(&question_text(question)?, &options.unwrap_or_default());
    told(question.py(), can)
}

/// The capabilities that an MCP client needs to be asked these questions, as a dict.
///
/// >>> import toolwire
/// >>> toolwire.required_capabilities([{'id': 'ok', 'text': 'Go on?', 'schema': {'type': 'boolean'}}])
/// {'elicitation': {'form': {}}}
#[pyfunction]
pub fn required_capabilities<'py>(questions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = questions.py();
    let required = elicitation::required_capabilities(&questions_text(questions)?);
    json_to_python(py, &told(py, required)?)
}

//! Questions: how they are asked, what is never asked, what is said instead.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use toolwire::call::{Answer, AnswerSource};
use toolwire::question;
use toolwire::{Code, Limits};
use toolwire_ffi::options;

use crate::answer::PyAnswer;
use crate::block::PyQuestion;
use crate::call::json_of;
use crate::envelope::PyEnvelope;
use crate::error::raise;
use crate::input::{Keyword, document_of, options_json, text_of};
use crate::to_python::json_to_python;

/// The core's question of an argument: a `Question`, a dict, or its JSON text.
pub fn question_of(value: &Bound<'_, PyAny>) -> PyResult<toolwire::block::Question> {
    let py = value.py();
    if let Ok(question) = value.cast::<PyQuestion>() {
        return question::read_question(question.get().json()).map_err(|error| raise(py, &error));
    }
    let json = json_of(py, document_of(value, "question")?.as_bytes())?;
    question::read_question(json.as_str()).map_err(|error| raise(py, &error))
}

/// Read a question, in the form that it has in a block, from a dict or its JSON text. Raises `bad_argument`
/// if it is not a question.
///
/// >>> import toolwire
/// >>> toolwire.read_question({'id': 'sure', 'text': 'Go on?', 'schema': {'type': 'boolean'}})
/// <toolwire.Question 'sure' 'Go on?'>
#[pyfunction]
pub fn read_question(question: &Bound<'_, PyAny>) -> PyResult<PyQuestion> {
    let py = question.py();
    if let Ok(question) = question.cast::<PyQuestion>() {
        return Ok(question.get().again(py));
    }
    let json = json_of(py, document_of(question, "question")?.as_bytes())?;
    question::read_question(json.as_str()).map_err(|error| raise(py, &error))?;
    PyQuestion::from_json(py, json.as_str())
}

/// The first sign that a question asks for a secret, as a dict with its `pointer` into the question, the
/// `reason`, what it is `about` (`'password'` or `'secret'`) and the `tier`; None if it does not ask for a
/// secret. A `'declared'` one is never asked in a form; a `'suspected'` one is asked of a person only.
/// `context` holds the texts before the question; the pointer to the first of them is `/context/0`.
///
/// >>> import toolwire
/// >>> question = {'id': 'q', 'text': 'Your API key?', 'schema': {'type': 'string'}}
/// >>> toolwire.find_secret(question)
/// {'pointer': '/text', 'reason': 'wording', 'about': 'secret', 'tier': 'suspected'}
/// >>> question['text'] = 'Continue'
/// >>> toolwire.find_secret(question, ['Enter your password below.'])['pointer']
/// '/context/0'
#[pyfunction]
#[pyo3(signature = (question, context=Vec::new()))]
pub fn find_secret<'py>(
    question: &Bound<'py, PyAny>,
    context: Vec<String>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let context = context.into_iter().collect();
    match question::find_secret(&question_of(question)?, &context) {
        Some(found) => secret_dict(question.py(), &found).map(Some),
        None => Ok(None),
    }
}

/// A sign of a secret as a dict.
pub fn secret_dict<'py>(py: Python<'py>, found: &question::Secret) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("pointer", &found.pointer)?;
    dict.set_item("reason", found.reason.as_str())?;
    dict.set_item("about", found.about.as_str())?;
    dict.set_item("tier", found.tier.as_str())?;
    Ok(dict)
}

/// How a person is asked, as a dict: `kind` is `'boolean'`, `'select'`, `'multi_select'`, `'text'`,
/// `'number'`, `'form'`, `'editor'` or `'url'`; the other members depend on it. Raises `secret_question` if the question
/// declares a secret.
///
/// >>> import toolwire
/// >>> question = {'id': 'n', 'text': 'How many?', 'schema': {'type': 'integer', 'minimum': 1}, 'default': 2}
/// >>> toolwire.prompt(question)
/// {'kind': 'number', 'integer': True, 'minimum': 1, 'default': 2}
#[pyfunction]
pub fn prompt<'py>(question: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = question.py();
    let question = question_of(question)?;
    let prompt = question::prompt(&question).map_err(|error| raise(py, &error))?;
    json_to_python(py, &prompt.to_json(&question, question.default.as_ref()))
}

/// The text that an editor starts with for a question without a simple prompt: the question in comments,
/// and an answer to fill in.
///
/// >>> import toolwire
/// >>> print(toolwire.template({'id': 'tags', 'text': 'Which tags?', 'schema': {'type': 'array'}}))
/// // Which tags?
/// //
/// // Write your answer as JSON. Lines that start with // are ignored.
/// // Save and close to answer. To cancel, delete everything but comments.
/// []
/// <BLANKLINE>
#[pyfunction]
pub fn template(question: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(question::template(&question_of(question)?))
}

/// The answer in an edited template: accepted, or cancelled if only comments are left. If the text is not
/// strict JSON, raises the code and the offset of the first place that is wrong.
///
/// >>> import toolwire
/// >>> toolwire.read_template('// Which tags?\n["a"]').value
/// ['a']
/// >>> toolwire.read_template('// Which tags?\n').state
/// 'cancelled'
#[pyfunction]
pub fn read_template(text: &Bound<'_, PyAny>) -> PyResult<PyAnswer> {
    let value = question::read_template(&text_of(text, "text", Code::BadArgument)?)
        .map_err(|error| raise(text.py(), &error))?;
    Ok(PyAnswer::new(&match value {
        Some(value) => Answer::accepted(value, AnswerSource::User),
        None => Answer::cancelled(AnswerSource::User),
    }))
}

/// The envelope for a question without an answer: why, what to do instead, and what to be careful about.
///
/// `host` is the name of the host, as people know it; `reason` is `'refused'`, `'unavailable'` or
/// `'cancelled'`; `about` is `'password'`, `'secret'` or `'input'`. `oauth`, `url` and `up_front` say
/// what to do instead, and `app_passwords` where to create app passwords.
///
/// >>> import toolwire
/// >>> answer = toolwire.refusal(host='Ada', tool='login', about='password')
/// >>> answer.is_error, answer.content[0].text.split(',')[0]
/// (True, 'Ada did not ask you for a password')
#[pyfunction]
#[pyo3(signature = (*, host, tool=None, service=None, reason=None, about=None, oauth=None, url=None,
    up_front=None, app_passwords=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword arguments are how Python names options"
)]
pub fn refusal(
    host: &Bound<'_, PyAny>,
    tool: Keyword<'_, '_>,
    service: Keyword<'_, '_>,
    reason: Keyword<'_, '_>,
    about: Keyword<'_, '_>,
    oauth: Keyword<'_, '_>,
    url: Keyword<'_, '_>,
    up_front: Keyword<'_, '_>,
    app_passwords: Keyword<'_, '_>,
) -> PyResult<PyEnvelope> {
    let py = host.py();
    let given = options_json(&[
        ("host", Some(host)),
        ("tool", tool),
        ("service", service),
        ("reason", reason),
        ("about", about),
        ("oauth", oauth),
        ("url", url),
        ("upFront", up_front),
        ("appPasswords", app_passwords),
    ])?;
    let envelope = options::refusal(&given.unwrap_or_default())
        .and_then(|options| question::refusal(&options))
        .map_err(|error| raise(py, &error))?;
    Ok(PyEnvelope::from_document(
        py,
        envelope.to_json().as_bytes(),
        &Limits::WIDEST,
    ))
}

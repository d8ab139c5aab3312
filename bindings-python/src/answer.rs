//! `Answer`: what became of a question.

use std::borrow::Cow;
use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire::{Code, Json};

use crate::error::{raise, refuse};
use crate::input::{Given, Keyword, text_of};
use crate::to_json::append;
use crate::view::{Pickle, View, pickled_text, shorten};

/// The answer to a question: its state, who decided that, and a value if the state is `'accepted'`.
///
/// `Answer(value)` is an accepted answer; `Answer(state='declined')` is one without a value. `source` says
/// who answered: `'user'`, `'assistant'`, `'default'` or `'policy'`.
///
/// >>> import toolwire
/// >>> answer = toolwire.Answer(True)
/// >>> answer.state, answer.source, answer.value, answer.accepted
/// ('accepted', 'user', True, True)
/// >>> toolwire.Answer(state='declined')
/// <toolwire.Answer declined by user>
#[pyclass(frozen, module = "toolwire", name = "Answer")]
pub struct PyAnswer {
    /// One that was read from a call whose host does not say who answered has no source.
    inner: Answer,
}

impl PyAnswer {
    pub fn new(answer: &Answer) -> Self {
        PyAnswer {
            inner: answer.clone(),
        }
    }

    pub fn core(&self) -> &Answer {
        &self.inner
    }

    /// The core's answer. One whose source nobody knows must not count as the user's (CALL-22).
    pub fn to_core(&self) -> Answer {
        let source = self.inner.source().unwrap_or(AnswerSource::Policy);
        let answer = Answer::new(
            self.inner.state(),
            Some(source),
            self.inner.value().cloned(),
        );
        // What was restored from a pickle may not fit; then nobody answered.
        answer.unwrap_or_else(|_| Answer::unavailable(source))
    }

    pub fn make(
        py: Python<'_>,
        value: Given<'_>,
        state: Keyword<'_, '_>,
        source: Keyword<'_, '_>,
    ) -> PyResult<Self> {
        let state = match state {
            Some(state) => Some(word(state, "state", AnswerState::ALL, AnswerState::as_str)?),
            None => None,
        };
        let source = match source {
            Some(source) => word(source, "source", AnswerSource::ALL, AnswerSource::as_str)?,
            None => AnswerSource::User,
        };
        let value = match value {
            Given::Absent => None,
            Given::Value(value) => {
                let mut text = String::new();
                append(&value, "/value", Code::BadArgument, &mut text)?;
                Some(Json::new(text).map_err(|error| raise(py, &error))?)
            }
        };
        let answer = match (value, state) {
            (Some(value), None) => Answer::accepted(value, source),
            (value, Some(state)) if value.is_some() || state != AnswerState::Accepted => {
                Answer::new(state, Some(source), value).map_err(|error| raise(py, &error))?
            }
            _ => {
                let message = "give a value, or a `state` such as `declined`";
                return Err(refuse(py, Code::BadArgument, "/value", message));
            }
        };
        Ok(PyAnswer::new(&answer))
    }
}

impl View for PyAnswer {
    fn text(&self) -> Cow<'_, str> {
        self.inner.to_json().into()
    }

    fn shown(&self, _py: Python<'_>) -> PyResult<String> {
        let source = self.inner.source();
        let source = source.map(|source| format!(" by {}", source.as_str()));
        let value = self.inner.value();
        let value = value.map(|value| format!(": {}", shorten(value.as_str())));
        Ok(format!(
            "<toolwire.Answer {}{}{}>",
            self.inner.state().as_str(),
            source.unwrap_or_default(),
            value.unwrap_or_default()
        ))
    }
}

impl Pickle for PyAnswer {
    fn restore(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let answer = Answer::from_json(&pickled_text(state)?);
        answer
            .map(|inner| PyAnswer { inner })
            .map_err(|error| raise(state.py(), &error))
    }
}

/// What became of each question, by its id.
pub fn answers_to_python<'py>(
    py: Python<'py>,
    answers: &BTreeMap<String, Answer>,
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (id, answer) in answers {
        all.set_item(id, Py::new(py, PyAnswer::new(answer))?)?;
    }
    Ok(all)
}

/// An answer that is handed in; a plain value was accepted by the user.
pub fn answer_of(given: &Bound<'_, PyAny>) -> PyResult<Answer> {
    match given.cast::<PyAnswer>() {
        Ok(answer) => Ok(answer.get().to_core()),
        Err(_) => {
            let value = Given::Value(given.clone());
            Ok(PyAnswer::make(given.py(), value, None, None)?.to_core())
        }
    }
}

/// One of a closed set of words.
fn word<T: Copy>(
    value: &Bound<'_, PyAny>,
    name: &str,
    all: &[T],
    written: fn(T) -> &'static str,
) -> PyResult<T> {
    let given = text_of(value, name, Code::BadArgument)?;
    let found = all.iter().find(|one| written(**one) == given);
    found.copied().ok_or_else(|| {
        let words: Vec<String> = all
            .iter()
            .map(|one| format!("`{}`", written(*one)))
            .collect();
        let message = format!("`{name}` is {}", words.join(" or "));
        refuse(value.py(), Code::BadArgument, &format!("/{name}"), &message)
    })
}

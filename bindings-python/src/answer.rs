//! `Answer`: what became of a question.

use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire::{Code, Json};

use crate::error::{raise, refuse};
use crate::input::{Given, Keyword, text_of};
use crate::to_json::append;
use crate::to_python::json_to_python;

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
#[pyclass(frozen, eq, module = "toolwire", name = "Answer")]
#[derive(Clone, PartialEq, Eq)]
pub struct PyAnswer {
    state: AnswerState,
    /// None for an answer that was read from a call whose host does not say.
    source: Option<AnswerSource>,
    value: Option<Json>,
}

impl PyAnswer {
    pub fn new(answer: &Answer) -> Self {
        PyAnswer {
            state: answer.state(),
            source: answer.source(),
            value: answer.value().cloned(),
        }
    }

    /// The core's answer. One whose source nobody knows must not count as the user's (CALL-22).
    pub fn to_core(&self) -> Answer {
        let source = self.source.unwrap_or(AnswerSource::Policy);
        let answer = Answer::new(self.state, Some(source), self.value.clone());
        // What was restored from a pickle may not fit; then nobody answered.
        answer.unwrap_or_else(|_| Answer::unavailable(source))
    }
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

#[pymethods]
impl PyAnswer {
    #[new]
    #[pyo3(signature = (value=Given::Absent, *, state=None, source=None), text_signature = "(value=..., *, state=None, source=None)")]
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

    /// `'accepted'`, `'opened'`, `'declined'`, `'cancelled'` or `'unavailable'`.
    #[getter]
    fn state(&self) -> &'static str {
        self.state.as_str()
    }

    /// `'user'`, `'assistant'`, `'default'` or `'policy'`; None if it is not known.
    #[getter]
    fn source(&self) -> Option<&'static str> {
        self.source.map(AnswerSource::as_str)
    }

    /// Whether there is a value.
    #[getter]
    fn accepted(&self) -> bool {
        self.value.is_some()
    }

    /// The value; None if it is null or if there is none.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.value {
            Some(value) => json_to_python(py, value.as_str()),
            None => Ok(py.None().into_bound(py)),
        }
    }

    /// The JSON text of the value, unchanged; None if there is none.
    #[getter]
    fn value_json(&self) -> Option<&str> {
        self.value.as_ref().map(Json::as_str)
    }

    fn __repr__(&self) -> String {
        let mut text = format!("<toolwire.Answer {}", self.state.as_str());
        if let Some(source) = self.source {
            text.push_str(&format!(" by {}", source.as_str()));
        }
        if let Some(value) = &self.value {
            let value = value.as_str();
            let end = value
                .char_indices()
                .nth(60)
                .map_or(value.len(), |(at, _)| at);
            let more = if end < value.len() { "…" } else { "" };
            text.push_str(&format!(": {}{more}", &value[..end]));
        }
        text.push('>');
        text
    }

    fn __hash__<'py>(&self, py: Python<'py>) -> PyResult<isize> {
        // Equal values may be written differently.
        let value = self.value.as_ref().map(|value| {
            toolwire::canonicalize(value.as_str().as_bytes(), &toolwire::Limits::WIDEST)
        });
        let value = value.transpose().map_err(|error| raise(py, &error))?;
        (self.state(), self.source(), value)
            .into_pyobject(py)?
            .hash()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let state = (self.state(), self.source(), self.value_json()).into_pyobject(py)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, state))
    }

    #[classmethod]
    fn _restore(
        class: &Bound<'_, PyType>,
        state: &Bound<'_, PyAny>,
        source: Option<Bound<'_, PyAny>>,
        value: Option<&str>,
    ) -> PyResult<Self> {
        let source =
            source.map(|source| word(&source, "source", AnswerSource::ALL, AnswerSource::as_str));
        let value = value.map(Json::new).transpose();
        let state = word(state, "state", AnswerState::ALL, AnswerState::as_str)?;
        let source = source.transpose()?;
        let answer = value.and_then(|value| Answer::new(state, source, value));
        answer
            .map(|answer| PyAnswer::new(&answer))
            .map_err(|error| raise(class.py(), &error))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

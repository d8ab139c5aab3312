//! What became of a question: a state, a source, and a value if it was accepted (CALL-20 to CALL-24).

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::json::{ObjectWriter, Place, serialize_text};
use crate::{Code, Error, Json};

/// Where states and sources travel: beside `answers` in a call, and in the `_meta` of a result.
pub(crate) const KEY: &str = "dev.toolwire/answers";

/// What became of a question.
///
/// ```
/// assert_eq!(toolwire::call::AnswerState::Accepted.as_str(), "accepted");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnswerState {
    /// It was answered.
    Accepted,
    /// A person agreed to open the page of the question. What happened there, only the tool can find out.
    Opened,
    /// Somebody chose not to answer.
    Declined,
    /// Somebody dismissed it without a choice.
    Cancelled,
    /// Nobody could be asked, or it must not be asked.
    Unavailable,
}

closed_words!(AnswerState, "a state of an answer", {
    Accepted => "accepted",
    Opened => "opened",
    Declined => "declined",
    Cancelled => "cancelled",
    Unavailable => "unavailable",
});

/// Who an answer is from.
///
/// ```
/// assert_eq!(toolwire::call::AnswerSource::User.as_str(), "user");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnswerSource {
    /// A person, now.
    User,
    /// A model.
    Assistant,
    /// The question's own `default`.
    Default,
    /// A rule: configuration, a command line, the refusal of secrets.
    Policy,
}

closed_words!(AnswerSource, "a source of an answer", {
    User => "user",
    Assistant => "assistant",
    Default => "default",
    Policy => "policy",
});

/// What became of a question. A value is there exactly if the state is accepted.
///
/// ```
/// use toolwire::call::{Answer, AnswerSource, AnswerState};
///
/// let answer = Answer::cancelled(AnswerSource::User);
/// assert_eq!((answer.state(), answer.value()), (AnswerState::Cancelled, None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    outcome: Outcome,
    source: Option<AnswerSource>,
}

/// A state, with what only this state has.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    Accepted(Json),
    Opened,
    Declined,
    Cancelled,
    Unavailable,
}

impl Outcome {
    fn new(state: AnswerState, value: Option<Json>) -> Option<Self> {
        match (state, value) {
            (AnswerState::Accepted, Some(value)) => Some(Outcome::Accepted(value)),
            (AnswerState::Opened, None) => Some(Outcome::Opened),
            (AnswerState::Declined, None) => Some(Outcome::Declined),
            (AnswerState::Cancelled, None) => Some(Outcome::Cancelled),
            (AnswerState::Unavailable, None) => Some(Outcome::Unavailable),
            _ => None,
        }
    }
}

impl Answer {
    /// An accepted value.
    ///
    /// ```
    /// use toolwire::{Json, call::{Answer, AnswerSource}};
    ///
    /// let answer = Answer::accepted(Json::from(true), AnswerSource::User);
    /// assert_eq!(answer.value(), Some(&Json::from(true)));
    /// ```
    #[must_use]
    pub fn accepted(value: Json, source: AnswerSource) -> Self {
        Answer {
            outcome: Outcome::Accepted(value),
            source: Some(source),
        }
    }

    /// A person agreed to open the page of a question that has a `url` (Q-150). Only the source
    /// [`AnswerSource::User`] counts.
    ///
    /// ```
    /// use toolwire::call::{Answer, AnswerSource, AnswerState};
    ///
    /// let answer = Answer::opened(AnswerSource::User);
    /// assert_eq!((answer.state(), answer.value()), (AnswerState::Opened, None));
    /// ```
    #[must_use]
    pub fn opened(source: AnswerSource) -> Self {
        Answer {
            outcome: Outcome::Opened,
            source: Some(source),
        }
    }

    /// Somebody chose not to answer.
    ///
    /// ```
    /// use toolwire::call::{Answer, AnswerSource, AnswerState};
    ///
    /// assert_eq!(Answer::declined(AnswerSource::User).state(), AnswerState::Declined);
    /// ```
    #[must_use]
    pub fn declined(source: AnswerSource) -> Self {
        Answer {
            outcome: Outcome::Declined,
            source: Some(source),
        }
    }

    /// Somebody dismissed the question without a choice.
    ///
    /// ```
    /// use toolwire::call::{Answer, AnswerSource, AnswerState};
    ///
    /// assert_eq!(Answer::cancelled(AnswerSource::User).state(), AnswerState::Cancelled);
    /// ```
    #[must_use]
    pub fn cancelled(source: AnswerSource) -> Self {
        Answer {
            outcome: Outcome::Cancelled,
            source: Some(source),
        }
    }

    /// Nobody could be asked, or it must not be asked.
    ///
    /// ```
    /// use toolwire::call::{Answer, AnswerSource, AnswerState};
    ///
    /// assert_eq!(Answer::unavailable(AnswerSource::Policy).state(), AnswerState::Unavailable);
    /// ```
    #[must_use]
    pub fn unavailable(source: AnswerSource) -> Self {
        Answer {
            outcome: Outcome::Unavailable,
            source: Some(source),
        }
    }

    /// An answer from its parts, where the state is known at run time only.
    ///
    /// # Errors
    ///
    /// `bad_argument` at `/value` if a value is there though the state is not accepted, or missing
    /// though it is.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Json, call::{Answer, AnswerSource, AnswerState}};
    ///
    /// let source = Some(AnswerSource::User);
    /// let answer = Answer::new(AnswerState::Declined, source, None)?;
    /// assert_eq!(answer, Answer::declined(AnswerSource::User));
    /// assert!(Answer::new(AnswerState::Accepted, source, None).is_err());
    /// assert!(Answer::new(AnswerState::Declined, source, Some(Json::from(true))).is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn new(
        state: AnswerState,
        source: Option<AnswerSource>,
        value: Option<Json>,
    ) -> Result<Self, Error> {
        let message = match value {
            Some(_) => format!("an answer that is {state} has no value"),
            None => format!("an answer that is {state} must have a value"),
        };
        match Outcome::new(state, value) {
            Some(outcome) => Ok(Answer { outcome, source }),
            None => Err(Error::new(Code::BadArgument, "/value", None, message)),
        }
    }

    /// What became of the question.
    ///
    /// ```
    /// use toolwire::{Json, call::{Answer, AnswerSource, AnswerState}};
    ///
    /// let answer = Answer::accepted(Json::from(true), AnswerSource::User);
    /// assert_eq!(answer.state(), AnswerState::Accepted);
    /// ```
    #[must_use]
    pub fn state(&self) -> AnswerState {
        match self.outcome {
            Outcome::Accepted(_) => AnswerState::Accepted,
            Outcome::Opened => AnswerState::Opened,
            Outcome::Declined => AnswerState::Declined,
            Outcome::Cancelled => AnswerState::Cancelled,
            Outcome::Unavailable => AnswerState::Unavailable,
        }
    }

    /// Who answered, where the host says so.
    ///
    /// ```
    /// use toolwire::{Limits, call::Call};
    ///
    /// let text = br#"{"tool":{"name":"t","answers":{"q":1}},"context":{"action":"run"}}"#;
    /// assert_eq!(Call::from_json(text, &Limits::default())?.answers["q"].source(), None);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn source(&self) -> Option<AnswerSource> {
        self.source
    }

    /// Reads `{"state","source","value"}`, as [`Answer::to_json`] writes it.
    ///
    /// # Errors
    ///
    /// `bad_argument` at the first place that is not so: `state` is missing or no state, `source` is no
    /// source, a value is there though the state is not `accepted`, or missing though it is; the code
    /// of the first place where the text is not strict JSON.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Json, call::Answer};
    ///
    /// let answer = Answer::from_json(r#"{"state":"accepted","value":null}"#)?;
    /// assert_eq!(answer.value(), Some(&Json::new("null")?));
    /// assert!(Answer::from_json(r#"{"state":"declined","value":1}"#).is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let document = crate::json::Document::new(text)?;
        Answer::at(Place::new(document.root(), "", Code::BadArgument))
    }

    /// The answer at a place of a document.
    pub(crate) fn at(place: Place<'_>) -> Result<Self, Error> {
        let place = place.object()?;
        let state = place.required("state")?.word()?;
        let source = place.member("source");
        let source = source.map(|source| source.word()).transpose()?;
        let value = match state {
            AnswerState::Accepted => Some(place.required("value")?),
            _ => place.member("value"),
        };
        let json = value.as_ref().map(|value| Json::from(value.node));
        Answer::new(state, source, json).map_err(|error| match value {
            Some(value) => value.refuse(error.message()),
            None => error,
        })
    }

    /// The answer as a JSON object, `{"state","source","value"}`; what is absent is left out.
    ///
    /// ```
    /// use toolwire::{Json, call::{Answer, AnswerSource}};
    ///
    /// let answer = Answer::accepted(Json::from(true), AnswerSource::User);
    /// assert_eq!(answer.to_json(), r#"{"state":"accepted","source":"user","value":true}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::new();
        self.write(&mut out);
        out.end()
    }

    pub(super) fn write(&self, out: &mut ObjectWriter) {
        out.text("state", self.state().as_str());
        out.optional("source", self.source.map(AnswerSource::as_str));
        out.optional_json("value", self.value().map(Json::as_str));
    }

    /// The value, if the question was answered; JSON's `null` is one.
    ///
    /// ```
    /// use toolwire::call::{Answer, AnswerSource};
    ///
    /// assert!(Answer::unavailable(AnswerSource::Policy).value().is_none());
    /// ```
    #[must_use]
    pub fn value(&self) -> Option<&Json> {
        match &self.outcome {
            Outcome::Accepted(value) => Some(value),
            _ => None,
        }
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(self.to_json(), serializer)
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        Answer::from_json(json.as_str()).map_err(de::Error::custom)
    }
}

/// The states and sources as a JSON object; absent where there is nothing to say.
pub(super) fn record(answers: &BTreeMap<String, Answer>) -> Option<String> {
    let mut out = ObjectWriter::new();
    let mut any = false;
    for (id, answer) in answers {
        // An accepted value of unknown source is all told by `answers`.
        if answer.state() == AnswerState::Accepted && answer.source.is_none() {
            continue;
        }
        any = true;
        let mut entry = ObjectWriter::new();
        entry.text("state", answer.state().as_str());
        entry.optional("source", answer.source.map(AnswerSource::as_str));
        out.json(id, entry.end());
    }
    any.then(|| out.end())
}

/// Reads `answers` and what stands beside it, and holds the two against each other (CALL-23).
pub(super) fn read(tool: &Place<'_>) -> Result<BTreeMap<String, Answer>, Error> {
    let mut answers = BTreeMap::new();
    if let Some(values) = tool.member("answers") {
        for (id, value) in values.object()?.members() {
            if id.is_empty() {
                return Err(value.refuse("the id of a question is empty"));
            }
            let answer = Answer {
                outcome: Outcome::Accepted(Json::from(value.node)),
                source: None,
            };
            answers.insert(id.into_owned(), answer);
        }
    }
    if let Some(record) = tool.member(KEY) {
        for (id, entry) in record.object()?.members() {
            let entry = entry.object()?;
            if id.is_empty() {
                return Err(entry.refuse("the id of a question is empty"));
            }
            let state: AnswerState = entry.required("state")?.word()?;
            let source = entry.member("source");
            let source = source.map(|source| source.word()).transpose()?;
            let value = answers
                .remove(id.as_ref())
                .and_then(|answer| answer.value().cloned());
            let has_value = value.is_some();
            let Some(outcome) = Outcome::new(state, value) else {
                return Err(entry.required("state")?.refuse(if has_value {
                    format!("`{id}` has a value in `answers`, so it is not {state}")
                } else {
                    format!("`{id}` is {state}, but has no value in `answers`")
                }));
            };
            let answer = Answer { outcome, source };
            answers.insert(id.into_owned(), answer);
        }
    }
    Ok(answers)
}

//! What became of a question: a state, a source, and a value if it was accepted (CALL-20 to CALL-24).

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::base::json::{ObjectWriter, Place, serialize_text};
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
    /// The question was declined.
    Declined,
    /// It was dismissed without a choice.
    Cancelled,
    /// There was no way to ask, or it must not be asked.
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
    state: AnswerState,
    source: Option<AnswerSource>,
    /// There exactly if the state is accepted.
    value: Option<Json>,
}

impl Answer {
    fn valueless(state: AnswerState, source: AnswerSource) -> Self {
        Answer {
            state,
            source: Some(source),
            value: None,
        }
    }

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
            value: Some(value),
            ..Answer::valueless(AnswerState::Accepted, source)
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
        Answer::valueless(AnswerState::Opened, source)
    }

    /// The question was declined.
    ///
    /// ```
    /// use toolwire::call::{Answer, AnswerSource, AnswerState};
    ///
    /// assert_eq!(Answer::declined(AnswerSource::User).state(), AnswerState::Declined);
    /// ```
    #[must_use]
    pub fn declined(source: AnswerSource) -> Self {
        Answer::valueless(AnswerState::Declined, source)
    }

    /// The question was dismissed without a choice.
    ///
    /// ```
    /// use toolwire::call::{Answer, AnswerSource, AnswerState};
    ///
    /// assert_eq!(Answer::cancelled(AnswerSource::User).state(), AnswerState::Cancelled);
    /// ```
    #[must_use]
    pub fn cancelled(source: AnswerSource) -> Self {
        Answer::valueless(AnswerState::Cancelled, source)
    }

    /// There was no way to ask, or it must not be asked.
    ///
    /// ```
    /// use toolwire::call::{Answer, AnswerSource, AnswerState};
    ///
    /// assert_eq!(Answer::unavailable(AnswerSource::Policy).state(), AnswerState::Unavailable);
    /// ```
    #[must_use]
    pub fn unavailable(source: AnswerSource) -> Self {
        Answer::valueless(AnswerState::Unavailable, source)
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
        if (state == AnswerState::Accepted) == value.is_some() {
            return Ok(Answer {
                state,
                source,
                value,
            });
        }
        let verb = if value.is_some() {
            "has no"
        } else {
            "must have a"
        };
        let message = format!("an answer that is {state} {verb} value");
        Err(Error::new(Code::BadArgument, "/value", None, message))
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
        self.state
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
        let document = crate::base::json::Document::new(text)?;
        Answer::at(Place::new(document.root(), "", Code::BadArgument))
    }

    /// The answer at a place of a document.
    pub(crate) fn at(place: Place<'_>) -> Result<Self, Error> {
        let (state, source) = read_record(&place.clone().object()?)?;
        let value = match state {
            AnswerState::Accepted => Some(place.required("value")?),
            _ => place.given("value"),
        };
        let json = value.as_ref().map(|value| Json::from(value.node));
        Answer::new(state, source, json)
            .map_err(|error| value.unwrap_or(place).refuse(error.message()))
    }

    /// The same answer from another source.
    pub(crate) fn by(self, source: AnswerSource) -> Self {
        let source = Some(source);
        Answer { source, ..self }
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
        self.record()
            .optional_json("value", self.value.as_ref().map(Json::as_str))
            .end()
    }

    /// The members of its record.
    fn record(&self) -> ObjectWriter {
        let mut out = ObjectWriter::new();
        out.text("state", self.state.as_str())
            .optional("source", self.source.map(AnswerSource::as_str));
        out
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
        self.value.as_ref()
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

/// The states and sources as a JSON object; `None` if there is nothing to record. An accepted value of
/// unknown source is complete in `answers` (CALL-25).
pub(super) fn record(answers: &BTreeMap<String, Answer>) -> Option<String> {
    let unsaid = |answer: &Answer| answer.value.is_none() || answer.source.is_some();
    let mut out = ObjectWriter::new();
    for (id, answer) in answers.iter().filter(|(_, answer)| unsaid(answer)) {
        out.json(id, answer.record().end());
    }
    answers.values().any(unsaid).then(|| out.end())
}

fn read_record(place: &Place<'_>) -> Result<(AnswerState, Option<AnswerSource>), Error> {
    let source = |source: Place<'_>| source.word();
    Ok((
        place.required("state")?.word()?,
        place.optional("source", source)?,
    ))
}

/// Reads `answers` and the record beside it, which must not contradict each other (CALL-23).
pub(super) fn read(tool: &Place<'_>) -> Result<BTreeMap<String, Answer>, Error> {
    let mut answers = BTreeMap::new();
    for (id, value) in by_question(tool, "answers")? {
        let value = Some(Json::from(value.node));
        answers.insert(id, Answer::new(AnswerState::Accepted, None, value)?);
    }
    for (id, record) in by_question(tool, KEY)? {
        let (state, source) = read_record(&record.clone().object()?)?;
        let value = answers.remove(&id).and_then(|answer| answer.value);
        let answer = Answer::new(state, source, value).map_err(|error| {
            let state = record.member("state").unwrap_or(record);
            state.refuse(format!("`{id}`: {error} in `answers`"))
        })?;
        answers.insert(id, answer);
    }
    Ok(answers)
}

/// The members of an object of the tool, by the ids of questions.
fn by_question<'a>(tool: &Place<'a>, name: &str) -> Result<Vec<(String, Place<'a>)>, Error> {
    let Some(object) = tool.optional(name, Place::object)? else {
        return Ok(Vec::new());
    };
    let entry = |(id, place): (Cow<'_, str>, Place<'a>)| match id.is_empty() {
        true => Err(place.refuse("the id of a question is empty")),
        false => Ok((id.into_owned(), place)),
    };
    object.members().map(entry).collect()
}

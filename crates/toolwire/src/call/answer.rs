//! What became of a question: a state, a source, and a value if it was accepted (CALL-20 to CALL-24).

use std::collections::BTreeMap;

use crate::json::strict::{Place, Writer};
use crate::{Code, Error, Json};

/// Where states and sources travel: beside `answers` in a call, and in the `_meta` of a result.
pub(crate) const KEY: &str = "dev.toolwire/answers";

/// What became of a question.
///
/// ```
/// assert_eq!(toolwire::call::AnswerState::Accepted.as_str(), "accepted");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnswerState {
    /// It was answered.
    Accepted,
    /// Somebody chose not to answer.
    Declined,
    /// Somebody dismissed it without a choice.
    Cancelled,
    /// Nobody could be asked, or it must not be asked.
    Unavailable,
}

impl AnswerState {
    /// Every state there is.
    ///
    /// ```
    /// use toolwire::call::AnswerState;
    ///
    /// assert!(AnswerState::ALL.contains(&AnswerState::Declined));
    /// ```
    pub const ALL: [AnswerState; 4] = [
        AnswerState::Accepted,
        AnswerState::Declined,
        AnswerState::Cancelled,
        AnswerState::Unavailable,
    ];

    /// The word that stands in JSON.
    ///
    /// ```
    /// assert_eq!(toolwire::call::AnswerState::Declined.as_str(), "declined");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            AnswerState::Accepted => "accepted",
            AnswerState::Declined => "declined",
            AnswerState::Cancelled => "cancelled",
            AnswerState::Unavailable => "unavailable",
        }
    }
}

/// Who an answer is from.
///
/// ```
/// assert_eq!(toolwire::call::AnswerSource::User.as_str(), "user");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

impl AnswerSource {
    /// Every source there is.
    ///
    /// ```
    /// use toolwire::call::AnswerSource;
    ///
    /// assert!(AnswerSource::ALL.contains(&AnswerSource::Assistant));
    /// ```
    pub const ALL: [AnswerSource; 4] = [
        AnswerSource::User,
        AnswerSource::Assistant,
        AnswerSource::Default,
        AnswerSource::Policy,
    ];

    /// The word that stands in JSON.
    ///
    /// ```
    /// assert_eq!(toolwire::call::AnswerSource::Assistant.as_str(), "assistant");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            AnswerSource::User => "user",
            AnswerSource::Assistant => "assistant",
            AnswerSource::Default => "default",
            AnswerSource::Policy => "policy",
        }
    }
}

/// What became of a question. A value is there exactly if the state is accepted.
///
/// ```
/// use toolwire::call::{Answer, AnswerSource, AnswerState};
///
/// let answer = Answer::without_value(AnswerState::Cancelled, AnswerSource::User);
/// assert_eq!((answer.state(), answer.value()), (AnswerState::Cancelled, None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    state: AnswerState,
    source: Option<AnswerSource>,
    pub(super) value: Option<Json>,
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
            state: AnswerState::Accepted,
            source: Some(source),
            value: Some(value),
        }
    }

    /// A question that got no value. The state accepted, which needs one, becomes unavailable.
    ///
    /// ```
    /// use toolwire::call::{Answer, AnswerSource, AnswerState};
    ///
    /// let answer = Answer::without_value(AnswerState::Declined, AnswerSource::User);
    /// assert_eq!(answer.value(), None);
    /// ```
    #[must_use]
    pub fn without_value(state: AnswerState, source: AnswerSource) -> Self {
        let state = match state {
            AnswerState::Accepted => AnswerState::Unavailable,
            other => other,
        };
        Answer {
            state,
            source: Some(source),
            value: None,
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
        let document = crate::json::read_text(text)?;
        let place = Place::new(document.root(), "", Code::BadArgument).object()?;
        let state = word(
            &place.required("state")?,
            &AnswerState::ALL,
            AnswerState::as_str,
        )?;
        let source = place.member("source");
        let source = source
            .map(|source| word(&source, &AnswerSource::ALL, AnswerSource::as_str))
            .transpose()?;
        let value = match (state, place.member("value")) {
            (AnswerState::Accepted, _) => Some(Json::of(place.required("value")?.node)),
            (_, None) => None,
            (state, Some(value)) => {
                let message = format!("an answer that is {} has no value", state.as_str());
                return Err(value.refuse(message));
            }
        };
        Ok(Answer {
            state,
            source,
            value,
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
        let mut out = Writer::new();
        self.write(&mut out);
        out.end()
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.text("state", self.state.as_str());
        out.optional("source", self.source.map(AnswerSource::as_str));
        if let Some(value) = &self.value {
            out.json("value", value.as_str());
        }
    }

    /// The value, if the question was answered; JSON's `null` is one.
    ///
    /// ```
    /// use toolwire::call::{Answer, AnswerSource, AnswerState};
    ///
    /// let answer = Answer::without_value(AnswerState::Unavailable, AnswerSource::Policy);
    /// assert!(answer.value().is_none());
    /// ```
    #[must_use]
    pub fn value(&self) -> Option<&Json> {
        self.value.as_ref()
    }
}

/// The states and sources as a JSON object; absent where there is nothing to say.
pub(super) fn record(answers: &BTreeMap<String, Answer>) -> Option<String> {
    let mut out = Writer::new();
    let mut any = false;
    for (id, answer) in answers {
        // An accepted value of unknown source is all told by `answers`.
        if answer.state == AnswerState::Accepted && answer.source.is_none() {
            continue;
        }
        any = true;
        let mut entry = Writer::new();
        entry.text("state", answer.state.as_str());
        entry.optional("source", answer.source.map(AnswerSource::as_str));
        out.json(id, &entry.end());
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
                state: AnswerState::Accepted,
                source: None,
                value: Some(Json::of(value.node)),
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
            let state = word(
                &entry.required("state")?,
                &AnswerState::ALL,
                AnswerState::as_str,
            )?;
            let source = entry.member("source");
            let source = source
                .map(|source| word(&source, &AnswerSource::ALL, AnswerSource::as_str))
                .transpose()?;
            let value = answers.remove(id.as_ref()).and_then(|answer| answer.value);
            if value.is_some() != (state == AnswerState::Accepted) {
                let state = state.as_str();
                return Err(entry.required("state")?.refuse(match value {
                    Some(_) => format!("`{id}` has a value in `answers`, so it is not {state}"),
                    None => format!("`{id}` is {state}, but has no value in `answers`"),
                }));
            }
            let answer = Answer {
                state,
                source,
                value,
            };
            answers.insert(id.into_owned(), answer);
        }
    }
    Ok(answers)
}

/// One of a closed set of words.
fn word<T: Copy>(place: &Place<'_>, all: &[T], name: fn(T) -> &'static str) -> Result<T, Error> {
    let given = place.string()?;
    let found = all.iter().find(|one| name(**one) == given);
    found.copied().ok_or_else(|| {
        let words: Vec<String> = all.iter().map(|one| format!("`{}`", name(*one))).collect();
        place.expected(&words.join(" or "))
    })
}

//! What a host answers to a command.

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};
use toolwire::call::SessionAction;
use toolwire::json::{ObjectWriter, array};
use toolwire::session::{Refusal, SessionState};
use toolwire::{Code, Error, Json};

use super::OpenQuestion;
use crate::manifest;
use crate::transport::stopped::text_block;

/// The answer to a command: an envelope, whether the command was carried out or refused.
///
/// ```
/// # use std::sync::Arc;
/// # use toolwire::{Json, call::{AnswerSource, ToolDescription}};
/// use toolwire_host::{FetchOptions, Sessions, SessionsOptions};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// let sessions = Sessions::new(SessionsOptions::default());
/// let fetched = sessions.fetch("staging", AnswerSource::User, &FetchOptions::default()).await;
/// assert_eq!(fetched.refusal.unwrap().code, toolwire::Code::UnknownHandle);
/// assert!(fetched.envelope.contains("there is no handle `staging`"));
/// # });
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fetched {
    /// The handle that was meant.
    pub id: String,
    /// Its state.
    pub state: SessionState,
    /// The JSON text of the envelope: that of SES-50, or an error that says what is possible instead (HOST-10).
    #[serde(serialize_with = "write_envelope", deserialize_with = "read_envelope")]
    pub envelope: String,
    /// Why the command was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// What the tool asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<OpenQuestion>,
    /// Whether the blocks are pieces of what a program prints, which end anywhere.
    pub prints: bool,
}

impl Fetched {
    /// The answer to a command that was carried out, in the state that the handle has now.
    ///
    /// ```
    /// use toolwire::session::SessionState;
    /// use toolwire_host::Fetched;
    ///
    /// let said = Fetched::new("staging", SessionState::Running, r#"{"content":[]}"#.to_owned());
    /// assert!(said.refusal.is_none());
    /// ```
    #[must_use]
    pub fn new(id: &str, state: SessionState, envelope: String) -> Self {
        Fetched {
            id: id.to_owned(),
            state,
            envelope,
            refusal: None,
            asks: None,
            prints: false,
        }
    }

    /// The answer to a command that was refused, in the state that the handle has (HOST-10).
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::session::{Refusal, SessionState};
    /// use toolwire_host::Fetched;
    ///
    /// let refusal = Refusal::new(Code::ActionNotOffered, "nobody may do that now", Vec::new());
    /// let refused = Fetched::refused("staging", SessionState::Running, refusal);
    /// assert!(refused.envelope.contains(r#""text":"nobody may do that now""#));
    /// ```
    #[must_use]
    pub fn refused(id: &str, state: SessionState, refusal: Refusal) -> Self {
        let envelope = refusal_envelope(id, state, &refusal);
        Fetched {
            refusal: Some(refusal),
            ..Fetched::new(id, state, envelope)
        }
    }

    /// What is refused for a mistake in the command itself.
    ///
    /// ```
    /// use toolwire_host::Fetched;
    ///
    /// let error = toolwire::Json::new("{").unwrap_err();
    /// assert_eq!(Fetched::mistaken("staging", &error).refusal.unwrap().code, error.code());
    /// ```
    #[must_use]
    pub fn mistaken(id: &str, error: &Error) -> Self {
        let message = match error.pointer() {
            "" => error.message().to_owned(),
            pointer => format!("at `{pointer}`: {}", error.message()),
        };
        let refusal = Refusal::new(error.code(), message, Vec::new());
        Fetched::refused(id, SessionState::Absent, refusal)
    }

    /// The answer where there is no such handle, but these others.
    ///
    /// ```
    /// let unknown = toolwire_host::Fetched::unknown("staging", &["build".to_owned()]);
    /// assert!(unknown.envelope.contains("there is no handle `staging`; there is `build`"));
    /// ```
    #[must_use]
    pub fn unknown(id: &str, others: &[String]) -> Self {
        let message = unknown(id, others);
        let refusal = Refusal::new(Code::UnknownHandle, message, vec![SessionAction::Spawn]);
        Fetched::refused(id, SessionState::Absent, refusal)
    }
}

/// That there is no such handle, but these others.
pub(crate) fn unknown(id: &str, others: &[String]) -> String {
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    manifest::unknown("handle", id, &others)
}

/// The envelope stands in a message as it is, and not as a text.
fn write_envelope<S: Serializer>(envelope: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let envelope = Json::new(envelope).map_err(ser::Error::custom)?;
    envelope.serialize(serializer)
}

fn read_envelope<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Json::deserialize(deserializer).map(|envelope| envelope.to_string())
}

/// The error envelope for a refusal (HOST-10).
fn refusal_envelope(id: &str, state: SessionState, refusal: &Refusal) -> String {
    let mut text = refusal.message.clone();
    for (pointer, message) in &refusal.mismatches {
        match pointer.as_str() {
            "" => text.push_str(&format!("\n- {message}")),
            _ => text.push_str(&format!("\n- at `{pointer}`: {message}")),
        }
    }
    let words: Vec<&str> = refusal
        .possible
        .iter()
        .map(|action| action.as_str())
        .collect();
    if !words.is_empty() {
        text.push_str(&format!("\npossible now: `{}`", words.join("`, `")));
    }
    let mut session = ObjectWriter::new();
    session.text("id", id).json("refusal", refusal.to_json());
    let mut meta = ObjectWriter::new();
    meta.optional(
        "computer.jp/status",
        state.status().map(|status| status.as_str()),
    );
    meta.json("dev.toolwire/session", session.end());
    ObjectWriter::new()
        .json("content", array([text_block(&text)]))
        .json("_meta", meta.end())
        .flag("isError", true)
        .end()
}

/// An error envelope that says one thing.
pub(super) fn error_envelope(text: &str) -> String {
    ObjectWriter::new()
        .json("content", array([text_block(text)]))
        .flag("isError", true)
        .end()
}

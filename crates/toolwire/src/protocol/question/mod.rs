//! Questions: how they are presented, which are never asked, and what is said instead (Q rules).

mod fold;
mod freedom;
mod from_schema;
mod phrases;
mod prompt;
mod reference;
pub(crate) mod refusal;
mod secret;
mod secret_table;
mod template;
mod wording;

pub use from_schema::{MAX_FIELDS, prompt};
pub use prompt::{Choice, FormField, NumberRange, Prompt, PromptKind, TextRange};
pub use refusal::{RefusalAbout, RefusalOptions, RefusalReason, refusal, warning};
pub use secret::{Secret, SecretContext, SecretReason, SecretTier, find_secret, shows_secret};
pub use template::{read_template, template};

pub(crate) use from_schema::{choices, refuse_declared, simple_prompt};
pub(crate) use reference::{flat_object, resolve, target};

use crate::base::json::{ObjectWriter, Place};
use crate::block::Question;
use crate::{Code, Error, Json, WebUrl};

/// Reads a question in the form that it has in a `question` block.
///
/// # Errors
///
/// The code of the first place that is not strict JSON, or `bad_argument` at the first place that breaks
/// ENV-10 or ENV-16.
///
/// # Examples
///
/// ```
/// use toolwire::{Code, question::read_question};
///
/// let question = read_question(r#"{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}"#)?;
/// assert_eq!(question.id, "ok");
/// let error = read_question(r#"{"id":"","text":"Go on?","schema":{}}"#).unwrap_err();
/// assert_eq!((error.code(), error.pointer()), (Code::BadArgument, "/id"));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_question(text: &str) -> Result<Question, Error> {
    let document = crate::base::json::Document::new(text)?;
    question_at(Place::new(document.root(), "", Code::BadArgument))
}

/// Writes a question in the form that it has in a `question` block. What is JSON in it stays verbatim, so that
/// the fields of a form keep their order (Q-161).
///
/// # Examples
///
/// ```
/// use toolwire::question::{read_question, write_question};
///
/// let text = r#"{"id":"ok","text":"Go on?","schema":{"type":"boolean"},"default":true}"#;
/// assert_eq!(write_question(&read_question(text)?), text);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn write_question(question: &Question) -> String {
    ObjectWriter::new()
        .text("id", &question.id)
        .text("text", &question.text)
        .json("schema", question.schema.as_str())
        .optional_json("default", question.default.as_ref().map(Json::as_str))
        .optional("url", question.url.as_deref())
        .members(&question.extra)
        .end()
}

/// The question at a place of a document.
pub(crate) fn question_at(place: Place<'_>) -> Result<Question, Error> {
    let place = place.object()?;
    Ok(Question {
        id: place.required("id")?.filled()?,
        text: place.required("text")?.string()?,
        schema: Json::from(place.required("schema")?.object()?.node),
        default: place
            .member("default")
            .map(|default| Json::from(default.node)),
        url: place.optional("url", |url| match url.string()? {
            text if WebUrl::new(&text).is_some() => Ok(text),
            _ => Err(url.expected(WebUrl::EXPECTED)),
        })?,
        extra: place.rest(&["id", "text", "schema", "default", "url"]),
    })
}

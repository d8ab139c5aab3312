//! Asking: how a question is presented, what is never asked, what is said instead (Q rules).

mod fold;
mod freedom;
mod phrases;
mod prompt;
mod refusal;
mod secret;
mod secret_table;
mod template;
mod wording;

pub use prompt::{Choice, NumberRange, Prompt, PromptKind, TextRange, prompt};
pub use refusal::{RefusalAbout, RefusalOptions, RefusalReason, refusal, warning};
pub use secret::{Secret, SecretContext, SecretReason, SecretTier, find_secret};
pub use template::{read_template, template};

use crate::block::Question;
use crate::json::{Node, Place, pointer};
use crate::{Code, Error, Json};

/// Reads a question as it stands in a `question` block.
///
/// # Errors
///
/// The code of the first place where the text is not strict JSON; `bad_argument` where it is not a
/// question as ENV-10 and ENV-16 say.
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
    let document = crate::json::Document::new(text)?;
    let place = Place::new(document.root(), "", Code::BadArgument).object()?;
    Ok(Question {
        id: place.required("id")?.filled()?,
        text: place.required("text")?.string()?,
        schema: Json::from(place.required("schema")?.object()?.node),
        default: place
            .member("default")
            .map(|default| Json::from(default.node)),
        extra: place.rest(&["id", "text", "schema", "default"]),
    })
}

/// What a `$ref` refers to, if that is in the same document.
fn resolve<'a>(root: Node<'a>, reference: &str) -> Option<Node<'a>> {
    let pointer = reference.strip_prefix('#')?;
    if pointer.is_empty() {
        return Some(root);
    }
    let steps = pointer.strip_prefix('/')?.split('/');
    steps.into_iter().try_fold(root, |node, step| {
        let name = pointer::unescape(step);
        let element = || node.elements().nth(name.parse().ok()?);
        node.get(&name).or_else(element)
    })
}

/// The schema that stands behind references at the top of a schema, so far as they can be followed.
pub(crate) fn target<'a>(schema: Node<'a>, root: Node<'a>) -> Node<'a> {
    let mut schema = schema;
    // A chain of references that is longer than this goes round in circles.
    for _ in 0..16 {
        let reference = schema.get("$ref").and_then(|reference| reference.as_str());
        match reference.and_then(|reference| resolve(root, &reference)) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

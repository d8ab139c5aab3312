//! A schema in the part of JSON Schema that providers of models take (Q-70 to Q-78).

mod google;
mod shape;
mod unwrap;
mod work;

use serde::Serialize;

use super::mend::mend_tree;
use super::provider::Provider;
use super::tree::Tree;
use super::{each_inside, wrap_as};
use crate::{Error, Json};
pub(super) use shape::resolve;
pub use shape::value_keywords;
use shape::{is_root, reference};
use work::Work;

/// A schema that providers of models take, and what it says less than the one that it stands for.
///
/// ```
/// use toolwire::Json;
/// use toolwire::schema::{Provider, project};
///
/// let number = project(&Json::new(r#"{"type":"integer","minimum":1}"#)?, Provider::Common);
/// assert!(number.wrapped);
/// assert_eq!(number.losses[0].pointer, "/minimum");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Projection {
    /// The schema, in exact form.
    pub schema: Json,
    /// Whether the value is the member `answer` of what the model gives.
    pub wrapped: bool,
    /// What could not be said, in the order in which it was met.
    pub losses: Vec<Loss>,
    #[serde(skip)]
    original: Json,
}

/// Something that a schema says and its projection does not.
///
/// ```
/// use toolwire::Json;
/// use toolwire::schema::{Provider, project};
///
/// let schema = Json::new(r#"{"not":{"const":1}}"#)?;
/// let loss = &project(&schema, Provider::Common).losses[0];
/// assert_eq!((loss.pointer.as_str(), loss.what.as_str()), ("/not", "not"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// The place in the schema, as a JSON Pointer.
    pub pointer: String,
    /// The keyword; or `any`, a schema that takes anything; `size`, what would make the projection too
    /// large.
    pub what: String,
}

/// The projection of a schema for a provider of models (Q-70, Q-78): the root is wrapped unless it is that of an
/// object.
///
/// ```
/// use toolwire::Json;
/// use toolwire::schema::{Provider, project};
///
/// let schema = Json::new(r#"{"type":"object","properties":{"a":{"const":1}}}"#)?;
/// let object = project(&schema, Provider::Common);
/// assert!(!object.wrapped);
/// assert_eq!(
///     object.schema.as_str(),
///     r#"{"additionalProperties":false,"properties":{"a":{"enum":[1,null],"type":["integer","null"]}},"required":["a"],"type":"object"}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn project(schema: &Json, provider: Provider) -> Projection {
    projection(schema, provider, false)
}

/// The projection of a schema for an answer (Q-70): it is wrapped, whatever it is.
///
/// ```
/// use toolwire::Json;
/// use toolwire::schema::{Provider, project_answer};
///
/// let answer = project_answer(&Json::new(r#"{"type":"boolean"}"#)?, Provider::Common);
/// assert_eq!(
///     answer.schema.as_str(),
///     r#"{"additionalProperties":false,"properties":{"answer":{"type":"boolean"}},"required":["answer"],"type":"object"}"#,
/// );
/// assert_eq!(answer.unwrap_value(&Json::new(r#"{"answer":true}"#)?)?, Json::from(true));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn project_answer(schema: &Json, provider: Provider) -> Projection {
    projection(schema, provider, true)
}

impl Projection {
    /// The value that the schema means, from one that fits the projection: out of its wrapper, and
    /// without the members that are null because they could not be left out (Q-76).
    ///
    /// # Errors
    ///
    /// `bad_argument` at `/answer` if it is wrapped and there is no such member.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire::schema::{Provider, project};
    ///
    /// let schema = Json::new(r#"{"type":"object","properties":{"a":{"type":"string"}}}"#)?;
    /// let given = Json::new(r#"{"a":null}"#)?;
    /// let projection = project(&schema, Provider::Common);
    /// assert_eq!(projection.unwrap_value(&given)?.as_str(), "{}");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn unwrap_value(&self, given: &Json) -> Result<Json, Error> {
        unwrap::value(&self.original, given, self.wrapped)
    }

    /// The projection as a JSON object: `{"schema","wrapped","losses":[{"pointer","what"}]}`.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire::schema::{Provider, project};
    ///
    /// let json = project(&Json::new(r#"{"type":"object"}"#)?, Provider::Common).to_json();
    /// assert!(json.ends_with(r#""wrapped":false,"losses":[]}"#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings and a flag are always written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A value without the members that are null where its schema has no null but lets them be absent (Q-76).
pub(crate) fn without_nulls(schema: &Json, value: &Json) -> Result<Json, Error> {
    unwrap::value(schema, value, false)
}

fn projection(schema: &Json, provider: Provider, always: bool) -> Projection {
    let mut root = Tree::read(schema);
    mend_tree(&mut root);
    let (projected, wrapped, losses) = match provider.is_free() {
        true => free(root, provider, always),
        false => part(&root, provider, always),
    };
    Projection {
        schema: Json::written(projected.to_json()),
        wrapped,
        losses,
        original: schema.clone(),
    }
}

/// For a provider that takes anything but at the root.
fn free(mut root: Tree, provider: Provider, always: bool) -> (Tree, bool, Vec<Loss>) {
    usable(&mut root, provider);
    let mut refused = provider.refused_at_root().iter();
    if always || !is_root(&root, provider) || refused.any(|keyword| root.get(keyword).is_some()) {
        return (wrap_as(root, "answer"), true, Vec::new());
    }
    let bare = root.object_mut().filter(|root| !root.has("properties"));
    if let Some(bare) = bare.filter(|_| provider == Provider::OpenAi) {
        bare.set("properties", Tree::from([]));
    }
    (root, false, Vec::new())
}

/// What is no schema takes anything, and so does an array of OpenAI's unless it says what it takes.
fn usable(schema: &mut Tree, provider: Provider) {
    if schema.object().is_none() && !schema.is("true") && !schema.is("false") {
        *schema = Tree::from([]);
    }
    let Some(members) = schema.object_mut() else {
        return;
    };
    let is_array = members.types().iter().any(|kind| kind == "array");
    if provider == Provider::OpenAi && is_array && !members.has("items") {
        members.set("items", Tree::from([]));
    }
    each_inside(members, &mut |_, _, inside| usable(inside, provider));
}

/// For a provider that takes a part of JSON Schema.
fn part(root: &Tree, provider: Provider, always: bool) -> (Tree, bool, Vec<Loss>) {
    let mut work = Work::new(root, provider);
    let mut projected = work.schema(root, "");
    if let Some(name) = work.named.get("") {
        work.definitions.set(name, projected);
        projected = reference(name);
    }
    let wrapped = always || !is_root(&projected, provider);
    if wrapped {
        projected = wrap_as(projected, "answer");
    }
    if let Some(members) = projected.object_mut() {
        if wrapped {
            members.set("additionalProperties", Tree::flag(false));
        }
        if !work.definitions.all.is_empty() {
            members.set("$defs", Tree::Object(work.definitions));
        }
    }
    if provider == Provider::Google {
        projected = google::lower(projected);
    }
    (projected, wrapped, work.losses)
}

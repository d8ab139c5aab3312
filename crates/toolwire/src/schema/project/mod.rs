//! A schema in the part of JSON Schema that providers of models take (Q-70 to Q-78).

mod google;
mod shape;
mod unwrap;
mod work;

use super::mend::mend_tree;
use super::provider::Provider;
use super::tree::{Members, Tree};
use super::{each_inside, wrap_as};
use crate::json::{Document, ObjectWriter, array};
use crate::{Error, Json};
pub(super) use shape::resolve;
use shape::{closed, is_root, reference};
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    /// The schema, in exact form.
    pub schema: Json,
    /// Whether the value is the member `answer` of what the model gives.
    pub wrapped: bool,
    /// What could not be said, in the order in which it was met.
    pub losses: Vec<Loss>,
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
#[derive(Debug, Clone, PartialEq, Eq)]
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
        let mut out = ObjectWriter::new();
        out.json("schema", self.schema.as_str());
        out.json("wrapped", if self.wrapped { "true" } else { "false" });
        let losses = self.losses.iter().map(|loss| {
            let mut out = ObjectWriter::new();
            out.text("pointer", &loss.pointer);
            out.text("what", &loss.what);
            out.end()
        });
        out.json("losses", array(losses));
        out.end()
    }
}

/// A value without the members that are null where its schema has no null but lets them be absent (Q-76).
pub(crate) fn without_nulls(schema: &Json, value: &Json) -> Result<Json, Error> {
    unwrap::value(schema, value, false)
}

fn projection(schema: &Json, provider: Provider, always: bool) -> Projection {
    let mut root = match Document::new(schema.as_str()) {
        Ok(document) => Tree::of(document.root()),
        Err(_) => Tree::Object(Members::default()),
    };
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
    let refused = ["oneOf", "anyOf", "allOf", "enum", "const", "not"];
    let refused = match provider {
        Provider::OpenAi => &refused[..],
        _ => &refused[..3],
    };
    let plain = is_root(&root, provider)
        && root
            .object()
            .is_some_and(|root| !refused.iter().any(|keyword| root.has(keyword)));
    if always || !plain {
        return (wrap_as(root, "answer"), true, Vec::new());
    }
    let bare = root.object_mut().filter(|root| !root.has("properties"));
    if let Some(bare) = bare.filter(|_| provider == Provider::OpenAi) {
        bare.set("properties", Tree::Object(Members::default()));
    }
    (root, false, Vec::new())
}

/// What is no schema takes anything, and so does an array of OpenAI's unless it says what it takes.
fn usable(schema: &mut Tree, provider: Provider) {
    if schema.object().is_none() && !schema.is("true") && !schema.is("false") {
        *schema = Tree::Object(Members::default());
    }
    let Some(members) = schema.object_mut() else {
        return;
    };
    let array = Tree::text("array");
    let is_array = match members.get("type") {
        Some(Tree::Array(kinds)) => kinds.contains(&array),
        Some(kind) => *kind == array,
        None => false,
    };
    if provider == Provider::OpenAi && is_array && !members.has("items") {
        members.set("items", Tree::Object(Members::default()));
    }
    each_inside(members, &mut |_, _, inside| usable(inside, provider));
}

/// For a provider that takes a part of JSON Schema.
fn part(root: &Tree, provider: Provider, always: bool) -> (Tree, bool, Vec<Loss>) {
    let mut work = Work::new(root, provider);
    let mut projected = work.schema(root, "");
    if let Some(name) = work.named.get("").cloned() {
        work.definitions.set(&name, projected);
        projected = reference(&name);
    }
    let wrapped = always || !is_root(&projected, provider);
    if wrapped {
        let needed = vec!["answer".to_owned()];
        projected = closed(vec![("answer".to_owned(), projected)], needed);
    }
    if let (Some(members), false) = (projected.object_mut(), work.definitions.all.is_empty()) {
        members.set("$defs", Tree::Object(work.definitions));
    }
    if provider == Provider::Google {
        projected = google::lower(projected);
    }
    (projected, wrapped, work.losses)
}

//! A schema in the part of JSON Schema that providers of models take (Q-70 to Q-77).

mod shape;
mod unwrap;
mod work;

use super::tree::{Members, Tree};
use crate::json::{Document, ObjectWriter, array};
use crate::{Error, Json};
use shape::{closed, is_root, reference};
use work::Work;

/// A schema that providers of models take, and what it says less than the one that it stands for.
///
/// ```
/// use toolwire::{Json, schema::project};
///
/// let number = project(&Json::new(r#"{"type":"integer","minimum":1}"#)?);
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
/// use toolwire::{Json, schema::project};
///
/// let loss = &project(&Json::new(r#"{"not":{"const":1}}"#)?).losses[0];
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

/// The projection of a schema (Q-70): the root is wrapped unless it is that of an object.
///
/// ```
/// use toolwire::{Json, schema::project};
///
/// let object = project(&Json::new(r#"{"type":"object","properties":{"a":{"const":1}}}"#)?);
/// assert!(!object.wrapped);
/// assert_eq!(
///     object.schema.as_str(),
///     r#"{"additionalProperties":false,"properties":{"a":{"enum":[1,null],"type":["integer","null"]}},"required":["a"],"type":"object"}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn project(schema: &Json) -> Projection {
    projection(schema, false)
}

/// The projection of a schema for an answer (Q-70): it is wrapped, whatever it is.
///
/// ```
/// use toolwire::{Json, schema::project_answer};
///
/// let answer = project_answer(&Json::new(r#"{"type":"boolean"}"#)?);
/// assert_eq!(
///     answer.schema.as_str(),
///     r#"{"additionalProperties":false,"properties":{"answer":{"type":"boolean"}},"required":["answer"],"type":"object"}"#,
/// );
/// assert_eq!(answer.unwrap_value(&Json::new(r#"{"answer":true}"#)?)?, Json::from(true));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn project_answer(schema: &Json) -> Projection {
    projection(schema, true)
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
    /// use toolwire::{Json, schema::project};
    ///
    /// let schema = Json::new(r#"{"type":"object","properties":{"a":{"type":"string"}}}"#)?;
    /// let given = Json::new(r#"{"a":null}"#)?;
    /// assert_eq!(project(&schema).unwrap_value(&given)?.as_str(), "{}");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn unwrap_value(&self, given: &Json) -> Result<Json, Error> {
        unwrap::value(&self.original, given, self.wrapped)
    }

    /// The projection as a JSON object: `{"schema","wrapped","losses":[{"pointer","what"}]}`.
    ///
    /// ```
    /// use toolwire::{Json, schema::project};
    ///
    /// let json = project(&Json::new(r#"{"type":"object"}"#)?).to_json();
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

fn projection(schema: &Json, always: bool) -> Projection {
    let root = match Document::new(schema.as_str()) {
        Ok(document) => Tree::of(document.root()),
        Err(_) => Tree::Object(Members::default()),
    };
    let mut work = Work::new(&root);
    let mut projected = work.schema(&root, "");
    if let Some(name) = work.named.get("").cloned() {
        work.definitions.set(&name, projected);
        projected = reference(&name);
    }
    let wrapped = always || !is_root(&projected);
    if wrapped {
        projected = closed(vec![("answer".to_owned(), projected)]);
    }
    if let (Some(members), false) = (projected.object_mut(), work.definitions.all.is_empty()) {
        members.set("$defs", Tree::Object(work.definitions));
    }
    Projection {
        schema: Json::written(projected.to_json()),
        wrapped,
        losses: work.losses,
        original: schema.clone(),
    }
}

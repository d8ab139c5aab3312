//! What has changed between two versions of a tool, whether that breaks its callers, and what they have
//! to do (chapter 28).
//!
//! [`diff_tools`] compares tools or lists of tools. [`is_subset`] decides whether each value that one
//! schema allows is allowed by another, and never guesses: it proves it, gives a value that shows the
//! opposite, or says that it does not know.

mod alternatives;
mod close;
mod compare;
mod contain;
mod dialect;
mod engine;
mod examples;
mod expand;
mod graph;
mod holds;
mod names;
mod pair;
mod reference;
mod say;
mod search;
mod tools;
mod value;
mod words;

pub use words::{Change, Containment, Diff, DiffOptions, Verdict, What, Witness};

pub(crate) use tools::words_of;

use pair::{Pair, Side};
use toolwire::{Code, Error, Json};

use crate::fingerprint::normal_schema;
use value::Value;

/// Whether each value that `old` allows is allowed by `new` (DIFF-10 to DIFF-31). Both are JSON Schemas;
/// they are closed first (DIFF-11) unless [`DiffOptions::open`] is set.
///
/// A [`Containment::Witness`] was held against both closed schemas by the validator of
/// `toolwire-schema`.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::diff::{Containment, DiffOptions, is_subset};
///
/// let old = Json::new(r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#)?;
/// let new = Json::new(r#"{"type":"object","properties":{"n":{"type":"number"}}}"#)?;
/// let options = DiffOptions::default();
/// assert_eq!(is_subset(&old, &new, &options), Containment::Contained);
/// assert_eq!(
///     is_subset(&new, &old, &options),
///     Containment::Witness(Json::new(r#"{"n":0.5}"#)?),
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn is_subset(old: &Json, new: &Json, options: &DiffOptions) -> Containment {
    if is_same_schema(old, new) {
        return Containment::Contained;
    }
    let side = |schema| Side {
        schema,
        closed: !options.open,
    };
    match Pair::new(side(old), side(new), options.budget) {
        Ok(mut pair) => pair.answer(),
        Err(reason) => Containment::Unknown(reason),
    }
}

/// What has changed from `old` to `new`: each is a tool as MCP's `tools/list` has it, or a list of tools
/// (an array, or an object with `tools`).
///
/// # Errors
///
/// `bad_argument` if one of them is no tool and no list of tools, or if a name stands in a list twice.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::diff::{DiffOptions, Verdict, What, diff_tools};
///
/// let old = Json::new(r#"{"name":"find","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}}"#)?;
/// let new = Json::new(r#"{"name":"find","inputSchema":{"type":"object","properties":{}}}"#)?;
/// let diff = diff_tools(&old, &new, &DiffOptions::default())?;
/// assert_eq!(diff.verdict, Verdict::Breaking);
/// assert_eq!(diff.changes[0].what, What::ParameterRemoved);
/// assert_eq!(diff.changes[0].place, "/inputSchema/properties/q");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn diff_tools(old: &Json, new: &Json, options: &DiffOptions) -> Result<Diff, Error> {
    tools::diff(old, new, options)
}

/// A schema as verdicts take it: in 2020-12, and closed (DIFF-11, DIFF-12). A witness of a breaking change
/// can be held against it with any validator.
///
/// # Errors
///
/// `bad_schema` if no verdict is given on the schema (DIFF-12 to DIFF-14).
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::diff::closed;
///
/// let schema = Json::new(r#"{"properties":{"a":{"items":[true],"additionalItems":false}},
///     "$schema":"http://json-schema.org/draft-07/schema#"}"#)?;
/// assert_eq!(
///     closed(&schema)?.as_str(),
///     r#"{"properties":{"a":{"items":false,"prefixItems":[true]}},"unevaluatedProperties":false}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn closed(schema: &Json) -> Result<Json, Error> {
    pair::closed(schema).map_err(|reason| Error::new(Code::BadSchema, "", None, reason))
}

/// Whether two schemas have the same normal form (27.3), so that they allow the same.
fn is_same_schema(old: &Json, new: &Json) -> bool {
    let normal = |schema| normal_schema(schema).ok();
    is_same(Some(old), Some(new))
        || normal(old)
            .is_some_and(|old| normal(new).is_some_and(|new| old.as_str() == new.as_str()))
}

/// Whether two values are the same, digit by digit.
fn is_same(old: Option<&Json>, new: Option<&Json>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) if old.as_str() != new.as_str() => {
            let read = |json| Value::read(json).ok();
            read(old).is_some_and(|old| read(new) == Some(old))
        }
        (old, new) => old.is_some() == new.is_some(),
    }
}

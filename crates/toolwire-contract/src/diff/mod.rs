//! What has changed between two versions of a tool, whether that breaks its callers, and what they have
//! to do (chapter 28).
//!
//! [`diff_tools`] compares tools or lists of tools. It never guesses whether a change breaks callers: it proves that it
//! does not, shows a value that does, or says that it does not know.

mod annotations;
mod branch;
mod changes;
mod close;
mod contain;
mod dialect;
mod keywords;
mod lower;
mod members;
mod pair;
mod say;
mod tools;
mod types;
mod value;
mod verdicts;
mod witness;

pub use types::{Change, Diff, DiffOptions, Verdict, What, Witness};

pub(crate) use tools::words_of;

use toolwire::{Code, Error, Json};

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

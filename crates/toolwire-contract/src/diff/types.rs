//! The words of changes and verdicts (28.1).

use serde::Serialize;
use toolwire::Json;

use crate::json;

/// What a difference means for callers, from harmless to harmful (DIFF-1). The verdict of several changes
/// is the greatest of theirs.
///
/// ```
/// use toolwire_contract::diff::Verdict;
///
/// assert!(Verdict::Compatible < Verdict::Unknown && Verdict::Unknown < Verdict::Breaking);
/// assert_eq!(Verdict::Behaviour.to_string(), "behaviour");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Nothing has changed.
    Same,
    /// Proven: what callers send is still allowed, and what comes back is what they knew.
    Compatible,
    /// Words that people and models read have changed.
    Text,
    /// The same call may do something else, as with another default.
    Behaviour,
    /// What the tool says of its own safety has changed.
    Safety,
    /// It could not be decided.
    Unknown,
    /// Shown by a witness: a call that was allowed is not any more, or a result comes that was not allowed.
    Breaking,
}

toolwire::closed_words!(Verdict, "a verdict", {
    Same => "same",
    Compatible => "compatible",
    Text => "text",
    Behaviour => "behaviour",
    Safety => "safety",
    Unknown => "unknown",
    Breaking => "breaking",
});

/// Which of a tool's schemas is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// What callers send has to be allowed still.
    Input,
    /// What comes back has to be what callers knew.
    Output,
}

impl Direction {
    pub(super) fn base(self) -> &'static str {
        match self {
            Direction::Input => "/inputSchema",
            Direction::Output => "/outputSchema",
        }
    }

    /// The one of two things that belongs to the schema that has to allow what the other one allows.
    pub(super) fn sup<T>(self, old: T, new: T) -> T {
        match self {
            Direction::Input => new,
            Direction::Output => old,
        }
    }

    pub(super) fn witness(self, value: Json) -> Witness {
        match self {
            Direction::Input => Witness::Arguments(value),
            Direction::Output => Witness::Result(value),
        }
    }
}

/// What has changed (DIFF-2).
///
/// ```
/// use toolwire_contract::diff::What;
///
/// assert_eq!(What::ParameterRenamed.as_str(), "parameter_renamed");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// There is a new tool.
    ToolAdded,
    /// A tool is gone.
    ToolRemoved,
    /// A tool seems to have another name; a guess.
    ToolRenamed,
    /// An object has a new member: a parameter, or a member of a result.
    ParameterAdded,
    /// A member is gone.
    ParameterRemoved,
    /// A member seems to have another name; a guess.
    ParameterRenamed,
    /// A member has to be there now.
    ParameterRequired,
    /// A member can be left out now.
    ParameterOptional,
    /// Values of other types are allowed.
    Type,
    /// Other values are allowed (`enum`, `const`).
    Values,
    /// The bounds of a number, or what it is a multiple of.
    Bounds,
    /// The length of a string.
    Length,
    /// The number or order of elements, whether they differ, or what an array contains.
    Items,
    /// The number or names of an object's members, or which others it may have.
    Members,
    /// Alternatives and conditions (`anyOf`, `oneOf`, `allOf`, `not`, `if`, `dependentSchemas`, …).
    Alternatives,
    /// `pattern`.
    Pattern,
    /// `format`.
    Format,
    /// `contentEncoding`, `contentMediaType` or `contentSchema`.
    Content,
    /// A keyword that JSON Schema 2020-12 does not have.
    Keyword,
    /// The schema as a whole, where no single place could be told.
    Schema,
    /// Results have a schema now.
    OutputAdded,
    /// Results have no schema any more.
    OutputRemoved,
    /// The value that a parameter has if it is left out.
    Default,
    /// `readOnly` or `writeOnly`.
    Access,
    /// A title, in annotations too.
    Title,
    /// A description.
    Description,
    /// Examples, comments, marks of what is deprecated, icons.
    Remark,
    /// An annotation of the tool, such as `readOnlyHint`.
    Annotation,
    /// How the tool is run: `execution`, actions of a session, tasks.
    Execution,
}

toolwire::closed_words!(What, "a change", {
    ToolAdded => "tool_added",
    ToolRemoved => "tool_removed",
    ToolRenamed => "tool_renamed",
    ParameterAdded => "parameter_added",
    ParameterRemoved => "parameter_removed",
    ParameterRenamed => "parameter_renamed",
    ParameterRequired => "parameter_required",
    ParameterOptional => "parameter_optional",
    Type => "type",
    Values => "values",
    Bounds => "bounds",
    Length => "length",
    Items => "items",
    Members => "members",
    Alternatives => "alternatives",
    Pattern => "pattern",
    Format => "format",
    Content => "content",
    Keyword => "keyword",
    Schema => "schema",
    OutputAdded => "output_added",
    OutputRemoved => "output_removed",
    Default => "default",
    Access => "access",
    Title => "title",
    Description => "description",
    Remark => "remark",
    Annotation => "annotation",
    Execution => "execution",
});

/// What shows that a change is breaking (DIFF-3).
///
/// ```
/// use toolwire_contract::diff::Witness;
///
/// assert_eq!(Witness::Name("find".to_owned()).to_json().as_str(), r#"{"name":"find"}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Witness {
    /// Arguments that the old input schema allows and the new one does not, both closed.
    Arguments(Json),
    /// A result that the new output schema allows and the old one does not, both closed.
    Result(Json),
    /// The name of a tool that is gone.
    Name(String),
}

impl Witness {
    /// The witness as a JSON object with one member: `arguments`, `result` or `name`.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::diff::Witness;
    ///
    /// let witness = Witness::Arguments(Json::empty_object());
    /// assert_eq!(witness.to_json().as_str(), r#"{"arguments":{}}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        json(self)
    }
}

/// One change of a tool.
///
/// [`diff_tools`](super::diff_tools) has an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The tool, by its new name, or its old one if it is gone.
    pub tool: String,
    /// Where: a JSON Pointer into the new tool, or into the old one where it is gone.
    pub place: String,
    /// What has changed.
    pub what: What,
    /// What that means for callers.
    pub verdict: Verdict,
    /// What stood there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Json>,
    /// What stands there now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Json>,
    /// What shows that it is breaking; every breaking change has one, and no other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// Whether this is a guess: a rename.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub guess: bool,
    /// What has changed, in one sentence for people; its wording is not contract.
    pub message: String,
    /// What a caller has to do, in one sentence; empty if nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub advice: String,
}

impl Change {
    /// The change as a JSON object; members that have no value are left out, and so are `guess` if it is
    /// false and `advice` if it is empty.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::diff::{DiffOptions, diff_tools};
    ///
    /// let old = Json::new(r#"[{"name":"find","inputSchema":{"type":"object"}}]"#)?;
    /// let diff = diff_tools(&old, &Json::new("[]")?, &DiffOptions::default())?;
    /// let change = diff.changes[0].to_json();
    /// assert_eq!(change.at("/what").unwrap().as_str(), r#""tool_removed""#);
    /// assert_eq!(change.at("/witness/name").unwrap().as_str(), r#""find""#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        json(self)
    }
}

/// All changes from one version of a tool, or of a list of tools, to another.
///
/// [`diff_tools`](super::diff_tools) has an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// The greatest verdict of the changes; [`Verdict::Same`] if there are none.
    pub verdict: Verdict,
    /// The changes: tool by tool in the order of their names, and in a tool in the order of their places.
    pub changes: Vec<Change>,
}

impl Diff {
    /// The difference as a JSON object, `{"verdict","changes"}`.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::diff::{DiffOptions, diff_tools};
    ///
    /// let tools = Json::new(r#"[{"name":"find","inputSchema":{"type":"object"}}]"#)?;
    /// let diff = diff_tools(&tools, &tools, &DiffOptions::default())?;
    /// assert_eq!(diff.to_json().as_str(), r#"{"verdict":"same","changes":[]}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        json(self)
    }
}

/// How tools are compared.
///
/// ```
/// use toolwire_contract::diff::DiffOptions;
///
/// let options = DiffOptions::default();
/// assert!(!options.open && options.budget == 200_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffOptions {
    /// Whether schemas are taken as they are written, and not closed first (DIFF-11).
    pub open: bool,
    /// The most steps for one pair of schemas; 200,000 by default, which take a fraction of a second. Over
    /// it the verdict is unknown (DIFF-31).
    pub budget: u64,
}

impl Default for DiffOptions {
    fn default() -> Self {
        DiffOptions {
            open: false,
            budget: 200_000,
        }
    }
}

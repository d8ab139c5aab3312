//! Whether a value fits a JSON Schema: offline, in bounded time and memory, with messages for people.
//!
//! [`check_value`] holds any value against any schema, [`check_answer`] an answer against the schema of
//! its question, and [`check_question`] finds what is wrong with a question.
//! The rules are in chapter 11 of the specification (Q-40 to Q-46).

#![forbid(unsafe_code)]

mod budget;
mod check;
mod decimal;
mod format;
mod keywords;
mod marks;
mod meant;
mod pattern;
mod prepared;
mod room;
mod schema;
mod value;
mod words;

pub use budget::{Allowance, Budget};
pub use decimal::Decimal;
pub use prepared::Prepared;

use std::fmt;

use serde_json::Value;
use toolwire::block::Question;
use toolwire::call::ToolDescription;
use toolwire::session::Checker;
use toolwire::{Code, Diagnostic, Error, Json};

use budget::Stop;
use check::Check;
use room::with_room;
use schema::{NoSchema, Schema, bad};

/// What a thread takes, in steps.
const ROOM: u64 = 2_000;
/// Maximum number of mismatches reported for one value.
const MAX_MISMATCHES: usize = 20;

/// A place where a value does not fit its schema.
///
/// ```
/// use toolwire::Json;
/// use toolwire_schema::{CheckError, check_value};
///
/// let schema = Json::new(r#"{"type":"object","required":["to"]}"#)?;
/// let Err(CheckError::Mismatches(found)) = check_value(&schema, &Json::new("{}")?) else { panic!() };
/// assert_eq!((&*found[0].pointer, &*found[0].message), ("/to", "`to` is missing"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mismatch {
    /// The place in the value, as a JSON Pointer; empty for the whole. A member that is missing has
    /// the pointer that it would have.
    pub pointer: String,
    /// What is wrong there, for a person; its wording is not contract.
    pub message: String,
}

impl Mismatch {
    /// The mismatch as a JSON object, `{"pointer","message"}`.
    ///
    /// ```
    /// use toolwire_schema::Mismatch;
    ///
    /// let found = Mismatch { pointer: "/to".into(), message: "`to` is missing".into() };
    /// assert_eq!(found.to_json(), r#"{"message":"`to` is missing","pointer":"/to"}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::json!({"message": self.message, "pointer": self.pointer}).to_string()
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Why a value was not taken.
///
/// ```
/// use toolwire::{Code, Json};
/// use toolwire_schema::{CheckError, check_value};
///
/// let schema = Json::new(r#"{"properties":{"a":{"type":"text"}}}"#)?;
/// let Err(CheckError::BadSchema(error)) = check_value(&schema, &Json::new("1")?) else { panic!() };
/// assert_eq!((error.code(), error.pointer()), (Code::BadSchema, "/properties/a/type"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckError {
    /// Nothing can be checked with this schema: `bad_schema`, with a pointer into it.
    BadSchema(Error),
    /// The check takes more than the budget allows, so that nothing is known of the value:
    /// `over_budget` (Q-42).
    OverBudget(Error),
    /// The value does not fit at these places: at least one, at most 20, in the order of their
    /// pointers.
    Mismatches(Vec<Mismatch>),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::BadSchema(error) | CheckError::OverBudget(error) => error.fmt(f),
            CheckError::Mismatches(found) => {
                let messages: Vec<&str> = found.iter().map(|one| &*one.message).collect();
                f.write_str(&messages.join("; "))
            }
        }
    }
}

impl std::error::Error for CheckError {}

/// Checks a value with a JSON Schema of 2020-12, without looking at anything but the two, within the
/// default [`Budget`].
///
/// # Errors
///
/// [`CheckError::BadSchema`] if the schema is no such schema, refers to something outside of itself,
/// or is over a limit (Q-40, Q-41); [`CheckError::Mismatches`] if the value does not fit;
/// [`CheckError::OverBudget`] if that takes too long to find out (Q-42).
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire_schema::check_value;
///
/// let schema = Json::new(r#"{"type":"object","properties":{"limit":{"maximum":9}}}"#)?;
/// assert!(check_value(&schema, &Json::new(r#"{"limit":3}"#)?).is_ok());
/// let error = check_value(&schema, &Json::new(r#"{"limit":30}"#)?).unwrap_err();
/// assert_eq!(error.to_string(), "`limit` must be at most 9, not `30`");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn check_value(schema: &Json, value: &Json) -> Result<(), CheckError> {
    check_value_within(schema, value, &mut Allowance::default())
}

/// Whether arguments and results of a tool can be checked with its schemas.
///
/// # Errors
///
/// `bad_schema` or `over_budget`, with a pointer into the tool that begins with `/inputSchema` or `/outputSchema`.
///
/// # Examples
///
/// ```
/// use toolwire::{Json, call::ToolDescription};
/// use toolwire_schema::check_tool;
///
/// let schema = Json::new(r#"{"type":"object","properties":{"at":{"type":"text"}}}"#)?;
/// let error = check_tool(&ToolDescription::new("now", schema)).unwrap_err();
/// assert_eq!(error.pointer(), "/inputSchema/properties/at/type");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn check_tool(tool: &ToolDescription) -> Result<(), Error> {
    let schemas = [
        ("/inputSchema", Some(&tool.input_schema)),
        ("/outputSchema", tool.output_schema.as_ref()),
    ];
    for (place, schema) in schemas {
        let judged = schema.map(|schema| judge(schema, None, &mut Allowance::default()));
        if let Some(Err(CheckError::BadSchema(error) | CheckError::OverBudget(error))) = judged {
            let pointer = format!("{place}{}", error.pointer());
            let message = format!("{} (at `{pointer}`)", error.message());
            return Err(Error::new(error.code(), pointer, None, message));
        }
    }
    Ok(())
}

/// As [`check_value`], with a schema of another author, such as that of a tool of any MCP server: an older dialect is
/// read as it is meant, and what libraries write for nothing (`null`, `[]` for an empty map) as nothing.
///
/// # Errors
///
/// As [`check_value`].
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire_schema::check_foreign;
///
/// let schema = Json::new(r#"{"items":[{"type":"string"}],"additionalItems":false,"description":null}"#)?;
/// assert!(check_foreign(&schema, &Json::new(r#"["a"]"#)?).is_ok());
/// assert!(check_foreign(&schema, &Json::new(r#"["a","b"]"#)?).is_err());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn check_foreign(schema: &Json, value: &Json) -> Result<(), CheckError> {
    check_value(&toolwire::schema::mend(schema), value)
}

/// As [`check_value`], within what is left of a budget.
///
/// # Errors
///
/// As [`check_value`].
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire_schema::{Allowance, check_value_within};
///
/// let mut allowance = Allowance::default();
/// let before = allowance.steps();
/// check_value_within(&Json::new("{}")?, &Json::new("1")?, &mut allowance).unwrap();
/// assert!(allowance.steps() < before);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn check_value_within(
    schema: &Json,
    value: &Json,
    allowance: &mut Allowance,
) -> Result<(), CheckError> {
    // What the host has itself takes no bytes of the budget.
    judge(schema, Some((value, false)), allowance)
}

/// Judges a schema and, if there is one, a value, which takes bytes of the budget or does not. The bytes
/// are given back.
fn judge(
    schema: &Json,
    value: Option<(&Json, bool)>,
    allowance: &mut Allowance,
) -> Result<(), CheckError> {
    let judged = match judge_here(schema, value, allowance, false) {
        Err(No::Stop(Stop::NeedsRoom)) => {
            allowance.end();
            let judged = allowance.step(ROOM).map_err(No::from);
            let judge = || judge_here(schema, value, allowance, true);
            judged.and_then(|()| with_room(judge).unwrap_or(Err(No::Stop(Stop::OverBudget))))
        }
        judged => judged,
    };
    allowance.end();
    judged.map_err(|error| match error {
        No::Check(error) => error,
        No::Stop(Stop::OverBudget) => CheckError::OverBudget(allowance.error()),
        No::Stop(Stop::TooDeep | Stop::NeedsRoom) => {
            let message = "the schema takes too long to check this value with".to_owned();
            CheckError::BadSchema(bad("", message))
        }
    })
}

/// Why a judgement is not that all is well.
enum No {
    Check(CheckError),
    Stop(Stop),
}

impl From<Stop> for No {
    fn from(stop: Stop) -> Self {
        No::Stop(stop)
    }
}

impl From<NoSchema> for No {
    fn from(error: NoSchema) -> Self {
        match error {
            NoSchema::Bad(error) => No::Check(CheckError::BadSchema(error)),
            NoSchema::Stop(stop) => No::Stop(stop),
        }
    }
}

fn judge_here(
    schema: &Json,
    value: Option<(&Json, bool)>,
    allowance: &mut Allowance,
    has_room: bool,
) -> Result<(), No> {
    allowance.begin()?;
    let root = schema::read(schema, allowance)?;
    let schema = Schema::compile(&root, allowance, schema::REFERENCES)?;
    let Some((value, takes_bytes)) = value else {
        return Ok(());
    };
    let weight = schema::weight(value.as_str(), allowance)?;
    if takes_bytes {
        allowance.hold(weight)?;
    }
    let too_deep = || {
        CheckError::Mismatches(vec![Mismatch {
            pointer: String::new(),
            message: "the value has too many nested arrays and objects".to_owned(),
        }])
    };
    // What a strict reader took can fail only for its depth.
    let value: Value = value.to_value().map_err(|_| No::Check(too_deep()))?;
    let mut check = Check::new(&schema, allowance, has_room);
    if check.run(&value)? {
        return Ok(());
    }
    let found = check.report(&value)?.into_mismatches(MAX_MISMATCHES);
    Err(No::Check(CheckError::Mismatches(found)))
}

/// Checks a value with the schema of a question, as every answer is before a tool gets it (Q-29),
/// within the default [`Budget`].
///
/// # Errors
///
/// As [`check_value`]; the pointer of a bad schema leads into the question.
///
/// # Examples
///
/// ```
/// use toolwire::{Json, question::read_question};
/// use toolwire_schema::check_answer;
///
/// let question = read_question(r#"{"id":"n","text":"How many?","schema":{"type":"integer"}}"#)?;
/// assert!(check_answer(&question, &Json::new("3")?).is_ok());
/// assert!(check_answer(&question, &Json::new("3.5")?).is_err());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn check_answer(question: &Question, value: &Json) -> Result<(), CheckError> {
    check_answer_within(question, value, &mut Allowance::default())
}

/// As [`check_answer`], within what is left of a budget.
///
/// # Errors
///
/// As [`check_answer`].
///
/// # Examples
///
/// ```
/// use toolwire::{Json, question::read_question};
/// use toolwire_schema::{Allowance, check_answer_within};
///
/// let question = read_question(r#"{"id":"n","text":"How many?","schema":{"type":"integer"}}"#)?;
/// assert!(check_answer_within(&question, &Json::new("3")?, &mut Allowance::default()).is_ok());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn check_answer_within(
    question: &Question,
    value: &Json,
    allowance: &mut Allowance,
) -> Result<(), CheckError> {
    if question.url.is_some() {
        return Err(CheckError::Mismatches(vec![Mismatch {
            pointer: String::new(),
            message: "no value answers this question: its page is opened".to_owned(),
        }]));
    }
    let checked = check_value_within(&question.schema, value, allowance);
    checked.map_err(|error| match error {
        CheckError::BadSchema(error) => CheckError::BadSchema(in_question(&error)),
        CheckError::OverBudget(error) => CheckError::OverBudget(in_question(&error)),
        other => other,
    })
}

/// What is wrong with a question: a schema that can't be used, a default that does not fit it (Q-41,
/// Q-45), or a schema or default that can't be judged within the default [`Budget`] (Q-42). Empty if
/// all is well.
///
/// # Examples
///
/// ```
/// use toolwire::{Code, question::read_question};
/// use toolwire_schema::check_question;
///
/// let text = r#"{"id":"n","text":"How many?","schema":{"type":"integer"},"default":"one"}"#;
/// let found = check_question(&read_question(text)?);
/// assert_eq!((found[0].code, &*found[0].pointer), (Code::DefaultMismatch, "/default"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn check_question(question: &Question) -> Vec<Diagnostic> {
    check_question_within(question, &mut Allowance::default())
}

/// As [`check_question`], within what is left of a budget.
///
/// ```
/// use toolwire::{Code, question::read_question};
/// use toolwire_schema::{Allowance, Budget, check_question_within};
///
/// let question = read_question(r#"{"id":"n","text":"How many?","schema":{"type":"integer"}}"#)?;
/// let mut allowance = Allowance::new(Budget { steps: 1, ..Budget::default() });
/// let found = check_question_within(&question, &mut allowance);
/// assert_eq!((found[0].code, &*found[0].pointer), (Code::OverBudget, "/schema"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn check_question_within(question: &Question, allowance: &mut Allowance) -> Vec<Diagnostic> {
    if question.url.is_some() {
        // No value answers it, so neither does a default (Q-154).
        return match question.default {
            Some(_) => bad_default(question, "it asks to open a page"),
            None => Vec::new(),
        };
    }
    let default = question.default.as_ref().map(|default| (default, true));
    match judge(&question.schema, default, allowance) {
        Ok(()) => Vec::new(),
        Err(CheckError::BadSchema(error)) => in_question(&error).diagnostics().to_vec(),
        Err(CheckError::OverBudget(error)) => {
            let message = format!("`{}` can't be judged: {}", question.id, error.message());
            let error = Error::new(error.code(), "/schema", None, message);
            error.diagnostics().to_vec()
        }
        Err(why) => bad_default(question, &why.to_string()),
    }
}

fn bad_default(question: &Question, why: &str) -> Vec<Diagnostic> {
    let message = format!("the default of `{}` does not fit: {why}", question.id);
    let error = Error::new(Code::DefaultMismatch, "/default", None, message);
    error.diagnostics().to_vec()
}

/// An error of a schema as one of the question that has it.
fn in_question(error: &Error) -> Error {
    let pointer = format!("/schema{}", error.pointer());
    Error::new(error.code(), pointer, None, error.message())
}

#[cfg(test)]
mod tests;

/// The checker of a session's questions and answers (SES-26).
///
/// ```
/// use toolwire::{Json, question::read_question, session::Checker};
/// use toolwire_schema::AnswerChecker;
///
/// let question = read_question(r#"{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}"#)?;
/// assert_eq!(AnswerChecker.answer(&question, &Json::from(true)), Ok(()));
/// assert_eq!(AnswerChecker.answer(&question, &Json::from("y")).unwrap_err()[0].0, "");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct AnswerChecker;

impl Checker for AnswerChecker {
    fn question(&self, question: &Question) -> Result<(), Error> {
        match check_answer(question, &Json::from(false)) {
            Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => Err(error),
            _ => Ok(()),
        }
    }

    fn answer(&self, question: &Question, value: &Json) -> Result<(), Vec<(String, String)>> {
        check_answer(question, value).map_err(|error| match error {
            CheckError::Mismatches(found) => found
                .into_iter()
                .map(|one| (one.pointer, one.message))
                .collect(),
            CheckError::BadSchema(error) | CheckError::OverBudget(error) => {
                vec![(String::new(), error.message().to_owned())]
            }
        })
    }
}

/// The examples of the crate's page are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

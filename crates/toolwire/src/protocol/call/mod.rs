//! Calls: the document that tells a tool what to do (CALL rules).

mod answer;
pub(crate) mod arguments;
mod describe;
mod marker;
mod provenance;
mod read;

pub use answer::{Answer, AnswerSource, AnswerState};
pub use describe::{
    ACTIONS_KEY, PROBLEMS_KEY, SessionAction, ToolAnnotations, ToolDescription, WARM_KEY, describe,
    describe_with, read_description, read_listed,
};
pub(crate) use describe::{TOOL_MEMBERS, are_actions, is_annotation};
pub use marker::{BINARY_MARKER, Marker, find_marker};

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::base::canonical::exact_text;
use crate::base::json::{Node, ObjectWriter, Place, serialize_text};
use crate::{Code, Error, Json, Limits};

/// What a tool is to do (CALL-5).
///
/// ```
/// assert_eq!(toolwire::call::Action::Run.as_str(), "run");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// Its job.
    Run,
    /// Say in an envelope what the arguments mean, for a person, without doing the job.
    FormatArguments,
    /// Say what tools the program holds.
    Describe,
}

closed_words!(Action, "an action", {
    Run => "run",
    FormatArguments => "format_arguments",
    Describe => "describe",
});

/// A call of a tool: what the host writes to its stdin, or puts into the `_meta` of an MCP request.
///
/// # Examples
///
/// ```
/// use toolwire::{Json, Limits};
/// use toolwire::call::{Action, Answer, AnswerSource, Call};
///
/// let mut call = Call::new("rename", Json::new(r#"{"path":"a","to":"b"}"#)?);
/// call.root = Some("/project".into());
/// call.answers.insert("confirm".into(), Answer::accepted(Json::from(true), AnswerSource::User));
///
/// let text = call.to_json();
/// assert!(text.contains(r#""answers":{"confirm":true}"#));
/// let read = Call::from_json(text.as_bytes(), &Limits::default())?;
/// assert_eq!(read, call);
/// assert_eq!(read.action, Action::Run);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The tool; a program that is asked to describe itself needs none.
    pub name: Option<String>,
    /// What it is to do.
    pub action: Action,
    /// The arguments, an object.
    pub arguments: Json,
    /// What became of the questions so far, by their ids.
    pub answers: BTreeMap<String, Answer>,
    /// What the host is configured to pass to this tool, an object.
    pub options: Json,
    /// The root of the workspace.
    pub root: Option<String>,
    /// Members that are not known here, at the three places where they may stand.
    pub extra: Extra,
}

/// Members of a call that have no meaning yet; they are kept (CALL-4).
///
/// ```
/// use toolwire::{Limits, call::Call};
///
/// let text = br#"{"tool":{"name":"now"},"context":{"action":"run","locale":"de"}}"#;
/// let call = Call::from_json(text, &Limits::default())?;
/// assert_eq!(call.extra.context["locale"].as_str(), "\"de\"");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extra {
    /// Beside `tool` and `context`.
    pub document: BTreeMap<String, Json>,
    /// In `tool`.
    pub tool: BTreeMap<String, Json>,
    /// In `context`.
    pub context: BTreeMap<String, Json>,
}

impl Call {
    /// A call that runs a tool for the first time. The arguments are an object.
    ///
    /// ```
    /// use toolwire::{Json, call::Call};
    ///
    /// let call = Call::new("now", Json::new("{}")?);
    /// assert_eq!(
    ///     call.to_json(),
    ///     r#"{"context":{"action":"run"},"tool":{"answers":{},"arguments":{},"name":"now","options":{}}}"#,
    /// );
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn new(name: &str, arguments: Json) -> Self {
        Call {
            name: Some(name.to_owned()),
            action: Action::Run,
            arguments,
            ..Call::describe()
        }
    }

    /// A call that asks a program for its tools.
    ///
    /// ```
    /// use toolwire::call::{Action, Call};
    ///
    /// assert_eq!(Call::describe().action, Action::Describe);
    /// ```
    #[must_use]
    pub fn describe() -> Self {
        Call {
            name: None,
            action: Action::Describe,
            arguments: Json::empty_object(),
            answers: BTreeMap::new(),
            options: Json::empty_object(),
            root: None,
            extra: Extra::default(),
        }
    }

    /// Reads a call document, strictly.
    ///
    /// # Errors
    ///
    /// The code of the first place where the text is not strict JSON or over a limit; `bad_call` at
    /// the first place where it is not a call (CALL-2); `unknown_action` (CALL-5).
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Code, Limits, call::Call};
    ///
    /// let text = br#"{"tool":{"name":"now"},"context":{"action":"Run","root":"/w"}}"#;
    /// let call = Call::from_json(text, &Limits::default())?;
    /// assert_eq!(call.name.as_deref(), Some("now"));
    ///
    /// let error = Call::from_json(br#"{"tool":{}}"#, &Limits::default()).unwrap_err();
    /// assert_eq!((error.code(), error.pointer()), (Code::BadCall, "/context"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(text: &[u8], limits: &Limits) -> Result<Self, Error> {
        read::read(text, limits, read::Carrier::Document)
    }

    /// Reads the call that travels in the `_meta` of an MCP request (CALL-12). Other members of that
    /// object are not the call's.
    ///
    /// # Errors
    ///
    /// As [`Call::from_json`]; the pointers begin with `/computer.jp~1tool` and
    /// `/computer.jp~1context`.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Json, Limits, call::Call};
    ///
    /// let call = Call::new("now", Json::new("{}")?);
    /// let meta = call.to_meta();
    /// assert!(meta.starts_with(r#"{"computer.jp/context":{"action":"run"},"computer.jp/tool":{"#));
    /// assert_eq!(Call::from_meta(meta.as_bytes(), &Limits::default())?, call);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_meta(meta: &[u8], limits: &Limits) -> Result<Self, Error> {
        read::read(meta, limits, read::Carrier::Meta)
    }

    /// The call document at a place of another document.
    pub(crate) fn at(node: Node<'_>, pointer: &str) -> Result<Self, Error> {
        let place = Place::new(node, pointer, Code::BadCall);
        read::call_at(place, read::Carrier::Document)
    }

    /// Checks a call that was filled in by hand, before it is sent.
    ///
    /// # Errors
    ///
    /// What a reader of the document would say: `bad_call` where `arguments` or `options` is no
    /// object, or `name` is missing or empty; `duplicate_name` where an extra member has the name of
    /// one that the call writes itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Json, call::Call};
    ///
    /// assert!(Call::new("now", Json::new("{}")?).check().is_ok());
    /// let error = Call::new("now", Json::new("[1]")?).check().unwrap_err();
    /// assert_eq!(error.pointer(), "/tool/arguments");
    ///
    /// let mut call = Call::new("now", Json::new("{}")?);
    /// call.extra.tool.insert("name".into(), Json::from("later"));
    /// assert!(call.check().is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn check(&self) -> Result<(), Error> {
        Call::from_json(self.to_json().as_bytes(), &Limits::WIDEST).map(drop)
    }

    /// The call document, in exact form (CALL-3): numbers keep all their digits.
    ///
    /// ```
    /// use toolwire::call::Call;
    ///
    /// assert!(Call::describe().to_json().starts_with(r#"{"context":{"action":"describe"},"#));
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::new();
        out.json("tool", self.tool())
            .json("context", self.context())
            .members(&self.extra.document);
        exact_text(out.end())
    }

    /// The two members of an MCP request's `_meta`, as an object in exact form (CALL-12).
    ///
    /// ```
    /// use toolwire::call::Call;
    ///
    /// assert!(Call::describe().to_meta().contains(r#""computer.jp/tool":{"#));
    /// ```
    #[must_use]
    pub fn to_meta(&self) -> String {
        let mut out = ObjectWriter::new();
        out.json(read::TOOL_KEY, self.tool())
            .json(read::CONTEXT_KEY, self.context());
        exact_text(out.end())
    }

    fn tool(&self) -> String {
        let mut accepted = ObjectWriter::new();
        for (id, answer) in &self.answers {
            accepted.optional_json(id, answer.value().map(Json::as_str));
        }
        ObjectWriter::new()
            .optional("name", self.name.as_deref())
            .json("arguments", self.arguments.as_str())
            .json("answers", accepted.end())
            .json("options", self.options.as_str())
            .optional_json(answer::KEY, answer::record(&self.answers))
            .members(&self.extra.tool)
            .end()
    }

    fn context(&self) -> String {
        ObjectWriter::new()
            .text("action", self.action.as_str())
            .optional("root", self.root.as_deref())
            .members(&self.extra.context)
            .end()
    }
}

impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(self.to_json(), serializer)
    }
}

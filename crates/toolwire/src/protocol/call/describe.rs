//! What tools a program holds: the answer to `describe` (CALL-30 to CALL-36).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use crate::base::canonical::exact_text;
use crate::base::json::{Document, Node, ObjectWriter, Place, array, serialize_text, string};
use crate::protocol::build::{BlockOptions, EnvelopeOptions, envelope, text};
use crate::{Code, Envelope, Error, Json, Limits, Parsed, Verdict, parse};

/// The member that tells a description from other structured content, and the number it holds.
const MARK: &str = "toolwire";
const VERSION: u8 = 1;

/// The member of a tool's `_meta` that says what can be done with it while it keeps running (CALL-31).
///
/// ```
/// assert_eq!(toolwire::call::ACTIONS_KEY, "dev.toolwire/actions");
/// ```
pub const ACTIONS_KEY: &str = "dev.toolwire/actions";

/// The member of a description's `_meta` that says why tools are not among those that it describes, by their names
/// (CALL-36).
///
/// ```
/// assert_eq!(toolwire::call::PROBLEMS_KEY, "dev.toolwire/problems");
/// ```
pub const PROBLEMS_KEY: &str = "dev.toolwire/problems";

/// The member of a tool's `_meta` that says that its program can take many calls in one process (LINE-2).
///
/// ```
/// assert_eq!(toolwire::call::WARM_KEY, "dev.toolwire/warm");
/// ```
pub const WARM_KEY: &str = "dev.toolwire/warm";

/// What a tool that keeps running can be asked to do.
///
/// ```
/// assert_eq!(toolwire::call::SessionAction::Spawn.as_str(), "spawn");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SessionAction {
    /// Begin.
    Spawn,
    /// Say where it stands.
    Fetch,
    /// Take input, or the answer to a question.
    Apply,
    /// End early.
    Abort,
}

closed_words!(SessionAction, "an action of a session", {
    Spawn => "spawn",
    Fetch => "fetch",
    Apply => "apply",
    Abort => "abort",
});

/// Hints for a host, as MCP has them. A host must not trust them further than the tool.
///
/// ```
/// use toolwire::{Json, call::{ToolDescription, ToolAnnotations}};
///
/// let mut tool = ToolDescription::new("now", Json::new(r#"{"type":"object"}"#)?);
/// tool.annotations = Some(ToolAnnotations { read_only: Some(true), ..Default::default() });
/// assert!(tool.to_json().contains(r#""readOnlyHint":true"#));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolAnnotations {
    /// A title for people.
    pub title: Option<String>,
    /// The tool changes nothing.
    pub read_only: Option<bool>,
    /// What it changes may be lost.
    pub destructive: Option<bool>,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// It deals with things outside of a closed world, such as the web.
    pub open_world: Option<bool>,
    /// Unknown members; none has the name of a field.
    pub extra: BTreeMap<String, Json>,
}

/// A tool, in MCP's shape.
///
/// ```
/// use toolwire::{Json, call::ToolDescription};
///
/// let tool = ToolDescription::new("now", Json::new(r#"{"type":"object"}"#)?);
/// assert_eq!(tool.to_json(), r#"{"inputSchema":{"type":"object"},"name":"now"}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolDescription {
    /// Its name: 1 to 128 ASCII letters, digits, `_`, `-` and `.`.
    pub name: String,
    /// A title for people.
    pub title: Option<String>,
    /// What it does, for people and models.
    pub description: Option<String>,
    /// JSON Schema of the arguments, with the type `object`.
    pub input_schema: Json,
    /// JSON Schema of `structuredContent`.
    pub output_schema: Option<Json>,
    /// Hints.
    pub annotations: Option<ToolAnnotations>,
    /// What it can be asked to do while it keeps running; empty for a tool that runs once.
    pub actions: BTreeSet<SessionAction>,
    /// Other members of its `_meta`.
    pub meta: BTreeMap<String, Json>,
    /// Unknown members; none has the name of a field.
    pub extra: BTreeMap<String, Json>,
}

impl ToolDescription {
    /// A tool with nothing but a name and a schema for its arguments.
    ///
    /// ```
    /// use toolwire::{Json, call::ToolDescription};
    ///
    /// assert!(ToolDescription::new("now", Json::new(r#"{"type":"object"}"#)?).actions.is_empty());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn new(name: &str, input_schema: Json) -> Self {
        ToolDescription {
            name: name.to_owned(),
            title: None,
            description: None,
            input_schema,
            output_schema: None,
            annotations: None,
            actions: BTreeSet::new(),
            meta: BTreeMap::new(),
            extra: BTreeMap::new(),
        }
    }

    /// Reads one tool in MCP's shape, strictly, as [`read_description`] does.
    ///
    /// # Errors
    ///
    /// `bad_description` at the first place that is not as CALL-31 says, with a pointer into the tool;
    /// the code of the first place where the text is not strict JSON.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::call::ToolDescription;
    ///
    /// let tool = ToolDescription::from_json(r#"{"name":"now","inputSchema":{"type":"object"}}"#)?;
    /// assert_eq!(tool.name, "now");
    /// let error = ToolDescription::from_json(r#"{"name":"now","inputSchema":{}}"#).unwrap_err();
    /// assert_eq!(error.pointer(), "/inputSchema/type");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let document = Document::new(text)?;
        let place = Place::new(document.root(), "", Code::BadDescription).object()?;
        read_tool(&place)
    }

    /// The tool as an element of MCP's list of tools, in exact form.
    ///
    /// ```
    /// use toolwire::{Json, call::ToolDescription};
    ///
    /// let tool = ToolDescription::new("now", Json::new(r#"{"type":"object"}"#)?);
    /// assert!(tool.to_json().ends_with(r#""name":"now"}"#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::new();
        let output_schema = self.output_schema.as_ref();
        out.text("name", &self.name)
            .optional("title", self.title.as_deref())
            .optional("description", self.description.as_deref())
            .json("inputSchema", self.input_schema.as_str())
            .optional_json("outputSchema", output_schema.map(Json::as_str))
            .optional_json(
                "annotations",
                self.annotations.as_ref().map(ToolAnnotations::to_json),
            );
        if !self.actions.is_empty() || !self.meta.is_empty() {
            let mut meta = ObjectWriter::new();
            if !self.actions.is_empty() {
                let actions = self.actions.iter();
                meta.json(
                    ACTIONS_KEY,
                    array(actions.map(|action| string(action.as_str()))),
                );
            }
            out.json("_meta", meta.members(&self.meta).end());
        }
        exact_text(out.members(&self.extra).end())
    }

    /// Whether its program says that it can take many calls in one process (LINE-2).
    ///
    /// ```
    /// use toolwire::{Json, call::{ToolDescription, WARM_KEY}};
    ///
    /// let mut tool = ToolDescription::new("now", Json::new(r#"{"type":"object"}"#)?);
    /// assert!(!tool.is_warm());
    /// tool.meta.insert(WARM_KEY.into(), Json::from(true));
    /// assert!(tool.is_warm());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn is_warm(&self) -> bool {
        let value = self.meta.get(WARM_KEY);
        value.is_some_and(|value| value.as_str() == "true")
    }
}

impl ToolDescription {
    /// The first line of its description that is not blank; empty without one (CALL-30).
    pub(crate) fn summary(&self) -> &str {
        let about = self.description.as_deref().unwrap_or_default().trim();
        about.lines().next().unwrap_or_default().trim_end()
    }
}

impl Serialize for ToolDescription {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(self.to_json(), serializer)
    }
}

const HINTS: [&str; 4] = [
    "readOnlyHint",
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
];

/// The members that have a field of their own, `_meta` apart.
pub(crate) const TOOL_MEMBERS: [&str; 6] = [
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
];

/// Whether an annotation has a field of its own.
pub(crate) fn is_annotation(name: &str) -> bool {
    name == "title" || HINTS.contains(&name)
}

impl ToolAnnotations {
    pub(crate) fn to_json(&self) -> String {
        let mut out = ObjectWriter::new();
        out.optional("title", self.title.as_deref());
        let hints = [
            self.read_only,
            self.destructive,
            self.idempotent,
            self.open_world,
        ];
        for (name, hint) in HINTS.iter().zip(hints) {
            out.optional_json(name, hint.map(|hint| hint.to_string()));
        }
        out.members(&self.extra).end()
    }

    fn read(place: Place<'_>) -> Result<Self, Error> {
        let place = place.object()?;
        let hint = |name| place.optional(name, |hint| hint.flag());
        let mut extra = place.rest(&HINTS);
        extra.remove("title");
        Ok(ToolAnnotations {
            title: place.optional("title", |title| title.string())?,
            read_only: hint(HINTS[0])?,
            destructive: hint(HINTS[1])?,
            idempotent: hint(HINTS[2])?,
            open_world: hint(HINTS[3])?,
            extra,
        })
    }
}

/// The envelope with which a program answers `describe`: a line of text for each tool, and the tools
/// in `structuredContent` (CALL-30).
///
/// # Errors
///
/// `bad_description` at the first tool that a reader would refuse.
///
/// # Examples
///
/// ```
/// use toolwire::{Json, Limits, parse};
/// use toolwire::call::{ToolDescription, describe, read_description};
///
/// let tools = vec![ToolDescription::new("now", Json::new(r#"{"type":"object"}"#)?)];
/// let answer = describe(&tools)?.to_json();
/// let parsed = parse(answer.as_bytes(), &Limits::default());
/// assert_eq!(read_description(&parsed)?, Some(tools));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn describe(tools: &[ToolDescription]) -> Result<Envelope, Error> {
    describe_with(tools, &BTreeMap::new())
}

/// As [`describe`], and why further tools can't be described, by their names (CALL-36).
///
/// # Errors
///
/// As [`describe`].
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
/// use toolwire::call::describe_with;
///
/// let problems = BTreeMap::from([("then".to_owned(), "its schema is none".to_owned())]);
/// let answer = describe_with(&[], &problems)?.to_json();
/// assert!(answer.contains(r#""dev.toolwire/problems":{"then":"its schema is none"}"#));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn describe_with(
    tools: &[ToolDescription],
    problems: &BTreeMap<String, String>,
) -> Result<Envelope, Error> {
    let line = |tool: &ToolDescription| match tool.summary() {
        "" => tool.name.clone(),
        summary => format!("{}: {summary}", tool.name),
    };
    let lines: Vec<String> = tools.iter().map(line).collect();
    let mut content = ObjectWriter::new();
    content
        .json("tools", array(tools.iter().map(ToolDescription::to_json)))
        .number(MARK, VERSION.into());
    let options = EnvelopeOptions {
        structured_content: Some(Json::new(content.end())?),
        ..EnvelopeOptions::default()
    };
    let blocks = vec![text(lines.join("\n"), BlockOptions::default())?];
    let mut envelope = envelope(blocks, options)?;
    if !problems.is_empty() {
        let meta = envelope.meta.get_or_insert_default();
        let problems = Json::from_value(problems)?;
        meta.extra.insert(PROBLEMS_KEY.to_owned(), problems);
    }
    // What is written is read once, so that no writer produces what readers refuse.
    let written = envelope.to_json();
    let read = read_description(&parse(written.as_bytes(), &Limits::WIDEST));
    read.map_err(Error::placeless)?;
    Ok(envelope)
}

/// The tools of a JSON array, verbatim. They are read as they will stand in a description, so that
/// a wrong one is refused with the same pointer, whatever wrote it. The array is strict JSON.
///
/// # Errors
///
/// `bad_description`, as [`read_description`]; or the code of a limit of [`Limits::WIDEST`] that is
/// exceeded, such as the depth of arrays.
///
/// [`Limits::WIDEST`]: crate::Limits::WIDEST
///
/// # Examples
///
/// ```
/// use toolwire::call::read_listed;
///
/// assert_eq!(read_listed(r#"[{"name":"now","inputSchema":{"type":"object"}}]"#)?[0].name, "now");
/// let error = read_listed(r#"[{"name":""}]"#).unwrap_err();
/// assert_eq!(error.pointer(), "/structuredContent/tools/0/name");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_listed(tools: &str) -> Result<Vec<ToolDescription>, Error> {
    let document = Document::of_bytes(tools.as_bytes(), &Limits::WIDEST)?;
    let pointer = "/structuredContent/tools";
    read_tools(Place::new(document.root(), pointer, Code::BadDescription))
}

/// The tools that a program says it holds. Nothing, if its answer is no description: then it does not
/// know the protocol, or it failed (CALL-32).
///
/// # Errors
///
/// `bad_description` at the first place that is not as CALL-31 says; the pointer leads into the
/// envelope.
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, parse};
/// use toolwire::call::read_description;
///
/// let parsed = parse(&b"usage: grep [OPTION]... PATTERNS [FILE]..."[..], &Limits::default());
/// assert_eq!(read_description(&parsed)?, None);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_description(parsed: &Parsed<'_>) -> Result<Option<Vec<ToolDescription>>, Error> {
    if parsed.verdict() == Verdict::Raw || parsed.is_error() {
        return Ok(None);
    }
    let content = parsed.structured_content();
    let content = content.map(|node| Place::new(node, "/structuredContent", Code::BadDescription));
    let Some((mark, content)) = content.and_then(|content| Some((content.member(MARK)?, content)))
    else {
        return Ok(None);
    };
    if mark.node.as_f64() != Some(f64::from(VERSION)) {
        return Err(mark.expected(&VERSION.to_string()));
    }
    read_tools(content.required("tools")?).map(Some)
}

fn read_tools(tools: Place<'_>) -> Result<Vec<ToolDescription>, Error> {
    let mut names = BTreeSet::new();
    let read = |place: Place<'_>| {
        let place = place.object()?;
        let tool = read_tool(&place)?;
        if names.insert(tool.name.clone()) {
            return Ok(tool);
        }
        let message = format!("two tools are named `{}`", tool.name);
        Err(place.required("name")?.refuse(message))
    };
    tools.array()?.elements().map(read).collect()
}

fn read_tool(place: &Place<'_>) -> Result<ToolDescription, Error> {
    let name = place.required("name")?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if !matches!(name.string()?.len(), 1..=128) || !name.string()?.bytes().all(fits) {
        let what = "1 to 128 ASCII letters, digits, `_`, `-` and `.`";
        return Err(name.expected(what));
    }
    let input_schema = place.required("inputSchema")?.object()?;
    let kind = input_schema.required("type")?;
    if !kind.node.is_str("object") {
        return Err(kind.expected("`object`, since arguments have names"));
    }
    let text = |name| place.optional(name, |text| text.string());
    let output_schema = place.optional("outputSchema", Place::object)?;
    let meta = place.optional("_meta", Place::object)?;
    let mut extra = place.rest(&TOOL_MEMBERS);
    extra.remove("_meta");
    Ok(ToolDescription {
        name: name.string()?,
        title: text("title")?,
        description: text("description")?,
        input_schema: Json::from(input_schema.node),
        output_schema: output_schema.map(|schema| Json::from(schema.node)),
        annotations: place.optional("annotations", ToolAnnotations::read)?,
        actions: match &meta {
            Some(meta) => meta
                .optional(ACTIONS_KEY, read_actions)?
                .unwrap_or_default(),
            None => BTreeSet::new(),
        },
        meta: meta.map_or_else(BTreeMap::new, |meta| meta.rest(&[ACTIONS_KEY])),
        extra,
    })
}

/// Whether a value lists actions as a description does.
pub(crate) fn are_actions(value: Node<'_>) -> bool {
    read_actions(Place::new(value, "", Code::BadDescription)).is_ok()
}

/// The actions of a tool that keeps running; it can at least be started and fetched.
fn read_actions(place: Place<'_>) -> Result<BTreeSet<SessionAction>, Error> {
    let place = place.array()?;
    let mut actions = BTreeSet::new();
    for element in place.elements() {
        let action: SessionAction = element.word()?;
        if !actions.insert(action) {
            return Err(element.refuse(format!("`{action}` is there twice")));
        }
    }
    match [SessionAction::Spawn, SessionAction::Fetch]
        .into_iter()
        .find(|needed| !actions.contains(needed))
    {
        Some(needed) => Err(place.refuse(format!("`{needed}` is missing"))),
        None => Ok(actions),
    }
}

//! What a model wants of a tool that keeps running: a call, read as a command (SES-60 to SES-67).

use std::time::Duration;

use serde::{Serialize, Serializer};

use super::Applied;
use super::event::applied;
use super::machine::check_id;
use super::members::{ARGUMENTS, added, has_screen, is_nested, members_of};
use super::schema::constant;
use crate::base::json::{Document, Kind, ObjectWriter, Place, brief, serialize_text, to_text};
use crate::base::schema::without_nulls;
use crate::protocol::call::{AnswerSource, AnswerState, SessionAction, ToolDescription};
use crate::{Code, Error, Json};

/// The longest time for which a model can ask a fetch to wait, in seconds.
pub(super) const MAX_WAIT: f64 = 86_400.0;

/// What a model's call of a session tool asks for (SES-60).
///
/// ```
/// use toolwire::call::{SessionAction, ToolDescription};
/// use toolwire::session::{SessionCommand, read_command};
/// use toolwire::Json;
///
/// let mut tool = ToolDescription::new("git", Json::new(r#"{"type":"object"}"#)?);
/// tool.actions = [SessionAction::Spawn, SessionAction::Fetch].into();
/// let command = read_command(&Json::new(r#"{"action":"fetch","id":"staging","wait":2}"#)?, &tool)?;
/// assert_eq!((command.action(), command.id()), (SessionAction::Fetch, "staging"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "action", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SessionCommand {
    /// The tool is to begin.
    Spawn {
        /// The id of the handle.
        id: String,
        /// The tool's own arguments, an object, verbatim.
        arguments: Json,
    },
    /// What has it said?
    Fetch {
        /// The id of the handle.
        id: String,
        /// The last block that the reader has.
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<u64>,
        /// How long to wait for something new.
        #[serde(skip_serializing_if = "Option::is_none", serialize_with = "seconds")]
        wait: Option<Duration>,
        /// A text for which to wait.
        #[serde(skip_serializing_if = "Option::is_none")]
        until: Option<String>,
        /// What is wanted of a screen.
        #[serde(skip_serializing_if = "Option::is_none")]
        view: Option<SessionView>,
    },
    /// Something is given to the tool.
    Apply {
        /// The id of the handle.
        id: String,
        /// What is given. The source of an answer is `assistant`.
        #[serde(flatten)]
        what: Applied,
        /// The question that is meant.
        #[serde(skip_serializing_if = "Option::is_none")]
        question: Option<String>,
    },
    /// The tool is to end.
    Abort {
        /// The id of the handle.
        id: String,
    },
}

/// What a fetch shows of a tool with a screen (SES-62).
///
/// ```
/// assert_eq!(toolwire::session::SessionView::Changes.as_str(), "changes");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SessionView {
    /// The whole screen.
    Screen,
    /// The lines of the screen that have changed.
    Changes,
    /// What was printed since.
    New,
}

closed_words!(SessionView, "a view of a screen", {
    Screen => "screen",
    Changes => "changes",
    New => "new",
});

fn seconds<S: Serializer>(wait: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    let seconds = wait.unwrap_or_default().as_secs_f64();
    serialize_text(seconds.to_string(), serializer)
}

impl SessionCommand {
    /// Which action it is.
    ///
    /// ```
    /// use toolwire::{call::SessionAction, session::SessionCommand};
    ///
    /// let abort = SessionCommand::Abort { id: "check".into() };
    /// assert_eq!(abort.action(), SessionAction::Abort);
    /// ```
    #[must_use]
    pub fn action(&self) -> SessionAction {
        match self {
            SessionCommand::Spawn { .. } => SessionAction::Spawn,
            SessionCommand::Fetch { .. } => SessionAction::Fetch,
            SessionCommand::Apply { .. } => SessionAction::Apply,
            SessionCommand::Abort { .. } => SessionAction::Abort,
        }
    }

    /// The handle that is meant.
    ///
    /// ```
    /// use toolwire::session::SessionCommand;
    ///
    /// assert_eq!(SessionCommand::Abort { id: "check".into() }.id(), "check");
    /// ```
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            SessionCommand::Spawn { id, .. }
            | SessionCommand::Fetch { id, .. }
            | SessionCommand::Apply { id, .. }
            | SessionCommand::Abort { id } => id,
        }
    }

    /// The command as a JSON object: `action`, `id`, and the members that it has; the arguments of the tool stand
    /// in `arguments`, whether they stood apart in the call or not.
    ///
    /// ```
    /// use toolwire::session::SessionCommand;
    ///
    /// let abort = SessionCommand::Abort { id: "check".into() };
    /// assert_eq!(abort.to_json(), r#"{"action":"abort","id":"check"}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        to_text(self)
    }
}

/// Reads the arguments with which a model calls a session tool (SES-60 to SES-67). They may be those that a model
/// gives for a projection of the tool's action schema: in the member `answer` alone, and with null for what is left
/// out.
///
/// # Errors
///
/// `action_not_offered` if the tool declares no actions, so that its `action` is its own, and at `/action` for a word
/// that is not one of them; `bad_argument` at the first other place that is wrong. The message says what is possible
/// instead.
///
/// # Examples
///
/// ```
/// use toolwire::{Code, Json};
/// use toolwire::call::ToolDescription;
/// use toolwire::session::{SessionCommand, read_command};
///
/// let tool = ToolDescription::from_json(
///     r#"{"name":"git","inputSchema":{"type":"object"},"_meta":{"dev.toolwire/actions":["spawn","fetch"]}}"#,
/// )?;
/// let call = Json::new(r#"{"action":"spawn","id":"log","command":"log","number":9007199254740993}"#)?;
/// let SessionCommand::Spawn { id, arguments } = read_command(&call, &tool)? else {
///     panic!("it is a spawn");
/// };
/// assert_eq!(id, "log");
/// assert_eq!(arguments.as_str(), r#"{"command":"log","number":9007199254740993}"#);
///
/// let error = read_command(&Json::new(r#"{"action":"abort","id":"log"}"#)?, &tool).unwrap_err();
/// assert_eq!((error.code(), error.pointer()), (Code::ActionNotOffered, "/action"));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_command(arguments: &Json, tool: &ToolDescription) -> Result<SessionCommand, Error> {
    let document = Document::new(arguments.as_str())?;
    let root = Place::new(document.root(), "", Code::BadArgument);
    // Arguments are a value, which most callers never had as a text.
    let command = unwrapped(root).and_then(|place| read(place, tool));
    command.map_err(Error::placeless)
}

/// The call behind the wrapper of a projection, if it stands in one.
fn unwrapped(place: Place<'_>) -> Result<Place<'_>, Error> {
    let place = place.object()?;
    match place.member("answer") {
        Some(inner) if place.node.len() == 1 && inner.node.get("action").is_some() => {
            inner.object()
        }
        _ => Ok(place),
    }
}

fn read(place: Place<'_>, tool: &ToolDescription) -> Result<SessionCommand, Error> {
    if tool.actions.is_empty() {
        let message = format!(
            "`{}` has no session actions, so all arguments are its own: call it as a tool that runs once",
            tool.name
        );
        return Err(place.refuse_as(Code::ActionNotOffered, message));
    }
    let action = action(&place, tool)?;
    let id = id(&place, action)?;
    if action == SessionAction::Spawn {
        let arguments = spawned(&place, tool)?;
        return Ok(SessionCommand::Spawn { id, arguments });
    }
    let known = members_of(action, has_screen(tool));
    only(&place, known, |name| {
        format!("`{action}` has no member `{name}`: it has {}", list(known))
    })?;
    let text = |name| place.given(name).map(|text| text.filled()).transpose();
    Ok(match action {
        SessionAction::Fetch => SessionCommand::Fetch {
            id,
            after: place
                .given("after")
                .map(|after| after.whole(0))
                .transpose()?,
            wait: place.given("wait").map(wait).transpose()?,
            until: text("until")?,
            view: place.given("view").map(|view| view.word()).transpose()?,
        },
        SessionAction::Apply => SessionCommand::Apply {
            id,
            what: applied_by_model(&place, has_screen(tool))?,
            question: text("question")?,
        },
        _ => SessionCommand::Abort { id },
    })
}

/// Refuses members with other names that are not null.
fn only(place: &Place<'_>, known: &[&str], message: impl Fn(&str) -> String) -> Result<(), Error> {
    let mut unknown = place
        .members()
        .filter(|(name, _)| !known.contains(&name.as_ref()));
    match unknown.find(|(_, member)| member.node.kind() != Kind::Null) {
        Some((name, member)) => Err(member.refuse(message(&brief(&name, 40)))),
        None => Ok(()),
    }
}

fn list(names: &[&str]) -> String {
    format!("`{}`", names.join("`, `"))
}

fn action(place: &Place<'_>, tool: &ToolDescription) -> Result<SessionAction, Error> {
    let offered: Vec<&str> = tool.actions.iter().map(|action| action.as_str()).collect();
    let offered = list(&offered);
    let Some(word) = place.given("action") else {
        let message = format!("`action` is missing: use one of {offered}");
        return Err(place.lacks("action", message));
    };
    let name = word.string()?;
    let mut actions = tool.actions.iter().copied();
    actions
        .find(|action| action.as_str() == name)
        .ok_or_else(|| {
            let (tool, name) = (&tool.name, brief(&name, 40));
            let message =
                format!("`{tool}` does not offer the action `{name}`: use one of {offered}");
            word.refuse_as(Code::ActionNotOffered, message)
        })
}

fn id(place: &Place<'_>, action: SessionAction) -> Result<String, Error> {
    let id = place.given("id").ok_or_else(|| {
        let message = match action {
            SessionAction::Spawn => "`id` is missing: choose one, such as `staging`",
            _ => "`id` is missing: give the one with which the tool was spawned",
        };
        place.lacks("id", message)
    })?;
    let name = id.string()?;
    match check_id(&name) {
        Ok(()) => Ok(name),
        Err(message) => Err(id.refuse(message)),
    }
}

fn spawned(place: &Place<'_>, tool: &ToolDescription) -> Result<Json, Error> {
    let arguments = if is_nested(tool) {
        only(place, &["action", "id", ARGUMENTS], |name| {
            format!(
                "`spawn` has no member `{name}`: the tool's own arguments stand in `{ARGUMENTS}`"
            )
        })?;
        let arguments = place.given(ARGUMENTS).map(Place::object).transpose()?;
        arguments.map_or_else(Json::empty_object, |arguments| Json::from(arguments.node))
    } else {
        let added = added(tool);
        let mut own = ObjectWriter::new();
        for (name, member) in place.members() {
            match added.iter().find(|(known, _)| *known == name) {
                None => {
                    own.json(&name, member.node.raw());
                }
                Some((_, action))
                    if *action != SessionAction::Spawn && member.node.kind() != Kind::Null =>
                {
                    let message = format!("`spawn` has no member `{name}`: `{action}` has");
                    return Err(member.refuse(message));
                }
                Some(_) => {}
            }
        }
        Json::written(own.end())
    };
    plain(&tool.input_schema, arguments)
}

/// The value without what is null only because a strict schema lets nothing be left out (Q-76).
fn plain(schema: &Json, value: Json) -> Result<Json, Error> {
    match value.as_str().contains("null") {
        true => without_nulls(schema, &value),
        false => Ok(value),
    }
}

fn wait(wait: Place<'_>) -> Result<Duration, Error> {
    let seconds = wait.node.as_f64().filter(|n| (0.0..=MAX_WAIT).contains(n));
    let what = format!("a number of seconds from 0 to {MAX_WAIT}");
    let seconds = seconds.ok_or_else(|| wait.expected(&what))?;
    Ok(Duration::from_secs_f64(seconds))
}

fn applied_by_model(place: &Place<'_>, screen: bool) -> Result<Applied, Error> {
    Ok(match applied(place, AnswerSource::Assistant)? {
        // Keys are objects, whose optional members a strict schema makes null.
        Applied::Input(input) if screen => {
            Applied::Input(plain(&Json::written(constant("typing").to_json()), input)?)
        }
        // Only a person opens a page, and only a host says that nobody can answer.
        Applied::Answer(answer)
            if matches!(
                answer.state(),
                AnswerState::Opened | AnswerState::Unavailable
            ) =>
        {
            let state = place.required("answer")?.required("state")?;
            return Err(state.expected("one of `accepted`, `declined`, `cancelled`"));
        }
        applied => applied,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(schema: &str, actions: &str, meta: &str) -> ToolDescription {
        let text = format!(
            r#"{{"name":"git","inputSchema":{schema},"_meta":{{"dev.toolwire/actions":{actions}{meta}}}}}"#
        );
        ToolDescription::from_json(&text).unwrap()
    }

    fn git() -> ToolDescription {
        let schema = r#"{"type":"object","properties":{"command":{"type":"string"},"depth":{"type":"integer"}},"required":["command"]}"#;
        tool(schema, r#"["spawn","fetch","apply","abort"]"#, "")
    }

    fn read(tool: &ToolDescription, call: &str) -> String {
        match read_command(&Json::new(call).unwrap(), tool) {
            Ok(command) => command.to_json(),
            Err(error) => format!("{} {}", error.code(), error.pointer()),
        }
    }

    #[test]
    fn each_action_is_read() {
        for (call, expected) in [
            (
                r#"{"action":"spawn","id":"a","command":"add","big":12345678901234567890}"#,
                r#"{"action":"spawn","id":"a","arguments":{"command":"add","big":12345678901234567890}}"#,
            ),
            (
                r#"{"action":"fetch","id":"a","after":3.0,"wait":0.5,"until":"$"}"#,
                r#"{"action":"fetch","id":"a","after":3,"wait":0.5,"until":"$"}"#,
            ),
            (
                r#"{"action":"apply","id":"a","input":null}"#,
                r#"{"action":"apply","id":"a","input":null}"#,
            ),
            (
                r#"{"action":"apply","id":"a","answer":{"state":"declined","value":null},"question":"q"}"#,
                r#"{"action":"apply","id":"a","answer":{"state":"declined","source":"assistant"},"question":"q"}"#,
            ),
            (
                r#"{"action":"abort","id":"a"}"#,
                r#"{"action":"abort","id":"a"}"#,
            ),
        ] {
            assert_eq!(read(&git(), call), expected, "{call}");
        }
    }

    #[test]
    fn null_stands_for_what_a_strict_schema_does_not_let_be_left_out() {
        let strict = r#"{"answer":{"action":"ACTION","id":"a","command":"add","depth":null,"after":null,"wait":null,"until":null,"input":null,"answer":null,"question":null}}"#;
        assert_eq!(
            read(&git(), &strict.replace("ACTION", "spawn")),
            r#"{"action":"spawn","id":"a","arguments":{"command":"add"}}"#
        );
        let strict = strict.replace("\"add\"", "null");
        assert_eq!(
            read(&git(), &strict.replace("ACTION", "fetch")),
            r#"{"action":"fetch","id":"a"}"#
        );
        assert_eq!(
            read(&git(), &strict.replace("ACTION", "apply")),
            "bad_argument /answer/input"
        );
    }
}

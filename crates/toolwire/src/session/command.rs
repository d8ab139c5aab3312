//! What a model wants of a tool that keeps running: a call, read as a command (SES-60 to SES-67).

use std::time::Duration;

use super::Applied;
use super::event::{answer_of, block_number};
use super::machine::check_id;
use super::members::{ARGUMENTS, added, has_screen, is_nested, members_of};
use super::schema::typing;
use crate::call::{AnswerSource, AnswerState, SessionAction, ToolDescription};
use crate::json::{Document, Kind, ObjectWriter, Place, brief};
use crate::schema::tree::Tree;
use crate::schema::without_nulls;
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
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SessionCommand {
    /// The tool is to begin.
    Spawn {
        /// The id of the handle.
        id: String,
        /// The tool's own arguments, an object, to the letter.
        arguments: Json,
    },
    /// What has it said?
    Fetch {
        /// The id of the handle.
        id: String,
        /// The last block that the reader has.
        after: Option<u64>,
        /// How long to wait for something new.
        wait: Option<Duration>,
        /// A text for which to wait.
        until: Option<String>,
        /// What is wanted of a screen.
        view: Option<SessionView>,
    },
    /// Something is given to the tool.
    Apply {
        /// The id of the handle.
        id: String,
        /// What is given. The source of an answer is `assistant`.
        what: Applied,
        /// The question that is meant.
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
        let mut out = ObjectWriter::new();
        out.text("action", self.action().as_str());
        out.text("id", self.id());
        match self {
            SessionCommand::Spawn { arguments, .. } => {
                out.json(ARGUMENTS, arguments.as_str());
            }
            SessionCommand::Fetch {
                after,
                wait,
                until,
                view,
                ..
            } => {
                let wait = wait.map(|wait| wait.as_secs_f64().to_string());
                out.optional_json("after", after.map(|number| number.to_string()))
                    .optional_json("wait", wait)
                    .optional("until", until.as_deref())
                    .optional("view", view.map(SessionView::as_str));
            }
            SessionCommand::Apply { what, question, .. } => {
                match what {
                    Applied::Input(value) => out.json("input", value.as_str()),
                    Applied::Answer(answer) => out.json("answer", answer.to_json()),
                };
                out.optional("question", question.as_deref());
            }
            SessionCommand::Abort { .. } => {}
        }
        out.end()
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
    let mut all = place.members();
    let unknown = all.find(|(name, member)| !known.contains(&&**name) && is_given(member));
    if let Some((name, member)) = unknown {
        let name = brief(&name, 40);
        let message = format!("`{action}` has no member `{name}`: it has {}", words(known));
        return Err(member.refuse(message));
    }
    match action {
        SessionAction::Fetch => fetch(&place, id),
        SessionAction::Apply => apply(&place, id, has_screen(tool)),
        _ => Ok(SessionCommand::Abort { id }),
    }
}

/// A schema that lets nothing be left out makes a model write null instead (Q-71).
fn is_given(place: &Place<'_>) -> bool {
    place.node.kind() != Kind::Null
}

fn member<'a>(place: &Place<'a>, name: &str) -> Option<Place<'a>> {
    place.member(name).filter(is_given)
}

fn words(words: &[&str]) -> String {
    format!("`{}`", words.join("`, `"))
}

/// The refusal of a call that lacks a member.
fn missing(name: &str, message: String) -> Error {
    Error::new(Code::BadArgument, format!("/{name}"), None, message)
}

fn action(place: &Place<'_>, tool: &ToolDescription) -> Result<SessionAction, Error> {
    let offered: Vec<&str> = tool.actions.iter().map(|action| action.as_str()).collect();
    let offered = words(&offered);
    let Some(word) = member(place, "action") else {
        return Err(missing(
            "action",
            format!("`action` is missing: use one of {offered}"),
        ));
    };
    let name = word.string()?;
    let action = tool
        .actions
        .iter()
        .find(|action| action.as_str() == name)
        .copied();
    action.ok_or_else(|| {
        let message = format!(
            "`{}` does not offer the action `{}`: use one of {offered}",
            tool.name,
            brief(&name, 40)
        );
        word.refuse_as(Code::ActionNotOffered, message)
    })
}

fn id(place: &Place<'_>, action: SessionAction) -> Result<String, Error> {
    let Some(id) = member(place, "id") else {
        let message = match action {
            SessionAction::Spawn => "`id` is missing: choose one, such as `staging`",
            _ => "`id` is missing: give the one with which the tool was spawned",
        };
        return Err(missing("id", message.to_owned()));
    };
    let name = id.string()?;
    check_id(&name).map_err(|message| id.refuse(message))?;
    Ok(name)
}

/// The tool's own arguments (SES-61, SES-63).
fn spawned(place: &Place<'_>, tool: &ToolDescription) -> Result<Json, Error> {
    let arguments = if is_nested(tool) {
        let known = ["action", "id", ARGUMENTS];
        let mut all = place.members();
        let unknown = all.find(|(name, member)| !known.contains(&&**name) && is_given(member));
        if let Some((name, member)) = unknown {
            let message = format!(
                "`spawn` has no member `{}`: the tool's own arguments stand in `{ARGUMENTS}`",
                brief(&name, 40)
            );
            return Err(member.refuse(message));
        }
        match member(place, ARGUMENTS) {
            Some(arguments) => Json::from(arguments.object()?.node),
            None => Json::empty_object(),
        }
    } else {
        let added = added(tool);
        let mut own = ObjectWriter::new();
        for (name, member) in place.members() {
            match added.iter().find(|(known, _)| *known == name) {
                None => {
                    own.json(&name, member.node.raw());
                }
                Some((_, SessionAction::Spawn)) => {}
                Some((_, action)) if is_given(&member) => {
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

/// A value without the nulls that stand for what is left out (Q-76). What has no null in it stays to the letter.
fn plain(schema: &Json, value: Json) -> Result<Json, Error> {
    match value.as_str().contains("null") {
        true => without_nulls(schema, &value),
        false => Ok(value),
    }
}

fn fetch(place: &Place<'_>, id: String) -> Result<SessionCommand, Error> {
    let after = member(place, "after").map(|after| block_number(&after));
    let wait = member(place, "wait").map(|wait| {
        let seconds = wait.node.as_f64().filter(|n| (0.0..=MAX_WAIT).contains(n));
        let what = format!("a number of seconds from 0 to {MAX_WAIT}");
        let seconds = seconds.ok_or_else(|| wait.expected(&what))?;
        Ok(Duration::from_secs_f64(seconds))
    });
    let until = member(place, "until").map(|until| until.filled());
    let view = member(place, "view").map(|view| view.word());
    Ok(SessionCommand::Fetch {
        id,
        after: after.transpose()?,
        wait: wait.transpose()?,
        until: until.transpose()?,
        view: view.transpose()?,
    })
}

fn apply(place: &Place<'_>, id: String, screen: bool) -> Result<SessionCommand, Error> {
    let input = place.member("input");
    // Null is an input, unless the answer is there in its place.
    let input = input.filter(|input| is_given(input) || place.member("answer").is_none());
    let what = match (input, member(place, "answer")) {
        (Some(input), None) => {
            let input = Json::from(input.node);
            // Keys are objects, whose optional members a strict schema makes null.
            Applied::Input(match screen {
                true => plain(&Json::written(Tree::Object(typing()).to_json()), input)?,
                false => input,
            })
        }
        (None, Some(answer)) => {
            let place = answer.object()?;
            let answer = answer_of(place.clone(), AnswerSource::Assistant, true)?;
            // Only a person opens a page, and only a host says that nobody can answer.
            if matches!(
                answer.state(),
                AnswerState::Opened | AnswerState::Unavailable
            ) {
                let state = place.required("state")?;
                return Err(state.expected("one of `accepted`, `declined`, `cancelled`"));
            }
            Applied::Answer(answer)
        }
        (Some(_), Some(answer)) => {
            return Err(answer.refuse("`apply` takes `input` or `answer`, not both"));
        }
        (None, None) => {
            let message = "`apply` takes `input`, or `answer` to the open question";
            return Err(missing("input", message.to_owned()));
        }
    };
    let question = member(place, "question").map(|question| question.filled());
    Ok(SessionCommand::Apply {
        id,
        what,
        question: question.transpose()?,
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
            "bad_argument /input"
        );
    }
}

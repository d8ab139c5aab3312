//! The schema of a model's call of a session tool (SES-70 to SES-73).

use std::collections::BTreeSet;

use super::members::{ARGUMENTS, has_screen, is_nested, members_of};
use crate::Json;
use crate::call::{SessionAction, ToolDescription};
use crate::json::Document;
use crate::schema::lift;
use crate::schema::tree::{Members, Tree};

/// The form of an action schema.
///
/// ```
/// assert_eq!(toolwire::session::ActionStyle::OneOf.as_str(), "one_of");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ActionStyle {
    /// A `oneOf` with a schema for each action: exact, and refused at the root by some providers.
    OneOf,
    /// One object with the members of all actions, whose descriptions say which action takes which.
    Flat,
}

closed_words!(ActionStyle, "a style of action schemas", {
    OneOf => "one_of",
    Flat => "flat",
});

/// The schema that a model is shown for a tool that keeps running, in exact form: what [`read_command`] reads. For a
/// tool without actions it is the tool's own.
///
/// For the schema that a provider takes, give it to [`project`](crate::schema::project()).
///
/// [`read_command`]: crate::session::read_command
///
/// ```
/// use toolwire::Json;
/// use toolwire::call::{SessionAction, ToolDescription};
/// use toolwire::session::{ActionStyle, action_schema};
///
/// let own = r#"{"type":"object","properties":{"package":{"type":"string"}},"required":["package"]}"#;
/// let mut tool = ToolDescription::new("check", Json::new(own)?);
/// tool.actions = [SessionAction::Spawn, SessionAction::Fetch].into();
///
/// let flat = action_schema(&tool, ActionStyle::Flat);
/// assert_eq!(flat.at("/required").unwrap().as_str(), r#"["action","id"]"#);
/// assert_eq!(flat.at("/properties/action/enum").unwrap().as_str(), r#"["spawn","fetch"]"#);
///
/// let exact = action_schema(&tool, ActionStyle::OneOf);
/// assert_eq!(exact.at("/oneOf/0/required").unwrap().as_str(), r#"["action","id","package"]"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn action_schema(tool: &ToolDescription, style: ActionStyle) -> Json {
    if tool.actions.is_empty() {
        return tool.input_schema.clone();
    }
    let own = parsed(tool.input_schema.as_str());
    let schema = match style {
        ActionStyle::OneOf => one_of(tool, own),
        ActionStyle::Flat => flat(tool, own),
    };
    Json::written(Tree::Object(schema).to_json())
}

/// What each action does, for a model.
fn about(action: SessionAction) -> &'static str {
    match action {
        SessionAction::Spawn => "start the tool under an `id` that you choose",
        SessionAction::Fetch => "see what the tool has said, and whether it still runs",
        SessionAction::Apply => "give the tool input, or the answer to its open question",
        SessionAction::Abort => "end the tool",
    }
}

fn one_of(tool: &ToolDescription, mut own: Tree) -> Members {
    let nested = is_nested(tool);
    let place = match nested {
        true => format!("/oneOf/0/properties/{ARGUMENTS}"),
        false => "/oneOf/0".to_owned(),
    };
    let mut root = lift(&mut own, &place);
    root.set("type", Tree::text("object"));
    let mut all = Vec::new();
    for action in &tool.actions {
        match action {
            SessionAction::Spawn => all.push(spawn(&own, nested)),
            // Exactly one of the two.
            SessionAction::Apply => {
                for what in ["input", "answer"] {
                    let mut one = branch(*action);
                    one.take(what, member(what, tool), true);
                    one.take("question", member("question", tool), false);
                    all.push(one.end(true));
                }
            }
            SessionAction::Fetch | SessionAction::Abort => {
                let mut one = branch(*action);
                for name in own_members(*action, tool) {
                    one.take(name, member(name, tool), false);
                }
                all.push(one.end(true));
            }
        }
    }
    root.set("oneOf", Tree::Array(all));
    root
}

fn branch(action: SessionAction) -> Object {
    let mut object = Object::default();
    let mut word = Members::default();
    word.set("const", Tree::text(action.as_str()));
    object.about(about(action));
    object.take("action", Tree::Object(word), true);
    object.take("id", id(action == SessionAction::Spawn), true);
    object
}

fn spawn(own: &Tree, nested: bool) -> Tree {
    let mut one = branch(SessionAction::Spawn);
    let required = required(own);
    if nested {
        one.take(ARGUMENTS, own.clone(), !required.is_empty());
        return one.end(true);
    }
    for (name, property) in properties(own) {
        one.take(name, property.clone(), false);
    }
    one.required
        .extend(required.iter().map(|name| Tree::text(name)));
    one.end(is_closed(own))
}

fn flat(tool: &ToolDescription, mut own: Tree) -> Members {
    let nested = is_nested(tool);
    let place = match nested {
        true => format!("/properties/{ARGUMENTS}"),
        false => String::new(),
    };
    let mut root = lift(&mut own, &place);
    let mut object = Object::default();
    object.take("action", actions(tool), true);
    object.take("id", id(true), true);
    let needed = required(&own);
    if nested {
        let note = note(SessionAction::Spawn, !needed.is_empty());
        let own = noted(own.clone(), &format!("{note}: the tool's own arguments"));
        object.take(ARGUMENTS, own, false);
    } else {
        for (name, property) in properties(&own) {
            let note = note(SessionAction::Spawn, needed.contains(name));
            object.take(name, noted(property.clone(), &note), false);
        }
    }
    for action in &tool.actions {
        for name in own_members(*action, tool) {
            let member = noted(member(name, tool), &note(*action, false));
            object.take(name, member, false);
        }
    }
    root.all
        .extend(object.end_members(nested || is_closed(&own)).all);
    root
}

/// The members of an action beside `action` and `id`.
fn own_members(
    action: SessionAction,
    tool: &ToolDescription,
) -> impl Iterator<Item = &'static str> {
    let all = members_of(action, has_screen(tool)).iter().copied();
    all.filter(|name| !["action", "id"].contains(name))
}

/// Which action takes a member, for a model.
fn note(action: SessionAction, required: bool) -> String {
    match required {
        true => format!("for `{action}`, required"),
        false => format!("for `{action}`"),
    }
}

/// The same schema, with a note before its description.
fn noted(mut schema: Tree, note: &str) -> Tree {
    if schema.is("true") {
        schema = Tree::Object(Members::default());
    }
    if let Some(members) = schema.object_mut() {
        let text = match members.text("description") {
            Some(own) => format!("{note}: {own}"),
            None => note.to_owned(),
        };
        members.set("description", Tree::text(&text));
    }
    schema
}

fn actions(tool: &ToolDescription) -> Tree {
    let words = tool
        .actions
        .iter()
        .map(|action| Tree::text(action.as_str()));
    let lines = tool.actions.iter();
    let lines: Vec<String> = lines
        .map(|action| format!("`{action}`: {}", about(*action)))
        .collect();
    let mut out = Members::default();
    out.set("type", Tree::text("string"));
    out.set("enum", Tree::Array(words.collect()));
    out.set("description", Tree::text(&lines.join("\n")));
    Tree::Object(out)
}

fn id(spawn: bool) -> Tree {
    parsed(match spawn {
        true => {
            r#"{"type":"string","description":"names the running tool: choose one that is not in use, and give it with each later call"}"#
        }
        false => r#"{"type":"string","description":"the one with which the tool was spawned"}"#,
    })
}

/// The schema of a member that an action adds.
fn member(name: &str, tool: &ToolDescription) -> Tree {
    parsed(match name {
        "after" => AFTER,
        "wait" => WAIT,
        "until" => UNTIL,
        "view" => VIEW,
        "question" => QUESTION,
        "answer" => ANSWER,
        _ if has_screen(tool) => TYPING,
        _ => INPUT,
    })
}

fn parsed(schema: &str) -> Tree {
    match Document::new(schema) {
        Ok(document) => Tree::of(document.root()),
        Err(_) => Tree::Object(Members::default()),
    }
}

const AFTER: &str = r#"{"type":"integer","description":"to be sure that nothing is lost: 0 at first, then the last block that the last result names; what was said after that block is told again","minimum":0}"#;
const WAIT: &str = r#"{"type":"number","description":"how many seconds to wait for something new","minimum":0,"maximum":86400}"#;
const UNTIL: &str = r#"{"type":"string","description":"wait until the tool says this text; what an answer has told before does not count"}"#;
const VIEW: &str = r#"{"type":"string","description":"`screen`: what the screen shows, `changes`: only its lines that have changed, `new`: what was printed since","enum":["screen","changes","new"]}"#;
const QUESTION: &str =
    r#"{"type":"string","description":"the `id` of the question that is meant"}"#;
const INPUT: &str =
    r#"{"description":"what the tool gets; while a question is open, the value of the answer"}"#;

/// An answer to the open question. Only a person opens a page, and only a host says that nobody can answer.
const ANSWER: &str = r#"{"type":"object","description":"an answer instead of `input`, for one that may be to decline","properties":{
    "state":{"type":"string","description":"what becomes of the open question","enum":["accepted","declined","cancelled"]},
    "value":{"description":"the answer, for `accepted`, as the schema of the question says"}
},"required":["state"],"additionalProperties":false}"#;

/// Input for a terminal (TERM-1).
pub(super) const TYPING: &str = r#"{"anyOf":[
    {"type":"string","description":"typed as it is, without a line end"},
    {"type":"object","properties":{"text":{"type":"string","description":"typed as it is"},"enter":{"type":"boolean","description":"whether a line end follows"}},"required":["text"],"additionalProperties":false},
    {"type":"object","properties":{"key":{"type":"string","description":"a key, such as `enter`, `up` or `ctrl-c`"}},"required":["key"],"additionalProperties":false},
    {"type":"object","properties":{"keys":{"type":"array","description":"keys, one after the other","items":{"type":"string","description":"a key"}}},"required":["keys"],"additionalProperties":false},
    {"type":"object","properties":{"size":{"type":"array","description":"columns and rows of the screen","items":{"type":"integer","description":"a number"},"minItems":2,"maxItems":2}},"required":["size"],"additionalProperties":false}
],"description":"what is typed"}"#;

/// The properties of a schema, and what it says of them.
fn properties(schema: &Tree) -> impl Iterator<Item = (&str, &Tree)> {
    let properties = schema.object().and_then(|own| own.get("properties"));
    let all = properties.and_then(Tree::object).into_iter();
    all.flat_map(|all| &all.all)
        .map(|(name, schema)| (name.as_str(), schema))
}

fn required(schema: &Tree) -> BTreeSet<String> {
    let required = schema.object().and_then(|own| own.get("required"));
    let names = required.and_then(Tree::array).unwrap_or_default();
    names.iter().filter_map(Tree::as_text).collect()
}

fn is_closed(schema: &Tree) -> bool {
    let other = schema
        .object()
        .and_then(|own| own.get("additionalProperties"));
    other.is_some_and(|other| other.is("false"))
}

/// A schema of an object in the making.
#[derive(Default)]
struct Object {
    about: Option<&'static str>,
    properties: Members,
    required: Vec<Tree>,
}

impl Object {
    fn about(&mut self, about: &'static str) {
        self.about = Some(about);
    }

    fn take(&mut self, name: &str, schema: Tree, required: bool) {
        // No name comes twice: where one could, the tool's own stand apart.
        self.properties.all.push((name.to_owned(), schema));
        if required {
            self.required.push(Tree::text(name));
        }
    }

    fn end(self, closed: bool) -> Tree {
        Tree::Object(self.end_members(closed))
    }

    fn end_members(self, closed: bool) -> Members {
        let mut out = Members::default();
        out.set("type", Tree::text("object"));
        if let Some(about) = self.about {
            out.set("description", Tree::text(about));
        }
        out.set("properties", Tree::Object(self.properties));
        out.set("required", Tree::Array(self.required));
        if closed {
            out.set("additionalProperties", Tree::flag(false));
        }
        out
    }
}

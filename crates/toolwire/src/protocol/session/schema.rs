//! The schema of a model's call of a session tool (SES-70 to SES-73).

use std::collections::BTreeSet;

use super::members::{ARGUMENTS, has_screen, is_nested, members_of};
use crate::Json;
use crate::base::schema::lift;
use crate::base::schema::tree::{Members, Tree};
use crate::protocol::call::{SessionAction, ToolDescription};

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
/// For the schema that a provider takes, give it to [`project`](crate::base::schema::project()).
///
/// [`read_command`]: crate::protocol::session::read_command
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
    let mut own = Tree::read(&tool.input_schema);
    let schema = match style {
        ActionStyle::OneOf => one_of(tool, &mut own),
        ActionStyle::Flat => flat(tool, &mut own),
    };
    Json::written(Tree::Object(schema).to_json())
}

/// One branch for each action, two for `apply`.
fn one_of(tool: &ToolDescription, own: &mut Tree) -> Members {
    let nested = is_nested(tool);
    let place = match nested {
        true => format!("/oneOf/0/properties/{ARGUMENTS}"),
        false => "/oneOf/0".to_owned(),
    };
    let mut root = lift(own, &place);
    root.set("type", Tree::text("object"));
    let mut all = Vec::new();
    for action in &tool.actions {
        // Exactly one of the two.
        let choices: &[&str] = match action {
            SessionAction::Apply => &["input", "answer"],
            _ => &[""],
        };
        for choice in choices {
            let mut one = Object::default();
            let word = [("const".to_owned(), Tree::text(action.as_str()))];
            one.take("action", Tree::Object(Members { all: word.into() }), true);
            if *action == SessionAction::Spawn {
                one.take("id", constant("new_id"), true);
                one.take_own(own, nested);
            } else {
                one.take("id", constant("id"), true);
            }
            let others = |name: &&str| *name == *choice || !choices.contains(name);
            for name in own_members(*action, tool).filter(others) {
                one.take(name, member(name, tool), name == *choice);
            }
            let closed = *action != SessionAction::Spawn || nested || is_closed(own);
            let mut one = one.end(closed);
            one.set("description", Tree::text(&about(*action)));
            all.push(Tree::Object(one));
        }
    }
    root.set("oneOf", Tree::Array(all));
    root
}

/// All members of all actions in one object.
fn flat(tool: &ToolDescription, own: &mut Tree) -> Members {
    let nested = is_nested(tool);
    let place = match nested {
        true => format!("/properties/{ARGUMENTS}"),
        false => String::new(),
    };
    let mut root = lift(own, &place);
    let mut object = Object::default();
    object.take("action", actions(tool), true);
    object.take("id", constant("new_id"), true);
    let needed = required(own);
    if nested {
        let note = note(SessionAction::Spawn, !needed.is_empty());
        let own = noted(own.clone(), &format!("{note}: the tool's own arguments"));
        object.take(ARGUMENTS, own, false);
    } else {
        for (name, property) in properties(own) {
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
    root.all.extend(object.end(nested || is_closed(own)).all);
    root
}

fn own_members(
    action: SessionAction,
    tool: &ToolDescription,
) -> impl Iterator<Item = &'static str> {
    let all = members_of(action, has_screen(tool)).iter().copied();
    all.filter(|name| !["action", "id"].contains(name))
}

fn note(action: SessionAction, required: bool) -> String {
    let required = if required { ", required" } else { "" };
    format!("for `{action}`{required}")
}

/// A schema with a note before its description.
fn noted(schema: Tree, note: &str) -> Tree {
    let mut members = match schema {
        Tree::Object(members) => members,
        schema if schema.is("true") => Members::default(),
        other => return other,
    };
    let text = match members.text("description") {
        Some(own) => format!("{note}: {own}"),
        None => note.to_owned(),
    };
    members.set("description", Tree::text(&text));
    Tree::Object(members)
}

fn actions(tool: &ToolDescription) -> Tree {
    let actions = || tool.actions.iter();
    let lines: Vec<String> = actions()
        .map(|action| format!("`{action}`: {}", about(*action)))
        .collect();
    let words = actions()
        .map(|action| Tree::text(action.as_str()))
        .collect();
    let mut out = Members::default();
    out.set("type", Tree::text("string"));
    out.set("enum", Tree::Array(words));
    out.set("description", Tree::text(&lines.join("\n")));
    Tree::Object(out)
}

/// The schema of a member that an action adds.
fn member(name: &str, tool: &ToolDescription) -> Tree {
    match name {
        "input" if has_screen(tool) => constant("typing"),
        name => constant(name),
    }
}

/// The schemas of all members, and what the actions do.
const MEMBERS: &str = include_str!("members.json");

pub(super) fn constant(name: &str) -> Tree {
    let members = Tree::read(&Json::written(MEMBERS.to_owned()));
    members.get(name).cloned().unwrap_or(Tree::from([]))
}

fn about(action: SessionAction) -> String {
    let texts = constant("about");
    let text = texts.object().and_then(|texts| texts.text(action.as_str()));
    text.unwrap_or_default()
}

fn required(schema: &Tree) -> BTreeSet<String> {
    let names = schema.object().map(|own| own.list("required"));
    names
        .unwrap_or_default()
        .iter()
        .filter_map(Tree::as_text)
        .collect()
}

fn properties(schema: &Tree) -> &[(String, Tree)] {
    schema.object().map_or(&[], |own| own.map("properties"))
}

fn is_closed(schema: &Tree) -> bool {
    let other = schema.get("additionalProperties");
    other.is_some_and(|other| other.is("false"))
}

/// The schema of an object that is being built.
#[derive(Default)]
struct Object {
    properties: Members,
    required: Vec<Tree>,
}

impl Object {
    fn take(&mut self, name: &str, schema: Tree, required: bool) {
        // No name comes twice: where one could, the tool's own stand apart.
        self.properties.all.push((name.to_owned(), schema));
        if required {
            self.required.push(Tree::text(name));
        }
    }

    /// Takes the arguments of the tool.
    fn take_own(&mut self, own: &Tree, nested: bool) {
        let required = required(own);
        if nested {
            return self.take(ARGUMENTS, own.clone(), !required.is_empty());
        }
        for (name, property) in properties(own) {
            self.take(name, property.clone(), false);
        }
        self.required
            .extend(required.iter().map(|name| Tree::text(name)));
    }

    fn end(self, closed: bool) -> Members {
        let mut out = Members::default();
        out.set("type", Tree::text("object"));
        out.set("properties", Tree::Object(self.properties));
        out.set("required", Tree::Array(self.required));
        if closed {
            out.set("additionalProperties", Tree::flag(false));
        }
        out
    }
}

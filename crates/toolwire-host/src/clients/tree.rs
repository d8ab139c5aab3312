//! What a file says, with the place of each value: the same for JSON and TOML.

use toolwire::{Locator, Position};

use super::error::{ClientError, ClientErrorKind};

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it begins, in bytes.
    pub at: usize,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    /// A number, or a date of TOML, as it is written.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Table(Vec<Member>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    pub name: String,
    /// Where the name begins, in bytes.
    pub at: usize,
    pub node: Node,
}

impl Node {
    /// A value that stands in no file yet.
    pub fn new(value: Value) -> Node {
        Node { at: 0, value }
    }

    pub fn text(text: &str) -> Node {
        Node::new(Value::Text(text.to_owned()))
    }

    pub fn list<'t>(texts: impl IntoIterator<Item = &'t String>) -> Node {
        let nodes = texts.into_iter().map(|text| Node::text(text));
        Node::new(Value::List(nodes.collect()))
    }

    pub fn table(members: impl IntoIterator<Item = (String, Node)>) -> Node {
        let members = members.into_iter();
        let members = members.map(|(name, node)| Member { name, at: 0, node });
        Node::new(Value::Table(members.collect()))
    }

    /// The member with this name, if this is a table that has it.
    pub fn get(&self, name: &str) -> Option<&Node> {
        let member = self.members()?.iter().find(|member| member.name == name)?;
        Some(&member.node)
    }

    pub fn members(&self) -> Option<&[Member]> {
        match &self.value {
            Value::Table(members) => Some(members),
            _ => None,
        }
    }

    /// The value at the end of these steps of a JSON Pointer.
    pub fn step_to(&self, steps: &[&str]) -> Option<&Node> {
        let Some((step, rest)) = steps.split_first() else {
            return Some(self);
        };
        let inner = match &self.value {
            Value::List(nodes) => nodes.get(step.parse::<usize>().ok()?)?,
            _ => self.get(&toolwire::json::pointer::unescape(step))?,
        };
        inner.step_to(rest)
    }

    /// Writes it as JSON, numbers as they are; a number that JSON does not spell so becomes a string.
    pub fn write(&self, to: &mut String) {
        let string = |text: &str| serde_json::Value::from(text).to_string();
        match &self.value {
            Value::Null => to.push_str("null"),
            Value::Bool(yes) => to.push_str(if *yes { "true" } else { "false" }),
            Value::Number(text) => match toolwire::Json::new(text) {
                Ok(_) => to.push_str(text),
                Err(_) => to.push_str(&string(text)),
            },
            Value::Text(text) => to.push_str(&string(text)),
            Value::List(nodes) => {
                to.push('[');
                for (at, node) in nodes.iter().enumerate() {
                    to.push_str(if at == 0 { "" } else { "," });
                    node.write(to);
                }
                to.push(']');
            }
            Value::Table(members) => {
                to.push('{');
                for (at, member) in members.iter().enumerate() {
                    to.push_str(if at == 0 { "" } else { "," });
                    to.push_str(&string(&member.name));
                    to.push(':');
                    member.node.write(to);
                }
                to.push('}');
            }
        }
    }

    /// The same as JSON; a number that JSON has no room for becomes a string.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match &self.value {
            Value::Null => Json::Null,
            Value::Bool(yes) => Json::Bool(*yes),
            Value::Number(text) => {
                serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.clone()))
            }
            Value::Text(text) => Json::String(text.clone()),
            Value::List(nodes) => nodes.iter().map(Node::to_json).collect(),
            Value::Table(members) => members
                .iter()
                .map(|member| (member.name.clone(), member.node.to_json()))
                .collect(),
        }
    }

    /// What it says, without the places, each digit of numbers kept: what is approved.
    pub fn fingerprint(&self, to: &mut String) {
        let string = |text: &str| serde_json::Value::from(text).to_string();
        match &self.value {
            Value::Null => to.push_str("null"),
            Value::Bool(yes) => to.push_str(if *yes { "true" } else { "false" }),
            Value::Number(text) => to.push_str(text),
            Value::Text(text) => to.push_str(&string(text)),
            Value::List(nodes) => {
                to.push('[');
                for node in nodes {
                    node.fingerprint(to);
                    to.push(',');
                }
                to.push(']');
            }
            Value::Table(members) => {
                let mut members: Vec<&Member> = members.iter().collect();
                members.sort_by(|a, b| a.name.cmp(&b.name));
                to.push('{');
                for member in members {
                    to.push_str(&string(&member.name));
                    to.push(':');
                    member.node.fingerprint(to);
                    to.push(',');
                }
                to.push('}');
            }
        }
    }

    /// Whether both say the same, wherever it stands.
    pub fn says(&self, other: &Node) -> bool {
        let (mut this, mut that) = (String::new(), String::new());
        self.fingerprint(&mut this);
        other.fingerprint(&mut that);
        this == that
    }
}

/// `mcp.json:3:7: …`; the line and the column count from 1, the column in characters.
pub fn mistake(name: &str, text: &str, at: usize, message: &str) -> ClientError {
    let Position { line, column, .. } = position(text, at);
    let message = format!("{name}:{line}:{column}: {message}");
    ClientError::new(ClientErrorKind::BadFile, message)
}

/// Where a byte stands.
pub fn position(text: &str, at: usize) -> Position {
    Locator::new(text.as_bytes()).locate(at as u64)
}

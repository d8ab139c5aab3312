//! What a file says, with the place of each value: the same for JSON and TOML.

use toolwire::json::{ObjectWriter, array, string};
use toolwire::{Json, Locator, Position};

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

    /// It as JSON, numbers as they are; a number that JSON does not spell so becomes a string.
    pub fn to_json(&self) -> String {
        self.json(false)
    }

    /// What it says, without the places, each digit of numbers kept: what is approved.
    pub fn fingerprint(&self) -> String {
        self.json(true)
    }

    fn json(&self, is_sorted: bool) -> String {
        match &self.value {
            Value::Null => "null".to_owned(),
            Value::Bool(yes) => yes.to_string(),
            Value::Number(text) if Json::new(text).is_ok() => text.clone(),
            Value::Number(text) | Value::Text(text) => string(text),
            Value::List(nodes) => array(nodes.iter().map(|node| node.json(is_sorted))),
            Value::Table(members) => {
                let mut members: Vec<&Member> = members.iter().collect();
                if is_sorted {
                    members.sort_by(|one, other| one.name.cmp(&other.name));
                }
                let mut out = ObjectWriter::new();
                for member in members {
                    out.json(&member.name, member.node.json(is_sorted));
                }
                out.end()
            }
        }
    }

    /// Whether both say the same, wherever it stands.
    pub fn says(&self, other: &Node) -> bool {
        self.fingerprint() == other.fingerprint()
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

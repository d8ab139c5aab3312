//! A string of an entry, and the variables in it.

use serde::{Serialize, Serializer};

use super::Variables;

/// A string of an entry, in which variables may stand.
///
/// # Examples
///
/// ```
/// use toolwire_contract::server::{Text, Variables};
///
/// let text = Text::parse("Bearer ${TOKEN}", Variables::Default);
/// assert_eq!(text.write(Variables::Editor).as_deref(), Some("Bearer ${env:TOKEN}"));
/// assert_eq!(text.write(Variables::None), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// Its parts in order; no two literal ones stand side by side, and none is empty.
    pub parts: Vec<Part>,
}

/// A part of a string of an entry.
///
/// ```
/// use toolwire_contract::server::{Part, Text, Variables};
///
/// let text = Text::parse("${workspaceFolder}/x", Variables::Editor);
/// assert_eq!(text.parts[0], Part::Client("workspaceFolder".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Part {
    /// What is meant to the letter.
    Literal(String),
    /// An environment variable.
    Variable {
        /// Its name.
        #[serde(rename = "variable")]
        name: String,
        /// What stands there if it is not set or empty.
        #[serde(skip_serializing_if = "Option::is_none")]
        default: Option<String>,
    },
    /// A variable of the client's own, such as `workspaceFolder` or `input:key`.
    Client(#[serde(serialize_with = "client")] String),
}

fn client<S: Serializer>(name: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("client", name)])
}

/// A string, or an array of its parts if a variable stands in it.
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_literal() {
            Some(text) => serializer.serialize_str(text),
            None => self.parts.serialize(serializer),
        }
    }
}

impl Text {
    /// A string without variables.
    ///
    /// ```
    /// use toolwire_contract::server::{Text, Variables};
    ///
    /// assert_eq!(Text::literal("${X}").write(Variables::None).as_deref(), Some("${X}"));
    /// ```
    #[must_use]
    pub fn literal(text: &str) -> Text {
        let mut whole = Text::default();
        whole.push(text);
        whole
    }

    /// An environment variable and nothing else.
    ///
    /// ```
    /// use toolwire_contract::server::{Text, Variables};
    ///
    /// assert_eq!(Text::variable("X").write(Variables::Default).as_deref(), Some("${X}"));
    /// ```
    #[must_use]
    pub fn variable(name: &str) -> Text {
        Text {
            parts: vec![Part::Variable {
                name: name.to_owned(),
                default: None,
            }],
        }
    }

    /// Reads a string in which these variables may stand. What looks like one of another kind is meant to the
    /// letter.
    ///
    /// ```
    /// use toolwire_contract::server::{Text, Variables};
    ///
    /// assert_eq!(Text::parse("$HOME/x", Variables::Env), Text::literal("$HOME/x"));
    /// assert_ne!(Text::parse("$HOME/x", Variables::Shell), Text::literal("$HOME/x"));
    /// ```
    #[must_use]
    pub fn parse(text: &str, variables: Variables) -> Text {
        let mut whole = Text::default();
        if variables == Variables::None {
            whole.push(text);
            return whole;
        }
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            whole.push(&rest[..at]);
            let from = &rest[at..];
            rest = &from[1..];
            let (name, length) = match rest.strip_prefix('{') {
                Some(inner) => match inner.find('}') {
                    Some(end) => (&inner[..end], end + 2),
                    None => {
                        whole.push("$");
                        continue;
                    }
                },
                None if variables == Variables::Shell => {
                    let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
                    (&rest[..end], end)
                }
                None => ("", 0),
            };
            match part(name, variables) {
                Some(part) => whole.parts.push(part),
                None => whole.push(&from[..=length]),
            }
            rest = &rest[length..];
        }
        whole.push(rest);
        whole
    }

    /// The string in which these variables say the same; nothing if they can't.
    ///
    /// ```
    /// use toolwire_contract::server::{Text, Variables};
    ///
    /// let text = Text::parse("${PORT:-8080}", Variables::Default);
    /// assert_eq!(text.write(Variables::Default).as_deref(), Some("${PORT:-8080}"));
    /// assert_eq!(text.write(Variables::Shell), None);
    /// ```
    #[must_use]
    pub fn write(&self, variables: Variables) -> Option<String> {
        let mut text = String::new();
        for part in &self.parts {
            match (part, variables) {
                (Part::Literal(literal), _) => text.push_str(literal),
                (Part::Variable { name, default }, Variables::Default) => {
                    let default = default.as_ref().map(|default| format!(":-{default}"));
                    text.push_str(&format!("${{{name}{}}}", default.unwrap_or_default()));
                }
                (Part::Variable { name, .. }, Variables::Shell) => {
                    text.push_str(&format!("${{{name}}}"));
                }
                (Part::Variable { name, .. }, Variables::Env | Variables::Editor) => {
                    text.push_str(&format!("${{env:{name}}}"));
                }
                (Part::Client(name), Variables::Env | Variables::Editor) => {
                    text.push_str(&format!("${{{name}}}"));
                }
                (Part::Variable { .. }, Variables::None) | (Part::Client(_), _) => return None,
            }
        }
        // A literal `${X}` would be a variable there, and no client has an escape for it.
        (Text::parse(&text, variables) == *self).then_some(text)
    }

    /// The string itself, if no variable stands in it.
    ///
    /// ```
    /// use toolwire_contract::server::Text;
    ///
    /// assert_eq!(Text::literal("a").as_literal(), Some("a"));
    /// assert_eq!(Text::variable("A").as_literal(), None);
    /// ```
    #[must_use]
    pub fn as_literal(&self) -> Option<&str> {
        match &self.parts[..] {
            [] => Some(""),
            [Part::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The names of the environment variables in it.
    ///
    /// ```
    /// use toolwire_contract::server::Text;
    ///
    /// assert_eq!(Text::variable("A").variables().collect::<Vec<_>>(), ["A"]);
    /// ```
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Variable { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    /// Puts another text behind this one.
    pub(super) fn append(&mut self, other: Text) {
        for part in other.parts {
            match part {
                Part::Literal(text) => self.push(&text),
                part => self.parts.push(part),
            }
        }
    }

    /// Adds what is meant to the letter.
    fn push(&mut self, text: &str) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(Part::Literal(last)) => last.push_str(text),
            _ => self.parts.push(Part::Literal(text.to_owned())),
        }
    }
}

/// The variable with this name between braces, if it is one.
fn part(name: &str, variables: Variables) -> Option<Part> {
    let environment = |name: &str, default: Option<&str>| Part::Variable {
        name: name.to_owned(),
        default: default.map(str::to_owned),
    };
    match variables {
        Variables::None => None,
        Variables::Shell => is_variable(name).then(|| environment(name, None)),
        Variables::Default => match name.split_once(":-") {
            Some((name, default)) => is_variable(name).then(|| environment(name, Some(default))),
            None => is_variable(name).then(|| environment(name, None)),
        },
        Variables::Env | Variables::Editor => {
            if let Some(name) = name.strip_prefix("env:") {
                return Some(environment(name, None));
            }
            let asked = name.starts_with("input:") || name.starts_with("file:");
            let own = variables == Variables::Editor && !name.is_empty();
            (asked || own).then(|| Part::Client(name.to_owned()))
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a shell takes it for the name of a variable.
fn is_variable(name: &str) -> bool {
    name.chars().all(is_name) && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty()
}

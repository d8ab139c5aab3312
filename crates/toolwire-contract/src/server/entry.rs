//! A server without any secret: what every way to name one maps onto.

use std::collections::BTreeMap;

use serde::Serialize;
use toolwire::Json;

use super::Text;

/// A server, without the value of any environment variable or header: only the names of variables that have them.
///
/// # Examples
///
/// ```
/// use toolwire_contract::server::Entry;
///
/// let entry = Entry::program("biomcp", "uvx", &["biomcp-python"]);
/// assert_eq!(
///     entry.to_json().as_str(),
///     r#"{"name":"biomcp","command":"uvx","args":["biomcp-python"]}"#,
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// What the server is called, if it has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How it is reached.
    #[serde(flatten)]
    pub server: Server,
}

/// How a server is reached.
///
/// ```
/// use toolwire_contract::server::{Entry, Server};
///
/// let entry = Entry::program("x", "node", &["x.js"]);
/// assert!(matches!(entry.server, Server::Program { cwd: None, .. }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Server {
    /// A program that is started.
    Program {
        /// The program.
        command: Text,
        /// Its arguments.
        args: Vec<Text>,
        /// The variables that are set for it, and those that have their values; mostly the same.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        env: BTreeMap<String, String>,
        /// The folder in which it runs.
        #[serde(skip_serializing_if = "Option::is_none")]
        cwd: Option<Text>,
    },
    /// A server elsewhere.
    Url {
        /// Its address.
        url: Text,
        /// The headers of each request, and where their values are.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        headers: BTreeMap<String, Header>,
        /// Whether it speaks the old transport of two endpoints.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        sse: bool,
    },
}

/// Where the value of a header is.
///
/// ```
/// use toolwire_contract::server::{Header, Variables};
///
/// let header = Header { before: "Bearer ".to_owned(), variable: "TOKEN".to_owned() };
/// assert_eq!(header.text().write(Variables::Default).as_deref(), Some("Bearer ${TOKEN}"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Header {
    /// What stands before it: the name of a scheme and a space, such as `Bearer `, or nothing.
    pub before: String,
    /// The environment variable.
    pub variable: String,
}

impl Header {
    /// The value as a string with the variable in it.
    ///
    /// ```
    /// use toolwire_contract::server::{Header, Text};
    ///
    /// let header = Header { before: String::new(), variable: "KEY".to_owned() };
    /// assert_eq!(header.text(), Text::variable("KEY"));
    /// ```
    #[must_use]
    pub fn text(&self) -> Text {
        let mut text = Text::literal(&self.before);
        text.parts.extend(Text::variable(&self.variable).parts);
        text
    }
}

impl Entry {
    /// A program that is started with these words.
    ///
    /// ```
    /// use toolwire_contract::server::Entry;
    ///
    /// assert_eq!(Entry::program("x", "node", &["x.js"]).words().unwrap(), ["node", "x.js"]);
    /// ```
    #[must_use]
    pub fn program(name: &str, command: &str, args: &[&str]) -> Entry {
        Entry {
            name: Some(name.to_owned()),
            server: Server::Program {
                command: Text::literal(command),
                args: args.iter().map(|arg| Text::literal(arg)).collect(),
                env: BTreeMap::new(),
                cwd: None,
            },
        }
    }

    /// The program and its arguments, if no variable stands in them.
    ///
    /// ```
    /// use toolwire_contract::server::Entry;
    ///
    /// assert_eq!(Entry::program("x", "node", &[]).words().unwrap(), ["node"]);
    /// ```
    #[must_use]
    pub fn words(&self) -> Option<Vec<String>> {
        let Server::Program { command, args, .. } = &self.server else {
            return None;
        };
        let words = std::iter::once(command).chain(args);
        words
            .map(|word| word.as_literal().map(str::to_owned))
            .collect()
    }

    /// The entry as JSON: `name`; `command`, `args`, `env` (names to names) and `cwd`, or `url`, `headers`
    /// (`{"before","variable"}`) and `sse`. A text in which variables stand is an array of its parts: strings,
    /// `{"variable","default"}` and `{"client"}`.
    ///
    /// ```
    /// use toolwire_contract::server::Entry;
    ///
    /// let entry = Entry::program("x", "node", &[]);
    /// assert_eq!(entry.to_json().as_str(), r#"{"name":"x","command":"node","args":[]}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        Json::from_value(self).expect("it has texts only")
    }
}

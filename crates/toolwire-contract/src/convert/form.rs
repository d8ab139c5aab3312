//! The forms in which a server is named.

use std::fmt;
use std::str::FromStr;

use toolwire::{Code, Error};

use super::{Client, Syntax, Variables};
use crate::server::{OldTransport, Row};

/// A form in which a server is named.
///
/// ```
/// use toolwire_contract::convert::{Client, Form};
///
/// assert_eq!("zed".parse(), Ok(Form::Client(Client::Zed)));
/// assert_eq!(Form::McpServers.to_string(), "mcpServers");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// A launch URI (chapter 29).
    LaunchUri,
    /// A profile that is one document.
    Profile,
    /// A table `[servers.NAME]` of a manifest.
    Manifest,
    /// An entry of `mcpServers`, of no client in particular.
    McpServers,
    /// An entry in a file of this client.
    Client(Client),
}

impl Form {
    /// The form as a stable word: `launch-uri`, `profile`, `manifest`, `mcpServers`, or that of the client.
    ///
    /// ```
    /// assert_eq!(toolwire_contract::convert::Form::LaunchUri.as_str(), "launch-uri");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Form::LaunchUri => "launch-uri",
            Form::Profile => "profile",
            Form::Manifest => "manifest",
            Form::McpServers => "mcpServers",
            Form::Client(client) => client.as_str(),
        }
    }

    /// How an entry is written in this form; in a launch URI, there is none.
    pub(super) fn row(self) -> Row {
        let usual = Row {
            title: "an entry of `mcpServers`",
            variables: Variables::Default,
            old: OldTransport::Member("type"),
            cwd: true,
            ..Row::USUAL
        };
        match self {
            Form::Client(client) => *client.row(),
            Form::LaunchUri | Form::McpServers => usual,
            Form::Manifest => Row {
                title: "a manifest",
                key: "servers",
                syntax: Syntax::Toml,
                old: OldTransport::Member("transport"),
                ..usual
            },
            Form::Profile => Row {
                title: "a profile",
                further: ["stdio", "http"].map(|word| Some(("transport", word))),
                old: OldTransport::Member("transport"),
                ..usual
            },
        }
    }

    /// All forms.
    ///
    /// ```
    /// assert_eq!(toolwire_contract::convert::Form::all().count(), 12);
    /// ```
    pub fn all() -> impl Iterator<Item = Form> {
        let own = [
            Form::LaunchUri,
            Form::Profile,
            Form::Manifest,
            Form::McpServers,
        ];
        own.into_iter()
            .chain(Client::ALL.iter().copied().map(Form::Client))
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Form {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        Form::all()
            .find(|form| form.as_str() == word)
            .ok_or_else(|| {
                let known: Vec<String> = Form::all().map(|form| format!("`{form}`")).collect();
                let known = known.join(", ");
                let message = match word {
                    "" => format!("the form is missing; name one of {known}"),
                    _ => format!("there is no form `{word}`; one of {known} is meant"),
                };
                Error::new(Code::BadOption, "", None, message)
            })
    }
}

//! An entry as a file spells it: values to the letter, variables not replaced.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use toolwire::json::{Document, Kind, Place};
use toolwire::{Code, Error, Json};

use super::{Client, Header, OldTransport};
use crate::unplaced;

/// The members of an entry that are understood, whichever client wrote it.
///
/// ```
/// assert!(toolwire_contract::server::MEMBERS.contains(&"args"));
/// ```
pub const MEMBERS: [&str; 16] = [
    "command",
    "args",
    "env",
    "env_vars",
    "cwd",
    "type",
    "transport",
    "url",
    "httpUrl",
    "serverUrl",
    "headers",
    "http_headers",
    "env_http_headers",
    "bearer_token_env_var",
    "source",
    "envFile",
];

/// An entry as a file spells it. It may hold secrets, and `Debug` does not show them.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::server::{Client, Spelled, SpelledServer};
///
/// let entry = Json::new(r#"{"command":"uvx","args":["biomcp"],"env":{"KEY":"${env:KEY}"}}"#)?;
/// let spelled = Spelled::read(&entry, Some(Client::Cursor))?;
/// let SpelledServer::Program { args, .. } = spelled.server else { panic!() };
/// assert_eq!(args, ["biomcp"]);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelled {
    /// How the server is reached.
    pub server: SpelledServer,
    /// The names of the members that only its client knows.
    pub more: Vec<String>,
}

/// How the server of an entry is reached.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::server::{Spelled, SpelledServer};
///
/// let spelled = Spelled::read(&Json::new(r#"{"url":"https://example.org/mcp"}"#)?, None)?;
/// assert!(matches!(spelled.server, SpelledServer::Url { sse: false, .. }));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum SpelledServer {
    /// A program that is started.
    Program {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables that are set for it.
        env: BTreeMap<String, String>,
        /// Variables that it gets as the client has them.
        env_vars: Vec<String>,
        /// The folder in which it runs.
        cwd: Option<String>,
    },
    /// A server elsewhere.
    Url {
        /// Its address.
        url: String,
        /// Headers of each request.
        headers: BTreeMap<String, String>,
        /// Headers whose values are in the environment.
        environment_headers: BTreeMap<String, Header>,
        /// Whether it speaks the old transport of two endpoints.
        sse: bool,
    },
}

/// Without what it holds, which may be secrets.
impl fmt::Debug for SpelledServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpelledServer").finish_non_exhaustive()
    }
}

impl Spelled {
    /// Reads the members of an entry as its client does; without one, as any of them does.
    ///
    /// # Errors
    ///
    /// `bad_server_entry` with a pointer to the first member that can't have its value, or if nothing says how
    /// the server is reached.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::server::Spelled;
    ///
    /// let error = Spelled::read(&Json::new(r#"{"command":"uvx","args":"x"}"#)?, None).unwrap_err();
    /// assert_eq!(error.pointer(), "/args");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn read(members: &Json, client: Option<Client>) -> Result<Spelled, Error> {
        let document = Document::new(members.as_str())?;
        let root = Place::new(document.root(), "", Code::BadServerEntry);
        let read = |root: &Place<'_>| match (root.node.kind(), root.member("command")) {
            (Kind::Object, Some(command)) => program(root, command),
            (Kind::Object, None) => elsewhere(root, client),
            _ => Err(root.refuse("it must be an object")),
        };
        let server = read(&root).map_err(|error| unplaced(&error))?;
        let more = root.node.members().map(|(name, _)| name.into_owned());
        let more = more.filter(|name| !MEMBERS.contains(&name.as_str()));
        Ok(Spelled {
            server,
            more: more.collect(),
        })
    }
}

fn program(root: &Place<'_>, command: Place<'_>) -> Result<SpelledServer, Error> {
    if let Some(file) = root.member("envFile") {
        let message = "a file of variables is not read; write them into `env`, or set them";
        return Err(file.refuse(message));
    }
    // Zed wrote `{"path": …, "args": …, "env": …}` for the command, before it was a string.
    let (rest, name) = match command.node.kind() {
        Kind::Object => (&command, text(&command, "path")?),
        _ => (root, text(root, "command")?),
    };
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return Err(command.refuse("name a program"));
    };
    Ok(SpelledServer::Program {
        command: name,
        args: texts(rest, "args")?,
        env: table(rest, "env")?,
        env_vars: texts(root, "env_vars")?,
        cwd: text(root, "cwd")?,
    })
}

fn elsewhere(root: &Place<'_>, client: Option<Client>) -> Result<SpelledServer, Error> {
    let keys: &[&str] = client.map_or(&["url", "httpUrl", "serverUrl"], Client::url_members);
    for key in keys {
        let Some(url) = text(root, key)? else {
            continue;
        };
        let kind = match text(root, "type")? {
            Some(kind) => Some(kind),
            None => text(root, "transport")?,
        };
        let sse = match kind.as_deref() {
            Some(kind) => kind.eq_ignore_ascii_case("sse"),
            None => client.is_some_and(|client| client.row().old == OldTransport::Url(key)),
        };
        let mut headers = table(root, "headers")?;
        headers.extend(table(root, "http_headers")?);
        let named = |before: &str, variable| Header {
            before: before.to_owned(),
            variable,
        };
        let of_headers = table(root, "env_http_headers")?.into_iter();
        let mut environment_headers: BTreeMap<_, _> = of_headers
            .map(|(name, variable)| (name, named("", variable)))
            .collect();
        if let Some(variable) = text(root, "bearer_token_env_var")? {
            environment_headers.insert("Authorization".to_owned(), named("Bearer ", variable));
        }
        return Ok(SpelledServer::Url {
            url,
            headers,
            environment_headers,
            sse,
        });
    }
    let message = match keys.first() {
        None => "name a program in `command`".to_owned(),
        Some(key) => format!("name a program in `command`, or a server's URL in `{key}`"),
    };
    Err(root.refuse(message))
}

fn text(place: &Place<'_>, key: &str) -> Result<Option<String>, Error> {
    place.given(key).map(|value| string(&value)).transpose()
}

/// A value may be a secret, so that no message has it.
fn string(value: &Place<'_>) -> Result<String, Error> {
    let text = value.node.as_str().map(Cow::into_owned);
    text.ok_or_else(|| value.refuse("it must be a string"))
}

fn texts(place: &Place<'_>, key: &str) -> Result<Vec<String>, Error> {
    match place.given(key) {
        None => Ok(Vec::new()),
        Some(all) if all.node.kind() == Kind::Array => {
            all.elements().map(|word| string(&word)).collect()
        }
        Some(other) => Err(other.refuse("it must be an array of strings")),
    }
}

/// An object of strings; numbers and booleans are taken as they are written.
fn table(place: &Place<'_>, key: &str) -> Result<BTreeMap<String, String>, Error> {
    let Some(table) = place.given(key) else {
        return Ok(BTreeMap::new());
    };
    if table.node.kind() != Kind::Object {
        return Err(table.refuse("it must be an object of strings"));
    }
    let members = table.members().map(|(name, value)| {
        let text = match value.node.kind() {
            Kind::Number | Kind::Bool => value.node.raw().to_owned(),
            _ => string(&value)?,
        };
        Ok((name.into_owned(), text))
    });
    members.collect()
}

//! An entry as a file spells it: values to the letter, variables not replaced (CFG-13).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use toolwire::json::{Document, Kind, Node, pointer};
use toolwire::{Error, Json};

use super::{Client, bad};

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
        environment_headers: Vec<EnvironmentHeader>,
        /// Whether it speaks the old transport of two endpoints.
        sse: bool,
    },
}

/// A header whose value is in the environment.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::server::{Spelled, SpelledServer};
///
/// let entry = Json::new(r#"{"url":"https://example.org/mcp","bearer_token_env_var":"TOKEN"}"#)?;
/// let SpelledServer::Url { environment_headers, .. } = Spelled::read(&entry, None)?.server else { panic!() };
/// assert_eq!(environment_headers[0].before, "Bearer ");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentHeader {
    /// The header.
    pub name: String,
    /// What stands before the value.
    pub before: &'static str,
    /// The environment variable.
    pub variable: String,
}

/// Without the values of variables and headers, which may be secrets.
impl fmt::Debug for SpelledServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpelledServer::Program {
                command,
                env,
                env_vars,
                cwd,
                ..
            } => f
                .debug_struct("Program")
                .field("command", command)
                .field("env", &env.keys())
                .field("env_vars", env_vars)
                .field("cwd", cwd)
                .finish_non_exhaustive(),
            SpelledServer::Url {
                headers,
                environment_headers,
                sse,
                ..
            } => f
                .debug_struct("Url")
                .field("headers", &headers.keys())
                .field("environment_headers", environment_headers)
                .field("sse", sse)
                .finish_non_exhaustive(),
        }
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
        let root = document.root();
        if root.kind() != Kind::Object {
            return Err(bad("", "it must be an object"));
        }
        let server = match root.get("command") {
            Some(command) => program(root, command)?,
            None => elsewhere(root, client)?,
        };
        let more = root.members().map(|(name, _)| name.into_owned());
        let more = more.filter(|name| !MEMBERS.contains(&name.as_str()));
        Ok(Spelled {
            server,
            more: more.collect(),
        })
    }
}

fn program(root: Node<'_>, command: Node<'_>) -> Result<SpelledServer, Error> {
    if root.get("envFile").is_some() {
        let message = "a file of variables is not read; write them into `env`, or set them";
        return Err(bad("/envFile", message));
    }
    // Zed wrote `{"path": …, "args": …, "env": …}` for the command, before it was a string.
    let (rest, place, name) = match command.kind() {
        Kind::Object => (command, "/command", text(command, "/command", "path")?),
        _ => (root, "", text(root, "", "command")?),
    };
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return Err(bad("/command", "name a program"));
    };
    Ok(SpelledServer::Program {
        command: name,
        args: texts(rest, place, "args")?,
        env: table(rest, place, "env")?,
        env_vars: texts(root, "", "env_vars")?,
        cwd: text(root, "", "cwd")?,
    })
}

fn elsewhere(root: Node<'_>, client: Option<Client>) -> Result<SpelledServer, Error> {
    let keys: &[&str] = client.map_or(&["url", "httpUrl", "serverUrl"], Client::url_members);
    for key in keys {
        let Some(url) = text(root, "", key)? else {
            continue;
        };
        let kind = match text(root, "", "type")? {
            Some(kind) => Some(kind),
            None => text(root, "", "transport")?,
        };
        let sse = match kind.as_deref() {
            Some(kind) => kind.eq_ignore_ascii_case("sse"),
            // There, a URL without a type is that of the old transport.
            None => client == Some(Client::Gemini) && *key == "url",
        };
        let mut headers = table(root, "", "headers")?;
        headers.extend(table(root, "", "http_headers")?);
        let mut environment_headers = Vec::new();
        for (name, variable) in table(root, "", "env_http_headers")? {
            environment_headers.push(EnvironmentHeader {
                name,
                before: "",
                variable,
            });
        }
        if let Some(variable) = text(root, "", "bearer_token_env_var")? {
            environment_headers.push(EnvironmentHeader {
                name: "Authorization".to_owned(),
                before: "Bearer ",
                variable,
            });
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
    Err(bad("", message))
}

fn text(node: Node<'_>, place: &str, key: &str) -> Result<Option<String>, Error> {
    match node.get(key) {
        None => Ok(None),
        Some(value) if value.kind() == Kind::Null => Ok(None),
        Some(value) => match value.as_str() {
            Some(text) => Ok(Some(text.into_owned())),
            None => Err(bad(pointer::join(place, key), "it must be a string")),
        },
    }
}

fn texts(node: Node<'_>, place: &str, key: &str) -> Result<Vec<String>, Error> {
    let place = pointer::join(place, key);
    let wrong = |place: &str| bad(place, "it must be an array of strings");
    match node.get(key).map(|node| (node, node.kind())) {
        None | Some((_, Kind::Null)) => Ok(Vec::new()),
        Some((node, Kind::Array)) => {
            let all = node.elements().enumerate();
            let texts = all.map(|(at, node)| {
                let text = node.as_str().map(Cow::into_owned);
                text.ok_or_else(|| wrong(&format!("{place}/{at}")))
            });
            texts.collect()
        }
        Some(_) => Err(wrong(&place)),
    }
}

/// An object of strings; numbers and booleans are taken as they are written.
fn table(node: Node<'_>, place: &str, key: &str) -> Result<BTreeMap<String, String>, Error> {
    let place = pointer::join(place, key);
    let wrong = |place: &str| bad(place, "it must be an object of strings");
    match node.get(key).map(|node| (node, node.kind())) {
        None | Some((_, Kind::Null)) => Ok(BTreeMap::new()),
        Some((node, Kind::Object)) => {
            let members = node.members().map(|(name, value)| {
                let text = match (value.as_str(), value.kind()) {
                    (Some(text), _) => text.into_owned(),
                    (None, Kind::Number | Kind::Bool) => value.raw().to_owned(),
                    _ => return Err(wrong(&pointer::join(&place, &name))),
                };
                Ok((name.into_owned(), text))
            });
            members.collect()
        }
        Some(_) => Err(wrong(&place)),
    }
}

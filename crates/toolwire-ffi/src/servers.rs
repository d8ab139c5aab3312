//! Which MCP server a program means, and why one can't be used.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use toolwire_host::clients::{self, Surroundings};
use toolwire_host::{Command, ProcessOptions};
use toolwire_mcp::client::{ClientError, Header, Server};

/// Why a server can't be used: a code and a message.
#[derive(Debug)]
pub struct ServerError {
    /// A stable word.
    pub code: &'static str,
    /// What is wrong, for people.
    pub message: String,
}

impl ServerError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        ServerError {
            code,
            message: message.into(),
        }
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<ClientError> for ServerError {
    fn from(error: ClientError) -> Self {
        ServerError::new(error.kind().as_str(), error.to_string())
    }
}

impl From<clients::ClientError> for ServerError {
    fn from(error: clients::ClientError) -> Self {
        use clients::ClientErrorKind as Kind;
        let code = match error.kind() {
            Kind::BadFile => "bad_config",
            Kind::UnknownServer | Kind::AmbiguousServer => "unknown_server",
            Kind::Unresolved => "unresolved_config",
            Kind::Untrusted => "untrusted_server",
            _ => "system_error",
        };
        ServerError::new(code, error.to_string())
    }
}

/// A server, and what messages call it.
#[derive(Debug)]
pub struct Named {
    /// What messages call it.
    pub label: String,
    /// How it is reached.
    pub server: Server,
}

/// How a server is reached, beside what names it.
#[derive(Debug, Default)]
pub struct Reach {
    /// How its program is started.
    pub options: ProcessOptions,
    /// Variables that are set for it, on top of those of the options and of a file.
    pub env: BTreeMap<String, String>,
    /// Headers for its URL, on top of those of a file.
    pub headers: Vec<Header>,
    /// The file of an MCP client in which a name is looked up, instead of the usual files.
    pub config: Option<PathBuf>,
}

impl Named {
    /// The server that a command starts.
    ///
    /// # Errors
    ///
    /// `bad_option` for headers, which are of no use to a program.
    pub fn command(command: Command, reach: Reach) -> Result<Self, ServerError> {
        let server = program(command, BTreeMap::new(), reach)?;
        Ok(Named {
            label: server.label(),
            server,
        })
    }

    /// The server that one word names, as `toolwire call` reads it (CLI-160): a URL, the path of a program, or
    /// a name from the files of MCP clients.
    ///
    /// # Errors
    ///
    /// `bad_option` for headers where there is no URL; `unknown_server`, `bad_config`, `unresolved_config` or
    /// `untrusted_server` for a name.
    pub fn word(word: &str, reach: Reach) -> Result<Self, ServerError> {
        if word.starts_with("http://") || word.starts_with("https://") {
            let server = url(word, BTreeMap::new(), reach.headers);
            return Ok(Named {
                label: server.label(),
                server,
            });
        }
        if word.chars().any(std::path::is_separator) {
            return Named::command(Command::new(word), reach);
        }
        Ok(Named {
            label: word.to_owned(),
            server: entry(word, reach)?,
        })
    }
}

fn program(
    command: Command,
    first: BTreeMap<String, String>,
    reach: Reach,
) -> Result<Server, ServerError> {
    if !reach.headers.is_empty() {
        return Err(ServerError::new(
            "bad_option",
            "`headers` are for servers with a URL; give a program its secrets in variables of its environment",
        ));
    }
    let mut options = reach.options;
    let variables = first.into_iter().chain(reach.env);
    options.environment = variables.fold(options.environment, |all, (name, value)| {
        all.with(name, value)
    });
    Ok(Server::program(command, options))
}

fn url(url: &str, first: BTreeMap<String, String>, more: Vec<Header>) -> Server {
    let replaced = |name: &str| {
        more.iter()
            .any(|header| header.name.eq_ignore_ascii_case(name))
    };
    let first = first.into_iter().filter(|(name, _)| !replaced(name));
    let mut all: Vec<Header> = first
        .map(|(name, value)| Header::new(name, value))
        .collect();
    all.extend(more.iter().cloned());
    let mut server = Server::http(url);
    if let Server::Http { headers, .. } = &mut server {
        *headers = all;
    }
    server
}

/// The server of that name in the files of MCP clients.
fn entry(name: &str, mut reach: Reach) -> Result<Server, ServerError> {
    let surroundings = Surroundings::current();
    let entry = match &reach.config {
        Some(file) => clients::read_file(file, Some(name), &surroundings)?,
        None => clients::find(name, &surroundings)?.entry,
    };
    if !entry.is_approved()? {
        let place = entry.place();
        let message = format!(
            "the server `{name}` is named only by a file of this workspace, {place}, and nobody has approved it; run \
             `toolwire trust --server {name}`"
        );
        return Err(ServerError::new("untrusted_server", message));
    }
    match entry.resolve(&surroundings)?.target {
        clients::Target::Program {
            command,
            arguments,
            env,
            cwd,
        } => {
            reach.options.cwd = reach.options.cwd.or(cwd);
            program(Command::new(command).args(arguments), env, reach)
        }
        clients::Target::Url { sse: true, .. } => {
            let message = format!(
                "the server `{name}` speaks the HTTP+SSE transport of 2024-11-05, which Toolwire does not; use the URL of \
                 its Streamable HTTP"
            );
            Err(ServerError::new("not_connected", message))
        }
        clients::Target::Url {
            url: address,
            headers,
            ..
        } => Ok(url(&address, headers, reach.headers)),
    }
}

//! Which server is meant (CLI-170), and how it is reached.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

use toolwire::event::Level;
use toolwire_host::clients;
use toolwire_host::{CallMode, Command, Environment, ProcessOptions};
use toolwire_mcp::client::{ClientOptions, Header, Server, TaskWatcher};

use super::task::Tasks;
use crate::args::ServerArgs;
use crate::exit::{Failure, Result};
use crate::run::{Session, Target};
use crate::servers;

/// A server that was named, before anything of it was started.
pub struct Named {
    /// What messages call it.
    pub label: String,
    reached: Reached,
    /// What the file that names it says to Toolwire (CFG-17).
    legacy: bool,
    context: bool,
}

/// What only some commands are told about a call.
#[derive(Default)]
pub struct Extra {
    pub legacy: bool,
    pub log_level: Option<Level>,
    pub tasks: Option<Arc<Tasks>>,
}

enum Reached {
    Program(Box<Target>),
    Url { url: String, headers: Vec<Header> },
}

impl Named {
    /// The server of a command behind `--`, or of a word.
    pub fn find(word: Option<&OsStr>, command: &[OsString], args: &ServerArgs) -> Result<Named> {
        if let [program, arguments @ ..] = command {
            return Named::command(Command::new(program).args(arguments));
        }
        let word = word.unwrap_or_default();
        let text = word.to_string_lossy();
        if text.starts_with("http://") || text.starts_with("https://") {
            let url = text.into_owned();
            return Ok(Named {
                label: Server::http(&url).label(),
                reached: Reached::Url {
                    url,
                    headers: Vec::new(),
                },
                legacy: false,
                context: false,
            });
        }
        if let Some(url) = meant_as_url(&text) {
            return Err(Failure::Wrong(vec![format!(
                "`{text}` is no URL of a server; write {url}"
            )]));
        }
        let is_path = text.chars().any(std::path::is_separator);
        match is_path {
            true => Named::command(Command::new(word)),
            false => Named::entry(&text, args.config.as_deref()),
        }
    }

    /// A program that was named here. A tool of Toolwire would wait for the end of its call for ever.
    fn command(command: Command) -> Result<Named> {
        let mode = CallMode::of(&command, &ProcessOptions::default(), false);
        if command.arguments().is_empty() && matches!(mode, Ok(CallMode::Describe)) {
            let program = command.program().to_string_lossy().into_owned();
            return Err(Failure::Refused(format!(
                "`{program}` is a tool of Toolwire and no MCP server; use `toolwire run {program}`"
            )));
        }
        Ok(Named::program(command))
    }

    fn program(command: Command) -> Named {
        let target = Target::of_program(command, false);
        let server = Server::program(target.program.clone(), ProcessOptions::default());
        Named {
            label: server.label(),
            reached: Reached::Program(Box::new(target)),
            legacy: false,
            context: false,
        }
    }

    /// Whether it is a program that is started.
    pub fn is_program(&self) -> bool {
        matches!(self.reached, Reached::Program(_))
    }

    /// The server of that name in the files of MCP clients.
    fn entry(name: &str, file: Option<&Path>) -> Result<Named> {
        let found = servers::named(Some(name), file)?;
        let reached = match found.target {
            clients::Target::Program {
                command,
                arguments,
                env,
                cwd,
            } => {
                let mut target = Target::of_program(Command::new(command).args(arguments), false);
                target.settings.env = env;
                target.settings.inherit = Some(Environment::standard());
                target.settings.cwd = cwd;
                Reached::Program(Box::new(target))
            }
            clients::Target::Url { url, headers, sse } => {
                if sse {
                    return Err(Failure::Refused(format!(
                        "the server `{name}` speaks the HTTP+SSE transport of 2024-11-05, which Toolwire does \
                         not; use the URL of its Streamable HTTP"
                    )));
                }
                let headers = headers.into_iter();
                let headers = headers.map(|(name, value)| Header::new(name, value));
                Reached::Url {
                    url,
                    headers: headers.collect(),
                }
            }
        };
        Ok(Named {
            label: name.to_owned(),
            reached,
            legacy: found.legacy,
            context: found.context,
        })
    }

    /// What the process of this command needs to know of it.
    pub fn target(&self) -> Target {
        let mut target = match &self.reached {
            Reached::Program(target) => {
                let mut copy = Target::of_program(target.program.clone(), false);
                copy.settings.env = target.settings.env.clone();
                copy.settings.inherit = target.settings.inherit.clone();
                copy.settings.cwd = target.settings.cwd.clone();
                copy
            }
            Reached::Url { .. } => Target::of_program(Command::new(""), false),
        };
        target.label.clone_from(&self.label);
        target
    }

    /// The server, with the headers of `--header-env`.
    pub fn server(self, args: &ServerArgs, session: &Session) -> Result<Server> {
        match self.reached {
            Reached::Program(target) => {
                if let Some(header) = args.header_env.first() {
                    return Err(Failure::usage(format!(
                        "`--header-env {}=…` is for servers with a URL; give a program its secrets with \
                         `--inherit standard,{}`",
                        header.header, header.variable
                    )));
                }
                Ok(Server::program(target.program, session.options.clone()))
            }
            Reached::Url { url, mut headers } => {
                for given in &args.header_env {
                    headers.retain(|header| !header.name.eq_ignore_ascii_case(&given.header));
                    headers.push(Header::new(&given.header, value(given)?));
                }
                let mut server = Server::http(url);
                if let Server::Http { headers: all, .. } = &mut server {
                    *all = headers;
                }
                Ok(server)
            }
        }
    }
}

/// How the server is used.
pub fn client_options(
    named: &Named,
    args: &ServerArgs,
    extra: Extra,
    session: &Session,
) -> ClientOptions {
    let usual = ClientOptions::default();
    ClientOptions {
        connect_timeout: args.connect_timeout.unwrap_or(usual.connect_timeout),
        timeout: args.timeout,
        max_timeout: args.max_timeout.unwrap_or(usual.max_timeout),
        max_message: args.max_output.unwrap_or(usual.max_message),
        send_context: args.toolwire || named.context,
        legacy: extra.legacy || named.legacy,
        log_level: extra.log_level,
        // The connection lasts for one call.
        listen: false,
        task_watcher: extra.tasks.map(|tasks| tasks as Arc<dyn TaskWatcher>),
        on_stderr: Some(session.screen.observer()),
        ..usual
    }
}

/// The value of a header, from the environment. A token for `Authorization` may stand there alone.
fn value(given: &crate::args::HeaderVariable) -> Result<String> {
    let variable = &given.variable;
    let value = std::env::var(variable).map_err(|_| {
        Failure::Wrong(vec![format!(
            "the environment variable `{variable}` is not set, or is no text"
        )])
    })?;
    let value = value.trim().to_owned();
    let bare = given.header.eq_ignore_ascii_case("authorization") && !value.contains(' ');
    Ok(if bare {
        format!("Bearer {value}")
    } else {
        value
    })
}

/// The URL that a word was probably meant to be: one of another scheme, or a host with its port.
fn meant_as_url(word: &str) -> Option<String> {
    if let Some((scheme, rest)) = word.split_once("://") {
        let is_scheme = scheme
            .chars()
            .all(|one| one.is_ascii_alphanumeric() || "+.-".contains(one));
        return is_scheme.then(|| format!("one with `http` or `https`, as in `http://{rest}`"));
    }
    let (host, rest) = word.split_once(':')?;
    let port = rest.split('/').next().unwrap_or_default();
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_host = !host.is_empty() && !host.contains(std::path::is_separator);
    let path = if rest.contains('/') { "" } else { "/mcp" };
    (is_host && is_port).then(|| format!("`http://{word}{path}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_almost_a_url_is_named() {
        for (word, url) in [
            (
                "ftp://a/mcp",
                Some("one with `http` or `https`, as in `http://a/mcp`"),
            ),
            ("localhost:8080", Some("`http://localhost:8080/mcp`")),
            ("127.0.0.1:8080/x", Some("`http://127.0.0.1:8080/x`")),
            ("cursor:files", None),
            ("./a:1", None),
            ("files", None),
        ] {
            assert_eq!(meant_as_url(word).as_deref(), url, "{word}");
        }
    }
}

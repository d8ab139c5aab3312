//! Which MCP server a program means, and why one can't be used.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use toolwire_host::{Command, ProcessOptions};
use toolwire_mcp::client::{ClientError, Header, Server};
use toolwire_source::{
    Expected, Folder, OpenFolder, Places, Reached, Source, SourceError, ToolsError,
};

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

impl From<ToolsError> for ServerError {
    fn from(error: ToolsError) -> Self {
        ServerError::new(error.code, error.message)
    }
}

impl From<SourceError> for ServerError {
    fn from(error: SourceError) -> Self {
        ServerError::new(error.kind().as_str(), error.to_string())
    }
}

/// A server, and what messages call it.
#[derive(Debug)]
pub(crate) struct Named {
    /// What messages call it.
    pub(crate) label: String,
    /// How it is reached.
    pub(crate) server: Server,
    /// Whether it gets the context of calls, although it does not declare that it knows Toolwire.
    pub(crate) context: bool,
    /// Whether its results may be an `Outcome`.
    pub(crate) legacy: bool,
    /// Holds the folder in which its program starts.
    pub(crate) folder: OpenFolder,
    /// What a profile expects of it.
    pub(crate) expected: Option<Expected>,
}

/// How a server is reached, beside what names it.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// How its program is started.
    pub(crate) options: ProcessOptions,
    /// Variables that are set for it, on top of those of the options and of a file.
    pub(crate) env: BTreeMap<String, String>,
    /// Headers for its URL, on top of those of a file.
    pub(crate) headers: Vec<Header>,
    /// The file of an MCP client in which a name is looked up, instead of the usual files.
    pub(crate) config: Option<PathBuf>,
    /// Whether the caller agrees to a command that comes from a launch URI or a client's file.
    pub(crate) trust: bool,
}

impl Named {
    /// The server that a command starts.
    ///
    /// # Errors
    ///
    /// `bad_option` for headers, which are of no use to a program.
    pub(crate) fn command(command: Command, reach: Reach) -> Result<Self, ServerError> {
        Named::of(toolwire_source::command(command), reach)
    }

    /// The server that one word names, as every command of `toolwire` reads it.
    ///
    /// # Errors
    ///
    /// `bad_option` for headers where there is no URL, and for a word that can't be meant like that;
    /// `unknown_server`, `bad_config`, `bad_manifest` or `unresolved_config` for a name; `untrusted_server` for a
    /// command that nobody has agreed to; `bad_option` for a plain program and `not_connected` for a tool.
    pub(crate) fn word(word: &str, reach: Reach) -> Result<Self, ServerError> {
        let places = Places {
            config: reach.config.clone(),
            ..Places::default()
        };
        Named::of(toolwire_source::resolve(word.as_ref(), &places)?, reach)
    }

    fn of(source: Source, reach: Reach) -> Result<Self, ServerError> {
        if let Some(pending) = source.consent.as_ref().filter(|_| !reach.trust)
            && !pending.is_agreed()?
        {
            return Err(pending.refusal("or agree with the option `trust`").into());
        }
        let mut options = reach.options;
        let mut folder = Folder::Current.open()?;
        if let Reached::Program(program) = &source.reached {
            if !reach.headers.is_empty() {
                return Err(ServerError::new(
                    "bad_option",
                    "`headers` are for servers with a URL; give a program its secrets in variables of its environment",
                ));
            }
            let variables = program.env.clone().into_iter().chain(reach.env);
            options.environment = variables.fold(options.environment, |all, (name, value)| {
                all.with(name, value)
            });
            if options.cwd.is_none() {
                folder = program.folder.open()?;
                options.cwd = folder.path().map(PathBuf::from);
            }
        }
        let server = source.server(options, &reach.headers)?;
        let expected = Expected::of(&source);
        Ok(Named {
            label: source.label,
            server,
            context: source.context,
            legacy: source.legacy,
            folder,
            expected,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `connect` takes a word and a list for what the commands take them.
    #[test]
    fn what_is_no_server_is_refused_before_it_starts() {
        let folder = std::env::temp_dir().join(format!("toolwire-servers-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name).display().to_string();
        std::fs::write(path("tool.sh"), "# toolwire-tool: 1\n").unwrap();
        std::fs::write(path("plain.sh"), "echo ran\n").unwrap();
        let word = |name: &str| Named::word(&path(name), Reach::default()).unwrap_err();
        assert_eq!(word("tool.sh").code, "not_connected");
        let plain = word("plain.sh");
        assert_eq!(plain.code, "bad_option");
        assert!(plain.message.contains("give a list: `[\""), "{plain}");
        assert_eq!(word("none.sh").code, "system_error");
        let command = |name: &str| {
            let command = Command::new("sh").arg(path(name));
            Named::command(command, Reach::default()).map_err(|error| error.code)
        };
        assert_eq!(command("tool.sh").unwrap_err(), "not_connected");
        assert!(command("plain.sh").is_ok());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

//! Which server, and how it is used.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use toolwire::Limits;
use toolwire::event::Level;
use toolwire_host::{Command, Observer, ProcessOptions};

use super::TaskWatcher;

/// An MCP server.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Server {
    /// A program that is started, and speaks on its stdin and stdout.
    Program {
        /// The program and its arguments.
        command: Command,
        /// How it is started: the folder, the environment and the grace of these options apply.
        options: Box<ProcessOptions>,
    },
    /// A server that is reached by Streamable HTTP.
    Http {
        /// Its URL, `http` or `https`.
        url: String,
        /// Headers for every request to it, and to nobody else.
        headers: Vec<Header>,
    },
}

/// A header of HTTP. Its value may be a secret, so it is not shown.
///
/// ```
/// use toolwire_mcp::client::Header;
///
/// let header = Header::new("Authorization", "Bearer 42");
/// assert!(!format!("{header:?}").contains("42"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl Header {
    /// A header.
    #[must_use]
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Header {
            name: name.into(),
            value: value.into(),
        }
    }
}

impl std::fmt::Debug for Header {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: …", self.name)
    }
}

impl Server {
    /// A program that is started.
    ///
    /// ```
    /// use toolwire_host::{Command, ProcessOptions};
    /// use toolwire_mcp::client::Server;
    ///
    /// let command = Command::new("npx").args(["-y", "@modelcontextprotocol/server-everything"]);
    /// let server = Server::program(command, ProcessOptions::default());
    /// assert!(matches!(server, Server::Program { .. }));
    /// ```
    #[must_use]
    pub fn program(command: Command, options: ProcessOptions) -> Self {
        Server::Program {
            command,
            options: Box::new(options),
        }
    }

    /// A server that is reached by its URL.
    ///
    /// ```
    /// use toolwire_mcp::client::Server;
    ///
    /// assert!(matches!(Server::http("http://127.0.0.1:8080/mcp"), Server::Http { .. }));
    /// ```
    #[must_use]
    pub fn http(url: impl Into<String>) -> Self {
        Server::Http {
            url: url.into(),
            headers: Vec::new(),
        }
    }
}

impl Server {
    /// What tells it apart for a person: the host of a URL with its port; the package that `npx` and its like
    /// start, or the name of the program without its folder and extension.
    ///
    /// ```
    /// use toolwire_host::{Command, ProcessOptions};
    /// use toolwire_mcp::client::Server;
    ///
    /// assert_eq!(Server::http("https://user:pw@example.org:8443/mcp?x").label(), "example.org:8443");
    /// let label = |program, words: &[&str]| {
    ///     Server::program(Command::new(program).args(words), ProcessOptions::default()).label()
    /// };
    /// assert_eq!(label("npx", &["-y", "@scope/server-everything", "stdio"]), "@scope/server-everything");
    /// assert_eq!(label("/opt/x/server.py", &["--quiet"]), "server");
    /// assert_eq!(label("npx", &[]), "npx");
    /// ```
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Server::Http { url, .. } => {
                let behind = url
                    .split_once("://")
                    .map_or(url.as_str(), |(_, behind)| behind);
                let host = behind.split(['/', '?', '#']).next().unwrap_or_default();
                host.rsplit('@').next().unwrap_or_default().to_owned()
            }
            Server::Program { command, .. } => {
                let stem = Path::new(command.program()).file_stem().unwrap_or_default();
                let name = stem.to_string_lossy().into_owned();
                let words = command.arguments().iter().filter_map(|word| word.to_str());
                let starts = ["npx", "uvx", "bunx", "pnpx"].contains(&name.as_str());
                let package = words.filter(|_| starts).find(|word| !word.starts_with('-'));
                package.map_or(name, str::to_owned)
            }
        }
    }
}

/// How a server is used. The default has no time-out for calls.
///
/// ```
/// use std::time::Duration;
/// use toolwire_mcp::client::ClientOptions;
///
/// let options = ClientOptions { timeout: Some(Duration::from_secs(30)), ..ClientOptions::default() };
/// assert_eq!(options.max_message, 64 * 1024 * 1024);
/// ```
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// How long a server may take to be ready for calls, and to list its tools; default one minute.
    pub connect_timeout: Duration,
    /// How long a call may be silent: each notice of progress begins it anew. Default: for ever.
    pub timeout: Option<Duration>,
    /// How long a call with a time-out may take in all, however much progress it makes, without the time
    /// for answers; default one hour, or the time-out if that is longer.
    pub max_timeout: Duration,
    /// The most bytes of one message of the server; default 64 MiB.
    pub max_message: usize,
    /// The most tools of a list; default 10,000.
    pub max_tools: usize,
    /// The most pages of a list of tools; default 1,000.
    pub max_pages: usize,
    /// The limits for reading results (READ-3).
    pub limits: Limits,
    /// Whether the server is sent the context of calls, although it does not declare that it knows
    /// Toolwire.
    pub send_context: bool,
    /// Whether a result may be an `Outcome`, the format that came before envelopes; default: no.
    pub legacy: bool,
    /// The least serious log messages that a server of 2026-07-28 is asked for, if any; default
    /// [`Level::Info`].
    pub log_level: Option<Level>,
    /// How long a call waits for the server to say that what was opened by its URL is done, before it
    /// is tried again; default 30 seconds.
    pub open_wait: Duration,
    /// Whether the server is asked to tell when its tools change, where it has to be asked: 2026-07-28.
    /// Otherwise its list is read again once its time is over. Default: yes.
    pub listen: bool,
    /// How long a question of an older server waits until it is known which of the open calls asks it;
    /// default 30 seconds.
    pub question_wait: Duration,
    /// Whether a server of 2026-07-28 is told that calls may become tasks, which are followed to their end
    ///. Default: yes.
    pub tasks: bool,
    /// Hears of tasks that calls become.
    pub task_watcher: Option<Arc<dyn TaskWatcher>>,
    /// Gets what the server's program writes to stderr while no call runs.
    pub on_stderr: Option<Observer>,
}

impl Default for ClientOptions {
    fn default() -> Self {
        ClientOptions {
            connect_timeout: Duration::from_secs(60),
            timeout: None,
            max_timeout: Duration::from_secs(3600),
            max_message: 64 * 1024 * 1024,
            max_tools: 10_000,
            max_pages: 1_000,
            limits: Limits::default(),
            send_context: false,
            legacy: false,
            log_level: Some(Level::Info),
            open_wait: Duration::from_secs(30),
            listen: true,
            question_wait: Duration::from_secs(30),
            tasks: true,
            task_watcher: None,
            on_stderr: None,
        }
    }
}

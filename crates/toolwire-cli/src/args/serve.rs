//! The arguments of `toolwire serve`.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use toolwire_host::clients::Client;
use toolwire_host::manifest::TaskPolicy;
use toolwire_host::{parse_size, parse_time};

use super::session::wait_time;
use super::sources::ChosenArgs;
use super::{BeforehandArgs, ExpectArgs, LockedArg, ProcessArgs, SourceArgs, word};

#[derive(Args, Debug)]
pub struct ServeArgs {
    /// What to serve: programs, names, and MCP servers; by default all tools of the manifest
    #[arg(value_name = "SOURCE", value_hint = ValueHint::FilePath)]
    pub programs: Vec<OsString>,
    /// A program or MCP server, and its own arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
    #[command(flatten)]
    pub chosen: ChosenArgs,
    /// Put the name of its program or server and `_` before the name of each tool
    #[arg(long)]
    pub prefix: bool,
    #[command(flatten)]
    pub http: HttpArgs,
    #[command(flatten)]
    pub client: ClientConfigArgs,
    #[command(flatten)]
    pub server: ServingArgs,
    #[command(flatten)]
    pub questions: BeforehandArgs,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub expect: ExpectArgs,
    #[command(flatten)]
    pub locked: LockedArg,
    #[command(flatten)]
    pub process: ProcessArgs,
}

/// How the server behaves.
#[derive(Args, Debug)]
#[command(next_help_heading = "The server")]
pub struct ServingArgs {
    /// The most tools that run at once
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "32")]
    pub jobs: usize,
    /// The most calls that wait until they can run; more are answered with an error
    #[arg(long, value_name = "N", default_value = "256")]
    pub queue: usize,
    /// Start the program of a tool for each call, even if it can take many calls in one process
    #[arg(long)]
    pub no_warm: bool,
    /// The most tools on a page of the list, up to 1000
    #[arg(long, value_name = "N", value_parser = page_size, default_value = "100")]
    pub page_size: usize,
    /// With more tools than this, clients are shown a tool to search them and one to call what was found, instead of all
    #[arg(long, value_name = "N")]
    pub search_above: Option<usize>,
    /// Which schemas clients are shown: `full`, or `plain` without references and keywords of a dialect; what is lost is
    /// reported
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Schemas::Full)]
    pub schemas: Schemas,
    /// Keep a result of more text than this, such as 32KiB, for an hour, and give its beginning with a tool to read and
    /// search the rest
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true, conflicts_with = "stateless")]
    pub keep_results: Option<usize>,
    /// How often programs and manifest are looked at for changes
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "2s")]
    pub poll: Duration,
    /// A file with the keys that seal `requestState`, one a line, the newest first; by default those in the
    /// environment variable TOOLWIRE_STATE_KEYS, or else one of this process alone
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub state_keys: Option<PathBuf>,
    /// How long questions can be answered where a call ends with them (2026-07-28)
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "10m")]
    pub state_lifetime: Duration,
    /// Whether calls become tasks for clients that know them (2026-07-28), where a manifest says nothing of a
    /// tool
    #[arg(long, value_name = "WHEN", value_parser = word(&TaskPolicy::ALL, TaskPolicy::as_str), default_value = "auto")]
    pub tasks: TaskPolicy,
    /// How long a client waits before a call becomes a task; 0 for not at all
    #[arg(long, value_name = "TIME", value_parser = wait_time, default_value = "5s")]
    pub task_after: Duration,
    /// How long a task is kept after it has ended, or, while it goes on, after its client has last asked for it;
    /// then it is ended
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "1h")]
    pub task_lifetime: Duration,
    /// The most tasks at once, for each principal
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "256")]
    pub max_tasks: usize,
    /// The most bytes of results of tasks that are kept, for each principal
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "64MiB", allow_negative_numbers = true)]
    pub max_task_results: usize,
    /// Keep tasks, and the handles of tools that run on, in this process, which ends them, and not in the session host
    /// of the workspace, where the next server and `toolwire session` find them; so it is over HTTP
    #[arg(long)]
    pub no_session_host: bool,
    /// The most handles of tools that keep running, for each principal; a session host has its own limit, 256
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "256")]
    pub max_handles: usize,
    /// How long nothing may happen to such a handle before it ends; by default 1h, and with `--no-session-host` as
    /// long as the client stays
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub handle_idle: Option<Duration>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schemas {
    Full,
    Plain,
}

/// Streamable HTTP instead of stdin and stdout.
#[derive(Args, Debug)]
#[command(next_help_heading = "Over HTTP")]
pub struct HttpArgs {
    /// Serve Streamable HTTP at this address and port, as in 127.0.0.1:8080; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub http: Option<SocketAddr>,
    /// Keep nothing from one request to the next, so that any of several servers can answer it: no tasks, and no
    /// tools that keep running. Without this, whatever stands before several servers has to route each request to
    /// the server that has its task (the header Mcp-Name) or its handle (the argument `id`)
    #[arg(long, requires = "http")]
    pub stateless: bool,
    /// A file with the tokens of those who may call, one a line: a principal, `:` and the token; by default
    /// those in the environment variable TOOLWIRE_HTTP_TOKENS, or else, on this machine alone, one that is made
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "http")]
    pub tokens: Option<PathBuf>,
    /// Let everybody who can connect call: all users of this machine, and others if the address is not its loopback
    #[arg(long, requires = "http", conflicts_with = "tokens")]
    pub no_token: bool,
    /// A name under which clients reach this server, besides localhost and the address; can be repeated
    #[arg(long, value_name = "HOST", requires = "http")]
    pub allow_host: Vec<String>,
    /// The origin of web pages that may call, as in https://app.example.com; can be repeated
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub allow_origin: Vec<String>,
    /// The most bytes of a request
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4MiB", allow_negative_numbers = true)]
    pub max_body: usize,
    /// The most connections at once; more wait
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "512")]
    pub max_connections: usize,
    /// The most sessions of older revisions at once, for each principal
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "1000")]
    pub max_sessions: usize,
    /// How long a connection may be idle
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s")]
    pub idle: Duration,
    /// How long a session of an older revision may be idle
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "30m")]
    pub session_idle: Duration,
    /// How long calls may go on when the server is asked to end
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "10s")]
    pub grace: Duration,
}

/// An address with its port; a port alone is one of this machine.
fn address(text: &str) -> Result<SocketAddr, String> {
    let text = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None if text.bytes().all(|byte| byte.is_ascii_digit()) => format!("127.0.0.1:{text}"),
        None => text.to_owned(),
    };
    let wrong = |_| "give an address and a port, as in 127.0.0.1:8080 or [::1]:8080".to_owned();
    text.parse().map_err(wrong)
}

/// For which client an entry is, and what is done with it.
#[derive(Args, Debug)]
#[command(next_help_heading = "The file of a client")]
pub struct ClientConfigArgs {
    /// Serve nothing: print the entry by which this client starts the same server
    #[arg(long, value_name = "CLIENT", value_parser = client())]
    pub print_config: Option<Client>,
    /// Put the entry into the client's file, after showing what changes; with `--yes` without asking
    #[arg(long)]
    pub install: bool,
    /// Use the file of this folder instead of that of the user
    #[arg(long)]
    pub workspace: bool,
    /// The name of the entry; by default that of the manifest's folder or of the first program
    #[arg(long, value_name = "NAME", requires = "print_config")]
    pub entry_name: Option<String>,
}

impl ClientConfigArgs {
    /// Why these options do not go together, if they do not.
    pub fn misfit(&self) -> Option<&'static str> {
        match (self.print_config, self.install, self.workspace) {
            (_, false, true) => Some(
                "`--workspace` says which file `--install` writes; add `--print-config CLIENT --install`, or name the \
                 workspace of the tools with `--root`",
            ),
            (None, true, _) => Some("`--install` needs the client: add `--print-config CLIENT`"),
            _ => None,
        }
    }
}

fn client() -> impl TypedValueParser<Value = Client> {
    let words = Client::ALL.iter().map(|client| {
        let word = PossibleValue::new(client.as_str());
        match client {
            Client::Claude => word.alias("claude-desktop"),
            _ => word,
        }
    });
    // Its users name it so, to tell it from Claude Code.
    PossibleValuesParser::new(words).try_map(|word| match word.as_str() {
        "claude-desktop" => Ok(Client::Claude),
        word => word.parse::<Client>(),
    })
}

fn at_least_one(text: &str) -> Result<usize, String> {
    within(text, usize::MAX).ok_or_else(|| "give a whole number from 1".to_owned())
}

fn page_size(text: &str) -> Result<usize, String> {
    within(text, 1000).ok_or_else(|| "give a whole number from 1 to 1000".to_owned())
}

fn within(text: &str, most: usize) -> Option<usize> {
    let number = text.parse().ok()?;
    (1..=most).contains(&number).then_some(number)
}

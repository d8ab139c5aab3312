//! The arguments of the commands that use MCP servers: `call` and `tools`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueHint};
use toolwire_host::{parse_size, parse_time};

use super::tools::{LogArg, Variable, variable};
use super::{
    AnswerArgs, EachArgs, ExpectArgs, GivenArgs, LockedArg, ProcessArgs, ResultFormat, RunArgs,
    SourceArgs, Verb,
};

#[derive(Args, Debug)]
pub struct CallArgs {
    /// The source, unless a command follows: a program, a name, a URL or a launch URI; then the tool and its
    /// arguments
    #[arg(value_name = "WORD", value_hint = ValueHint::FilePath)]
    pub words: Vec<OsString>,
    /// The program of a server and its own arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
    /// How to write the result: as text for a model or a terminal, or as JSON; by default
    /// `terminal` if stdout is a terminal, otherwise `model`
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<ResultFormat>,
    /// Write the result as JSON, as `--format json` does
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Options of this command that come after the server, by their names without dashes.
    #[arg(skip)]
    pub behind: Vec<String>,
    /// The command that was written.
    #[arg(skip = Verb::Call)]
    pub verb: Verb,
    /// Read a result that is a single text with an `Outcome`, the format that came before envelopes, as what
    /// it stands for
    #[arg(long)]
    pub legacy: bool,
    /// Go on with a task of the server that an earlier call has become, instead of calling a tool
    #[arg(
        long,
        value_name = "ID",
        conflicts_with = "each",
        allow_hyphen_values = true
    )]
    pub task: Option<String>,
    #[command(flatten)]
    pub log: LogArg,
    #[command(flatten)]
    pub given: GivenArgs,
    #[command(flatten)]
    pub answers: AnswerArgs,
    #[command(flatten)]
    pub each: EachArgs,
    #[command(flatten)]
    pub locked: LockedArg,
    #[command(flatten)]
    pub server: ServerArgs,
    #[command(flatten)]
    pub expect: ExpectArgs,
}

#[derive(Args, Debug)]
pub struct ToolsArgs {
    /// The source: a program, a name, a URL or a launch URI
    #[arg(value_name = "SOURCE", value_hint = ValueHint::FilePath, required_unless_present = "command")]
    pub source_word: Option<OsString>,
    // A second word is refused, in words that tell what to do.
    #[arg(hide = true)]
    pub more: Vec<OsString>,
    /// Write JSON: MCP's list of tools, with their schemas
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub expect: ExpectArgs,
    #[command(flatten)]
    pub server: ServerArgs,
    /// The program of a server and its own arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// How a server is reached or started.
#[derive(Args, Debug)]
#[command(next_help_heading = "The server")]
pub struct ServerArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    /// Send a header whose value is in an environment variable, as in `Authorization=MY_TOKEN`; can be
    /// repeated
    #[arg(long, value_name = "NAME=VARIABLE", value_parser = header)]
    pub header_env: Vec<HeaderVariable>,
    /// Send the server the context of the call (workspace, answers), although it does not declare that
    /// it knows Toolwire
    #[arg(long)]
    pub toolwire: bool,
    /// Maximum time without output or progress, such as 500ms, 10s, 2m or 1h
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub timeout: Option<Duration>,
    /// How long the call may take in all, with --timeout, whatever progress it makes; by default 1h
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub max_timeout: Option<Duration>,
    /// How long the server may take until it can be called; by default 1m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub connect_timeout: Option<Duration>,
    /// The most bytes of one message of the server, as in 64kB or 1MB; by default 64MiB
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub max_output: Option<usize>,
    /// The folder in which the server's program runs
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub cwd: Option<PathBuf>,
    /// The root of the workspace, for a server that knows Toolwire: a path or `file:` URI; by default
    /// this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<String>,
    /// Environment variables that the server's program and the assistant inherit: `all` (the default for
    /// a command), `standard` (the default for a name; what programs need, without keys and tokens),
    /// or names, as in `standard,GITHUB_TOKEN`; can be repeated
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub inherit: Vec<String>,
    /// Set an environment variable for the server's program and the assistant; can be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<Variable>,
}

/// A header, and the environment variable that holds its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderVariable {
    pub header: String,
    pub variable: String,
}

impl CallArgs {
    /// The same for `run`; or an option that means something to a server alone.
    pub fn for_a_tool(&self) -> Result<RunArgs, &'static str> {
        let other = match (self.legacy, &self.task) {
            (true, _) => Some("legacy"),
            (_, Some(_)) => Some("task"),
            _ => self.server.for_servers_alone(),
        };
        match other {
            Some(option) => Err(option),
            None => Ok(RunArgs {
                words: self.words.clone(),
                command: self.command.clone(),
                format: self.format,
                json: self.json,
                behind: self.behind.clone(),
                verb: self.verb,
                given: self.given.clone(),
                answers: self.answers.clone(),
                each: self.each.clone(),
                locked: self.locked.clone(),
                process: ProcessArgs {
                    timeout: self.server.timeout,
                    max_output: self.server.max_output,
                    ..self.server.process()
                },
                call: false,
                plain: false,
                tty: false,
                log: self.log.clone(),
                source: self.server.source.clone(),
                expect: self.expect.clone(),
            }),
        }
    }

    /// The files that are read; `-` is standard input.
    pub fn inputs(&self) -> Vec<&Path> {
        let files = [&self.given.args_file, &self.answers.beforehand.answers];
        let files = files.into_iter().flatten().map(PathBuf::as_path);
        files.chain(self.each.input()).collect()
    }
}

impl ServerArgs {
    /// Those of a server, as a command has them that runs programs.
    pub fn of(process: &ProcessArgs, source: &SourceArgs) -> ServerArgs {
        ServerArgs {
            source: source.clone(),
            header_env: Vec::new(),
            toolwire: false,
            timeout: process.timeout,
            max_timeout: None,
            connect_timeout: None,
            max_output: process.max_output,
            cwd: process.cwd.clone(),
            root: process.root.clone(),
            inherit: process.inherit.clone(),
            env: process.env.clone(),
        }
    }

    /// The first of the options that mean something to a server alone.
    pub fn for_servers_alone(&self) -> Option<&'static str> {
        let given = [
            (!self.header_env.is_empty(), "header-env"),
            (self.toolwire, "toolwire"),
            (self.max_timeout.is_some(), "max-timeout"),
            (self.connect_timeout.is_some(), "connect-timeout"),
        ];
        given
            .into_iter()
            .find(|(given, _)| *given)
            .map(|(_, name)| name)
    }

    /// Those that say how a program is run.
    pub fn process(&self) -> ProcessArgs {
        ProcessArgs {
            timeout: None,
            max_output: None,
            cwd: self.cwd.clone(),
            root: self.root.clone(),
            inherit: self.inherit.clone(),
            env: self.env.clone(),
        }
    }
}

fn header(text: &str) -> Result<HeaderVariable, String> {
    match text.split_once('=') {
        Some((header, variable)) if !header.is_empty() && !variable.is_empty() => {
            Ok(HeaderVariable {
                header: header.to_owned(),
                variable: variable.to_owned(),
            })
        }
        _ => Err(
            "write `NAME=VARIABLE`: the header, and the environment variable that holds its value"
                .to_owned(),
        ),
    }
}

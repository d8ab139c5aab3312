//! The arguments of `run` and `trust`, and those that several commands share.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use toolwire::event::Level;
use toolwire_host::manifest::Words;
use toolwire_host::{parse_size, parse_time};
use toolwire_source::Places;

use super::contract::LockedArg;
use super::each::EachArgs;
use super::server::ServerArgs;

#[derive(Args, Debug)]
pub struct RunArgs {
    /// The source, unless a command follows: a program, a name, a URL or a launch URI; then the tool, if it
    /// has several, and its arguments; then, behind `--`, a program and its own arguments
    #[arg(value_name = "WORD", value_hint = ValueHint::FilePath, trailing_var_arg = true)]
    pub words: Vec<OsString>,
    /// The words behind `--`.
    #[arg(skip)]
    pub command: Vec<OsString>,
    /// How to write the result: as text for a model or a terminal, or as JSON; by default
    /// `terminal` if stdout is a terminal, otherwise `model`
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<ResultFormat>,
    /// Write the result as JSON, as `--format json` does
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    #[command(flatten)]
    pub given: GivenArgs,
    #[command(flatten)]
    pub answers: AnswerArgs,
    #[command(flatten)]
    pub each: EachArgs,
    /// Give the program a call without asking it to describe itself first; the types of arguments are
    /// guessed from their text
    #[arg(long, conflicts_with = "plain")]
    pub call: bool,
    /// Run the program once without a call, even if it reads calls
    #[arg(long, conflicts_with_all = ["args", "args_file", "answer", "answers", "assistant", "non_interactive", "each"])]
    pub plain: bool,
    /// Hand the terminal to the program while it runs, for a program that prompts there itself
    #[arg(long, conflicts_with = "each")]
    pub tty: bool,
    /// Read a result of a server that is a single text with an `Outcome`, the format that came before
    /// envelopes, as what it stands for
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
    pub locked: LockedArg,
    #[command(flatten)]
    pub server: ServerArgs,
    #[command(flatten)]
    pub expect: ExpectArgs,
}

#[derive(Args, Debug)]
pub struct TrustArgs {
    /// The manifest; by default the nearest `toolwire.toml` in this folder or above it
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Instead of a manifest, the command of this source, which then starts without being asked for: a
    /// launch URI, or the name of a server in the file of an MCP client
    #[arg(long, value_name = "SOURCE", conflicts_with = "file")]
    pub server: Option<String>,
    /// The file of an MCP client in which the name is looked up; by default those in the usual places
    #[arg(long, value_name = "FILE", requires = "server")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub jn: JnArg,
    /// Stop trusting it
    #[arg(long)]
    pub remove: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Where a name is looked up, and what may start.
#[derive(Args, Debug, Clone)]
pub struct SourceArgs {
    #[command(flatten)]
    pub manifest: ManifestArg,
    /// The file of an MCP client in which a name is looked up; by default those in the usual places
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Agree, for this once, to a command that comes from a launch URI, a profile or a client's file
    #[arg(long)]
    pub yes: bool,
    #[command(flatten)]
    pub jn: JnArg,
    /// Whether standard input is an input of the command, so that it says nothing of who could be asked.
    #[arg(skip)]
    pub stdin_is_input: bool,
}

/// Where profiles of JN are.
#[derive(Args, Debug, Clone, Default)]
pub struct JnArg {
    /// The home folder of JN, whose profiles are used as they are; by default that of JN_HOME, or
    /// else ~/.local/jn
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub jn_home: Option<PathBuf>,
}

impl JnArg {
    /// Where profiles are looked for.
    pub fn places(&self) -> Places {
        Places {
            jn_home: self.jn_home.clone(),
            ..Places::default()
        }
    }
}

/// Whether it matters that a server is not as its profile expects.
#[derive(Args, Debug, Clone, Default)]
pub struct ExpectArgs {
    /// Use a profile, for this once, although its server's tools are not as it expects
    #[arg(long)]
    pub ignore_schema: bool,
}

impl SourceArgs {
    /// Where a word is looked for, for a command.
    pub fn places(&self, verb: &str) -> Places {
        Places {
            manifest: self.manifest.manifest.clone(),
            config: self.config.clone(),
            verb: Some(format!("toolwire {verb}")),
            ..self.jn.places()
        }
    }

    /// Those of a command that takes a manifest alone.
    pub fn of_manifest(manifest: &ManifestArg) -> SourceArgs {
        SourceArgs {
            manifest: manifest.clone(),
            config: None,
            yes: false,
            jn: JnArg::default(),
            stdin_is_input: false,
        }
    }
}

#[derive(Args, Debug, Clone)]
pub struct ManifestArg {
    /// The manifest; by default the nearest `toolwire.toml` in this folder or above it
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
}

#[derive(Args, Debug, Clone)]
pub struct LogArg {
    /// Show the tool's log messages from this level on
    #[arg(long, value_name = "LEVEL", value_parser = log_level(), default_value = "info")]
    pub log_level: LogLevel,
}

/// Arguments beside those that are words.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Arguments of the tool")]
pub struct GivenArgs {
    /// A JSON object of arguments; those given as words take precedence
    #[arg(long, value_name = "JSON", conflicts_with = "args_file")]
    pub args: Option<String>,
    /// A file with a JSON object of arguments; `-` for stdin
    #[arg(long, value_name = "FILE")]
    pub args_file: Option<PathBuf>,
}

#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Questions of the tool")]
pub struct BeforehandArgs {
    /// An answer, read by the schema of its question; can be repeated. `notes.title=x` is a member of the
    /// answer to `notes`
    #[arg(long, value_name = "ID=VALUE")]
    pub answer: Vec<String>,
    /// A file with a JSON object of answers, by the ids of their questions; `-` for stdin
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Ask nobody: use the question's default, decline, or fail
    #[arg(long, value_enum, value_name = "MODE")]
    pub non_interactive: Option<NonInteractive>,
}

#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Questions of the tool")]
pub struct AnswerArgs {
    #[command(flatten)]
    pub beforehand: BeforehandArgs,
    /// A program that answers: it reads a question as JSON from stdin and writes the answer to stdout
    #[arg(long, value_name = "COMMAND", value_parser = command_words)]
    pub assistant: Option<Words>,
}

impl ProcessArgs {
    /// How long a server may be silent: no longer than it may take in all.
    pub fn silence_of_server(&self) -> Option<Duration> {
        [self.timeout, self.max_time].into_iter().flatten().min()
    }
}

/// How the program is run.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "The process")]
pub struct ProcessArgs {
    /// Stop after this long without output or progress, such as 500ms, 10s, 2m or 1h; the time that a person takes
    /// does not count
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub timeout: Option<Duration>,
    /// Stop each run of the program, or the call of a server, after this long in any case
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub max_time: Option<Duration>,
    /// Maximum output of the program, or message of the server, such as 64kB or 1MB; by default 64MiB
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub max_output: Option<usize>,
    /// The folder in which the program runs
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub cwd: Option<PathBuf>,
    /// The root of the workspace, for the tool: a path or `file:` URI; by default this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<String>,
    /// Environment variables that the program and the assistant inherit: `all` (the default of what was
    /// typed), `standard` (that of a server that a file or URI names; what programs need, without keys and
    /// tokens), or names, as in `standard,GITHUB_TOKEN`; can be repeated
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub inherit: Vec<String>,
    /// Set an environment variable for the program and the assistant; can be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<Variable>,
}

impl RunArgs {
    /// The files that are read; `-` is standard input.
    pub fn inputs(&self) -> Vec<&Path> {
        let files = [&self.given.args_file, &self.answers.beforehand.answers];
        let files = files.into_iter().flatten().map(PathBuf::as_path);
        files.chain(self.each.input()).collect()
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFormat {
    Model,
    Terminal,
    Json,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonInteractive {
    Defaults,
    Decline,
    Fail,
    /// Nobody is there, and nothing was chosen: a tool that can go on without an answer does.
    #[value(skip)]
    Unavailable,
}

/// The least serious log messages that are shown, by their level (EVT-14); nothing shows none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLevel(pub Option<Level>);

/// Reads a level, or `off`.
fn log_level() -> impl TypedValueParser<Value = LogLevel> {
    let levels = Level::ALL.iter().map(|level| level.as_str());
    PossibleValuesParser::new(levels.chain(["off"])).map(|word| LogLevel(word.parse().ok()))
}

/// An environment variable and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub value: String,
}

pub(super) fn variable(text: &str) -> Result<Variable, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok(Variable {
            name: name.to_owned(),
            value: value.to_owned(),
        }),
        Some(_) => Err("the name before `=` is missing".to_owned()),
        None => Err(format!(
            "write `NAME=VALUE`; to pass on a variable that is set, use `--inherit standard,{text}`"
        )),
    }
}

fn command_words(text: &str) -> Result<Words, String> {
    let words = shlex::split(text).ok_or("a quote or backslash in it is not closed")?;
    if words.is_empty() {
        return Err("name a program".to_owned());
    }
    Ok(words.into())
}

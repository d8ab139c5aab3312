//! What can be written on the command line. The exit codes are in `docs/reference/exit-status.md`.

mod contract;
mod each;
mod init;
mod line;
mod on_demand;
mod profile;
mod serve;
mod server;
mod session;
mod sources;
mod tools;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::str::FromStr;

pub use contract::{CheckArgs, DiffArgs, FailArg, LockArg, LockArgs, LockedArg};
pub use each::{EachArgs, Unknown};
pub use init::{InitArgs, Language};
pub use line::{instead, quoted, read};
pub use on_demand::OnDemand;
pub use profile::{
    AskProfileArgs, CreateProfileArgs, ListProfilesArgs, ProfileArgs, ProfileVerb,
    StoredProfileArgs, UpdateProfileArgs,
};
pub use serve::{HttpArgs, Schemas, ServeArgs};
pub use server::{HeaderVariable, ServerArgs};
pub use session::{
    AbortArgs, ApplyArgs, AttachArgs, FetchArgs, ListHandlesArgs, ResizeArgs, SessionArgs,
    SessionVerb, ShownArgs, SpawnArgs, WaitArgs, WorkspaceArg,
};
pub use sources::{ReadArgs, ServersArgs, ToolsArgs, parted};
pub use tools::{
    AnswerArgs, BeforehandArgs, ExpectArgs, GivenArgs, JnArg, ManifestArg, NonInteractive,
    ProcessArgs, ResultFormat, RunArgs, SourceArgs, TrustArgs,
};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use toolwire::provider::Provider;
use toolwire::{Exit, Limits, MAX_BYTES, MIN_BUDGET, Role, Style, Target};
use toolwire_host::parse_size;

use crate::help;

/// Run tools, and read, check, canonicalize, identify, format and explain their output.
#[derive(Parser, Debug)]
#[command(name = "toolwire", version, propagate_version = true, after_help = help::TOP, max_term_width = 100)]
pub struct Cli {
    /// When to use colours; `auto` depends on the terminal, NO_COLOR and CLICOLOR_FORCE
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto"
    )]
    pub color: ColorWhen,
    #[command(subcommand)]
    pub command: Command,
}

// The values have no help of their own, so that `--help` stays as short as `-h`.

/// When output is coloured.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorWhen {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run a tool, ask its questions, and write its result
    #[command(after_help = help::RUN, override_usage = help::RUN_USAGE)]
    Run(OnDemand<RunArgs>),
    /// Serve tools to MCP clients, over stdin and stdout or HTTP
    #[command(after_help = help::SERVE)]
    Serve(OnDemand<ServeArgs>),
    /// Write a first tool, or the entry of a program, into the manifest
    #[command(after_help = help::INIT, override_usage = help::INIT_USAGE)]
    Init(OnDemand<InitArgs>),
    /// Trust the present content of a manifest that others could have written
    #[command(after_help = help::TRUST)]
    Trust(OnDemand<TrustArgs>),
    /// List tools: of the manifest, of a source, or one with its arguments
    #[command(after_help = help::TOOLS, override_usage = help::TOOLS_USAGE)]
    Tools(OnDemand<ToolsArgs>),
    /// Read a resource of an MCP server, or list its resources
    #[command(after_help = help::READ, override_usage = help::READ_USAGE)]
    Read(OnDemand<ReadArgs>),
    /// List the servers that the MCP clients on this machine know, or write one in another form
    #[command(after_help = help::SERVERS, override_usage = help::SERVERS_USAGE)]
    Servers(OnDemand<ServersArgs>),
    /// Write down servers and what is known of their tools, and use them by a name: `@NAME`
    #[command(after_help = help::PROFILE)]
    Profile(OnDemand<ProfileArgs>),
    /// Say what changed between two versions of tools, and whether it breaks their callers
    #[command(after_help = help::DIFF, override_usage = help::DIFF_USAGE)]
    Diff(OnDemand<DiffArgs>),
    /// Write down what tools are, in `toolwire.lock`, so that a change is seen
    #[command(after_help = help::LOCK, override_usage = help::LOCK_USAGE)]
    Lock(OnDemand<LockArgs>),
    /// Say what changed since tools were locked
    #[command(after_help = help::CHECK, override_usage = help::CHECK_USAGE)]
    Check(OnDemand<CheckArgs>),
    /// Keep tools running between commands: start them, read and feed them, end them
    #[command(after_help = help::SESSION)]
    Session(OnDemand<SessionArgs>),
    /// Show how an output is read: verdict, blocks and diagnostics
    #[command(after_help = help::PARSE)]
    Parse(OnDemand<ParseArgs>),
    /// Check that an output is a valid envelope
    #[command(after_help = help::VALIDATE)]
    Validate(OnDemand<ValidateArgs>),
    /// Write the canonical bytes of a JSON text (RFC 8785), or their digest
    #[command(after_help = help::CANONICALIZE)]
    Canonicalize(OnDemand<CanonicalizeArgs>),
    /// Write one value of a JSON text, such as an argument of a call
    #[command(after_help = help::GET)]
    Get(OnDemand<GetArgs>),
    /// Write what a model or a person at a terminal gets to see
    #[command(after_help = help::FORMAT)]
    Format(OnDemand<FormatArgs>),
    /// Explain why an output was read the way it was, and what to fix
    #[command(after_help = help::EXPLAIN)]
    Explain(OnDemand<ExplainArgs>),
    /// List the identity of each resource: canonical URI and content digest; or normalize URIs
    #[command(after_help = help::IDENTIFY)]
    Identify(OnDemand<IdentifyArgs>),
    /// Write a completion script for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions(OnDemand<CompletionsArgs>),
}

impl Command {
    /// Notes for its source whether standard input is one of its inputs.
    pub fn note_stdin(&mut self) {
        let is_input = self.inputs().contains(&Path::new("-"));
        let source = match self {
            Command::Run(args) => &mut args.server.source,
            Command::Diff(args) => &mut args.server.source,
            _ => return,
        };
        source.stdin_is_input = is_input;
    }

    /// The files that are read, by their names on the command line; `-` is standard input.
    pub fn inputs(&self) -> Vec<&Path> {
        let (files, others) = match self {
            Command::Parse(args) => (&args.files.files[..], args.received.inputs()),
            Command::Validate(args) => (&args.files.files[..], vec![]),
            Command::Canonicalize(args) => (&args.files.files[..], vec![]),
            Command::Get(args) => (args.file.as_slice(), vec![]),
            Command::Format(args) => (args.file.as_slice(), args.received.inputs()),
            Command::Explain(args) => (&args.files.files[..], args.received.inputs()),
            Command::Identify(args) if args.uri => return vec![],
            Command::Identify(args) => (&args.files.files[..], Vec::from_iter(&args.known)),
            Command::Run(args) => return args.inputs(),
            Command::Session(args) => return args.inputs(),
            Command::Diff(args) => {
                let sides = std::iter::once(&args.old).chain(&args.new);
                return sides.map(Path::new).collect();
            }
            Command::Serve(_) | Command::Tools(_) => return vec![],
            Command::Read(_) | Command::Servers(_) => return vec![],
            Command::Profile(args) if args.reads() => return vec![Path::new("-")],
            Command::Profile(_) => return vec![],
            Command::Lock(_) | Command::Check(_) => return vec![],
            Command::Init(_) => return vec![],
            Command::Trust(_) => return vec![],
            Command::Completions(_) => return vec![],
        };
        let usual = files.is_empty().then_some(Path::new("-"));
        let named = files.iter().chain(others).map(PathBuf::as_path);
        usual.into_iter().chain(named).collect()
    }
}

#[derive(Args, Debug)]
pub struct ParseArgs {
    #[command(flatten)]
    pub files: Files,
    /// Write JSON, one line for each output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub lines: LinesArgs,
    #[command(flatten)]
    pub received: ReceivedArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Args, Debug)]
pub struct ValidateArgs {
    #[command(flatten)]
    pub files: Files,
    /// Accept envelopes with warnings too
    #[arg(long)]
    pub allow_warnings: bool,
    /// Write nothing; only set the exit code
    #[arg(long, short, conflicts_with_all = ["json", "summary"])]
    pub quiet: bool,
    /// Write JSON, one line for each output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub lines: LinesArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Args, Debug)]
pub struct CanonicalizeArgs {
    #[command(flatten)]
    pub files: Files,
    /// Write the digest of the canonical bytes, `sha256:` and hexadecimal digits, of each file
    #[arg(long)]
    pub digest: bool,
    /// Write JSON with the canonical text, its size and its digest
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub lines: LinesArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Args, Debug)]
pub struct GetArgs {
    /// The place of the value, as a JSON Pointer such as `/tool/arguments/path`
    pub pointer: String,
    /// A file with a JSON text; stdin if not given, or for `-`
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    // A second file is refused, with a message that says what to do.
    #[arg(hide = true)]
    pub more: Vec<PathBuf>,
    /// What to write if there is no value, or if it is null
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub default: Option<String>,
    /// Write strings as JSON too
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Args, Debug)]
pub struct FormatArgs {
    /// A file with what a tool wrote; stdin if not given, or for `-`
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    // A second file is refused, in words that tell what to do.
    #[arg(hide = true)]
    pub more: Vec<PathBuf>,
    /// Who reads it: a model or a person at a terminal, as text; or a provider of models, as the message
    /// that answers a call
    #[arg(long = "for", value_parser = target(), value_name = "WHOM", default_value = "model")]
    pub target: TargetArg,
    /// How to enclose resources: in a Markdown code fence, or in XML elements
    #[arg(long, value_parser = word(Style::ALL, Style::as_str), default_value = "fence")]
    pub style: Style,
    /// Put a line with URI, name and type above each resource
    #[arg(long)]
    pub header: bool,
    /// The most bytes of the text, at least 256, as in 2000 or 64kB; the text says what was left out
    #[arg(long, value_name = "SIZE", value_parser = budget, allow_negative_numbers = true)]
    pub max_bytes: Option<usize>,
    /// Leave out what is not meant for this reader
    #[arg(long, value_parser = word(Role::ALL, Role::as_str), value_name = "ROLE")]
    pub audience: Option<Role>,
    /// Mark the text as untrusted, between lines with a nonce that the tool cannot know; by default a
    /// random one
    #[arg(long, value_name = "NONCE", num_args = 0..=1, require_equals = true)]
    pub untrusted: Option<Option<String>>,
    /// Write JSON with the text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub lines: LinesArgs,
    #[command(flatten)]
    pub received: ReceivedArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub files: Files,
    /// Write JSON, one line for each output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub lines: LinesArgs,
    #[command(flatten)]
    pub received: ReceivedArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Args, Debug)]
pub struct IdentifyArgs {
    #[command(flatten)]
    pub files: Files,
    /// Take the words, or the lines of stdin, for URIs or paths, and write their canonical form
    #[arg(long, conflicts_with_all = ["known", "lines"])]
    pub uri: bool,
    /// The workspace root that relative paths are resolved against: a path or `file:` URI
    #[arg(long, value_name = "DIR")]
    pub root: Option<String>,
    /// A file with identities that the model already has, as `identify --json` writes them
    #[arg(long, value_name = "FILE")]
    pub known: Option<PathBuf>,
    /// Write JSON, one line for each output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub lines: LinesArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
    /// Write JSON with the script
    #[arg(long)]
    pub json: bool,
}

/// Where the output of the tool is.
#[derive(Args, Debug)]
pub struct Files {
    /// Files with what a tool wrote; stdin if not given, or for `-`
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Logs")]
pub struct LinesArgs {
    /// Read each line as a separate output (NDJSON), in bounded memory
    #[arg(long, short)]
    pub lines: bool,
    /// With --lines: write only the summary
    #[arg(long, requires = "lines")]
    pub summary: bool,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "How the tool ended")]
pub struct ReceivedArgs {
    /// The exit status of the tool; any other than 0 makes the result an error
    #[arg(
        long,
        value_name = "N",
        value_parser = exit_status,
        allow_negative_numbers = true,
        conflicts_with = "signal"
    )]
    pub exit_status: Option<Exit>,
    /// The number of the signal that ended the tool
    #[arg(long, value_name = "N", value_parser = signal, allow_negative_numbers = true)]
    pub signal: Option<Exit>,
    /// A file with what the tool wrote to stderr
    #[arg(long, value_name = "FILE")]
    pub stderr: Option<PathBuf>,
    /// The file of the tool's result channel; unless it is empty, it replaces the output
    #[arg(long, value_name = "FILE")]
    pub result: Option<PathBuf>,
}

impl ReceivedArgs {
    fn inputs(&self) -> Vec<&PathBuf> {
        self.stderr.iter().chain(&self.result).collect()
    }

    /// The first option that was given, for the message that it does not fit.
    pub fn given(&self) -> Option<&'static str> {
        [
            ("--exit-status", self.exit_status.is_some()),
            ("--signal", self.signal.is_some()),
            ("--stderr", self.stderr.is_some()),
            ("--result", self.result.is_some()),
        ]
        .into_iter()
        .find_map(|(name, given)| given.then_some(name))
    }
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// The most bytes of one output, as in 65536, 64kB or 1MiB (the limit `max_bytes`)
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = parse_size,
        allow_negative_numbers = true,
        default_value = "64MiB"
    )]
    pub max_input: usize,
    /// The deepest nesting of arrays and objects
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number,
        allow_negative_numbers = true,
        default_value_t = Limits::default().max_depth
    )]
    pub max_depth: usize,
    /// The most JSON values in one output
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number,
        allow_negative_numbers = true,
        default_value_t = Limits::default().max_values
    )]
    pub max_values: usize,
    /// The most elements of `content`
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number,
        allow_negative_numbers = true,
        default_value_t = Limits::default().max_blocks
    )]
    pub max_blocks: usize,
    /// The most diagnostics that are kept
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number,
        allow_negative_numbers = true,
        default_value_t = Limits::default().max_diagnostics
    )]
    pub max_diagnostics: usize,
}

impl LimitArgs {
    pub fn to_limits(&self) -> Limits {
        Limits {
            max_bytes: self.max_input,
            max_depth: self.max_depth,
            max_values: self.max_values,
            max_blocks: self.max_blocks,
            max_diagnostics: self.max_diagnostics,
        }
    }
}

// The standard library's reasons, such as `invalid digit found in string`, tell nobody what to write.

fn whole_number(text: &str) -> Result<usize, String> {
    let refuse = |_| "give a whole number without a unit, such as 65536".to_owned();
    text.parse().map_err(refuse)
}

fn budget(text: &str) -> Result<usize, String> {
    let bytes = parse_size(text)?;
    match (MIN_BUDGET..=MAX_BYTES).contains(&bytes) {
        true => Ok(bytes),
        false => Err(format!(
            "give a size from {MIN_BUDGET} to {MAX_BYTES} bytes"
        )),
    }
}

fn exit_status(text: &str) -> Result<Exit, String> {
    let refuse = |_| "give a whole number, such as `$?` is in a shell".to_owned();
    let code = text.parse().map_err(refuse)?;
    Exit::from_code(code).map_err(|error| error.message().to_owned())
}

fn signal(text: &str) -> Result<Exit, String> {
    let refuse = |_| "give the signal's number, such as 9; `kill -l NAME` tells it".to_owned();
    let signal = text.parse().map_err(refuse)?;
    Exit::from_signal(signal).map_err(|error| error.message().to_owned())
}

/// For whom `format` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetArg {
    Text(Target),
    Message(Provider),
}

/// Reads one of the words of a closed set.
fn word<T>(all: &'static [T], spelt: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync + 'static> + Copy + Send + Sync + 'static,
{
    let words = all.iter().map(|one| spelt(*one));
    PossibleValuesParser::new(words).try_map(|word| word.parse::<T>())
}

/// Reads the word after `--for`.
fn target() -> impl TypedValueParser<Value = TargetArg> {
    let targets = Target::ALL.iter().map(|target| target.as_str());
    let providers = Provider::ALL.iter().map(|provider| provider.as_str());
    PossibleValuesParser::new(targets.chain(providers)).try_map(|word| {
        let target = word.parse().map(TargetArg::Text);
        target.or_else(|_| word.parse().map(TargetArg::Message))
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_arguments_of_every_command_hold_together() {
        Cli::command().debug_assert();
    }
}

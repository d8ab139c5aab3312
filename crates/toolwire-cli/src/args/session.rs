//! The arguments of `session`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueHint};
use toolwire::session::Key;
use toolwire_host::{parse_size, parse_time};

use super::{GivenArgs, LockedArg, ManifestArg, ProcessArgs, ResultFormat};
use crate::help;

#[derive(Args, Debug)]
pub struct SessionArgs {
    #[command(subcommand)]
    pub verb: SessionVerb,
}

#[derive(Subcommand, Debug)]
pub enum SessionVerb {
    /// Start a tool or program that keeps running, under an id
    #[command(after_help = help::SESSION_SPAWN, override_usage = help::SESSION_SPAWN_USAGE)]
    Spawn(Box<SpawnArgs>),
    /// Start a tool or program, write its output, and wait until it stops
    #[command(after_help = help::SESSION_RUN, override_usage = help::SESSION_RUN_USAGE)]
    Run(Box<SpawnArgs>),
    /// Write what a tool has said since the last time
    #[command(after_help = help::SESSION_FETCH)]
    Fetch(FetchArgs),
    /// Give a tool input or keys, or an answer to its question
    #[command(after_help = help::SESSION_APPLY)]
    Apply(ApplyArgs),
    /// Change the size of a pseudo-terminal
    #[command(after_help = help::SESSION_RESIZE)]
    Resize(ResizeArgs),
    /// End a tool
    #[command(after_help = help::SESSION_ABORT)]
    Abort(AbortArgs),
    /// List the handles of this workspace
    #[command(after_help = help::SESSION_LIST)]
    List(ListHandlesArgs),
    /// Wait until tools stop or need input; the exit status reports success
    #[command(after_help = help::SESSION_WAIT)]
    Wait(WaitArgs),
    /// Take over the terminal of a tool, or answer its questions
    #[command(after_help = help::SESSION_ATTACH)]
    Attach(AttachArgs),
}

impl SessionArgs {
    /// Whether the answer is to be one JSON text, whatever it is.
    pub fn json(&self) -> bool {
        let shown = |shown: &ShownArgs| shown.json || shown.format == Some(ResultFormat::Json);
        match &self.verb {
            SessionVerb::Spawn(args) | SessionVerb::Run(args) => shown(&args.shown),
            SessionVerb::Fetch(args) => shown(&args.shown),
            SessionVerb::Apply(args) => shown(&args.shown),
            SessionVerb::Abort(args) => args.json,
            SessionVerb::List(args) => args.json,
            SessionVerb::Wait(args) => args.json,
            SessionVerb::Attach(_) | SessionVerb::Resize(_) => false,
        }
    }

    /// Whether a source was named, behind which all words are the tool's.
    pub fn is_behind_source(&self) -> bool {
        match &self.verb {
            SessionVerb::Spawn(args) | SessionVerb::Run(args) => !args.words.is_empty(),
            _ => false,
        }
    }

    /// The files that are read; `-` is standard input.
    pub fn inputs(&self) -> Vec<&Path> {
        match &self.verb {
            SessionVerb::Spawn(args) | SessionVerb::Run(args) => {
                args.given.args_file.iter().map(PathBuf::as_path).collect()
            }
            SessionVerb::Apply(args) => args.file.iter().map(PathBuf::as_path).collect(),
            _ => Vec::new(),
        }
    }
}

#[derive(Args, Debug)]
#[command(
    mut_arg("root", |arg| arg.help(SPAWN_ROOT)),
    mut_arg("timeout", |arg| arg.hide(true).value_parser(no_timeout)),
    mut_arg("max_time", |arg| arg.help("How long the program may run, as in 500ms, 10s, 2m or 1h; by default without end")),
    mut_arg("inherit", |arg| arg.help(SPAWN_INHERIT)),
    mut_arg("env", |arg| arg.help("Set an environment variable for the program; can be repeated")),
)]
pub struct SpawnArgs {
    /// The id of the new handle
    #[arg(value_name = "ID")]
    pub id: String,
    /// The path of a program, or the name of a tool in the manifest; then the tool, if the program has several,
    /// and its arguments; then, behind `--`, a program and its own arguments
    #[arg(value_name = "WORD", value_hint = ValueHint::FilePath, trailing_var_arg = true)]
    pub words: Vec<OsString>,
    /// The words behind `--`.
    #[arg(skip)]
    pub command: Vec<OsString>,
    /// Run the program in a pseudo-terminal, as for a person
    #[arg(long, conflicts_with = "pipe")]
    pub pty: bool,
    /// Run the program on plain pipes; the default for a command that does not describe itself
    #[arg(long)]
    pub pipe: bool,
    /// The columns and rows of the pseudo-terminal; by default 80x24
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = size, conflicts_with = "pipe")]
    pub size: Option<(u16, u16)>,
    /// How long to wait for what the tool says first, as in 500ms or 10s; 0 for not at all
    #[arg(long, value_name = "TIME", value_parser = wait_time)]
    pub wait: Option<Duration>,
    /// Wait until the tool says this text; up to the time of `--wait`, by default 10s
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub until: Option<String>,
    #[command(flatten)]
    pub shown: ShownArgs,
    #[command(flatten)]
    pub given: GivenArgs,
    #[command(flatten)]
    pub process: ProcessArgs,
    #[command(flatten)]
    pub locked: LockedArg,
    #[command(flatten)]
    pub manifest: ManifestArg,
}

/// What keeps running may be silent.
fn no_timeout(_: &str) -> Result<Duration, String> {
    Err(
        "a program that keeps running may be silent; limit its whole time with `--max-time`"
            .to_owned(),
    )
}

/// What differs from `run`.
const SPAWN_ROOT: &str = "The root of the workspace, to which the handle belongs: a path; by default the folder of the nearest \
     `toolwire.toml`, or else this folder";

/// Nobody answers questions but by commands.
const SPAWN_INHERIT: &str = "Environment variables that the program inherits: `all` (the default), `standard` (what programs need, \
     without keys and tokens), or names, as in `standard,GITHUB_TOKEN`; can be repeated";

/// How the answer is written.
#[derive(Args, Clone, Debug)]
pub struct ShownArgs {
    /// How to write the answer: as text for a `terminal`; as text for a `model`, with its state; or as JSON. By
    /// default, what the tool has said, as text
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<ResultFormat>,
    /// Write the answer as JSON, as `--format json` does
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Do not say on stderr how the tool stands
    #[arg(short, long)]
    pub quiet: bool,
    /// Maximum size of the output that is written at once, such as 1M [default: 64K]. The rest is there for the
    /// next `fetch`
    #[arg(long, value_name = "SIZE", value_parser = most)]
    pub max_bytes: Option<usize>,
}

/// Which handles are meant.
#[derive(Args, Debug)]
pub struct WorkspaceArg {
    /// The root of the workspace; by default the folder of the nearest `toolwire.toml`, or else this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<String>,
}

#[derive(Args, Debug)]
pub struct FetchArgs {
    /// The id
    #[arg(value_name = "ID")]
    pub id: String,
    /// How long to wait for something new, as in 500ms or 10s
    #[arg(long, value_name = "TIME", value_parser = wait_time)]
    pub wait: Option<Duration>,
    /// Wait until the tool says this text, anew; up to the time of `--wait`, by default 10s
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// Write what came after block N, though it was written before, and forget the blocks up to N; 0 forgets
    /// nothing
    #[arg(long, value_name = "N")]
    pub after: Option<u64>,
    /// Write only the last part of the output, of this size, and drop what came before it
    #[arg(long, value_name = "SIZE", value_parser = most, conflicts_with_all = ["after", "screen", "changes"])]
    pub tail: Option<usize>,
    /// Write the whole screen of a program in a pseudo-terminal
    #[arg(long, conflicts_with_all = ["changes", "new"])]
    pub screen: bool,
    /// Write the rows of its screen that have changed
    #[arg(long, conflicts_with = "new")]
    pub changes: bool,
    /// Write what it has printed
    #[arg(long)]
    pub new: bool,
    #[command(flatten)]
    pub shown: ShownArgs,
    #[command(flatten)]
    pub workspace: WorkspaceArg,
}

#[derive(Args, Debug)]
pub struct ApplyArgs {
    /// The id
    #[arg(value_name = "ID")]
    pub id: String,
    /// A text, which is typed as it is
    #[arg(value_name = "INPUT", allow_hyphen_values = true, group = "what")]
    pub input: Option<String>,
    /// Type a text from a file; `-` for stdin
    #[arg(long, value_name = "FILE", group = "what")]
    pub file: Option<PathBuf>,
    /// Press Enter after the text, or alone
    #[arg(long, conflicts_with_all = ["key", "input_json", "answer", "decline"])]
    pub enter: bool,
    /// Press a key, such as `ctrl-c`, `up` or `f1`; can be repeated
    #[arg(long, value_name = "KEY", group = "what", value_parser = key)]
    pub key: Vec<String>,
    /// Give the tool this JSON value as input
    #[arg(long, value_name = "JSON", allow_hyphen_values = true, group = "what")]
    pub input_json: Option<String>,
    /// Answer the open question; the answer is read by its schema. `notes.title=x` is a member of the answer
    /// to `notes`; can be repeated for several members
    #[arg(long, value_name = "ID=VALUE", group = "what")]
    pub answer: Vec<String>,
    /// Decline to answer the open question
    #[arg(long, group = "what")]
    pub decline: bool,
    /// How long to wait for what the tool says to it, as in 500ms or 10s; 0 for not at all
    #[arg(long, value_name = "TIME", value_parser = wait_time)]
    pub wait: Option<Duration>,
    /// Wait until the tool says this text to it; up to the time of `--wait`, by default 10s
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub until: Option<String>,
    #[command(flatten)]
    pub shown: ShownArgs,
    #[command(flatten)]
    pub workspace: WorkspaceArg,
}

#[derive(Args, Debug)]
pub struct ResizeArgs {
    /// The id
    #[arg(value_name = "ID")]
    pub id: String,
    /// Its new columns and rows, such as 120x40
    #[arg(value_name = "COLUMNSxROWS", value_parser = size)]
    pub size: (u16, u16),
    #[command(flatten)]
    pub workspace: WorkspaceArg,
}

#[derive(Args, Debug)]
pub struct AbortArgs {
    /// The ids
    #[arg(value_name = "ID", required_unless_present = "all")]
    pub ids: Vec<String>,
    /// End all tools of this workspace
    #[arg(long, conflicts_with = "ids")]
    pub all: bool,
    /// Write JSON, one line for each id
    #[arg(long)]
    pub json: bool,
    /// Write neither what the tools said last nor how they ended
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    pub workspace: WorkspaceArg,
}

#[derive(Args, Debug)]
pub struct ListHandlesArgs {
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub workspace: WorkspaceArg,
}

#[derive(Args, Debug)]
pub struct WaitArgs {
    /// The ids
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Wait for one of them, instead of all
    #[arg(long)]
    pub any: bool,
    /// How long to wait, as in 30s or 10m; by default without end
    #[arg(long, value_name = "TIME", value_parser = wait_time)]
    pub timeout: Option<Duration>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub workspace: WorkspaceArg,
}

#[derive(Args, Debug)]
pub struct AttachArgs {
    /// The id
    #[arg(value_name = "ID")]
    pub id: String,
    /// The key with which to leave: `ctrl-` and a letter or one of `@[\]^_`
    #[arg(long, value_name = "KEY", value_parser = control_key, default_value = "ctrl-]")]
    pub detach_key: u8,
    #[command(flatten)]
    pub workspace: WorkspaceArg,
}

/// A size of at least one piece of output: less is never written at once.
fn most(text: &str) -> Result<usize, String> {
    match parse_size(text)? {
        size if size < PIECE => {
            Err("output is kept in pieces of up to 16K; give at least 16K".to_owned())
        }
        size => Ok(size),
    }
}

/// The size of a piece of output, as JSON.
const PIECE: usize = 16 * 1000;

/// A time to wait; 0 is not to wait.
pub fn wait_time(text: &str) -> Result<Duration, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_zero = number.parse().is_ok_and(|number: f64| number == 0.0);
    let unit = &text[number.len()..];
    match is_zero && ["", "ms", "s", "m", "h"].contains(&unit) {
        true => Ok(Duration::ZERO),
        false => parse_time(text),
    }
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let read = text.split_once('x').and_then(|(columns, rows)| {
        let size: (u16, u16) = (columns.parse().ok()?, rows.parse().ok()?);
        (2..=500).contains(&size.0).then_some(size)
    });
    let size = read.filter(|(_, rows)| (2..=500).contains(rows));
    size.ok_or_else(|| "give columns and rows from 2 to 500, such as 120x40".to_owned())
}

/// The name of a key that there is.
fn key(name: &str) -> Result<String, String> {
    let message = match name.parse::<Key>() {
        Ok(_) => return Ok(name.to_owned()),
        Err(error) => error.to_string(),
    };
    // The message speaks of what JSON can have instead.
    Err(message.replace(
        ", or `text` for a text",
        "; a text is given without `--key`",
    ))
}

/// The byte that a terminal sends for a key with Ctrl.
fn control_key(text: &str) -> Result<u8, String> {
    let refuse = || r"give `ctrl-` and a letter or one of `@[\]^_`, such as ctrl-a".to_owned();
    let key = text.to_ascii_lowercase();
    match key.strip_prefix("ctrl-").map(str::as_bytes) {
        Some([key @ (b'a'..=b'z' | b'@' | b'[' | b'\\' | b']' | b'^' | b'_')]) => Ok(key & 0x1f),
        _ => Err(refuse()),
    }
}

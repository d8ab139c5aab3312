//! The arguments of the commands that watch over what tools promise: `diff`, `lock` and `check`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use toolwire_contract::diff::Verdict;
use toolwire_host::manifest::LockPolicy;

use super::{ServerArgs, word};

#[derive(Args, Debug)]
pub struct DiffArgs {
    /// What it was: a source, a JSON file, or an entry of a lock, as in `toolwire.lock#NAME`
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    pub old: OsString,
    /// What it is now, in the same forms
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath, required_unless_present = "command")]
    pub new: Option<OsString>,
    /// Read schemas literally: an object may have members that it does not name, so that a new optional
    /// parameter can break a call
    #[arg(long)]
    pub open: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub fail: FailArg,
    #[command(flatten)]
    pub server: ServerArgs,
    /// In the place of NEW: a program and its own arguments
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "new")]
    pub command: Vec<OsString>,
}

#[derive(Args, Debug)]
pub struct LockArgs {
    /// What to lock: by default all tools and servers of the manifest; with --update, all that is locked
    #[arg(value_name = "SOURCE", value_hint = ValueHint::FilePath)]
    pub sources: Vec<OsString>,
    /// Show what has changed since it was locked, ask, and accept it
    #[arg(long)]
    pub update: bool,
    /// Write JSON: what became of each source
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub place: LockArg,
    #[command(flatten)]
    pub server: ServerArgs,
    /// A program and its own arguments, locked as the launch URI that starts it
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    /// What to check: by default all that is locked, and what the manifest has besides
    #[arg(value_name = "SOURCE", value_hint = ValueHint::FilePath)]
    pub sources: Vec<OsString>,
    /// Start and reach nothing: compare only how each source would be started, and leave the rest as not
    /// verified
    #[arg(long)]
    pub offline: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Write Markdown, for a comment of a review or the summary of a CI job
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Write annotations for GitHub Actions, one for each thing that has changed
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["json", "markdown"])]
    pub format: Option<ReviewFormat>,
    #[command(flatten)]
    pub fail: FailArg,
    #[command(flatten)]
    pub place: LockArg,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// The form of what a review shows.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewFormat {
    /// Workflow commands of GitHub Actions
    Github,
}

/// What fails.
#[derive(Args, Debug)]
pub struct FailArg {
    /// Fail on changes of this kind and of the kinds before it: `breaking`, `safety`, `text`, `unknown`,
    /// `behaviour`, `any`; by default on everything but what is compatible and an edited script
    #[arg(long, value_name = "KIND", hide_possible_values = true)]
    pub fail_on: Option<FailOn>,
}

/// The kinds of changes, from the one that fails first to the one that fails last.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailOn {
    Breaking,
    Safety,
    Text,
    Unknown,
    Behaviour,
    Any,
}

impl FailArg {
    /// Whether a change fails; `edit` is one of what the source itself is reviewed for.
    pub fn fails(&self, verdict: Verdict, edit: bool) -> bool {
        let kind = match verdict {
            Verdict::Same => return false,
            Verdict::Compatible => FailOn::Any,
            Verdict::Text => FailOn::Text,
            Verdict::Behaviour => FailOn::Behaviour,
            Verdict::Safety => FailOn::Safety,
            Verdict::Unknown => FailOn::Unknown,
            Verdict::Breaking => FailOn::Breaking,
        };
        match self.fail_on {
            Some(least) => kind <= least,
            None => kind <= FailOn::Behaviour && !edit,
        }
    }
}

/// Where the lock is.
#[derive(Args, Debug)]
pub struct LockArg {
    /// The lock; by default `toolwire.lock` beside the manifest, or else in this folder or above it
    #[arg(long, value_name = "FILE")]
    pub lock: Option<PathBuf>,
}

/// What happens to a tool that is not as its lock says.
#[derive(Args, Debug, Clone)]
pub struct LockedArg {
    /// What happens to a tool that is not as `toolwire.lock` says: `refuse` (for `--locked` alone; also one that is
    /// not locked), `warn` or `ignore`; by default as the manifest says, or else `warn`
    #[arg(
        long,
        value_name = "POLICY",
        value_parser = word(&LockPolicy::ALL, LockPolicy::as_str),
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "refuse"
    )]
    pub locked: Option<LockPolicy>,
}

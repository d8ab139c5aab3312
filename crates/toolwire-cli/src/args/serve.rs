//! The arguments of `toolwire serve`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use toolwire_host::parse_time;

use super::{ManifestArg, ProcessArgs};

#[derive(Args, Debug)]
pub struct ServeArgs {
    /// Paths of programs, or names of tools in the manifest; by default all tools of the manifest
    #[arg(value_name = "PROGRAM", value_hint = ValueHint::FilePath)]
    pub programs: Vec<OsString>,
    /// A program and its own arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
    /// Serve these tools only; can be repeated
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Serve all but these tools; can be repeated
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub except: Vec<String>,
    /// Put the name of its program and `_` before the name of each tool
    #[arg(long)]
    pub prefix: bool,
    #[command(flatten)]
    pub server: ServingArgs,
    #[command(flatten)]
    pub manifest: ManifestArg,
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
    /// The most tools on a page of the list, up to 1000
    #[arg(long, value_name = "N", value_parser = page_size, default_value = "100")]
    pub page_size: usize,
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

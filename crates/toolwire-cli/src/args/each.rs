//! The arguments of calls that are made for each record of standard input.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};

/// The most calls at a time. Each may be a process.
const MOST_JOBS: usize = 256;

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Many calls")]
pub struct EachArgs {
    /// Make a call for each line of stdin, a JSON object of arguments, and write each result as a line of
    /// JSON; the other arguments hold for all calls
    #[arg(long)]
    pub each: bool,
    /// How many calls are made at a time
    #[arg(long, value_name = "N", requires = "each", default_value = "1", value_parser = jobs)]
    pub jobs: NonZeroUsize,
    /// Write each result when its call ends, with the number of its line in
    /// `_meta["dev.toolwire/record"]`
    #[arg(long, requires = "each")]
    pub unordered: bool,
    /// Note in this file which calls were begun and which have ended, and pass over those that have ended
    /// in an earlier run
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "each")]
    pub resume: Option<PathBuf>,
    /// What to do with calls of which nobody knows how they ended; by default a person is asked
    #[arg(long, value_enum, value_name = "WHAT", requires = "resume")]
    pub unknown: Option<Unknown>,
    /// Repeat a call up to N times while its error is marked `transient` or the connection is lost, if the
    /// tool declares that it only reads or that a repetition changes nothing
    #[arg(long, value_name = "N", requires = "each")]
    pub retry: Option<u32>,
    /// Repeat calls of any tool
    #[arg(long, requires = "retry")]
    pub retry_unsafe: bool,
}

/// What becomes of a call that was begun, and of which nobody knows how it ended.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    Repeat,
    Skip,
}

impl EachArgs {
    /// The input that the records are read from.
    pub fn input(&self) -> Option<&Path> {
        self.each.then_some(Path::new("-"))
    }
}

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let read: Option<NonZeroUsize> = text.parse().ok();
    read.filter(|jobs| jobs.get() <= MOST_JOBS)
        .ok_or_else(|| format!("write a number from 1 to {MOST_JOBS}"))
}

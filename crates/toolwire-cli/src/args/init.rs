//! The arguments of `toolwire init`.

use std::ffi::OsString;

use clap::{Args, ValueEnum, ValueHint};

use super::ManifestArg;

/// A language in which a first tool is written.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    Node,
    Sh,
}

#[derive(Args, Debug)]
pub struct InitArgs {
    /// A program or script that there is already; by default, a new tool is written
    #[arg(value_name = "PROGRAM", value_hint = ValueHint::FilePath, conflicts_with = "command")]
    pub program: Option<OsString>,
    /// The language of a new tool; asked for at a terminal
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<Language>,
    /// The name of the tool in the manifest
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Ask nothing: start the program with `--help`, and write what is proposed
    #[arg(long)]
    pub yes: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub manifest: ManifestArg,
    /// A program and the words that always stand behind it, such as a subcommand
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

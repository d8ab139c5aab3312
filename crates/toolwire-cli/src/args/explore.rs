//! The arguments of the commands that look at a source: `explore`, `schema`, `hash` and `read`.

use std::ffi::{OsStr, OsString};

use clap::{Args, ValueHint};

use super::{ExpectArgs, ResultFormat, ServerArgs};

#[derive(Args, Debug)]
pub struct ExploreArgs {
    /// The source: a program, a name, a URL or a launch URI
    #[arg(value_name = "SOURCE", value_hint = ValueHint::FilePath, required_unless_present = "command")]
    pub words: Vec<OsString>,
    /// Write a draft of a profile instead, which a person or a model completes
    #[arg(long, conflicts_with = "json")]
    pub draft: bool,
    /// Write JSON
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

#[derive(Args, Debug)]
pub struct SchemaArgs {
    /// The source, unless a command follows; then the tool
    #[arg(value_name = "WORD", value_hint = ValueHint::FilePath, required_unless_present = "command")]
    pub words: Vec<OsString>,
    /// Write the schema of the tool's structured content instead of that of its arguments
    #[arg(long)]
    pub output: bool,
    /// Write JSON on one line: the tool's name and its schemas
    #[arg(long, conflicts_with = "output")]
    pub json: bool,
    #[command(flatten)]
    pub expect: ExpectArgs,
    #[command(flatten)]
    pub server: ServerArgs,
    /// The program of a server and its own arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

#[derive(Args, Debug)]
pub struct HashArgs {
    /// The source, unless a command follows; then the tool, by default all
    #[arg(value_name = "WORD", value_hint = ValueHint::FilePath, required_unless_present = "command")]
    pub words: Vec<OsString>,
    /// Write the MD5 that profiles of JN have, over all tools
    #[arg(long)]
    pub jn: bool,
    /// Write JSON
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

#[derive(Args, Debug)]
pub struct ReadArgs {
    /// The source, unless a command follows; then the URI of the resource
    #[arg(value_name = "WORD", value_hint = ValueHint::FilePath, required_unless_present = "command")]
    pub words: Vec<OsString>,
    /// List the resources, and the templates of URIs, instead of reading one
    #[arg(long)]
    pub list: bool,
    /// How to write the resource: as text for a model or a terminal, or as JSON; by default `terminal`
    /// if stdout is a terminal, otherwise `model`
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "list")]
    pub format: Option<ResultFormat>,
    /// Write JSON: an envelope, or with --list MCP's lists
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    #[command(flatten)]
    pub expect: ExpectArgs,
    #[command(flatten)]
    pub server: ServerArgs,
    /// The program of a server and its own arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// The word of the source, unless a command names it, and those behind it.
pub fn parted<'w>(
    words: &'w [OsString],
    command: &[OsString],
) -> (Option<&'w OsStr>, &'w [OsString]) {
    match (words, command) {
        ([source, rest @ ..], []) => (Some(source), rest),
        _ => (None, words),
    }
}

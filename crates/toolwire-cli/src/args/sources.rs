//! The arguments of the commands that look at sources: `tools`, `read` and `servers`.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use toolwire_contract::convert::Form;
use toolwire_host::Selection;

use super::{ExpectArgs, JnArg, ResultFormat, ServerArgs};

#[derive(Args, Debug)]
pub struct ToolsArgs {
    /// The source, unless a command follows: a program, a name, a URL or a launch URI; then the tool.
    /// By default, all tools and servers of the manifest
    #[arg(value_name = "WORD", value_hint = ValueHint::FilePath)]
    pub words: Vec<OsString>,
    #[command(flatten)]
    pub chosen: ChosenArgs,
    /// Write the schema of the tool's arguments
    #[arg(long, conflicts_with_all = ["fingerprint", "draft", "json"])]
    pub schema: bool,
    /// Write the fingerprints of the tools, or of one; with --json as JSON
    #[arg(long, conflicts_with = "draft")]
    pub fingerprint: bool,
    /// Write a draft of a profile, which a person or a model completes
    #[arg(long, conflicts_with = "json")]
    pub draft: bool,
    /// Write JSON: MCP's list of tools, with their schemas; a program of the manifest that may be asked for
    /// them is asked
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub expect: ExpectArgs,
    #[command(flatten)]
    pub server: ServerArgs,
    /// A program and its own arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// Which of many tools are meant.
#[derive(Args, Debug)]
pub struct ChosenArgs {
    /// These tools only: names, or patterns such as 'git_*'; can be repeated
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub only: Vec<String>,
    /// All but these tools; can be repeated
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub except: Vec<String>,
}

impl ChosenArgs {
    pub fn selection(&self) -> Selection<'_> {
        Selection {
            only: &self.only,
            except: &self.except,
        }
    }
}

impl ToolsArgs {
    /// The first option that was given and needs a source.
    pub fn needs_source(&self) -> Option<&'static str> {
        let given = [
            (self.schema, "--schema"),
            (self.fingerprint, "--fingerprint"),
            (self.draft, "--draft"),
            (self.expect.ignore_schema, "--ignore-schema"),
        ];
        let mut given = given.into_iter().filter(|(given, _)| *given);
        given
            .next()
            .map(|(_, name)| name)
            .or_else(|| self.server.reach.given())
    }
}

#[derive(Args, Debug)]
pub struct ReadArgs {
    /// The source, unless a command follows; then the URI of the resource
    #[arg(value_name = "WORD", value_hint = ValueHint::FilePath, required_unless_present = "command")]
    pub words: Vec<OsString>,
    /// List the resources, the templates of URIs and the prompts, instead of reading a resource
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

#[derive(Args, Debug)]
pub struct ServersArgs {
    /// The server to write in another form: a launch URI, a URL, a name, a profile, or `FILE#NAME` of a
    /// client's file or a manifest. By default, the servers of all clients are listed
    #[arg(value_name = "SERVER", value_hint = ValueHint::FilePath)]
    pub words: Vec<OsString>,
    /// The form to write; by default a launch URI
    #[arg(long, value_name = "FORM", value_parser = form())]
    pub to: Option<Form>,
    /// What to call the server
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The file of an MCP client in which a name is looked up; by default those in the usual places
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub jn: JnArg,
    /// Write JSON: the servers; or the server, its text in the form, and what became of each part
    #[arg(long)]
    pub json: bool,
    /// The program of a server and its own arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// The short name of the form of a launch URI.
const URI: &str = "uri";

fn form() -> impl TypedValueParser<Value = Form> {
    let words = Form::all().map(|form| match form {
        Form::LaunchUri => URI,
        form => form.as_str(),
    });
    PossibleValuesParser::new(words.collect::<Vec<_>>()).map(|word| {
        // Every other word is the name of its form.
        word.parse().unwrap_or(Form::LaunchUri)
    })
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

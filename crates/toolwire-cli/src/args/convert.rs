//! The arguments of `convert` and `discover`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{Args, ValueHint};
use toolwire_contract::convert::Form;

use super::JnArg;

#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// The server: a launch URI, a URL, a name, a profile, or `FILE#NAME` of a client's file or a manifest
    #[arg(value_name = "FROM", value_hint = ValueHint::FilePath, required_unless_present = "command")]
    pub words: Vec<OsString>,
    /// The form to write
    #[arg(long, value_name = "FORM", default_value = "uri", value_parser = form())]
    pub to: Form,
    /// What to call the server
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The file of an MCP client in which a name is looked up; by default those in the usual places
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub jn: JnArg,
    /// Write JSON: the server, its text in the form, and what became of each part
    #[arg(long)]
    pub json: bool,
    /// The program of a server and its own arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

#[derive(Args, Debug)]
pub struct DiscoverArgs {
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// The short name of the form of a launch URI.
const URI: &str = "uri";

fn form() -> impl clap::builder::TypedValueParser<Value = Form> {
    let words = Form::all().map(|form| match form {
        Form::LaunchUri => URI,
        form => form.as_str(),
    });
    PossibleValuesParser::new(words.collect::<Vec<_>>()).map(|word| {
        // What is no form's own word is that of launch URIs.
        word.parse().unwrap_or(Form::LaunchUri)
    })
}

//! The arguments of the commands that use MCP servers.

use std::time::Duration;

use clap::Args;
use toolwire_host::parse_time;

use super::{ProcessArgs, SourceArgs};

/// How a source is reached or started.
#[derive(Args, Debug)]
pub struct ServerArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub process: ProcessArgs,
    #[command(flatten)]
    pub reach: ReachArgs,
}

/// How a server is spoken to.
#[derive(Args, Debug)]
#[command(next_help_heading = "The server")]
pub struct ReachArgs {
    /// Send a header whose value is in an environment variable, as in `Authorization=MY_TOKEN`; can be
    /// repeated
    #[arg(long, value_name = "NAME=VARIABLE", value_parser = header)]
    pub header_env: Vec<HeaderVariable>,
    /// Send the server the context of the call (workspace, answers), although it does not declare that
    /// it knows Toolwire
    #[arg(long)]
    pub toolwire: bool,
    /// How long the server may take until it can be called; by default 1m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub connect_timeout: Option<Duration>,
}

/// A header, and the environment variable that holds its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderVariable {
    pub header: String,
    pub variable: String,
}

impl ServerArgs {
    /// How the program of a server is run: its times and sizes are those of the connection.
    pub fn of_program(&self) -> ProcessArgs {
        ProcessArgs {
            timeout: None,
            max_time: None,
            max_output: None,
            ..self.process.clone()
        }
    }
}

impl ReachArgs {
    /// The first of these options that was given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (!self.header_env.is_empty(), "--header-env"),
            (self.toolwire, "--toolwire"),
            (self.connect_timeout.is_some(), "--connect-timeout"),
        ];
        let mut given = given.into_iter().filter(|(given, _)| *given);
        given.next().map(|(_, name)| name)
    }
}

fn header(text: &str) -> Result<HeaderVariable, String> {
    match text.split_once('=') {
        Some((header, variable)) if !header.is_empty() && !variable.is_empty() => {
            Ok(HeaderVariable {
                header: header.to_owned(),
                variable: variable.to_owned(),
            })
        }
        _ => Err(
            "write `NAME=VARIABLE`: the header, and the environment variable that holds its value"
                .to_owned(),
        ),
    }
}

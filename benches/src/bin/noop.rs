//! A tool that does nothing, to see what running one costs.

use std::process::ExitCode;

use toolwire_author::{Context, Error, Program, Tool};

/// Do nothing.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

fn nothing(_: Nothing, _: &mut Context) -> Result<(), Error> {
    Ok(())
}

fn main() -> ExitCode {
    Program::new().tool(Tool::new("noop", nothing)).main()
}

//! A tool that does nothing, to see what running one costs.

use std::process::ExitCode;

use toolwire_author::{Context, Program, Stop, Tool};

/// Do nothing.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

fn nothing(_: Nothing, _: &mut Context) -> Result<(), Stop> {
    Ok(())
}

fn main() -> ExitCode {
    Program::new().tool(Tool::new("noop", nothing)).main()
}

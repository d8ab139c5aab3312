//! A tool that does nothing, to see what running one costs.

use std::process::ExitCode;

use toolwire_author::{Context, Program, Tool};

/// Do nothing.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

fn noop(_: Nothing, _: &Context) -> &'static str {
    "ok"
}

fn main() -> ExitCode {
    Program::new().tool(Tool::new("noop", noop)).main()
}

//! `toolwire call`: a tool of an MCP server, its questions, its result.

use crate::args::CallArgs;
use crate::call;
use crate::exit::{Outcome, Result};
use crate::output::Out;

pub fn run(args: &CallArgs, out: &mut Out) -> Result<Outcome> {
    call::run(args, out)
}

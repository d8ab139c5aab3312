//! `toolwire run`: a tool, its questions, its result.

use crate::args::RunArgs;
use crate::exit::{Outcome, Result};
use crate::output::Out;
use crate::run;

pub fn run(args: &RunArgs, out: &mut Out) -> Result<Outcome> {
    run::run(args, out)
}

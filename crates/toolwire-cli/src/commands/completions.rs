//! `toolwire completions`: a script for a shell, made from the definition of the arguments.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::exit::{Outcome, Result};
use crate::output::Out;
use crate::record::quote;

pub fn run(args: &CompletionsArgs, out: &mut Out) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "toolwire", &mut script);
    if args.json {
        let script = String::from_utf8_lossy(&script);
        out.json(&format!(
            "{{\"shell\":\"{}\",\"script\":{}}}",
            args.shell,
            quote(&script)
        ))?;
    } else {
        out.bytes(&script)?;
    }
    Ok(Outcome::Success)
}

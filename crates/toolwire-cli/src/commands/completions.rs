//! `toolwire completions`: a script for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::{Cli, CompletionsArgs};
use crate::completion;
use crate::exit::{Outcome, Result};
use crate::output::Out;
use crate::record::quote;

pub fn run(args: &CompletionsArgs, out: &mut Out) -> Result<Outcome> {
    let script = match args.shell {
        Shell::Bash => completion::BASH.to_owned(),
        Shell::Zsh => completion::ZSH.to_owned(),
        Shell::Fish => completion::FISH.to_owned(),
        // The options alone, made from the definition of the arguments.
        shell => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "toolwire", &mut script);
            String::from_utf8_lossy(&script).into_owned()
        }
    };
    if args.json {
        out.json(&format!(
            "{{\"shell\":\"{}\",\"script\":{}}}",
            args.shell,
            quote(&script)
        ))?;
    } else {
        out.bytes(script.as_bytes())?;
    }
    Ok(Outcome::Success)
}

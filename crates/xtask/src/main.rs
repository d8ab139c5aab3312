//! The project's own commands. Everything they need beside the toolchains they install themselves, below `target/`.

mod demo;
mod failure;
mod packages;
mod passed;
mod runner;
mod schedule;
mod steps;
mod toolchain;

use std::path::Path;
use std::process::ExitCode;

use failure::{Failure, Outcome};
use runner::Runner;

const HELP: &str = "\
The project's own commands

Usage: cargo xtask <COMMAND>

Commands:
  demo                       run the example tools on real files and show what a host makes of them
  test [STEP…]               run the tests, or the steps whose name contains a word, and what they need
  test --again               also repeat the steps that have passed with the same files
  test full [STEP…]          the same, and what takes longer: release packages, all MCP peers, long runs
  codegen [--check]          write what is generated from schema/, or fail where it is stale
  conformance [ARG…]         run the cases against Rust, Python and Node
  package                    build the wheel and the npm tarballs into target/
  bench [ARG…]               measure Toolwire beside its peers, in one run (takes long)
  bench serving [ARG…]       measure tools served to MCP clients beside the servers of SDKs (three minutes)
  soak [CALLS]               make 10,000 calls over stdio and over HTTP, and as many handles, and look what is kept
  fuzz [--minutes N]         run the laws on generated input, then hostile tries for as long
  help                       print this

Needed on the machine: Rust (stable), Python 3.9 or newer with venv, Node 20 or newer with npm.
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("", &[][..]),
    };
    // The checkout that this program was built from.
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let runner = Runner::new(
        crates
            .and_then(Path::parent)
            .unwrap_or(Path::new("."))
            .into(),
    );
    let asks = rest.iter().any(|arg| arg == "--help" || arg == "-h");
    let outcome = match command {
        "help" | "--help" | "-h" => help(),
        // Asked for help, no command starts its work; those that pass arguments on leave the answer to the program.
        "demo" | "test" | "codegen" | "package" | "soak" | "fuzz" if asks => help(),
        "demo" => demo::run(&runner),
        "test" => steps::test(&runner, rest),
        // What `test` starts for each step.
        "step" => steps::step_alone(&runner, rest),
        "codegen" => codegen(&runner, rest),
        "conformance" => steps::conformance(&runner, rest),
        "package" => steps::package(&runner),
        "bench" => steps::bench(&runner, rest),
        "soak" => steps::soak(&runner, rest),
        "fuzz" => steps::fuzz(&runner, rest),
        other => {
            if !other.is_empty() {
                eprintln!("xtask: there is no command `{other}`\n");
            }
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> Outcome {
    print!("{HELP}");
    Ok(())
}

fn codegen(runner: &Runner, args: &[String]) -> Outcome {
    let mut command = runner.command("cargo run --quiet -p toolwire-codegen --")?;
    runner.wait(command.args(args))
}

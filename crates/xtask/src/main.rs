//! The project's own commands. Everything they need beside the toolchains they install themselves,
//! below `target/`.

mod alone;
mod bench;
mod build;
mod called;
mod demo;
mod examples;
mod mcp;
mod node;
mod packages;
mod pages;
mod passed;
mod profile;
mod python;
mod schedule;
mod stage;
mod step;
mod test;
mod toolchain;
mod typed;

use std::path::PathBuf;
use std::process::ExitCode;

use step::{Failure, Runner};

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
  fuzz [--minutes N] [ARG…]  run the laws on generated input, then hostile tries for as long
  help                       print this

Needed on the machine: Rust (stable), Python 3.9 or newer with venv, Node 20 or newer with npm.
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    let runner = Runner::new(root());
    let asks = rest.iter().any(|arg| arg == "--help" || arg == "-h");
    let outcome = match command.as_str() {
        "help" | "--help" | "-h" => help(),
        // Asked for help, no command starts its work; those that pass arguments on have the program tell them.
        "demo" | "test" | "codegen" | "package" | "soak" if asks => help(),
        "bench" if asks => bench::help(&runner, &rest),
        "demo" => demo::run(&runner),
        "test" => test::run(&runner, &rest),
        // What `test` starts for each step.
        "step" => test::step_alone(&runner, &rest),
        "codegen" => codegen(&runner, &rest),
        "conformance" => test::conformance(&runner, &rest),
        "package" => package(&runner),
        "bench" => bench::run(&runner, &rest),
        "soak" => test::soak(&runner, &rest),
        "fuzz" => test::fuzz(&runner, &rest),
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

fn help() -> Result<(), Failure> {
    print!("{HELP}");
    Ok(())
}

/// The checkout that this program was built from.
fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest
        .ancestors()
        .nth(2)
        .map(PathBuf::from)
        .unwrap_or(manifest)
}

fn codegen(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    let mut command = runner.cargo(&["run", "--quiet", "--package", "toolwire-codegen", "--"]);
    command.args(args);
    runner.run("codegen", &mut command)
}

fn package(runner: &Runner) -> Result<(), Failure> {
    packages::release(runner)?;
    let wheel = python::wheel(runner, profile::Profile::Release)?;
    let tarballs = node::tarballs(runner, profile::Profile::Release)?;
    println!("\n{}", wheel.display());
    println!("{}", tarballs.package.display());
    println!("{}", tarballs.platform.display());
    Ok(())
}

//! What the published crates promise: their API, as `api.txt` of each lists it, and the oldest Rust
//! that builds them.

use std::process::Command;

use crate::step::{Failure, Runner};

/// `cargo xtask api`: compares the listings, or with `--write` writes them.
pub fn run(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    let mut command = check(runner, "api");
    command.args(args);
    runner.run("the API is the one that is listed", &mut command)
}

/// The manifests, the dependencies and the READMEs agree on the oldest Rust; and it builds what is
/// published, where the machine has it.
pub fn msrv(runner: &Runner) -> Result<(), Failure> {
    const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");
    runner.run(
        "one Rust version in manifests, dependencies and READMEs",
        &mut check(runner, "msrv"),
    )?;
    let mut version = runner.command("rustup");
    version.args(["run", OLDEST, "cargo", "--version"]);
    if !version.output().is_ok_and(|out| out.status.success()) {
        runner.say(&format!(
            "not compiled with Rust {OLDEST}; `rustup toolchain install {OLDEST}` lets it be"
        ));
        return Ok(());
    }
    let mut command = runner.command("rustup");
    command.args(["run", OLDEST, "cargo", "check", "--quiet", "--locked"]);
    // And what they are built of: all that is published.
    for package in [
        "toolwire-author",
        "toolwire-cli",
        "toolwire-node",
        "toolwire-python",
    ] {
        command.args(["--package", package]);
    }
    // Its own folder, since cargo would build everything again for each of two compilers.
    command.env("CARGO_TARGET_DIR", runner.target("msrv"));
    // They would name the compiler that runs this program.
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    runner.run(&format!("Rust {OLDEST} compiles it"), &mut command)
}

fn check(runner: &Runner, what: &str) -> Command {
    let package = "toolwire-api-check";
    runner.cargo(&[
        "run",
        "--quiet",
        "--locked",
        "--package",
        package,
        "--",
        what,
    ])
}

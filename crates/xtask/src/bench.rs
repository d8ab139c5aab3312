//! Measuring beside the peers.

use crate::profile::Profile;
use crate::step::{Failure, Runner};
use crate::{mcp, node, packages, python, toolchain};

pub fn run(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    if let Some((first, args)) = args.split_first()
        && first == "serving"
    {
        return serving(runner, args);
    }
    packages::release(runner)?;
    let wheel = python::wheel(runner, Profile::Release)?;
    let tarballs = node::tarballs(runner, Profile::Release)?;
    build(runner)?;
    let mut bench = runner.command(runner.target("bench/release/toolwire-bench"));
    bench
        .arg("--wheel")
        .arg(wheel)
        .arg("--tarball")
        .arg(tarballs.package)
        .arg("--tarball")
        .arg(tarballs.platform);
    bench
        .arg("--toolwire")
        .arg(Profile::Release.program(runner, "toolwire"));
    bench
        .arg("--python")
        .arg(toolchain::python()?)
        .arg("--node")
        .arg(toolchain::node()?);
    bench.args(args);
    runner.run("bench: measure (some minutes)", &mut bench)
}

/// Builds what measures, and the peers: a workspace of its own, which nobody else compiles.
fn build(runner: &Runner) -> Result<(), Failure> {
    let mut build = runner.cargo(&["build", "--release", "--locked", "--workspace"]);
    build.args(["--manifest-path", "benches/Cargo.toml", "--target-dir"]);
    build.arg(runner.target("bench"));
    runner.run("bench: build the peers", &mut build)
}

/// The options of what measures, without what it measures.
pub fn help(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    let program = match args.first().map(String::as_str) {
        Some("serving") => "toolwire-bench-serving",
        _ => "toolwire-bench",
    };
    build(runner)?;
    let mut command = runner.command(runner.target("bench/release").join(program));
    command.arg("--help");
    runner.run("bench: its options", &mut command)
}

/// Tools served to MCP clients, beside the servers of other SDKs. Another build of the command than that of the
/// wheel is measured: the one that `cargo install` makes.
fn serving(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    let Some(peers) = mcp::peers(runner)? else {
        let message = "the SDKs in Python need Python 3.10; name one in the variable PYTHON";
        return Err(Failure(message.into()));
    };
    packages::release(runner)?;
    let wheel = python::wheel(runner, Profile::Release)?;
    python::install(runner, &peers.python, &wheel)?;
    mcp::place_beside(runner, Profile::Release, &peers.app)?;
    build(runner)?;
    let mut bench = runner.command(runner.target("bench/release/toolwire-bench-serving"));
    let toolwire = Profile::Release.program(runner, "toolwire");
    bench.arg("--toolwire").arg(toolwire);
    bench.arg("--python").arg(&peers.python);
    bench.arg("--node").arg(&peers.node);
    bench.arg("--app").arg(&peers.app);
    bench.args(args);
    runner.run("bench: measure (three minutes)", &mut bench)
}

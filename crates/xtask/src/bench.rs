//! Measuring beside the peers.

use crate::step::{Failure, Runner};
use crate::{mcp, node, python, toolchain};

pub fn run(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    if let Some((first, args)) = args.split_first()
        && first == "serving"
    {
        return serving(runner, args);
    }
    let wheel = python::build_wheel(runner)?;
    let tarballs = node::build_tarballs(runner)?;
    let mut cli = runner.cargo(&["build", "--quiet", "--release", "--package", "toolwire-cli"]);
    runner.run("command: build toolwire", &mut cli)?;
    // The tools that are started stand beside the program that starts them.
    let mut tools = runner.cargo(&[
        "build",
        "--quiet",
        "--release",
        "--package",
        "toolwire-bench",
        "--package",
        "toolwire-bench-serving",
    ]);
    runner.run("bench: build", &mut tools)?;
    let mut bench = runner.cargo(&["run", "--release", "--package", "toolwire-bench", "--"]);
    bench
        .arg("--wheel")
        .arg(wheel)
        .arg("--tarball")
        .arg(tarballs.package)
        .arg("--tarball")
        .arg(tarballs.platform);
    bench
        .arg("--toolwire")
        .arg(runner.target("release/toolwire"));
    bench
        .arg("--python")
        .arg(toolchain::python()?)
        .arg("--node")
        .arg(toolchain::node()?);
    bench.args(args);
    runner.run(
        "bench: build the peers and measure (some minutes)",
        &mut bench,
    )
}

/// The options of what measures, without what it measures.
pub fn help(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    let program = match args.first().map(String::as_str) {
        Some("serving") => "toolwire-bench-serving",
        _ => "toolwire-bench",
    };
    let mut command = runner.cargo(&["run", "--quiet", "--release", "--package", program]);
    command.args(["--bin", program, "--", "--help"]);
    runner.run("bench: build it for its options", &mut command)
}

/// Tools served to MCP clients, beside the servers of other SDKs. Another build of the command than that of the
/// wheel is measured: the one that `cargo install` makes.
fn serving(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    let Some(peers) = mcp::peers(runner)? else {
        let message = "the SDKs in Python need Python 3.10; name one in the variable PYTHON";
        return Err(Failure(message.into()));
    };
    mcp::install_beside(runner, &peers.app)?;
    for package in ["toolwire-cli", "toolwire-bench-serving"] {
        let mut build = runner.cargo(&["build", "--quiet", "--release", "--locked"]);
        build.args(["--package", package]);
        runner.run(&format!("bench: build {package}"), &mut build)?;
    }
    let program =
        |name: &str| runner.target(format!("release/{name}{}", std::env::consts::EXE_SUFFIX));
    let mut bench = runner.command(program("toolwire-bench-serving"));
    bench.arg("--toolwire").arg(program("toolwire"));
    bench.arg("--python").arg(&peers.python);
    bench.arg("--node").arg(&peers.node);
    bench.arg("--app").arg(&peers.app);
    bench.args(args);
    runner.run("bench: measure (three minutes)", &mut bench)
}

//! Measuring beside the peers.

use crate::step::{Failure, Runner};
use crate::{node, python, toolchain};

pub fn run(runner: &Runner, args: &[String]) -> Result<(), Failure> {
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

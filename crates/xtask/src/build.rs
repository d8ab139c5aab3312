//! What cargo builds: everything in one call, so that no crate is compiled twice; and the packages for
//! Python and Node laid out for use from where they are.

use crate::profile::Profile;
use crate::step::{Failure, Runner};
use crate::{node, python};

/// The command, both packages and the example tools.
const SHOWN: [&str; 4] = [
    "toolwire-cli",
    "toolwire-python",
    "toolwire-node",
    "toolwire-examples",
];

/// What `cargo xtask test full` tests as it ships; maturin builds what is in the wheel.
pub const RELEASED: [&str; 3] = ["toolwire-cli", "toolwire-node", "toolwire-harness"];

/// Builds what the demo shows, and lays out the packages.
pub fn shown(runner: &Runner) -> Result<(), Failure> {
    packages(runner, Profile::Dev, &SHOWN)?;
    lay_out(runner, Profile::Dev)
}

/// Builds some packages.
pub fn packages(runner: &Runner, profile: Profile, packages: &[&str]) -> Result<(), Failure> {
    let mut build = runner.cargo(&["build", "--locked", "--profile", profile.name()]);
    for package in packages {
        build.args(["--package", package]);
    }
    runner.run(&format!("build {}", packages.join(", ")), &mut build)
}

/// Builds the whole workspace, and lays out the packages.
pub fn workspace(runner: &Runner) -> Result<(), Failure> {
    let mut build = runner.cargo(&["build", "--locked", "--workspace"]);
    runner.run("build the workspace", &mut build)?;
    lay_out(runner, Profile::Dev)
}

pub fn lay_out(runner: &Runner, profile: Profile) -> Result<(), Failure> {
    python::lay_out(runner, profile)?;
    node::lay_out(runner, profile)
}

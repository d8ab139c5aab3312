//! What cargo builds: everything in one call, so that no crate is compiled twice; and the packages for
//! Python and Node laid out for use from where they are.

use std::path::PathBuf;

use crate::step::{Failure, Runner};
use crate::{node, python};

/// How something is built: fast to build, for the demo and the tests; or as it ships.
#[derive(Clone, Copy, PartialEq)]
pub enum Profile {
    Dev,
    Release,
}

impl Profile {
    pub fn name(self) -> &'static str {
        match self {
            Profile::Dev => "dev",
            Profile::Release => "release",
        }
    }

    /// Where cargo puts what it builds.
    pub fn folder(self, runner: &Runner) -> PathBuf {
        runner.target(match self {
            Profile::Dev => "debug",
            Profile::Release => "release",
        })
    }

    /// A program that was built.
    pub fn program(self, runner: &Runner, name: &str) -> PathBuf {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        self.folder(runner).join(name)
    }

    /// A library that was built for another language, by the name of its crate.
    pub fn library(self, runner: &Runner, name: &str) -> PathBuf {
        use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
        let name = format!("{DLL_PREFIX}{name}{DLL_SUFFIX}");
        self.folder(runner).join(name)
    }
}

/// The command, both packages and the example tools.
const SHOWN: [&str; 4] = [
    "toolwire-cli",
    "toolwire-python",
    "toolwire-node",
    "toolwire-examples",
];

/// What `cargo xtask test full` tests as it ships.
pub const RELEASED: [&str; 4] = [
    "toolwire-cli",
    "toolwire-python",
    "toolwire-node",
    "toolwire-harness",
];

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

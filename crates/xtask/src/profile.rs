//! How something is built, and where it lies then.

use std::path::PathBuf;

use crate::step::Runner;

/// How something is built: fast to build, for the demo and the tests; or as it ships.
#[derive(Clone, Copy)]
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

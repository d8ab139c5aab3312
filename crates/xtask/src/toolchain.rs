//! The toolchains that have to be there: found, or missed with a word on how to get them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::failure::Failure;

/// A Python of at least 3.9 that can make virtual environments. `PYTHON` names another one.
pub fn python() -> Result<PathBuf, Failure> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    const CHECK: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))";
    let found = FOUND.get_or_init(|| find("PYTHON", &["python3", "python"], &["-c", CHECK]));
    found.clone().ok_or_else(|| {
        missed("PYTHON", "Python 3.9 or newer, with its modules `venv` and `ensurepip`,", "install it (Debian: `apt-get install python3 python3-venv`, macOS: `brew install python`, Windows: `winget install Python.Python.3.13`)")
    })
}

/// A Node of at least version 20. `NODE` names another one.
pub fn node() -> Result<PathBuf, Failure> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    const CHECK: &str = "process.exit(Number(process.versions.node.split('.')[0]) >= 20 ? 0 : 1)";
    let found = FOUND.get_or_init(|| find("NODE", &["node"], &["-e", CHECK]));
    let how = "install it from nodejs.org or with your package manager";
    found
        .clone()
        .ok_or_else(|| missed("NODE", "Node 20 or newer", how))
}

/// npm, which comes with Node. `NPM` names another one.
pub fn npm() -> Result<PathBuf, Failure> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let usual = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let found = FOUND.get_or_init(|| find("NPM", &[usual], &["--version"]));
    let how = "it comes with Node, on Debian as the package `npm`";
    found.clone().ok_or_else(|| missed("NPM", "npm", how))
}

/// The program that a variable names, or else the first with a usual name, if it passes a check.
fn find(variable: &str, usual: &[&str], check: &[&str]) -> Option<PathBuf> {
    let candidates: Vec<PathBuf> = match std::env::var_os(variable) {
        Some(named) => vec![named.into()],
        None => usual.iter().map(PathBuf::from).collect(),
    };
    let found = candidates.iter().find(|program| answers(program, check));
    found.map(|program| absolute(program))
}

fn missed(variable: &str, what: &str, how: &str) -> Failure {
    let place = match std::env::var(variable) {
        Ok(named) => format!("as `{named}`, which the variable {variable} names"),
        Err(_) => "on the path".to_owned(),
    };
    Failure(format!(
        "{what} is needed and was not found {place}; {how}, or name one in the variable {variable}"
    ))
}

/// The oldest Python and the newest one that are on this machine and work, be it on the path or among the versions
/// that pyenv keeps; each with its name.
pub fn other_pythons() -> Vec<(String, PathBuf)> {
    let home = std::env::home_dir().map(|home| home.join(".pyenv"));
    let pyenv = std::env::var_os("PYENV_ROOT").map(PathBuf::from).or(home);
    let kept = pyenv.and_then(|root| std::fs::read_dir(root.join("versions")).ok());
    let kept: Vec<_> = kept.into_iter().flatten().flatten().collect();
    let mut found: Vec<(String, PathBuf)> = (9..=15)
        .filter_map(|minor| {
            let name = format!("python3.{minor}");
            let kept = kept
                .iter()
                .map(|entry| entry.path().join("bin").join(&name));
            let mut candidates = std::iter::once(PathBuf::from(&name)).chain(kept);
            let program =
                candidates.find(|program| answers(program, &["-c", "import venv, ensurepip"]))?;
            Some((name, program))
        })
        .collect();
    if found.len() > 2 {
        found.drain(1..found.len() - 1);
    }
    found
}

/// The path of a program that was found on the path.
fn absolute(program: &Path) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut named = std::env::split_paths(&path).map(|folder| folder.join(program));
    let found = named.find(|file| program.components().count() == 1 && file.is_file());
    found.unwrap_or_else(|| std::path::absolute(program).unwrap_or_else(|_| program.into()))
}

pub fn answers(program: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command.output().is_ok_and(|output| output.status.success())
}

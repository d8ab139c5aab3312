//! The toolchains that have to be there: found, or missed with a word on how to get them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::failure::Failure;

type Found = OnceLock<Result<PathBuf, String>>;

/// A Python of at least 3.9 that can make virtual environments. `PYTHON` names another one.
pub fn python() -> Result<PathBuf, Failure> {
    static FOUND: Found = OnceLock::new();
    const NEW: &str = "import sys; sys.exit(sys.version_info < (3, 9))";
    look_for(&FOUND, "PYTHON", &["python3", "python"], |python| {
        if !answers(python, &["-c", NEW]) {
            return Err(
                "Python 3.9 or newer is needed and was not found as {}; install it (Debian: `apt-get install python3 python3-venv`, macOS: `brew install python`, Windows: `winget install Python.Python.3.13`) or name one in the variable PYTHON",
            );
        }
        match makes_environments(python) {
            true => Ok(()),
            false => Err(
                "the Python that was found as {} can't make virtual environments; install its `venv` module (Debian: `apt-get install python3-venv`)",
            ),
        }
    })
}

/// A Node of at least version 20. `NODE` names another one.
pub fn node() -> Result<PathBuf, Failure> {
    static FOUND: Found = OnceLock::new();
    const NEW: &str = "process.exit(Number(process.versions.node.split('.')[0]) >= 20 ? 0 : 1)";
    look_for(&FOUND, "NODE", &["node"], |node| {
        match answers(node, &["-e", NEW]) {
            true => Ok(()),
            false => Err(
                "Node 20 or newer is needed and was not found as {}; install it from nodejs.org or with your package manager, or name one in the variable NODE",
            ),
        }
    })
}

/// npm, which comes with Node. `NPM` names another one.
pub fn npm() -> Result<PathBuf, Failure> {
    static FOUND: Found = OnceLock::new();
    let usual: &[&str] = if cfg!(windows) {
        &["npm.cmd"]
    } else {
        &["npm"]
    };
    look_for(&FOUND, "NPM", usual, |npm| {
        match answers(npm, &["--version"]) {
            true => Ok(()),
            false => Err(
                "npm is needed and was not found as {}; it comes with Node, on Debian as the package `npm`",
            ),
        }
    })
}

/// The first of some programs that passes a check, or why the last one does not; looked for once.
fn look_for(
    found: &Found,
    variable: &str,
    usual: &[&str],
    check: impl Fn(&Path) -> Result<(), &'static str>,
) -> Result<PathBuf, Failure> {
    let look = || {
        let named = std::env::var_os(variable).map(PathBuf::from);
        let candidates = match &named {
            Some(program) => vec![program.clone()],
            None => usual.iter().map(PathBuf::from).collect(),
        };
        let mut missed = "";
        for program in candidates {
            match check(&program) {
                Ok(()) => return Ok(absolute(&program)),
                // The first is the usual name.
                Err(why) if missed.is_empty() => missed = why,
                Err(_) => {}
            }
        }
        let name = match named {
            Some(program) => format!(
                "`{}`, which the variable {variable} names",
                program.display()
            ),
            None => format!("`{}`", usual[0]),
        };
        Err(missed.replace("{}", &name))
    };
    found.get_or_init(look).clone().map_err(Failure)
}

/// The oldest Python and the newest one that are on this machine and work, be it on the path or among the versions
/// that pyenv keeps; each with its name.
pub fn other_pythons() -> Vec<(String, PathBuf)> {
    let home = std::env::home_dir().map(|home| home.join(".pyenv"));
    let pyenv = std::env::var_os("PYENV_ROOT").map(PathBuf::from).or(home);
    let kept = pyenv.and_then(|root| std::fs::read_dir(root.join("versions")).ok());
    let kept: Vec<PathBuf> = kept
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    let mut found: Vec<(String, PathBuf)> = (9..=15)
        .filter_map(|minor| {
            let name = format!("python3.{minor}");
            let candidates = kept.iter().map(|folder| folder.join("bin").join(&name));
            let mut candidates = std::iter::once(PathBuf::from(&name)).chain(candidates);
            let program = candidates.find(|program| makes_environments(program))?;
            Some((name, program))
        })
        .collect();
    if found.len() > 2 {
        found.drain(1..found.len() - 1);
    }
    found
}

fn makes_environments(python: &Path) -> bool {
    answers(python, &["-c", "import venv, ensurepip"])
}

/// The path of a program that was found on the path.
fn absolute(program: &Path) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let named = std::env::split_paths(&path).map(|folder| folder.join(program));
    let found = named.into_iter().find(|file| file.is_file());
    match program.components().count() {
        1 => found.unwrap_or_else(|| program.to_path_buf()),
        _ => std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf()),
    }
}

pub fn answers(program: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command.output().is_ok_and(|output| output.status.success())
}

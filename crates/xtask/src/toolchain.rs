//! The toolchains that have to be there: found, or missed with a word on how to get them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::step::Failure;

/// A Python of at least 3.9 that can make virtual environments. `PYTHON` names another one.
pub fn python() -> Result<PathBuf, Failure> {
    let asked = std::env::var_os("PYTHON").map(PathBuf::from);
    let named = name_of(asked.as_ref(), "PYTHON", "python3");
    let candidates: Vec<PathBuf> = match asked {
        Some(python) => vec![python],
        None => ["python3", "python"].iter().map(PathBuf::from).collect(),
    };
    const CHECK: &str =
        "import sys; print('%d.%d' % sys.version_info[:2]); sys.exit(sys.version_info < (3, 9))";
    let Some((python, version)) = first_that_answers(&candidates, &["-c", CHECK]) else {
        return Err(Failure(format!(
            "Python 3.9 or newer is needed and was not found as {named}; install it (Debian: `apt-get install python3 python3-venv`, macOS: `brew install python`, Windows: `winget install Python.Python.3.13`) or name one in the variable PYTHON"
        )));
    };
    if !answers(&python, &["-c", "import venv, ensurepip"]) {
        return Err(Failure(format!(
            "`{}` (Python {}) can't make virtual environments; install its `venv` module (Debian: `apt-get install python3-venv`)",
            python.display(),
            version.trim()
        )));
    }
    Ok(python)
}

/// A Python beside the one that is used for everything.
pub struct OtherPython {
    pub name: String,
    pub program: PathBuf,
}

/// The oldest supported Python and the newest one that are on this machine and work, be it on the
/// path or among the versions that pyenv keeps.
pub fn other_pythons() -> Vec<OtherPython> {
    let home = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".pyenv"));
    let pyenv = std::env::var_os("PYENV_ROOT").map(PathBuf::from).or(home);
    let kept: Vec<PathBuf> = pyenv
        .and_then(|root| std::fs::read_dir(root.join("versions")).ok())
        .map(|entries| {
            entries
                .flatten()
                .map(|entry| entry.path().join("bin"))
                .collect()
        })
        .unwrap_or_default();
    let mut found: Vec<OtherPython> = (9..=15)
        .filter_map(|minor| {
            let name = format!("python3.{minor}");
            let candidates = std::iter::once(PathBuf::from(&name))
                .chain(kept.iter().map(|folder| folder.join(&name)));
            let program = candidates
                .into_iter()
                .find(|program| answers(program, &["-c", "import venv, ensurepip"]))?;
            Some(OtherPython { name, program })
        })
        .collect();
    if found.len() > 2 {
        found.drain(1..found.len() - 1);
    }
    found
}

/// A Node of at least version 20. `NODE` names another one.
pub fn node() -> Result<PathBuf, Failure> {
    let asked = std::env::var_os("NODE").map(PathBuf::from);
    let named = name_of(asked.as_ref(), "NODE", "node");
    let node = asked.unwrap_or_else(|| PathBuf::from("node"));
    const CHECK: &str = "process.exit(Number(process.versions.node.split('.')[0]) >= 20 ? 0 : 1)";
    if !answers(&node, &["-e", CHECK]) {
        return Err(Failure(format!(
            "Node 20 or newer is needed and was not found as {named}; install it from nodejs.org or with your package manager, or name one in the variable NODE"
        )));
    }
    Ok(node)
}

/// The path of a program that was found on the path.
pub fn absolute(program: &Path) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let named = std::env::split_paths(&path).map(|folder| folder.join(program));
    let found = named.into_iter().find(|file| file.is_file());
    match program.components().count() {
        1 => found.unwrap_or_else(|| program.to_path_buf()),
        _ => std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf()),
    }
}

/// npm, which comes with Node.
pub fn npm() -> Result<PathBuf, Failure> {
    let names = if cfg!(windows) {
        ["npm.cmd", "npm"]
    } else {
        ["npm", "npm"]
    };
    let candidates: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
    first_that_answers(&candidates, &["--version"]).map(|(npm, _)| npm).ok_or_else(|| {
        Failure("npm is needed and was not found; it comes with Node, on Debian as the package `npm`".into())
    })
}

/// Where a program was looked for.
fn name_of(asked: Option<&PathBuf>, variable: &str, usual: &str) -> String {
    match asked {
        Some(program) => format!(
            "`{}`, which the variable {variable} names",
            program.display()
        ),
        None => format!("`{usual}`"),
    }
}

fn first_that_answers(candidates: &[PathBuf], args: &[&str]) -> Option<(PathBuf, String)> {
    candidates.iter().find_map(|program| {
        let output = Command::new(program)
            .args(args)
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then(|| (program.clone(), answer))
    })
}

fn answers(program: &PathBuf, args: &[&str]) -> bool {
    first_that_answers(std::slice::from_ref(program), args).is_some()
}

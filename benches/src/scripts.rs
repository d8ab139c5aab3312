//! The Python and Node halves: their peers are installed below `target`, their scripts print samples.

use crate::measure::Sample;
use crate::strict::Verdicts;
use serde::Deserialize;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A line that a script prints.
#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    Sample(Sample),
    Takes { peer: String, takes: Vec<bool> },
    Refused { refused: String },
    Versions { versions: Vec<String> },
}

/// What a script found.
#[derive(Default)]
pub struct Found {
    /// The times.
    pub samples: Vec<Sample>,
    /// Who takes what it should not.
    pub verdicts: Verdicts,
    /// Who was left out where, because it refuses the input.
    pub refused: Vec<String>,
    /// The peers' versions.
    pub versions: Vec<String>,
}

/// Runs a command to its end without showing what it says, unless it fails.
///
/// # Errors
///
/// The command, and the end of what it said.
pub fn quietly(command: &mut Command) -> Result<(), String> {
    let output = command
        .output()
        .map_err(|e| format!("cannot start {command:?}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().collect();
    let last = lines[lines.len().saturating_sub(15)..].join("\n");
    Err(format!("{command:?} failed:\n{last}"))
}

/// Makes the environment of the Python peers, with Toolwire's wheel in it; gives its interpreter.
///
/// # Errors
///
/// Those of `venv` and `pip`.
pub fn python(
    checkout: &Path,
    target: &Path,
    python: &Path,
    wheel: &Path,
) -> Result<PathBuf, String> {
    let venv = target.join("bench-venv");
    let inside = if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    };
    let interpreter = venv.join(inside);
    if !interpreter.exists() {
        quietly(Command::new(python).args(["-m", "venv"]).arg(&venv))?;
    }
    let pip = || {
        let mut pip = Command::new(&interpreter);
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]);
        pip
    };
    quietly(
        pip()
            .arg("--requirement")
            .arg(checkout.join("benches/python/requirements.txt")),
    )?;
    quietly(
        pip()
            .args(["--force-reinstall", "--no-deps", "--no-index"])
            .arg(wheel),
    )?;
    Ok(interpreter)
}

/// Makes the folder of the Node peers, with Toolwire's tarballs in it; gives the folder.
///
/// # Errors
///
/// Those of `npm` and of files.
pub fn node(checkout: &Path, target: &Path, tarballs: &[PathBuf]) -> Result<PathBuf, String> {
    let folder = target.join("bench-node");
    std::fs::create_dir_all(&folder)
        .map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    for name in ["package.json", "package-lock.json", "bench.mjs"] {
        let from = checkout.join("benches/node").join(name);
        std::fs::copy(&from, folder.join(name))
            .map_err(|e| format!("cannot copy {}: {e}", from.display()))?;
    }
    let npm = || {
        let mut npm = if cfg!(windows) {
            Command::new("npm.cmd")
        } else {
            Command::new("npm")
        };
        npm.current_dir(&folder).args(["--no-audit", "--no-fund"]);
        npm
    };
    quietly(npm().args(["ci", "--ignore-scripts"]))?;
    quietly(
        npm()
            .args(["install", "--no-save", "--offline", "--ignore-scripts"])
            .args(tarballs),
    )?;
    Ok(folder)
}

/// Runs a script and reads what it prints; its words for people go to stderr.
///
/// # Errors
///
/// When it does not end well, or prints something else.
pub fn run(command: &mut Command, mut done: impl FnMut(&Sample)) -> Result<Found, String> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot start {command:?}: {e}"))?;
    let mut found = Found::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line.map_err(|e| format!("{command:?}: {e}"))?;
            match serde_json::from_str(&line)
                .map_err(|e| format!("{command:?} says `{line}`: {e}"))?
            {
                Said::Sample(sample) => {
                    done(&sample);
                    found.samples.push(sample);
                }
                Said::Takes { peer, takes } => found.verdicts.push((peer, takes)),
                Said::Refused { refused } => found.refused.push(refused),
                Said::Versions { versions } => found.versions = versions,
            }
        }
    }
    let status = child.wait().map_err(|e| format!("{command:?}: {e}"))?;
    if status.success() {
        Ok(found)
    } else {
        Err(format!("{command:?} ends with {status}"))
    }
}

//! Which steps have passed before with the same files, so that a second run leaves them out, as `go test` does.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;

use crate::failure::{Failure, at};
use crate::runner::Runner;

/// What a step passed with: the files of the checkout and the versions of the toolchains.
pub struct Passed {
    folder: PathBuf,
    /// Nothing outside of a checkout of git.
    inputs: Option<String>,
}

impl Passed {
    pub fn new(runner: &Runner) -> Result<Passed, Failure> {
        let folder = runner.target("test-passed");
        std::fs::create_dir_all(&folder).map_err(at(&folder))?;
        Ok(Passed {
            folder,
            inputs: inputs(runner),
        })
    }

    pub fn holds(&self, step: &str) -> bool {
        let noted = std::fs::read_to_string(self.folder.join(step)).ok();
        self.inputs.is_some() && noted == self.inputs
    }

    pub fn note(&self, step: &str, passed: bool) {
        let at = self.folder.join(step);
        // Without the note, the step runs once more.
        let _ = match &self.inputs {
            Some(inputs) if passed => std::fs::write(at, inputs),
            _ => std::fs::remove_file(at),
        };
    }
}

fn inputs(runner: &Runner) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    let list = "git ls-files -z --cached --others --exclude-standard";
    let listed = runner.command(list).ok()?.output().ok()?;
    if !listed.status.success() {
        return None;
    }
    for name in String::from_utf8(listed.stdout)
        .ok()?
        .split_terminator('\0')
    {
        name.hash(&mut hasher);
        std::fs::read(runner.path(name)).ok().hash(&mut hasher);
    }
    for line in ["rustc -vV", "python3 -VV", "node --version"] {
        let version = runner.command(line).ok()?.output().ok()?;
        version.stdout.hash(&mut hasher);
    }
    Some(format!("{:016x}\n", hasher.finish()))
}

//! Steps: running commands, saying what is done, and what went wrong.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Why a command of the project can't go on; a sentence for a person.
#[derive(Debug)]
pub struct Failure(pub String);

/// Runs the steps of a command.
pub struct Runner {
    root: PathBuf,
    started: Instant,
}

impl Runner {
    pub fn new(root: PathBuf) -> Self {
        Runner {
            root,
            started: Instant::now(),
        }
    }

    /// A path inside the checkout.
    pub fn path(&self, inside: impl AsRef<Path>) -> PathBuf {
        self.root.join(inside)
    }

    /// A path inside `target/`, where everything goes that can be thrown away.
    pub fn target(&self, inside: impl AsRef<Path>) -> PathBuf {
        let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let target = target.map_or_else(|| self.path("target"), |target| self.root.join(target));
        target.join(inside)
    }

    /// A command that runs at the root of the checkout, with nothing on its stdin.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).stdin(Stdio::null());
        // What `cargo xtask` tells of this program: some crates are built again where it is other than before.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                command.env_remove(name);
            }
        }
        command
    }

    /// Cargo, the same one that runs this program.
    pub fn cargo(&self, args: &[&str]) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = self.command(cargo);
        command.args(args);
        command
    }

    /// Says what comes next.
    pub fn say(&self, what: &str) {
        println!("==> [{}] {what}", clock(self.elapsed()));
    }

    /// How long the command has run.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Runs a command with its output shown.
    pub fn run(&self, what: &str, command: &mut Command) -> Result<(), Failure> {
        self.say(what);
        let status = command
            .status()
            .map_err(|error| unstartable(command, &error))?;
        if status.success() {
            Ok(())
        } else {
            Err(Failure(format!(
                "{what}: `{}` ended with {status}",
                written(command)
            )))
        }
    }

    /// Runs a command whose output matters only when it fails.
    pub fn quietly(&self, what: &str, command: &mut Command) -> Result<(), Failure> {
        self.say(what);
        let output = command
            .output()
            .map_err(|error| unstartable(command, &error))?;
        if output.status.success() {
            return Ok(());
        }
        Err(Failure(format!(
            "{what}: `{}` ended with {}\n{}{}",
            written(command),
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )))
    }
}

/// A time as minutes and seconds.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn unstartable(command: &Command, error: &std::io::Error) -> Failure {
    Failure(format!("`{}` can't be started: {error}", written(command)))
}

/// A command as a person would type it.
pub fn written(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args() {
        text.push(' ');
        text.push_str(&arg.to_string_lossy());
    }
    text
}

/// Removes what is at a path, if there is something.
pub fn clear(path: &Path) -> Result<(), Failure> {
    let gone = if path.is_dir() {
        std::fs::remove_dir_all(path)
    } else if path.exists() {
        std::fs::remove_file(path)
    } else {
        Ok(())
    };
    gone.map_err(|error| Failure(format!("`{}` can't be removed: {error}", path.display())))
}

/// Copies a folder, without what was installed or compiled in it.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure(format!("`{}`: {error}", from.display()));
    folder(to)?;
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let target = to.join(entry.file_name());
        if entry.file_name() == "node_modules" || entry.file_name() == "__pycache__" {
            continue;
        }
        if entry.file_type().map_err(failed)?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target).map_err(failed)?;
        }
    }
    Ok(())
}

/// Creates a folder and those above it.
pub fn folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path)
        .map_err(|error| Failure(format!("`{}` can't be created: {error}", path.display())))
}

/// The one file in a folder whose name ends like this.
pub fn only_file(folder: &Path, ending: &str) -> Result<PathBuf, Failure> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| Failure(format!("`{}` can't be read: {error}", folder.display())))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    match (found.pop(), found.len()) {
        (Some(path), 0) => Ok(path),
        (Some(_), more) => Err(Failure(format!(
            "{} files in `{}` end with `{ending}`",
            more + 1,
            folder.display()
        ))),
        (None, _) => Err(Failure(format!(
            "no file in `{}` ends with `{ending}`",
            folder.display()
        ))),
    }
}

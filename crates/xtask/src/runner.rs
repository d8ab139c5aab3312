//! Command lines of other programs, and files.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome, at};
use crate::toolchain;

/// Runs the command lines of one `cargo xtask`.
pub struct Runner {
    root: PathBuf,
    target: PathBuf,
    started: Instant,
}

impl Runner {
    pub fn new(root: PathBuf) -> Self {
        let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        Runner {
            target: root.join(target),
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
        self.target.join(inside)
    }

    /// Says what comes next.
    pub fn say(&self, what: &str) {
        println!("==> [{}] {what}", clock(self.elapsed()));
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Runs each line of a script at the root of the checkout.
    pub fn run(&self, script: &str) -> Outcome {
        self.run_in("", script)
    }

    /// Runs each line of a script in a folder.
    pub fn run_in(&self, folder: impl AsRef<Path>, script: &str) -> Outcome {
        let lines = script.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty()) {
            let mut command = self.command(line)?;
            self.wait(command.current_dir(self.root.join(&folder)))?;
        }
        Ok(())
    }

    /// Runs a command with its output shown.
    pub fn wait(&self, command: &mut Command) -> Outcome {
        let text = written(command);
        self.say(&text);
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Failure(format!("`{text}` ended with {status}"))),
            Err(error) => Err(Failure(format!("`{text}` can't be started: {error}"))),
        }
    }

    /// Whether a line can be started and succeeds; its output is dropped.
    pub fn succeeds(&self, line: &str) -> bool {
        let quiet = |mut command: Command| {
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.status().ok()
        };
        let status = self.command(line).ok().and_then(quiet);
        status.as_ref().is_some_and(ExitStatus::success)
    }

    /// The command of a line: first variables for it, as `NAME=value`, then the program and its arguments. `'` keeps
    /// spaces together; names in braces stand for paths, and `*` for the one file with that ending. The toolchains
    /// are those that run here.
    pub fn command(&self, line: &str) -> Result<Command, Failure> {
        let mut words = Vec::new();
        for word in split(line) {
            words.push(self.fill(word)?);
        }
        let variables = words
            .iter()
            .map_while(|word| variable(word))
            .collect::<Vec<_>>();
        let (program, arguments) = words[variables.len()..]
            .split_first()
            .ok_or_else(|| Failure(format!("`{line}` names no program")))?;
        let mut command = Command::new(match program.as_str() {
            "cargo" => std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
            "python3" => toolchain::python()?.into(),
            "node" => toolchain::node()?.into(),
            "npm" => toolchain::npm()?.into(),
            other => other.into(),
        });
        // What cargo says of this program: some crates are built again where it is other than before.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                command.env_remove(name);
            }
        }
        command.args(arguments).envs(variables);
        command.current_dir(&self.root).stdin(Stdio::null());
        Ok(command)
    }

    /// A word of a line with its names replaced.
    pub fn fill(&self, word: String) -> Result<String, Failure> {
        let mut word = word;
        for environment in ["workshop", "mcp", "hosts", "packages"] {
            let path = format!("{{target}}/venv-{environment}/{{bin}}/python");
            word = word.replace(&format!("{{{environment}}}"), &path);
        }
        let paths = [("{root}", &self.root), ("{target}", &self.target)];
        for (name, path) in paths {
            word = word.replace(name, &path.to_string_lossy());
        }
        if word.contains("{python}") {
            word = word.replace("{python}", &toolchain::python()?.to_string_lossy());
        }
        if word.contains("{node}") {
            word = word.replace("{node}", &toolchain::node()?.to_string_lossy());
        }
        word = word.replace("{bin}", if cfg!(windows) { "Scripts" } else { "bin" });
        // JSON has another meaning for the separator of Windows, which also knows this one.
        if word.starts_with('[') {
            word = word.replace('\\', "/");
        }
        match word.split_once('*') {
            Some((folder, ending)) => only_file(Path::new(folder), ending),
            None => Ok(word),
        }
    }
}

/// The words of a line.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for letter in line.chars().chain([' ']) {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted && word.is_empty() => {}
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            letter => word.push(letter),
        }
    }
    words
}

fn variable(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    let capital = |letter: char| letter.is_ascii_uppercase() || letter == '_';
    name.chars()
        .all(capital)
        .then(|| (name.to_owned(), value.to_owned()))
}

/// A command as a person would type it.
fn written(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

/// A time as minutes and seconds.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Removes what is at a path, if there is something.
pub fn clear(path: &Path) -> Outcome {
    let gone = match path.symlink_metadata() {
        Ok(found) if found.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
        Err(_) => Ok(()),
    };
    gone.map_err(at(path))
}

/// Makes a folder, or empties one.
pub fn empty(path: &Path) -> Outcome {
    clear(path)?;
    std::fs::create_dir_all(path).map_err(at(path))
}

pub fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(at(path))
}

/// Copies a folder over what is there, without what was installed or compiled in it.
pub fn copy_folder(from: &Path, to: &Path) -> Outcome {
    std::fs::create_dir_all(to).map_err(at(to))?;
    for entry in std::fs::read_dir(from).map_err(at(from))? {
        let entry = entry.map_err(at(from))?;
        let target = to.join(entry.file_name());
        if entry.file_name() == "node_modules" || entry.file_name() == "__pycache__" {
            continue;
        }
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target).map_err(at(&entry.path()))?;
        }
    }
    Ok(())
}

fn only_file(folder: &Path, ending: &str) -> Result<String, Failure> {
    let entries = std::fs::read_dir(folder).map_err(at(folder))?;
    let names = entries.flatten().map(|entry| entry.path());
    let mut found: Vec<String> = names
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    found.retain(|path| path.ends_with(ending));
    match found.as_slice() {
        [only] => Ok(only.clone()),
        other => Err(Failure(format!(
            "{} files in `{}` end with `{ending}`, where one is expected",
            other.len(),
            folder.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_variables_a_program_and_arguments() {
        let runner = Runner::new("/checkout".into());
        let command = runner.command("A_B='1 2' {root}/tool --c=d 'e f' \"{x}\"");
        let command = command.expect("a command");
        assert_eq!(written(&command), "/checkout/tool --c=d e f \"{x}\"");
        let set = command.get_envs().find(|(name, _)| *name == "A_B");
        assert_eq!(set, Some(("A_B".as_ref(), Some("1 2".as_ref()))));
        assert!(runner.command("A=1").is_err(), "no program");
    }

    #[test]
    fn one_file_has_the_ending() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let found = only_file(folder, ".toml").expect("the manifest");
        assert!(found.ends_with("Cargo.toml"), "{found}");
        assert!(only_file(&folder.join("src"), ".rs").is_err(), "several");
        assert!(only_file(folder, ".whl").is_err(), "none");
    }
}

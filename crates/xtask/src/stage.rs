//! The example tools, and how each is started with the packages as they are laid out.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::build;
use crate::profile::Profile;
use crate::step::{Failure, Runner, clear, folder};
use crate::{node, python, toolchain};

/// What the demo needs.
pub struct Stage {
    /// A folder in which `python3` and `node` are those that are used here.
    programs: PathBuf,
    /// The folder with the package for Python.
    pub packages: PathBuf,
    pub python: PathBuf,
    pub node: PathBuf,
    /// A folder with the examples for Node beside the package.
    pub app: PathBuf,
    pub rust: PathBuf,
    pub toolwire: PathBuf,
}

/// Builds everything.
pub fn set_up(runner: &Runner) -> Result<Stage, Failure> {
    // What is missing is said before anything is built, not after.
    toolchain::python()?;
    toolchain::node()?;
    build::shown(runner)?;
    stage(runner)
}

/// Finds what was built.
pub fn stage(runner: &Runner) -> Result<Stage, Failure> {
    let profile = Profile::Dev;
    let app = node::laid_out(runner, profile);
    for tool in [
        "commit.mjs",
        "countdown.mjs",
        "fetch.mjs",
        "links.mjs",
        "read-file.mjs",
    ] {
        std::fs::copy(runner.path("examples/node").join(tool), app.join(tool))
            .map_err(|error| Failure(format!("`{tool}` can't be copied: {error}")))?;
    }
    Ok(Stage {
        programs: programs(runner)?,
        packages: python::laid_out(runner, profile),
        python: toolchain::python()?,
        node: toolchain::node()?,
        app,
        rust: profile.folder(runner),
        toolwire: profile.program(runner, "toolwire"),
    })
}

/// Makes a folder for the path in which the interpreters have the names that scripts call them by.
fn programs(runner: &Runner) -> Result<PathBuf, Failure> {
    let place = runner.target("programs");
    folder(&place)?;
    #[cfg(unix)]
    for (name, program) in [
        ("python3", toolchain::python()?),
        ("node", toolchain::node()?),
    ] {
        let link = place.join(name);
        clear(&link)?;
        std::os::unix::fs::symlink(toolchain::absolute(&program), &link)
            .map_err(|error| Failure(format!("`{}`: {error}", link.display())))?;
    }
    Ok(place)
}

/// A command, and the line that a person would type to run it.
pub struct Tool {
    pub line: String,
    pub command: Command,
}

impl Stage {
    pub fn python_tool(&self, runner: &Runner, tool: &str, args: &[&str]) -> Tool {
        let mut command = runner.command(&self.python);
        self.find_packages(&mut command);
        command
            .arg(Path::new("examples/python").join(tool))
            .args(args);
        Tool {
            line: format!("python examples/python/{tool} {}", args.join(" ")),
            command,
        }
    }

    pub fn node_tool(&self, runner: &Runner, tool: &str, args: &[&str]) -> Tool {
        let mut command = runner.command(&self.node);
        command.arg(self.app.join(tool)).args(args);
        Tool {
            line: format!("node examples/node/{tool} {}", args.join(" ")),
            command,
        }
    }

    pub fn rust_tool(&self, runner: &Runner, tool: &str, args: &[&str]) -> Tool {
        let name = format!("{tool}{}", std::env::consts::EXE_SUFFIX);
        let mut command = runner.command(self.rust.join(name));
        command.args(args);
        Tool {
            line: format!("{tool} {}", args.join(" ")),
            command,
        }
    }

    pub fn shell_tool(&self, runner: &Runner, tool: &str, args: &[&str]) -> Tool {
        let mut command = runner.command("sh");
        command
            .arg(Path::new("examples/shell").join(tool))
            .args(args);
        Tool {
            line: format!("examples/shell/{tool} {}", args.join(" ")),
            command,
        }
    }

    /// `toolwire`, with the packages and the commands that are tested here in front on the path.
    pub fn toolwire(&self, runner: &Runner, args: &[&str]) -> Tool {
        let mut command = runner.command(&self.toolwire);
        self.find_packages(&mut command);
        command.args(args);
        Tool {
            line: format!("toolwire {}", args.join(" ")),
            command,
        }
    }

    /// Has a command, and what it starts, find the programs and the package for Python that are tested here.
    pub fn find_packages(&self, command: &mut Command) {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let own = [self.programs.clone(), self.rust.clone()];
        let path = own.into_iter().chain(std::env::split_paths(&inherited));
        // A folder whose name can't be in the list is left out by leaving the list as it is.
        let path = std::env::join_paths(path).unwrap_or(inherited);
        command.env("PATH", path).env("PYTHONPATH", &self.packages);
    }
}

/// What a tool writes to stdout. Its exit status is its own affair: an error is an answer too.
pub fn output(mut tool: Tool) -> Result<Vec<u8>, Failure> {
    let output = tool
        .command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure(format!("`{}` can't be started: {error}", tool.line)))?;
    if output.stdout.is_empty() {
        return Err(Failure(format!("`{}` wrote nothing", tool.line)));
    }
    Ok(output.stdout)
}

/// What `toolwire` makes of an answer.
pub fn pipe(
    runner: &Runner,
    stage: &Stage,
    args: &[&str],
    answer: &[u8],
) -> Result<String, Failure> {
    println!("$ … | toolwire {}", args.join(" "));
    let mut command = runner.command(&stage.toolwire);
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let broken = |error: std::io::Error| Failure(format!("toolwire: {error}"));
    let mut child = command.spawn().map_err(broken)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(answer).map_err(broken)?;
    }
    let output = child.wait_with_output().map_err(broken)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

//! The example tools, built and installed as their users have them, and how each is started.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::step::{Failure, Runner};
use crate::{node, python, toolchain};

/// What the demo needs, built and installed.
pub struct Stage {
    pub python: PathBuf,
    pub node: PathBuf,
    /// A folder with the examples for Node beside the installed package.
    pub app: PathBuf,
    pub rust: PathBuf,
    pub toolwire: PathBuf,
}

/// Builds and installs everything.
pub fn set_up(runner: &Runner) -> Result<Stage, Failure> {
    // What is missing is said before anything is built, not after.
    let base = toolchain::python()?;
    let node = toolchain::node()?;
    toolchain::npm()?;
    let mut build = runner.cargo(&["build", "--quiet", "--release", "--locked"]);
    build.args([
        "--package",
        "toolwire-cli",
        "--package",
        "toolwire-examples",
    ]);
    runner.run("rust: build the command and the example tools", &mut build)?;
    let wheel = python::build_wheel(runner)?;
    let python = python::install(runner, &base, &wheel, "venv-demo")?;
    let tarballs = node::build_tarballs(runner)?;
    let app = node::install(runner, &tarballs, "node-demo")?;
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
    let executable =
        |name: &str| runner.target(format!("release/{name}{}", std::env::consts::EXE_SUFFIX));
    Ok(Stage {
        python,
        node,
        app,
        rust: runner.target("release"),
        toolwire: executable("toolwire"),
    })
}

/// A command, and the line that a person would type to run it.
pub struct Tool {
    pub line: String,
    pub command: Command,
}

impl Stage {
    pub fn python_tool(&self, runner: &Runner, tool: &str, args: &[&str]) -> Tool {
        let mut command = runner.command(&self.python);
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
        let own = [&self.python, &self.toolwire];
        let own = own.into_iter().filter_map(|program| program.parent());
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let path = own
            .map(Path::to_path_buf)
            .chain(std::env::split_paths(&inherited));
        // A folder whose name can't be in the list is left out by leaving the list as it is.
        command.env(
            "PATH",
            std::env::join_paths(path).unwrap_or(inherited.clone()),
        );
        command.args(args);
        Tool {
            line: format!("toolwire {}", args.join(" ")),
            command,
        }
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

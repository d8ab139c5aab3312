//! The demo: real tools, run as processes on real files of the checkout, and what a host makes of
//! what they write.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::step::{Failure, Runner};
use crate::{node, python, toolchain};

/// What the demo needs, built and installed.
struct Stage {
    python: PathBuf,
    node: PathBuf,
    /// A folder with the examples for Node beside the installed package.
    app: PathBuf,
    rust: PathBuf,
    toolwire: PathBuf,
}

pub fn run(runner: &Runner) -> Result<(), Failure> {
    println!("Setting up: everything goes below target/; the first time takes some minutes.");
    let stage = set_up(runner)?;
    let file = "README.md";

    title("1. A tool in Python answers with a resource");
    let python = show(stage.python_tool(runner, "read_file.py", &[file]), 600)?;

    title("2. What a model gets to read (a budget of 400 bytes)");
    let cut = pipe(
        runner,
        &stage,
        &["format", "--max-bytes", "400", "--header"],
        &python,
    )?;
    println!("{cut}");

    title("3. The same resource from Python, Node and Rust");
    let node = show(stage.node_tool(runner, "read-file.mjs", &[file]), 120)?;
    let rust = show(stage.rust_tool(runner, "read-file", &[file]), 120)?;
    let mut digests = Vec::new();
    for (language, answer) in [("Python", &python), ("Node", &node), ("Rust", &rust)] {
        let digest = pipe(runner, &stage, &["digest"], answer)?;
        let identity = pipe(runner, &stage, &["identify", "--json"], answer)?;
        println!("{language:<7} envelope {}", digest.trim());
        println!("        identity {}", identity.trim());
        digests.push((digest, identity));
    }
    if digests.iter().any(|pair| pair != &digests[0]) {
        return Err(Failure(
            "the three languages do not agree on the same resource".into(),
        ));
    }
    println!("All three are equal, to the byte.");

    title("4. Structured content beside text: notes that were left in code (Python)");
    show(stage.python_tool(runner, "todo.py", &["examples"]), 600)?;

    title("5. Lines of code by language (Rust)");
    let counted = show(stage.rust_tool(runner, "count-lines", &["crates"]), 300)?;
    println!(
        "{}",
        pipe(runner, &stage, &["format", "--for", "terminal"], &counted)?
    );

    title("6. An error is data: a file that does not exist (Node)");
    let failed = show(
        stage.node_tool(runner, "read-file.mjs", &["no-such-file"]),
        600,
    )?;
    println!("{}", pipe(runner, &stage, &["format"], &failed)?);

    title("7. A shell tool's plain output is taken as it is");
    let raw = show(stage.shell_tool(runner, "recent-changes.sh", &["3"]), 300)?;
    println!("{}", pipe(runner, &stage, &["explain"], &raw)?);

    title("8. JSON put together by hand breaks, and `explain` says where");
    let broken = show(stage.shell_tool(runner, "by-hand.sh", &[file]), 600)?;
    println!("{}", pipe(runner, &stage, &["explain"], &broken)?);

    title("Done");
    println!("The command is {}", stage.toolwire.display());
    println!(
        "The tools are in examples/; try: examples/shell/by-hand.sh README.md | toolwire explain"
    );
    Ok(())
}

/// What the example tools are expected to be read as.
const VALID: &str = "valid";
const RAW: &str = "raw";

/// Runs every example and checks what its answer is read as; the tool that is there in three
/// languages has to write the same bytes in each.
pub fn check(runner: &Runner) -> Result<(), Failure> {
    let stage = set_up(runner)?;
    let file = "examples/README.md";
    let tools = [
        (stage.python_tool(runner, "read_file.py", &[file]), VALID),
        (
            stage.python_tool(runner, "read_file.py", &["no-such-file"]),
            VALID,
        ),
        (stage.python_tool(runner, "todo.py", &["crates"]), VALID),
        (
            stage.python_tool(runner, "todo.py", &["no-such-folder"]),
            VALID,
        ),
        (
            stage.node_tool(runner, "read-file.mjs", &["no-such-file"]),
            VALID,
        ),
        (
            stage.node_tool(runner, "links.mjs", &["README.md", file]),
            VALID,
        ),
        (
            stage.rust_tool(runner, "read-file", &["no-such-file"]),
            VALID,
        ),
        (stage.rust_tool(runner, "count-lines", &["crates"]), VALID),
        (stage.shell_tool(runner, "recent-changes.sh", &["2"]), RAW),
        (stage.shell_tool(runner, "by-hand.sh", &["README.md"]), RAW),
    ];
    for (tool, expected) in tools {
        let line = tool.line.clone();
        let report = pipe(runner, &stage, &["parse", "--json"], &output(tool)?)?;
        if !report.contains(&format!("\"verdict\":\"{expected}\"")) {
            return Err(Failure(format!(
                "`{line}` is not read as {expected}: {report}"
            )));
        }
    }
    for args in [&[file][..], &[file, "3-7"], &[file, "7-3"], &[file, "all"]] {
        let python = output(stage.python_tool(runner, "read_file.py", args))?;
        let node = output(stage.node_tool(runner, "read-file.mjs", args))?;
        let rust = output(stage.rust_tool(runner, "read-file", args))?;
        if python != node || python != rust {
            return Err(Failure(format!(
                "`read-file {}` differs between the languages:\n{}{}{}",
                args.join(" "),
                String::from_utf8_lossy(&python),
                String::from_utf8_lossy(&node),
                String::from_utf8_lossy(&rust),
            )));
        }
    }
    Ok(())
}

fn set_up(runner: &Runner) -> Result<Stage, Failure> {
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
    let tarball = node::build_tarball(runner)?;
    let app = node::install(runner, &tarball, "node-demo")?;
    for tool in ["read-file.mjs", "links.mjs"] {
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

/// A tool, and the line that a person would type to run it.
struct Tool {
    line: String,
    command: Command,
}

impl Stage {
    fn python_tool(&self, runner: &Runner, tool: &str, args: &[&str]) -> Tool {
        let mut command = runner.command(&self.python);
        command
            .arg(Path::new("examples/python").join(tool))
            .args(args);
        Tool {
            line: format!("python examples/python/{tool} {}", args.join(" ")),
            command,
        }
    }

    fn node_tool(&self, runner: &Runner, tool: &str, args: &[&str]) -> Tool {
        let mut command = runner.command(&self.node);
        command.arg(self.app.join(tool)).args(args);
        Tool {
            line: format!("node examples/node/{tool} {}", args.join(" ")),
            command,
        }
    }

    fn rust_tool(&self, runner: &Runner, tool: &str, args: &[&str]) -> Tool {
        let name = format!("{tool}{}", std::env::consts::EXE_SUFFIX);
        let mut command = runner.command(self.rust.join(name));
        command.args(args);
        Tool {
            line: format!("{tool} {}", args.join(" ")),
            command,
        }
    }

    fn shell_tool(&self, runner: &Runner, tool: &str, args: &[&str]) -> Tool {
        let mut command = runner.command("sh");
        command
            .arg(Path::new("examples/shell").join(tool))
            .args(args);
        Tool {
            line: format!("examples/shell/{tool} {}", args.join(" ")),
            command,
        }
    }
}

fn title(text: &str) {
    println!(
        "\n── {text} {}\n",
        "─".repeat(76_usize.saturating_sub(text.chars().count()))
    );
}

/// Runs a tool and shows its line and what it wrote, shortened where it is long.
fn show(tool: Tool, most: usize) -> Result<Vec<u8>, Failure> {
    println!("$ {}", tool.line);
    let answer = output(tool)?;
    let text = String::from_utf8_lossy(&answer);
    match text.char_indices().nth(most) {
        Some((at, _)) => println!("{}… ({} bytes)", &text[..at], answer.len()),
        None => println!("{}", text.trim_end()),
    }
    println!();
    Ok(answer)
}

/// What a tool writes to stdout. Its exit status is its own affair: an error is an answer too.
fn output(mut tool: Tool) -> Result<Vec<u8>, Failure> {
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
fn pipe(runner: &Runner, stage: &Stage, args: &[&str], answer: &[u8]) -> Result<String, Failure> {
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

//! Every test there is, step by step.

use std::path::{Path, PathBuf};

use crate::step::{Failure, Runner};
use crate::{api, demo, examples, mcp, node, python, toolchain};

/// One step of the tests.
struct Step {
    name: &'static str,
    run: fn(&Runner) -> Result<(), Failure>,
}

const STEPS: &[Step] = &[
    Step {
        name: "format",
        run: rustfmt,
    },
    Step {
        name: "codegen",
        run: codegen,
    },
    Step {
        name: "api",
        run: |runner| api::run(runner, &[]),
    },
    Step {
        name: "msrv",
        run: api::msrv,
    },
    Step {
        name: "cases",
        run: cases,
    },
    Step {
        name: "clippy",
        run: clippy,
    },
    Step {
        name: "windows",
        run: windows,
    },
    Step {
        name: "rustdoc",
        run: rustdoc,
    },
    Step {
        name: "rust",
        run: rust,
    },
    Step {
        name: "hostile",
        run: |runner| hostile(runner, None),
    },
    Step {
        name: "rust-alone",
        run: crate::alone::check,
    },
    Step {
        name: "python",
        run: python_package,
    },
    Step {
        name: "node",
        run: node_package,
    },
    Step {
        name: "packages",
        run: crate::packages::check,
    },
    Step {
        name: "conformance",
        run: |runner| conformance_of_all(runner, &[]),
    },
    Step {
        name: "mcp",
        run: mcp::check,
    },
    Step {
        name: "examples",
        run: examples::check,
    },
    Step {
        name: "demo",
        run: demo::run,
    },
];

/// Runs the steps whose name contains one of the words, or all; goes on after a failure.
pub fn run(runner: &Runner, words: &[String]) -> Result<(), Failure> {
    let chosen: Vec<&Step> = STEPS
        .iter()
        .filter(|step| {
            words.is_empty() || words.iter().any(|word| step.name.contains(word.as_str()))
        })
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        return Err(Failure(format!(
            "no such step; there are: {}",
            names.join(", ")
        )));
    }
    // Said before an hour of work, not after.
    toolchain::python()?;
    toolchain::node()?;
    toolchain::npm()?;
    let mut failures = Vec::new();
    for step in &chosen {
        runner.say(&format!("step {}", step.name));
        if let Err(Failure(message)) = (step.run)(runner) {
            eprintln!("xtask: step {} failed: {message}", step.name);
            failures.push(step.name);
        }
    }
    runner.say("all steps done");
    println!(
        "\nsteps: {} passed, {} failed",
        chosen.len() - failures.len(),
        failures.len()
    );
    if failures.is_empty() {
        Ok(())
    } else {
        Err(Failure(format!("failed: {}", failures.join(", "))))
    }
}

fn rustfmt(runner: &Runner) -> Result<(), Failure> {
    runner.run(
        "rust: formatting",
        &mut runner.cargo(&["fmt", "--all", "--check"]),
    )
}

fn codegen(runner: &Runner) -> Result<(), Failure> {
    let mut command = runner.cargo(&[
        "run",
        "--quiet",
        "--locked",
        "--package",
        "toolwire-codegen",
        "--",
    ]);
    command.arg("--check");
    runner.run("what is generated is not stale", &mut command)
}

/// The cases themselves: lint, the ones that are lifted out of the spec, the table of coverage.
fn cases(runner: &Runner) -> Result<(), Failure> {
    for args in [
        &["lint"][..],
        &["extract", "--check"],
        &["coverage", "--check"],
    ] {
        let mut command = conformance_command(runner);
        command.args(args);
        runner.run(&format!("cases: {}", args[0]), &mut command)?;
    }
    Ok(())
}

fn clippy(runner: &Runner) -> Result<(), Failure> {
    let mut command = runner.cargo(&[
        "clippy",
        "--quiet",
        "--locked",
        "--workspace",
        "--all-targets",
    ]);
    command.args(["--", "--deny", "warnings"]);
    runner.run("rust: clippy", &mut command)
}

/// What is only for Windows compiles, where the machine has Rust's library for it; it is not run.
fn windows(runner: &Runner) -> Result<(), Failure> {
    const TARGET: &str = "x86_64-pc-windows-gnu";
    let mut sysroot = runner.command("rustc");
    let sysroot = sysroot
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    let there = sysroot.is_ok_and(|out| {
        let path = String::from_utf8_lossy(&out.stdout).trim().to_owned();
        out.status.success() && PathBuf::from(path).is_dir()
    });
    if !there {
        runner.say(&format!(
            "windows: not checked; `rustup target add {TARGET}` lets it be"
        ));
        return Ok(());
    }
    let mut command = runner.cargo(&["check", "--quiet", "--locked", "--target", TARGET]);
    for package in [
        "toolwire-author",
        "toolwire-cli",
        "toolwire-host",
        "toolwire-pty",
        "toolwire-schema",
        "toolwire-session-host",
        "toolwire-source",
    ] {
        command.args(["--package", package]);
    }
    command.env("RUSTFLAGS", "--deny warnings");
    runner.run("rust: the parts for Windows compile", &mut command)
}

fn rustdoc(runner: &Runner) -> Result<(), Failure> {
    let mut command = runner.cargo(&[
        "doc",
        "--quiet",
        "--locked",
        "--no-deps",
        "--package",
        "toolwire",
    ]);
    command.args([
        "--package",
        "toolwire-author",
        "--package",
        "toolwire-cli",
        "--package",
        "toolwire-contract",
        "--package",
        "toolwire-host",
        "--package",
        "toolwire-pty",
        "--package",
        "toolwire-schema",
        "--package",
        "toolwire-session-host",
        "--package",
        "toolwire-source",
        "--package",
        "toolwire-conformance",
    ]);
    command.env("RUSTDOCFLAGS", "--deny warnings");
    runner.run("rust: documentation", &mut command)
}

fn rust(runner: &Runner) -> Result<(), Failure> {
    let mut command = runner.cargo(&["test", "--quiet", "--locked", "--workspace"]);
    // One run shows every failure.
    command.arg("--no-fail-fast");
    // The two bindings are tested as they are installed.
    for package in ["toolwire-python", "toolwire-node"] {
        command.args(["--exclude", package]);
    }
    runner.run(
        "rust: unit tests, examples in the documentation, command, laws",
        &mut command,
    )
}

/// `cargo xtask soak`: the soak of the servers and of handles in full; the step `rust` has a tenth of it.
pub fn soak(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    let mut command = runner.cargo(&["test", "--locked", "--package", "toolwire-cli"]);
    command.args(["--test", "soak"]);
    let calls = args.first().map_or("10000", String::as_str);
    command.env("TOOLWIRE_SOAK_CALLS", calls);
    runner.run("soak: thousands of calls", &mut command)?;
    let of_handles = [
        ("toolwire-host", "sessions_leaks::"),
        ("toolwire-pty", "terminals_leaks::"),
    ];
    for (package, test) in of_handles {
        let mut command = runner.cargo(&["test", "--locked", "--package", package]);
        command.args(["--test", "it", "--", "--nocapture", test]);
        command.env("TOOLWIRE_SOAK_SPAWNS", calls);
        command.env("TOOLWIRE_SOAK_BYTES", "1000000000");
        runner.run("soak: thousands of handles", &mut command)?;
    }
    Ok(())
}

/// What hostile tools may try with the command: the tables once, or generated tries for so many
/// minutes. The tries with the two bindings are among their tests.
pub fn hostile(runner: &Runner, minutes: Option<u64>) -> Result<(), Failure> {
    let mut command = runner.cargo(&["test", "--quiet", "--locked", "--package", "toolwire-cli"]);
    command.args(["--test", "hostile"]);
    if let Some(minutes) = minutes {
        // One behind the other, so that each has the machine, and the seed is told.
        command.args(["--", "--nocapture", "--test-threads", "1", "generated"]);
        command.env("TOOLWIRE_HOSTILE_MINUTES", minutes.to_string());
    }
    runner.run("hostile: escapes, questions and signals", &mut command)
}

/// Tests the command that a package has brought, with tests of the command itself: those on what
/// an interpreter around it could change.
pub fn installed_command(runner: &Runner, language: &str, toolwire: &Path) -> Result<(), Failure> {
    let mut command = runner.cargo(&["test", "--quiet", "--locked", "--package", "toolwire-cli"]);
    command.args(["--test", "it", "--"]);
    command.args([
        "launcher::",
        "exit_codes::",
        "help::",
        "run_questions::",
        "run_signals::",
        "run_terminal::",
        "prompts::",
    ]);
    command.env("TOOLWIRE_COMMAND", toolwire);
    runner.run(
        &format!("{language}: the command that comes with the package"),
        &mut command,
    )
}

fn python_package(runner: &Runner) -> Result<(), Failure> {
    let wheel = python::build_wheel(runner)?;
    python::test(runner, &wheel)
}

fn node_package(runner: &Runner) -> Result<(), Failure> {
    let tarballs = node::build_tarballs(runner)?;
    node::test(runner, &tarballs)
}

/// `cargo xtask conformance`: without arguments the cases against the three languages; with
/// arguments the runner itself.
pub fn conformance(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    // The words and the help of the runner itself; other options are those of its `run`.
    let own = args
        .first()
        .is_some_and(|first| !first.starts_with('-') || first == "--help" || first == "-h");
    if own {
        let mut command = conformance_command(runner);
        command.args(args);
        return runner.run("conformance", &mut command);
    }
    conformance_of_all(runner, args)
}

/// The cases against the harnesses of the three languages, each as its users have it installed.
fn conformance_of_all(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    // The runner waits more than it works, so the build that the other steps use will do.
    let mut build = runner.cargo(&["build", "--quiet", "--locked"]);
    build.args(["--package", "toolwire-conformance"]);
    runner.run("conformance: build the runner", &mut build)?;
    let mut build = runner.cargo(&["build", "--quiet", "--release", "--locked"]);
    build.args(["--package", "toolwire-harness"]);
    runner.run("conformance: build the harness for Rust", &mut build)?;
    let wheel = python::build_wheel(runner)?;
    let python = python::install(runner, &toolchain::python()?, &wheel, "venv-harness")?;
    let app = node::install(runner, &node::build_tarballs(runner)?, "node-harness")?;
    let program = |folder: &str, name: &str| {
        runner.target(format!("{folder}/{name}{}", std::env::consts::EXE_SUFFIX))
    };

    // The harness for Node finds the package from the folder it runs in.
    let mut command = runner.command(program("debug", "toolwire-conformance"));
    command
        .current_dir(&app)
        .args(["run", "--no-skips", "--reference", "--root"])
        .arg(runner.path(""));
    for words in [
        vec![program("release", "toolwire-harness")],
        vec![
            python,
            "-I".into(),
            runner.path("conformance/harness-python/harness.py"),
        ],
        vec![
            toolchain::node()?,
            runner.path("conformance/harness-node/harness.mjs"),
        ],
    ] {
        command.arg("--impl").arg(json_array(&words));
    }
    command.args(args);
    runner.run(
        "conformance: all cases in Rust, Python and Node",
        &mut command,
    )
}

/// The words of a command as a JSON array, which needs no quoting rules.
fn json_array(words: &[PathBuf]) -> String {
    let words: Vec<String> = words
        .iter()
        .map(|word| {
            let word = word.to_string_lossy();
            format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
        })
        .collect();
    format!("[{}]", words.join(","))
}

fn conformance_command(runner: &Runner) -> std::process::Command {
    runner.cargo(&[
        "run",
        "--quiet",
        "--locked",
        "--package",
        "toolwire-conformance",
        "--",
    ])
}

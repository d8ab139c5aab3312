//! The tests, step by step: those that everybody runs, and those that take longer.

use std::path::PathBuf;

use crate::build;
use crate::profile::Profile;
use crate::schedule::{self, Step};
use crate::stage::stage;
use crate::step::{Failure, Runner};
use crate::{alone, demo, examples, mcp, node, packages, pages, python, toolchain, typed};

/// What everybody runs. The order is that in which steps start where nothing holds them up.
const QUICK: &[Step] = &[
    step("format", &[], rustfmt),
    step("build", &[], build::workspace),
    step("tools", &[], tools),
    step("peers", &[], |runner| mcp::peers(runner).map(drop)).after(&["tools"]),
    step("cases", &["build"], cases),
    step("demo", &["build"], |runner| {
        demo::show_all(runner, &stage(runner)?)
    }),
    step("pack", &["build", "tools"], packages::pack),
    step("tests", &[], build_tests).after(&["build"]),
    step("python", &["pack"], |runner| {
        python::test(runner, Profile::Dev)
    }),
    step("mcp", &["pack", "peers"], |runner| {
        mcp::check(runner, false)
    }),
    step("rust", &[], rust).after(&["tests"]),
    step("node", &["pack"], |runner| node::test(runner, Profile::Dev)),
    step("conformance", &["build"], |runner| {
        conformance_of_all(runner, Profile::Dev, &[])
    }),
    step("hostile", &[], |runner| hostile(runner, None)).after(&["tests"]),
    step("examples", &["build"], examples::check).after(&["demo"]),
    step("pages", &["build", "tools"], pages::check).after(&["demo"]),
    step("clippy", &[], |runner| clippy(runner, &[])).after(&["tests"]),
];

/// The same again as it ships, on other versions and platforms, and longer.
const FULL: &[Step] = &[
    step("clippy-all", &[], |runner| {
        clippy(runner, &["--all-targets"])
    })
    .after(&["clippy"]),
    step("rustdoc", &[], rustdoc).after(&["clippy-all"]),
    step("windows", &[], windows).after(&["rustdoc"]),
    step("msrv", &[], msrv).after(&["windows"]),
    step("types", &["python", "node"], typed::check),
    step("mcp-all", &["pack", "peers"], |runner| {
        mcp::check(runner, true)
    })
    .after(&["mcp"]),
    step("release", &["tools"], packages::release).after(&["rust", "hostile", "rustdoc"]),
    step("release-node", &["release"], |runner| {
        node::test(runner, Profile::Release)
    })
    .after(&["types"]),
    step("release-python", &["release"], |runner| {
        python::test(runner, Profile::Release)
    })
    .after(&["types"]),
    step("release-cases", &["release", "build"], |runner| {
        conformance_of_all(runner, Profile::Release, &[])
    }),
    step("pythons", &["release"], python::others),
    step("launchers", &["release-node", "release-python"], launchers),
    step("packages", &["release"], packages::check),
    step("publish", &[], packages::crates).after(&["release"]),
    step("alone", &[], alone::check).after(&["release"]),
    step("soak", &[], |runner| soak(runner, &[])).after(&["release"]),
    step("laws", &[], laws).after(&["release", "launchers"]),
];

const fn step(
    name: &'static str,
    needs: &'static [&'static str],
    run: fn(&Runner) -> Result<(), Failure>,
) -> Step {
    Step {
        name,
        needs,
        after: &[],
        run,
    }
}

impl Step {
    const fn after(self, after: &'static [&'static str]) -> Step {
        Step { after, ..self }
    }
}

fn all() -> impl Iterator<Item = &'static Step> {
    QUICK.iter().chain(FULL)
}

/// `cargo xtask test`: the steps whose name contains one of the words, or all, and those that they need.
pub fn run(runner: &Runner, words: &[String]) -> Result<(), Failure> {
    let full = words.first().is_some_and(|word| word == "full");
    let words = &words[usize::from(full)..];
    let again = words.first().is_some_and(|word| word == "--again");
    let words = &words[usize::from(again)..];
    let offered: Vec<&Step> = all()
        .take(if full { usize::MAX } else { QUICK.len() })
        .collect();
    let exact = |word: &String| all().any(|step| step.name == word);
    let named = |step: &&&Step| {
        let is_meant = |word: &String| match exact(word) {
            true => step.name == word,
            false => step.name.contains(word.as_str()),
        };
        words.is_empty() || words.iter().any(is_meant)
    };
    let mut needed: Vec<&str> = offered.iter().filter(named).map(|step| step.name).collect();
    if needed.is_empty() {
        let names = |steps: &[Step]| steps.iter().map(|step| step.name).collect::<Vec<_>>();
        return Err(Failure(format!(
            "no step matches `{}`; `test` has {}; `test full` also has {}",
            words.join(" "),
            names(QUICK).join(", "),
            names(FULL).join(", ")
        )));
    }
    let mut at = 0;
    while let Some(name) = needed.get(at) {
        let step = all().find(|step| step.name == *name);
        let needs = step.map_or(&[][..], |step| step.needs);
        let missing = needs.iter().filter(|name| !needed.contains(name));
        needed.extend(missing.copied().collect::<Vec<_>>());
        at += 1;
    }
    // Said before the work, not after it.
    toolchain::python()?;
    toolchain::node()?;
    toolchain::npm()?;
    let steps: Vec<&Step> = all().filter(|step| needed.contains(&step.name)).collect();
    schedule::run(runner, &steps, again || !words.is_empty())
}

/// `cargo xtask step`: one step alone, without those before it.
pub fn step_alone(runner: &Runner, words: &[String]) -> Result<(), Failure> {
    let named = all().find(|step| words.first().is_some_and(|word| step.name == word));
    let step = named.ok_or_else(|| Failure("no such step".to_owned()))?;
    (step.run)(runner)
}

fn rustfmt(runner: &Runner) -> Result<(), Failure> {
    runner.run(
        "rust: formatting",
        &mut runner.cargo(&["fmt", "--all", "--check"]),
    )
}

/// What packing and testing need from the registries, while cargo builds.
fn tools(runner: &Runner) -> Result<(), Failure> {
    python::workshop(runner)?;
    node::workshop(runner).map(drop)
}

/// What is generated is not stale; the cases: lint, and those that are lifted out of the spec.
fn cases(runner: &Runner) -> Result<(), Failure> {
    for (program, args) in [
        ("toolwire-codegen", &["--check"][..]),
        ("toolwire-conformance", &["lint"]),
        ("toolwire-conformance", &["extract", "--check"]),
    ] {
        let mut command = runner.command(Profile::Dev.program(runner, program));
        command.args(args);
        runner.run(&format!("{program} {}", args.join(" ")), &mut command)?;
    }
    Ok(())
}

fn clippy(runner: &Runner, args: &[&str]) -> Result<(), Failure> {
    let mut command = runner.cargo(&["clippy", "--locked", "--workspace"]);
    command.args(args).args(["--", "--deny", "warnings"]);
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
    for package in ["toolwire-author", "toolwire-cli"] {
        command.args(["--package", package]);
    }
    command.env("RUSTFLAGS", "--deny warnings");
    runner.run("rust: the parts for Windows compile", &mut command)
}

/// The oldest Rust that we promise compiles what is published, where the machine has it.
fn msrv(runner: &Runner) -> Result<(), Failure> {
    const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");
    let mut version = runner.command("rustup");
    version.args(["run", OLDEST, "cargo", "--version"]);
    if !version.output().is_ok_and(|out| out.status.success()) {
        runner.say(&format!(
            "not compiled with Rust {OLDEST}; `rustup toolchain install {OLDEST}` lets it be"
        ));
        return Ok(());
    }
    let mut command = runner.command("rustup");
    command.args(["run", OLDEST, "cargo", "check", "--quiet", "--locked"]);
    // And what they are built of: all that is published.
    for package in [
        "toolwire-author",
        "toolwire-cli",
        "toolwire-node",
        "toolwire-python",
    ] {
        command.args(["--package", package]);
    }
    // Its own folder, since cargo would build everything again for each of two compilers.
    command.env("CARGO_TARGET_DIR", runner.target("msrv"));
    // They would name the compiler that runs this program.
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    runner.run(&format!("Rust {OLDEST} compiles it"), &mut command)
}

fn rustdoc(runner: &Runner) -> Result<(), Failure> {
    let mut command = runner.cargo(&["doc", "--quiet", "--locked", "--no-deps"]);
    for package in [
        "toolwire",
        "toolwire-author",
        "toolwire-cli",
        "toolwire-contract",
        "toolwire-host",
        "toolwire-mcp",
        "toolwire-pty",
        "toolwire-rpc",
        "toolwire-schema",
        "toolwire-session-host",
        "toolwire-source",
        "toolwire-conformance",
    ] {
        command.args(["--package", package]);
    }
    command.env("RUSTDOCFLAGS", "--deny warnings");
    runner.run("rust: documentation", &mut command)
}

/// The arguments of cargo for the tests of the whole workspace; every step has the same, so that nothing is
/// compiled for other features.
const TEST: [&str; 3] = ["test", "--locked", "--workspace"];

fn build_tests(runner: &Runner) -> Result<(), Failure> {
    let mut command = runner.cargo(&TEST);
    command.arg("--no-run");
    runner.run("rust: build the tests", &mut command)
}

fn rust(runner: &Runner) -> Result<(), Failure> {
    let mut command = runner.cargo(&TEST);
    // One run shows every failure; most tests wait for processes.
    command.args(["--quiet", "--no-fail-fast", "--", "--test-threads", "6"]);
    runner.run(
        "rust: unit tests, examples in the documentation, command, laws",
        &mut command,
    )
}

/// `cargo xtask soak`: the soak of the servers and of handles in full; the step `rust` has a tenth of it.
pub fn soak(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    let calls = args.first().map_or("10000", String::as_str);
    let mut command = runner.cargo(&TEST);
    command.args(["--test", "soak"]);
    command.env("TOOLWIRE_SOAK_CALLS", calls);
    runner.run("soak: thousands of calls", &mut command)?;
    let mut command = runner.cargo(&TEST);
    command.args(["--test", "it", "--", "--nocapture"]);
    command.args(["sessions_leaks::", "terminals_leaks::"]);
    command.env("TOOLWIRE_SOAK_SPAWNS", calls);
    command.env("TOOLWIRE_SOAK_BYTES", "1000000000");
    runner.run("soak: thousands of handles", &mut command)
}

/// What hostile tools may try with the command: the tables once, or generated tries for so many
/// minutes. The tries with the two bindings are among their tests.
pub fn hostile(runner: &Runner, minutes: Option<u64>) -> Result<(), Failure> {
    let mut command = runner.cargo(&TEST);
    command.args(["--quiet", "--test", "hostile"]);
    if let Some(minutes) = minutes {
        // One behind the other, so that each has the machine, and the seed is told.
        command.args(["--", "--nocapture", "--test-threads", "1", "generated"]);
        command.env("TOOLWIRE_HOSTILE_MINUTES", minutes.to_string());
    }
    runner.run("hostile: escapes, questions and signals", &mut command)
}

/// The command that each package brings, with tests of the command itself: those on what an interpreter around
/// it could change.
fn launchers(runner: &Runner) -> Result<(), Failure> {
    let python = python::workshop(runner)?;
    let python = python.with_file_name(format!("toolwire{}", std::env::consts::EXE_SUFFIX));
    let node = node::workshop(runner)?.join("node_modules/.bin/toolwire");
    for toolwire in [python, node] {
        // Windows has a script there, which this can't start.
        if cfg!(windows) && toolwire.extension().is_none() {
            continue;
        }
        let mut command = runner.cargo(&TEST);
        command.args(["--quiet", "--test", "it", "--"]);
        command.args([
            "launcher::",
            "exit_codes::",
            "help::",
            "run_questions::",
            "run_signals::",
            "run_terminal::",
            "prompts::",
        ]);
        command.env("TOOLWIRE_COMMAND", &toolwire);
        let what = format!("the tests of the command with `{}`", toolwire.display());
        runner.run(&what, &mut command)?;
    }
    Ok(())
}

/// The laws on generated input for some minutes, in the build that ships.
fn laws(runner: &Runner) -> Result<(), Failure> {
    fuzz(runner, &["--minutes".to_owned(), "3".to_owned()])
}

/// `cargo xtask fuzz`: the laws, and with minutes alone the hostile tries and the long judgements as well.
pub fn fuzz(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    let release = ["--release", "--locked", "--package", "toolwire-fuzz"];
    let mut command = runner.cargo(&["run", "--quiet"]);
    command.args(release).arg("--").args(args);
    runner.run("fuzz", &mut command)?;
    let [minutes, count] = args else {
        return Ok(());
    };
    let Some(count) = (minutes == "--minutes")
        .then(|| count.parse().ok())
        .flatten()
    else {
        return Ok(());
    };
    // As long again, for each kind of try; other arguments are the laws' own.
    let mut judging = runner.cargo(&["test"]);
    judging
        .args(release)
        .args(["--", "--ignored", "--nocapture"]);
    runner.run(
        "fuzz: hostile answers, and verdicts on a million pairs",
        &mut judging,
    )?;
    hostile(runner, Some(count))
}

/// `cargo xtask conformance`: without arguments the cases against the three languages; with
/// arguments the runner itself.
pub fn conformance(runner: &Runner, args: &[String]) -> Result<(), Failure> {
    build::workspace(runner)?;
    // The words and the help of the runner itself; other options are those of its `run`.
    let own = args
        .first()
        .is_some_and(|first| !first.starts_with('-') || first == "--help" || first == "-h");
    if own {
        let mut command = runner.command(Profile::Dev.program(runner, "toolwire-conformance"));
        command.args(args);
        return runner.run("conformance", &mut command);
    }
    conformance_of_all(runner, Profile::Dev, args)
}

/// The cases against the harnesses of the three languages.
fn conformance_of_all(runner: &Runner, profile: Profile, args: &[String]) -> Result<(), Failure> {
    // The runner waits more than it works, so the build that the other steps use will do.
    let mut command = runner.command(Profile::Dev.program(runner, "toolwire-conformance"));
    command
        // The harness for Node finds the package from the folder it runs in, that for Python on its path.
        .current_dir(node::laid_out(runner, profile))
        .env("PYTHONPATH", python::laid_out(runner, profile))
        .args(["run", "--no-skips", "--reference", "--root"])
        .arg(runner.path(""));
    for words in [
        vec![profile.program(runner, "toolwire-harness")],
        vec![
            toolchain::absolute(&toolchain::python()?),
            runner.path("conformance/harness-python/harness.py"),
        ],
        vec![
            toolchain::absolute(&toolchain::node()?),
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

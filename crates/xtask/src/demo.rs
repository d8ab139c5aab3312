//! The demo: real tools, run as processes on real files of the checkout, and what a host makes of what they write.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::failure::{Failure, Outcome};
use crate::packages;
use crate::runner::{Runner, clock, empty, write};
use crate::toolchain;

/// `cargo xtask demo`: builds what it shows, and says at the end how long each part took.
pub fn run(runner: &Runner) -> Outcome {
    println!("Two steps: build, then show. The first time, building takes up to four minutes.");
    // What is missing is said before anything is built, not after.
    toolchain::python()?;
    toolchain::node()?;
    runner.run("cargo build --locked -p toolwire-cli -p toolwire-python -p toolwire-node -p toolwire-examples")?;
    packages::lay_out(runner, "debug")?;
    let built = runner.elapsed();
    show_all(runner)?;
    println!("\n{:<10}{:>7}", "step", "took");
    for (step, took) in [
        ("build", built),
        ("show", runner.elapsed() - built),
        ("all", runner.elapsed()),
    ] {
        println!("{step:<10}{:>7}", clock(took));
    }
    Ok(())
}

/// Shows what was built.
pub fn show_all(run: &Runner) -> Outcome {
    title("1. A tool says what it does, and what it takes (Rust)");
    show(run, "toolwire tools {target}/debug/search", 1200)?;

    title("2. It is run with arguments that its schema types");
    let search = "toolwire run {target}/debug/search 'pattern=fn test_\\w+' path=crates/xtask/src context=1 limit=2";
    show(run, search, 1200)?;

    title("3. A tool that asks: without an answer it says how to give one (Python)");
    let repository = run.target("examples/demo");
    empty(&repository)?;
    write(&repository.join("a.txt"), "a fence\n")?;
    for line in ["git init --quiet", "git add a.txt"] {
        let status = run.command(line)?.current_dir(&repository).status();
        if !status.is_ok_and(|status| status.success()) {
            return Err(Failure(format!("`{line}` failed; the demo needs git")));
        }
    }
    let run_there = "toolwire run --cwd {target}/examples/demo";
    let commit = "{root}/examples/python/commit.py commit 'message=Mend the fence'";
    show(run, &format!("{run_there} {commit}"), 600)?;

    title("4. The same with the answer, which a person would give at the prompt");
    show(
        run,
        &format!("{run_there} --answer confirm=true --format json {commit}"),
        1200,
    )?;

    title("5. A tool in Python answers with a resource");
    let python = show(run, "python3 examples/python/read_file.py README.md", 600)?;

    title("6. What a model gets to read (a budget of 400 bytes)");
    println!("{}", pipe(run, "format --max-bytes 400 --header", &python)?);

    title("7. The same resource from Python, Node and Rust");
    let node = show(run, "node {target}/debug/node/read-file.mjs README.md", 120)?;
    let rust = show(run, "read-file README.md", 120)?;
    let mut digests = Vec::new();
    for (language, answer) in [("Python", &python), ("Node", &node), ("Rust", &rust)] {
        let digest = pipe(run, "canonicalize --digest", answer)?;
        let identity = pipe(run, "identify --json", answer)?;
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

    title("8. Structured content beside text: notes that were left in code (Python)");
    show(run, "python3 examples/python/todo.py examples", 600)?;

    title("9. Lines of code by language (Rust)");
    let counted = show(run, "count-lines crates", 300)?;
    println!("{}", pipe(run, "format --for terminal", &counted)?);

    title("10. An error is data: a file that does not exist (Node)");
    let failed = show(
        run,
        "node {target}/debug/node/read-file.mjs no-such-file",
        600,
    )?;
    println!("{}", pipe(run, "format", &failed)?);

    title("11. A shell tool's plain output is taken as it is");
    let raw = show(run, "sh examples/shell/recent-changes.sh 3", 300)?;
    println!("{}", pipe(run, "explain", &raw)?);

    title("12. JSON put together by hand breaks, and `explain` says where");
    let broken = show(run, "sh examples/shell/by-hand.sh README.md", 600)?;
    println!("{}", pipe(run, "explain", &broken)?);

    title("Done");
    println!("The command is {}", run.target("debug/toolwire").display());
    println!("The tools are in examples/; try: toolwire run examples/shell/commit.sh");
    Ok(())
}

fn title(text: &str) {
    let rest = 76_usize.saturating_sub(text.chars().count());
    println!("\n── {text} {}\n", "─".repeat(rest));
}

/// Runs a tool and shows its line and what it wrote, shortened where it is long.
fn show(run: &Runner, line: &str, most: usize) -> Result<Vec<u8>, Failure> {
    let shown = line.replace("{target}", "target").replace("{root}/", "");
    println!("$ {shown}");
    let mut command = command(run, line)?;
    // Its exit status is its own affair: an error is an answer too.
    let output = command.stderr(Stdio::inherit()).output();
    let answer = output
        .map_err(|error| Failure(format!("`{shown}` can't be started: {error}")))?
        .stdout;
    if answer.is_empty() {
        return Err(Failure(format!("`{shown}` wrote nothing")));
    }
    let text = String::from_utf8_lossy(&answer);
    match text.char_indices().nth(most) {
        Some((end, _)) => println!("{}… ({} bytes)", &text[..end], answer.len()),
        None => println!("{}", text.trim_end()),
    }
    println!();
    Ok(answer)
}

/// What `toolwire` makes of an answer.
fn pipe(run: &Runner, arguments: &str, answer: &[u8]) -> Result<String, Failure> {
    println!("$ … | toolwire {arguments}");
    let mut command = command(run, &format!("toolwire {arguments}"))?;
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let output = piped.and_then(|mut child| {
        child
            .stdin
            .take()
            .map_or(Ok(()), |mut stdin| stdin.write_all(answer))?;
        child.wait_with_output()
    });
    let output = output.map_err(|error| Failure(format!("toolwire: {error}")))?;
    if output.stdout.is_empty() {
        return Err(Failure(format!("`toolwire {arguments}` wrote nothing")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A command that finds what was built, and commits the same wherever and whenever it runs.
fn command(run: &Runner, line: &str) -> Result<Command, Failure> {
    let mut command = run.command(line)?;
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let (python, node) = (toolchain::python()?, toolchain::node()?);
    let own = [Some(&*run.target("debug")), python.parent(), node.parent()];
    let own = own.into_iter().flatten().map(ToOwned::to_owned);
    // A folder whose name can't be in the list is left out by leaving the list as it is.
    let path = std::env::join_paths(own.chain(std::env::split_paths(&inherited)));
    command.env("PATH", path.unwrap_or(inherited));
    command.env("PYTHONPATH", run.target("debug/python"));
    command.envs([
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "Ada"),
        ("GIT_AUTHOR_EMAIL", "ada@example.org"),
        ("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z"),
        ("GIT_COMMITTER_NAME", "Ada"),
        ("GIT_COMMITTER_EMAIL", "ada@example.org"),
        ("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z"),
        ("LANGUAGE", "en"),
    ]);
    Ok(command)
}

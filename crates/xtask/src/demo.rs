//! The demo: real tools, run as processes on real files of the checkout, and what a host makes of
//! what they write.

use crate::called;
use crate::stage::{Stage, Tool, output, pipe, set_up};
use crate::step::{Failure, Runner, clock};

/// `cargo xtask demo`: builds what it shows, and says at the end how long each part took.
pub fn run(runner: &Runner) -> Result<(), Failure> {
    println!("Two steps: build, then show. The first time, building takes up to four minutes.");
    let stage = set_up(runner)?;
    let built = runner.elapsed();
    show_all(runner, &stage)?;
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
pub fn show_all(runner: &Runner, stage: &Stage) -> Result<(), Failure> {
    let file = "README.md";

    title("1. A tool says what it does, and what it takes (Rust)");
    let search = stage
        .rust
        .join(format!("search{}", std::env::consts::EXE_SUFFIX));
    let search = search.to_string_lossy();
    show(stage.toolwire(runner, &["tools", &search]), 1200)?;

    title("2. It is run with arguments that its schema types");
    let arguments = [
        "pattern=fn \\w+_tool",
        "path=crates/xtask/src",
        "context=1",
        "limit=2",
    ];
    let words = [&["run", &search][..], &arguments].concat();
    show(stage.toolwire(runner, &words), 1200)?;

    title("3. A tool that asks: without an answer it says how to give one (Python)");
    let repository = called::repository(runner, "demo")?;
    called::git(&repository, &["add", "a.txt"])?;
    let commit = runner.path("examples/python/commit.py");
    let commit = commit.to_string_lossy();
    let message = ["run", &commit, "commit", "message=Mend the fence"];
    let run = |answers: &[&str]| {
        let mut tool = stage.toolwire(runner, &[&message, answers].concat());
        tool.command.current_dir(&repository);
        called::settle(&mut tool.command);
        tool
    };
    show(run(&[]), 600)?;

    title("4. The same with the answer, which a person would give at the prompt");
    show(run(&["--answer", "confirm=true", "--format", "json"]), 1200)?;

    title("5. A tool in Python answers with a resource");
    let python = show(stage.python_tool(runner, "read_file.py", &[file]), 600)?;

    title("6. What a model gets to read (a budget of 400 bytes)");
    let cut = pipe(
        runner,
        stage,
        &["format", "--max-bytes", "400", "--header"],
        &python,
    )?;
    println!("{cut}");

    title("7. The same resource from Python, Node and Rust");
    let node = show(stage.node_tool(runner, "read-file.mjs", &[file]), 120)?;
    let rust = show(stage.rust_tool(runner, "read-file", &[file]), 120)?;
    let mut digests = Vec::new();
    for (language, answer) in [("Python", &python), ("Node", &node), ("Rust", &rust)] {
        let digest = pipe(runner, stage, &["digest"], answer)?;
        let identity = pipe(runner, stage, &["identify", "--json"], answer)?;
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
    show(stage.python_tool(runner, "todo.py", &["examples"]), 600)?;

    title("9. Lines of code by language (Rust)");
    let counted = show(stage.rust_tool(runner, "count-lines", &["crates"]), 300)?;
    println!(
        "{}",
        pipe(runner, stage, &["format", "--for", "terminal"], &counted)?
    );

    title("10. An error is data: a file that does not exist (Node)");
    let failed = show(
        stage.node_tool(runner, "read-file.mjs", &["no-such-file"]),
        600,
    )?;
    println!("{}", pipe(runner, stage, &["format"], &failed)?);

    title("11. A shell tool's plain output is taken as it is");
    let raw = show(stage.shell_tool(runner, "recent-changes.sh", &["3"]), 300)?;
    println!("{}", pipe(runner, stage, &["explain"], &raw)?);

    title("12. JSON put together by hand breaks, and `explain` says where");
    let broken = show(stage.shell_tool(runner, "by-hand.sh", &[file]), 600)?;
    println!("{}", pipe(runner, stage, &["explain"], &broken)?);

    title("Done");
    println!("The command is {}", stage.toolwire.display());
    println!("The tools are in examples/; try: toolwire run examples/shell/commit.sh");
    Ok(())
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

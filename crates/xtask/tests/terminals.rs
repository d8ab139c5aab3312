//! Few modules of the command hold a terminal: only what goes through them can reach one, so only they
//! have to make it safe. Looked at is what the code names; comments and tests may name anything.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules that may, and what for.
const MAY: &[(&str, &str)] = &[
    (
        "terminal.rs",
        "the handles of standard output and standard error",
    ),
    ("prompt/screen.rs", "the terminal that prompts are drawn on"),
    // FOR THE MERGE: the sign that a tool runs, and what it says on stderr. It could use the functions
    // of `terminal.rs`; two others change it now. `run/tty.rs` comes with `--tty`.
    ("run/screen.rs", "the sign that a tool runs"),
    ("run/tty.rs", "the terminal that is handed to a tool"),
];

/// What has a handle, or writes to one.
const HANDLES: &[&str] = &[
    "stdout()",
    "stderr()",
    "print!(",
    "println!(",
    "eprint!(",
    "eprintln!(",
    "dbg!(",
    "\"/dev/tty\"",
    "\"/dev/stdout\"",
    "\"/dev/stderr\"",
    "\"CONOUT$\"",
    "crossterm::cursor",
    "crossterm::execute",
    "crossterm::queue",
    "crossterm::style",
    "crossterm::terminal::Clear",
    "crossterm::{",
    "execute!(",
    "queue!(",
    "::Term::",
];

#[test]
fn few_modules_of_the_command_hold_a_terminal() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../toolwire-cli/src");
    let mut wrong = Vec::new();
    let mut held = 0;
    for file in files(&source) {
        let name = file
            .strip_prefix(&source)
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        let text = fs::read_to_string(&file).unwrap();
        let named: Vec<&str> = HANDLES
            .iter()
            .copied()
            .filter(|handle| names(&text, handle))
            .collect();
        match MAY.iter().any(|(may, _)| *may == name) {
            true => held += named.len(),
            false if named.is_empty() => {}
            false => wrong.push(format!("`{name}` names {}", named.join(", "))),
        }
    }
    assert!(held > 3, "nothing was looked at");
    assert!(
        wrong.is_empty(),
        "{}\nuse the functions of crates/toolwire-cli/src/terminal.rs or output.rs, which make text safe",
        wrong.join("\n")
    );
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect()
}

/// Whether the code names a handle as a word of its own.
fn names(text: &str, handle: &str) -> bool {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let begins = |c: char| !c.is_alphanumeric() && c != '_';
    code.into_iter().any(|line| {
        line.match_indices(handle).any(|(at, _)| {
            let word = handle.starts_with(|c: char| c.is_alphabetic());
            !word || line[..at].chars().next_back().is_none_or(begins)
        })
    })
}

#[test]
fn a_handle_is_seen_where_it_is_named() {
    for (text, seen) in [
        ("let out = io::stdout();", true),
        ("error.use_stderr()", false),
        ("// io::stderr()", false),
        (
            "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { stderr(); } }",
            false,
        ),
        ("writeln!(std::io::stderr(), \"a\")", true),
        ("println!(\"a\")", true),
    ] {
        assert_eq!(
            HANDLES.iter().any(|handle| names(text, handle)),
            seen,
            "{text}"
        );
    }
}

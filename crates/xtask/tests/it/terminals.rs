//! One module of the command holds a terminal: only what goes through it can reach one, so only it has
//! to make it safe. Another one steers the terminal that it is given, to draw prompts. Looked at is what the code names; comments and tests may name anything.

use std::fs;
use std::path::Path;

/// The module that may hold one.
const HOLDS: &str = "terminal.rs";

/// The module that steers the terminal that it is given.
const STEERS: &str = "prompt/screen.rs";

/// What programs say that miss a terminal, which the command looks for.
const SAID: (&str, &str) = ("run/tty.rs", "\"/dev/tty\"");

/// What is a handle, or writes to one.
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
    "::Term::",
];

/// What makes sequences that steer one.
const SEQUENCES: &[&str] = &[
    "crossterm::cursor",
    "crossterm::execute",
    "crossterm::queue",
    "crossterm::style",
    "crossterm::terminal::Clear",
    "crossterm::{",
    "execute!(",
    "queue!(",
];

#[test]
fn one_module_of_the_command_holds_a_terminal() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../toolwire-cli/src");
    let mut wrong = Vec::new();
    let mut held = 0;
    for file in crate::files(&source, "rs") {
        let name = file
            .strip_prefix(&source)
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        let text = fs::read_to_string(&file).unwrap();
        let named = |what: &[&'static str]| -> Vec<&str> {
            what.iter()
                .copied()
                .filter(|what| names(&text, what))
                .collect()
        };
        let (handles, sequences) = (named(HANDLES), named(SEQUENCES));
        held += handles.len();
        let wrongly = match &*name {
            HOLDS => sequences,
            STEERS => handles,
            _ => [handles, sequences].concat(),
        };
        let wrongly: Vec<&str> = wrongly
            .into_iter()
            .filter(|what| (&*name, *what) != SAID)
            .collect();
        if !wrongly.is_empty() {
            wrong.push(format!("`{name}` names {}", wrongly.join(", ")));
        }
    }
    assert!(held > 3, "nothing was looked at");
    assert!(
        wrong.is_empty(),
        "{}\nuse the functions of crates/toolwire-cli/src/terminal.rs or output.rs, which make text safe",
        wrong.join("\n")
    );
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

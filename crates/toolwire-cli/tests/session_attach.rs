//! `toolwire session attach`: a person takes part (CLI-188 to CLI-190).

#![cfg(unix)]

mod common;

use common::prompt::{CTRL_C, ENTER, start_shell};
use common::session::{ECHO, until};
use common::{Dir, set_mode};
use std::path::Path;

/// A workspace in which a shell script attaches, on a terminal.
fn stage() -> Dir {
    let dir = Dir::new();
    std::fs::create_dir(dir.path().join("run")).unwrap();
    set_mode(&dir.path().join("run"), 0o700);
    let echo = dir.file("echo", ECHO);
    set_mode(Path::new(&echo), 0o755);
    dir
}

/// The script around what is typed: it says how the terminal was left.
const AROUND: &str = "trap : INT; export XDG_RUNTIME_DIR=$PWD/run TOOLWIRE_SESSION_IDLE=300ms; \
    s() { \"$TOOLWIRE\" session \"$@\"; }; BEFORE; stty -g > before; s attach a ATTACH; code=$?; \
    stty -g > after; cmp before after && AFTER; s abort --all > /dev/null; s fetch a > /dev/null 2>&1; echo code=$code";

fn script(before: &str, attach: &str, after: &str) -> String {
    AROUND
        .replace("BEFORE", before)
        .replace("ATTACH", attach)
        .replace("AFTER", after)
}

#[test]
fn a_person_answers_what_is_for_them_alone() {
    let script = script(
        "s spawn a ./echo > /dev/null 2>&1; s apply a secret > /dev/null 2>&1",
        "",
        "s fetch a --after 0 > out",
    );
    let mut terminal = start_shell(stage(), &script);
    terminal.shows("asks ›");
    terminal.types("1234", "••••");
    // It goes on, and what it says is shown.
    terminal.types(ENTER, "no\n");
    let ended = terminal.ends(CTRL_C);
    assert_eq!(ended.code, "130", "{}", ended.screen);
    assert!(!ended.bytes.contains("1234"), "what is typed is not shown");
    nothing_is_left(ended.dir.path());
}

/// The host has ended, with all that it had.
fn nothing_is_left(folder: &Path) {
    let run = folder.join("run/toolwire");
    until(|| std::fs::read_dir(&run).is_ok_and(|mut files| files.next().is_none()));
}

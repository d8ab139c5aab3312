//! `toolwire session attach`: a person takes part.

use crate::common::prompt::{CTRL_C, ENTER, start_shell};
use crate::common::session::{ECHO, until};
use crate::common::{Dir, set_mode};
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
const AROUND: &str = "trap : INT; export XDG_RUNTIME_DIR=$PWD/run TOOLWIRE_SESSION_IDLE=5s; \
    s() { \"$TOOLWIRE\" session \"$@\"; }; BEFORE; stty -g > before; sh -c 'echo $$ > visitor; exec \"$TOOLWIRE\" session attach a ATTACH'; code=$?; \
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
    terminal.types(ENTER, "said no");
    let ended = terminal.ends(CTRL_C);
    assert_eq!(ended.code, "130", "{}", ended.screen);
    assert!(!ended.bytes.contains("1234"), "what is typed is not shown");
    nothing_is_left(ended.dir.path());
}

/// A program for a terminal: it draws on the whole screen, reports its size, sets a title and the clipboard, asks
/// where the cursor is, and reads a password.
const DRAWS: &str = "#!/bin/sh\nprintf '\\033[?1049h\\033[2J\\033[Hready %s' \"$(stty size)\"\n\
    printf '\\033]0;evil\\007\\033]52;c;ZXZpbA==\\007\\033[6n'\n\
    trap 'printf \"\\033[2Hsize %s\" \"$(stty size)\"' WINCH\n\
    while :; do IFS= read -r line || continue\n\
    case $line in password) stty -echo; printf '\\033[3Hpassword: '; read -r line; stty echo; printf '\\033[4Hgot %s' ${#line} ;;\n\
    quit) printf '\\033[?1049l'; exit 3 ;; *) printf '\\033[5Hheard <%s>' \"$line\" ;; esac; done\n";

fn draws() -> Dir {
    let dir = stage();
    let path = dir.file("draws", DRAWS);
    set_mode(Path::new(&path), 0o755);
    dir
}

#[test]
fn a_person_takes_over_a_terminal_and_leaves_it() {
    let script = script(
        "s spawn a --pty -- ./draws > /dev/null 2>&1",
        "",
        "s fetch a --screen > out; echo after",
    );
    let mut terminal = start_shell(draws(), &script);
    terminal.shows("ready");
    terminal.types("hello\r", "heard <hello>");
    // The program has the size of this window, now and when it changes.
    terminal.resize(33, 99);
    terminal.shows("size 33 99");
    // What only a person may type.
    terminal.types("password\r", "password: ");
    terminal.types("1234\r", "got 4");
    // Ctrl-C is the program's; the key leaves it running.
    let ended = terminal.ends("\x1d");
    assert_eq!(ended.code, "0", "{}", ended.screen);
    assert!(
        ended.screen.contains("left `a`, which goes on"),
        "{}",
        ended.screen
    );
    assert!(
        ended.call.to_string().contains("heard <hello>"),
        "{}",
        ended.call
    );
    for sequence in ["evil", "ZXZpbA", "1234"] {
        assert!(!ended.bytes.contains(sequence), "{sequence:?}");
    }
    nothing_is_left(ended.dir.path());
}

#[test]
fn the_end_of_the_program_is_the_end_of_the_visit() {
    let script = script(
        "s spawn a --pty -- ./draws > /dev/null 2>&1",
        "--detach-key ctrl-a",
        "s fetch a > out",
    );
    let mut terminal = start_shell(draws(), &script);
    terminal.shows("ready");
    terminal.types("\x1d\r", "heard <");
    let ended = terminal.ends("quit\r");
    assert_eq!(ended.code, "0", "{}", ended.screen);
    assert!(ended.screen.contains("`a` has ended"), "{}", ended.screen);
    nothing_is_left(ended.dir.path());
}

#[test]
fn a_signal_gives_the_terminal_back() {
    for (name, code) in [("TERM", "143"), ("HUP", "129")] {
        let script = script(
            "s spawn a --pty -- ./draws > /dev/null 2>&1; \
             (until [ -e go ]; do sleep 0.05; done; kill -s SIGNAL $(cat visitor)) & true",
            "",
            "s list > out",
        );
        let script = script.replace("SIGNAL", name);
        let terminal = start_shell(draws(), &script);
        terminal.shows("ready");
        std::fs::write(terminal.dir.path().join("go"), "").unwrap();
        let ended = terminal.ends("");
        assert_eq!(ended.code, code, "{}", ended.screen);
        assert!(ended.call.to_string().contains("running"), "{}", ended.call);
        nothing_is_left(ended.dir.path());
    }
}

#[test]
fn a_host_that_ends_gives_the_terminal_back() {
    let script = script(
        "s spawn a --pty -- ./draws > /dev/null 2>&1; \
         (until [ -e go ]; do sleep 0.05; done; kill -s TERM $(ps -axo pid=,args= | grep \"$PWD/run/[t]oolwire\" | cut -c1-8)) & true",
        "",
        "s list > out",
    );
    let terminal = start_shell(draws(), &script);
    terminal.shows("ready");
    std::fs::write(terminal.dir.path().join("go"), "").unwrap();
    let ended = terminal.ends("");
    assert!(["0", "5"].contains(&&*ended.code), "{}", ended.screen);
    nothing_is_left(ended.dir.path());
}

/// The host has ended, with all that it had.
fn nothing_is_left(folder: &Path) {
    let run = folder.join("run/toolwire");
    until(|| std::fs::read_dir(&run).is_ok_and(|mut files| files.next().is_none()));
}

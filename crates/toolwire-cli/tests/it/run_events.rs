//! The progress and the log messages of a tool.

use crate::common::prompt::start;
use crate::common::{self, Dir, Run, command, on_terminal, run_command};

/// What a tool needs to say something.
const SAY: &str = r#"say() { printf '%s\n' "$1" >> "$TOOLWIRE_EVENTS"; }
progress() { say "{\"type\":\"progress\",$1}"; }
log() { say "{\"type\":\"log\",\"level\":\"$1\",\"message\":\"$2\"}"; }
cat > /dev/null
"#;

fn program(dir: &Dir, name: &str, script: &str) {
    dir.program(name, &format!("{SAY}{script}"));
}

fn at_terminal(dir: &Dir, args: &str, env: &[(&str, &str)]) -> String {
    on_terminal(
        &format!("cd {}; toolwire run {args}", dir.path().display()),
        env,
    )
}

fn elsewhere(dir: &Dir, args: &[&str]) -> Run {
    let mut command = command(&[&["run"], args].concat());
    command.current_dir(dir.path());
    run_command(command, b"")
}

/// What was seen, with `_` for the seconds that something took: a busy machine takes more of them.
fn without_seconds(seen: &str) -> String {
    let parts: Vec<&str> = seen.split(" s").collect();
    let (last, before) = parts.split_last().expect("a part");
    let cut = |part: &&str| match part.trim_end_matches(|one: char| one.is_ascii_digit()) {
        whole if whole.len() == part.len() => format!("{part} s"),
        short => format!("{short}_ s"),
    };
    before.iter().map(cut).collect::<String>() + last
}

#[test]
fn progress_is_a_bar_below_what_the_tool_writes() {
    let dir = Dir::new();
    program(
        &dir,
        "copy",
        r#"progress '"done":1,"total":4,"message":"a.txt"'; sleep 1.2; echo a line >&2
        sleep 0.8; progress '"done":2,"total":4,"message":"b\u001b[2J.txt\n? toolwire asks"'
        sleep 1.2; progress '"done":7'; sleep 1.2; echo result"#,
    );
    let seen = at_terminal(&dir, "./copy", &[]);
    let bar = |filled: usize| format!("{}{}", "━".repeat(filled), "╌".repeat(20 - filled));
    let first = format!("copy  {}  25 %  1/4  _ s │ a.txt", bar(5));
    let timeless = without_seconds(&seen);
    assert!(timeless.contains(&first), "{seen:?}");
    // It makes way for a line, and comes back although the tool is not silent.
    let line = seen.find("\r\x1b[2K│ a line\r\n").expect("the line");
    assert!(seen[line..].contains(&bar(5)), "{seen:?}");
    // The message stays on its row, behind the mark.
    assert!(
        timeless.contains("50 %  2/4  _ s │ b␛[2J.txt␊? toolwire asks"),
        "{seen:?}"
    );
    assert!(!seen.contains("\x1b[2J"), "{seen:?}");
    assert!(timeless.contains("copy  7  _ s"), "{seen:?}");
    assert!(seen.ends_with("\r\x1b[2Kresult\r\n"), "{seen:?}");

    for (args, env) in [
        ("./copy 2>/dev/null", &[][..]),
        ("./copy", &[("TERM", "dumb")]),
    ] {
        let seen = at_terminal(&dir, args, env);
        assert!(
            !seen.contains('%') && seen.ends_with("result\r\n"),
            "{args}: {seen:?}"
        );
    }
    let run = elsewhere(&dir, &["./copy"]);
    assert_eq!((&*run.stdout, &*run.stderr), ("result\n", "a line\n"));
}

const LOGS: &str = r#"printf begun >&2; sleep 0.5
log debug details; log info 'one\ntwo'; log warning 'a\u001b[2Jb\u202e'
say '{"type":"log","level":"error","message":"m","logger":"d\nb"}'; sleep 0.2; echo result"#;

#[test]
fn log_messages_are_behind_the_gutter_with_their_level() {
    let dir = Dir::new();
    program(&dir, "logs", LOGS);
    let seen = at_terminal(&dir, "./logs", &[("NO_COLOR", "1")]);
    let seen = seen.replace("\x1b[?7l", "").replace("\x1b[?7h", "");
    let rows = "│ info: one\r\n│ two\r\n│ warning: a␛[2Jb<U+202E>\r\n│ error d␊b: m\r\n";
    assert!(seen.contains(rows), "{seen:?}");
    assert!(seen.ends_with("│ begun\r\nresult\r\n"), "{seen:?}");
    let seen = at_terminal(&dir, "./logs", &[]);
    assert!(seen.contains("│ \x1b[1;33mwarning\x1b[0m: a"), "{seen:?}");
    assert!(seen.contains("│ \x1b[1;31merror\x1b[0m d␊b: m"), "{seen:?}");
}

#[test]
fn without_a_terminal_each_message_is_a_line() {
    let dir = Dir::new();
    program(&dir, "logs", LOGS);
    let lines = "info: one␊two\nwarning: a␛[2Jb<U+202E>\nerror d␊b: m\n";
    for args in [&["./logs"][..], &["--json", "./logs"]] {
        let run = elsewhere(&dir, args);
        assert_eq!(run.stderr, format!("begun\n{lines}"), "{args:?}");
        assert!(!run.stdout.contains("two"), "{args:?}");
    }
    for (level, stderr) in [
        ("debug", format!("begun\ndebug: details\n{lines}")),
        ("error", "begun\nerror d␊b: m\n".to_owned()),
        ("critical", "begun".to_owned()),
        ("off", "begun".to_owned()),
    ] {
        let run = elsewhere(&dir, &["--log-level", level, "./logs"]);
        assert_eq!((run.stderr, &*run.stdout), (stderr, "result\n"), "{level}");
    }
    let run = elsewhere(&dir, &["--log-level", "loud", "./logs"]);
    assert_eq!(run.code, 2);
}

#[test]
fn a_message_is_cut_and_a_wrong_line_is_told() {
    let dir = Dir::new();
    program(
        &dir,
        "logs",
        r#"log info "$(printf '%05000d' 0)"; log warn m; echo result"#,
    );
    let run = elsewhere(&dir, &["./logs"]);
    let cut = format!("info: {}…\n", "0".repeat(4096));
    let told = "warning toolwire: a line of the events file was ignored, line 2: `level` is";
    let rest = run.stderr.strip_prefix(&cut).expect("the message, cut");
    assert!(rest.starts_with(told), "{rest}");
}

/// A tool that has the terminal itself is not offered the file, and one that describes itself neither.
#[test]
fn who_has_the_terminal_has_no_events() {
    let dir = Dir::new();
    dir.program("show", r#"echo "${TOOLWIRE_EVENTS:+offered}""#);
    let shown = |args: &str| at_terminal(&dir, args, &[]);
    assert_eq!(shown("./show"), "offered\r\n");
    assert_eq!(shown("--tty ./show"), "\r\n");
}

/// What was shown of the first run is gone while the question is asked, and the next run begins anew.
#[test]
fn a_question_has_the_terminal_for_itself() {
    let dir = Dir::new();
    let question = r#"{"content":[{"type":"question","question":{"id":"q","text":"Go on?","schema":{"type":"boolean","default":true}}}]}"#;
    dir.file("question.json", question);
    let script = format!(
        "call=$(cat); wait_for() {{ until [ -e $1 ]; do sleep 0.05; done; }}\n{}",
        SAY.replace("cat > /dev/null", "")
            + r#"progress '"done":1,"total":2,"message":"before"'; log info said
            case $call in *'"q":'*) wait_for again; printf '%s' "$call" ;; *) wait_for go; cat question.json ;; esac"#
    );
    common::prompt::script(&dir, "tool", &script);
    let mut terminal = start(dir, "");
    terminal.shows("50 %");
    terminal.dir.file("go", "");
    let screen = terminal.shows("Go on?");
    std::thread::sleep(std::time::Duration::from_millis(400));
    let later = terminal.screen();
    for screen in [&screen, &later] {
        assert!(
            !screen.contains('%') && !screen.contains("before"),
            "{screen}"
        );
        assert!(screen.contains("│ info: said"), "{screen}");
    }
    terminal.types("y", "50 %");
    terminal.dir.file("again", "");
    let ended = terminal.ends("");
    assert!(!ended.screen.contains('%'), "{}", ended.screen);
    assert_eq!(ended.call["tool"]["answers"]["q"], true);
}

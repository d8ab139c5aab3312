//! Ctrl-C and Ctrl-Z at a prompt, and Ctrl-Z while a tool runs.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::Dir;
use crate::common::prompt::*;
use serde_json::json;

const CTRL_Z: &str = "\x1a";

#[test]
fn ctrl_c_ends_the_call_in_each_prompt() {
    let schemas = [
        json!({"type": "boolean"}),
        json!({"enum": ["a", "b"]}),
        json!({"type": "array", "items": {"enum": ["a", "b"]}}),
        json!({"type": "string"}),
        json!({"type": "number"}),
        json!({"type": "object"}),
    ];
    for schema in schemas {
        let terminal = ask(&json!({"text": "What?", "schema": schema}));
        terminal.shows("Esc cancels");
        let ended = terminal.ends(CTRL_C);
        assert_eq!(ended.code, "130", "{schema}");
        let result = ended.call.as_str().unwrap();
        assert!(result.contains("the call was cancelled"), "{result}");
        assert!(ended.screen.contains("– cancelled"), "{}", ended.screen);
    }
}

/// Also where all that the tool says is read, from where Esc goes back.
#[test]
fn ctrl_c_ends_the_call_where_all_is_shown() {
    let text = "a line of the question\n".repeat(60);
    let mut terminal = ask(&json!({"text": text, "schema": {"type": "string"}}));
    terminal.shows("Ctrl-O shows all");
    terminal.types("\x0f", "tool says, 1 to");
    assert_eq!(terminal.ends(CTRL_C).code, "130");
}

/// Where a terminal sends signals for keys, all that runs in its foreground gets them.
#[test]
fn ctrl_c_reaches_the_rest_of_the_job() {
    let dir = Dir::new();
    let question = json!({"id": "q", "text": "Go on?", "schema": {"type": "boolean"}});
    let content = json!({"content": [{"type": "question", "question": question}]});
    dir.file("question.json", content.to_string());
    script(&dir, "tool", "cat question.json");
    let script = "set -m; (trap 'echo told > told' INT; \"$TOOLWIRE\" run --call ./tool); \
                  cat told; echo code=$?";
    let terminal = start_shell(dir, script);
    terminal.shows("Esc cancels");
    let mut terminal = terminal;
    terminal.types(CTRL_C, "told");
}

/// Asks for a text under a shell with job control, which notes how the terminal is while the command is
/// suspended.
fn under_job_control(suspended: &str) -> Terminal {
    let dir = Dir::new();
    let question = json!({"id": "q", "text": "Which?", "schema": {"type": "string"}});
    let content = json!({"content": [{"type": "question", "question": question}]});
    dir.file("question.json", content.to_string());
    let tool = "echo $PPID > pid; call=$(cat); \
                case $call in *'\"q\":'*) echo \"$call\";; *) cat question.json;; esac";
    script(&dir, "tool", tool);
    let script = format!(
        "set -m; stty -g > before; \"$TOOLWIRE\" run --call --format model ./tool > out; \
         stty -g > stopped; cmp before stopped && echo suspended; {suspended}; fg; \
         code=$?; stty -g > after; cmp before after && echo code=$code"
    );
    start_shell(dir, &script)
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_the_prompt_comes_back() {
    let mut terminal = under_job_control("read line; echo \"the shell read $line\"");
    terminal.shows("Esc cancels");
    terminal.types("hel", "› hel");
    let screen = terminal.types(CTRL_Z, "suspended");
    assert!(!screen.contains("Esc cancels"), "{screen}");
    // The shell reads lines, as if no prompt had been.
    terminal.types("mine\n", "the shell read mine");
    let screen = terminal.shows("Esc cancels");
    assert!(
        screen.contains("? tool asks\n│ Which?\ntool asks › hel\n"),
        "{screen}"
    );
    terminal.types("lo", "› hello");
    let ended = terminal.ends(ENTER);
    assert_eq!((ended.value(), &*ended.code), (&json!("hello"), "0"));
    assert_eq!(
        ended.screen.matches("Which?").count(),
        1,
        "{}",
        ended.screen
    );
}

/// The signal does what the key does, and a window that has changed meanwhile is no matter.
#[test]
fn a_prompt_that_was_suspended_comes_back_in_a_window_of_another_size() {
    let mut terminal = under_job_control("read line");
    terminal.shows("Esc cancels");
    terminal.types("hel", "› hel");
    let pid = fs::read_to_string(terminal.dir.path().join("pid")).unwrap();
    let sent = Command::new("kill").args(["-TSTP", pid.trim()]).status();
    assert!(sent.unwrap().success());
    terminal.shows("suspended");
    terminal.resize(20, 40);
    terminal.types("\n", "Esc cancels");
    terminal.types("lo", "› hello");
    assert_eq!(terminal.ends(ENTER).value(), "hello");
}

/// Without a shell that could let it go on, the command stays where it is, as the system has it.
#[test]
fn ctrl_z_does_nothing_where_there_is_no_job_control() {
    let mut terminal = ask(&json!({"text": "Which?", "schema": {"type": "string"}}));
    terminal.shows("Esc cancels");
    terminal.types("a", "› a");
    terminal.types(&format!("{CTRL_Z}b"), "› ab");
    assert_eq!(terminal.ends(ENTER).value(), "ab");
}

/// How a process is, as `ps` has it; empty if there is none.
fn state(pid: &str) -> String {
    let asked = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
    String::from_utf8_lossy(&asked.unwrap().stdout)
        .trim()
        .to_owned()
}

fn until(what: &str, so: impl Fn() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn ctrl_z_suspends_a_tool_that_runs_and_its_time() {
    let dir = Dir::new();
    let tool = "cat > /dev/null; echo $$ > pid; \
                for n in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.25; done; echo finished";
    script(&dir, "tool", tool);
    // It takes 3 seconds of 15, and is suspended for 14.
    let run = "\"$TOOLWIRE\" run --call --timeout 15s ./tool > out";
    let script = format!("set -m; {run}; echo suspended; read line; fg; echo code=$?; cat out");
    let mut terminal = start_shell(dir, &script);
    let file = terminal.dir.path().join("pid");
    until("the tool", || {
        fs::read_to_string(&file).is_ok_and(|pid| pid.ends_with('\n'))
    });
    let pid = fs::read_to_string(&file).unwrap();
    terminal.types(CTRL_Z, "suspended");
    until("the tool to stop", || state(pid.trim()).starts_with('T'));
    std::thread::sleep(Duration::from_secs(14));
    assert!(state(pid.trim()).starts_with('T'));
    let screen = terminal.types("\n", "code=");
    assert!(screen.contains("code=0"), "{screen}");
    terminal.shows("finished");
}

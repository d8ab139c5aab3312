//! Ctrl-C and its like cancel the call and leave nothing; a second one kills.

use std::fs;
use std::io::Read;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::common::{Dir, command};

const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until something is so.
fn wait_for(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn start(dir: &Dir, args: &[&str]) -> Child {
    command(args).current_dir(dir.path()).spawn().unwrap()
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// The process that a tool wrote down, once it has.
fn pid(dir: &Dir) -> String {
    let file = dir.path().join("pid");
    wait_for("the tool", || {
        fs::read_to_string(&file).is_ok_and(|pid| pid.ends_with('\n'))
    });
    fs::read_to_string(file).unwrap().trim().to_owned()
}

/// Whether there is such a process, one that is dead but not waited for aside: whose parent is gone
/// waits for the system's first process to look after it.
fn alive(pid: &str) -> bool {
    let asked = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
    let state = asked.unwrap().stdout;
    !state.trim_ascii().is_empty() && !state.trim_ascii().starts_with(b"Z")
}

/// How a child ended: its code and what it wrote.
fn ended(mut child: Child) -> (Option<i32>, String) {
    let mut status = None;
    wait_for("the end", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    let mut text = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    (status.unwrap().code(), text)
}

#[test]
fn a_signal_cancels_the_tool_and_its_children() {
    for (signal, code) in [
        ("-INT", 130),
        ("-TERM", 143),
        ("-HUP", 129),
        ("-QUIT", 131),
        ("-ALRM", 142),
    ] {
        for action in ["run", "tools"] {
            let dir = Dir::new();
            dir.program(
                "tool",
                "# toolwire-tool: 1\necho begun; sleep 60 & echo $! > pid; wait",
            );
            let child = start(&dir, &[action, "./tool"]);
            let pid = pid(&dir);
            send(signal, &child);
            let (ended, text) = ended(child);
            assert_eq!(ended, Some(code), "{signal} {action}");
            assert_eq!(text.contains("begun"), action == "run", "{text}");
            wait_for("its child", || !alive(&pid));
        }
    }
}

#[test]
fn a_signal_cancels_the_call_of_a_tool_that_was_described() {
    let dir = Dir::new();
    dir.tool(
        "tool",
        r#"{"name":"x","inputSchema":{"type":"object"}}"#,
        "echo $$ > pid; sleep 60",
    );
    let child = start(&dir, &["run", "--format", "json", "./tool"]);
    let pid = pid(&dir);
    send("-INT", &child);
    let (code, text) = ended(child);
    assert_eq!(code, Some(130));
    assert!(text.contains("the call was cancelled"), "{text}");
    wait_for("the tool", || !alive(&pid));
}

/// A tool that does not want to end has two seconds of grace; a second signal does not wait for it.
#[test]
fn a_second_signal_kills() {
    let dir = Dir::new();
    dir.program(
        "tool",
        "trap 'echo trapped > trapped' INT TERM; echo $$ > pid
        while :; do sleep 0.1; done",
    );
    let child = start(&dir, &["run", "./tool"]);
    let pid = pid(&dir);
    send("-INT", &child);
    wait_for("the trap", || dir.path().join("trapped").exists());
    assert!(alive(&pid));
    send("-INT", &child);
    let (code, text) = ended(child);
    assert_eq!((code, &*text), (Some(130), ""));
    wait_for("the tool", || !alive(&pid));
}

/// Whose number is not the same everywhere, and what no process can see to itself.
#[test]
fn no_signal_leaves_a_tool() {
    for signal in ["-USR1", "-USR2", "-KILL", "-ABRT", "-XCPU"] {
        let dir = Dir::new();
        dir.program("tool", "sleep 60 & echo $! > pid; wait");
        let child = start(&dir, &["run", "./tool"]);
        let pid = pid(&dir);
        send(signal, &child);
        ended(child);
        wait_for("its child", || !alive(&pid));
    }
}

#[test]
fn a_tool_that_is_killed_by_somebody_else_is_an_error() {
    let dir = Dir::new();
    dir.program("tool", "kill -9 $$");
    let child = start(&dir, &["run", "./tool"]);
    let (code, text) = ended(child);
    assert_eq!(code, Some(1));
    assert!(text.contains("signal 9"), "{text}");
}

#[test]
fn a_signal_ends_an_assistant_too() {
    let dir = Dir::new();
    let question = r#"{"content":[{"type":"question","question":{"id":"q","text":"?","schema":{"type":"boolean"}}}]}"#;
    let tool = r#"{"name":"x","inputSchema":{"type":"object"}}"#;
    dir.tool("tool", tool, &format!("printf '%s' '{question}'; exit"));
    dir.program("assistant", "echo $$ > pid; sleep 60");
    let child = start(&dir, &["run", "--assistant", "./assistant", "./tool"]);
    let pid = pid(&dir);
    send("-TERM", &child);
    assert_eq!(ended(child).0, Some(143));
    wait_for("the assistant", || !alive(&pid));
}

//! Signals to the command, in every phase of a call: it ends, with the code of the signal, nothing of
//! the tool stays, and the terminal is as it was.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::common::{Dir, command};

const PATIENCE: Duration = Duration::from_secs(60);

/// A signal to the command: its name, and the code with which the command ends, if it has one.
type Sent = (&'static str, Option<i32>);

const SIGNALS: &[Sent] = &[
    ("INT", Some(130)),
    ("TERM", Some(143)),
    ("HUP", Some(129)),
    ("QUIT", Some(131)),
    // Nobody can act on this one; the tool must end all the same. The terminal can't be mended.
    ("KILL", None),
];

/// Where a call is when the signal comes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// The program is asked for its tools.
    Starting,
    /// The tool works, with a child of its own.
    Running,
    /// A person is asked.
    Asking,
    /// It was told to end, and does not.
    Stopping,
}

const PHASES: &[Phase] = &[
    Phase::Starting,
    Phase::Running,
    Phase::Asking,
    Phase::Stopping,
];

const X: &str = r#"{"name":"x","inputSchema":{"type":"object"}}"#;

/// A tool that gets into the phase, and writes its processes down.
fn tool(dir: &Dir, phase: Phase) {
    let note = "sleep 60 & echo $! $$ > pid.new; mv pid.new pid";
    match phase {
        Phase::Starting => drop(dir.program("tool", &format!("# toolwire-tool: 1\n{note}; wait"))),
        Phase::Running => drop(dir.tool("tool", X, &format!("{note}; wait"))),
        Phase::Asking => {
            let asked = r#"{"id":"q","text":"MARK","schema":{"type":"string"}}"#;
            let answer = format!(r#"{{"content":[{{"type":"question","question":{asked}}}]}}"#);
            drop(dir.tool("tool", X, &format!("printf '%s' '{answer}'; exit")));
        }
        Phase::Stopping => {
            let stays = format!("trap '' INT TERM HUP QUIT; {note}; while :; do sleep 0.1; done");
            drop(dir.tool("tool", X, &stays));
        }
    }
}

fn wait_for(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn send(signal: &str, pid: u32) {
    let sent = Command::new("kill")
        .args(["-s", signal, &pid.to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// Whether there is such a process; one that is dead and not waited for is none.
fn alive(pid: &str) -> bool {
    let asked = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
    let state = asked.unwrap().stdout;
    !state.trim_ascii().is_empty() && !state.trim_ascii().starts_with(b"Z")
}

fn tool_is_gone(folder: &Path) {
    let Ok(pids) = fs::read_to_string(folder.join("pid")) else {
        return;
    };
    wait_for("the end of the tool", || {
        !pids.split_whitespace().any(alive)
    });
}

/// Without a terminal: the code with which it ended.
fn in_the_background(phase: Phase, signal: &str) -> Option<i32> {
    let dir = Dir::new();
    tool(&dir, phase);
    let mut command = command(&["run", "./tool", "x"]);
    command.current_dir(dir.path());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    wait_for("the tool", || dir.path().join("pid").exists());
    if phase == Phase::Stopping {
        send("TERM", child.id());
        std::thread::sleep(Duration::from_millis(200));
    }
    send(signal, child.id());
    let mut status = None;
    wait_for("the end", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    tool_is_gone(dir.path());
    status.unwrap().code()
}

/// On a terminal, while a prompt waits: the code with which it ended, and whether the terminal is as
/// it was.
fn at_a_prompt(signal: &str) -> (Option<i32>, bool) {
    let dir = Dir::new();
    tool(&dir, Phase::Asking);
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_toolwire"));
    command.args(["run", "./tool", "x"]);
    command.cwd(dir.path());
    command.env("TERM", "xterm-256color");
    let before = pair.master.get_termios().unwrap();
    let mut child = pair.slave.spawn_command(command).unwrap();
    let mut reader = pair.master.try_clone_reader().unwrap();
    std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
    wait_for("the prompt", || {
        pair.master.get_termios().unwrap() != before
    });
    send(signal, child.process_id().unwrap());
    let mut status = None;
    wait_for("the end", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    // A signal that nothing caught has code 1 here, and a name.
    let status = status.unwrap();
    let code = status.signal().is_none().then(|| status.exit_code() as i32);
    (code, pair.master.get_termios().unwrap() == before)
}

#[test]
fn a_signal_leaves_nothing_in_any_phase() {
    let mut wrong = Vec::new();
    for phase in PHASES {
        for (signal, code) in SIGNALS {
            if *phase == Phase::Asking {
                let (ended, as_it_was) = at_a_prompt(signal);
                if ended != *code || (!as_it_was && *signal != "KILL") {
                    wrong.push(format!(
                        "{phase:?}, {signal}: {ended:?}, the terminal is as it was: {as_it_was}"
                    ));
                }
                continue;
            }
            let ended = in_the_background(*phase, signal);
            // The second signal may end it, or the first that is being followed already.
            let first = *phase == Phase::Stopping && ended == Some(143);
            if ended != *code && !first {
                wrong.push(format!("{phase:?}, {signal}: {ended:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! The command is the same one, whatever starts it. What an interpreter around it could
//! change: signals, streams, arguments, the name. `TOOLWIRE_COMMAND` names the launcher.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::common::{self, Dir, VALID, WARNING, command, run, run_command};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

const PATIENCE: Duration = Duration::from_secs(60);

/// A shell command in which `$0` is the command that is tested.
fn shell(script: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).arg(common::toolwire());
    shell
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    shell
}

/// Starts the command on a terminal, and waits until it waits for what is typed.
fn waiting() -> Box<dyn portable_pty::Child + Send + Sync> {
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(common::toolwire());
    command.arg("parse");
    let child = pair.slave.spawn_command(command).unwrap();
    let mut reader = pair.master.try_clone_reader().unwrap();
    let (sender, invited) = mpsc::channel();
    // It reads on until the end, and holds the terminal open until then.
    std::thread::spawn(move || {
        let (mut seen, mut buffer, _pair) = (Vec::new(), [0; 256], pair);
        while let Ok(read @ 1..) = reader.read(&mut buffer) {
            seen.extend_from_slice(&buffer[..read]);
            if String::from_utf8_lossy(&seen).contains("Ctrl-D") {
                let _ = sender.send(());
            }
        }
    });
    let told = invited.recv_timeout(PATIENCE);
    assert!(told.is_ok(), "it does not wait for what is typed");
    child
}

#[test]
fn a_signal_ends_it_while_it_waits_for_input() {
    for name in ["-INT", "-TERM", "-HUP", "-USR1"] {
        let mut child = waiting();
        let pid = child.process_id().unwrap().to_string();
        let sent = Command::new("kill").args([name, &pid]).status().unwrap();
        assert!(sent.success());
        let start = Instant::now();
        let ended = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > PATIENCE {
                child.kill().unwrap();
                panic!("{name} does not end it");
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        assert!(ended.signal().is_some(), "{name}: {ended:?}");
    }
}

#[test]
fn a_closed_pipe_ends_it_silently() {
    let dir = Dir::new();
    let log = dir.file("log", format!("{VALID}\n").repeat(200_000));
    let script =
        format!("{{ \"$0\" parse --lines --json '{log}'; echo \"code $?\" >&2; }} | head -n 1");
    let run = run_command(shell(&script), b"");
    assert_eq!(run.stderr, "code 0\n", "{run:?}");
}

#[test]
fn a_stream_that_is_closed_is_empty() {
    let run = run_command(shell("\"$0\" parse <&-"), b"");
    assert_eq!((run.code, &*run.stderr), (4, ""), "{run:?}");
    let run = run_command(shell("\"$0\" parse 2>&-"), WARNING.as_bytes());
    assert_eq!(run.code, 3, "{run:?}");
    assert!(run.stdout.contains("warning"), "{run:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn tools_get_the_signals_as_the_system_has_them() {
    let dir = Dir::new();
    let tool = dir.program("tool", "grep SigIgn /proc/self/status");
    let told = run(&["run", &tool], "");
    // Signals above 31 are not the system's own; the C library takes some.
    let ignored = |status: &str| {
        let line = status.lines().find(|line| line.starts_with("SigIgn:"));
        let digits = line.unwrap().trim_start_matches("SigIgn:").trim();
        u64::from_str_radix(digits, 16).unwrap() & 0x7fff_ffff
    };
    let (pipe, file_size) = (1 << 12, 1 << 24);
    // What started the tests may ignore some itself. Rust lets its programs ignore SIGPIPE, tools must not.
    let own = ignored(&std::fs::read_to_string("/proc/self/status").unwrap());
    let theirs = ignored(&told.stdout);
    assert_eq!(theirs & !file_size, own & !pipe & !file_size, "{told:?}");
    // Python ignores SIGXFSZ; the command of its package takes that back, whoever ignored it first.
    assert_eq!(theirs & !own, 0, "{told:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_name_that_is_no_text_arrives_as_it_is() {
    let dir = Dir::new();
    let file = dir.path().join(OsStr::from_bytes(b"a\xff.json"));
    std::fs::write(&file, VALID).unwrap();
    let mut command = command(&["validate"]);
    command.arg(&file);
    assert_eq!(run_command(command, b"").code, 0);
}

#[test]
fn it_is_called_toolwire() {
    let wrong = run(&["parse", "--no-such-option"], "");
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("Usage: toolwire parse"), "{wrong:?}");
    let version = run(&["--version"], "");
    let expected = format!("toolwire {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!((version.code, version.stdout), (0, expected));
}

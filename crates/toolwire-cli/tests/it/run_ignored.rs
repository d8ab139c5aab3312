//! A signal that was ignored at the start stays so. It is not tested with the npm package, since Node
//! takes that back when it starts.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{self, Dir};

fn send(signal: &str, pid: u32) {
    let sent = Command::new("kill")
        .args([signal, &pid.to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_signal_that_was_ignored_stays_so() {
    let dir = Dir::new();
    dir.program("tool", "kill -HUP $$; echo on > went-on; sleep 60");
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" run ./tool"]);
    shell.arg(common::toolwire()).current_dir(dir.path());
    let mut child = shell.stdout(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while !dir.path().join("went-on").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the tool ended");
        std::thread::sleep(Duration::from_millis(20));
    }
    // The first of two signals is the outcome.
    send("-HUP", child.id());
    send("-TERM", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

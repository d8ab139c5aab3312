//! A result channel that is made a named pipe while the host looks at it (PROC-13).

use std::sync::mpsc;
use std::time::Duration;

use crate::common::{self, alive, eventually, misbehave};
use toolwire_host::ProcessOptions;

/// Number of runs that found the gap between looking at the file and opening it each time.
const RUNS: usize = 60;

/// The host must not wait for somebody to write to the pipe, whatever its time-outs are: it would wait
/// for ever, and only SIGKILL would end it.
#[test]
fn a_pipe_in_place_of_the_file_does_not_hold_the_host() {
    for _ in 0..RUNS {
        let (sender, done) = mpsc::channel();
        std::thread::spawn(move || {
            let options = ProcessOptions {
                timeout: Some(Duration::from_secs(3)),
                linger: Duration::from_millis(20),
                ..ProcessOptions::default()
            };
            let _ = sender.send(common::run(&misbehave("swap-result"), &options));
        });
        let reply = done.recv_timeout(Duration::from_secs(60));
        let reply = reply.expect("the host is held by the result channel");
        let swapping = String::from_utf8(reply.report.stderr).expect("the number of a process");
        let id = swapping.trim().parse().expect("a number");
        assert!(eventually(|| !alive(id)), "{id} swaps for ever");
    }
}

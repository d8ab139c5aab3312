//! The end of a program whose host has gone while calls are open.

use std::sync::Once;
use std::thread::{self, sleep};
use std::time::Duration;

/// Maximum time for a program to end by itself, and then again after a signal. A living host waits less.
const GRACE: Duration = Duration::from_secs(5);

/// Sees to it that the process ends: what calls it has are told to end, and nobody else would end one that does not.
pub(super) fn watch() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        let watch = || {
            sleep(GRACE);
            ask();
            sleep(GRACE);
            kill();
        };
        // Where there is no thread to be had, the program has to end by itself.
        let _ = thread::Builder::new()
            .name("toolwire-orphan".into())
            .spawn(watch);
    });
}

/// The same, as soon as the host has gone: for a program that reads only when it does nothing else.
#[cfg(unix)]
pub(super) fn watch_host(stdin: std::fs::File) -> std::io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};

    let waits = move || {
        // Nothing that it says, only its end.
        let mut ends = [PollFd::new(&stdin, PollFlags::empty())];
        while poll(&mut ends, None).is_err_and(|error| error == rustix::io::Errno::INTR) {}
        if ends[0].revents().contains(PollFlags::HUP) {
            watch();
        }
    };
    let thread = thread::Builder::new().name("toolwire-host".into());
    thread.spawn(waits).map(drop)
}

#[cfg(unix)]
fn ask() {
    send(rustix::process::Signal::TERM);
}

#[cfg(unix)]
fn kill() {
    send(rustix::process::Signal::KILL);
}

/// Sends a signal to this process and, if it leads a group, to the programs that it has started.
#[cfg(unix)]
fn send(signal: rustix::process::Signal) {
    use rustix::process::{getpgrp, getpid, kill_current_process_group, kill_process};

    let _ = match getpgrp() == getpid() {
        true => kill_current_process_group(signal),
        false => kill_process(getpid(), signal),
    };
}

#[cfg(windows)]
fn ask() {}

#[cfg(windows)]
fn kill() {
    std::process::exit(super::NO_ANSWER.into());
}

//! Ctrl-Z while a tool runs or a question is asked: the command is suspended with its tools, and all
//! go on together.

use std::io;

use super::screen::Screen;

/// Takes the signal over from the system, which would suspend this process alone and leave the
/// terminal as a prompt has set it.
///
/// Called on a runtime of tokio.
#[cfg(unix)]
pub fn listen(screen: Screen) -> io::Result<()> {
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};

    let mut suspending = signal(SignalKind::from_raw(Signal::TSTP.as_raw()))?;
    crate::prompt::handle_suspension();
    tokio::spawn(async move {
        while suspending.recv().await.is_some() {
            suspend(&screen);
        }
    });
    Ok(())
}

#[cfg(unix)]
fn suspend(screen: &Screen) {
    use rustix::process::{Signal, getpgrp, getpid, getsid, kill_process};

    // In the session's first group there is no shell that could let this process go on. The system
    // ignores the signal there too.
    if getsid(None).is_ok_and(|session| session == getpgrp()) {
        return;
    }
    crate::prompt::make_way();
    screen
        .suspended(|| {
            // The process stops within the call, and returns from it when it goes on.
            toolwire_host::suspended(|| kill_process(getpid(), Signal::STOP))
        })
        // A process may always send itself a signal.
        .ok();
    crate::prompt::go_on();
}

/// Windows has no job control.
#[cfg(not(unix))]
pub fn listen(_: Screen) -> io::Result<()> {
    Ok(())
}

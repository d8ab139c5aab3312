//! A host that is suspended, as by Ctrl-Z at a terminal. Its tools are in sessions of their own, where
//! the terminal's signal does not reach them.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long this process was suspended, in all.
static SUSPENDED: Mutex<Duration> = Mutex::new(Duration::ZERO);

/// Suspends all tools of this process while `pause` runs, which is expected to suspend this process
/// itself; then they go on. That time does not count towards [`timeout`](crate::ProcessOptions::timeout).
///
/// For a host with job control: a terminal's Ctrl-Z reaches the host, but not its tools, which have
/// sessions of their own (PROC-7). It suspends nothing on Windows, where `pause` alone is run.
///
/// ```
/// // What a handler of SIGTSTP does, with `kill(getpid(), SIGSTOP)` as the pause.
/// let pause = || "suspended";
/// assert_eq!(toolwire_host::suspended(pause), "suspended");
/// ```
pub fn suspended<T>(pause: impl FnOnce() -> T) -> T {
    let groups = groups::running();
    groups::stop(&groups);
    let began = Instant::now();
    let value = pause();
    *total() += began.elapsed();
    groups::go_on(&groups);
    value
}

fn total() -> std::sync::MutexGuard<'static, Duration> {
    SUSPENDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts time, but not that for which this process was suspended. The clock of the system stands still while the
/// machine sleeps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    began: Instant,
    before: Duration,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Stopwatch {
            began: Instant::now(),
            before: *total(),
        }
    }

    /// What is left of this time.
    pub(crate) fn left_of(&self, time: Duration) -> Duration {
        let suspended = total().saturating_sub(self.before);
        time.saturating_sub(self.began.elapsed().saturating_sub(suspended))
    }
}

/// Waits for so long, not counting the time for which this process was suspended.
pub(crate) async fn sleep(time: Duration) {
    let watch = Stopwatch::start();
    loop {
        let left = watch.left_of(time);
        if left.is_zero() {
            return;
        }
        tokio::time::sleep(left).await;
    }
}

#[cfg(unix)]
mod groups {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    use super::super::guardian;

    pub(super) fn running() -> Vec<Pid> {
        guardian::groups().into_iter().map(Pid::from_raw).collect()
    }

    // A group that has ended meanwhile needs neither.
    pub(super) fn stop(groups: &[Pid]) {
        for group in groups {
            let _ = killpg(*group, Signal::SIGSTOP);
        }
    }

    pub(super) fn go_on(groups: &[Pid]) {
        for group in groups {
            let _ = killpg(*group, Signal::SIGCONT);
        }
    }
}

#[cfg(not(unix))]
mod groups {
    pub(super) fn running() {}
    pub(super) fn stop(_: &()) {}
    pub(super) fn go_on(_: &()) {}
}

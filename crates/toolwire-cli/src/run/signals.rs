//! Ctrl-C, and other signals that end a process by default: the first one cancels the call, the second
//! one kills the tool.

use std::io;

use tokio::sync::watch;

use crate::exit::{Failure, Outcome, Result, reason};
use crate::prompt;

/// What has come so far.
#[derive(Clone, Copy, Default)]
struct Seen {
    count: u32,
    first: Option<Outcome>,
}

/// The signals that this process gets while a tool runs.
#[derive(Clone)]
pub struct Signals {
    #[cfg(windows)]
    sender: watch::Sender<Seen>,
    seen: watch::Receiver<Seen>,
}

impl Signals {
    /// Takes the signals over from the system, which would end this process and leave the tool.
    ///
    /// Called on a runtime of tokio.
    pub fn listen() -> Result<Signals> {
        let (sender, seen) = watch::channel(Seen::default());
        for (mut stream, outcome) in streams().map_err(|error| unheard(&error))? {
            let sender = sender.clone();
            tokio::spawn(async move {
                while stream.recv().await.is_some() {
                    // An editor has the terminal for its own; what is typed there is not for us.
                    if is_typed(outcome) && prompt::editor_is_open() {
                        continue;
                    }
                    sender.send_modify(|seen| {
                        seen.count += 1;
                        seen.first.get_or_insert(outcome);
                    });
                }
            });
        }
        Ok(Signals {
            #[cfg(windows)]
            sender,
            seen,
        })
    }

    /// Done when as many have come.
    pub async fn nth(&self, count: u32) {
        let mut seen = self.seen.clone();
        if seen.wait_for(|seen| seen.count >= count).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Does what Ctrl-C does where a terminal sends signals for keys, which it does not while a prompt
    /// reads them: whatever runs in its foreground is interrupted, this process with it.
    #[cfg(unix)]
    pub fn interrupt(&self) {
        // A process may always send its own group a signal.
        let _ = rustix::process::kill_current_process_group(rustix::process::Signal::INT);
    }

    #[cfg(windows)]
    pub fn interrupt(&self) {
        self.sender.send_modify(|seen| {
            seen.count += 1;
            seen.first.get_or_insert(Outcome::Interrupted);
        });
    }

    /// How many have come.
    pub fn count(&self) -> u32 {
        self.seen.borrow().count
    }

    /// How the process ends, if one has come.
    pub fn outcome(&self) -> Option<Outcome> {
        self.seen.borrow().first
    }
}

/// That signals can't be taken over.
pub fn unheard(error: &io::Error) -> Failure {
    Failure::Io(format!("cannot wait for signals: {}", reason(error)))
}

/// Whether a key of the terminal sends it.
fn is_typed(outcome: Outcome) -> bool {
    #[cfg(unix)]
    if outcome == Outcome::Quit {
        return true;
    }
    outcome == Outcome::Interrupted
}

#[cfg(unix)]
fn streams() -> io::Result<Vec<(tokio::signal::unix::Signal, Outcome)>> {
    use tokio::signal::unix::{SignalKind, signal};
    [
        (SignalKind::interrupt(), Outcome::Interrupted),
        (SignalKind::terminate(), Outcome::Terminated),
        (SignalKind::hangup(), Outcome::HungUp),
        (SignalKind::quit(), Outcome::Quit),
        (SignalKind::alarm(), Outcome::Alarmed),
        (SignalKind::user_defined1(), Outcome::User1),
        (SignalKind::user_defined2(), Outcome::User2),
    ]
    .into_iter()
    .filter(|(kind, _)| !is_ignored(kind.as_raw_value()))
    .map(|(kind, outcome)| Ok((signal(kind)?, outcome)))
    .collect()
}

/// Whether this process was started with the signal ignored, as `nohup` does with SIGHUP and a shell with
/// SIGINT and SIGQUIT of a job in the background. Only Linux tells without unsafe code.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(windows)]
fn streams() -> io::Result<Vec<(tokio::signal::windows::CtrlC, Outcome)>> {
    Ok(vec![(
        tokio::signal::windows::ctrl_c()?,
        Outcome::Interrupted,
    )])
}

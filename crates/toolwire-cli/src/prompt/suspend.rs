//! Ctrl-Z while a prompt is on the terminal: the prompt makes way for the shell, and is back when the
//! shell lets the command go on. The thread that has the prompt is not the one that hears of
//! signals, so the two agree here.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the command waits for the prompt to make way; it looks for such a wish 25 times a second.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No prompt is on the terminal.
    Gone,
    Shown,
    /// A prompt is on the terminal and has been asked to make way.
    Wanted,
    /// It has made way.
    Away,
}

/// Whether somebody in this process hears of the signal that suspends it.
static HANDLED: AtomicBool = AtomicBool::new(false);

static STATE: Mutex<State> = Mutex::new(State::Gone);
static CHANGED: Condvar = Condvar::new();

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn set(to: State) {
    *state() = to;
    CHANGED.notify_all();
}

/// Somebody hears of the signal, and calls [`make_way`] then.
pub fn handle() {
    HANDLED.store(true, Ordering::Relaxed);
}

pub fn is_handled() -> bool {
    HANDLED.load(Ordering::Relaxed)
}

/// A prompt is on the terminal from now on.
pub fn shown() {
    set(State::Shown);
}

/// There is none any more.
pub fn gone() {
    set(State::Gone);
}

/// Whether the prompt is to make way.
pub fn is_wanted() -> bool {
    *state() == State::Wanted
}

/// Says that the prompt has made way, and waits until it may come back.
pub fn wait() {
    set(State::Away);
    let back = CHANGED.wait_while(state(), |state| *state == State::Away);
    drop(back);
}

/// Has a prompt give the terminal back, if there is one, before this process is suspended.
pub fn make_way() {
    let mut state = state();
    if *state != State::Shown {
        return;
    }
    *state = State::Wanted;
    let wanted = |state: &mut State| *state == State::Wanted;
    drop(CHANGED.wait_timeout_while(state, PATIENCE, wanted));
}

/// Has the prompt come back.
pub fn go_on() {
    let mut state = state();
    if *state == State::Away || *state == State::Wanted {
        *state = State::Shown;
        CHANGED.notify_all();
    }
}

/// What Ctrl-Z does where a terminal sends signals for keys: suspends whatever runs in its foreground,
/// this process with it.
#[cfg(unix)]
pub fn suspend_foreground() -> io::Result<()> {
    rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
    Ok(())
}

/// Windows has no job control.
#[cfg(not(unix))]
pub fn suspend_foreground() -> io::Result<()> {
    Ok(())
}

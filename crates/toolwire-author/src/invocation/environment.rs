//! The variables by which a host calls, and how they are kept from the tool's own children.

use std::ffi::{OsStr, OsString};
use std::path::Path;

const CALL: &str = "TOOLWIRE_CALL";
const RESULT: &str = "TOOLWIRE_RESULT";

/// What a host tells a program through its environment. Whoever has these values has taken them out of
/// it: a child is not called, and must not write into the channel.
///
/// ```
/// use toolwire_author::invocation::Variables;
///
/// let variables = Variables { call: Some("stdin".into()), result: Some("/tmp/answer".into()) };
/// assert!(variables.is_call());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variables {
    /// `TOOLWIRE_CALL`, if it was set.
    pub call: Option<OsString>,
    /// `TOOLWIRE_RESULT`, if it was set.
    pub result: Option<OsString>,
}

impl Variables {
    /// Takes the variables out of the environment of this process, so that no child gets them.
    ///
    /// Where that is not allowed, because there are threads already, it is told on stderr.
    #[must_use]
    pub fn take() -> Self {
        let variables = Variables {
            call: std::env::var_os(CALL),
            result: std::env::var_os(RESULT),
        };
        if (variables.call.is_some() || variables.result.is_some()) && !remove() {
            super::say(
                "toolwire: programs that this tool starts take themselves for called, because it has \
                 started a thread: call `Program::main` before that\n",
            );
        }
        variables
    }

    /// Whether a host has called (CALL-11, CALL-13).
    #[must_use]
    pub fn is_call(&self) -> bool {
        is_call(self.call.as_deref())
    }

    /// Whether a host has called that writes calls as lines, many to one process (LINE-1).
    #[must_use]
    pub fn is_lines(&self) -> bool {
        is_lines(self.call.as_deref())
    }
}

pub(super) fn is_call(call: Option<&OsStr>) -> bool {
    call.is_some_and(|how| how == "stdin")
}

pub(super) fn is_lines(call: Option<&OsStr>) -> bool {
    call.is_some_and(|how| how == toolwire::lines::VALUE)
}

/// Whether a host has called and the variables have not been taken yet.
pub(super) fn is_called() -> bool {
    let call = std::env::var_os(CALL);
    is_call(call.as_deref()) || is_lines(call.as_deref())
}

/// The file of the result channel (ENV-41).
pub(super) fn channel(result: Option<&OsStr>) -> Option<&Path> {
    result.filter(|path| !path.is_empty()).map(Path::new)
}

/// Removes the variables, if nobody can be looking at the environment meanwhile.
#[expect(unsafe_code, reason = "the standard library has no safe way to do it")]
fn remove() -> bool {
    if !is_alone() {
        return false;
    }
    for name in [CALL, RESULT] {
        // SAFETY: on Windows it is always sound. Elsewhere no other thread may look at the environment
        // at the same time. `is_alone` has seen that there is none, and none can begin but from this
        // thread; or that the system's library guards the environment by a lock.
        unsafe { std::env::remove_var(name) };
    }
    true
}

/// Whether this is the only thread of the process, as far as that matters for the environment.
fn is_alone() -> bool {
    // The functions of Windows, and those of Apple's library, take a lock.
    if cfg!(any(windows, target_vendor = "apple")) {
        return true;
    }
    // Where there is no such folder nothing is known.
    std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
}

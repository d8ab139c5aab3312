//! The process groups of the tools that run, for those who start processes themselves and for those who
//! keep a record of them.

use std::sync::OnceLock;

#[cfg(unix)]
use super::guardian::{self, Guarded};

type Observe = dyn Fn(u32, bool) + Send + Sync;

static OBSERVER: OnceLock<Box<Observe>> = OnceLock::new();

/// Calls this function with the id of each process group of a tool: with `true` as soon as it was started,
/// before the tool is given anything, and with `false` when nothing of it is left. It must not block for long.
///
/// There is one observer in a process, for good. Returns whether it is this one.
///
/// ```
/// assert!(toolwire_host::observe_groups(|id, begins| eprintln!("{id} {begins}")));
/// assert!(!toolwire_host::observe_groups(|_, _| {}));
/// ```
pub fn observe_groups(observe: impl Fn(u32, bool) + Send + Sync + 'static) -> bool {
    OBSERVER.set(Box::new(observe)).is_ok()
}

#[cfg(unix)]
pub(super) fn tell(id: u32, begins: bool) {
    if let Some(observe) = OBSERVER.get() {
        observe(id, begins);
    }
}

/// A process group that a transport of its own has started, such as one on a pseudo-terminal. As long as this
/// lives, the group is killed when this process is (PROC-29), and [`observe_groups`] tells of it. To end it
/// otherwise is for whoever has started it. On Windows it does nothing.
///
/// ```
/// let watching = toolwire_host::WatchedGroup::prepare();
/// # if cfg!(windows) { return; }
/// use std::os::unix::process::CommandExt as _;
/// let mut child = std::process::Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
/// let watched = watching.started(child.id());
/// child.kill().unwrap();
/// child.wait().unwrap();
/// drop(watched);
/// ```
#[derive(Debug)]
pub struct WatchedGroup {
    #[cfg(unix)]
    _guarded: Guarded,
}

/// What must be there before a group is started: else whoever kills this process between the two leaves it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Watching;

impl WatchedGroup {
    /// To be called before the group is started, on a tokio runtime.
    #[must_use]
    pub fn prepare() -> Watching {
        #[cfg(unix)]
        guardian::start();
        Watching
    }
}

impl Watching {
    /// To be called with the id of the group, which is that of its first process, as soon as it was started.
    #[must_use]
    pub fn started(self, id: u32) -> WatchedGroup {
        #[cfg(not(unix))]
        let _ = id;
        WatchedGroup {
            #[cfg(unix)]
            _guarded: Guarded::group(id),
        }
    }
}

//! The process groups of the tools that run, for a host that keeps a record of them.

use std::sync::OnceLock;

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

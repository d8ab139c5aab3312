//! File descriptors: the limit that a host raises for itself, and what is left of it.

/// Descriptors that handles leave to everything else: connections, calls, files.
const RESERVE: u64 = 128;

/// As many as a host asks for, if it may have them.
const WANTED: u64 = 65_536;

#[cfg(unix)]
mod unix {
    use std::sync::OnceLock;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    static BEFORE: OnceLock<Rlimit> = OnceLock::new();

    pub(super) fn raise() {
        let now = getrlimit(Resource::Nofile);
        let wanted = now
            .maximum
            .map_or(super::WANTED, |most| most.min(super::WANTED));
        if now.current.is_some_and(|current| current < wanted) {
            let raised = Rlimit {
                current: Some(wanted),
                ..now
            };
            if setrlimit(Resource::Nofile, raised).is_ok() {
                let _ = BEFORE.set(now);
            }
        }
    }

    /// A program that waits by `select` can't use more than it was given.
    pub(super) fn give_back(id: u32) {
        #[cfg(target_os = "linux")]
        if let Some(before) = BEFORE.get()
            && let Some(id) = i32::try_from(id)
                .ok()
                .and_then(rustix::process::Pid::from_raw)
        {
            // One that has ended needs none.
            let _ = rustix::process::prlimit(Some(id), Resource::Nofile, *before);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (id, &BEFORE);
    }

    pub(super) fn left() -> Option<u64> {
        let folder = if cfg!(target_os = "linux") {
            "/proc/self/fd"
        } else {
            "/dev/fd"
        };
        let open = std::fs::read_dir(folder).ok()?.count() as u64;
        Some(getrlimit(Resource::Nofile).current?.saturating_sub(open))
    }
}

/// Raises the soft limit of file descriptors of this process to the hard one, at most 65,536, for a host that serves
/// many. The programs that it starts get the limit that it had.
///
/// ```
/// toolwire_host::raise_descriptor_limit();
/// ```
pub fn raise_descriptor_limit() {
    #[cfg(unix)]
    unix::raise();
}

/// Gives a program that was just started the limit that this process had.
pub(crate) fn give_back(id: u32) {
    #[cfg(unix)]
    unix::give_back(id);
    #[cfg(not(unix))]
    let _ = id;
}

/// Whether so few are left that no further handle may take some, whoever asks for it.
pub(crate) fn are_scarce() -> bool {
    #[cfg(unix)]
    return unix::left().is_some_and(|left| left < RESERVE);
    #[cfg(not(unix))]
    false
}

//! Which process is which: an id alone may be another's tomorrow.

/// When a process was started, as a text that is only good to be compared; nothing if there is no such process.
#[cfg(target_os = "linux")]
pub(crate) fn started(id: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program stands in parentheses, and may hold some itself.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?;
    // One that has ended and was not waited for has nothing left to end.
    let time = fields.nth(18)?;
    (!matches!(state, "Z" | "X")).then(|| time.to_owned())
}

/// When a process was started, as `ps` says it.
#[cfg(all(unix, not(target_os = "linux")))]
pub(crate) fn started(id: u32) -> Option<String> {
    let asked = std::process::Command::new("/bin/ps")
        .args(["-o", "lstart=", "-p", &id.to_string()])
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    let time = String::from_utf8(asked.stdout).ok()?;
    let time = time.trim();
    (!time.is_empty()).then(|| time.to_owned())
}

/// Jobs end with the host there, so there is nothing to remember.
#[cfg(windows)]
pub(crate) fn started(_: u32) -> Option<String> {
    None
}

/// Which start of the machine this is, where times are counted from it.
pub(crate) fn boot() -> String {
    #[cfg(target_os = "linux")]
    if let Ok(id) = std::fs::read_to_string("/proc/sys/kernel/random/boot_id") {
        return id.trim().to_owned();
    }
    String::new()
}

/// Asks a process group to end.
pub(crate) fn terminate(group: u32) {
    #[cfg(unix)]
    unix::signal(group, rustix::process::Signal::TERM);
    #[cfg(not(unix))]
    let _ = group;
}

/// Ends a process group.
pub(crate) fn kill(group: u32) {
    #[cfg(unix)]
    unix::signal(group, rustix::process::Signal::KILL);
    #[cfg(not(unix))]
    let _ = group;
}

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, kill_process_group};

    pub fn signal(group: u32, signal: Signal) {
        let id = i32::try_from(group).ok().and_then(Pid::from_raw);
        // 1 would be everybody.
        if let Some(id) = id.filter(|_| group > 1) {
            let _ = kill_process_group(id, signal);
            // One that is stopped does not end.
            let _ = kill_process_group(id, Signal::CONT);
        }
    }
}

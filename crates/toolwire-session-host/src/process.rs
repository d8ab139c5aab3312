//! Which process is which: an id alone may be another's tomorrow.

/// A process, as the system tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) id: u32,
    pub(crate) group: u32,
    pub(crate) session: u32,
    /// When it was started, as a text that is only good to be compared, but see [`now`].
    pub(crate) started: String,
    /// Whether it has ended, and was not waited for.
    pub(crate) over: bool,
}

/// When a process was started, as a text that is only good to be compared; nothing if there is no such process.
#[cfg(target_os = "linux")]
pub(crate) fn started(id: u32) -> Option<String> {
    // One that has ended and was not waited for has nothing left to end.
    process(id)
        .filter(|process| !process.over)
        .map(|process| process.started)
}

/// A process by its id.
#[cfg(target_os = "linux")]
pub(crate) fn process(id: u32) -> Option<Process> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program stands in parentheses, and may hold some itself.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?;
    let mut number = |skipped| fields.nth(skipped)?.parse().ok();
    Some(Process {
        id,
        group: number(1)?,
        session: number(0)?,
        over: matches!(state, "Z" | "X"),
        started: fields.nth(15)?.to_owned(),
    })
}

/// All processes.
#[cfg(target_os = "linux")]
pub(crate) fn all() -> Vec<Process> {
    let files = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = files.filter_map(|file| file.file_name().to_str()?.parse().ok());
    ids.filter_map(process).collect()
}

/// The time now, as those are given at which processes were started: in hundredths of a second since the machine
/// was started.
#[cfg(target_os = "linux")]
pub(crate) fn now() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/uptime").ok()?;
    let (seconds, hundredths) = text.split_ascii_whitespace().next()?.split_once('.')?;
    Some(seconds.parse::<u64>().ok()? * 100 + hundredths.parse::<u64>().ok()?)
}

/// There, only first processes are known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn process(_: u32) -> Option<Process> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn all() -> Vec<Process> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn now() -> Option<u64> {
    None
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

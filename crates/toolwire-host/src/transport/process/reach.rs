//! Signals to all processes of a session: a shell with job control gives each of its jobs a group of its own.

use rustix::process::{Pid, Signal, kill_process_group};

/// How often processes are searched for that were started while others were killed.
const ROUNDS: usize = 8;

/// Sends a signal to each group of a session, whose number is that of its first process.
pub(super) fn signal_session(id: u32, signal: Signal) {
    let Some(first) = Pid::from_raw(id.cast_signed()) else {
        return;
    };
    // Groups that have ended need no signal.
    let _ = kill_process_group(first, signal);
    for _ in 0..ROUNDS {
        let groups = groups(id);
        for group in &groups {
            let _ = kill_process_group(*group, signal);
            // A stopped process would not notice it.
            let _ = kill_process_group(*group, Signal::CONT);
        }
        if signal != Signal::KILL || groups.is_empty() {
            break;
        }
    }
    let _ = kill_process_group(first, Signal::CONT);
}

/// The process groups of a session whose processes still run.
#[cfg(target_os = "linux")]
fn groups(session: u32) -> Vec<Pid> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let mut groups = Vec::new();
    for process in processes.flatten() {
        let name = process.file_name();
        let is_process = name
            .to_str()
            .is_some_and(|name| name.bytes().all(|b| b.is_ascii_digit()));
        if !is_process {
            continue;
        }
        let Ok(stat) = std::fs::read(process.path().join("stat")) else {
            continue;
        };
        if let Some(group) = group_in(&stat, session).filter(|group| !groups.contains(group)) {
            groups.push(group);
        }
    }
    groups
}

/// Other systems do not list them; there, the terminal that hangs up ends what is left.
#[cfg(not(target_os = "linux"))]
fn groups(_: u32) -> Vec<Pid> {
    Vec::new()
}

/// The group of a process of this session that has not ended. Its name, in parentheses, may hold anything.
#[cfg(target_os = "linux")]
fn group_in(stat: &[u8], session: u32) -> Option<Pid> {
    let end = stat.iter().rposition(|b| *b == b')')?;
    let rest = std::str::from_utf8(&stat[end + 1..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let (_, group, its) = (fields.next()?, fields.next()?, fields.next()?);
    if its.parse() != Ok(session) || state == "Z" || state == "X" {
        return None;
    }
    Pid::from_raw(group.parse().ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::Pid;

    use super::group_in;

    #[test]
    fn a_name_with_parentheses_hides_nothing() {
        let stat = b"12 (a) S 1 2 (b) S 1 77 99 0 -1";
        assert_eq!(group_in(stat, 99), Pid::from_raw(77));
        assert_eq!(group_in(stat, 98), None);
        assert_eq!(group_in(b"12 (a) Z 1 77 99 0", 99), None);
    }
}

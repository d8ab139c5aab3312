//! Signals to all processes of a session: a shell with job control gives each of its jobs a group of its own.

/// A signal that ends a program, the gentlest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The terminal is gone.
    HangUp,
    Terminate,
    Kill,
}

/// How a signal has ended a program, for a person.
pub(crate) fn ended_by(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT, as by ctrl-c",
        3 => "SIGQUIT",
        6 => "SIGABRT",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => return format!("it was ended by signal {signal}"),
    };
    format!("it was ended by {name}")
}

/// All that belongs to the session of a program. Dropped, it is killed.
#[derive(Debug)]
pub(crate) struct Whole {
    /// The number of the session, which is that of its first process.
    id: Option<u32>,
}

impl Whole {
    pub(crate) fn new(id: Option<u32>) -> Self {
        Whole { id }
    }

    pub(crate) fn end(&self, how: End) {
        #[cfg(unix)]
        if let Some(id) = self.id {
            unix::end(id, how);
        }
        #[cfg(not(unix))]
        let _ = (self.id, how);
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        self.end(End::Kill);
    }
}

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, kill_process_group};

    use super::End;

    /// So often it is looked for processes that were started while others were killed.
    const ROUNDS: usize = 8;

    pub(super) fn end(id: u32, how: End) {
        let signal = match how {
            End::HangUp => Signal::HUP,
            End::Terminate => Signal::TERM,
            End::Kill => Signal::KILL,
        };
        let Some(first) = Pid::from_raw(id.cast_signed()) else {
            return;
        };
        // Groups that have ended need no signal.
        let _ = kill_process_group(first, signal);
        for _ in 0..ROUNDS {
            let groups = groups(id);
            for group in &groups {
                let _ = kill_process_group(*group, signal);
                // Who is stopped would not learn of it.
                let _ = kill_process_group(*group, Signal::CONT);
            }
            if how != End::Kill || groups.is_empty() {
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

    /// Other systems do not tell; there, the terminal that hangs up ends what is left.
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
}

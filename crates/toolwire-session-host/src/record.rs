//! What a host runs, for whoever comes after one that was killed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::process::{self, Process};

/// How long what was left behind may take to end, before it is killed.
const GRACE: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(20);
/// How often it is killed what is left: what is killed may have started another just before.
const TRIES: u32 = 3;
/// In hundredths of a second, how often it is noted that the host is there.
const STAY: u64 = 500;

/// The process groups of a host, in a file that is replaced with each change.
#[derive(Debug)]
pub(crate) struct Record {
    path: PathBuf,
    written: Mutex<Written>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Written {
    /// The machine since its start: ids and times mean nothing in another.
    boot: String,
    /// When the first process of each group was started, by its id.
    groups: BTreeMap<u32, String>,
    /// In which session of the system a group is, where that is known.
    #[serde(default)]
    sessions: BTreeMap<u32, u32>,
    /// When the host was there for sure.
    #[serde(default)]
    seen: Option<u64>,
}

impl Record {
    /// A record without groups.
    pub(crate) fn new(path: PathBuf) -> Self {
        let written = Written {
            boot: process::boot(),
            ..Written::default()
        };
        Record {
            path,
            written: Mutex::new(written),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a group was started, or that nothing of it is left. A record that can't be written is less
    /// than a tool that runs, so there is no error.
    pub(crate) fn note(&self, group: u32, begins: bool) {
        let mut written = self.lock();
        let changed = match begins.then(|| process::started(group)).flatten() {
            Some(time) => {
                if let Some(first) = process::process(group) {
                    written.sessions.insert(group, first.session);
                }
                written.groups.insert(group, time).is_none()
            }
            None => {
                written.sessions.remove(&group);
                written.groups.remove(&group).is_some()
            }
        };
        if changed {
            self.write(&mut written);
        }
    }

    /// Notes every few seconds that the host is there, as long as there are groups.
    pub(crate) fn stay(&self) {
        let mut written = self.lock();
        let Some(now) = process::now() else { return };
        let is_old = written.seen.is_none_or(|seen| now >= seen + STAY);
        if is_old && !written.groups.is_empty() {
            self.write(&mut written);
        }
    }

    fn write(&self, written: &mut Written) {
        written.seen = process::now();
        let _ = write(&self.path, written);
    }

    /// Removes the file.
    pub(crate) fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// What a record is written into before it takes the place of the one before. There is one host, and whoever was
/// killed while it wrote has left the same name.
fn next_to(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

fn write(path: &Path, written: &Written) -> io::Result<()> {
    let next = next_to(path);
    let _ = std::fs::remove_file(&next);
    let mut file = File::create_new(&next)?;
    let text = serde_json::to_vec(written)?;
    file.write_all(&text)?;
    drop(file);
    std::fs::rename(&next, path)
}

/// Ends what a host that is no more has left behind, and removes its record. A process with the id of one of
/// them that was started at another time is a stranger, and is left alone.
pub(crate) async fn clean_up(path: &Path) {
    let _ = std::fs::remove_file(next_to(path));
    let Ok(text) = std::fs::read(path) else {
        return;
    };
    let written: Written = serde_json::from_slice(&text).unwrap_or_default();
    if written.boot == process::boot() {
        for group in left(&written) {
            process::terminate(group);
        }
        let until = tokio::time::Instant::now() + GRACE;
        while !left(&written).is_empty() && tokio::time::Instant::now() < until {
            tokio::time::sleep(LOOK).await;
        }
        for _ in 0..TRIES {
            for group in left(&written) {
                process::kill(group);
            }
        }
    }
    let _ = std::fs::remove_file(path);
}

/// The process groups that are a killed host's for sure and have not ended.
fn left(written: &Written) -> BTreeSet<u32> {
    let processes = process::all();
    let mut left = BTreeSet::new();
    for (group, time) in &written.groups {
        if process::started(*group).as_ref() == Some(time) {
            left.insert(*group);
        }
        let Some(session) = written.sessions.get(group) else {
            continue;
        };
        left.extend(orphans(*group, time, *session, written.seen, &processes));
    }
    left
}

/// The groups that are left of one whose first process may have ended.
///
/// The system gives nobody the id of a group or a session that has members. A process that is in the session of a
/// tool, and was started while the host was there, has been in it since, for one leaves a session only for a new
/// one with its own id. So the session is still the tool's, and all that are in it.
fn orphans(
    group: u32,
    time: &str,
    session: u32,
    seen: Option<u64>,
    processes: &[Process],
) -> BTreeSet<u32> {
    // Whoever has the id of the group and is another shows that it has ended.
    let is_other = |process: &Process| process.id == group && process.started != time;
    if processes.iter().any(is_other) {
        return BTreeSet::new();
    }
    // A session of its own, as on a terminal, goes with all of its groups.
    let is_member = |process: &&Process| {
        process.session == session && (process.group == group || session == group)
    };
    let members = processes.iter().filter(is_member);
    let is_known = |process: &Process| {
        let started = process.started.parse::<u64>();
        seen.is_some_and(|seen| started.is_ok_and(|started| started < seen))
    };
    if !members.clone().any(is_known) {
        return BTreeSet::new();
    }
    let alive = members.filter(|process| !process.over);
    alive.map(|process| process.group).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};

    use super::*;

    fn sleeper() -> std::process::Child {
        let mut command = Command::new("sleep");
        command.arg("600").process_group(0).spawn().unwrap()
    }

    #[tokio::test]
    async fn what_was_left_is_ended_and_a_stranger_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record");
        let (mut ours, mut reused) = (sleeper(), sleeper());
        let record = Record::new(path.clone());
        record.note(ours.id(), true);
        record.note(reused.id(), true);
        // As if the second had ended, and its id were another's now.
        let text = std::fs::read_to_string(&path).unwrap();
        let time = process::started(reused.id()).unwrap();
        let entry = format!("\"{}\":\"{time}\"", reused.id());
        assert!(text.contains(&entry), "{text}");
        let other = format!("\"{}\":\"1 {time}\"", reused.id());
        std::fs::write(&path, text.replace(&entry, &other)).unwrap();
        // It must be reaped, or it is still there.
        let waiting = std::thread::spawn(move || ours.wait().unwrap());
        clean_up(&path).await;
        assert!(!waiting.join().unwrap().success());
        assert!(reused.try_wait().unwrap().is_none());
        assert!(!path.exists());
        reused.kill().unwrap();
        reused.wait().unwrap();
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn what_outlives_the_first_process_of_its_group_is_ended() {
        for session in ["", "setsid "] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("record");
            let script = format!("{session}sh -c 'sleep 600 & echo $!; read -r line' <&0");
            let mut command = Command::new("sh");
            command.args(["-c", &format!("exec {script}")]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut first = command.process_group(0).spawn().unwrap();
            let mut line = String::new();
            let mut said = BufReader::new(first.stdout.take().unwrap());
            said.read_line(&mut line).unwrap();
            let orphan: u32 = line.trim().parse().unwrap();
            // `setsid` is the first process of its group, so that it starts another one.
            let group = process::process(orphan).unwrap().group;
            // Within the same hundredth of a second, it is not known which was first.
            std::thread::sleep(Duration::from_millis(50));
            let record = Record::new(path.clone());
            record.note(group, true);
            drop(first.stdin.take());
            first.wait().unwrap();
            crate::testing::until(|| process::started(group).is_none()).await;
            assert!(process::started(orphan).is_some());
            clean_up(&path).await;
            crate::testing::until(|| process::started(orphan).is_none()).await;
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_what_is_known_for_sure_is_ended() {
        let process = |id, group, session, started: u64| Process {
            id,
            group,
            session,
            started: started.to_string(),
            over: false,
        };
        let orphans_of = orphans;
        let orphans = |group, session, processes: &[Process]| {
            let found = orphans_of(group, "50", session, Some(100), processes);
            found.into_iter().collect::<Vec<_>>()
        };
        // In the session of the host, by its group; one that was started later with it.
        assert_eq!(
            orphans(7, 3, &[process(8, 7, 3, 60), process(9, 7, 3, 200)]),
            [7]
        );
        // Nothing that was started while the host was there.
        assert!(orphans(7, 3, &[process(9, 7, 3, 100)]).is_empty());
        // Another group, and another session.
        assert!(orphans(7, 3, &[process(9, 8, 3, 60)]).is_empty());
        assert!(orphans(7, 3, &[process(9, 7, 4, 60)]).is_empty());
        // The id is another's.
        assert!(orphans(7, 3, &[process(7, 7, 3, 200), process(8, 7, 3, 60)]).is_empty());
        // A session of its own: all of its groups, if one in it is known.
        let jobs = [
            process(8, 8, 7, 60),
            process(9, 9, 7, 200),
            process(10, 10, 3, 60),
        ];
        assert_eq!(orphans(7, 7, &jobs), [8, 9]);
        // One that has ended is a witness, and needs no end.
        let over = Process {
            over: true,
            ..process(8, 7, 3, 60)
        };
        assert!(orphans(7, 3, std::slice::from_ref(&over)).is_empty());
        assert_eq!(orphans(7, 3, &[over, process(9, 7, 3, 200)]), [7]);
        assert!(orphans_of(7, "50", 3, None, &[process(8, 7, 3, 60)]).is_empty());
    }

    #[test]
    fn what_was_left_while_it_was_written_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.record");
        std::fs::write(folder.path().join("a.record.new"), "{").unwrap();
        let mut ours = sleeper();
        let record = Record::new(path.clone());
        record.note(ours.id(), true);
        let names = || {
            let files = std::fs::read_dir(folder.path()).unwrap();
            let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            names.collect::<Vec<_>>()
        };
        assert_eq!(names(), ["a.record"]);
        std::fs::write(folder.path().join("a.record.new"), "{").unwrap();
        record.note(ours.id(), false);
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().unwrap();
        std::fs::write(folder.path().join("a.record.new"), "{").unwrap();
        runtime.block_on(clean_up(&path));
        assert!(names().is_empty(), "{:?}", names());
        ours.kill().unwrap();
        ours.wait().unwrap();
    }
}

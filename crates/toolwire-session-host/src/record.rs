//! What a host runs, for whoever comes after one that was killed (SHOST-30 to SHOST-32).

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::process;

/// How long what was left behind may take to end, before it is killed.
const GRACE: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(20);

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
}

impl Record {
    /// A record without groups.
    pub(crate) fn new(path: PathBuf) -> Self {
        let written = Written {
            boot: process::boot(),
            groups: BTreeMap::new(),
        };
        Record {
            path,
            written: Mutex::new(written),
        }
    }

    /// Notes that a group was started, or that nothing of it is left. A record that can't be written is less
    /// than a tool that runs, so there is no error.
    pub(crate) fn note(&self, group: u32, begins: bool) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = match begins.then(|| process::started(group)).flatten() {
            Some(time) => written.groups.insert(group, time).is_none(),
            None => written.groups.remove(&group).is_some(),
        };
        if changed {
            let _ = write(&self.path, &written);
        }
    }

    /// Removes the file.
    pub(crate) fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn write(path: &Path, written: &Written) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer(&mut file, written)?;
    file.flush()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Ends what a host that is no more has left behind, and removes its record. A process with the id of one of
/// them that was started at another time is a stranger, and is left alone.
pub(crate) async fn clean_up(path: &Path) {
    let Ok(text) = std::fs::read(path) else {
        return;
    };
    let written: Written = serde_json::from_slice(&text).unwrap_or_default();
    if written.boot == process::boot() {
        let ours = |(group, time): &(&u32, &String)| {
            process::started(**group).as_deref() == Some(time.as_str())
        };
        let left = || written.groups.iter().filter(ours).map(|(group, _)| *group);
        for group in left() {
            process::terminate(group);
        }
        let until = tokio::time::Instant::now() + GRACE;
        while left().next().is_some() && tokio::time::Instant::now() < until {
            tokio::time::sleep(LOOK).await;
        }
        for group in left() {
            process::kill(group);
        }
    }
    let _ = std::fs::remove_file(path);
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

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
}

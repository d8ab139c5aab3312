//! Whether the files of a program are still those with which a worker was started, and how much memory it has.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::transport::process::resolve;
use crate::{Command, HostError, ProcessOptions};

/// Maximum number of arguments that are checked for naming a file.
const WORDS: usize = 16;

/// The files of a program as they are now: its own and those that its arguments name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp(Vec<Option<Mark>>);

/// Identifies a file and its version.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mark {
    length: u64,
    changed: Option<SystemTime>,
    number: u64,
}

/// The files of a program.
///
/// # Errors
///
/// What keeps it from being started (PROC-4).
pub(super) fn files(
    command: &Command,
    options: &ProcessOptions,
) -> Result<Vec<PathBuf>, HostError> {
    let program = resolve(command, options)?;
    let folder = options.cwd.as_deref().unwrap_or(Path::new(""));
    let words = program.prefix.iter().chain(command.arguments());
    let words = words.take(WORDS).map(|word| folder.join(word));
    let named = words.filter(|path| path.is_file()).collect::<Vec<_>>();
    Ok([program.path].into_iter().chain(named).collect())
}

impl Stamp {
    pub(super) fn of(files: &[PathBuf]) -> Self {
        Stamp(files.iter().map(|path| mark(path)).collect())
    }
}

fn mark(path: &Path) -> Option<Mark> {
    let metadata = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    #[cfg(not(unix))]
    let number = 0;
    Some(Mark {
        length: metadata.len(),
        changed: metadata.modified().ok(),
        number,
    })
}

/// The resident memory of a process in bytes, if the system reports it.
pub(super) fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_has_another_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("tool.py");
        fs::write(&script, "print(1)").unwrap();
        let options = ProcessOptions {
            cwd: Some(folder.path().to_owned()),
            ..ProcessOptions::default()
        };
        let command = Command::new("sh").args(["tool.py", "-x", "no-file"]);
        let files = files(&command, &options).unwrap();
        assert_eq!(files.len(), 2, "{files:?}");
        let before = Stamp::of(&files);
        assert_eq!(before, Stamp::of(&files));
        fs::write(&script, "print(22)").unwrap();
        let after = Stamp::of(&files);
        assert_ne!(before, after);
        // Another file of the same length and time.
        let copy = folder.path().join("copy");
        fs::copy(&script, &copy).unwrap();
        let time = fs::metadata(&script).unwrap().modified().unwrap();
        fs::File::options()
            .write(true)
            .open(&copy)
            .unwrap()
            .set_modified(time)
            .unwrap();
        fs::rename(&copy, &script).unwrap();
        assert_ne!(after, Stamp::of(&files));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_memory_of_a_process_is_known() {
        let own = memory(std::process::id()).unwrap();
        assert!((100_000..100_000_000_000).contains(&own), "{own}");
        assert_eq!(memory(u32::MAX), None);
    }
}

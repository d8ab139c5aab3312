//! The server as a process, and what it holds.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than anything here takes, however busy the machine is.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// So much more memory than when it was warm may the server have at the end, whatever the number of calls. A leak
/// of 1 KiB a call is 8 MiB in the 8,000 calls after the warm-up of a full run.
const MORE_MEMORY: u64 = 6 * 1024 * 1024;

/// Number of further descriptors: those of the guardian of processes, which comes and goes.
const MORE_DESCRIPTORS: usize = 2;

pub struct Server {
    pub child: Child,
    /// Where it makes its temporary files.
    folder: tempfile::TempDir,
}

/// What a process holds.
#[derive(Debug)]
pub struct Holds {
    /// Its resident memory in bytes.
    memory: u64,
    descriptors: usize,
}

impl Server {
    /// Serves the tool, which is this program.
    pub fn start(args: &[&str]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let installed = std::env::var_os("TOOLWIRE_COMMAND").map(PathBuf::from);
        let toolwire = installed.unwrap_or_else(|| env!("CARGO_BIN_EXE_toolwire").into());
        let child = Command::new(toolwire)
            .arg("serve")
            .args(args)
            .arg(std::env::current_exe().unwrap())
            .env("TMPDIR", folder.path())
            .env_remove("TOOLWIRE_HTTP_TOKENS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Server { child, folder }
    }

    fn proc(&self, file: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{file}", self.child.id()))
    }

    fn temporary(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    /// What it holds now that no call is in flight.
    pub fn holds(&self) -> Holds {
        let begun = Instant::now();
        // The last tools may have answered before they were reaped.
        while !self.temporary().is_empty() {
            let left = self.temporary();
            assert!(begun.elapsed() < PATIENCE, "files are left: {left:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
        let status = fs::read_to_string(self.proc("status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        Holds {
            memory: kilobytes.unwrap().trim().parse::<u64>().unwrap() * 1024,
            descriptors: fs::read_dir(self.proc("fd")).unwrap().count(),
        }
    }

    /// Fails if it holds more than when it was warm, for longer than it takes to tidy up.
    pub fn is_flat_since(&self, what: &str, warm: &Holds) {
        let begun = Instant::now();
        let end = loop {
            let end = self.holds();
            let few = end.descriptors <= warm.descriptors + MORE_DESCRIPTORS;
            if few || begun.elapsed() > Duration::from_secs(10) {
                break end;
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        println!("soak: {what}: warm {warm:?}, at the end {end:?}");
        let descriptors = warm.descriptors + MORE_DESCRIPTORS;
        assert!(
            end.descriptors <= descriptors,
            "{what}: descriptors are left: {warm:?}, {end:?}"
        );
        assert!(
            end.memory <= warm.memory + MORE_MEMORY,
            "{what}: memory has grown: {warm:?}, {end:?}"
        );
    }

    /// Waits for the end, after its stdin or a signal has told it so.
    pub fn ends(mut self) {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(10));
        };
        assert!(
            matches!(status.code(), Some(0 | 143)),
            "the server ended with {status}"
        );
        assert_eq!(self.temporary(), Vec::<PathBuf>::new());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

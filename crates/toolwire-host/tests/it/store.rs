//! A writer that is killed leaves the old file or the new one, and nobody waits for it.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use toolwire_host::store;

const CHILD: &str = "TOOLWIRE_TEST_WRITES";

/// A text whose lines are all the same.
fn text(number: usize) -> String {
    format!("{number}\n").repeat(50_000)
}

/// The text of the file, which has to be one of those.
fn whole(path: &Path) -> String {
    let found = fs::read_to_string(path).expect("a file");
    let number = found.lines().next().and_then(|line| line.parse().ok());
    assert!(number.is_some_and(|number| found == text(number)));
    found
}

/// What the child does: it writes until it is killed.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else {
        return;
    };
    let path = Path::new(&path);
    for number in (0..10).cycle() {
        let _held = store::lock(path).unwrap();
        store::write(path, &text(number)).unwrap();
    }
}

fn writer(path: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let args = ["--exact", "store::child", "--nocapture"].map(OsString::from);
    command.args(args).env(CHILD, path).stdout(Stdio::null());
    command.spawn().unwrap()
}

#[test]
fn a_writer_that_is_killed_leaves_one_file_or_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    store::write(&path, &text(0)).unwrap();
    for _ in 0..8 {
        let mut child = writer(&path);
        let until = Instant::now() + Duration::from_secs(60);
        let (mut changes, mut last) = (0, whole(&path));
        while changes < 3 {
            assert!(Instant::now() < until, "nothing is written");
            let now = whole(&path);
            changes += usize::from(now != last);
            last = now;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        whole(&path);
        // It is held by nobody, or this would end with an error.
        drop(store::lock(&path).unwrap());
    }
}

//! A host that ends in the middle of a call, because its runtime does or because it is killed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{alive, eventually, misbehave, ran_alone, sh};
use toolwire_host::{EventObserver, ProcessOptions, block_on, run};

// Another runtime of the same process would look after the dead.
#[test]
fn a_runtime_that_ends_leaves_no_process_dead_or_alive() {
    if ran_alone(concat!(
        module_path!(),
        "::a_runtime_that_ends_leaves_no_process_dead_or_alive"
    )) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("id");
    let tool = sh("echo $$ > \"$1.new\"; mv \"$1.new\" \"$1\"; exec sleep 60")
        .arg("sh")
        .arg(&file);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.spawn(async move { run(&tool, &ProcessOptions::default()).await });
    runtime.block_on(async {
        while !file.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    let id = std::fs::read_to_string(&file).expect("the tool's number");
    let process = Path::new("/proc").join(id.trim());
    assert!(process.exists());
    drop(runtime);
    assert!(eventually(|| !process.exists()), "the tool is still there");
}

/// Where a tool writes what there is of it, in the process that is killed.
const FILE: &str = "SHUTDOWN_FILE";

/// This test again, as a host that runs a tool of several processes in a thread, until it is killed.
fn host(test: &str, file: &Path) -> Child {
    let this = std::env::current_exe().expect("this test");
    let mut host = Command::new(this);
    host.args(["--exact", &format!("shutdown::{test}")])
        .env(FILE, file);
    host.stdout(Stdio::null()).stderr(Stdio::null());
    host.spawn().expect("a host")
}

/// Runs a tool in a process that was started by [`host`]; false in the test itself.
fn runs_tool() -> bool {
    let Some(file) = std::env::var_os(FILE) else {
        return false;
    };
    // A tool before it, and beside it one that ends, so that not only one is told of.
    block_on(run(&misbehave("nothing"), &ProcessOptions::default())).expect("a tool");
    let line = "trap '' TERM HUP INT; sleep 60 & echo $$ $! > \"$1.new\"
        echo \"$TOOLWIRE_RESULT\n$TOOLWIRE_EVENTS\" >> \"$1.new\"; mv \"$1.new\" \"$1\"; wait";
    let tool = sh(line).arg("sh").arg(file);
    let options = ProcessOptions {
        on_event: Some(EventObserver::new(|_| {})),
        ..ProcessOptions::default()
    };
    let running = std::thread::spawn(move || block_on(run(&tool, &options)));
    block_on(run(&misbehave("nothing"), &ProcessOptions::default())).expect("a tool");
    let _ = running.join();
    true
}

/// The processes of the tool, and the files of its result channel and its events.
fn told(file: &Path) -> (Vec<u32>, [PathBuf; 2]) {
    assert!(eventually(|| file.exists()), "the tool does not run");
    let told = std::fs::read_to_string(file).expect("what the tool tells");
    let mut lines = told.lines();
    let mut line = || lines.next().expect("three lines");
    let ids = line().split(' ').map(|id| id.parse().expect("a number"));
    (ids.collect(), [line().into(), line().into()])
}

fn kill(signal: &str, id: u32) {
    let sent = Command::new("kill")
        .args([signal, &id.to_string()])
        .status();
    assert!(sent.expect("kill").success());
}

/// The processes that end tools, by what started them.
fn guardian_of(host: u32) -> Option<u32> {
    let tasks = format!("/proc/{host}/task");
    let ids: Vec<String> = std::fs::read_dir(tasks)
        .ok()?
        .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok())
        .collect();
    let ids = ids.join(" ");
    let is_guardian = |id: &&str| {
        let line = std::fs::read_to_string(format!("/proc/{id}/cmdline"));
        line.is_ok_and(|line| line.contains("toolwire-guardian"))
    };
    ids.split_whitespace().find(is_guardian)?.parse().ok()
}

#[test]
fn a_host_that_is_killed_leaves_no_tool_and_no_file() {
    if runs_tool() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for signal in ["-KILL", "-ABRT", "-QUIT", "-ALRM"] {
        let file = folder.path().join(signal);
        let mut host = host("a_host_that_is_killed_leaves_no_tool_and_no_file", &file);
        let (ids, files) = told(&file);
        let there = || files.iter().any(|file| file.exists());
        assert!(files.iter().all(|file| file.exists()) && ids.iter().all(|id| alive(*id)));
        let guardian = guardian_of(host.id()).expect("a guardian");
        kill(signal, host.id());
        host.wait().expect("the end of the host");
        for id in ids {
            assert!(eventually(|| !alive(id)), "{signal}: {id} still runs");
        }
        assert!(eventually(|| !there()), "{signal}: a file is left");
        assert!(eventually(|| !alive(guardian)), "{signal}: it waits on");
    }
}

/// One that was killed is replaced when there is something to tell.
#[test]
fn a_host_whose_guardian_was_killed_starts_another_one() {
    if runs_tool() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("told");
    let mut host = host("a_host_whose_guardian_was_killed_starts_another_one", &file);
    let (ids, _) = told(&file);
    let guardian = guardian_of(host.id()).expect("a guardian");
    kill("-KILL", guardian);
    assert!(eventually(|| !alive(guardian)));
    assert!(
        ids.iter().all(|id| alive(*id)),
        "the tool goes on without it"
    );
    kill("-KILL", ids[0]);
    kill("-KILL", ids[1]);
    assert!(host.wait().expect("the end of the host").success());
}

//! A host that shuts its runtime down in the middle of a call (PROC-24). In a process of its own,
//! since another runtime would look after the dead.

#![cfg(target_os = "linux")]

mod common;

use std::path::Path;
use std::time::Duration;

use common::{eventually, sh};
use toolwire_host::{ProcessOptions, run};

#[test]
fn a_runtime_that_ends_leaves_no_process_dead_or_alive() {
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

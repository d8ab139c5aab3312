//! PROC-4: with few file descriptors a tool that can't be run is an error that says so.

use std::process::{Command, Stdio};

use crate::common::{Dir, RENAME, Run, run_command};

fn run_with(descriptors: u32, words: &str) -> Run {
    let mut command = Command::new("sh");
    let script = format!("ulimit -n {descriptors} && exec \"$0\" {words}");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_toolwire")]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    run_command(command, b"")
}

#[test]
fn few_file_descriptors_are_a_clear_error() {
    let dir = Dir::new();
    let tool = dir.tool("tool", RENAME, "");
    let (mut failed, mut ran) = (0, 0);
    // With fewer than these the system can't even load the program.
    for descriptors in 6..=40 {
        let run = run_with(descriptors, &format!("run {tool} rename path=a"));
        assert!(!run.stderr.contains("panicked"), "{descriptors}: {run:?}");
        match run.code {
            0 => ran += 1,
            _ => {
                failed += 1;
                let told = run.stdout + &run.stderr;
                let clear = told.contains("open files") || told.contains("descriptor");
                assert!(clear, "{descriptors}: {told}");
            }
        }
    }
    assert!(failed > 0 && ran > 0, "{failed} failed, {ran} ran");
}

//! Programs on plain pipes.

use crate::common::{self, End, start};
use toolwire_host::{Command, ProcessOptions};
use toolwire_pty::PipeSession;

fn sh(script: &str) -> common::Session {
    shell("sh", script)
}

fn bash(script: &str) -> common::Session {
    shell("bash", script)
}

fn shell(program: &str, script: &str) -> common::Session {
    let command = Command::new(program).args(["-c", script]);
    start(PipeSession::new(command, ProcessOptions::default()))
}

#[tokio::test]
async fn both_outputs_are_told_and_told_apart() {
    let mut session = sh("echo out; sleep 0.2; echo err >&2; exit 4");
    assert_eq!(*session.ended().await, End::Exit(4));
    let blocks: Vec<&str> = session.blocks.iter().map(|block| block.as_str()).collect();
    assert_eq!(
        blocks,
        [
            r#"{"type":"text","text":"out\n"}"#,
            r#"{"type":"text","text":"err\n","_meta":{"dev.toolwire/stream":"stderr"}}"#
        ]
    );
}

#[tokio::test]
async fn input_is_written_as_it_is_and_ends() {
    let mut session = sh("read a; printf 'got %s' \"$a\"; cat; echo; echo done");
    session.input(r#""one\n""#);
    session.prints("got one").await;
    session.input(r#"{"text":" two\r\n three"}"#);
    session.prints(" two\r\n three").await;
    session.input(r#"{"key":"ctrl-d"}"#);
    assert_eq!(*session.ended().await, End::Exit(0));
    assert!(session.printed.ends_with("done\n"));
}

#[tokio::test]
async fn characters_are_whole_and_bytes_stay_bytes() {
    let mut session =
        sh("printf '\\346\\227'; sleep 0.3; printf '\\245\\n'; sleep 0.3; printf '\\377\\376'");
    assert_eq!(*session.ended().await, End::Exit(0));
    assert_eq!(session.printed, "日\n");
    let last = session.blocks.last().unwrap().as_str();
    assert_eq!(
        last,
        r#"{"type":"resource","resource":{"uri":"toolwire:stdout","mimeType":"application/octet-stream","blob":"//4="},"_meta":{"dev.toolwire/stream":"stdout"}}"#
    );
}

#[tokio::test]
async fn the_end_is_the_end_of_its_input_then_a_signal() {
    let mut session = sh("cat; echo over");
    session.input(r#"{"text":"a","enter":true}"#);
    session.prints("a\n").await;
    session.give_end();
    assert_eq!(*session.ended().await, End::Exit(0));
    assert!(session.printed.ends_with("over\n"));

    let mut session =
        sh("trap 'echo asked; exit 7' TERM; echo ready; while :; do sleep 0.05; done");
    session.prints("ready").await;
    session.give_end();
    assert_eq!(*session.ended().await, End::Exit(7));
}

#[tokio::test]
async fn input_that_cannot_be_written_is_said() {
    let mut session = sh("exec <&-; echo closed; while [ ! -e /nonexistent ]; do sleep 0.1; done");
    session.prints("closed").await;
    session.input(r#"{"text":"a","enter":true}"#);
    let says = |session: &common::Session| session.printed.contains("stdin is closed]");
    while !session.soon(says).await {
        session.input(r#"{"text":"b","enter":true}"#);
    }
    session.kill();
    session.ended().await;
}

#[tokio::test]
async fn what_waits_to_be_written_is_bounded() {
    let mut session = sh("echo ready; sleep 1000");
    session.prints("ready").await;
    let mebibyte = format!(r#""{}""#, "x".repeat(1024 * 1024));
    for _ in 0..6 {
        session.input(&mebibyte);
    }
    session
        .prints("does not read what was written before]")
        .await;
    session.kill();
    session.ended().await;
}

/// A program waits while nobody takes what it writes.
#[tokio::test]
async fn what_waits_to_be_taken_is_bounded() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("written");
    let script = format!("head -c 10000000 /dev/zero; : > '{}'", file.display());
    let mut session = sh(&script);
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    assert!(!file.exists());
    assert_eq!(*session.ended().await, End::Exit(0));
    assert!(file.exists());
}

/// A shell with job control gives each of its jobs a group of its own.
#[tokio::test]
async fn jobs_in_groups_of_their_own_end_with_the_program() {
    if !common::is_there("bash") {
        return;
    }
    let mut session = bash("set -m; sleep 1000 & echo \"job $!.\"; wait");
    session.prints(".").await;
    let job = session.printed.trim_start_matches("job ");
    let process = format!("/proc/{}/stat", &job[..job.find('.').unwrap()]);
    let runs = || std::fs::read_to_string(&process).is_ok_and(|stat| !stat.contains(") Z "));
    assert!(runs());
    session.kill();
    session.ended().await;
    let begun = std::time::Instant::now();
    while runs() {
        assert!(begun.elapsed() < common::PATIENCE, "the job runs on");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

/// A stopped process would not notice a signal.
#[tokio::test]
async fn a_job_that_is_stopped_is_asked_to_end_too() {
    if !common::is_there("bash") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("asked");
    let script = format!(
        "set -m; (trap ': > \"{}\"; exit' TERM; while :; do sleep 0.05; done) & sleep 0.5
        trap '' TERM; kill -STOP -$!; echo stopped; while :; do sleep 0.05; done",
        file.display()
    );
    let mut session = bash(&script);
    session.prints("stopped").await;
    session.give_end();
    session.ended().await;
    assert!(file.exists());
}

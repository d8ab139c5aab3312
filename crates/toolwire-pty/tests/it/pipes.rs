//! Programs on plain pipes.

use crate::common::{self, End, start};
use toolwire_host::{Command, ProcessOptions};
use toolwire_pty::PipeSession;

fn sh(script: &str) -> common::Session {
    let command = Command::new("sh").args(["-c", script]);
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

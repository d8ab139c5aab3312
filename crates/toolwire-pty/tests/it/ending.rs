//! How a program ends, and that nothing is left of it.

use std::path::Path;
use std::time::Duration;

use crate::common::{self, End, is_there, left, nothing_left, options, pty, start};
use toolwire_host::Command;
use toolwire_pty::PtySession;

fn marked(folder: &Path, script: &str, mark: &str) -> common::Session {
    let mut options = options(folder);
    options.process.environment = options.process.environment.clone().with("MARK", mark);
    start(PtySession::new(
        Command::new("bash").args(["--norc", "-i", "-c", script]),
        options,
    ))
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn jobs_in_groups_of_their_own_end_too() {
    if !is_there("bash") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mark = format!("pty-jobs-{}", std::process::id());
    let script = "set -m; nohup sleep 611 >/dev/null 2>&1 & trap '' HUP TERM; echo ready; while :; do sleep 612; done";
    for way in 0..3 {
        let mut session = marked(folder.path(), script, &mark);
        session.prints("ready").await;
        // The job may not have started yet.
        for _ in 0..600 {
            if left(&mark).len() >= 2 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(left(&mark).len() >= 2, "{:?}", left(&mark));
        match way {
            0 => {
                session.give_end();
                assert_eq!(
                    *session.ended().await,
                    End::Crash("it was ended by SIGKILL".to_owned())
                );
            }
            1 => {
                session.kill();
                session.ended().await;
            }
            _ => session.driver.abort(),
        }
        nothing_left(&mark).await;
    }
}

#[tokio::test]
async fn a_program_that_is_told_to_end_hears_that_its_terminal_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let script = "trap 'echo bye; exit 5' HUP; echo ready; while :; do sleep 0.05; done";
    let mut session = pty(folder.path(), "sh", &["-c", script]);
    session.prints("ready").await;
    session.give_end();
    assert_eq!(*session.ended().await, End::Exit(5));
    assert!(session.printed.ends_with("bye\n"), "{}", session.printed);
    assert!(session.screen().attach().is_none());
    assert!(session.text().contains("the program has ended"));
}

#[tokio::test]
async fn a_program_that_is_not_there_is_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = pty(folder.path(), "no-such-program-at-all", &[]);
    match session.ended().await {
        End::Crash(message) => assert!(message.contains("no-such-program-at-all"), "{message}"),
        end => panic!("{end:?}"),
    }
    let mut options = options(folder.path());
    options.columns = 1;
    let mut session = start(PtySession::new(Command::new("true"), options));
    assert!(matches!(session.ended().await, End::Crash(_)));
}

/// All that was printed before the end is there, though nobody listened.
#[tokio::test]
async fn what_was_printed_last_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..20 {
        let mut session = pty(folder.path(), "sh", &["-c", "seq 1 2000; printf end"]);
        session.ended().await;
        let expected: String = (1..=2000).map(|n| format!("{n}\n")).collect();
        assert!(
            session.printed == format!("{expected}end"),
            "{}",
            session.printed
        );
    }
}

/// A program whose sequences have the terminal do much leaves others their turn. All run in one thread.
#[tokio::test]
async fn sequences_that_cost_much_hold_up_nobody() {
    let folder = tempfile::tempdir().unwrap();
    for sequence in ["x\\033[65535b", "\\033c", "\\033[2J"] {
        let mut options = options(folder.path());
        (options.columns, options.rows) = (500, 500);
        let script = format!("while :; do printf '{}'; done", sequence.repeat(1000));
        let command = Command::new("sh").args(["-c", &script]);
        let mut busy = start(PtySession::new(command, options));
        busy.until_any().await;
        let hearing = tokio::spawn(async move {
            loop {
                busy.until_any().await;
                busy.printed.clear();
                busy.blocks.clear();
            }
        });
        let mut other = pty(folder.path(), "sh", &["-c", "read -r line; echo got $line"]);
        other.input(r#"{"text":"it","enter":true}"#);
        other.prints("got it").await;
        assert!(!hearing.is_finished());
        // With it goes the session, and the program with that.
        hearing.abort();
    }
}

//! How a program ends, that nothing is left of it, and what a flood costs.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::time::Duration;

use common::{End, is_there, left, nothing_left, options, pty, resident, start};
use toolwire_host::{Command, ProcessOptions};
use toolwire_pty::{PipeSession, PtySession};

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
        assert!(left(&mark).len() >= 2);
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

/// What is printed is told on as it comes, and held nowhere.
#[tokio::test]
async fn a_flood_costs_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        "yes 'a line of sixty-four bytes, as a program prints that has a lot to say' | head -c 8M";
    let before = resident();
    let mut session = pty(folder.path(), "sh", &["-c", script]);
    let mut bytes = 0;
    while session.end.is_none() {
        session.until_any().await;
        bytes += session.printed.len();
        session.printed.clear();
        session.blocks.clear();
    }
    assert_eq!(session.end, Some(End::Exit(0)));
    assert!(bytes >= 8 * 1024 * 1024 - 1, "{bytes}");
    let grown = resident().saturating_sub(before);
    assert!(grown < 32 * 1024, "{grown} kB");
}

/// A string without an end is held nowhere, and what follows its end is told (TERM-26).
#[tokio::test]
async fn a_string_without_end_costs_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    for (begin, end) in [("\\033]0;", "\\007"), ("\\033P", "\\033\\\\")] {
        let script =
            format!("printf '{begin}'; head -c 64M /dev/zero | tr '\\0' x; printf '{end}after'");
        let before = resident();
        let mut session = pty(folder.path(), "sh", &["-c", &script]);
        let mut most = 0;
        while session.end.is_none() {
            session.until_any().await;
            most = most.max(resident());
        }
        assert_eq!(session.end, Some(End::Exit(0)));
        assert_eq!(session.printed, "after");
        let grown = most.saturating_sub(before);
        assert!(grown < 32 * 1024, "{grown} kB");
    }
}

/// A program whose sequences have the terminal do much leaves others their turn (TERM-27). All run in one thread.
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

/// A host that does not listen has the program wait, and can end it all the same.
#[tokio::test]
async fn a_flood_that_nobody_hears_waits() {
    let folder = tempfile::tempdir().unwrap();
    let before = resident();
    for transport in [true, false] {
        let command = Command::new("yes");
        let mut session = match transport {
            true => start(PtySession::new(command, options(folder.path()))),
            false => start(PipeSession::new(command, ProcessOptions::default())),
        };
        tokio::time::sleep(Duration::from_millis(500)).await;
        let grown = resident().saturating_sub(before);
        assert!(grown < 32 * 1024, "{grown} kB");
        session.kill();
        session.ended().await;
    }
}

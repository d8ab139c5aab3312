//! What a flood costs. Each test has the process to itself: what another allocates would count too.

use std::time::Duration;

use crate::common::{End, options, pty, ran_alone, resident, start};
use toolwire_host::{Command, ProcessOptions};
use toolwire_pty::{PipeSession, PtySession};

/// What is printed is told on as it comes, and held nowhere.
#[tokio::test]
async fn a_flood_costs_no_memory() {
    if ran_alone(concat!(module_path!(), "::a_flood_costs_no_memory")) {
        return;
    }
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

/// A string without an end is held nowhere, and what follows its end is told.
#[tokio::test]
async fn a_string_without_end_costs_no_memory() {
    if ran_alone(concat!(
        module_path!(),
        "::a_string_without_end_costs_no_memory"
    )) {
        return;
    }
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

/// A host that does not listen has the program wait, and can end it all the same.
#[tokio::test]
async fn a_flood_that_nobody_hears_waits() {
    if ran_alone(concat!(module_path!(), "::a_flood_that_nobody_hears_waits")) {
        return;
    }
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

//! Many terminals, and what is left of them; in a process of its own, because it counts what the process has.

use std::time::Duration;

use crate::common::{self, nothing_left, options, ran_alone, resident, start};
use toolwire_host::Command;
use toolwire_pty::PtySession;

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, |all| all.count())
}

/// Many at once, and many one after the other: nothing of them is left.
#[tokio::test]
async fn two_hundred_terminals_leave_nothing() {
    if ran_alone(concat!(
        module_path!(),
        "::two_hundred_terminals_leave_nothing"
    )) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mark = format!("pty-many-{}", std::process::id());
    let mut options = options(folder.path());
    options.process.environment = options.process.environment.clone().with("MARK", &mark);
    let one = || start(PtySession::new(Command::new("cat"), options.clone()));
    // What is made once for all is there.
    let mut first = one();
    first.input(r#"{"text":"hello","enter":true}"#);
    first.prints("hello\nhello\n").await;
    first.kill();
    first.ended().await;
    drop(first);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (files, memory) = (descriptors(), resident());
    for _ in 0..2 {
        let mut sessions: Vec<common::Session> = (0..200).map(|_| one()).collect();
        for session in &mut sessions {
            session.input(r#"{"text":"hello","enter":true}"#);
            session.prints("hello\nhello\n").await;
        }
        for (number, session) in sessions.iter_mut().enumerate() {
            match number % 3 {
                0 => session.give_end(),
                1 => session.kill(),
                _ => session.driver.abort(),
            }
        }
        for (_, session) in sessions
            .iter_mut()
            .enumerate()
            .filter(|(number, _)| number % 3 != 2)
        {
            session.ended().await;
        }
    }
    nothing_left(&mark).await;
    let mut tries = 0;
    // The shell that guards tools goes a moment after the last of them.
    while descriptors() > files + 2 {
        tries += 1;
        assert!(tries < 600, "{} descriptors, {files} before", descriptors());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let grown = resident().saturating_sub(memory);
    assert!(grown < 128 * 1024, "{grown} kB");
}

//! Many terminals one after the other, and much that nobody fetches, leave nothing behind (HOST-60). One
//! process for all, so one test: what others open would be counted too. `cargo xtask soak` does a hundred times as
//! much.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{PATIENCE, left, nothing_left, options, ran_alone, resident};
use toolwire::Json;
use toolwire::call::{AnswerSource, Call, ToolDescription};
use toolwire::session::SessionState;
use toolwire_host::manifest::SessionKind;
use toolwire_host::{
    Command, FetchOptions, SessionTool, Sessions, SessionsOptions, SpawnOptions, WaitFor,
};
use toolwire_pty::PtySession;

fn by_soak(name: &str, usual: usize) -> usize {
    let set = std::env::var(name).ok();
    set.and_then(|number| number.parse().ok()).unwrap_or(usual)
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, |all| all.count())
}

async fn spawn(sessions: &Sessions, tool: &str) {
    let call = Call::new(tool, Json::empty_object());
    let options = SpawnOptions {
        reply: FetchOptions {
            wait: Some(Duration::ZERO),
            ..FetchOptions::default()
        },
        ..SpawnOptions::default()
    };
    let by = AnswerSource::Policy;
    let spawned = sessions.spawn("a", tool, call, by, &options).await;
    assert_eq!(spawned.expect("there is such a tool").refusal, None);
}

async fn cycle(sessions: &Sessions) {
    spawn(sessions, "cat").await;
    let by = AnswerSource::Policy;
    let aborted = sessions.abort("a", by, &FetchOptions::default()).await;
    assert_eq!(aborted.state, SessionState::Stopped, "{}", aborted.envelope);
}

#[tokio::test]
async fn nothing_is_left_of_terminals() {
    if ran_alone(concat!(module_path!(), "::nothing_is_left_of_terminals")) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mark = format!("pty-leaks-{}", std::process::id());
    let mut options = options(folder.path());
    options.process.environment = options.process.environment.clone().with("MARK", &mark);
    let bytes = by_soak("TOOLWIRE_SOAK_BYTES", 10_000_000);
    let line = "x".repeat(79);
    let flood = format!("yes {line} | head -c {bytes}");
    let sessions = Sessions::new(SessionsOptions {
        quiet: Duration::from_millis(5),
        ..SessionsOptions::default()
    });
    for (name, script) in [("cat", "exec cat"), ("flood", &flood)] {
        let command = Command::new("sh").args(["-c", script]);
        let session = PtySession::new(command, options.clone());
        let schema = Json::new(r#"{"type":"object"}"#).expect("JSON");
        let mut description = ToolDescription::new(name, schema);
        SessionKind::Pty.describe(&mut description);
        sessions.add(SessionTool::new(description, Arc::new(session)));
    }
    // What is made once and kept is not a leak.
    for _ in 0..30 {
        cycle(&sessions).await;
    }
    let (files, memory) = (descriptors(), resident());
    let cycles = by_soak("TOOLWIRE_SOAK_SPAWNS", 100);
    for _ in 0..cycles {
        cycle(&sessions).await;
    }
    nothing_left(&mark).await;
    let grown = resident().saturating_sub(memory);
    println!(
        "{cycles} terminals: {} processes, {} descriptors ({files} before) and {grown} kB more",
        left(&mark).len(),
        descriptors()
    );
    assert!(
        descriptors() <= files,
        "{} files, {files} before",
        descriptors()
    );
    assert!(grown < 8_000, "{cycles} terminals take {grown} kB");

    let memory = resident();
    spawn(&sessions, "flood").await;
    let mut most = 0;
    loop {
        let wait = Duration::from_millis(100);
        let states = sessions.wait(&["a"], WaitFor::Any, wait).await;
        most = most.max(resident());
        if states[0].1 == SessionState::Stopped {
            break;
        }
    }
    let grown = most.saturating_sub(memory);
    println!("{bytes} bytes in a terminal that nobody fetches: {grown} kB at most");
    assert!(grown < 32_000, "{bytes} bytes take {grown} kB");
    let by = AnswerSource::User;
    let fetched = sessions.fetch("a", by, &FetchOptions::default()).await;
    assert!(
        fetched.envelope.contains("were dropped"),
        "something is missing"
    );
    tokio::time::timeout(PATIENCE, sessions.close())
        .await
        .expect("an end");
    nothing_left(&mark).await;
}

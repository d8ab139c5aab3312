//! Many handles, and much that nobody fetches, leave nothing behind (HOST-60). One process for all, so one
//! test: what others open would be counted too. `cargo xtask soak` does ten times as much.

use std::time::Duration;

use crate::common::shell::tool;
use crate::common::{self, ran_alone};
use toolwire::Json;
use toolwire::call::{AnswerSource, Call};
use toolwire::session::SessionState;
use toolwire_host::{FetchOptions, SessionRules, Sessions, SessionsOptions, SpawnOptions, WaitFor};

fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("the state of this process");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok());
    kilobytes.expect("the memory in use") * 1024
}

fn open_files() -> usize {
    let files = std::fs::read_dir("/proc/self/fd").expect("the open files");
    files.count()
}

fn by_soak(name: &str, usual: usize) -> usize {
    let set = std::env::var(name).ok();
    set.and_then(|number| number.parse().ok()).unwrap_or(usual)
}

fn at_once() -> SpawnOptions {
    SpawnOptions {
        reply: FetchOptions {
            wait: Some(Duration::ZERO),
            ..FetchOptions::default()
        },
        ..SpawnOptions::default()
    }
}

async fn spawn(sessions: &Sessions, id: &str, tool: &str) {
    let call = Call::new(tool, Json::new("{}").expect("JSON"));
    let by = AnswerSource::Policy;
    let spawned = sessions.spawn(id, tool, call, by, &at_once()).await;
    let spawned = spawned.expect("there is such a tool");
    assert_eq!(spawned.refusal, None);
}

async fn abort(sessions: &Sessions, id: &str) {
    let aborted = sessions
        .abort(id, AnswerSource::Policy, &FetchOptions::default())
        .await;
    assert_eq!(aborted.state, SessionState::Stopped, "{}", aborted.envelope);
}

#[test]
fn nothing_is_left_behind() {
    if ran_alone(concat!(module_path!(), "::nothing_is_left_behind")) {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let options = SessionsOptions {
            max_memory: 1_000_000_000,
            quiet: Duration::from_millis(5),
            ..SessionsOptions::default()
        };
        let sessions = Sessions::new(options.clone());
        let mut cat = tool("cat", "spawn fetch apply abort", "exec cat");
        cat.rules = Some(SessionRules {
            grace: Duration::from_secs(20),
            ..SessionRules::default()
        });
        sessions.add(cat);
        // What is made once and kept is not a leak.
        for _ in 0..50 {
            spawn(&sessions, "a", "cat").await;
            abort(&sessions, "a").await;
        }
        let (files_before, memory_before) = (open_files(), memory());

        let cycles = by_soak("TOOLWIRE_SOAK_SPAWNS", 1000);
        for _ in 0..cycles {
            spawn(&sessions, "a", "cat").await;
            abort(&sessions, "a").await;
        }
        assert_eq!(common::children(), 0, "processes are left");
        assert_eq!(open_files(), files_before, "files are left");
        let grown = memory().saturating_sub(memory_before);
        assert!(grown < 4_000_000, "{cycles} handles take {grown} bytes");

        // 200 at once, all of which answer.
        let ids: Vec<String> = (0..200).map(|number| format!("cat-{number}")).collect();
        for id in &ids {
            spawn(&sessions, id, "cat").await;
        }
        // A handle is there before its process is.
        while common::children() < 200 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let hello = toolwire::session::Applied::Input(Json::from("hello"));
        for id in &ids {
            let reply = FetchOptions {
                wait: Some(Duration::from_secs(50)),
                ..FetchOptions::default()
            };
            let by = AnswerSource::User;
            let applied = sessions.apply(id, hello.clone(), None, by, &reply).await;
            assert!(applied.envelope.contains("hello"), "{}", applied.envelope);
        }
        sessions.close().await;
        assert_eq!(common::children(), 0, "processes are left");
        assert_eq!(open_files(), files_before, "files are left");
        drop(sessions);

        // Much that nobody fetches costs its buffer.
        let sessions = Sessions::new(options);
        let bytes = by_soak("TOOLWIRE_SOAK_BYTES", 100_000_000);
        let line = 8000;
        sessions.add(tool(
            "print",
            "spawn fetch",
            &format!("yes {} | head -n {}", "x".repeat(line), bytes / line),
        ));
        let memory_before = memory();
        spawn(&sessions, "flood", "print").await;
        let mut most = 0;
        loop {
            let states = sessions
                .wait(&["flood"], WaitFor::Any, Duration::from_millis(100))
                .await;
            most = most.max(memory());
            if states[0].1 == SessionState::Stopped {
                break;
            }
        }
        let grown = most.saturating_sub(memory_before);
        // The JSON text of its blocks is a mebibyte.
        assert!(grown < 16_000_000, "{bytes} bytes take {grown}");
        let fetched = sessions
            .fetch("flood", AnswerSource::User, &FetchOptions::default())
            .await;
        assert!(
            fetched.envelope.contains("were dropped"),
            "something is missing"
        );
        assert!(fetched.envelope.len() < 3_000_000);

        // Dropped, it kills what runs.
        for number in 0..20 {
            spawn(&sessions, &format!("{number}"), "print").await;
        }
        drop(sessions);
        for _ in 0..500 {
            if common::children() == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(common::children(), 0, "processes are left");
        assert_eq!(open_files(), files_before, "files are left");
    });
}

//! Tools that keep running, under handles (chapter 24).

#![cfg(unix)]

mod common;
#[path = "common/shell.rs"]
mod shell;

use std::time::Duration;

use serde_json::Value;
use shell::tool;
use toolwire::Json;
use toolwire::session::SessionState;
use toolwire_host::{Sessions, SessionsOptions};

const ALL: &str = "spawn fetch apply abort";

fn patient() -> SessionsOptions {
    SessionsOptions {
        first_wait: Duration::from_secs(20),
        quiet: Duration::from_millis(300),
        ..SessionsOptions::default()
    }
}

async fn handle(sessions: &Sessions, tool: &str, arguments: &str) -> Value {
    let arguments = Json::new(arguments).expect("JSON");
    let envelope = sessions.handle(tool, &arguments).await;
    serde_json::from_str(&envelope).expect("an envelope")
}

fn text(envelope: &Value) -> String {
    let content = envelope["content"].as_array().expect("content");
    let texts = content.iter().filter_map(|block| block["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_model_drives_a_program() {
    let sessions = Sessions::new(patient());
    sessions.add(tool(
        "cat",
        ALL,
        "echo ready; while read line; do echo \"got $line\"; done; echo bye",
    ));
    let spawned = handle(&sessions, "cat", r#"{"action":"spawn","id":"a"}"#).await;
    assert_eq!(text(&spawned), "ready");
    assert_eq!(spawned["_meta"]["computer.jp/status"], "running");
    let applied = handle(
        &sessions,
        "cat",
        r#"{"action":"apply","id":"a","input":"one"}"#,
    )
    .await;
    assert_eq!(text(&applied), "got one");
    let fetched = handle(&sessions, "cat", r#"{"action":"fetch","id":"a"}"#).await;
    assert_eq!(text(&fetched), "running, nothing new");
    let aborted = handle(&sessions, "cat", r#"{"action":"abort","id":"a"}"#).await;
    assert_eq!(text(&aborted), "bye\nstopped: aborted");
    assert_eq!(sessions.list()[0].state, SessionState::Stopped);
}

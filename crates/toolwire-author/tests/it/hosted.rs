//! Programs of this library as the library of hosts runs them: sessions under handles, and workers that stay.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use toolwire::Json;
use toolwire::call::Call;
use toolwire_author::toolwire;
use toolwire_host::{
    CallOptions, Command, LineSession, LineWorkers, Nobody, Process, ProcessOptions, SessionTool,
    Sessions, SessionsOptions, WorkerOptions, call, list_tools,
};

fn command() -> Command {
    let mut path: PathBuf = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples");
    path.push(format!("staying{}", std::env::consts::EXE_SUFFIX));
    Command::new(path)
}

/// A host that waits as long as it takes for what a tool says.
async fn host() -> Sessions {
    let sessions = Sessions::new(SessionsOptions {
        first_wait: Duration::from_secs(50),
        quiet: Duration::from_millis(300),
        ..SessionsOptions::default()
    });
    let process = Process::new(command(), ProcessOptions::default());
    let listed = list_tools(&process).await.unwrap();
    for tool in listed.tools.expect("it describes its tools") {
        if !tool.actions.is_empty() {
            let transport = LineSession::new(command(), ProcessOptions::default());
            sessions.add(SessionTool::new(tool, Arc::new(transport)));
        }
    }
    sessions
}

/// What a model gets for its call: the texts, the question that is open, and the state.
async fn model(sessions: &Sessions, tool: &str, arguments: &str) -> (String, Value, String) {
    let arguments = Json::new(arguments).unwrap();
    let envelope: Value = serde_json::from_str(&sessions.handle(tool, &arguments).await).unwrap();
    let content = envelope["content"].as_array().unwrap();
    let texts: Vec<&str> = content
        .iter()
        .filter_map(|block| block["text"].as_str())
        .collect();
    let question = content.iter().find(|block| block["type"] == "question");
    let question = question.map_or(Value::Null, |block| block["question"]["id"].clone());
    let status = envelope["_meta"]["computer.jp/status"]
        .as_str()
        .unwrap_or_default();
    (texts.join("\n"), question, status.to_owned())
}

#[tokio::test]
async fn a_model_drives_a_session() {
    let sessions = host().await;
    let begun = model(&sessions, "echo", r#"{"action":"spawn","id":"a"}"#).await;
    assert_eq!(
        begun,
        ("say something".into(), Value::Null, "running".into())
    );
    let said = r#"{"action":"apply","id":"a","input":"hello"}"#;
    let applied = model(&sessions, "echo", said).await;
    assert!(applied.0.contains("you said hello"), "{applied:?}");
    let ended = model(&sessions, "echo", r#"{"action":"abort","id":"a"}"#).await;
    assert!(
        ended.0.starts_with("cleaned up\nended: aborted"),
        "{ended:?}"
    );
    assert_eq!(ended.2, "stopped");
    sessions.close().await;
}

#[tokio::test]
async fn a_session_gets_its_answers_where_it_stands() {
    let sessions = host().await;
    let begun = model(&sessions, "asks", r#"{"action":"spawn","id":"a"}"#).await;
    assert_eq!((begun.1, begun.2), ("restart".into(), "waiting".into()));
    let said = r#"{"action":"apply","id":"a","input":true}"#;
    let mut next = model(&sessions, "asks", said).await;
    for _ in 0..50 {
        if next.1 == "name" {
            break;
        }
        let fetch = r#"{"action":"fetch","id":"a","wait":1}"#;
        next = model(&sessions, "asks", fetch).await;
    }
    // That one is for a person.
    let refused = model(
        &sessions,
        "asks",
        r#"{"action":"apply","id":"a","input":"ada"}"#,
    )
    .await;
    assert!(refused.0.contains("person"), "{refused:?}");
    // Whoever waits for an answer is told of the end.
    sessions.close().await;
}

#[tokio::test]
async fn warm_calls_share_a_process() {
    let workers = LineWorkers::new(WorkerOptions::default());
    let tool = workers.process(Process::new(command(), ProcessOptions::default()));
    let says = async |how: &str| {
        let document = Call::new("tells", Json::new(format!(r#"{{"how":"{how}"}}"#)).unwrap());
        let outcome = call(&tool, document, &CallOptions::default(), &mut Nobody)
            .await
            .unwrap();
        let text = outcome
            .parsed
            .block(0)
            .and_then(|block| block.text().map(|text| text.to_string()));
        text.unwrap_or_default()
    };
    assert_eq!(says("process").await, says("process").await);
    assert_eq!(says("panic").await, "the tool panicked: no luck today");
    assert!(
        says("sure").await.contains("no way to ask"),
        "it is asked, and nobody answers"
    );
    let process = says("process").await;
    assert_eq!(workers.processes(), 1);
    // One that exits loses its own call, and the next one has another process.
    assert!(!says("exit").await.is_empty());
    assert_ne!(says("process").await, process);
    workers.close().await;
}

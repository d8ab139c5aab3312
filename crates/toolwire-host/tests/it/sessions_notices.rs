//! What the observer of a host is told while nobody fetches.

use std::sync::{Arc, Mutex};

use toolwire::Json;
use toolwire::call::{AnswerSource, ToolDescription};
use toolwire_host::{
    Command, FetchOptions, LineSession, ProcessOptions, SessionNotice, SessionObserver,
    SessionTool, Sessions, SessionsOptions, SpawnOptions,
};

const SCRIPT: &str = r#"
    read -r hello
    echo '{"type":"hello","toolwire":1,"version":1}'
    read -r call
    echo '{"type":"event","call":1,"event":{"type":"progress","done":3,"total":12}}'
    echo '{"type":"event","call":1,"event":{"type":"log","level":"info","message":"ready"}}'
    printf 'to stderr' >&2
    echo '{"type":"output","call":1,"blocks":[{"type":"text","text":"it runs"}]}'
    read -r end
"#;

#[tokio::test]
async fn an_observer_is_told_states_progress_messages_and_stderr() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let telling = Arc::clone(&told);
    let observer = SessionObserver::new(move |id, notice| {
        let what = match notice {
            SessionNotice::State(state) => format!("{id} is {state}"),
            SessionNotice::Progress(progress) => format!("{id} has done {}", progress.done),
            SessionNotice::Message(message) => format!("{id} says {}", message.text),
            SessionNotice::Stderr(piece) => format!("{id} wrote {}", piece.escape_ascii()),
            other => format!("{other:?}"),
        };
        telling.lock().unwrap().push(what);
    });
    let sessions = Sessions::new(SessionsOptions {
        observer: Some(observer),
        ..SessionsOptions::default()
    });
    let demo = ToolDescription::new("demo", Json::empty_object());
    let program = LineSession::new(
        Command::new("sh").args(["-c", SCRIPT]),
        ProcessOptions::default(),
    );
    sessions.add(SessionTool::new(demo, Arc::new(program)));
    let call = sessions.call_of("demo", Json::empty_object()).unwrap();
    let by = AnswerSource::Policy;
    let until = SpawnOptions {
        reply: FetchOptions {
            until: Some("it runs".to_owned()),
            wait: Some(std::time::Duration::from_secs(60)),
            ..FetchOptions::default()
        },
        ..SpawnOptions::default()
    };
    sessions.spawn("a", "demo", call, by, &until).await.unwrap();
    sessions.close().await;

    let told = told.lock().unwrap();
    assert_eq!(told[0], "a is running", "{told:?}");
    for line in ["a has done 3", "a says ready", "a wrote to stderr"] {
        assert_eq!(
            told.iter().filter(|one| *one == line).count(),
            1,
            "{told:?}"
        );
    }
    assert_eq!(told.last().unwrap(), "a is stopped", "{told:?}");
}

//! What a reader of a handle waits for, and how much it gets at once (HOST-16, HOST-17).

use std::time::Duration;

use crate::common::shell::tool;
use serde_json::Value;
use toolwire::Json;
use toolwire::call::{AnswerSource, Call};
use toolwire::session::Applied;
use toolwire_host::{FetchOptions, Sessions, SessionsOptions, SpawnOptions, WaitFor};

const ALL: &str = "spawn fetch apply abort";
const ECHO: &str = "echo ready; while read line; do echo \"got $line\"; done";

fn sessions(script: &str, options: SessionsOptions) -> Sessions {
    let sessions = Sessions::new(SessionsOptions {
        first_wait: Duration::from_secs(50),
        quiet: Duration::from_millis(300),
        ..options
    });
    sessions.add(tool("cat", ALL, script));
    sessions
}

fn until(text: &str, wait: Duration) -> FetchOptions {
    FetchOptions {
        wait: Some(wait),
        until: Some(text.to_owned()),
        ..FetchOptions::default()
    }
}

async fn handle(sessions: &Sessions, arguments: &str) -> Value {
    let arguments = Json::new(arguments).expect("JSON");
    let envelope = sessions.handle("cat", &arguments).await;
    serde_json::from_str(&envelope).expect("an envelope")
}

fn read(fetched: &toolwire_host::Fetched) -> Value {
    serde_json::from_str(&fetched.envelope).expect("an envelope")
}

fn texts(envelope: &Value) -> Vec<&str> {
    let content = envelope["content"].as_array().expect("content");
    let texts = content.iter().filter_map(|block| block["text"].as_str());
    texts.collect()
}

fn about<'a>(envelope: &'a Value, member: &str) -> &'a Value {
    &envelope["_meta"]["dev.toolwire/session"][member]
}

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(100);

#[tokio::test]
async fn a_text_counts_only_if_it_is_new() {
    let sessions = sessions(ECHO, SessionsOptions::default());
    let by = AnswerSource::User;
    let spawn = SpawnOptions {
        reply: until("ready", LONG),
        ..SpawnOptions::default()
    };
    let call = Call::new("cat", Json::empty_object());
    let spawned = sessions.spawn("a", "cat", call, by, &spawn).await;
    let spawned = read(&spawned.expect("a tool"));
    assert_eq!(about(&spawned, "found"), true, "{spawned}");
    // An answer has told it, so it is not new.
    let fetched = read(&sessions.fetch("a", by, &until("ready", SHORT)).await);
    assert_eq!(about(&fetched, "found"), false, "{fetched}");
    assert_eq!(
        texts(&fetched),
        ["running, nothing new", "the text of `until` has not come"]
    );
    let one = Applied::Input(Json::from("one"));
    let applied = sessions
        .apply("a", one, None, by, &until("got one", LONG))
        .await;
    assert_eq!(about(&read(&applied), "found"), true);
    // What was said before the input is no answer to it.
    let without = FetchOptions::default();
    let two = Applied::Input(Json::from("two"));
    let applied = sessions
        .apply("a", two, None, by, &until("got one", SHORT))
        .await;
    assert_eq!(about(&read(&applied), "found"), false, "{applied:?}");
    // Nothing was waited for, so nothing is said of it.
    let fetched = read(&sessions.fetch("a", by, &without).await);
    assert!(about(&fetched, "found").is_null(), "{fetched}");
    sessions.close().await;
}

#[tokio::test]
async fn a_reader_that_waits_hears_what_another_one_was_given() {
    let sessions = sessions(ECHO, SessionsOptions::default());
    let by = AnswerSource::User;
    handle(&sessions, r#"{"action":"spawn","id":"a"}"#).await;
    let text = until("got one", LONG);
    let (waited, _) = tokio::join!(sessions.fetch("a", by, &text), async {
        let one = Applied::Input(Json::from("one"));
        sessions.apply("a", one, None, by, &text).await
    });
    assert_eq!(about(&read(&waited), "found"), true, "{waited:?}");
    sessions.close().await;
}

#[tokio::test]
async fn a_model_that_acknowledges_is_told_the_number() {
    let sessions = sessions(ECHO, SessionsOptions::default());
    let spawned = handle(&sessions, r#"{"action":"spawn","id":"a"}"#).await;
    assert_eq!(texts(&spawned), ["ready"]);
    let apply = r#"{"action":"apply","id":"a","input":"one"}"#;
    assert_eq!(texts(&handle(&sessions, apply).await), ["got one"]);
    let first = handle(&sessions, r#"{"action":"fetch","id":"a","after":0}"#).await;
    assert_eq!(texts(&first), ["ready", "got one", "last block 2"]);
    handle(&sessions, apply).await;
    let again = handle(&sessions, r#"{"action":"fetch","id":"a","after":2}"#).await;
    assert_eq!(texts(&again), ["got one", "last block 3"]);
    sessions.close().await;
}

#[tokio::test]
async fn an_answer_is_bounded_and_the_rest_is_fetched_next() {
    let script = "for n in 1 2 3 4 5; do echo \"line $n\"; done; while read line; do :; done";
    let options = SessionsOptions {
        max_reply: 70,
        ..SessionsOptions::default()
    };
    let sessions = sessions(script, options);
    let by = AnswerSource::User;
    // Each block is 31 bytes of JSON.
    let first = handle(&sessions, r#"{"action":"spawn","id":"a"}"#).await;
    assert_eq!(texts(&first)[..2], ["line 1", "line 2"], "{first}");
    assert_eq!(
        texts(&first)[2],
        "3 more blocks are left, 93 bytes: fetch again"
    );
    assert_eq!(about(&first, "last"), 2);
    // What is left is new.
    let exactly = FetchOptions {
        max_bytes: Some(62),
        ..until("line 4", LONG)
    };
    let next = read(&sessions.fetch("a", by, &exactly).await);
    assert_eq!(texts(&next)[..2], ["line 3", "line 4"], "{next}");
    assert_eq!(about(&next, "found"), true);
    let tiny = FetchOptions {
        max_bytes: Some(1),
        ..FetchOptions::default()
    };
    let last = read(&sessions.fetch("a", by, &tiny).await);
    assert_eq!(texts(&last), ["line 5"], "{last}");
    assert!(about(&last, "left").is_null());
    sessions.close().await;
}

#[tokio::test]
async fn an_id_is_free_when_all_that_was_left_is_fetched() {
    let script = "for n in 1 2 3; do echo \"line $n\"; done; exit 3";
    let options = SessionsOptions {
        max_reply: 70,
        ..SessionsOptions::default()
    };
    let sessions = sessions(script, options);
    handle(&sessions, r#"{"action":"spawn","id":"a"}"#).await;
    let waited = sessions.wait(&["a"], WaitFor::All, LONG).await;
    assert_eq!(waited[0].1.as_str(), "stopped");
    let refused = handle(&sessions, r#"{"action":"spawn","id":"a"}"#).await;
    assert_eq!(about(&refused, "refusal")["code"], "handle_exists");
    let last = handle(&sessions, r#"{"action":"fetch","id":"a"}"#).await;
    assert_eq!(texts(&last), ["line 3", "stopped: exit status 3"]);
    let again = handle(&sessions, r#"{"action":"spawn","id":"a"}"#).await;
    assert_eq!(texts(&again)[0], "line 1", "{again}");
    sessions.close().await;
}

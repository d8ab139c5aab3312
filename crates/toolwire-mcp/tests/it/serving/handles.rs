//! Tools that keep running, called with actions by clients that know nothing of sessions.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use toolwire::Json;
use toolwire::call::{AnswerSource, Call, ToolDescription};
use toolwire_host::handles::{Handles, How, LocalHandles, Spawn};
use toolwire_host::{Command, ProcessOptions, SessionsOptions};
use toolwire_mcp::server::{HandleOptions, HandlesLink, ServeOptions, Server};

use super::client::{Client, NEW, OLD, Place, text};

fn options(place: &Place, handles: Option<HandleOptions>) -> ServeOptions {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/serving/stays.py");
    ServeOptions {
        handles,
        ..place.options(vec![Command::new(file)])
    }
}

/// A server for one client, whose ids are its own.
fn own(place: &Place) -> Server {
    let handles = HandleOptions {
        shared: false,
        idle: None,
        ..HandleOptions::default()
    };
    Server::start(options(place, Some(handles)))
}

async fn act(client: &mut Client, arguments: Value) -> Value {
    client.call("echo_on", arguments).await
}

fn status(answer: &Value) -> &str {
    let status = answer["result"]["_meta"]["computer.jp/status"].as_str();
    status.unwrap_or_else(|| panic!("{answer}"))
}

#[tokio::test]
async fn a_tool_is_spawned_fed_asked_and_ended_by_its_actions() {
    let place = Place::new();
    let server = own(&place);
    for revision in [OLD[0], OLD[1], NEW] {
        let mut client = Client::speak(&server, revision, json!({})).await;
        let listed = client.request("tools/list", json!({})).await;
        let tool = &listed["result"]["tools"][0];
        let words = json!(["spawn", "fetch", "apply", "abort"]);
        assert_eq!(
            tool["inputSchema"]["properties"]["action"]["enum"], words,
            "{tool}"
        );
        assert_eq!(tool["inputSchema"]["required"], json!(["action", "id"]));
        let about = tool["description"].as_str().unwrap();
        assert!(about.contains("10 minutes after it has stopped"), "{about}");

        let id = revision;
        let begun = act(
            &mut client,
            json!({ "action": "spawn", "id": id, "greeting": "hi" }),
        )
        .await;
        assert_eq!((text(&begun), status(&begun)), ("echo_on: hi", "running"));
        let fed = act(
            &mut client,
            json!({ "action": "apply", "id": id, "input": {"a": 1.10} }),
        )
        .await;
        assert_eq!(text(&fed), r#"got {"a": 1.1}"#);
        let asks = act(
            &mut client,
            json!({ "action": "apply", "id": id, "input": "ask" }),
        )
        .await;
        assert_eq!(status(&asks), "waiting");
        let said = text(&asks);
        assert!(
            said.contains("its question `sure`: Sure?") && said.contains(r#"{"type":"boolean"}"#),
            "{said}"
        );
        let answer = json!({ "state": "accepted", "value": true });
        let answered = act(
            &mut client,
            json!({ "action": "apply", "id": id, "answer": answer }),
        )
        .await;
        assert!(
            text(&answered).contains(r#""source": "assistant""#),
            "{answered}"
        );
        let ended = act(&mut client, json!({ "action": "abort", "id": id })).await;
        assert_eq!(status(&ended), "stopped");
        let misfit = json!({ "action": "spawn", "id": "x", "greeting": 7 });
        let refused = act(&mut client, misfit).await;
        assert_eq!(refused["result"]["isError"], true);
        assert!(text(&refused).contains("`echo_on`"), "{refused}");
        let refused = act(&mut client, json!({ "action": "fetch", "id": "other" })).await;
        assert_eq!(refused["result"]["isError"], true);
        assert!(
            text(&refused).contains("there is no handle `other`"),
            "{refused}"
        );
        client.leave().await.unwrap();
    }
    server.shutdown().await;
}

#[tokio::test]
async fn where_a_server_is_shared_a_handle_is_unguessable_and_one_principals() {
    let place = Place::new();
    let server = Server::start(options(&place, Some(HandleOptions::default())));
    let mut ada = Client::of(&server, "ada", json!({}));
    let listed = ada.request("tools/list", json!({})).await;
    let about = listed["result"]["tools"][0]["description"]
        .as_str()
        .unwrap();
    assert!(
        about.contains("is only a label") && about.contains("happens for 1 hour"),
        "{about}"
    );

    let begun = act(
        &mut ada,
        json!({ "action": "spawn", "id": "build", "greeting": "hi" }),
    )
    .await;
    let handle = text(&begun).split('`').nth(3).unwrap().to_owned();
    assert!(handle.len() >= 32, "192 bits: {begun}");
    let fetched = act(&mut ada, json!({ "action": "fetch", "id": handle })).await;
    assert_eq!(status(&fetched), "running");
    let by_label = act(&mut ada, json!({ "action": "fetch", "id": "build" })).await;
    assert_eq!(by_label["result"]["isError"], true, "{by_label}");

    let mut bob = Client::of(&server, "bob", json!({}));
    for action in ["fetch", "abort"] {
        let foreign = act(&mut bob, json!({ "action": action, "id": handle })).await;
        let said = text(&foreign);
        assert!(said.contains("there is no handle"), "{said}");
        let guessed = act(&mut bob, json!({ "action": action, "id": "guess" })).await;
        let said = text(&guessed);
        assert!(said.contains("there is no handle `guess`"), "{said}");
        assert!(
            !said.contains(&handle),
            "names the handle of another: {said}"
        );
    }
    let fetched = act(&mut ada, json!({ "action": "fetch", "id": handle })).await;
    assert_eq!(status(&fetched), "running", "nobody else has ended it");
    server.shutdown().await;
    let late = act(&mut ada, json!({ "action": "fetch", "id": handle })).await;
    assert_eq!(
        status(&late),
        "stopped",
        "a server that ends, ends its handles"
    );
}

#[tokio::test]
async fn what_is_for_a_person_goes_to_the_clients_user() {
    let place = Place::new();
    let server = own(&place);
    for revision in [OLD[1], NEW] {
        let mut client = Client::speak(&server, revision, json!({ "elicitation": {} })).await;
        let id = revision;
        act(
            &mut client,
            json!({ "action": "spawn", "id": id, "greeting": "hi" }),
        )
        .await;
        let ask = json!({ "action": "apply", "id": id, "input": "ask a person" });
        let asks = act(&mut client, ask).await;
        assert_eq!(status(&asks), "waiting");
        let words = "Only a person may answer that, not you: a `fetch` asks them.";
        assert!(text(&asks).contains(words), "{asks}");
        assert!(!text(&asks).contains("boolean"), "{asks}");
        // A model does not answer it.
        let answer = json!({ "state": "accepted", "value": true });
        let refused = act(
            &mut client,
            json!({ "action": "apply", "id": id, "answer": answer }),
        )
        .await;
        assert_eq!(refused["result"]["isError"], true, "{refused}");

        let fetch = json!({ "action": "fetch", "id": id });
        let accepted = json!({ "action": "accept", "content": { "answer": true } });
        let wrong = json!({ "action": "accept", "content": { "answer": "1234" } });
        let again = "The last answer does not fit";
        let answered = if revision == NEW {
            let asked = act(&mut client, fetch.clone()).await;
            assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
            let with = |answer: &Value, asked: &Value| {
                json!({
                    "name": "echo_on", "arguments": fetch, "inputResponses": { "sure": answer },
                    "requestState": asked["result"]["requestState"],
                })
            };
            let asked = client.request("tools/call", with(&wrong, &asked)).await;
            let message = &asked["result"]["inputRequests"]["sure"]["params"]["message"];
            assert!(message.as_str().unwrap().contains(again), "{asked}");
            client.request("tools/call", with(&accepted, &asked)).await
        } else {
            client.responses = vec![wrong, accepted];
            let answered = act(&mut client, fetch).await;
            let message = &client.requested[1]["params"]["message"];
            assert!(message.as_str().unwrap().contains(again), "{message}");
            answered
        };
        assert!(
            text(&answered).contains(r#""source": "user""#),
            "{answered}"
        );

        // Who can't be asked leaves it open.
        let mut mute = Client::speak(&server, revision, json!({})).await;
        let ask = json!({ "action": "apply", "id": id, "input": "ask a person" });
        let asks = act(&mut mute, ask).await;
        let words = "Only a person may answer that, not you: this client can't ask one.";
        assert!(text(&asks).contains(words), "{asks}");
        let open = act(&mut mute, json!({ "action": "fetch", "id": id })).await;
        assert_eq!(status(&open), "waiting");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_server_without_handles_leaves_such_tools_out() {
    let place = Place::new();
    let server = Server::start(options(&place, None));
    let why = server.ready().await;
    let reported = place.reported.lock().unwrap().join("\n");
    assert!(
        reported.contains("`echo_on` is not served: it keeps running"),
        "{reported} {why:?}"
    );
}

/// A server of one client whose handles are kept elsewhere, by somebody who runs only if they were started.
fn linked(place: &Place, kept: &Arc<LocalHandles>, started: &Arc<AtomicUsize>) -> Server {
    let (kept, started) = (Arc::clone(kept), Arc::clone(started));
    let reach = move |start: bool| {
        let before = started.fetch_add(usize::from(start), Ordering::SeqCst);
        let runs = start || before > 0;
        let kept = runs.then(|| Arc::clone(&kept) as Arc<dyn Handles>);
        async move { Ok(kept) }
    };
    let handles = HandleOptions {
        shared: false,
        link: Some(HandlesLink::new(reach, |id| Some(format!("attach {id}")))),
        ..HandleOptions::default()
    };
    Server::start(options(place, Some(handles)))
}

#[tokio::test]
async fn the_next_server_finds_what_is_kept_elsewhere() {
    let place = Place::new();
    let kept = Arc::new(LocalHandles::new(SessionsOptions::default(), None));
    let started = Arc::new(AtomicUsize::new(0));
    let spawn = json!({ "action": "spawn", "id": "a", "greeting": "hi" });
    let fetch = json!({ "action": "fetch", "id": "a" });
    let first = linked(&place, &kept, &started);
    let mut client = Client::speak(&first, NEW, json!({ "elicitation": {} })).await;
    // Nobody is started for what is not there, nor for what can't be spawned.
    let unknown = act(&mut client, fetch.clone()).await;
    assert!(
        text(&unknown).contains("there is no handle `a`"),
        "{unknown}"
    );
    let misfit = json!({ "action": "spawn", "id": "a", "greeting": 7 });
    act(&mut client, misfit).await;
    assert_eq!(started.load(Ordering::SeqCst), 0);
    assert_eq!(status(&act(&mut client, spawn).await), "running");
    client.leave().await.unwrap();
    first.shutdown().await;

    let second = linked(&place, &kept, &started);
    let mut client = Client::speak(&second, NEW, json!({ "elicitation": {} })).await;
    assert_eq!(status(&act(&mut client, fetch.clone()).await), "running");
    // What a model may answer is not put to the client's user.
    let ask = json!({ "action": "apply", "id": "a", "input": "ask" });
    act(&mut client, ask).await;
    let asks = act(&mut client, fetch).await;
    assert_eq!(status(&asks), "waiting", "{asks}");
    // A handle of another tool is not this one's.
    let (call, tool) = (
        Call::new("other", Json::empty_object()),
        ToolDescription::new("other", Json::new(r#"{"type":"object"}"#).unwrap()),
    );
    let sleep = Command::new("sleep").arg("600");
    let (by, process) = (AnswerSource::User, ProcessOptions::default());
    let other = Spawn::new("b", by, How::Plain, &tool, &call, &sleep, &process).unwrap();
    kept.spawn(other).await.unwrap();
    for action in ["fetch", "abort"] {
        let refused = act(&mut client, json!({ "action": action, "id": "b" })).await;
        let said = text(&refused);
        assert!(
            said.contains("`b` is a handle of the tool `other`"),
            "{said}"
        );
    }
    assert_eq!(
        kept.list(&["b"]).await.unwrap()[0].state.as_str(),
        "running"
    );
    kept.close().await;
}

#[tokio::test]
async fn the_limits_of_handles_are_those_of_the_options() {
    let place = Place::new();
    let link = HandlesLink::new(
        |_| async { panic!("a server that is shared keeps its own") },
        |_| None,
    );
    let handles = HandleOptions {
        max_handles: 1,
        link: Some(link),
        ..HandleOptions::default()
    };
    let server = Server::start(options(&place, Some(handles)));
    let mut client = Client::of(&server, "ada", json!({}));
    let spawn = json!({ "action": "spawn", "id": "build", "greeting": "hi" });
    let begun = act(&mut client, spawn.clone()).await;
    let handle = text(&begun).split('`').nth(3).unwrap().to_owned();
    let refused = act(&mut client, spawn.clone()).await;
    let said = text(&refused);
    assert!(
        said.contains("no more can be") && !said.contains(&handle),
        "{said}"
    );
    server.shutdown().await;

    let short = Some(Duration::from_millis(300));
    for (idle, session_time, reason) in [(short, None, "idle"), (None, short, "timed_out")] {
        let times = HandleOptions {
            idle,
            session_time,
            keep: Duration::from_millis(200),
            ..HandleOptions::default()
        };
        let server = Server::start(options(&place, Some(times)));
        let mut client = Client::of(&server, "ada", json!({}));
        let begun = act(&mut client, spawn.clone()).await;
        let handle = text(&begun).split('`').nth(3).unwrap().to_owned();
        let fetch = json!({ "action": "fetch", "id": handle, "wait": 50, "until": "never" });
        let ended = act(&mut client, fetch.clone()).await;
        let end = &ended["result"]["_meta"]["dev.toolwire/session"]["end"];
        assert_eq!(end["reason"], reason, "{ended}");
        let forgotten = async {
            while !text(&act(&mut client, fetch.clone()).await).contains("there is no handle") {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let patience = Duration::from_secs(60);
        tokio::time::timeout(patience, forgotten).await.unwrap();
        server.shutdown().await;
    }
}

//! Tools that keep running, called with actions by clients that know nothing of sessions.

use std::path::Path;

use serde_json::{Value, json};
use toolwire_host::Command;
use toolwire_mcp::server::{HandleOptions, ServeOptions, Server};

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

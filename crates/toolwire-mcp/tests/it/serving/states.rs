//! Sealed states: what is refused, and what another server may take.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwire_mcp::server::{Refusal, ServeOptions, Server, StateKeys};

use super::client::{Client, NEW, Place, kit, text};

fn refused(answer: &Value, code: Refusal) {
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_eq!(answer["error"]["data"]["code"], code.as_str());
}

async fn send(client: &mut Client, tool: &str, arguments: &str, state: &str) -> Value {
    let accept = |value: Value| json!({ "action": "accept", "content": { "answer": value } });
    let responses = json!({ "ok": accept(true.into()), "times": accept(1.into()) });
    let capabilities = &client.capabilities;
    let id = format!("retry {tool} {arguments}");
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":"{}","method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"inputResponses":{responses},"requestState":"{state}","_meta":{{"io.modelcontextprotocol/protocolVersion":"{NEW}","io.modelcontextprotocol/clientCapabilities":{capabilities}}}}}}}"#,
        id.replace('"', "'"),
    );
    client.line(&line).await;
    serde_json::from_str(&client.next_line().await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_state_is_good_for_its_own_call_alone() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    let mut client = Client::speak(&server, NEW, json!({ "elicitation": {} })).await;
    // One more than a double can tell from its neighbour.
    let arguments = r#"{"n":9007199254740993,"list":[1.0]}"#;
    let first = send(&mut client, "ask", arguments, "").await;
    refused(&first, Refusal::BadRequestState);
    assert_eq!(place.runs(), 0, "nothing runs for a state that is refused");

    let line = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"ask","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"{NEW}","io.modelcontextprotocol/clientCapabilities":{{"elicitation":{{}}}}}}}}}}"#
    );
    client.line(&line).await;
    let first: Value = serde_json::from_str(&client.next_line().await.unwrap()).unwrap();
    let state = first["result"]["requestState"]
        .as_str()
        .unwrap_or_else(|| panic!("{first}"));

    for (tool, arguments) in [
        ("ask", r#"{"n":9007199254740992,"list":[1.0]}"#),
        ("ask", r#"{"n":9007199254740993,"list":[1.0],"x":1}"#),
        ("ask", "{}"),
        ("echo", r#"{"n":9007199254740993,"list":[1.0]}"#),
    ] {
        let answer = send(&mut client, tool, arguments, state).await;
        refused(&answer, Refusal::RequestStateMismatch);
    }
    let middle = state.len() / 2;
    let other = if &state[middle..=middle] == "A" {
        "B"
    } else {
        "A"
    };
    let forged = format!("{}{other}{}", &state[..middle], &state[middle + 1..]);
    for ill in [
        &forged,
        &state[..middle],
        &state[..state.len() - 1],
        "AAAA",
        "%%%%",
    ] {
        let answer = send(&mut client, "ask", arguments, ill).await;
        refused(&answer, Refusal::BadRequestState);
    }
    assert_eq!(place.runs(), 1);
    // White space and the order of members make no other call.
    let same = r#"{ "list": [1.0], "n": 9007199254740993 }"#;
    let answer = send(&mut client, "ask", same, state).await;
    assert!(text(&answer).contains(r#""ok": true"#), "{answer}");
    assert_eq!(place.runs(), 2);
}

#[tokio::test]
async fn a_state_expires_and_belongs_to_a_principal() {
    let place = Place::new();
    let keys = StateKeys::parse(&"07".repeat(32)).unwrap();
    let options = |lifetime| ServeOptions {
        keys: keys.clone(),
        state_lifetime: Duration::from_secs(lifetime),
        ..place.options(vec![kit()])
    };
    let server = Server::start(options(0));
    let mut client = Client::speak(&server, NEW, json!({ "elicitation": {} })).await;
    let first = client.call("ask", json!({})).await;
    let state = first["result"]["requestState"].as_str().unwrap().to_owned();
    tokio::time::sleep(Duration::from_millis(2100)).await;
    refused(
        &send(&mut client, "ask", "{}", &state).await,
        Refusal::RequestStateExpired,
    );

    // Another server with the same key takes what is not too old, and one with another key nothing.
    let server = Server::start(options(600));
    let mut client = Client::speak(&server, NEW, json!({ "elicitation": {} })).await;
    let first = client.call("ask", json!({})).await;
    let state = first["result"]["requestState"].as_str().unwrap().to_owned();
    let same = Server::start(options(600));
    let mut client = Client::speak(&same, NEW, json!({ "elicitation": {} })).await;
    let answer = send(&mut client, "ask", "{}", &state).await;
    assert!(text(&answer).contains(r#""ok": true"#), "{answer}");
    let other = Server::start(place.options(vec![kit()]));
    let mut client = Client::speak(&other, NEW, json!({ "elicitation": {} })).await;
    refused(
        &send(&mut client, "ask", "{}", &state).await,
        Refusal::BadRequestState,
    );
}

#[tokio::test]
async fn a_retry_without_responses_renews_nothing() {
    let place = Place::new();
    let options = ServeOptions {
        state_lifetime: Duration::from_secs(2),
        ..place.options(vec![kit()])
    };
    let server = Server::start(options);
    let mut client = Client::speak(&server, NEW, json!({ "elicitation": {} })).await;
    let mut last = client.call("ask", json!({})).await;
    let begun = Instant::now();
    while let Some(state) = last["result"]["requestState"].as_str() {
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "it never expires"
        );
        tokio::time::sleep(Duration::from_millis(300)).await;
        let params = json!({ "name": "ask", "arguments": {}, "requestState": state });
        last = client.request("tools/call", params).await;
    }
    refused(&last, Refusal::RequestStateExpired);
}

#[tokio::test]
async fn a_state_has_a_largest_size() {
    let place = Place::new();
    let tool = place.script(
        "long",
        r#"# toolwire-tool: 1
        call=$(cat)
        n=${call##*\"n\":}; n=${n%%[!0-9]*}
        case $call in
        *'"describe"'*) echo '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"long","inputSchema":{"type":"object"}}]}}' ;;
        *'"ok":true'*) echo '{"content":[{"type":"text","text":"done"}]}' ;;
        *) printf '{"content":[{"type":"question","question":{"id":"ok","text":"%s","schema":{"type":"boolean"}}}]}' "$(head -c "$n" /dev/zero | tr '\0' x)" ;;
        esac"#,
    );
    let server = Server::start(place.options(vec![tool]));
    let mut client = Client::speak(&server, NEW, json!({ "elicitation": {} })).await;
    let small = client.call("long", json!({ "n": 100_000 })).await;
    let length = |answer: &Value| answer["result"]["requestState"].as_str().map(str::len);
    // Three bytes are four characters.
    let rest = (1024 * 1024 - length(&small).unwrap()) * 3 / 4;
    let most = 100_000 + rest;
    let largest = client.call("long", json!({ "n": most })).await;
    assert!(length(&largest).is_some_and(|length| length > 1024 * 1024 - 4));
    let params = json!({
        "name": "long", "arguments": { "n": most }, "requestState": largest["result"]["requestState"],
        "inputResponses": { "ok": { "action": "accept", "content": { "answer": true } } },
    });
    assert_eq!(text(&client.request("tools/call", params).await), "done");
    let beyond = client.call("long", json!({ "n": most + 2 })).await;
    assert_eq!(beyond["result"]["isError"], true);
    assert!(text(&beyond).contains("too large to go on with later"));
}

//! Sealed states: what is refused, and what another server may take.

use std::time::Duration;

use serde_json::{Value, json};
use toolwire_mcp::server::{Refusal, ServeOptions, Server, StateKeys};

use crate::client::{Client, NEW, Place, kit, text};

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

//! Pages that clients of 2025-11-25 open, and what is left to do on them.

use serde_json::{Value, json};
use toolwire_mcp::server::{ServeOptions, Server};

use super::client::{Client, NEW, OLD, Place, kit, text};

/// A tool that has mail as soon as two pages are done, which files beside its runs say. With `fresh`, each of
/// its runs has other URLs.
const MAIL: &str = r#"# toolwire-tool: 1
call=$(cat)
here=$(dirname "$RUNS")
page() {
    [ -e "$here/$1" ] || printf '%s{"type":"question","question":{"id":"%s","text":"Open it.","schema":{},"url":"https://example.com/%s%s"}}' "$comma" "$1" "$1" "$state"
    [ -e "$here/$1" ] || comma=,
}
case "$call" in
*'"describe"'*) echo '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"mail","inputSchema":{"type":"object"}}]}}'; exit ;;
*'"fails":true'*) [ -e "$here/login" ] && { echo '{"content":[],"isError":true}'; exit; } ;;
esac
echo ran >> "$RUNS"
case "$call" in *'"fresh":true'*) state="?run=$(wc -l < "$RUNS" | tr -d ' ')" ;; esac
pages=$(page login; [ -e "$here/login" ] || comma=,; page terms)
case "$pages" in
'') echo '{"content":[{"type":"text","text":"no mail"}]}' ;;
*) echo "{\"content\":[$pages]}" ;;
esac
"#;

fn can() -> Value {
    json!({ "elicitation": { "url": {}, "form": {} } })
}

fn accept() -> Value {
    json!({ "action": "accept" })
}

/// The pages of the error, each its URL with the id.
fn required(answer: &Value) -> Vec<(&str, &str)> {
    assert_eq!(answer["error"]["code"], -32042, "{answer}");
    let pages = answer["error"]["data"]["elicitations"].as_array().unwrap();
    let pages = pages.iter().map(|page| {
        assert_eq!(page["mode"], "url", "{page}");
        assert_eq!(page["message"], "Open it.");
        let word = |name: &str| page[name].as_str().unwrap();
        (word("url"), word("elicitationId"))
    });
    pages.collect()
}

/// The ids of the pages that are done, and forgets them.
fn done(client: &mut Client) -> Vec<String> {
    let told = std::mem::take(&mut client.notified);
    let told = told.into_iter().filter_map(|one| {
        assert_eq!(one["method"], "notifications/elicitation/complete");
        Some(one["params"]["elicitationId"].as_str()?.to_owned())
    });
    told.collect()
}

/// The ids of the pages that the client was asked to open, and forgets them.
fn asked(client: &mut Client) -> Vec<String> {
    let asked = std::mem::take(&mut client.requested);
    let ids = asked.iter().map(|one| &one["params"]["elicitationId"]);
    ids.map(|id| id.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_page_that_is_not_done_yet_is_required_and_the_client_hears_when_it_is() {
    let place = Place::new();
    let server = Server::start(place.options(vec![place.script("mail", MAIL)]));
    let mut client = Client::speak(&server, OLD[1], can()).await;
    // Both are opened; the tool looks, and neither is done.
    client.responses = vec![accept(), accept()];
    let answer = client.call("mail", json!({})).await;
    let ids = asked(&mut client);
    let (login, terms) = ("https://example.com/login", "https://example.com/terms");
    assert_eq!(required(&answer), [(login, &*ids[0]), (terms, &*ids[1])]);
    assert_eq!(place.runs(), 2);

    // Whoever calls again is not asked what was opened, but told what is left.
    std::fs::write(place.path("login"), "").unwrap();
    let answer = client.call("mail", json!({})).await;
    assert_eq!(required(&answer), [(terms, &*ids[1])]);
    assert!(asked(&mut client).is_empty());

    // It is the same call alone for which they are open.
    client.responses = vec![json!({ "action": "decline" })];
    let answer = client.call("mail", json!({ "n": 1 })).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_ne!(asked(&mut client), [&*ids[1]]);
    // And it is the same client.
    let mut other = Client::speak(&server, OLD[1], can()).await;
    other.responses = vec![json!({ "action": "cancel" })];
    other.call("mail", json!({})).await;
    assert_eq!(other.requested.len(), 1);

    assert!(done(&mut client).is_empty(), "nothing is done yet");
    std::fs::write(place.path("terms"), "").unwrap();
    let answer = client.call("mail", json!({})).await;
    assert_eq!(text(&answer), "no mail");
    assert_eq!(done(&mut client), ids);
    client.call("mail", json!({})).await;
    assert!(done(&mut client).is_empty(), "once is enough");
    assert!(done(&mut other).is_empty());
}

#[tokio::test]
async fn another_url_has_another_id() {
    let place = Place::new();
    let server = Server::start(place.options(vec![place.script("mail", MAIL)]));
    std::fs::write(place.path("terms"), "").unwrap();
    let mut client = Client::speak(&server, OLD[1], can()).await;
    client.responses = vec![accept()];
    let answer = client.call("mail", json!({ "fresh": true })).await;
    let ids = asked(&mut client);
    let second = required(&answer)[0];
    assert_eq!(second.0, "https://example.com/login?run=2");
    assert_ne!(second.1, ids[0]);
    let answer = client.call("mail", json!({ "fresh": true })).await;
    let third = required(&answer)[0];
    assert_eq!(third.0, "https://example.com/login?run=3");
    assert_ne!(third.1, second.1);
    std::fs::write(place.path("login"), "").unwrap();
    client.call("mail", json!({ "fresh": true })).await;
    assert_eq!(done(&mut client), [third.1]);
}

#[tokio::test]
async fn a_tool_that_goes_on_is_done_with_its_page() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    let mut client = Client::speak(&server, OLD[1], can()).await;
    client.responses = vec![accept()];
    assert_eq!(text(&client.call("page", json!({})).await), "opened");
    let ids = asked(&mut client);
    assert_eq!(done(&mut client), ids);
    // One that was not opened is not done.
    client.responses = vec![json!({ "action": "decline" })];
    assert_eq!(text(&client.call("page", json!({})).await), "declined");
    assert!(done(&mut client).is_empty());

    // The newest revision knows neither the error nor the notification.
    let mut client = Client::speak(&server, NEW, can()).await;
    let first = client.call("page", json!({})).await;
    let params = json!({
        "name": "page", "arguments": {}, "requestState": first["result"]["requestState"],
        "inputResponses": { "login": accept() },
    });
    assert_eq!(text(&client.request("tools/call", params).await), "opened");
    assert!(client.notified.is_empty(), "{:?}", client.notified);
}

#[tokio::test]
async fn an_error_does_not_say_that_a_page_is_done() {
    let place = Place::new();
    let server = Server::start(place.options(vec![place.script("mail", MAIL)]));
    std::fs::write(place.path("terms"), "").unwrap();
    let mut client = Client::speak(&server, OLD[1], can()).await;
    client.responses = vec![accept()];
    required(&client.call("mail", json!({ "fails": true })).await);
    std::fs::write(place.path("login"), "").unwrap();
    let answer = client.call("mail", json!({ "fails": true })).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert!(done(&mut client).is_empty());
}

#[tokio::test]
async fn a_page_is_forgotten_after_its_lifetime() {
    let place = Place::new();
    let options = ServeOptions {
        state_lifetime: std::time::Duration::ZERO,
        ..place.options(vec![place.script("mail", MAIL)])
    };
    let server = Server::start(options);
    std::fs::write(place.path("terms"), "").unwrap();
    let mut client = Client::speak(&server, OLD[1], can()).await;
    // So it is asked anew.
    client.responses = vec![accept(), json!({ "action": "decline" })];
    let answer = client.call("mail", json!({})).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_eq!(asked(&mut client).len(), 2);
    assert!(done(&mut client).is_empty());
}

#[tokio::test]
async fn so_many_pages_are_remembered_and_no_more() {
    let place = Place::new();
    let server = Server::start(place.options(vec![place.script("mail", MAIL)]));
    std::fs::write(place.path("terms"), "").unwrap();
    let mut client = Client::speak(&server, OLD[1], can()).await;
    for n in 0..65 {
        client.responses = vec![accept()];
        required(&client.call("mail", json!({ "n": n })).await);
    }
    // The first one is forgotten, so it is asked anew.
    asked(&mut client);
    for n in [1, 64] {
        required(&client.call("mail", json!({ "n": n })).await);
    }
    assert!(asked(&mut client).is_empty());
    client.responses = vec![json!({ "action": "decline" })];
    client.call("mail", json!({ "n": 0 })).await;
    assert_eq!(asked(&mut client).len(), 1);
}

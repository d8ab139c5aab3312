//! Handshake, calls and their errors.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwire_mcp::server::{ServeOptions, Server};

use super::client::{Client, NEW, OLD, Place, kit, text};

fn code(answer: &Value) -> (i64, &str) {
    let error = &answer["error"];
    let code = error["code"].as_i64();
    let word = error["data"]["code"].as_str().unwrap_or_default();
    (code.unwrap_or_else(|| panic!("no error: {answer}")), word)
}

#[tokio::test]
async fn each_revision_is_spoken_and_no_other() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    for revision in [OLD[0], OLD[1], NEW] {
        let mut client = Client::speak(&server, revision, json!({})).await;
        let answer = client.call("echo", json!({})).await;
        let typed = answer["result"]["resultType"] == "complete";
        assert_eq!(typed, revision == NEW, "{answer}");
        client.leave().await.unwrap();
    }

    // Older ones are answered with one that is spoken, newer ones are refused.
    let mut client = Client::connect(&server);
    let info = json!({ "name": "Ada", "version": "1" });
    let old = json!({ "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": info });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": old });
    client.line(&request.to_string()).await;
    let answer = client.response(1).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");

    // The newest revision has no handshake, and the connection goes on.
    let mut client = Client::speak(&server, NEW, json!({})).await;
    let whole = json!({ "protocolVersion": NEW, "capabilities": {}, "clientInfo": info });
    for (method, params) in [
        ("initialize", whole),
        ("initialize", json!({})),
        ("logging/setLevel", json!({ "level": "info" })),
    ] {
        let answer = client.request(method, params).await;
        assert_eq!(code(&answer).0, -32601, "{method}: {answer}");
    }
    assert!(text(&client.call("echo", json!({})).await).contains("arguments"));

    let mut client = Client::connect(&server);
    client
        .line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}"#)
        .await;
    let answer = client.response(1).await;
    assert_eq!(code(&answer).0, -32022, "{answer}");
    let answer = client.request("server/discover", json!({})).await;
    let spoken = json!(["2025-06-18", "2025-11-25", "2026-07-28"]);
    assert_eq!(answer["result"]["supportedVersions"], spoken);
}

#[tokio::test]
async fn numbers_keep_every_digit_on_both_ways() {
    let place = Place::new();
    let digits = place.script(
        "digits",
        r#"# toolwire-tool: 1
        call=$(cat)
        case "$call" in
        *'"describe"'*) echo '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"digits","inputSchema":{"type":"object"}}]}}' ;;
        *) n=$(printf %s "$call" | sed 's/.*"n":\([0-9.eE+-]*\).*/\1/'); echo "{\"content\":[],\"structuredContent\":{\"n\":$n}}" ;;
        esac"#,
    );
    let server = Server::start(place.options(vec![digits]));
    let mut client = Client::speak(&server, NEW, json!({})).await;
    let params = client.begin("tools/list", json!({})).await;
    client.response(params).await;
    let number = "12345678901234567890123.4567890123456789";
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    client
        .line(&format!(
            r#"{{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{{"name":"digits","arguments":{{"n":{number}}},{meta}}}}}"#
        ))
        .await;
    let line = client.next_line().await.unwrap();
    assert!(
        line.contains(&format!(r#""structuredContent":{{"n":{number}}}"#)),
        "{line}"
    );
    assert!(line.contains(r#""id":"x""#));
}

#[tokio::test]
async fn answers_of_the_older_revisions_keep_every_digit() {
    let place = Place::new();
    let tool = place.script(
        "numbers",
        r#"# toolwire-tool: 1
        call=$(cat)
        case "$call" in
        *'"describe"'*) echo '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"numbers","inputSchema":{"type":"object"}}]}}' ;;
        *'"which":'*) a=${call#*\"which\":}; echo "{\"content\":[],\"structuredContent\":${a%%\}*}}}" ;;
        *) echo '{"content":[{"type":"question","question":{"id":"which","text":"Which?","schema":{"type":"object","properties":{"n":{"type":"integer"},"x":{"type":"number"},"s":{"type":"string"}},"required":["n","x"]}}}]}' ;;
        esac"#,
    );
    let server = Server::start(place.options(vec![tool]));
    for revision in OLD {
        let mut client = Client::speak(&server, revision, json!({ "elicitation": {} })).await;
        let id = client
            .begin("tools/call", json!({ "name": "numbers" }))
            .await;
        let asked: Value = serde_json::from_str(&client.next_line().await.unwrap()).unwrap();
        assert_eq!(asked["method"], "elicitation/create", "{asked}");
        let content = r#"{"n":12345678901234567890123,"s":"a \"b\"\u00e9","x":1.10}"#;
        client
            .line(&format!(
                r#"{{"jsonrpc":"2.0","id":{},"result":{{"action":"accept","content":{content}}}}}"#,
                asked["id"]
            ))
            .await;
        let line = client.next_line().await.unwrap();
        let got = r#""structuredContent":{"n":12345678901234567890123,"s":"a \"b\"é","x":1.1}"#;
        assert!(
            line.contains(got) && line.contains(&format!(r#""id":{id},"#)),
            "{line}"
        );
    }
}

#[tokio::test]
async fn what_does_not_fit_is_refused_and_says_why() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    let mut client = Client::speak(&server, OLD[1], json!({})).await;

    let answer = client.call("ecko", json!({})).await;
    assert_eq!(code(&answer), (-32602, "unknown_tool"));
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("did you mean `echo`"), "{message}");

    let answer = client.call("echo", json!({ "n": "many" })).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(text(&answer).starts_with("the arguments of `echo` do not fit: `/n`"));

    let answer = client.request("tools/call", json!({ "name": 7 })).await;
    assert_eq!(code(&answer), (-32602, "bad_params"));
    let answer = client.request("resources/list", json!({})).await;
    assert_eq!(code(&answer).0, -32601);

    client.line("{").await;
    client.line("").await;
    client
        .line(r#"{"jsonrpc":"2.0","method":"notifications/unknown"}"#)
        .await;
    client.line("[]").await;
    let told: Vec<Value> = [client.next_line().await, client.next_line().await]
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .into();
    let codes: Vec<_> = told
        .iter()
        .map(|told| (told["id"].clone(), code(told).0))
        .collect();
    assert_eq!(codes, [(Value::Null, -32700), (Value::Null, -32600)]);
    assert!(text(&client.call("echo", json!({})).await).contains("arguments"));
}

#[tokio::test]
async fn a_line_over_the_limit_is_skipped_and_the_next_one_read() {
    let place = Place::new();
    let options = ServeOptions {
        max_message: 400,
        ..place.options(vec![kit()])
    };
    let server = Server::start(options);
    let mut client = Client::speak(&server, OLD[1], json!({})).await;
    client.line(&"x".repeat(399)).await;
    let told = client.next_line().await.unwrap();
    assert!(told.contains("-32700"), "at the limit it is read: {told}");
    client.line(&"x".repeat(400)).await;
    let told = client.next_line().await.unwrap();
    assert!(
        told.contains("what was sent is longer than 400 bytes"),
        "{told}"
    );
    client.line(&"x".repeat(100_000)).await;
    assert!(client.next_line().await.unwrap().contains("longer"));
    assert!(text(&client.call("echo", json!({})).await).contains("arguments"));
}

#[tokio::test]
async fn a_client_sets_neither_options_nor_root() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    let mut client = Client::speak(&server, OLD[1], json!({})).await;
    let meta = json!({
        "computer.jp/tool": { "name": "echo", "options": { "deep": true }, "answers": { "ok": true }, "x": 1 },
        "computer.jp/context": { "action": "run", "root": "/etc", "locale": "de" },
    });
    let params = json!({ "name": "echo", "arguments": { "n": 1 }, "_meta": meta });
    let answer = client.request("tools/call", params).await;
    let call: Value = serde_json::from_str(text(&answer)).unwrap();
    let expected = json!({
        "context": { "action": "run", "root": "/work" },
        "tool": { "name": "echo", "arguments": { "n": 1 }, "answers": {}, "options": {} },
    });
    assert_eq!(call, expected, "the answer waits for its question");

    for context in [
        json!({ "action": "describe" }),
        json!({ "action": "spring" }),
    ] {
        let params = json!({ "name": "echo", "_meta": { "computer.jp/context": context } });
        let answer = client.request("tools/call", params).await;
        assert_eq!(code(&answer), (-32602, "bad_call_context"));
    }
}

#[tokio::test]
async fn a_result_is_held_against_its_output_schema() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    let mut client = Client::speak(&server, OLD[0], json!({})).await;
    let answer = client.call("count", json!({ "n": 3 })).await;
    assert_eq!(answer["result"]["structuredContent"], json!({ "n": 3 }));
    assert_eq!(text(&answer), r#"{"n":3}"#, "for clients that read text");
    let answer = client.call("count", json!({ "n": 3.5 })).await;
    assert_eq!(answer["result"]["isError"], true);
    let told = text(&answer);
    assert!(
        told.starts_with("the structured content of `count` does not fit: `/n`"),
        "{told}"
    );
    assert!(answer["result"].get("structuredContent").is_none());
}

fn is_alive(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat"));
    status.is_ok_and(|status| !status.contains(") Z "))
}

async fn until(what: impl Fn() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "it does not come"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_call_that_is_cancelled_or_left_leaves_nothing_behind() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    for revision in [OLD[1], NEW] {
        let _ = std::fs::remove_file(place.path("runs"));
        let mut client = Client::speak(&server, revision, json!({})).await;
        let params = json!({ "name": "wait" });
        let id = client.begin("tools/call", params).await;
        until(|| place.runs() == 1).await;
        let process = std::fs::read_to_string(place.path("runs")).unwrap();
        let process = process.trim().to_owned();
        assert!(is_alive(&process));
        client
            .notify("notifications/cancelled", json!({ "requestId": id }))
            .await;
        until(|| !is_alive(&process)).await;
        // It has no response, and the connection goes on.
        assert!(text(&client.call("echo", json!({})).await).contains("arguments"));

        // One that still runs when the client leaves is stopped too.
        let _ = std::fs::remove_file(place.path("runs"));
        client.begin("tools/call", json!({ "name": "wait" })).await;
        until(|| place.runs() == 1).await;
        let process = std::fs::read_to_string(place.path("runs")).unwrap();
        client.leave().await.unwrap();
        assert!(!is_alive(process.trim()));
    }
}

#[tokio::test]
async fn calls_beyond_the_queue_are_told_so_and_the_others_go_on() {
    let place = Place::new();
    let options = ServeOptions {
        jobs: 1,
        queue: 1,
        ..place.options(vec![kit()])
    };
    let server = Server::start(options);
    server.ready().await.unwrap();
    let mut client = Client::speak(&server, OLD[1], json!({})).await;
    let wait = |seconds: f64| json!({ "name": "wait", "arguments": { "seconds": seconds } });
    let first = client.begin("tools/call", wait(8.0)).await;
    until(|| place.runs() == 1).await;
    let second = client.begin("tools/call", wait(0.0)).await;
    // It has been read when something that came after it has its answer.
    client.request("ping", json!({})).await;
    let third = client.call("echo", json!({})).await;
    assert_eq!(third["result"]["isError"], true);
    let told =
        "the server is busy: 1 tools run and 1 calls wait, which is the most; try again later";
    assert_eq!(text(&third), told);
    let (one, two) = (client.response(first).await, client.response(second).await);
    assert_eq!((text(&one), text(&two)), ("waited", "waited"));
}

/// A tool that hangs, one that never stops talking and one that is killed.
#[tokio::test]
async fn whatever_a_tool_does_the_others_go_on() {
    let place = Place::new();
    let wild = place.script(
        "wild",
        r#"# toolwire-tool: 1
        call=$(cat)
        case "$call" in
        *'"describe"'*) echo '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"wild","inputSchema":{"type":"object"}}]}}' ;;
        *'"kills"'*) kill -9 $$ ;;
        *) echo ran >> "$RUNS"; while :; do echo noise; echo noise >&2; sleep 0.01; done ;;
        esac"#,
    );
    let options = ServeOptions {
        jobs: 3,
        ..place.options(vec![kit(), wild])
    };
    let server = Server::start(options);
    for revision in [OLD[1], NEW] {
        let _ = std::fs::remove_file(place.path("runs"));
        let mut client = Client::speak(&server, revision, json!({})).await;
        let mut other = Client::speak(&server, revision, json!({})).await;
        let wait = json!({ "name": "wait", "arguments": { "seconds": 600 } });
        client.begin("tools/call", wait).await;
        client.begin("tools/call", json!({ "name": "wild" })).await;
        until(|| place.runs() == 2).await;
        for client in [&mut client, &mut other] {
            let killed = client.call("wild", json!({ "how": "kills" })).await;
            assert_eq!(killed["result"]["isError"], true, "{killed}");
            assert!(text(&client.call("echo", json!({})).await).contains("arguments"));
        }
        assert!(client.notified.is_empty(), "both still run");
        client.leave().await.unwrap();
    }
}

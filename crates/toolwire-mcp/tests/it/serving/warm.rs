//! Tools whose programs take many calls in one process.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use toolwire_host::Command;
use toolwire_mcp::server::{ManifestOffer, Offer, ServeOptions, Server};

use super::client::{Client, NEW, OLD, Place};

/// Tells its process, how it was started, and what it knows of traces.
const TOOL: &str = r##"#!/usr/bin/env python3
# toolwire-tool: 1
import json, os, sys

def answer(document, trace):
    if document["context"]["action"] == "describe":
        tool = {"name": "where", "inputSchema": {"type": "object"}, "_meta": {"dev.toolwire/warm": True}}
        return {"content": [], "structuredContent": {"toolwire": 1, "tools": [tool]}}
    content = {"pid": os.getpid(), "way": os.environ["TOOLWIRE_CALL"], "trace": trace,
               "variable": os.environ.get("TRACEPARENT")}
    return {"content": [], "structuredContent": content}

if os.environ["TOOLWIRE_CALL"] == "stdin":
    print(json.dumps(answer(json.load(sys.stdin), None)))
    sys.exit()
sys.stdin.readline()
print('{"type":"hello","toolwire":1,"version":1}', flush=True)
for line in sys.stdin:
    line = json.loads(line)
    if line["type"] == "call":
        envelope = answer(line["document"], line.get("trace"))
        print(json.dumps({"type": "result", "call": line["call"], "envelope": envelope}), flush=True)
"##;

fn tool(place: &Place) -> PathBuf {
    let path = place.path("where.py");
    fs::write(&path, TOOL).unwrap();
    path
}

async fn ask(client: &mut Client, meta: Value) -> Value {
    let params = json!({ "name": "where", "arguments": {}, "_meta": meta });
    let answer = client.request("tools/call", params).await;
    answer["result"]["structuredContent"].clone()
}

fn is_alive(process: &Value) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat"));
    state.is_ok_and(|stat| !stat.contains(") Z "))
}

#[tokio::test]
async fn a_warm_tool_is_started_once_for_all_connections() {
    let place = Place::new();
    let server = Server::start(place.options(vec![Command::new(tool(&place))]));
    let mut processes = Vec::new();
    for revision in [OLD[0], OLD[1], NEW] {
        let mut client = Client::speak(&server, revision, json!({})).await;
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let there = ask(
            &mut client,
            json!({ "traceparent": parent, "baggage": "a=1" }),
        )
        .await;
        assert_eq!(there["way"], "lines");
        assert_eq!(
            there["trace"],
            json!({ "traceparent": parent, "baggage": "a=1" })
        );
        assert!(there["variable"].is_null());
        let again = ask(&mut client, json!({})).await;
        assert!(again["trace"].is_null(), "the trace is of one call");
        processes.extend([there["pid"].clone(), again["pid"].clone()]);
    }
    assert!(processes.iter().all(|process| *process == processes[0]));
    assert!(is_alive(&processes[0]));
    server.shutdown().await;
    assert!(!is_alive(&processes[0]), "nothing is left");
}

#[tokio::test]
async fn principals_share_no_worker() {
    let place = Place::new();
    let server = Server::start(place.options(vec![Command::new(tool(&place))]));
    let mut processes = Vec::new();
    for principal in ["ada", "bob", "ada"] {
        let mut client = Client::of(&server, principal, json!({}));
        processes.push(ask(&mut client, json!({})).await["pid"].clone());
    }
    assert_ne!(processes[0], processes[1], "ada and bob");
    assert_eq!(processes[0], processes[2], "ada again");
    server.shutdown().await;
}

#[tokio::test]
async fn the_host_and_a_manifest_can_opt_out() {
    let place = Place::new();
    let file = tool(&place);
    let mut options = place.options(vec![Command::new(&file)]);
    assert!(options.workers.is_some(), "warm by default");
    options.workers = None;
    assert_eq!(ways(options).await, "stdin");

    for (line, way) in [
        ("", "lines"),
        ("warm = false", "stdin"),
        ("warm = true", "lines"),
    ] {
        let text = format!("[tools.where]\ncommand = [\"./where.py\"]\n{line}\n");
        fs::write(place.path("toolwire.toml"), text).unwrap();
        let mut options = place.options(Vec::new());
        options.offer = Offer {
            manifest: Some(ManifestOffer {
                path: Some(place.path("toolwire.toml")),
                ..ManifestOffer::default()
            }),
            ..Offer::default()
        };
        assert_eq!(ways(options).await, way, "`{line}`");
    }
}

/// How a tool of a server is called.
async fn ways(options: ServeOptions) -> String {
    let server = Server::start(options);
    let mut client = Client::speak(&server, NEW, json!({})).await;
    let there = ask(&mut client, json!({})).await;
    server.shutdown().await;
    there["way"].as_str().unwrap_or_default().to_owned()
}

//! What a tool says while it runs, and what it is told of its surroundings.

use serde_json::{Value, json};
use toolwire_mcp::server::Server;

use super::client::{Client, NEW, OLD, Place, kit, text};

fn of<'a>(client: &'a Client, method: &str) -> Vec<&'a Value> {
    let notified = client.notified.iter();
    let of = notified.filter(|message| message["method"] == method);
    of.map(|message| &message["params"]).collect()
}

#[tokio::test]
async fn progress_reaches_whoever_has_a_token() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    for revision in [OLD[0], OLD[1], NEW] {
        let mut client = Client::speak(&server, revision, json!({})).await;
        let params = json!({ "name": "say", "_meta": { "progressToken": "t" } });
        let answer = client.request("tools/call", params).await;
        assert_eq!(text(&answer), "said");
        let progress = of(&client, "notifications/progress");
        let last = progress.last().expect("no progress");
        assert_eq!(
            **last,
            json!({ "progressToken": "t", "progress": 2.0, "total": 2.0, "message": "step" })
        );
        let done: Vec<f64> = progress
            .iter()
            .map(|one| one["progress"].as_f64().unwrap())
            .collect();
        assert!(done.windows(2).all(|pair| pair[0] < pair[1]), "{done:?}");
        assert!(
            of(&client, "notifications/message").is_empty(),
            "nobody asked for it"
        );

        client.notified.clear();
        client.call("say", json!({})).await;
        assert!(client.notified.is_empty(), "{:?}", client.notified);
    }
}

#[tokio::test]
async fn the_log_reaches_whoever_asks_for_it_from_the_level_on() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    for revision in [OLD[0], OLD[1], NEW] {
        let mut client = Client::speak(&server, revision, json!({})).await;
        let mut call = async |level: &str| {
            client.notified.clear();
            let mut params = json!({ "name": "say" });
            if revision == NEW {
                params["_meta"]["io.modelcontextprotocol/logLevel"] = level.into();
            } else {
                client
                    .request("logging/setLevel", json!({ "level": level }))
                    .await;
            }
            client.request("tools/call", params).await;
            let log = of(&client, "notifications/message");
            let log = log
                .iter()
                .map(|one| (one["level"].clone(), one["data"].clone()));
            log.collect::<Vec<_>>()
        };
        let entry = |level: &str, data: &str| (json!(level), json!(data));
        let all = call("debug").await;
        for expected in [
            entry("warning", "hot"),
            entry("debug", "cold"),
            entry("info", "compiling"),
        ] {
            assert!(all.contains(&expected), "{all:?}");
        }
        assert_eq!(call("warning").await, [entry("warning", "hot")]);
        assert_eq!(call("error").await, []);
    }
}

#[tokio::test]
async fn trace_context_reaches_the_tool_and_the_keys_do_not() {
    let place = Place::new();
    let mut options = place.options(vec![kit()]);
    options.process.cwd = Some(place.folder.path().to_owned());
    let server = Server::start(options);
    let mut client = Client::speak(&server, OLD[1], json!({})).await;
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let mut shown = async |meta: Value| -> Value {
        let params = json!({ "name": "where", "_meta": meta });
        let answer = client.request("tools/call", params).await;
        serde_json::from_str(text(&answer)).unwrap()
    };
    let all = json!({ "traceparent": parent, "tracestate": "a=1", "baggage": "user=2" });
    let seen = shown(all).await;
    assert_eq!(seen["TRACEPARENT"], parent);
    assert_eq!(
        (&seen["TRACESTATE"], &seen["BAGGAGE"]),
        (&json!("a=1"), &json!("user=2"))
    );
    assert_eq!(seen["root"], "/work");
    let folder = std::fs::canonicalize(place.folder.path()).unwrap();
    assert_eq!(seen["cwd"], folder.to_str().unwrap());

    let ill = json!({ "traceparent": "1", "tracestate": "a=1", "baggage": "x\ny" });
    let seen = shown(ill).await;
    for name in ["TRACEPARENT", "TRACESTATE", "BAGGAGE"] {
        assert_eq!(seen[name], Value::Null, "{name}");
    }
}

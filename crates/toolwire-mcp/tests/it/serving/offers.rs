//! Resources and prompts of other servers, which a gateway passes on.

use serde_json::{Value, json};
use toolwire_host::{Command, ProcessOptions};
use toolwire_mcp::client::{self, ClientOptions};
use toolwire_mcp::server::{Gateway, Offer, ServeOptions, Server};

use super::client::{Client, NEW, OLD, Place};
use crate::common::script;

/// A gateway to servers with these labels, each of a revision and with a way.
fn gateway(place: &Place, servers: &[(&str, &str, &str)], change: fn(&mut Offer)) -> Server {
    let servers = servers.iter().map(|(label, revision, way)| {
        let command = Command::new(script("offers.py")).args([*revision, *way]);
        let server = client::Server::program(command, ProcessOptions::default());
        Gateway::new(label, server, ClientOptions::default())
    });
    let mut options = ServeOptions {
        page_size: 1,
        ..place.options(Vec::new())
    };
    options.offer.servers = servers.collect();
    // Their tools have the same names.
    options.offer.prefix = true;
    change(&mut options.offer);
    Server::start(options)
}

fn one_server(offer: &mut Offer) {
    offer.prefix = false;
}

async fn listed(client: &mut Client, method: &str, what: &str, name: &str) -> Vec<String> {
    let (mut all, mut params) = (Vec::new(), json!({}));
    loop {
        let answer = client.request(method, params).await;
        let page = answer["result"][what].as_array();
        for one in page.unwrap_or_else(|| panic!("{answer}")) {
            all.push(one[name].as_str().unwrap().to_owned());
        }
        match &answer["result"]["nextCursor"] {
            Value::Null => return all,
            cursor => params = json!({ "cursor": cursor }),
        }
    }
}

/// All that is listed beside the tools.
async fn offered(client: &mut Client) -> [Vec<String>; 3] {
    [
        listed(client, "resources/list", "resources", "uri").await,
        listed(
            client,
            "resources/templates/list",
            "resourceTemplates",
            "uriTemplate",
        )
        .await,
        listed(client, "prompts/list", "prompts", "name").await,
    ]
}

async fn read(client: &mut Client, uri: &str) -> Value {
    client
        .request("resources/read", json!({ "uri": uri }))
        .await
}

/// Each revision of a server and each of a client.
fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let pair = |of: &'static str| [(of, OLD[0]), (of, OLD[1]), (of, NEW)];
    [OLD[1], NEW].into_iter().flat_map(pair)
}

#[tokio::test]
async fn what_one_server_offers_is_passed_on_as_it_is() {
    for (of, revision) in pairs() {
        let place = Place::new();
        let server = gateway(&place, &[("offers", of, "")], one_server);
        let mut client = Client::speak(&server, revision, json!({})).await;
        let uris = ["notes://exact", "notes://today"];
        let all = [&uris[..], &["notes://{day}"], &["review"]];
        assert_eq!(offered(&mut client).await, all, "{of} {revision}");

        let id = client
            .begin("resources/read", json!({ "uri": "notes://exact" }))
            .await;
        let line = client.next_line().await.unwrap();
        assert!(line.contains("123456789012345678901.10"), "{line}");
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], id);
        assert_eq!(answer["result"]["contents"][0]["uri"], "notes://exact");
        let is_modern = revision == NEW;
        for name in ["resultType", "ttlMs", "cacheScope"] {
            assert_eq!(answer["result"].get(name).is_some(), is_modern, "{answer}");
        }

        let answer = read(&mut client, "other://a").await;
        assert_eq!(answer["error"]["code"], -32002, "{answer}");
        assert_eq!(answer["error"]["message"], "there is no `other://a`");

        let params = json!({ "name": "review", "arguments": { "day": "Monday" } });
        let answer = client.request("prompts/get", params).await;
        let message = json!({ "role": "user", "content": { "type": "text", "text": "Review Monday for nobody." } });
        assert_eq!(answer["result"]["messages"], json!([message]), "{answer}");
        let answer = client
            .request("prompts/get", json!({ "name": "reviews" }))
            .await;
        assert_eq!(
            answer["error"]["data"]["code"], "unknown_prompt",
            "{answer}"
        );
        assert_eq!(
            answer["error"]["message"],
            "there is no prompt `reviews`; did you mean `review`?"
        );
    }
}

#[tokio::test]
async fn what_two_servers_offer_is_told_apart() {
    let place = Place::new();
    let servers = [("My Notes", OLD[1], "one"), ("b", NEW, "two")];
    let server = gateway(&place, &servers, |offer| {
        offer.prefix = false;
        offer.except = vec!["add".to_owned(), "where".to_owned()];
    });
    let mut client = Client::speak(&server, OLD[1], json!({})).await;
    let [uris, templates, prompts] = offered(&mut client).await;
    let second = ["mcp-b+notes://exact", "mcp-b+notes://today"];
    assert_eq!(
        uris,
        [&second[..], &["notes://exact", "notes://today"]].concat()
    );
    assert_eq!(templates, ["mcp-b+notes://{day}", "notes://{day}"]);
    assert_eq!(prompts, ["b_review", "review"]);

    let answer = read(&mut client, "mcp-b+notes://today").await;
    let contents = &answer["result"]["contents"];
    assert_eq!(contents[0]["uri"], "mcp-b+notes://today", "{answer}");
    assert_eq!(contents[1]["uri"], "mcp-b+notes://today/image");
    // One that a template has, and one that nothing lists.
    let answer = read(&mut client, "notes://friday").await;
    assert_eq!(
        answer["result"]["contents"][0]["uri"], "notes://friday",
        "{answer}"
    );
    let answer = read(&mut client, "other://a").await;
    assert_eq!(answer["error"]["code"], -32002, "{answer}");
    for (name, text) in [
        ("review", "Review all for one."),
        ("b_review", "Review all for two."),
    ] {
        let answer = client.request("prompts/get", json!({ "name": name })).await;
        assert_eq!(
            answer["result"]["messages"][0]["content"]["text"], text,
            "{answer}"
        );
    }

    let server = gateway(&place, &servers, |_| {});
    let mut client = Client::speak(&server, NEW, json!({})).await;
    let [uris, _, prompts] = offered(&mut client).await;
    let first = ["mcp-my-notes+notes://exact", "mcp-my-notes+notes://today"];
    assert_eq!(uris, [&second[..], &first].concat());
    assert_eq!(prompts, ["My_Notes_review", "b_review"]);
}

#[tokio::test]
async fn changes_reach_the_clients_that_asked() {
    for (of, revision) in pairs() {
        let place = Place::new();
        let server = gateway(&place, &[("offers", of, "")], one_server);
        let mut client = Client::speak(&server, revision, json!({})).await;
        let lists = [
            "notifications/resources/list_changed",
            "notifications/prompts/list_changed",
        ];
        let updated = "notifications/resources/updated";
        let mut subscription = Value::Null;
        if revision == NEW {
            let wanted = json!({ "resourcesListChanged": true, "promptsListChanged": true,
                "resourceSubscriptions": ["notes://today"] });
            let params = json!({ "notifications": wanted });
            subscription = client.begin("subscriptions/listen", params).await.into();
            let told = client
                .notified("notifications/subscriptions/acknowledged")
                .await;
            assert_eq!(told["params"]["notifications"], wanted, "{told}");
        } else {
            let params = json!({ "uri": "notes://today" });
            let answer = client.request("resources/subscribe", params).await;
            assert_eq!(answer["result"], json!({}), "{answer}");
            // The newest revision has no refusal of one URI.
            if of != NEW {
                let params = json!({ "uri": "notes://never" });
                let answer = client.request("resources/subscribe", params).await;
                assert_eq!(answer["error"]["code"], -32002, "{answer}");
            }
        }
        read(&mut client, "notes://write").await;
        for method in [updated, lists[0], lists[1]] {
            let told = client.notified(method).await;
            let of = &told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
            assert_eq!(*of, subscription, "{told}");
            if method == updated {
                assert_eq!(told["params"]["uri"], "notes://today");
            }
        }
        if revision != NEW {
            let params = json!({ "uri": "notes://today" });
            client.request("resources/unsubscribe", params).await;
            client.notified.clear();
            read(&mut client, "notes://write").await;
            client.notified(lists[1]).await;
            let told = client
                .notified
                .iter()
                .find(|told| told["method"] == updated);
            assert_eq!(told, None);
        }
        server.shutdown().await;
    }
}

#[tokio::test]
async fn a_server_without_tools_is_served_and_a_single_tool_alone() {
    let place = Place::new();
    let server = gateway(&place, &[("offers", NEW, "alone")], one_server);
    server.ready().await.unwrap();
    let mut client = Client::speak(&server, NEW, json!({})).await;
    assert_eq!(offered(&mut client).await[2], ["review"]);

    let server = gateway(&place, &[("offers", NEW, "")], |offer| {
        offer.servers[0].tool = Some("add".to_owned());
    });
    let mut client = Client::speak(&server, NEW, json!({})).await;
    let answer = client.request("prompts/list", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    let answer = client.request("server/discover", json!({})).await;
    let declared = &answer["result"]["capabilities"];
    assert!(declared["tools"].is_object(), "{answer}");
    assert!(declared["resources"].is_null() && declared["prompts"].is_null());
}

#[tokio::test]
async fn structured_content_is_what_the_revision_of_the_client_knows() {
    for (way, content) in [("array", json!([1, "two"])), ("null", Value::Null)] {
        for (of, revision) in pairs() {
            let place = Place::new();
            let server = gateway(&place, &[("offers", of, way)], one_server);
            let mut client = Client::speak(&server, revision, json!({})).await;
            let answer = client.call("where", json!({})).await;
            let given = answer["result"].get("structuredContent");
            match (revision == NEW, of == NEW) {
                // An older revision has no `null` in its place.
                (_, false) if content.is_null() => assert_eq!(given, None, "{answer}"),
                (true, _) => assert_eq!(given, Some(&content), "{answer}"),
                (false, _) => assert_eq!(given, Some(&json!({ "result": content })), "{answer}"),
            }
        }
    }
}

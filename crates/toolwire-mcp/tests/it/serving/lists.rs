//! Which tools are served, and how a client learns of changes.

use serde_json::{Value, json};
use toolwire_host::Command;
use toolwire_mcp::server::{ManifestOffer, Offer, ServeOptions, Server};

use super::client::{Client, NEW, OLD, Place, kit};

/// A script that describes tools with these names.
fn describes(names: &[&str]) -> String {
    let tools: Vec<Value> = names
        .iter()
        .map(|name| json!({ "name": name, "inputSchema": { "type": "object" } }))
        .collect();
    let answer = json!({ "content": [], "structuredContent": { "toolwire": 1, "tools": tools } });
    format!("#!/bin/sh\n# toolwire-tool: 1\ncat > /dev/null\necho '{answer}'\n")
}

fn program(place: &Place, name: &str, names: &[&str]) -> Command {
    use std::os::unix::fs::PermissionsExt;

    let path = place.path(name);
    std::fs::write(&path, describes(names)).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    Command::new(path)
}

async fn names(client: &mut Client) -> Vec<String> {
    let answer = client.request("tools/list", json!({})).await;
    let tools = answer["result"]["tools"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"));
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    tools.iter().map(name).collect()
}

#[tokio::test]
async fn the_list_has_an_order_pages_and_hints() {
    let place = Place::new();
    let options = ServeOptions {
        page_size: 4,
        ..place.options(vec![kit()])
    };
    let server = Server::start(options);
    let mut client = Client::speak(&server, NEW, json!({})).await;
    let mut names = Vec::new();
    let mut cursor = Value::Null;
    for left in [true, false] {
        let params = match &cursor {
            Value::Null => json!({}),
            cursor => json!({ "cursor": cursor }),
        };
        let page = client.request("tools/list", params).await["result"].take();
        assert_eq!(page["ttlMs"], 60_000);
        assert_eq!(
            (&page["cacheScope"], &page["resultType"]),
            (&json!("private"), &json!("complete"))
        );
        let tools = page["tools"].as_array().unwrap();
        names.extend(
            tools
                .iter()
                .map(|tool| tool["name"].as_str().unwrap().to_owned()),
        );
        cursor = page["nextCursor"].clone();
        assert_eq!(cursor.is_string(), left);
        if left {
            let ask = &tools[0];
            assert_eq!(ask["title"], "Ask");
            assert_eq!(ask["annotations"], json!({ "readOnlyHint": true }));
        }
    }
    assert_eq!(
        names,
        ["ask", "count", "echo", "page", "say", "wait", "where"]
    );
    let answer = client.request("tools/list", json!({ "cursor": "!" })).await;
    assert_eq!(answer["error"]["data"]["code"], "bad_cursor");
}

#[tokio::test]
async fn what_can_not_be_described_is_reported_and_left_out() {
    let place = Place::new();
    let good = program(&place, "good", &["good"]);
    let broken = place.script(
        "broken",
        "# toolwire-tool: 1\necho 'no such module' >&2; exit 3",
    );
    let unmarked = place.script("unmarked", "echo hello");
    let missing = Command::new("./no/such/program");
    let server = Server::start(place.options(vec![missing, broken, unmarked, good]));
    let mut client = Client::speak(&server, OLD[1], json!({})).await;
    assert_eq!(names(&mut client).await, ["good"]);
    let reported = place.reported.lock().unwrap().clone();
    assert_eq!(reported.len(), 3, "{reported:?}");
    assert!(
        reported[0].contains("`./no/such/program` is not served"),
        "{reported:?}"
    );
    assert!(reported[1].contains("no such module"), "{reported:?}");
    assert!(
        reported[2].contains("mark a script with the line `# toolwire-tool: 1`"),
        "{reported:?}"
    );
}

#[tokio::test]
async fn a_program_that_takes_too_long_is_left_out() {
    let place = Place::new();
    let good = program(&place, "good", &["good"]);
    let slow = place.script("slow", "# toolwire-tool: 1\nsleep 600");
    let options = ServeOptions {
        describing: std::time::Duration::from_secs(10),
        ..place.options(vec![slow, good])
    };
    assert_eq!(
        ServeOptions::new(Offer::default()).unwrap().describing,
        std::time::Duration::from_secs(30)
    );
    let server = Server::start(options);
    let mut client = Client::speak(&server, OLD[1], json!({})).await;
    assert_eq!(names(&mut client).await, ["good"]);
    let reported = place.reported.lock().unwrap().clone();
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(
        reported[0].contains("slow.sh` is not served"),
        "{reported:?}"
    );
}

#[tokio::test]
async fn one_name_twice_is_an_error_and_a_prefix_helps() {
    let place = Place::new();
    let programs = vec![
        program(&place, "my tool.v2", &["search", "b"]),
        program(&place, "other", &["search"]),
    ];
    let options = place.options(programs);
    let error = Server::start(options.clone())
        .ready()
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`search`") && error.contains("`--prefix`"),
        "{error}"
    );

    let with = |change: &dyn Fn(&mut Offer)| {
        let mut options = options.clone();
        change(&mut options.offer);
        Server::start(options)
    };
    let server = with(&|offer| offer.prefix = true);
    let mut client = Client::speak(&server, OLD[0], json!({})).await;
    assert_eq!(
        names(&mut client).await,
        ["my_tool_b", "my_tool_search", "other_search"]
    );

    let server = with(&|offer| offer.only = vec!["b".to_owned()]);
    let mut client = Client::speak(&server, OLD[0], json!({})).await;
    assert_eq!(names(&mut client).await, ["b"]);

    let server = with(&|offer| {
        offer.only = vec!["*".to_owned()];
        offer.except = vec!["sea*".to_owned(), "x?".to_owned()];
    });
    let mut client = Client::speak(&server, OLD[0], json!({})).await;
    assert_eq!(names(&mut client).await, ["b"]);
    let reported = place.reported.lock().unwrap().clone();
    assert_eq!(reported, ["no tool has a name like `x?`"]);

    let server = with(&|offer| offer.except = vec!["serch".to_owned(), "search".to_owned()]);
    let error = server.ready().await.unwrap_err().to_string();
    assert_eq!(error, "there is no tool `serch`; did you mean `search`?");
    let server = with(&|offer| offer.except = vec!["b".to_owned(), "search".to_owned()]);
    assert_eq!(
        server.ready().await.unwrap_err().to_string(),
        "there is no tool to serve"
    );
    let served = Client::connect(&server).serving.await.unwrap();
    assert_eq!(served.unwrap_err().to_string(), "there is no tool to serve");
}

#[tokio::test]
async fn a_changed_program_or_manifest_is_told_to_whoever_listens() {
    let place = Place::new();
    program(&place, "tool", &["one"]);
    let manifest = place.path("toolwire.toml");
    std::fs::write(&manifest, "[tools.first]\ncommand = './tool'\n").unwrap();
    let mut options = place.options(Vec::new());
    options.offer.manifest = Some(ManifestOffer {
        path: Some(manifest.clone()),
        ..ManifestOffer::default()
    });
    let server = Server::start(options);
    let mut old = Client::speak(&server, OLD[0], json!({})).await;
    assert_eq!(names(&mut old).await, ["first"]);
    let mut new = Client::speak(&server, NEW, json!({})).await;
    let listen = json!({ "notifications": { "toolsListChanged": true } });
    let id = new.begin("subscriptions/listen", listen).await;
    let told = new
        .notified("notifications/subscriptions/acknowledged")
        .await;
    assert_eq!(
        told["params"]["notifications"],
        json!({ "toolsListChanged": true })
    );

    let second = "[tools.first]\ncommand = './tool'\n[tools.second]\ncommand = ['./tool']\n";
    std::fs::write(&manifest, second).unwrap();
    old.notified("notifications/tools/list_changed").await;
    let told = new.notified("notifications/tools/list_changed").await;
    let subscription = &told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
    assert_eq!(*subscription, json!(id), "{told}");
    assert_eq!(names(&mut old).await, ["first", "second"]);

    // A mistake is reported, and the tools stay.
    std::fs::write(&manifest, "tools = 7").unwrap();
    let begun = std::time::Instant::now();
    while place.reported.lock().unwrap().is_empty() {
        assert!(begun.elapsed().as_secs() < 30);
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let reported = place.reported.lock().unwrap().join("\n");
    assert!(
        reported.contains("the tools stay as they were") && reported.contains("toolwire.toml:1"),
        "{reported}"
    );
    assert_eq!(names(&mut old).await, ["first", "second"]);

    // What the program says of itself counts as well.
    std::fs::write(&manifest, second).unwrap();
    let described =
        describes(&["one"]).replace(r#""type":"object""#, r#""title":"T","type":"object""#);
    std::fs::write(place.path("tool"), described).unwrap();
    old.notified("notifications/tools/list_changed").await;
}

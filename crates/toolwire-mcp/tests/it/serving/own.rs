//! The tools of the server itself: more tools than a host wants to send, weaker clients, and long results.

use serde_json::{Value, json};
use toolwire_host::{Command, KeptOptions};
use toolwire_mcp::server::{ServeOptions, Server};

use super::client::{Client, NEW, OLD, Place, kit, text};

/// A script with tools, in JSON, that runs `body` with a call in `$call`.
fn tool(place: &Place, tools: &Value, body: &str) -> Command {
    let described =
        json!({ "content": [], "structuredContent": { "toolwire": 1, "tools": tools } });
    let text = format!(
        "# toolwire-tool: 1\ncall=$(cat)\ncase \"$call\" in\n*'\"describe\"'*) cat <<'END'\n{described}\nEND\n;;\n*) {body} ;;\nesac\n"
    );
    place.script("tool", &text)
}

fn described(name: &str, about: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    json!({ "name": name, "description": about, "inputSchema": schema })
}

async fn listed(client: &mut Client) -> Vec<Value> {
    let mut answer = client.request("tools/list", json!({})).await;
    let tools = answer["result"]["tools"].take();
    let Value::Array(tools) = tools else {
        panic!("{answer}");
    };
    tools
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

/// The handle that a text names.
fn handle(text: &str) -> String {
    let rest = text
        .split_once("handle=")
        .unwrap_or_else(|| panic!("{text}"))
        .1;
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

#[tokio::test]
async fn many_tools_are_searched_and_called_through_two() {
    let place = Place::new();
    let mut tools: Vec<Value> = (0..200)
        .map(|n| described(&format!("get_thing_{n}"), "Get a thing."))
        .collect();
    tools.push(described("removeFile", "Delete something for good."));
    let program = tool(&place, &json!(tools), "printf 'called %s' \"$call\"");
    let options = ServeOptions {
        search_above: Some(200),
        ..place.options(vec![program])
    };
    let server = Server::start(options);
    for revision in [OLD[0], NEW] {
        let mut client = Client::speak(&server, revision, json!({})).await;
        assert_eq!(
            names(&listed(&mut client).await),
            ["call_tool", "search_tools"]
        );
        let found = client
            .call("search_tools", json!({ "query": "remove the files" }))
            .await;
        let (first, others) = text(&found).split_once('\n').unwrap();
        let first: Value = serde_json::from_str(first).unwrap();
        assert_eq!(first["name"], "removeFile");
        assert_eq!(first["inputSchema"]["properties"]["path"]["type"], "string");
        assert!(!others.contains("get_thing"), "{others}");
        let many = client
            .call("search_tools", json!({ "query": "thing", "limit": 2 }))
            .await;
        let many = text(&many);
        assert_eq!(many.matches("inputSchema").count(), 2);
        assert!(many.contains("Less like it") && many.len() < 2000, "{many}");
        let none = client
            .call("search_tools", json!({ "query": "zebra" }))
            .await;
        assert!(text(&none).starts_with("No tool has these words"));

        let call = json!({ "name": "removeFile", "arguments": { "path": "a" } });
        let called = client.call("call_tool", call).await;
        assert!(text(&called).contains(r#""name":"removeFile""#), "{called}");
        assert!(text(&called).contains(r#""path":"a""#), "{called}");
        // What one has the name of is called as ever.
        let direct = client.call("removeFile", json!({ "path": "a" })).await;
        assert!(text(&direct).starts_with("called"));
        let wrong = client.call("call_tool", json!({ "arguments": {} })).await;
        assert_eq!(wrong["result"]["isError"], true, "{wrong}");
        let unknown = client
            .call("call_tool", json!({ "name": "removeFiles" }))
            .await;
        assert_eq!(
            unknown["error"]["data"]["code"], "unknown_tool",
            "{unknown}"
        );
        let misfit = json!({ "name": "removeFile", "arguments": { "path": 7 } });
        let misfit = client.call("call_tool", misfit).await;
        assert!(text(&misfit).contains("/path"), "{misfit}");
    }
}

#[tokio::test]
async fn few_enough_tools_are_listed_as_they_are() {
    let place = Place::new();
    let options = ServeOptions {
        search_above: Some(7),
        ..place.options(vec![kit()])
    };
    let mut client = Client::speak(&Server::start(options), NEW, json!({})).await;
    assert_eq!(names(&listed(&mut client).await).len(), 7);
    let unknown = client.call("search_tools", json!({ "query": "ask" })).await;
    assert_eq!(unknown["error"]["data"]["code"], "unknown_tool");
}

#[tokio::test]
async fn a_tool_that_was_found_asks_as_ever() {
    let place = Place::new();
    let options = ServeOptions {
        search_above: Some(0),
        ..place.options(vec![kit()])
    };
    let capabilities = json!({ "elicitation": {} });
    let mut client = Client::speak(&Server::start(options), NEW, capabilities).await;
    let mut call = json!({ "name": "call_tool", "arguments": { "name": "ask", "arguments": {} } });
    let asked = client.request("tools/call", call.clone()).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let accept = |value: Value| json!({ "action": "accept", "content": { "answer": value } });
    let content = |id: &str, value: Value| {
        let schema =
            &asked["result"]["inputRequests"][id]["params"]["requestedSchema"]["properties"];
        let name = schema.as_object().unwrap().keys().next().unwrap().clone();
        let mut answer = accept(value.clone());
        answer["content"] = json!({ name: value });
        answer
    };
    call["inputResponses"] =
        json!({ "ok": content("ok", json!(true)), "times": content("times", json!(3)) });
    call["requestState"] = asked["result"]["requestState"].clone();
    let done = client.request("tools/call", call).await;
    assert!(text(&done).contains(r#""times": 3"#), "{done}");
}

#[tokio::test]
async fn a_name_of_the_servers_own_tools_is_refused() {
    let place = Place::new();
    let program = tool(
        &place,
        &json!([described("call_tool", "Call.")]),
        "echo called",
    );
    let options = ServeOptions {
        search_above: Some(0),
        ..place.options(vec![program])
    };
    let error = Server::start(options.clone()).ready().await.unwrap_err();
    assert!(error.to_string().contains("`call_tool`"), "{error}");
    let options = ServeOptions {
        search_above: None,
        ..options
    };
    let mut client = Client::speak(&Server::start(options), OLD[0], json!({})).await;
    assert_eq!(text(&client.call("call_tool", json!({})).await), "called\n");
}

#[tokio::test]
async fn weaker_clients_are_shown_plain_schemas() {
    let place = Place::new();
    let referring = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "properties": { "a": { "$ref": "#/$defs/A" } }, "$defs": { "A": { "type": "string", "maxLength": 3 } },
    });
    let circular = json!({
        "type": "object", "properties": { "tree": { "$ref": "#/$defs/T" } },
        "$defs": { "T": { "type": "object", "properties": { "left": { "$ref": "#/$defs/T" } } } },
    });
    let tools = json!([
        { "name": "circular", "inputSchema": circular, "outputSchema": circular },
        { "name": "plain", "inputSchema": { "type": "object" } },
        { "name": "referring", "inputSchema": referring },
    ]);
    let program = tool(&place, &tools, "echo called");
    let options = ServeOptions {
        plain_schemas: true,
        ..place.options(vec![program])
    };
    let mut client = Client::speak(&Server::start(options), OLD[1], json!({})).await;
    let tools = listed(&mut client).await;
    assert!(!json!(tools).to_string().contains("\"$"), "{tools:#?}");
    assert_eq!(
        tools[2]["inputSchema"]["properties"]["a"],
        json!({ "type": "string", "maxLength": 3 })
    );
    assert_eq!(tools[1]["inputSchema"], json!({ "type": "object" }));
    assert!(tools[0].get("outputSchema").is_none());
    let reported = place.reported.lock().unwrap().join("\n");
    assert!(
        reported.contains("the schema of `circular` is shown without"),
        "{reported}"
    );
    assert!(
        reported.contains("the schema of `referring` is shown in a plain form"),
        "{reported}"
    );
    assert!(!reported.contains("`plain`"), "{reported}");
    // What counts is the schema itself.
    let long = client.call("referring", json!({ "a": "long" })).await;
    assert_eq!(long["result"]["isError"], true, "{long}");
}

/// A server that keeps long results of a tool that writes 300,000 characters, and of one that gives a resource.
fn keeping(place: &Place) -> ServeOptions {
    let schema = json!({ "type": "object" });
    let output = json!({ "type": "object", "properties": { "n": { "type": "integer" } } });
    let tools = json!([
        { "name": "big", "inputSchema": schema },
        { "name": "file", "inputSchema": schema },
        { "name": "typed", "inputSchema": schema, "outputSchema": output },
    ]);
    let body = r#"case "$call" in
        *'"name":"big"'*) printf begin; head -c 300000 /dev/zero | tr '\0' x; printf needle ;;
        *'"name":"typed"'*) echo '{"content":[],"structuredContent":{"n":1}}' ;;
        *) text=$(head -c 2000 /dev/zero | tr '\0' y)
           echo "{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"file:///a\",\"text\":\"$text\"}}]}" ;;
        esac"#;
    ServeOptions {
        keep: Some(KeptOptions::default()),
        ..place.options(vec![tool(place, &tools, body)])
    }
}

#[tokio::test]
async fn a_long_result_is_kept_for_its_principal() {
    let place = Place::new();
    let server = Server::start(keeping(&place));
    for revision in [OLD[0], NEW] {
        let mut client = Client::speak(&server, revision, json!({})).await;
        let tools = listed(&mut client).await;
        assert_eq!(names(&tools), ["big", "file", "kept_result", "typed"]);
        // The beginning of a result would not fit it.
        assert!(tools[3].get("outputSchema").is_none());
        let short = client.call("big", json!({})).await;
        assert!(short.to_string().len() < 6000);
        assert_eq!(short["result"]["resultType"] == "complete", revision == NEW);
        assert!(text(&short).contains("beginxxx"), "{short}");
        let handle = handle(text(&short));
        let search = json!({ "handle": handle, "search": "nee[d]le", "regex": true });
        let found = client.call("kept_result", search).await;
        assert!(text(&found).contains("1, byte 300005: …xxx"), "{found}");
        let read = client
            .call(
                "kept_result",
                json!({ "handle": handle, "from_byte": 300_000 }),
            )
            .await;
        assert!(text(&read).ends_with("xneedle"), "{read}");
        let mut other = Client::of(&server, "bob", json!({}));
        let refused = other.call("kept_result", json!({ "handle": handle })).await;
        let unknown = other.call("kept_result", json!({ "handle": "00" })).await;
        assert_eq!(refused["result"], unknown["result"]);
        assert_eq!(refused["result"]["isError"], true);
    }
}

#[tokio::test]
async fn a_resource_is_given_once_in_a_session() {
    let place = Place::new();
    let server = Server::start(keeping(&place));
    let mut client = Client::speak(&server, OLD[1], json!({})).await;
    let first = client.call("file", json!({})).await;
    assert_eq!(first["result"]["content"][0]["type"], "resource");
    let again = client.call("file", json!({})).await;
    assert!(
        text(&again).contains("call 1 of this session, of `file`"),
        "{again}"
    );
    let read = client
        .call("kept_result", json!({ "handle": handle(text(&again)) }))
        .await;
    assert!(text(&read).ends_with("yyy"), "{read}");
    let mut other = Client::speak(&server, OLD[1], json!({})).await;
    let first = other.call("file", json!({})).await;
    assert_eq!(first["result"]["content"][0]["type"], "resource");
}

#[tokio::test]
async fn the_result_of_a_task_is_shortened_too() {
    let place = Place::new();
    let mut options = keeping(&place);
    let tasks = options.tasks.as_mut().unwrap();
    tasks.policy = toolwire_host::manifest::TaskPolicy::Required;
    let capabilities = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let mut client = Client::speak(&Server::start(options), NEW, capabilities).await;
    let task = client.call("big", json!({})).await;
    let id = task["result"]["taskId"].clone();
    let mut got = client.request("tasks/get", json!({ "taskId": id })).await;
    assert_eq!(got["result"]["status"], "completed", "{got}");
    assert!(got.to_string().len() < 6000);
    let result = json!({ "result": got["result"]["result"].take() });
    let read = json!({ "handle": handle(text(&result)), "from_byte": 300_000 });
    assert!(text(&client.call("kept_result", read).await).ends_with("xneedle"));
}

#[tokio::test]
async fn nothing_is_kept_unless_it_is_wanted() {
    let place = Place::new();
    let options = ServeOptions {
        keep: None,
        ..keeping(&place)
    };
    let mut client = Client::speak(&Server::start(options), OLD[0], json!({})).await;
    assert_eq!(names(&listed(&mut client).await), ["big", "file", "typed"]);
    let whole = client.call("big", json!({})).await;
    assert_eq!(text(&whole).len(), 300_011);
    let unknown = client.call("kept_result", json!({ "handle": "00" })).await;
    assert_eq!(unknown["error"]["data"]["code"], "unknown_tool");
}

//! Questions of tools, asked through the client.

use serde_json::{Value, json};
use toolwire_mcp::server::{ManifestOffer, Server};

use super::client::{Client, NEW, OLD, Place, kit, text};

/// What the tool has got, as it says itself.
fn got(answer: &Value) -> Value {
    serde_json::from_str(text(answer)).unwrap_or_else(|_| panic!("{answer}"))
}

fn accept(value: impl Into<Value>) -> Value {
    json!({ "action": "accept", "content": { "answer": value.into() } })
}

/// Sends the call again with these responses and the state of the last answer.
async fn retry(client: &mut Client, last: &Value, arguments: Value, responses: Value) -> Value {
    let state = last["result"]["requestState"].clone();
    let params = json!({
        "name": "ask", "arguments": arguments, "inputResponses": responses, "requestState": state,
    });
    client.request("tools/call", params).await
}

fn open(answer: &Value) -> Vec<&String> {
    assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
    answer["result"]["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .collect()
}

#[tokio::test]
async fn older_clients_are_asked_while_the_call_goes_on() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    for revision in OLD {
        let _ = std::fs::remove_file(place.path("runs"));
        let mut client = Client::speak(&server, revision, json!({ "elicitation": {} })).await;
        // The first answer to the second question does not fit.
        client.responses = vec![accept(true), accept(0), accept(2)];
        let got = got(&client.call("ask", json!({})).await);
        assert_eq!(got["answers"], json!({ "ok": true, "times": 2 }));
        assert_eq!(
            got["states"]["ok"],
            json!({ "state": "accepted", "source": "user" })
        );
        assert_eq!(place.runs(), 2, "once for each round");
        let asked: Vec<_> = client
            .requested
            .iter()
            .map(|asked| &asked["params"])
            .collect();
        assert_eq!(asked.len(), 3);
        assert_eq!(asked[0]["message"], "b exists already.\n\nReplace?");
        assert_eq!(asked[1]["message"], "How often?");
        let again = asked[2]["message"].as_str().unwrap();
        assert!(
            again.starts_with("The last answer does not fit: ") && again.ends_with("How often?"),
            "{again}"
        );
    }
}

#[tokio::test]
async fn older_clients_can_decline_and_leave_and_fail() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    let capabilities = json!({ "elicitation": {} });
    let mut client = Client::speak(&server, OLD[1], capabilities).await;
    client.responses = vec![
        json!({ "action": "decline" }),
        json!({ "action": "cancel" }),
    ];
    let states = got(&client.call("ask", json!({})).await)["states"].take();
    assert_eq!(
        states["ok"],
        json!({ "state": "declined", "source": "user" })
    );
    assert_eq!(
        states["times"],
        json!({ "state": "cancelled", "source": "user" })
    );

    // Whoever leaves at the first question is not asked the second.
    client.responses = vec![json!({ "action": "cancel" })];
    let states = got(&client.call("ask", json!({})).await)["states"].take();
    assert_eq!(states["times"]["state"], "cancelled");

    client.responses = vec![json!({ "nonsense": 1 }), accept(1)];
    let states = got(&client.call("ask", json!({})).await)["states"].take();
    assert_eq!(
        states["ok"],
        json!({ "state": "unavailable", "source": "policy" })
    );
    assert_eq!(states["times"]["state"], "accepted");
}

#[tokio::test]
async fn newer_clients_get_all_questions_at_once_and_the_tool_runs_once_with_all_answers() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    let mut client = Client::speak(&server, NEW, json!({ "elicitation": {} })).await;
    let arguments = json!({ "twice": true });
    let first = client.call("ask", arguments.clone()).await;
    assert_eq!(open(&first), ["ok", "times"]);
    let asked = &first["result"]["inputRequests"]["ok"];
    assert_eq!(asked["method"], "elicitation/create");
    assert_eq!(asked["params"]["message"], "b exists already.\n\nReplace?");
    assert_eq!(place.runs(), 1);

    // One response is missing, one does not fit, one is to nothing that was asked.
    let responses = json!({ "times": accept(0), "else": accept(true) });
    let second = retry(&mut client, &first, arguments.clone(), responses).await;
    assert_eq!(open(&second), ["ok", "times"]);
    let again = second["result"]["inputRequests"]["times"]["params"]["message"]
        .as_str()
        .unwrap();
    assert!(
        again.starts_with("The last answer does not fit: "),
        "{again}"
    );
    let third = retry(
        &mut client,
        &second,
        arguments.clone(),
        json!({ "times": accept(3) }),
    )
    .await;
    assert_eq!(open(&third), ["ok"]);
    assert_eq!(place.runs(), 1, "nothing runs while anything is open");

    let fourth = retry(
        &mut client,
        &third,
        arguments.clone(),
        json!({ "ok": accept(false) }),
    )
    .await;
    assert_eq!(open(&fourth), ["again"]);
    assert_eq!(place.runs(), 2);
    let last = retry(
        &mut client,
        &fourth,
        arguments,
        json!({ "again": accept(true) }),
    )
    .await;
    let answers = json!({ "ok": false, "times": 3, "again": true });
    assert_eq!(got(&last)["answers"], answers);
    assert_eq!(last["result"]["resultType"], "complete");
    assert_eq!(place.runs(), 3, "no round is repeated");
}

#[tokio::test]
async fn newer_clients_can_decline_and_leave_and_give_up_on_wrong_answers() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    let mut client = Client::speak(&server, NEW, json!({ "elicitation": {} })).await;
    let first = client.call("ask", json!({})).await;
    let responses = json!({ "ok": { "action": "decline" }, "times": accept(1) });
    let answer = retry(&mut client, &first, json!({}), responses).await;
    assert_eq!(
        got(&answer)["states"]["ok"],
        json!({ "state": "declined", "source": "user" })
    );

    // Whoever leaves is not asked for what is missing. The state is as good as it was.
    let responses = json!({ "ok": { "action": "cancel" } });
    let answer = retry(&mut client, &first, json!({}), responses).await;
    let states = &got(&answer)["states"];
    assert_eq!(
        (&states["ok"]["state"], &states["times"]["state"]),
        (&json!("cancelled"), &json!("cancelled"))
    );

    let mut last = first.clone();
    for _ in 0..2 {
        let responses = json!({ "ok": accept(true), "times": accept("many") });
        last = retry(&mut client, &last, json!({}), responses).await;
        assert_eq!(open(&last), ["times"]);
        // A retry with nothing in it gives no new tries.
        last = retry(&mut client, &last, json!({}), json!({})).await;
        assert_eq!(open(&last), ["times"]);
    }
    let answer = retry(
        &mut client,
        &last,
        json!({}),
        json!({ "times": accept("many") }),
    )
    .await;
    assert_eq!(
        got(&answer)["states"]["times"],
        json!({ "state": "unavailable", "source": "user" })
    );
}

#[tokio::test]
async fn responses_without_a_state_are_to_what_the_tool_asks_first() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    let mut client = Client::speak(&server, NEW, json!({ "elicitation": {} })).await;
    let mut begin = async |arguments: Value, responses: Value| {
        let params = json!({ "name": "ask", "arguments": arguments, "inputResponses": responses });
        client.request("tools/call", params).await
    };
    let all = json!({ "ok": accept(true), "times": accept(2), "else": accept(1) });
    let answers = json!({ "ok": true, "times": 2 });
    assert_eq!(
        got(&begin(json!({}), all.clone()).await)["answers"],
        answers
    );
    assert_eq!(place.runs(), 2);
    // They are checked, and good for one round alone.
    let some = json!({ "times": accept(0), "again": accept(true) });
    let answer = begin(json!({}), some).await;
    assert_eq!(open(&answer), ["ok", "times"]);
    let asked = &answer["result"]["inputRequests"]["times"]["params"]["message"];
    let asked = asked.as_str().unwrap();
    assert!(
        asked.starts_with("The last answer does not fit: "),
        "{asked}"
    );
    let mut all = all;
    all["again"] = accept(true);
    let answer = begin(json!({ "twice": true }), all).await;
    assert_eq!(open(&answer), ["again"]);
}

#[tokio::test]
async fn a_client_without_elicitation_is_told_of_other_ways() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    for revision in OLD {
        let mut client = Client::speak(&server, revision, json!({})).await;
        let answer = client.call("ask", json!({ "needs": true })).await;
        assert_eq!(answer["result"]["isError"], true);
        assert!(text(&answer).contains("Ada has no way to ask you for an answer here"));
        // A tool that needs no answer gets its turn.
        let answer = client.call("ask", json!({})).await;
        assert!(text(&answer).contains("unavailable"), "{answer}");
    }
    let mut client = Client::speak(&server, NEW, json!({})).await;
    let answer = client.call("ask", json!({ "needs": true })).await;
    assert_eq!(answer["error"]["code"], -32021, "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("`ask` asks `"), "{message}");
    let required = &answer["error"]["data"]["requiredCapabilities"];
    assert_eq!(*required, json!({ "elicitation": { "form": {} } }));

    // The manifest knows another way.
    let kit = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/serving/kit.py");
    let manifest = format!(
        "[tools.ask]\ncommand = '{kit}'\ntool = 'ask'\n\
         [tools.ask.refusals.'*']\nup-front = 'the argument `ok`'\n"
    );
    let path = place.path("toolwire.toml");
    std::fs::write(&path, manifest).unwrap();
    let mut options = place.options(Vec::new());
    options.offer.manifest = Some(ManifestOffer {
        path: Some(path),
        ..ManifestOffer::default()
    });
    let server = Server::start(options);
    let mut client = Client::speak(&server, NEW, json!({})).await;
    let answer = client.call("ask", json!({ "needs": true })).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert!(text(&answer).contains("the argument `ok`"));
}

#[tokio::test]
async fn a_page_is_opened_by_clients_that_can_and_the_tool_looks_again() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    let can = json!({ "elicitation": { "url": {} } });
    let mut client = Client::speak(&server, OLD[1], can.clone()).await;
    client.responses = vec![
        json!({ "action": "accept" }),
        json!({ "action": "decline" }),
    ];
    assert_eq!(text(&client.call("page", json!({})).await), "opened");
    let asked = &client.requested[0]["params"];
    assert_eq!(
        (&asked["mode"], &asked["url"]),
        (&json!("url"), &json!("https://example.com/login"))
    );
    assert_eq!(text(&client.call("page", json!({})).await), "declined");

    let mut client = Client::speak(&server, NEW, can).await;
    let first = client.call("page", json!({})).await;
    assert_eq!(
        first["result"]["inputRequests"]["login"]["params"]["mode"], "url",
        "{first}"
    );
    let params = json!({
        "name": "page", "arguments": {}, "requestState": first["result"]["requestState"],
        "inputResponses": { "login": { "action": "accept" } },
    });
    assert_eq!(text(&client.request("tools/call", params).await), "opened");

    // The others are told so; in the oldest revision there are no pages.
    let mut client = Client::speak(&server, NEW, json!({ "elicitation": {} })).await;
    let answer = client.call("page", json!({})).await;
    let required = &answer["error"]["data"]["requiredCapabilities"];
    assert!(
        answer["result"]["isError"] == true || *required == json!({ "elicitation": { "url": {} } }),
        "{answer}"
    );
    let mut client = Client::speak(&server, OLD[0], json!({ "elicitation": {} })).await;
    let answer = client.call("page", json!({})).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
}

#[tokio::test]
async fn many_calls_at_once_lose_and_mix_up_nothing() {
    let place = Place::new();
    let tool = place.script(
        "own",
        r#"# toolwire-tool: 1
        read -r call || true
        n=${call##*\"n\":}; n=${n%%[!0-9]*}
        case $call in
        *'"describe"'*) echo '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"own","inputSchema":{"type":"object"}}]}}' ;;
        *"\"q$n\":true"*) echo "{\"content\":[{\"type\":\"text\",\"text\":\"$n answered\"}]}" ;;
        *'"asks":true'*) echo "{\"content\":[{\"type\":\"question\",\"question\":{\"id\":\"q$n\",\"text\":\"$n?\",\"schema\":{\"type\":\"boolean\"}}}]}" ;;
        *) echo "{\"content\":[{\"type\":\"text\",\"text\":\"$n\"}]}" ;;
        esac"#,
    );
    let server = Server::start(place.options(vec![tool]));
    let mut client = Client::speak(&server, NEW, json!({ "elicitation": {} })).await;
    const ALL: u64 = 300;
    const AT_ONCE: usize = 32;
    let mut begun: std::collections::BTreeMap<u64, u64> = Default::default();
    let (mut next, mut done) = (0, 0);
    while done < ALL {
        while next < ALL && begun.len() < AT_ONCE {
            let arguments = json!({ "asks": next % 3 == 0, "n": next });
            let params = json!({ "name": "own", "arguments": arguments });
            begun.insert(client.begin("tools/call", params).await, next);
            next += 1;
        }
        let line = client.next_line().await.unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        let n = begun
            .remove(&answer["id"].as_u64().unwrap())
            .expect("it was begun once");
        if let Some(state) = answer["result"].get("requestState") {
            assert_eq!(open(&answer), [&format!("q{n}")]);
            let params = json!({
                "name": "own", "arguments": { "asks": true, "n": n }, "requestState": state,
                "inputResponses": { format!("q{n}"): accept(true) },
            });
            begun.insert(client.begin("tools/call", params).await, n);
            continue;
        }
        let expected = if n.is_multiple_of(3) {
            format!("{n} answered")
        } else {
            n.to_string()
        };
        assert_eq!(text(&answer), expected, "{answer}");
        done += 1;
    }
    assert!(begun.is_empty());
    client.leave().await.unwrap();
}

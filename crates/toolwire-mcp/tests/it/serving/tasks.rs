//! Calls that go on as tasks.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use serde_json::{Value, json};
use toolwire_host::manifest::TaskPolicy;
use toolwire_mcp::server::{ManifestOffer, Offer, ServeOptions, Server, TaskOptions};

use super::client::{Client, NEW, OLD, Place, text};

const TASKS: &str = "io.modelcontextprotocol/tasks";

/// Longer than anything here takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// Tools that wait for a file, so that no test depends on how fast the machine is.
const TOOLS: &str = r#"
    [tools.slow]
    command = ["sh", "-c", "echo $$ > pid; while ! test -e go; do sleep 0.05; done; echo done"]
    plain = true
    [tools.now]
    command = ["echo", "at once"]
    plain = true
    [tools.never]
    command = ["sh", "-c", "sleep 0.3; echo done"]
    plain = true
    task = "never"
    [tools.required]
    command = ["echo", "at once"]
    plain = true
    task = "required"
    [tools.says]
    command = ["sh", "-c", "echo '{{\"type\":\"progress\",\"done\":2,\"total\":5,\"message\":\"copying\"}}' >> $TOOLWIRE_EVENTS; while ! test -e go; do sleep 0.05; done"]
    plain = true
    [tools.whole]
    command = "./whole.sh"
    parameters = {}
    [tools.asks]
    command = "./asks.sh"
    parameters = {}
"#;

/// Asks two things, the second one for a small number, both as often as there is no answer.
const ASKS: &str = r#"#!/bin/sh
call=$(cat)
while ! test -e go; do sleep 0.05; done
case "$call" in
*'"answers":{}'*)
    echo '{"content":[{"type":"question","question":{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}},{"type":"question","question":{"id":"times","text":"How often?","schema":{"type":"integer","maximum":3}}}]}' ;;
*) printf '%s' "$call" | sed 's/.*"answers":\({[^}]*}\).*/\1/' ;;
esac
"#;

/// Waits, and then has a result with everything.
const WHOLE: &str = r#"#!/bin/sh
cat > /dev/null
while ! test -e go; do sleep 0.05; done
echo '{"content":[{"type":"text","text":"moved"}],"structuredContent":{"n":12345678901234567890123,"shade":"'$SHADE'"},"_meta":{"example.org/x":1.50},"isError":true}'
"#;

pub fn capable() -> Value {
    json!({ "elicitation": {}, "extensions": { TASKS: {} } })
}

pub fn options(place: &Place, tasks: Option<TaskOptions>) -> ServeOptions {
    let path = place.path("toolwire.toml");
    std::fs::write(&path, TOOLS).unwrap();
    for (name, text) in [("asks.sh", ASKS), ("whole.sh", WHOLE)] {
        let script = place.path(name);
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let usual = place.options(Vec::new());
    let mut process = usual.process.clone();
    process.cwd = Some(place.folder.path().to_owned());
    ServeOptions {
        offer: Offer {
            manifest: Some(ManifestOffer {
                path: Some(path),
                names: Vec::new(),
            }),
            ..Offer::default()
        },
        process,
        tasks,
        ..usual
    }
}

pub fn soon() -> TaskOptions {
    TaskOptions {
        after: Duration::from_millis(100),
        ..TaskOptions::default()
    }
}

fn serve(place: &Place, tasks: TaskOptions) -> Server {
    Server::start(options(place, Some(tasks)))
}

pub fn id(answer: &Value) -> String {
    assert_eq!(answer["result"]["resultType"], "task", "{answer}");
    answer["result"]["taskId"].as_str().unwrap().to_owned()
}

pub fn error(answer: &Value) -> (i64, &str) {
    let error = &answer["error"];
    let code = error["code"].as_i64();
    let word = error["data"]["code"].as_str().unwrap_or_default();
    (code.unwrap_or_else(|| panic!("no error: {answer}")), word)
}

pub async fn get(client: &mut Client, id: &str) -> Value {
    let answer = client.request("tasks/get", json!({ "taskId": id })).await;
    answer.get("result").cloned().unwrap_or(answer)
}

/// The task once it has this status.
pub async fn until(client: &mut Client, id: &str, status: &str) -> Value {
    let polling = async {
        loop {
            let task = get(client, id).await;
            if task["status"] == status {
                return task;
            }
            assert!(
                ["working", "input_required"].contains(&task["status"].as_str().unwrap_or("")),
                "{task}"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, polling).await.unwrap()
}

/// The process of the tool `slow`, whose task somebody asks for until it runs.
pub async fn pid(place: &Place, client: &mut Client, id: &str) -> String {
    let running = async {
        loop {
            let pid = std::fs::read_to_string(place.path("pid")).unwrap_or_default();
            if pid.ends_with('\n') {
                return pid;
            }
            get(client, id).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, running).await.unwrap()
}

pub fn runs(pid: &str) -> bool {
    let asked = std::process::Command::new("kill")
        .args(["-0", pid.trim()])
        .output();
    asked.unwrap().status.success()
}

pub fn go(place: &Place) {
    std::fs::write(place.path("go"), "").unwrap();
}

#[tokio::test]
async fn a_call_that_takes_long_goes_on_as_a_task() {
    let place = Place::new();
    let patient = TaskOptions {
        after: PATIENCE,
        ..soon()
    };
    let mut client = Client::speak(&serve(&place, patient), NEW, capable()).await;
    let answer = client.call("now", json!({})).await;
    assert_eq!(text(&answer), "at once\n", "what is fast is answered");

    let server = serve(&place, soon());
    let mut client = Client::speak(&server, NEW, capable()).await;
    let created = client.call("slow", json!({})).await;
    let task = &created["result"];
    assert_eq!(task["status"], "working");
    assert!(task["ttlMs"].as_u64().unwrap() >= 3_600_000, "{task}");
    assert_eq!(task["pollIntervalMs"], 1000);
    let id = id(&created);
    assert!(id.len() >= 32, "192 bits: {id}");
    let working = get(&mut client, &id).await;
    assert_eq!(
        (&working["status"], &working["resultType"]),
        (&json!("working"), &json!("complete"))
    );
    go(&place);
    let done = until(&mut client, &id, "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "done\n", "{done}");
    assert_eq!(done["createdAt"], task["createdAt"]);
    assert!(done["lastUpdatedAt"].as_str() >= done["createdAt"].as_str());
    // It stays, and to cancel what has ended changes nothing.
    let ack = client
        .request("tasks/cancel", json!({ "taskId": id }))
        .await;
    assert_eq!(ack["result"], json!({ "resultType": "complete" }));
    assert_eq!(get(&mut client, &id).await["status"], "completed");
}

#[tokio::test]
async fn only_those_who_declare_tasks_get_them() {
    let place = Place::new();
    go(&place);
    let server = serve(
        &place,
        TaskOptions {
            after: Duration::ZERO,
            ..soon()
        },
    );
    let mut client = Client::speak(&server, NEW, json!({})).await;
    assert_eq!(text(&client.call("slow", json!({})).await), "done\n");
    let refused = client.call("required", json!({})).await;
    assert_eq!(error(&refused).0, -32021);
    let needed = &refused["error"]["data"]["requiredCapabilities"]["extensions"];
    assert_eq!(needed[TASKS], json!({}), "{refused}");
    let get = json!({ "taskId": "x" });
    assert_eq!(
        error(&client.request("tasks/get", get.clone()).await).0,
        -32021
    );

    // Older revisions have no such extension, whatever they declare.
    let mut old = Client::speak(&server, OLD[1], capable()).await;
    assert_eq!(text(&old.call("slow", json!({})).await), "done\n");
    assert_eq!(error(&old.call("required", json!({})).await).0, -32021);
    assert_eq!(error(&old.request("tasks/get", get).await).0, -32601);

    let mut client = Client::speak(&server, NEW, capable()).await;
    let found = client.request("server/discover", json!({})).await;
    assert_eq!(
        found["result"]["capabilities"]["extensions"][TASKS],
        json!({})
    );
    let created = client.call("required", json!({})).await;
    let done = until(&mut client, &id(&created), "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "at once\n");
    let answer = client.call("never", json!({})).await;
    assert_eq!(text(&answer), "done\n", "the manifest says never");
}

#[tokio::test]
async fn a_server_without_tasks_offers_none() {
    let place = Place::new();
    go(&place);
    let server = Server::start(options(&place, None));
    let mut client = Client::speak(&server, NEW, capable()).await;
    let found = client.request("server/discover", json!({})).await;
    assert!(
        found["result"]["capabilities"].get("extensions").is_none(),
        "{found}"
    );
    let listed = client.request("tools/list", json!({})).await;
    let names = listed["result"]["tools"].as_array().unwrap();
    assert!(
        names.iter().all(|tool| tool["name"] != "required"),
        "{listed}"
    );
    let reported = place.reported.lock().unwrap().join("\n");
    assert!(reported.contains("`required` is not served"), "{reported}");
    let answer = client.request("tasks/get", json!({ "taskId": "x" })).await;
    assert_eq!(error(&answer).0, -32601);
}

#[tokio::test]
async fn questions_of_a_task_are_answered_by_keys_that_are_used_once() {
    let place = Place::new();
    let server = serve(&place, soon());
    let mut client = Client::speak(&server, NEW, capable()).await;
    let id = id(&client.call("asks", json!({})).await);
    go(&place);
    let waiting = until(&mut client, &id, "input_required").await;
    let requests = waiting["inputRequests"].as_object().unwrap();
    assert_eq!(requests["ok"]["method"], "elicitation/create");
    assert_eq!(requests["times"]["params"]["message"], "How often?");

    // What is not asked is ignored, and what does not fit is asked again by another key.
    let accept = |value: Value| json!({ "action": "accept", "content": { "answer": value } });
    let responses = json!({ "times": accept(json!(9)), "other": accept(json!(1)) });
    let params = json!({ "taskId": id, "inputResponses": responses });
    let ack = client.request("tasks/update", params).await;
    assert_eq!(ack["result"], json!({ "resultType": "complete" }));
    let waiting = get(&mut client, &id).await;
    let keys: Vec<_> = waiting["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(keys, ["ok", "times#2"], "{waiting}");
    let again = &waiting["inputRequests"]["times#2"]["params"]["message"];
    assert!(
        again
            .as_str()
            .unwrap()
            .starts_with("The last answer does not fit: ")
    );

    // A key that is not outstanding any more answers nothing.
    let responses = json!({ "ok": accept(json!(true)), "times": accept(json!(1)) });
    let params = json!({ "taskId": id, "inputResponses": responses });
    client.request("tasks/update", params).await;
    let waiting = get(&mut client, &id).await;
    let keys: Vec<_> = waiting["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(keys, ["times#2"], "{waiting}");
    let params = json!({ "taskId": id, "inputResponses": { "times#2": accept(json!(2)) } });
    client.request("tasks/update", params).await;
    let done = until(&mut client, &id, "completed").await;
    let answers: Value =
        serde_json::from_str(done["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(answers, json!({ "ok": true, "times": 2 }));
}

#[tokio::test]
async fn to_cancel_a_task_ends_its_tool() {
    let place = Place::new();
    let server = serve(&place, soon());
    let mut client = Client::speak(&server, NEW, capable()).await;
    let running = id(&client.call("slow", json!({})).await);
    let pid = pid(&place, &mut client, &running).await;
    client
        .request("tasks/cancel", json!({ "taskId": running }))
        .await;
    let ended = until(&mut client, &running, "cancelled").await;
    assert!(
        ended.get("result").is_none() && ended.get("error").is_none(),
        "{ended}"
    );
    assert!(!runs(&pid), "the tool still runs");

    let waits = id(&client.call("asks", json!({})).await);
    go(&place);
    until(&mut client, &waits, "input_required").await;
    client
        .request("tasks/cancel", json!({ "taskId": waits }))
        .await;
    until(&mut client, &waits, "cancelled").await;
}

#[tokio::test]
async fn a_task_outlives_its_connection_only_for_its_principal() {
    let place = Place::new();
    let server = serve(&place, soon());
    let mut client = Client::speak(&server, NEW, capable()).await;
    go(&place);
    let mine = id(&client.call("required", json!({})).await);
    client.leave().await.unwrap();
    let mut client = Client::speak(&server, NEW, capable()).await;
    assert_eq!(get(&mut client, &mine).await["status"], "completed");

    let mut other = Client::of(&server, "bob", capable());
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let mut answers = Vec::new();
        for id in [mine.as_str(), "unknown"] {
            let params = json!({ "taskId": id, "inputResponses": {} });
            let answer = other.request(method, params).await;
            assert_eq!(error(&answer), (-32602, "unknown_task"), "{method}");
            answers.push(answer["error"].clone());
        }
        assert_eq!(answers[0], answers[1], "they can be told apart");
    }
}

#[tokio::test]
async fn a_task_that_nobody_asks_for_is_ended_and_forgotten() {
    let place = Place::new();
    let tasks = TaskOptions {
        lifetime: Duration::from_secs(4),
        ..soon()
    };
    let server = serve(&place, tasks);
    let mut client = Client::speak(&server, NEW, capable()).await;
    let slow = id(&client.call("slow", json!({})).await);
    let pid = pid(&place, &mut client, &slow).await;
    let gone = async {
        while runs(&pid) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // Then it is kept as one that has ended, and not longer for being asked for.
        while get(&mut client, &slow).await.get("error").is_none() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.unwrap();
    let answer = client.request("tasks/get", json!({ "taskId": slow })).await;
    assert_eq!(error(&answer), (-32602, "unknown_task"));
}

#[tokio::test]
async fn tasks_and_their_results_are_bounded() {
    let place = Place::new();
    let tasks = TaskOptions {
        max_tasks: 2,
        max_bytes: 100,
        policy: TaskPolicy::Required,
        ..soon()
    };
    let server = serve(&place, tasks);
    let mut client = Client::speak(&server, NEW, capable()).await;
    let first = id(&client.call("now", json!({})).await);
    let second = id(&client.call("now", json!({})).await);
    // One result of about 70 bytes has room. Nobody has fetched the first, so it stays.
    let failed = get(&mut client, &second).await;
    assert_eq!(
        (&failed["status"], &failed["error"]["code"]),
        (&json!("failed"), &json!(-32603))
    );
    assert!(
        failed["error"]["message"]
            .as_str()
            .unwrap()
            .contains("at most 100"),
        "{failed}"
    );
    // The failed one was fetched, and makes room; then there is none for another.
    let third = id(&client.call("now", json!({})).await);
    assert!(get(&mut client, &second).await.get("error").is_some());
    let full = client.call("now", json!({})).await;
    assert_eq!(full["result"]["isError"], true, "{full}");
    assert!(
        text(&full).contains("there are 2 tasks, which is the most"),
        "{full}"
    );
    for (id, status) in [(first, "completed"), (third, "failed")] {
        assert_eq!(get(&mut client, &id).await["status"], status);
    }
}

#[tokio::test]
async fn progress_is_the_status_message() {
    let place = Place::new();
    let server = serve(&place, soon());
    let mut client = Client::speak(&server, NEW, capable()).await;
    let id = id(&client.call("says", json!({})).await);
    let polling = async {
        loop {
            let task = get(&mut client, &id).await;
            if task["statusMessage"] == "2 of 5: copying" {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, polling).await.unwrap();
    go(&place);
    until(&mut client, &id, "completed").await;
}

#[tokio::test]
async fn who_listens_is_told_of_every_change() {
    let place = Place::new();
    let server = serve(&place, soon());
    let mut client = Client::speak(&server, NEW, capable()).await;
    let id = id(&client.call("slow", json!({})).await);
    let filter = json!({ "taskIds": [id, "unknown"], "toolsListChanged": true });
    let listening = client
        .begin("subscriptions/listen", json!({ "notifications": filter }))
        .await;
    let acknowledged = client
        .notified("notifications/subscriptions/acknowledged")
        .await;
    let accepted = json!({ "taskIds": [id], "toolsListChanged": true });
    assert_eq!(acknowledged["params"]["notifications"], accepted);
    let subscription = &acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
    assert_eq!(*subscription, listening);
    let told = client.notified("notifications/tasks").await;
    assert_eq!(
        (&told["params"]["taskId"], &told["params"]["status"]),
        (&json!(id), &json!("working"))
    );
    go(&place);
    let mut told = client.notified("notifications/tasks").await;
    while told["params"]["status"] == "working" {
        told = client.notified("notifications/tasks").await;
    }
    assert_eq!(
        told["params"]["result"]["content"][0]["text"], "done\n",
        "{told}"
    );
    assert_eq!(
        told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        listening
    );

    let mut without = Client::speak(&server, NEW, json!({})).await;
    let filter = json!({ "notifications": { "taskIds": [id] } });
    assert_eq!(
        error(&without.request("subscriptions/listen", filter).await).0,
        -32021
    );
}

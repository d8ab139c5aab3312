//! Tasks that are kept by another process than the server's, which may end before them. Here the keeper is
//! in the process of the tests; `serve_tasks.rs` of the command has real ones.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use toolwire_mcp::server::{ServeOptions, Server, TaskKeeper, TaskLink, TaskOptions};

use super::client::{Client, NEW, Place, text};
use super::tasks::{capable, error, get, go, id, options, pid, runs, soon, until};

const PATIENCE: Duration = Duration::from_secs(60);

/// The way to a keeper, through a pipe.
pub fn link(keeper: &Arc<TaskKeeper>) -> TaskLink {
    let keeper = Arc::clone(keeper);
    TaskLink::new(move |_| {
        let keeper = Arc::clone(&keeper);
        async move {
            let (ours, theirs) = tokio::io::duplex(64 * 1024);
            let (read, write) = tokio::io::split(theirs);
            tokio::spawn(async move { keeper.serve(read, write).await });
            let (read, write) = tokio::io::split(ours);
            Ok(Some((Box::new(read) as _, Box::new(write) as _)))
        }
    })
}

fn server(place: &Place, keeper: &Arc<TaskKeeper>, tasks: TaskOptions) -> Server {
    Server::start(ServeOptions {
        task_link: Some(link(keeper)),
        ..options(place, Some(tasks))
    })
}

/// A server that has ended, and the one after it: each has nothing but the keeper in common.
async fn client(place: &Place, keeper: &Arc<TaskKeeper>) -> Client {
    Client::speak(&server(place, keeper, soon()), NEW, capable()).await
}

#[tokio::test]
async fn the_next_server_finds_a_task_and_its_whole_result() {
    let (place, keeper) = (Place::new(), Arc::new(TaskKeeper::new()));
    let mut first = client(&place, &keeper).await;
    let id = id(&first.call("whole", json!({})).await);
    assert_eq!(get(&mut first, &id).await["status"], "working");
    assert_eq!(keeper.list()[0].tool, "whole");
    first.leave().await.unwrap();

    let mut second = client(&place, &keeper).await;
    assert_eq!(get(&mut second, &id).await["status"], "working");
    second.leave().await.unwrap();
    go(&place);
    let mut third = client(&place, &keeper).await;
    let done = until(&mut third, &id, "completed").await;
    let result = &done["result"];
    assert_eq!(result["content"][0]["text"], "moved", "{done}");
    assert_eq!(result["_meta"]["example.org/x"], 1.5);
    assert_eq!(result["isError"], true);
    let line = third.begin("tasks/get", json!({ "taskId": id })).await;
    let text = third.next_line().await.unwrap();
    assert!(text.contains(r#""n":12345678901234567890123"#), "{text}");
    assert!(text.contains(&format!(r#""id":{line}"#)), "{text}");
    let answer = third.request("tasks/get", json!({ "taskId": "x" })).await;
    assert_eq!(error(&answer), (-32602, "unknown_task"));
    keeper.close().await;
}

#[tokio::test]
async fn the_next_server_answers_questions_by_keys_that_are_used_once() {
    let (place, keeper) = (Place::new(), Arc::new(TaskKeeper::new()));
    let mut first = client(&place, &keeper).await;
    let id = id(&first.call("asks", json!({})).await);
    first.leave().await.unwrap();
    go(&place);
    let keys = |task: &Value| -> Vec<String> {
        let requests = task["inputRequests"].as_object().unwrap();
        requests.keys().cloned().collect()
    };
    let accept = |value: Value| json!({ "action": "accept", "content": { "answer": value } });
    let mut second = client(&place, &keeper).await;
    let waiting = until(&mut second, &id, "input_required").await;
    assert_eq!(keys(&waiting), ["ok", "times"]);
    let responses = json!({ "times": accept(json!(9)) });
    let params = json!({ "taskId": id, "inputResponses": responses });
    let ack = second.request("tasks/update", params).await;
    assert_eq!(ack["result"], json!({ "resultType": "complete" }));
    second.leave().await.unwrap();

    let mut third = client(&place, &keeper).await;
    let waiting = until(&mut third, &id, "input_required").await;
    assert_eq!(keys(&waiting), ["ok", "times#2"], "{waiting}");
    // The key that was used is nobody's any more.
    let responses = json!({ "ok": accept(json!(true)), "times": accept(json!(1)), "times#2": accept(json!(2)) });
    let params = json!({ "taskId": id, "inputResponses": responses });
    third.request("tasks/update", params).await;
    let done = until(&mut third, &id, "completed").await;
    let text = done["result"]["content"][0]["text"].as_str().unwrap();
    let answers: Value = serde_json::from_str(text).unwrap();
    assert_eq!(answers, json!({ "ok": true, "times": 2 }));
}

#[tokio::test]
async fn the_next_server_cancels_a_task_and_is_told_of_it() {
    let (place, keeper) = (Place::new(), Arc::new(TaskKeeper::new()));
    let mut first = client(&place, &keeper).await;
    let id = id(&first.call("slow", json!({})).await);
    let pid = pid(&place, &mut first, &id).await;
    first.leave().await.unwrap();
    assert!(runs(&pid), "it goes on");
    let mut second = client(&place, &keeper).await;
    let filter = json!({ "taskIds": [id, "unknown"], "toolsListChanged": true });
    let listening = second
        .begin("subscriptions/listen", json!({ "notifications": filter }))
        .await;
    let acknowledged = second
        .notified("notifications/subscriptions/acknowledged")
        .await;
    let accepted = json!({ "taskIds": [id], "toolsListChanged": true });
    assert_eq!(acknowledged["params"]["notifications"], accepted);
    // The keeper knows nothing of the list of tools.
    let manifest = place.path("toolwire.toml");
    let more = std::fs::read_to_string(&manifest).unwrap()
        + "\n[tools.more]\ncommand = [\"echo\", \"x\"]\nplain = true\n";
    std::fs::write(&manifest, more).unwrap();
    let changed = second.notified("notifications/tools/list_changed").await;
    let meta = &changed["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/subscriptionId"], listening);
    second
        .request("tasks/cancel", json!({ "taskId": id }))
        .await;
    let mut told = second.notified("notifications/tasks").await;
    while told["params"]["status"] == "working" {
        told = second.notified("notifications/tasks").await;
    }
    assert_eq!(told["params"]["status"], "cancelled");
    assert!(!runs(&pid), "the tool still runs");
    // Neither does who listens keep a server from ending.
    second.leave().await.unwrap();
}

#[tokio::test]
async fn a_call_that_is_no_task_yet_ends_with_its_server() {
    let (place, keeper) = (Place::new(), Arc::new(TaskKeeper::new()));
    let patient = TaskOptions {
        after: PATIENCE,
        ..soon()
    };
    let mut first = Client::speak(&server(&place, &keeper, patient), NEW, capable()).await;
    let call = json!({ "name": "slow", "arguments": {} });
    let number = first.begin("tools/call", call.clone()).await;
    let pid = pid(&place, &mut first, "none").await;
    // One that is cancelled ends, too, and nobody hears of it.
    first
        .notify("notifications/cancelled", json!({ "requestId": number }))
        .await;
    let gone = async {
        while runs(&pid) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.unwrap();
    std::fs::remove_file(place.path("pid")).unwrap();
    first.begin("tools/call", call).await;
    let pid = self::pid(&place, &mut first, "none").await;
    first.leave().await.unwrap();
    assert!(!runs(&pid), "the tool outlives its server");
    assert!(keeper.list().is_empty());
}

#[tokio::test]
async fn what_is_fast_is_answered_as_ever() {
    let (place, keeper) = (Place::new(), Arc::new(TaskKeeper::new()));
    let patient = TaskOptions {
        after: PATIENCE,
        ..soon()
    };
    let mut client = Client::speak(&server(&place, &keeper, patient), NEW, capable()).await;
    assert_eq!(text(&client.call("now", json!({})).await), "at once\n");
    assert_eq!(text(&client.call("never", json!({})).await), "done\n");
    let unknown = client.call("missing", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let misfit = client.call("now", json!({ "x": 1 })).await;
    assert_eq!(misfit["result"]["isError"], true, "{misfit}");
    go(&place);
    let params = json!({ "name": "says", "arguments": {}, "_meta": { "progressToken": "t" } });
    client.request("tools/call", params).await;
    let progress = client.notified("notifications/progress").await;
    let told = &progress["params"];
    assert_eq!(
        (&told["progressToken"], &told["message"]),
        (&json!("t"), &json!("copying"))
    );
    let asked = client.call("asks", json!({})).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let accept = |value: Value| json!({ "action": "accept", "content": { "answer": value } });
    let again = json!({
        "name": "asks", "arguments": {}, "requestState": asked["result"]["requestState"],
        "inputResponses": { "ok": accept(json!(true)), "times": accept(json!(2)) },
    });
    let answered = client.request("tools/call", again).await;
    assert!(text(&answered).contains("\"times\":2"), "{answered}");
    let created = client.call("required", json!({})).await;
    let done = until(&mut client, &id(&created), "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "at once\n");
    assert_eq!(keeper.list().len(), 1);
}

#[tokio::test]
async fn without_a_keeper_tasks_end_with_their_server_and_people_know() {
    let place = Place::new();
    go(&place);
    let server = Server::start(ServeOptions {
        task_link: Some(TaskLink::new(|_| async {
            Err("nobody is there".to_owned())
        })),
        ..options(&place, Some(soon()))
    });
    let mut client = Client::speak(&server, NEW, capable()).await;
    for _ in 0..2 {
        let created = client.call("required", json!({})).await;
        let done = until(&mut client, &id(&created), "completed").await;
        assert_eq!(done["result"]["content"][0]["text"], "at once\n");
    }
    let reported = place.reported.lock().unwrap().join("\n");
    assert_eq!(reported.matches("nobody is there").count(), 1, "{reported}");
}

#[tokio::test]
async fn a_keeper_that_is_gone_leaves_no_request_without_an_answer() {
    let place = Place::new();
    let keepers = Arc::new(std::sync::Mutex::new(Vec::new()));
    let taken = Arc::clone(&keepers);
    let link = TaskLink::new(move |_| {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        taken.lock().unwrap().push(theirs);
        let (read, write) = tokio::io::split(ours);
        async { Ok(Some((Box::new(read) as _, Box::new(write) as _))) }
    });
    let server = Server::start(ServeOptions {
        task_link: Some(link),
        ..options(&place, Some(soon()))
    });
    let mut client = Client::speak(&server, NEW, capable()).await;
    let call = json!({ "name": "now", "arguments": {} });
    let number = client.begin("tools/call", call).await;
    let gone = async {
        while keepers.lock().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.unwrap();
    keepers.lock().unwrap().clear();
    let answer = client.response(number).await;
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
}

//! rmcp's own client, which holds what it gets against its types.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, Implementation, ProtocolVersion,
};
use rmcp::service::RequestContext;
use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient, ServiceExt,
};
use serde_json::{Value, json};
use tokio::io::{DuplexStream, split};
use toolwire_mcp::server::{ServeOptions, Server, TaskKeeper, serve};

use super::client::{Place, kit};
use super::kept::link;
use super::tasks::{go, options, soon};

/// A client that says yes, and 2 to whatever wants a number.
#[derive(Clone)]
pub struct Person {
    pub version: ProtocolVersion,
    pub asked: Arc<AtomicUsize>,
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        let mut info = ClientConfig::new(capabilities, Implementation::new("person", "1"));
        info.protocol_version = self.version.clone();
        info
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let request = serde_json::to_value(&request).unwrap();
        let schema = &request["requestedSchema"]["properties"]["answer"]["type"];
        let value = if *schema == "boolean" {
            json!(true)
        } else {
            json!(2)
        };
        let result = ElicitResult::new(ElicitationAction::Accept);
        Ok(result.with_content(json!({ "answer": value })))
    }
}

pub const ALL: [ProtocolVersion; 3] = [
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

async fn converse(version: ProtocolVersion, ours: DuplexStream) {
    let asked = Arc::new(AtomicUsize::new(0));
    let person = Person {
        version: version.clone(),
        asked: Arc::clone(&asked),
    };
    let client = person.serve(ours).await.unwrap();

    let tools = client.list_all_tools().await.unwrap();
    assert_eq!(tools.len(), 7);
    assert_eq!(tools[0].title.as_deref(), Some("Ask"));
    let count = json!({ "n": 7 }).as_object().unwrap().clone();
    let result = client
        .call_tool(CallToolRequestParams::new("count").with_arguments(count))
        .await
        .unwrap();
    assert_eq!(result.structured_content, Some(json!({ "n": 7 })));
    let result = client
        .call_tool(CallToolRequestParams::new("ask"))
        .await
        .unwrap();
    let text = result.content[0].as_text().unwrap().text.clone();
    let got: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        got["answers"],
        json!({ "ok": true, "times": 2 }),
        "{version}"
    );
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn the_official_client_lists_calls_and_answers() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    for version in ALL {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (read, write) = split(theirs);
        let served = server.clone();
        let serving =
            tokio::spawn(async move { serve(&served, read, write, std::future::pending()).await });
        converse(version, ours).await;
        serving.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_handler_answers_over_any_transport_of_rmcp() {
    let place = Place::new();
    let server = Server::start(place.options(vec![kit()]));
    for version in ALL {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let handler = server.handler("");
        let serving =
            tokio::spawn(async move { handler.serve(theirs).await.unwrap().waiting().await });
        converse(version, ours).await;
        serving.await.unwrap().unwrap();
    }
    server.shutdown().await;
}

/// A client that knows tasks.
struct Patient;

impl ClientHandler for Patient {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder()
            .enable_elicitation()
            .enable_tasks()
            .build();
        let mut info = ClientConfig::new(capabilities, Implementation::new("patient", "1"));
        info.protocol_version = ProtocolVersion::V_2026_07_28;
        info
    }
}

/// A task of the tool that asks, from its creation to its result.
async fn follow(ours: DuplexStream, place: &Place) {
    let newest = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let client = Patient.serve_with_lifecycle(ours, newest).await.unwrap();
    let called = client.call_tool_once(CallToolRequestParams::new("asks"));
    let CallToolResponse::Task(created) = called.await.unwrap() else {
        panic!("it is no task");
    };
    let created = serde_json::to_value(&created).unwrap();
    assert_eq!(created["status"], "working");
    let id = json!({ "taskId": created["taskId"] });
    go(place);
    let until = async |status: &str| loop {
        let params = serde_json::from_value(id.clone()).unwrap();
        let task = client.get_task(params).await.unwrap();
        let task = serde_json::to_value(&task).unwrap();
        if task["status"] == status {
            return task;
        }
        let goes_on = ["working", "input_required"].map(|status| task["status"] == status);
        assert!(goes_on.contains(&true), "{task}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let waiting = until("input_required").await;
    assert_eq!(
        waiting["inputRequests"]["times"]["params"]["message"],
        "How often?"
    );
    let accept = |value: Value| json!({ "action": "accept", "content": { "answer": value } });
    let mut responses = id.clone();
    responses["inputResponses"] = json!({ "ok": accept(json!(true)), "times": accept(json!(2)) });
    let responses = serde_json::from_value(responses).unwrap();
    client.update_task(responses).await.unwrap();
    let done = until("completed").await;
    let text = done["result"]["content"][0]["text"].as_str().unwrap();
    let answers: Value = serde_json::from_str(text).unwrap();
    assert_eq!(answers, json!({ "ok": true, "times": 2 }));
    // To cancel what has ended is acknowledged, and changes nothing.
    let params = serde_json::from_value(id.clone()).unwrap();
    client.cancel_task(params).await.unwrap();
    until("completed").await;
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn the_official_client_follows_a_task_wherever_it_is_kept() {
    for keeper in [None, Some(Arc::new(TaskKeeper::new()))] {
        let place = Place::new();
        let server = Server::start(ServeOptions {
            task_link: keeper.as_ref().map(link),
            ..options(&place, Some(soon()))
        });
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (read, write) = split(theirs);
        let serving =
            tokio::spawn(async move { serve(&server, read, write, std::future::pending()).await });
        let following = follow(ours, &place);
        let patience = std::time::Duration::from_secs(60);
        tokio::time::timeout(patience, following).await.unwrap();
        serving.await.unwrap().unwrap();
        assert!(keeper.is_none_or(|keeper| keeper.list().len() == 1));
    }
}

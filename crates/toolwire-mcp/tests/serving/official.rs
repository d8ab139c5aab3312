//! rmcp's own client, which holds what it gets against its types.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, Implementation, ProtocolVersion,
};
use rmcp::service::RequestContext;
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::io::{DuplexStream, split};
use toolwire_mcp::server::{Server, serve};

use crate::client::{Place, kit};

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

//! `toolwire_mcp::embed` in a server of rmcp, called by rmcp's own client.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientConfig, ElicitRequestParams, ElicitResult,
    ErrorData, ProtocolVersion, ServerConfig,
};
use rmcp::service::{
    ClientLifecycleMode, RequestContext, RoleServer, ServiceError, serve_client_with_lifecycle,
};
use rmcp::{ClientHandler, RoleClient, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use toolwire::build::{BlockOptions, EnvelopeOptions, envelope, text};
use toolwire::question::read_question;
use toolwire_mcp::embed::{Asked, ask, result};

const NAME: &str = r#"{"id":"name","text":"Your name?","schema":{"type":"string","minLength":2}}"#;
const PAGE: &str = r#"{"id":"login","text":"Sign in","schema":{},"url":"https://example.org/in"}"#;
const SECRET: &str =
    r#"{"id":"pin","text":"Your PIN?","schema":{"type":"string","writeOnly":true}}"#;

/// A server with one tool, which asks these questions and says what became of them.
struct Asks(Vec<&'static str>);

impl ServerHandler for Asks {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::default();
        info.capabilities.tools = Some(Default::default());
        info
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let questions: Vec<_> = self
            .0
            .iter()
            .map(|text| read_question(text).unwrap())
            .collect();
        let answers = match ask(&questions, &request, &context).await? {
            Asked::Answered(answers) => answers,
            Asked::Open(open) => return Ok(open.into()),
        };
        let told = answers.iter().map(|(id, answer)| {
            let value = answer.value().map_or("", |value| value.as_str());
            let source = answer.source().map(|source| source.as_str());
            format!("{id} {} {} {value}", answer.state(), source.unwrap_or("?"))
        });
        let told: Vec<String> = told.collect();
        let block = text(told.join(", "), BlockOptions::default()).unwrap();
        let told = envelope(vec![block], EnvelopeOptions::default()).unwrap();
        Ok(result(&told, &context)?.into())
    }
}

/// A client that gives these answers in turn.
struct Person {
    config: ClientConfig,
    given: Mutex<VecDeque<Value>>,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let request = serde_json::to_value(&request).unwrap();
        self.asked.lock().unwrap().push(request);
        let answer = self.given.lock().unwrap().pop_front().unwrap();
        Ok(serde_json::from_value(answer).unwrap())
    }
}

/// What the tool says, or the message of the error, and what the client was asked.
async fn call(
    version: &ProtocolVersion,
    elicitation: Value,
    questions: &[&'static str],
    given: &[Value],
) -> (String, Vec<Value>) {
    let capabilities = match elicitation {
        Value::Null => json!({}),
        elicitation => json!({ "elicitation": elicitation }),
    };
    let config = json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "clientInfo": {"name": "person", "version": "1"},
    });
    let asked = Arc::default();
    let person = Person {
        config: serde_json::from_value(config).unwrap(),
        given: Mutex::new(given.to_vec().into()),
        asked: Arc::clone(&asked),
    };
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let asks = Asks(questions.to_vec());
    let serving = tokio::spawn(async move {
        let service = asks.serve(theirs).await.unwrap();
        service.waiting().await.unwrap();
    });
    let lifecycle = match *version >= ProtocolVersion::V_2026_07_28 {
        true => ClientLifecycleMode::Discover {
            preferred_versions: vec![version.clone()],
        },
        false => ClientLifecycleMode::Initialize,
    };
    let client = serve_client_with_lifecycle(person, ours, lifecycle)
        .await
        .unwrap();
    let said = match client.call_tool(CallToolRequestParams::new("asks")).await {
        Ok(result) => result.content[0].as_text().unwrap().text.clone(),
        Err(ServiceError::McpError(error)) => error.message.into_owned(),
        Err(error) => panic!("{error}"),
    };
    client.cancel().await.unwrap();
    serving.await.unwrap();
    let asked = asked.lock().unwrap().clone();
    (said, asked)
}

const ALL: [ProtocolVersion; 3] = [
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

fn accept(answer: &str) -> Value {
    json!({"action": "accept", "content": {"answer": answer}})
}

#[tokio::test]
async fn what_a_user_does_becomes_an_answer() {
    for version in &ALL {
        for (given, expected) in [
            (accept("Ada"), "name accepted user \"Ada\""),
            (json!({"action": "decline"}), "name declined user "),
            (json!({"action": "cancel"}), "name cancelled user "),
        ] {
            let (said, asked) = call(version, json!({}), &[NAME], &[given]).await;
            assert_eq!(said, expected, "{version}");
            assert_eq!(asked[0]["message"], "Your name?");
        }
    }
}

#[tokio::test]
async fn a_page_is_opened_where_the_client_can() {
    let can = json!({"form": {}, "url": {}});
    for version in &ALL[1..] {
        for (action, state) in [
            ("accept", "opened"),
            ("decline", "declined"),
            ("cancel", "cancelled"),
        ] {
            let given = [json!({"action": action}), accept("Ada")];
            let (said, asked) = call(version, can.clone(), &[PAGE, NAME], &given[..]).await;
            assert_eq!(
                said,
                format!("login {state} user , name accepted user \"Ada\""),
                "{version}"
            );
            assert_eq!(asked[0]["url"], "https://example.org/in");
        }
    }
    // 2025-06-18 knows no pages, and nothing was declared in the other two.
    for (version, elicitation) in [
        (&ALL[0], can),
        (&ALL[1], json!({"form": {}})),
        (&ALL[2], Value::Null),
    ] {
        let (said, asked) = call(version, elicitation, &[PAGE], &[]).await;
        assert_eq!(said, "login unavailable policy ", "{version}");
        assert!(asked.is_empty());
    }
}

#[tokio::test]
async fn what_does_not_fit_does_not_reach_the_tool_and_a_secret_is_not_asked_for() {
    for version in &ALL {
        let given = [accept("A"), accept("Ada")];
        let (said, asked) = call(version, json!({}), &[NAME], &given).await;
        match *version >= ProtocolVersion::V_2026_07_28 {
            true => {
                assert_eq!(said, "name accepted user \"Ada\"");
                assert_eq!(asked.len(), 2);
            }
            false => assert!(said.contains("the answer to `name` does not fit"), "{said}"),
        }
        let (said, asked) = call(version, json!({}), &[SECRET, NAME], &[]).await;
        assert!(said.contains("secret"), "{said}");
        assert!(asked.is_empty());
    }
}

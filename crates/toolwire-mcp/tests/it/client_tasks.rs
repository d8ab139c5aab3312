//! A client that follows tasks to their end: of our own server, and of rmcp's.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{called, connect, text};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ContentBlock,
    CreateTaskResult, ErrorData, GetTaskParams, GetTaskResult, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, UpdateTaskParams,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use toolwire::Json;
use toolwire::call::Call;
use toolwire_host::{CallOptions, Conversation, Event, StopReason};
use toolwire_mcp::client::{Client, ClientOptions, Server, TaskWatcher};
use toolwire_mcp::server::{
    HttpOptions, HttpServer, ManifestOffer, Offer, ServeOptions, Server as Serving,
};

/// Longer than anything here takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a watcher has heard.
#[derive(Debug, Default)]
struct Heard {
    began: Mutex<Vec<String>>,
    left: Mutex<Vec<String>>,
    leaves: AtomicBool,
}

impl TaskWatcher for Heard {
    fn began(&self, id: &str) {
        self.began.lock().unwrap().push(id.to_owned());
    }

    fn leaves(&self) -> bool {
        self.leaves.load(Ordering::SeqCst)
    }

    fn left(&self, id: &str) {
        self.left.lock().unwrap().push(id.to_owned());
    }
}

fn options(heard: &Arc<Heard>) -> ClientOptions {
    ClientOptions {
        task_watcher: Some(Arc::clone(heard) as Arc<dyn TaskWatcher>),
        ..ClientOptions::default()
    }
}

/// Our own server, with tools that wait for the file `go`. It ends with its folder.
async fn ours(folder: &std::path::Path) -> Server {
    let manifest = folder.join("toolwire.toml");
    let asks = r#"case $(cat) in
        *'"answers":{}'*) while ! test -e go; do sleep 0.05; done; echo '{"content":[{"type":"question","question":{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}}]}' ;;
        *) echo went on ;; esac"#;
    std::fs::write(folder.join("asks.sh"), asks).unwrap();
    let tools = r#"
        [tools.slow]
        command = ["sh", "-c", "echo $$ > pid; while ! test -e go; do sleep 0.05; done; echo done"]
        plain = true
        [tools.asks]
        command = ["sh", "asks.sh"]
        parameters = {}
    "#;
    std::fs::write(&manifest, tools).unwrap();
    let offer = Offer {
        manifest: Some(ManifestOffer {
            path: Some(manifest),
            names: Vec::new(),
        }),
        ..Offer::default()
    };
    let mut options = ServeOptions::new(offer).unwrap();
    options.process.cwd = Some(folder.to_owned());
    let tasks = options.tasks.as_mut().unwrap();
    tasks.after = Duration::from_millis(100);
    tasks.poll = Duration::from_millis(50);
    let address = "127.0.0.1:0".parse().unwrap();
    let http = HttpServer::bind(HttpOptions {
        no_token: true,
        ..HttpOptions::new(address)
    });
    let http = http.await.unwrap();
    let url = http.url();
    tokio::spawn(async move {
        let server = Serving::start(options);
        http.serve(&server, std::future::pending()).await
    });
    Server::http(url)
}

/// rmcp's own server with its own tasks.
#[derive(Clone, Default)]
struct Theirs(TaskManager);

async fn job(name: String, context: TaskContext) -> Result<CallToolResult, TaskExit> {
    context.set_status_message("2 of 5: copying");
    match name.as_str() {
        "asks" => {
            let question = json!({ "method": "elicitation/create", "params": {
                "mode": "form", "message": "Who?",
                "requestedSchema": { "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] },
            } });
            let question = serde_json::from_value(question).unwrap();
            let answer = context.request_input("who", question).await?;
            let name = answer["content"]["name"].as_str().unwrap_or("nobody");
            let said = format!("Hello, {name}!");
            Ok(CallToolResult::success(vec![ContentBlock::text(said)]))
        }
        "refuses" => Err(TaskExit::Error(ErrorData::invalid_params(
            "not like that",
            None,
        ))),
        "waits" => {
            context.cancelled().await;
            Err(TaskExit::Cancelled)
        }
        _ => {
            tokio::time::sleep(Duration::from_millis(300)).await;
            Ok(CallToolResult::success(vec![ContentBlock::text("done")]))
        }
    }
}

impl rmcp::ServerHandler for Theirs {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tasks();
        ServerConfig::new(capabilities.build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |name| {
            let tool: Result<Tool, _> = serde_json::from_value(
                json!({ "name": name, "inputSchema": { "type": "object" } }),
            );
            tool.unwrap()
        };
        let tools = ["slow", "asks", "refuses", "waits"].map(tool);
        Ok(ListToolsResult::with_all_items(tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let declared = context.client_capabilities().unwrap_or_default();
        assert!(declared.supports_tasks(), "tasks are not declared");
        let name = request.name.into_owned();
        let options = TaskOptions::new().with_poll_interval_ms(50);
        let task = self
            .0
            .spawn(options, |context| Box::pin(job(name, context)));
        Ok(CallToolResponse::Task(CreateTaskResult::new(task)))
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.0.get_task(&request.task_id)?))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let responses: Value = serde_json::to_value(&request.input_responses).unwrap();
        let responses: serde_json::Map<String, Value> = serde_json::from_value(responses).unwrap();
        self.0.update_task(&request.task_id, responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.cancel_task(&request.task_id)
    }
}

async fn theirs() -> (Server, TaskManager) {
    let tasks = Theirs::default();
    let manager = tasks.0.clone();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let service = StreamableHttpService::new(
        move || Ok(tasks.clone()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = service.clone();
            let service = service_fn(move |request| {
                let service = service.clone();
                async move { Ok::<_, Infallible>(service.handle(request).await) }
            });
            let serving = hyper::server::conn::http1::Builder::new();
            tokio::spawn(serving.serve_connection(TokioIo::new(stream), service));
        }
    });
    (Server::http(url), manager)
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    waited.unwrap_or_else(|_| panic!("{what}"));
}

#[tokio::test]
async fn tasks_of_rmcp_are_followed_to_their_end() {
    let (server, _) = theirs().await;
    let heard = Arc::new(Heard::default());
    let client = connect(&server, &options(&heard)).await;
    assert_eq!(text(&called(&client, "slow", "{}", &[]).await), "done");
    let greeted = called(&client, "asks", "{}", &[("who", r#"{"name":"Ada"}"#)]).await;
    assert_eq!(text(&greeted), "Hello, Ada!");
    let refused = called(&client, "refuses", "{}", &[]).await;
    assert!(text(&refused).ends_with("refused the call: not like that (-32602)"));
    assert_eq!(heard.began.lock().unwrap().len(), 3);
    assert!(heard.left.lock().unwrap().is_empty());
    client.close().await;
}

#[tokio::test]
async fn a_status_message_is_progress_and_to_cancel_the_call_cancels_the_task() {
    let (server, manager) = theirs().await;
    let client = connect(&server, &ClientOptions::default()).await;
    let (conversation, driver) = Conversation::new(
        Arc::new(client.call()),
        Call::new("waits", Json::empty_object()),
        CallOptions {
            tool_events: true,
            ..CallOptions::default()
        },
    );
    tokio::spawn(driver);
    let mut shown = None;
    let outcome = loop {
        match conversation.next().await.unwrap() {
            Event::Progress(progress) => {
                shown = Some((progress.done, progress.total, progress.message));
                conversation.cancel();
            }
            Event::Done(outcome) => break outcome.unwrap(),
            _ => {}
        }
    };
    assert_eq!(shown, Some((2.0, Some(5.0), Some("copying".to_owned()))));
    assert_eq!(outcome.report.stopped, Some(StopReason::Cancelled));
    until("the task goes on", || manager.running_task_count() == 0).await;
    client.close().await;
}

#[tokio::test]
async fn a_task_that_is_left_is_gone_on_with_by_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let server = ours(folder.path()).await;
    let heard = Arc::new(Heard::default());
    heard.leaves.store(true, Ordering::SeqCst);
    let client = connect(&server, &options(&heard)).await;
    let (conversation, driver) = Conversation::new(
        Arc::new(client.call()),
        Call::new("asks", Json::empty_object()),
        CallOptions::default(),
    );
    let driving = tokio::spawn(driver);
    until("it is no task", || !heard.began.lock().unwrap().is_empty()).await;
    conversation.cancel();
    driving.await.unwrap();
    client.close().await;
    let id = heard.left.lock().unwrap().concat();
    assert_eq!(id, heard.began.lock().unwrap().concat());

    std::fs::write(folder.path().join("go"), "").unwrap();
    let client = connect(&server, &ClientOptions::default()).await;
    let document = Call::new("any", Json::empty_object());
    let mut answer = |asked: &toolwire_host::PendingQuestion| {
        assert_eq!(asked.question.text, "Go on?");
        toolwire::call::Answer::accepted(true.into(), toolwire::call::AnswerSource::User)
    };
    let transport = client.task(&id);
    let outcome =
        toolwire_host::call(&transport, document, &CallOptions::default(), &mut answer).await;
    assert_eq!(text(&outcome.unwrap()), "went on\n");
    client.close().await;
}

#[tokio::test]
async fn a_call_that_is_cancelled_ends_the_tool_of_its_task() {
    let folder = tempfile::tempdir().unwrap();
    let server = ours(folder.path()).await;
    let heard = Arc::new(Heard::default());
    let client = connect(&server, &options(&heard)).await;
    let (conversation, driver) = Conversation::new(
        Arc::new(client.call()),
        Call::new("slow", Json::empty_object()),
        CallOptions::default(),
    );
    tokio::spawn(driver);
    let pid = || std::fs::read_to_string(folder.path().join("pid")).unwrap_or_default();
    until("it is no task", || {
        !heard.began.lock().unwrap().is_empty() && pid().ends_with('\n')
    })
    .await;
    // Dropped, it is cancelled too.
    drop(conversation);
    let runs = || {
        let asked = std::process::Command::new("kill")
            .args(["-0", pid().trim()])
            .output();
        asked.unwrap().status.success()
    };
    until("the tool still runs", || !runs()).await;
    client.close().await;
}

#[tokio::test]
async fn who_does_not_want_tasks_gets_none() {
    let folder = tempfile::tempdir().unwrap();
    let server = ours(folder.path()).await;
    let heard = Arc::new(Heard::default());
    let without = ClientOptions {
        tasks: false,
        ..options(&heard)
    };
    let client: Client = connect(&server, &without).await;
    let calling = called(&client, "slow", "{}", &[]);
    let going = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        std::fs::write(folder.path().join("go"), "").unwrap();
    };
    let (outcome, ()) = tokio::join!(calling, going);
    assert_eq!(text(&outcome), "done\n");
    assert!(heard.began.lock().unwrap().is_empty());
    client.close().await;
}

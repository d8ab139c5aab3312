//! What a client asks, answered for one connection.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CustomRequest, CustomResult,
    DetailedTask, ErrorCode, GetTaskParams, GetTaskResult, Implementation, InitializeRequestParams,
    InitializeResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities,
    ServerConfig, SubscriptionFilter, Task as Asked, TaskPayload, Tool, UpdateTaskParams,
};
#[expect(deprecated, reason = "older revisions have it")]
use rmcp::model::{LoggingLevel, SetLevelRequestParams};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::watch;
use toolwire::Json;
use toolwire::json::{Document, ObjectWriter};
use toolwire::mcp::{Revision, to_tool};
use toolwire_host::Conversations;

use super::pages::Pages;
use super::tasks::{self, Task};
use super::{Refusal, Shared, call, exact, listing};

/// Answers one client, over any of rmcp's transports. [`Server::handler`](super::Server::handler) makes it.
#[derive(Debug, Clone)]
pub struct Handler {
    pub(super) shared: Arc<Shared>,
    pub(super) session: Arc<Session>,
}

/// What is known of one connection.
#[derive(Debug)]
pub(super) struct Session {
    /// Who calls; a sealed state is bound to it.
    pub principal: String,
    /// From which level on a client of an older revision wants the log, if at all.
    #[expect(deprecated, reason = "older revisions have it")]
    level: Mutex<Option<LoggingLevel>>,
    /// The calls that go on.
    pub calls: Conversations,
    /// The pages that were opened, and that tools may still wait for.
    pub pages: Pages,
    /// Whether nothing comes from the client any more.
    left: watch::Sender<bool>,
}

impl Handler {
    pub(super) fn new(shared: Arc<Shared>, principal: &str) -> Self {
        let session = Arc::new(Session {
            principal: principal.to_owned(),
            level: Mutex::default(),
            calls: Conversations::default(),
            pages: Pages::default(),
            left: watch::Sender::new(false),
        });
        Handler { shared, session }
    }

    /// The task that a method is about. Older revisions have no such method.
    fn task(
        &self,
        method: &str,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<Arc<Task>, ErrorData> {
        match &self.shared.tasks {
            Some(tasks) if revision(context) >= Revision::V2026_07_28 => {
                tasks.find(&self.session.principal, id)
            }
            _ => Err(no_method(method.to_owned())),
        }
    }

    /// Done when the server whose tasks are kept has left, and its calls with it. Others end their calls themselves.
    pub(super) async fn is_left_alone(&self) {
        match self.shared.keeps {
            true => self.session.has_left().await,
            false => std::future::pending().await,
        }
    }

    pub(super) fn was_left_alone(&self) -> bool {
        self.shared.keeps && *self.session.left.borrow()
    }

    /// From which level on the client of a request wants the log, if at all.
    #[expect(deprecated, reason = "older revisions have it")]
    pub(super) fn level(
        &self,
        context: &RequestContext<RoleServer>,
        revision: Revision,
    ) -> Option<LoggingLevel> {
        match revision {
            Revision::V2026_07_28 => context.meta.log_level(),
            _ => *self.session.lock(),
        }
    }
}

impl Session {
    /// Says that nothing comes from the client any more.
    pub(super) fn leave(&self) {
        self.left.send_replace(true);
    }

    /// Ends all calls, and waits until nothing is left of their tools.
    pub(super) async fn shutdown(&self) {
        let calls = self.calls.clone();
        // It blocks, and the drivers of the calls may need this thread.
        let _ = tokio::task::spawn_blocking(move || calls.shutdown()).await;
    }

    /// Done when nothing comes from the client any more.
    pub(super) async fn has_left(&self) {
        // The sender is here, so there is no error.
        let _ = self.left.subscribe().wait_for(|left| *left).await;
    }

    #[expect(deprecated, reason = "older revisions have it")]
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<LoggingLevel>> {
        self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The revision of a request.
pub(super) fn revision(context: &RequestContext<RoleServer>) -> Revision {
    match context.protocol_version() {
        Some(version) if version >= ProtocolVersion::V_2026_07_28 => Revision::V2026_07_28,
        Some(version) if version >= ProtocolVersion::V_2025_11_25 => Revision::V2025_11_25,
        _ => Revision::V2025_06_18,
    }
}

const SUPPORTED: &[ProtocolVersion] = &[
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

/// How often it is looked whether a connection is still there.
const LOOKING: Duration = Duration::from_secs(10);

/// The methods that are known here: a request of theirs that rmcp could not read has wrong parameters.
const METHODS: [&str; 9] = [
    "initialize",
    "server/discover",
    "tools/list",
    "tools/call",
    "logging/setLevel",
    tasks::LISTEN,
    "tasks/get",
    "tasks/update",
    "tasks/cancel",
];

/// Those of them that 2026-07-28 does not have any more.
const REMOVED: [&str; 2] = ["initialize", "logging/setLevel"];

impl ServerHandler for Handler {
    #[expect(deprecated, reason = "clients still ask for the log")]
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_logging()
            .enable_tools()
            .enable_tool_list_changed();
        let options = &self.shared.options;
        let capabilities = match options.tasks {
            Some(_) => capabilities.enable_tasks().build(),
            None => capabilities.build(),
        };
        let mut info = ServerConfig::new(capabilities);
        info.protocol_version = ProtocolVersion::V_2025_11_25;
        info.server_info = Implementation::new(options.name.clone(), env!("CARGO_PKG_VERSION"));
        info.instructions.clone_from(&options.instructions);
        info
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(SUPPORTED)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        // No older revision has an extension that is served here.
        result.capabilities.extensions = None;
        Ok(result)
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let task = self.task("tasks/get", &request.task_id, &context)?;
        let held = || GetTaskResult::new(DetailedTask::new(Asked::default(), TaskPayload::Working));
        exact::answer(&context.extensions, task.get(), held)
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let task = self.task("tasks/update", &request.task_id, &context)?;
        let responses = Some(&request.input_responses);
        let responses = exact::member(&context.extensions, "/inputResponses", responses)?;
        task.update(&responses.unwrap_or_else(Json::empty_object));
        Ok(())
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.task("tasks/cancel", &request.task_id, &context)?
            .cancel();
        Ok(())
    }

    #[expect(deprecated, reason = "older revisions have it")]
    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if revision(&context) >= Revision::V2026_07_28 {
            return Err(no_method("logging/setLevel".to_owned()));
        }
        *self.session.lock() = Some(request.level);
        Ok(())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let catalog = self.shared.catalog().await.map_err(no_tools)?;
        let cursor = request.as_ref().and_then(|params| params.cursor.as_deref());
        let page = listing::page(&catalog, cursor, revision(&context), &self.shared.options)?;
        exact::answer(&context.extensions, page, ListToolsResult::default)
    }

    /// The tool as the checks of HTTP headers need it: which of its arguments are in headers, too.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        let catalog = match &*self.shared.known.borrow() {
            Some(Ok(catalog)) => Arc::clone(catalog),
            _ => return None,
        };
        let tool = to_tool(&catalog.0.get(name)?.description, Revision::V2026_07_28);
        serde_json::from_str(tool.json.as_str()).ok()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        call::call(self, request, context).await
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let (mut known, peer) = (self.shared.known.subscribe(), context.peer);
        // The client begins with the tools that are known first.
        if known.wait_for(Option::is_some).await.is_err() {
            return;
        }
        loop {
            tokio::select! {
                changed = known.changed() => {
                    if changed.is_err() || peer.notify_tool_list_changed().await.is_err() {
                        return;
                    }
                }
                // rmcp does not say when a connection ends, and this would keep what belongs to it.
                () = tokio::time::sleep(LOOKING) => {
                    if peer.is_transport_closed() {
                        return;
                    }
                }
            }
        }
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut known = self.shared.known.subscribe();
        let changes = async {
            if known.wait_for(Option::is_some).await.is_err() {
                return;
            }
            while known.changed().await.is_ok() {
                let wanted = context.accepted().tools_list_changed == Some(true);
                if wanted && context.sink().notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        };
        tokio::select! {
            () = context.cancelled() => {}
            () = changes => {}
        }
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if let Some(ended) = tasks::listen(self, request.params.as_ref(), &context).await {
            return ended;
        }
        let method = request.method;
        let removed =
            revision(&context) >= Revision::V2026_07_28 && REMOVED.contains(&method.as_str());
        if !removed && METHODS.contains(&method.as_str()) {
            let message = format!("the parameters are not those of `{method}`");
            return Err(Refusal::BadParams.because(message));
        }
        Err(no_method(method))
    }
}

/// The answer to a handshake in the newest revision, which has none; nothing if the message is not one. rmcp
/// would begin a session.
pub(super) fn handshake_refused(message: &Document<'_>) -> Option<String> {
    let root = message.root();
    let id = root.get("id")?;
    let meta = root.get("params")?.get("_meta")?;
    let version = meta.get("io.modelcontextprotocol/protocolVersion")?;
    let is_newest = version.as_str()? == Revision::V2026_07_28.as_str();
    if !is_newest || root.get("method")?.as_str()? != "initialize" {
        return None;
    }
    let error = serde_json::to_string(&no_method("initialize".to_owned())).ok()?;
    let mut out = ObjectWriter::new();
    out.text("jsonrpc", "2.0");
    out.json("id", id.raw()).json("error", error);
    Some(out.end())
}

fn no_method(method: String) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)
}

pub(super) fn no_tools(error: super::ServeError) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

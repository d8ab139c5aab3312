//! A connection to a server: from its start to its end.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rmcp::model::{ErrorCode, ProtocolVersion, ServerPeerInfo};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt as _, Peer, RoleClient,
    RunningService,
};
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{IntoTransport, StreamableHttpClientTransport};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use toolwire::mcp::Revision;
use toolwire_host::{Child, Command, ProcessOptions};

use super::error::innermost;
use super::handler::Handler;
use super::http::Http;
use super::listening::Listening;
use super::stderr::{Agreed, Stderr};
use super::stdio::Lines;
use super::tools::Listed;
use super::turns::Turns;
use super::wire::Wire;
use super::{ClientError, ClientErrorKind, ClientOptions, Server, ToolCall};
use crate::local_token;

/// How long a server's program may take to end by itself once its stdin is closed.
const PATIENCE: Duration = Duration::from_secs(2);

/// The most times in a row that the rest of a stream is asked for in vain.
const RESUMES: usize = 5;

/// How long it may take to tell a server that a request is cancelled.
pub(super) const SOON: Duration = Duration::from_secs(1);

/// A connection to an MCP server.
///
/// It speaks the newest revision that the server speaks too: 2026-07-28 by `server/discover`, or else an older
/// one by `initialize`. Close it at the end: dropped, it stops the server's program in the background.
#[derive(Debug)]
pub struct Client {
    pub(super) shared: Arc<Shared>,
    running: RunningService<RoleClient, Handler>,
    process: Option<Child>,
    /// Open as long as the client is.
    _listening: Option<Listening>,
}

/// What the client and its calls share.
#[derive(Debug)]
pub(super) struct Shared {
    /// What messages call the server.
    pub(super) name: String,
    pub(super) peer: Peer<RoleClient>,
    pub(super) wire: Arc<Wire>,
    pub(super) stderr: Arc<Stderr>,
    pub(super) revision: Revision,
    pub(super) options: ClientOptions,
    /// Whether the server gets the context of calls.
    pub(super) sends_context: bool,
    pub(super) tools: tokio::sync::Mutex<Option<Listed>>,
    /// The turns of calls in an older revision, whose questions need not say which call asks them.
    pub(super) turns: Arc<Turns>,
    /// Cancellations that are on their way.
    pub(super) cancelling: Mutex<Vec<JoinHandle<()>>>,
}

impl std::fmt::Debug for Handler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Handler")
    }
}

impl Client {
    /// Starts or reaches a server, and agrees with it on a revision. `name` is what messages and prompts
    /// call it: what a server calls itself is its own claim.
    ///
    /// # Errors
    ///
    /// `not_started`, `not_connected`, `timeout`, `unauthorized`, `no_common_revision` and `bad_option`.
    /// Nothing of the server's program is left then.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime whose I/O and time are enabled.
    pub async fn connect(
        name: &str,
        server: &Server,
        options: &ClientOptions,
    ) -> Result<Client, ClientError> {
        let newest = vec![ProtocolVersion::V_2026_07_28];
        let either = ClientLifecycleMode::Auto {
            preferred_versions: newest.clone(),
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        };
        match Client::connect_as(name, server, options, either).await {
            // It was too slow to answer `server/discover`, but it is no older server.
            Err(error) if error.newer => {
                let mode = ClientLifecycleMode::Discover {
                    preferred_versions: newest,
                };
                Client::connect_as(name, server, options, mode).await
            }
            connected => connected,
        }
    }

    /// Boxed, so that it is compiled once and not in each crate that calls it.
    fn connect_as<'a>(
        name: &'a str,
        server: &'a Server,
        options: &'a ClientOptions,
        mode: ClientLifecycleMode,
    ) -> Pin<Box<dyn Future<Output = Result<Client, ClientError>> + Send + 'a>> {
        Box::pin(async move {
            match server {
                Server::Program {
                    command,
                    options: process,
                } => Client::start(name, command, process, options, mode).await,
                Server::Http { url, headers } => {
                    let wire = Arc::new(Wire::default());
                    let most = options.max_message;
                    let (mut url, mut headers) = (url.clone(), headers.clone());
                    if let Some((own, token)) = local_token::reach(&url, &headers) {
                        url = own;
                        headers.push(token);
                    }
                    let http = Http::new(&url, &headers, Arc::clone(&wire), most)?;
                    let mut config = StreamableHttpClientTransportConfig::with_uri(url);
                    config.max_sse_event_size = most;
                    config.max_json_response_size = most;
                    config.retry_config = Arc::new(resuming());
                    let transport = StreamableHttpClientTransport::with_client(http, config);
                    Client::agree(name, transport, wire, Arc::default(), options, mode).await
                }
            }
        })
    }

    async fn start(
        name: &str,
        command: &Command,
        process: &ProcessOptions,
        options: &ClientOptions,
        mode: ClientLifecycleMode,
    ) -> Result<Client, ClientError> {
        let not_started = |error| ClientError::new(ClientErrorKind::NotStarted, error);
        let mut child =
            Child::start(command, process).map_err(|error| not_started(error.to_string()))?;
        let (Some(stdin), Some(stdout), Some(pipe)) = child.take_pipes() else {
            return Err(not_started(format!("`{name}` has no pipes")));
        };
        let stderr = Arc::new(Stderr::new(options.on_stderr.clone()));
        tokio::spawn(Arc::clone(&stderr).read(pipe));
        let wire = Arc::new(Wire::default());
        let lines = Lines::new(stdout, stdin, options.max_message, Arc::clone(&wire));
        let agreeing = Client::agree(name, lines, wire, Arc::clone(&stderr), options, mode).await;
        stderr.agreed(match &agreeing {
            Ok(client) if client.shared.revision != Revision::V2026_07_28 => Agreed::AfterAll,
            _ => Agreed::AtOnce,
        });
        match agreeing {
            Ok(mut client) => {
                client.process = Some(child);
                Ok(client)
            }
            Err(error) => {
                child.stop(Duration::ZERO).await;
                Err(error)
            }
        }
    }

    /// Agrees with a server on a revision.
    async fn agree<E, A>(
        name: &str,
        transport: impl IntoTransport<RoleClient, E, A>,
        wire: Arc<Wire>,
        stderr: Arc<Stderr>,
        options: &ClientOptions,
        mode: ClientLifecycleMode,
    ) -> Result<Client, ClientError>
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        let known = Arc::new(OnceLock::new());
        let handler = Handler {
            wire: Arc::clone(&wire),
            revision: Arc::clone(&known),
            held: options.question_wait,
            tasks: options.tasks,
        };
        let agreeing = handler.serve_with_lifecycle(transport, mode);
        let running = match timeout(options.connect_timeout, agreeing).await {
            Ok(Ok(running)) => running,
            Ok(Err(error)) => {
                if is_closed(&error) {
                    stderr.end().await;
                }
                return Err(refused(name, &error, &wire, &stderr));
            }
            Err(_) => {
                let seconds = options.connect_timeout.as_secs_f64();
                let message =
                    format!("the server `{name}` was not ready for calls within {seconds} s");
                return Err(ClientError::new(ClientErrorKind::Timeout, message));
            }
        };
        let peer = running.peer().clone();
        let info = peer.peer_info();
        let version = info.as_ref().map(|info| info.protocol_version.as_str());
        let Some(revision) = version.and_then(revision) else {
            let version = version.unwrap_or_default();
            let message = format!(
                "the server `{name}` speaks the revision `{version}` of MCP, and Toolwire does not; it speaks 2025-06-18, \
                 2025-11-25 and 2026-07-28"
            );
            return Err(ClientError::new(ClientErrorKind::NoCommonRevision, message));
        };
        let _ = known.set(revision);
        let tells = revision == Revision::V2026_07_28
            && info.as_ref().is_some_and(|info| {
                let tools = info.capabilities.tools.as_ref();
                tools.is_some_and(|tools| tools.list_changed == Some(true))
            });
        let listening = (tells && options.listen).then(|| Listening::start(peer.clone()));
        let shared = Shared {
            name: name.to_owned(),
            sends_context: options.send_context || info.is_some_and(|info| declares(&info)),
            peer,
            wire,
            stderr,
            revision,
            options: options.clone(),
            tools: tokio::sync::Mutex::default(),
            turns: Arc::default(),
            cancelling: Mutex::default(),
        };
        Ok(Client {
            shared: Arc::new(shared),
            running,
            process: None,
            _listening: listening,
        })
    }

    /// The revision that is spoken. An older one than Toolwire maps to is spoken as 2025-06-18, of which
    /// it is a part.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.shared.revision
    }

    /// What the server calls itself, which it may choose freely; nothing if it does not say.
    #[must_use]
    pub fn claimed_name(&self) -> Option<String> {
        let info = self.shared.peer.peer_info()?;
        let server = info.server_info.as_ref()?;
        Some(server.title.as_ref().unwrap_or(&server.name).clone())
    }

    /// What the server says about its use.
    #[must_use]
    pub fn instructions(&self) -> Option<String> {
        self.shared.peer.peer_info()?.instructions.clone()
    }

    /// A call of one of its tools, which is named by the call document: a transport for one conversation.
    #[must_use]
    pub fn call(&self) -> ToolCall {
        ToolCall::new(Arc::clone(&self.shared))
    }

    /// Goes on with a task of the server that a call has become before, on this connection or another one
    ///: a transport for one conversation, whose call document says nothing of it. Over 2026-07-28 alone.
    #[must_use]
    pub fn task(&self, id: &str) -> ToolCall {
        ToolCall::following(Arc::clone(&self.shared), id)
    }

    /// Whether the connection is gone, so that no further call gets to the server.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.shared.peer.is_transport_closed()
    }

    /// Ends the connection: calls that still run are cancelled, and the server's program is given time to
    /// end before it is stopped. Nothing of it is left.
    pub async fn close(mut self) {
        let cancelling = std::mem::take(&mut *self.shared.cancelling());
        for cancelling in cancelling {
            let _ = timeout(SOON, cancelling).await;
        }
        let _ = self.running.close_with_timeout(SOON).await;
        if let Some(process) = self.process.take() {
            process.stop(PATIENCE).await;
            self.shared.stderr.end().await;
        }
    }
}

impl Shared {
    pub(super) fn cancelling(&self) -> std::sync::MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.cancelling
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often in a row, and when, a stream that ended is asked for again in vain.
fn resuming() -> ExponentialBackoff {
    let mut resuming = ExponentialBackoff::default();
    resuming.max_times = Some(RESUMES);
    resuming.base_duration = Duration::from_millis(250);
    resuming
}

/// The revision whose mapping a server of this version gets.
fn revision(version: &str) -> Option<Revision> {
    match version {
        "2024-11-05" | "2025-03-26" => Some(Revision::V2025_06_18),
        version => version.parse().ok(),
    }
}

/// Whether a server says that it knows what Toolwire adds to calls.
fn declares(info: &ServerPeerInfo) -> bool {
    const NAME: &str = "dev.toolwire";
    let capabilities = &info.capabilities;
    let experimental = capabilities.experimental.as_ref();
    let extensions = capabilities.extensions.as_ref();
    experimental.is_some_and(|all| all.contains_key(NAME))
        || extensions.is_some_and(|all| all.contains_key(NAME))
}

/// Whether the server has ended: its pipe may break before it is seen to be closed.
fn is_closed(error: &ClientInitializeError) -> bool {
    match error {
        ClientInitializeError::ConnectionClosed(_) => true,
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => is_closed(fallback),
        ClientInitializeError::TransportError { error, .. } => {
            let mut source: Option<&(dyn std::error::Error + 'static)> = Some(&*error.error);
            while let Some(error) = source {
                let system = error.downcast_ref::<std::io::Error>();
                if system.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe) {
                    return true;
                }
                source = error.source();
            }
            false
        }
        _ => false,
    }
}

/// Why there is no connection.
fn refused(name: &str, error: &ClientInitializeError, wire: &Wire, stderr: &Stderr) -> ClientError {
    if error.is_authorization_required() {
        let message = format!(
            "the server `{name}` wants an authorization (HTTP 401), and Toolwire does not log in by OAuth: get a token from \
             who runs the server, put it into an environment variable, and name that with \
             `--header-env Authorization=VARIABLE`"
        );
        return ClientError::new(ClientErrorKind::Unauthorized, message);
    }
    let reason = match error {
        ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
            let message = format!(
                "the server `{name}` speaks none of the revisions of MCP that Toolwire speaks: 2025-06-18, 2025-11-25 and \
                 2026-07-28"
            );
            return ClientError::new(ClientErrorKind::NoCommonRevision, message);
        }
        closed if is_closed(closed) => {
            let said = stderr.last_lines();
            let said = said.last().map(|line| format!("; it said last: {line}"));
            let closed = "it ended before it was ready for calls".to_owned();
            wire.failure().unwrap_or(closed) + &said.unwrap_or_default()
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => {
            return refused(name, fallback, wire, stderr);
        }
        ClientInitializeError::JsonRpcError(error) => {
            let code = error.code.0;
            format!("it refused to be initialized: {} ({code})", error.message)
        }
        ClientInitializeError::ExpectedInitResponse(_)
        | ClientInitializeError::ExpectedInitResult(_) => {
            "it does not answer as a server of MCP does".to_owned()
        }
        ClientInitializeError::TransportError { error, .. } => {
            let reason = wire.failure().unwrap_or_else(|| innermost(&*error.error));
            match reason.strip_prefix("invalid peer certificate: ") {
                Some(why) => format!(
                    "its certificate is not accepted: {why}; if you trust who issued it, name a file with the \
                     certificate of that authority in the environment variable `SSL_CERT_FILE`"
                ),
                None => reason,
            }
        }
        other => other.to_string(),
    };
    let message = format!("the server `{name}` can't be used: {reason}");
    let newer = matches!(error, ClientInitializeError::JsonRpcError(error)
        if error.code == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION);
    let mut refused = ClientError::new(ClientErrorKind::NotConnected, message);
    refused.newer = newer;
    refused
}

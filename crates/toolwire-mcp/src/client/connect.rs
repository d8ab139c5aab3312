//! A connection to a server: from its start to its end.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::timeout;
use toolwire::mcp::Revision;
use toolwire_host::{Child, Command, ProcessOptions};
use toolwire_rpc::{Closed, Connection, Peer, lines, peer};

use super::changes;
use super::handshake::{self, Refused};
use super::http::Http;
use super::router::{OnChange, Router};
use super::shared::{SOON, Shared};
use super::stderr::{Agreed, Stderr};
use super::{ClientError, ClientErrorKind, ClientOptions, Server, ToolCall};
use crate::local_token;

/// How long a server's program may take to end by itself once its stdin is closed.
const PATIENCE: Duration = Duration::from_secs(2);

/// A connection to an MCP server.
///
/// It speaks the newest revision that the server speaks too: 2026-07-28 by `server/discover`, or else an older
/// one by `initialize`. Close it at the end: dropped, it stops the server's program in the background.
#[derive(Debug)]
pub struct Client {
    pub(super) shared: Arc<Shared>,
    /// Reads and writes until the connection ends.
    driver: JoinHandle<()>,
    process: Option<Child>,
    /// Listens for changes of the tools.
    listening: Option<JoinHandle<()>>,
    _open: Open,
}

/// A connection, which is closed with this.
#[derive(Debug)]
struct Open(Peer);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.close();
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
        Client::connect_boxed(name, server, options, None).await
    }

    /// The same, with an observer of changes in what it offers besides tools.
    pub(crate) async fn connect_telling(
        name: &str,
        server: &Server,
        options: &ClientOptions,
        on_change: OnChange,
    ) -> Result<Client, ClientError> {
        Client::connect_boxed(name, server, options, Some(on_change)).await
    }

    /// Boxed, so that it is compiled once and not in each crate that calls it.
    fn connect_boxed<'a>(
        name: &'a str,
        server: &'a Server,
        options: &'a ClientOptions,
        on_change: Option<OnChange>,
    ) -> Pin<Box<dyn Future<Output = Result<Client, ClientError>> + Send + 'a>> {
        Box::pin(async move {
            let router = Router::new(options.question_wait, on_change);
            let stderr = Arc::new(Stderr::new(options.on_stderr.clone()));
            match server {
                Server::Program {
                    command,
                    options: process,
                } => Client::start(name, command, process, router, stderr, options).await,
                Server::Http { url, headers } => {
                    let (mut url, mut headers) = (url.clone(), headers.clone());
                    if let Some((own, token)) = local_token::reach(&url, &headers) {
                        url = own;
                        headers.push(token);
                    }
                    let http = Http::new(&url, &headers, Arc::clone(&router), options.max_message)?;
                    Client::agree(name, http, true, router, stderr, options).await
                }
            }
        })
    }

    async fn start(
        name: &str,
        command: &Command,
        process: &ProcessOptions,
        router: Arc<Router>,
        stderr: Arc<Stderr>,
        options: &ClientOptions,
    ) -> Result<Client, ClientError> {
        let not_started = |error| ClientError::new(ClientErrorKind::NotStarted, error);
        let mut child =
            Child::start(command, process).map_err(|error| not_started(error.to_string()))?;
        let (Some(stdin), Some(stdout), Some(pipe)) = child.take_pipes() else {
            return Err(not_started(format!("`{name}` has no pipes")));
        };
        tokio::spawn(Arc::clone(&stderr).read(pipe));
        let connection = lines(stdout, stdin, options.max_message);
        let agreeing = Client::agree(
            name,
            connection,
            false,
            router,
            Arc::clone(&stderr),
            options,
        )
        .await;
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
    async fn agree(
        name: &str,
        connection: impl Connection,
        is_http: bool,
        router: Arc<Router>,
        stderr: Arc<Stderr>,
        options: &ClientOptions,
    ) -> Result<Client, ClientError> {
        let (peer, driver) = peer(connection, router.options());
        let (open, driver) = (Open(peer.clone()), tokio::spawn(driver));
        let agreeing = handshake::agree(&peer, &router, options.tasks);
        let (revision, about) = match timeout(options.connect_timeout, agreeing).await {
            Ok(Ok(agreed)) => agreed,
            other => {
                drop(open);
                if matches!(other, Ok(Err(Refused::Closed(_)))) {
                    stderr.end().await;
                }
                let why = other.ok().and_then(Result::err);
                return Err(refused(name, why, &router, &stderr, options));
            }
        };
        let shared = Arc::new(Shared {
            name: name.to_owned(),
            peer,
            router,
            stderr,
            revision,
            is_http,
            about,
            options: options.clone(),
            tools: tokio::sync::Mutex::default(),
            turns: Arc::default(),
            cancelling: Mutex::default(),
        });
        Ok(Client {
            listening: changes::listening(&shared).map(tokio::spawn),
            shared,
            driver,
            process: None,
            _open: open,
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
        self.shared.about.name.clone()
    }

    /// What the server says about its use.
    #[must_use]
    pub fn instructions(&self) -> Option<String> {
        self.shared.about.instructions.clone()
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
        self.shared.peer.why_closed().is_some()
    }

    /// Ends the connection: calls that still run are given up, and the server's program is given time to
    /// end before it is stopped. Nothing of it is left.
    pub async fn close(mut self) {
        let cancelling = std::mem::take(&mut *self.shared.cancelling());
        for cancelling in cancelling {
            let _ = timeout(SOON, cancelling).await;
        }
        self.shared.peer.close();
        if let Some(process) = self.process.take() {
            process.stop(PATIENCE).await;
            self.shared.stderr.end().await;
        }
        let _ = timeout(2 * SOON, &mut self.driver).await;
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(listening) = &self.listening {
            listening.abort();
        }
    }
}

/// Why there is no connection. Without a reason, it took too long.
fn refused(
    name: &str,
    why: Option<Refused>,
    router: &Router,
    stderr: &Stderr,
    options: &ClientOptions,
) -> ClientError {
    use ClientErrorKind::{NoCommonRevision, NotConnected, Timeout, Unauthorized};
    const SPOKEN: &str = "2025-06-18, 2025-11-25 and 2026-07-28";
    let (kind, reason) = match why {
        Some(Refused::Unauthorized) => (
            Unauthorized,
            "wants an authorization (HTTP 401), and Toolwire does not log in by OAuth: get a token from who runs the \
             server, put it into an environment variable, and name that with `--header-env Authorization=VARIABLE`"
                .to_owned(),
        ),
        Some(Refused::NoCommonRevision(Some(version))) => (
            NoCommonRevision,
            format!("speaks the revision `{version}` of MCP, and Toolwire does not; it speaks {SPOKEN}"),
        ),
        Some(Refused::NoCommonRevision(None)) => (
            NoCommonRevision,
            format!("speaks none of the revisions of MCP that Toolwire speaks: {SPOKEN}"),
        ),
        Some(Refused::Closed(why)) => {
            let why = match why {
                Closed::Ended | Closed::Broken(_) => "it ended before it was ready for calls".to_owned(),
                why => why.to_string(),
            };
            (NotConnected, format!("can't be used: {why}{}", last_words(router, stderr)))
        }
        Some(Refused::Unusable(why)) => {
            let why = match why.strip_prefix("invalid peer certificate: ") {
                Some(why) => format!(
                    "its certificate is not accepted: {why}; if you trust who issued it, name a file with the \
                     certificate of that authority in the environment variable `SSL_CERT_FILE`"
                ),
                None => why,
            };
            (NotConnected, format!("can't be used: {why}"))
        }
        None => {
            let seconds = options.connect_timeout.as_secs_f64();
            let said = last_words(router, stderr);
            (Timeout, format!("was not ready for calls within {seconds} s{said}"))
        }
    };
    ClientError::new(kind, format!("the server `{name}` {reason}"))
}

/// What a server said last that never got ready: on stderr, and on stdout.
fn last_words(router: &Router, stderr: &Stderr) -> String {
    let mut words = String::new();
    if let Some(line) = stderr.last_lines().last() {
        words += &format!("; it said last: {line}");
    }
    if let Some(line) = router.noise().lines().last() {
        words += &format!("; it printed: {line}");
    }
    words
}

//! Serves tools to MCP clients: programs, the tools of a manifest and those of other servers, in the revisions
//! 2025-06-18, 2025-11-25 and 2026-07-28 (`docs/reference/serving.md`).
//!
//! A [`Server`] holds the tools. [`serve_stdio`] serves them on stdin and stdout, and [`HttpServer`] over HTTP.

mod beforehand;
mod call;
mod catalog;
mod context;
mod dispatch;
mod drive;
mod elicit;
pub(crate) mod error;
mod forms;
mod gate;
mod gateway;
mod guard;
mod handles;
pub(crate) mod http;
mod keeps;
mod keys;
mod link;
mod listing;
mod offers;
mod options;
mod own;
mod pages;
mod reply;
mod reports;
mod request;
mod rounds;
mod says;
mod secrets;
mod served;
mod session;
mod shown;
mod state;
mod stdio;
mod tasks;
mod visit;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::watch;
use toolwire::Json;
use toolwire_host::LineWorkers;
use toolwire_rpc::{Bound, Places};

use catalog::Catalog;
use gate::Gate;
use handles::Handles;
use own::Kept;
use session::{Handler, Session};
use tasks::Tasks;
use tasks::relay::Relay;

pub use crate::local_token::LocalToken;
pub use beforehand::Beforehand;
pub use catalog::can_describe;
pub use error::{Refusal, ServeError};
pub use gateway::Gateway;
pub use guard::{Guard, Guarded, Refused};
pub use http::{HttpOptions, HttpServer, TOKENS_VARIABLE, Tokens};
pub use keys::{KEYS_VARIABLE, StateKeys};
pub use link::HandlesLink;
pub use options::{
    HandleOptions, ManifestOffer, Offer, ProcessSettings, Reporter, ServeOptions, TaskOptions,
};
pub use stdio::{serve, serve_stdio};
pub use tasks::{TaskInfo, TaskKeeper, TaskLink};

/// What is known of the tools: nothing yet, the tools, or why there are none.
type Known = Option<Result<Arc<Catalog>, ServeError>>;

/// The requests of all clients together that are not answered yet.
const UNANSWERED: Bound = Bound {
    count: 512,
    bytes: 32 * 1024 * 1024,
};

/// The tools that are served, and the connections of their clients.
///
/// It describes its tools in the background, so that the handshake does not wait for them, and looks at them
/// again when their files have changed.
///
/// ```no_run
/// use toolwire_host::Command;
/// use toolwire_mcp::server::{Offer, ServeOptions, Server, serve_stdio};
///
/// # async fn example() -> Result<(), toolwire_mcp::server::ServeError> {
/// let offer = Offer { programs: vec![Command::new("./search.py")], ..Offer::default() };
/// let server = Server::start(ServeOptions::new(offer)?);
/// serve_stdio(&server, std::future::pending()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Server(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    options: Arc<ServeOptions>,
    known: watch::Sender<Known>,
    gate: Arc<Gate>,
    /// Where the requests of all clients wait for their answers.
    places: Arc<Places>,
    tasks: Option<Arc<Tasks>>,
    workers: Option<LineWorkers>,
    handles: Option<Handles>,
    /// What is kept of long results.
    kept: Option<Arc<Kept>>,
    /// Whether it keeps the tasks of another server.
    keeps: bool,
    /// The connections that may still have calls.
    sessions: Mutex<Vec<Weak<Session>>>,
}

impl Server {
    /// Starts to describe the tools.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime that has its timers and I/O enabled.
    #[must_use]
    pub fn start(options: ServeOptions) -> Self {
        let tasks = options.tasks.clone().map(Tasks::new);
        let workers = options.workers.clone().map(LineWorkers::new);
        let shared = Shared::new(options, tasks, workers, false);
        tokio::spawn(follow(Arc::downgrade(&shared)));
        Server(shared)
    }

    /// A server without tools of its own, whose calls come prepared from another one.
    fn keeping(options: ServeOptions, tasks: Tasks, workers: Option<LineWorkers>) -> Self {
        Server(Shared::new(options, Some(tasks), workers, true))
    }

    /// Waits until the tools are known.
    ///
    /// # Errors
    ///
    /// If none can be served: their names collide, the manifest can't be read, or no program could be
    /// described.
    pub async fn ready(&self) -> Result<(), ServeError> {
        self.0.catalog().await.map(drop)
    }

    /// Why nothing can be served, if that is so.
    async fn failing(&self) -> ServeError {
        match self.ready().await {
            Ok(()) => std::future::pending().await,
            Err(why) => why,
        }
    }

    /// The handler of a new connection, for a principal: empty where there is only one, as on stdio.
    fn handler(&self, principal: &str, relay: Option<Relay>) -> Handler {
        let session = Arc::new(Session::new(principal, relay));
        let mut sessions = self.0.sessions();
        sessions.retain(|session| session.strong_count() > 0);
        sessions.push(Arc::downgrade(&session));
        Handler {
            shared: Arc::clone(&self.0),
            session,
        }
    }

    /// Ends the calls of all connections, and waits until nothing is left of their tools.
    pub async fn shutdown(&self) {
        let sessions: Vec<_> = self.0.sessions().iter().filter_map(Weak::upgrade).collect();
        for session in &sessions {
            session.calls.cancel_all();
        }
        for session in sessions {
            session.shutdown().await;
        }
        if let Some(handles) = &self.0.handles {
            handles.close().await;
        }
        if let Some(workers) = &self.0.workers {
            workers.close().await;
        }
        for server in &self.0.options.offer.servers {
            server.close().await;
        }
    }
}

impl Shared {
    fn new(
        options: ServeOptions,
        tasks: Option<Tasks>,
        workers: Option<LineWorkers>,
        keeps: bool,
    ) -> Arc<Self> {
        Arc::new(Shared {
            gate: Arc::new(Gate::new(options.jobs, options.queue)),
            places: Places::new(UNANSWERED),
            tasks: tasks.map(Arc::new),
            workers,
            handles: options.handles.clone().map(Handles::new),
            kept: options.keep.clone().map(Kept::new),
            options: Arc::new(options),
            known: watch::Sender::new(keeps.then(|| Ok(Arc::default()))),
            keeps,
            sessions: Mutex::default(),
        })
    }

    fn sessions(&self) -> MutexGuard<'_, Vec<Weak<Session>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The schema of a tool, as clients are shown it or may know it, if it is known by now.
    fn listed_schema(&self, name: &str) -> Option<Json> {
        match &*self.known.borrow() {
            Some(Ok(catalog)) => {
                let own = || catalog.0.get(name).map(|tool| &tool.description);
                let tool = catalog.listed(name).or_else(own)?;
                Some(tool.input_schema.clone())
            }
            _ => None,
        }
    }

    async fn catalog(&self) -> Result<Arc<Catalog>, ServeError> {
        let mut known = self.known.subscribe();
        let known = known.wait_for(Option::is_some).await;
        let gone = || ServeError::new("the server has ended");
        known
            .map_err(|_| gone())?
            .clone()
            .unwrap_or_else(|| Err(gone()))
    }
}

/// Reads the tools, and reads them again whenever a file of theirs has changed, or a server says that its
/// tools have, as long as anybody needs them.
async fn follow(server: Weak<Shared>) {
    let mut seen = None;
    loop {
        let Some(shared) = server.upgrade() else {
            return;
        };
        let options = Arc::clone(&shared.options);
        drop(shared);
        let now = catalog::stamps(&options);
        let mut is_stale = false;
        for server in &options.offer.servers {
            is_stale |= server.is_stale();
        }
        if is_stale || seen.as_ref() != Some(&now) {
            let first = seen.is_none();
            seen = Some(now);
            let strict = options.guard.as_ref().is_some_and(|guard| guard.strict);
            let read = Catalog::read(&options, first).await.map(Arc::new);
            let Some(shared) = server.upgrade() else {
                return;
            };
            match read {
                // What could not be looked at may have changed in secret.
                Err(why) if !first && strict => {
                    options
                        .reporter
                        .report(&format!("no tool is served any more: {why}"));
                    shared.put(Ok(Arc::default()));
                }
                Err(why) if !first => options
                    .reporter
                    .report(&format!("the tools stay as they were: {why}")),
                read => shared.put(read),
            }
        }
        tokio::time::sleep(options.poll.max(Duration::from_millis(10))).await;
    }
}

impl Shared {
    /// Takes what was read. Only whoever sees a difference is told.
    fn put(&self, read: Result<Arc<Catalog>, ServeError>) {
        self.known.send_if_modified(|known| {
            let same = match (&*known, &read) {
                (Some(Ok(old)), Ok(new)) => old.looks_like(new),
                _ => false,
            };
            *known = Some(read);
            !same
        });
    }
}

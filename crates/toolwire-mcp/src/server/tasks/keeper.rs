//! The other end of a [`TaskLink`](super::TaskLink): it runs the calls that may become tasks, for servers that come
//! and go.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, BufReader};
use toolwire_host::{LineWorkers, WorkerOptions};
use toolwire_rpc::{Arrived, Options, peer, strict_lines};

use super::link::{LinkReader, LinkWriter};
use super::orders::{read_order, read_serve};
use super::relay::{ENDING, orders_limit};
use super::store::{All, Tasks};
use crate::server::{Server, Shared};

/// Keeps the tasks of servers in a process that outlives them.
///
/// ```
/// use toolwire_mcp::server::TaskKeeper;
///
/// let keeper = TaskKeeper::new();
/// assert!(keeper.list().is_empty());
/// ```
#[derive(Debug, Default)]
pub struct TaskKeeper {
    all: Arc<All>,
    workers: LineWorkers,
    /// Those whose calls may still go on.
    servers: Mutex<Vec<Weak<Shared>>>,
}

/// A task, for people.
///
/// ```
/// # let keeper = toolwire_mcp::server::TaskKeeper::new();
/// for task in keeper.list() {
///     println!("{} {}", task.id, task.status);
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskInfo {
    /// Its id.
    pub id: String,
    /// The tool that was called.
    pub tool: String,
    /// `working`, `input_required`, `completed`, `failed` or `cancelled`.
    pub status: &'static str,
}

impl TaskKeeper {
    /// Without tasks.
    #[must_use]
    pub fn new() -> Self {
        TaskKeeper {
            all: Arc::default(),
            workers: LineWorkers::new(WorkerOptions::default()),
            servers: Mutex::default(),
        }
    }

    fn servers(&self) -> MutexGuard<'_, Vec<Weak<Shared>>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves a server, until it leaves. Its calls that are no tasks end with it.
    pub async fn serve(
        &self,
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
    ) {
        self.serve_boxed(Box::new(read), Box::new(write)).await;
    }

    async fn serve_boxed(&self, read: LinkReader, write: LinkWriter) {
        let mut read = BufReader::new(read);
        let mut first = String::new();
        if read.read_line(&mut first).await.is_err() {
            return;
        }
        let Some(options) = read_serve(&first) else {
            return;
        };
        let Some(tasks) = options.tasks.clone() else {
            return;
        };
        let max = orders_limit(&options);
        let workers = options.workers.as_ref().map(|_| self.workers.clone());
        let tasks = Tasks::among(&self.all, tasks);
        let server = Server::keeping(options, tasks, workers);
        {
            let mut servers = self.servers();
            servers.retain(|server| server.strong_count() > 0);
            servers.push(Arc::downgrade(&server.0));
        }
        let handler = server.handler("", None);
        let mut options = Options::new(move |_, arrived, _| {
            if let Arrived::Request(incoming) = arrived
                && let Some(order) = incoming.message().body()
                && let Some((message, order)) = read_order(&order)
            {
                tokio::spawn(handler.clone().serve(incoming, message, order));
            }
        });
        // The server waits until its calls that are no tasks have ended.
        options.drain = ENDING;
        let (_peer, driver) = peer(strict_lines(read, write, max), options);
        driver.await;
    }

    /// The tasks, by id.
    #[must_use]
    pub fn list(&self) -> Vec<TaskInfo> {
        let mut tasks = self.all.list();
        tasks.sort_by(|a, b| a.id.cmp(&b.id));
        tasks
    }

    /// Ends a task; false if there is none of this id.
    pub fn cancel(&self, id: &str) -> bool {
        let task = self.all.get(id);
        task.inspect(|task| task.cancel()).is_some()
    }

    /// Ends all calls, and waits until nothing is left of their tools.
    pub async fn close(&self) {
        let servers: Vec<_> = self.servers().iter().filter_map(Weak::upgrade).collect();
        for server in servers {
            Server(server).shutdown().await;
        }
        self.workers.close().await;
    }
}

//! What a host keeps beside handles: the tasks of MCP servers. Another crate brings it, since this one
//! knows nothing of MCP.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};

use toolwire_host::handles::Listed;

/// What a server writes to a keeper of tasks, or the other way round.
pub type TaskReader = Box<dyn AsyncRead + Send + Unpin>;
/// The other direction.
pub type TaskWriter = Box<dyn AsyncWrite + Send + Unpin>;

/// Keeps the tasks of the servers of a workspace, as `toolwire_mcp::server::TaskKeeper` does.
pub trait KeepTasks: Send + Sync {
    /// Serves one server, until it leaves. Its tasks stay.
    fn serve(
        &self,
        read: TaskReader,
        write: TaskWriter,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;

    /// The tasks. As long as there are some, the host is needed.
    fn list(&self) -> Vec<Listed>;

    /// Ends a task; false if there is none of this id.
    fn cancel(&self, id: &str) -> bool;

    /// Ends all of them, and waits until nothing is left of their tools.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// A keeper of tasks, if a host has one.
#[derive(Clone, Default)]
pub(crate) struct Keeper(pub Option<Arc<dyn KeepTasks>>);

impl Keeper {
    pub(crate) fn list(&self) -> Vec<Listed> {
        self.0.as_ref().map_or_else(Vec::new, |tasks| tasks.list())
    }
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has = if self.0.is_some() { "some" } else { "none" };
        write!(f, "Keeper({has})")
    }
}

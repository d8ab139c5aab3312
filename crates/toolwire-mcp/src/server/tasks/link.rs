//! The way from a server to a keeper of its tasks.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};

/// What a keeper writes.
pub(in crate::server) type LinkReader = Box<dyn AsyncRead + Send + Unpin>;
/// What is written to a keeper.
pub(in crate::server) type LinkWriter = Box<dyn AsyncWrite + Send + Unpin>;

type Connected = Result<Option<(LinkReader, LinkWriter)>, String>;
type Connecting = Pin<Box<dyn Future<Output = Connected> + Send>>;

/// The way to a process that keeps the tasks of this server, so that the next server finds them, such as
/// the user's session host. There, a [`TaskKeeper`](super::TaskKeeper) is at the other end.
///
/// ```
/// use toolwire_mcp::server::TaskLink;
///
/// let nobody = TaskLink::new(|_start| async { Ok(None) });
/// # let _ = nobody;
/// ```
#[derive(Clone)]
pub struct TaskLink(Arc<dyn Fn(bool) -> Connecting + Send + Sync>);

impl TaskLink {
    /// A link that connects by this function. It is told whether the process may be started if it does not run; if
    /// it may not, there is no connection. What goes wrong is a sentence for people.
    #[must_use]
    pub fn new<F>(connect: impl Fn(bool) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Connected> + Send + 'static,
    {
        TaskLink(Arc::new(move |start| Box::pin(connect(start))))
    }

    pub(super) async fn connect(&self, start: bool) -> Connected {
        (self.0)(start).await
    }
}

impl fmt::Debug for TaskLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TaskLink")
    }
}

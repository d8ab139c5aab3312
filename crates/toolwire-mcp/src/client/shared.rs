//! What a client and its calls share.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinHandle;
use toolwire::mcp::Revision;
use toolwire_rpc::{Closed, Failure, Part, Peer, Pending};

use super::handshake::About;
use super::listed::Listed;
use super::request::Request;
use super::router::Router;
use super::stderr::Stderr;
use super::turns::Turns;
use super::{ClientError, ClientErrorKind, ClientOptions};

/// How long it may take to tell a server that a request is cancelled.
pub(super) const SOON: Duration = Duration::from_secs(1);

/// What the client and its calls share.
#[derive(Debug)]
pub(super) struct Shared {
    /// What messages call the server.
    pub(super) name: String,
    pub(super) peer: Peer,
    pub(super) router: Arc<Router>,
    pub(super) stderr: Arc<Stderr>,
    pub(super) revision: Revision,
    pub(super) is_http: bool,
    pub(super) about: About,
    pub(super) options: ClientOptions,
    pub(super) tools: tokio::sync::Mutex<Option<Listed>>,
    /// The turns of calls in an older revision, whose questions need not say which call asks them.
    pub(super) turns: Arc<Turns>,
    /// Cancellations of tasks that are on their way.
    pub(super) cancelling: Mutex<Vec<JoinHandle<()>>>,
}

impl Shared {
    pub(super) fn cancelling(&self) -> std::sync::MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.cancelling
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// What became of a request that has no result.
    pub(super) fn why_lost(&self, failure: &Failure) -> String {
        match failure {
            Failure::Closed(Closed::Ended) => "ended before it had answered".to_owned(),
            Failure::Closed(Closed::Local) => "is not used any longer".to_owned(),
            Failure::Closed(why) => format!("can't be used any more: {why}"),
            Failure::Refused(error) => format!("refused the request: {}", &**error),
            Failure::Unusable(damage) if damage.code < 0 => {
                format!("gave an answer that can't be used: it {damage}")
            }
            Failure::Unusable(damage) => format!("did not answer: {damage}"),
        }
    }

    /// What it means that a request was not answered.
    pub(super) fn lost(&self, failure: &Failure) -> ClientError {
        let message = format!("the server `{}` {}", self.name, self.why_lost(failure));
        ClientError::new(ClientErrorKind::NotConnected, message)
    }

    /// Queues a request.
    pub(super) async fn send(&self, request: Request<'_>) -> Result<Pending, Closed> {
        let version = self.router.version().unwrap_or_default();
        request.send(&self.peer, version, self.options.tasks).await
    }

    /// What the server answers to a request.
    pub(super) async fn ask(&self, request: Request<'_>) -> Result<Part, Failure> {
        self.send(request)
            .await
            .map_err(Failure::Closed)?
            .answer()
            .await
    }
}

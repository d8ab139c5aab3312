//! The way from a server to handles that outlive it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use toolwire_host::handles::{Handles, HandlesError};

type Reached = Result<Option<Arc<dyn Handles>>, HandlesError>;
type CommandOf = dyn Fn(&str) -> Option<String> + Send + Sync;
type Reach = dyn Fn(bool) -> Pin<Box<dyn Future<Output = Reached> + Send>> + Send + Sync;

/// The way to the handles of another process, such as the user's session host, where the next server finds what this
/// one has spawned.
///
/// ```
/// use toolwire_mcp::server::HandlesLink;
///
/// let nobody = HandlesLink::new(|_start| async { Ok(None) }, |_id| None);
/// # let _ = nobody;
/// ```
#[derive(Clone)]
pub struct HandlesLink {
    reach: Arc<Reach>,
    command: Arc<CommandOf>,
}

impl HandlesLink {
    /// A link that reaches the handles by this function, for each call anew: what it gives is dropped when the call
    /// is given up. It is told whether the process may be started if it does not run; if it may not, there are no
    /// handles. `command` gives the command by which a person takes part in a handle in a terminal, if there is one.
    #[must_use]
    pub fn new<F>(
        reach: impl Fn(bool) -> F + Send + Sync + 'static,
        command: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Reached> + Send + 'static,
    {
        HandlesLink {
            reach: Arc::new(move |start| Box::pin(reach(start))),
            command: Arc::new(command),
        }
    }

    pub(super) async fn reach(&self, start: bool) -> Reached {
        (self.reach)(start).await
    }

    pub(super) fn command_of_person(&self, id: &str) -> Option<String> {
        (self.command)(id)
    }
}

impl fmt::Debug for HandlesLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HandlesLink")
    }
}

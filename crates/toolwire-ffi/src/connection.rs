//! Connections to MCP servers, for programs that are not asynchronous Rust.

use std::sync::Arc;

use toolwire::Limits;
use toolwire_host::Transport;

use crate::caller::{Caller, Failure};
use crate::calls::Calls;
use crate::held::Held;
use crate::servers::{Named, ServerError};
use crate::settings;
use crate::task::{Ended, Task};

pub use crate::settings::Server;

/// A connection to an MCP server. It is there at once; its first task says when it can be used, or why not. Where
/// nobody holds it any more, it is closed in the background.
pub struct Connection(Arc<Held>, Limits);

impl Calls {
    /// Begins to connect to a server. The task ends with a JSON object: `revision`; if the server says so,
    /// `claimedName` and `instructions`; and `warnings`, if its tools are not as a profile expects. While the
    /// connection is open, each of the caller's signals ends the server first.
    ///
    /// # Errors
    ///
    /// `bad_option`, why no server is meant, and `system_error` if there can be no runtime.
    pub fn connect(
        &self,
        server: Server<'_>,
        options: &str,
        caller: &Caller,
    ) -> Result<(Connection, Task), Failure> {
        let (named, mut options) = settings::server(server, options, caller)?;
        let limits = options.limits;
        let host = self.prepare(&caller.signals)?;
        let Named {
            label,
            server,
            context,
            legacy,
            folder,
            expected,
        } = named;
        options.send_context |= context;
        options.legacy |= legacy;
        let held = Arc::new(Held::new(label, folder, Arc::clone(&host)));
        self.remember(Arc::downgrade(&held));
        let opening = Arc::clone(&held);
        let task = Task::spawn(host.handle(), host.bell.clone(), async move {
            let opened = opening.open(&server, &options, expected).await;
            if opened.is_err() {
                opening.forget();
            }
            opened
        });
        Ok((Connection(held, limits), task))
    }
}

impl Connection {
    /// Lists the tools, as a JSON array of descriptions.
    #[must_use]
    pub fn tools(&self) -> Task {
        let held = Arc::clone(&self.0);
        self.spawn(async move { held.until_closed(held.tools()).await })
    }

    /// Carries a call of one of the tools: for one conversation.
    ///
    /// # Errors
    ///
    /// `not_connected` if the connection is not open.
    pub fn transport(&self) -> Result<Arc<dyn Transport>, ServerError> {
        self.0.transport()
    }

    /// The limits for reading results.
    pub(crate) fn limits(&self) -> Limits {
        self.1
    }

    /// Ends the connection: calls that still run are cancelled, and of the server's program nothing is left at
    /// the end. The task ends with `null`.
    #[must_use]
    pub fn close(&self) -> Task {
        let held = Arc::clone(&self.0);
        self.spawn(async move {
            held.close().await;
            Ok("null".to_owned())
        })
    }

    fn spawn(&self, doing: impl Future<Output = Ended> + Send + 'static) -> Task {
        // The runtime of the process that this one is a fork of has no threads here.
        if let Err(error) = self.0.check_process() {
            return Task::over(Err(error));
        }
        let host = self.0.host();
        Task::spawn(host.handle(), host.bell.clone(), doing)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.0.check_process().is_ok() {
            let held = Arc::clone(&self.0);
            let host = Arc::clone(self.0.host());
            host.handle().spawn(async move { held.close().await });
        }
    }
}

//! Connections to MCP servers, for programs that are not asynchronous Rust.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{RwLock, watch};
use toolwire::call::ToolDescription;
use toolwire::json::{ObjectWriter, array};
use toolwire_host::{HostError, Transport};
use toolwire_mcp::client::{Client, ClientOptions, Server};

use crate::calls::{Calls, Host};
use crate::servers::{Named, ServerError};
use crate::task::{Ended, Task};

/// So long the end of a program waits for its servers to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection to an MCP server. It is there at once; its first task says when it can be used, or why not. Where
/// nobody holds it any more, it is closed in the background.
pub struct Connection(Arc<Held>);

pub(crate) struct Held {
    label: String,
    process: u32,
    host: Arc<Host>,
    client: RwLock<Option<Client>>,
    /// Whether it is to be closed.
    closing: watch::Sender<bool>,
    /// While it is open, a signal ends its server before it ends the process.
    #[cfg(unix)]
    live: Mutex<Option<crate::signals::Live>>,
}

impl Calls {
    /// Begins to connect to a server. The task ends with a JSON object: `revision`, and if the server says so
    /// `claimedName` and `instructions`. While the connection is open, each of `signals` ends the server first, as
    /// for [`Calls::start`].
    ///
    /// # Errors
    ///
    /// `system_error` if there can be no runtime.
    pub fn connect(
        &self,
        named: Named,
        options: ClientOptions,
        signals: &[i32],
    ) -> Result<(Connection, Task), HostError> {
        let host = self.prepare(signals)?;
        let Named { label, server } = named;
        let held = Arc::new(Held {
            label,
            process: std::process::id(),
            host: Arc::clone(&host),
            client: RwLock::new(None),
            closing: watch::Sender::new(false),
            #[cfg(unix)]
            live: Mutex::new(Some(crate::signals::Live::begin())),
        });
        self.remember(Arc::downgrade(&held));
        let opening = Arc::clone(&held);
        let task = Task::spawn(host.handle(), host.bell.clone(), async move {
            let opened = opening.open(&server, &options).await;
            if opened.is_err() {
                opening.forget();
            }
            opened
        });
        Ok((Connection(held), task))
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
        self.0.check_process()?;
        match self.0.client.try_read().as_deref() {
            Ok(Some(client)) => Ok(Arc::new(client.call())),
            _ => Err(self.0.closed()),
        }
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
        let host = &self.0.host;
        Task::spawn(host.handle(), host.bell.clone(), doing)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.0.check_process().is_ok() {
            let held = Arc::clone(&self.0);
            self.0
                .host
                .handle()
                .spawn(async move { held.close().await });
        }
    }
}

impl Held {
    async fn open(&self, server: &Server, options: &ClientOptions) -> Ended {
        let connecting = async {
            let client = Client::connect(&self.label, server, options).await?;
            let facts = facts(&client);
            *self.client.write().await = Some(client);
            Ok(facts)
        };
        self.until_closed(connecting).await
    }

    async fn tools(&self) -> Ended {
        match &*self.client.read().await {
            Some(client) => {
                let tools = client.tools().await?;
                Ok(array(tools.iter().map(ToolDescription::to_json)))
            }
            None => Err(self.closed()),
        }
    }

    async fn until_closed(&self, doing: impl Future<Output = Ended>) -> Ended {
        let mut closing = self.closing.subscribe();
        tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => Err(self.closed()),
            ended = doing => ended,
        }
    }

    /// Who closes it too waits as well.
    async fn close(&self) {
        self.closing.send_replace(true);
        let mut client = self.client.write().await;
        if let Some(client) = client.take() {
            client.close().await;
        }
        self.forget();
    }

    /// From now on there is nothing to end.
    fn forget(&self) {
        #[cfg(unix)]
        drop(
            self.live
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
    }

    fn closed(&self) -> ServerError {
        let message = format!("the connection to the server `{}` is closed", self.label);
        ServerError::new("not_connected", message)
    }

    fn check_process(&self) -> Result<(), ServerError> {
        match self.process == std::process::id() {
            true => Ok(()),
            false => Err(ServerError::new(
                "not_connected",
                format!(
                    "the connection to the server `{}` belongs to another process; connect in this one",
                    self.label
                ),
            )),
        }
    }
}

/// Closes all of these, and waits for that, which is a matter of 5 seconds.
pub(crate) fn close_all(all: Vec<Arc<Held>>) {
    let (sender, receiver) = channel();
    let mut open = 0;
    for held in all.into_iter().filter(|held| held.check_process().is_ok()) {
        open += 1;
        let sender = sender.clone();
        let host = Arc::clone(&held.host);
        host.handle().spawn(async move {
            held.close().await;
            let _ = sender.send(());
        });
    }
    let last = Instant::now() + PATIENCE;
    for _ in 0..open {
        let left = last.saturating_duration_since(Instant::now());
        if receiver.recv_timeout(left).is_err() {
            return;
        }
    }
}

/// What a server says of itself.
fn facts(client: &Client) -> String {
    let mut facts = ObjectWriter::new();
    facts.text("revision", client.revision().as_str());
    if let Some(name) = client.claimed_name() {
        facts.text("claimedName", &name);
    }
    if let Some(instructions) = client.instructions() {
        facts.text("instructions", &instructions);
    }
    facts.end()
}

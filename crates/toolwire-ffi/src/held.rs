//! What is held of a connection to an MCP server, and how it is closed.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{RwLock, watch};
use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::{ObjectWriter, array, string};
use toolwire_contract::profile::SchemaValidation;
use toolwire_host::Transport;
use toolwire_mcp::client::{Client, ClientOptions, Server};
use toolwire_source::{Expected, OpenFolder};

use crate::runtime::Host;
use crate::servers::ServerError;
use crate::task::Ended;

/// Maximum time that an exiting program waits for its servers.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection, open or not, that a connection and its tasks share.
pub(crate) struct Held {
    label: String,
    /// The folder in which the server's program runs, which is there as long as this is.
    _folder: OpenFolder,
    process: u32,
    host: Arc<Host>,
    client: RwLock<Option<Client>>,
    /// Whether it is to be closed.
    closing: watch::Sender<bool>,
    /// While it is open, a signal ends its server before it ends the process.
    #[cfg(unix)]
    live: Mutex<Option<crate::signals::Live>>,
}

impl Held {
    pub(crate) fn new(label: String, folder: OpenFolder, host: Arc<Host>) -> Self {
        Held {
            label,
            _folder: folder,
            process: std::process::id(),
            host,
            client: RwLock::new(None),
            closing: watch::Sender::new(false),
            #[cfg(unix)]
            live: Mutex::new(Some(crate::signals::Live::begin())),
        }
    }

    pub(crate) fn host(&self) -> &Arc<Host> {
        &self.host
    }

    /// Carries one call.
    pub(crate) fn transport(&self) -> Result<Arc<dyn Transport>, ServerError> {
        self.check_process()?;
        match self.client.try_read().as_deref() {
            Ok(Some(client)) => Ok(Arc::new(client.call())),
            _ => Err(self.closed()),
        }
    }

    pub(crate) async fn open(
        &self,
        server: &Server,
        options: &ClientOptions,
        expected: Option<Expected>,
    ) -> Ended {
        let connecting = async {
            let client = Client::connect(&self.label, server, options).await?;
            let warnings = match &expected {
                Some(expected) => compare(&client, expected).await,
                None => Ok(Vec::new()),
            };
            let warnings = match warnings {
                Ok(warnings) => warnings,
                Err(error) => {
                    client.close().await;
                    return Err(error);
                }
            };
            let facts = facts(&client, &warnings);
            *self.client.write().await = Some(client);
            Ok(facts)
        };
        self.until_closed(connecting).await
    }

    pub(crate) async fn tools(&self) -> Ended {
        match &*self.client.read().await {
            Some(client) => {
                let tools = client.tools().await?;
                Ok(array(tools.iter().map(ToolDescription::to_json)))
            }
            None => Err(self.closed()),
        }
    }

    pub(crate) async fn until_closed(&self, doing: impl Future<Output = Ended>) -> Ended {
        let mut closing = self.closing.subscribe();
        tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => Err(self.closed()),
            ended = doing => ended,
        }
    }

    /// Who closes it too waits as well.
    pub(crate) async fn close(&self) {
        self.closing.send_replace(true);
        let mut client = self.client.write().await;
        if let Some(client) = client.take() {
            client.close().await;
        }
        self.forget();
    }

    /// From now on there is nothing to end.
    pub(crate) fn forget(&self) {
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

    pub(crate) fn check_process(&self) -> Result<(), ServerError> {
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

/// What is not as a profile expects, or that the server is not used for it.
async fn compare(client: &Client, expected: &Expected) -> Result<Vec<String>, ServerError> {
    if !expected.compares() {
        return Ok(Vec::new());
    }
    let tools = client.tools().await?;
    let tools = Json::new(array(tools.iter().map(ToolDescription::to_json)));
    let told = tools.and_then(|tools| expected.differences(&tools));
    let told = told.map_err(|error| ServerError::new(error.code().as_str(), error.to_string()))?;
    if told.is_empty() {
        return Ok(told);
    }
    let (says, advice) = (expected.says(), expected.advice());
    let message = format!("{says}: {}; {advice}", told.join("; "));
    match expected.validation {
        SchemaValidation::Error => Err(ServerError::new("unexpected_tools", message)),
        _ => Ok(vec![message]),
    }
}

/// What a server says of itself, and what there is to be warned of.
fn facts(client: &Client, warnings: &[String]) -> String {
    let mut facts = ObjectWriter::new();
    facts.text("revision", client.revision().as_str());
    if let Some(name) = client.claimed_name() {
        facts.text("claimedName", &name);
    }
    if let Some(instructions) = client.instructions() {
        facts.text("instructions", &instructions);
    }
    if !warnings.is_empty() {
        facts.json("warnings", array(warnings.iter().map(|one| string(one))));
    }
    facts.end()
}

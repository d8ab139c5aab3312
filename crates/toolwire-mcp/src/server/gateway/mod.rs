//! MCP servers whose tools are served beside those of programs (`docs/reference/serving.md`).

mod call;
mod link;
mod offers;

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use tokio::sync::watch;
use tokio::task::JoinSet;
use toolwire::call::ToolDescription;
use toolwire_host::manifest::unknown;

use super::Refused;
use crate::client::{self, Client, ClientOptions, OnChange, ToolCall};
use crate::lock;
pub(super) use call::Parked;
use link::{Link, Links, Seen};
pub(super) use offers::Watch;

type Check = dyn Fn(&[ToolDescription]) -> Result<Refused, String> + Send + Sync;

/// An MCP server whose tools are served. It is started or reached when its tools are needed.
///
/// ```
/// use toolwire_host::{Command, ProcessOptions};
/// use toolwire_mcp::client::{self, ClientOptions};
/// use toolwire_mcp::server::{Gateway, Offer};
///
/// let server = client::Server::program(Command::new("./files-server"), ProcessOptions::default());
/// let files = Gateway::new("files", server, ClientOptions::default());
/// let offer = Offer { servers: vec![files], ..Offer::default() };
/// # assert_eq!(offer.servers.len(), 1);
/// ```
#[derive(Clone)]
pub struct Gateway {
    label: String,
    server: client::Server,
    options: ClientOptions,
    /// The only tool of it that is served, by the name that the server knows it by; without, all are.
    pub tool: Option<String>,
    /// What to do if it can't be used, for the message that says so.
    pub advice: Option<String>,
    check: Option<Arc<Check>>,
    links: Arc<Links>,
}

impl Gateway {
    /// A server; `label` is what messages call it, and with a prefix its tools.
    #[must_use]
    pub fn new(label: &str, server: client::Server, options: ClientOptions) -> Self {
        Gateway {
            label: label.to_owned(),
            server,
            options,
            tool: None,
            advice: None,
            check: None,
            links: Arc::default(),
        }
    }

    /// The same with a look at its tools on each connection, before the first call and again when they are others:
    /// which of them are not to be used and why, by the names that the server knows them by; or why it is not to be
    /// used at all.
    ///
    /// ```
    /// use toolwire_mcp::client::{self, ClientOptions};
    /// use toolwire_mcp::server::Gateway;
    ///
    /// let server = client::Server::http("https://example.org/mcp");
    /// let gateway = Gateway::new("example.org", server, ClientOptions::default());
    /// let gateway = gateway.with_check(|tools| match tools.len() {
    ///     0..=20 => Ok(Default::default()),
    ///     _ => Err("nobody has looked at so many tools".to_owned()),
    /// });
    /// # let _ = gateway;
    /// ```
    #[must_use]
    pub fn with_check(
        mut self,
        check: impl Fn(&[ToolDescription]) -> Result<Refused, String> + Send + Sync + 'static,
    ) -> Self {
        self.check = Some(Arc::new(check));
        self
    }

    /// Holds a value until the server is not used any longer, such as the folder in which its program runs.
    #[must_use]
    pub fn holding(self, value: impl Any + Send) -> Self {
        *lock(&self.links.held) = Some(Box::new(value));
        self
    }

    /// What messages call it.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// Its tools as they are now.
    pub(super) async fn describe(&self) -> Result<Vec<ToolDescription>, String> {
        let link = self.link("");
        let call = self.ready(&link).await?;
        let tools = call.tools().await.map_err(|error| error.to_string())?;
        let seen = Seen {
            refused: self.check(&tools),
            tools: tools.clone(),
        };
        // What tools are held against may be another one by now, for every connection.
        for other in lock(&self.links.of).values() {
            *lock(&other.seen) = None;
        }
        *lock(&link.seen) = Some(seen);
        self.chosen(tools)
    }

    /// Its tools as they were when they were described last.
    pub(super) fn described(&self) -> Option<Vec<ToolDescription>> {
        let seen = lock(&self.link("").seen).clone();
        self.chosen(seen?.tools).ok()
    }

    /// Which of the tools that were described last are not served, or why none is.
    pub(super) fn refused(&self) -> Result<Refused, String> {
        let link = self.link("");
        let seen = lock(&link.seen);
        let refused = seen.as_ref().map(|seen| seen.refused.clone());
        refused.unwrap_or_else(|| Ok(Refused::new()))
    }

    /// Whether its tools should be described again.
    pub(super) fn is_stale(&self) -> bool {
        if self.links.has_changed.swap(false, Ordering::Relaxed) {
            return true;
        }
        let link = self.link("");
        let Ok(slot) = link.slot.try_lock() else {
            return false;
        };
        match &slot.client {
            Some(client) => client.has_changed() && !client.is_closed(),
            // One that could not be used at first may be there by now.
            None => lock(&link.seen).is_none() && slot.starts.is_due(Instant::now()),
        }
    }

    /// Tells of each change of its resources and of its prompts.
    pub(super) fn changes(&self) -> (watch::Receiver<()>, watch::Receiver<()>) {
        let changes = &self.links.changes;
        (changes.resources.subscribe(), changes.prompts.subscribe())
    }

    /// Whether a message is another one than people were told last.
    pub(super) fn is_news(&self, message: Option<&str>) -> bool {
        let mut told = lock(&self.links.told);
        let news = told.as_deref() != message;
        *told = message.map(str::to_owned);
        news
    }

    /// Ends all connections; nothing is left of its programs.
    pub(super) async fn close(&self) {
        self.links.closed.send_replace(true);
        let links = std::mem::take(&mut *lock(&self.links.of));
        let mut closing = JoinSet::new();
        for link in links.into_values() {
            closing.spawn(async move {
                if let Some(client) = link.slot.lock().await.client.take() {
                    client.close().await;
                }
            });
        }
        while closing.join_next().await.is_some() {}
        drop(lock(&self.links.held).take());
    }

    fn link(&self, principal: &str) -> Arc<Link> {
        let mut links = lock(&self.links.of);
        Arc::clone(links.entry(principal.to_owned()).or_default())
    }

    /// A call on a connection that is there, or else a new one.
    async fn ready(&self, link: &Arc<Link>) -> Result<ToolCall, String> {
        let label = &self.label;
        let mut slot = link.slot.lock().await;
        if let Some(gone) = slot.client.take_if(|client| client.is_closed()) {
            gone.close().await;
        }
        if let Some(client) = &slot.client {
            return Ok(client.call());
        }
        if let Err(pause) = slot.starts.begin(Instant::now()) {
            return Err(format!(
                "the server `{label}` has ended, and is not started again within {:.1} s; try again later",
                pause.as_secs_f64()
            ));
        }
        let mut closed = self.links.closed.subscribe();
        let connected = tokio::select! {
            biased;
            _ = closed.wait_for(|closed| *closed) => {
                return Err(format!("the server `{label}` is not used any longer"));
            }
            connected = self.connect(link) => connected,
        };
        let client = connected.map_err(|error| match &self.advice {
            Some(advice) => format!("{error}; {advice}"),
            None => error.to_string(),
        })?;
        Ok(slot.client.insert(client).call())
    }

    async fn connect(&self, link: &Arc<Link>) -> Result<Client, client::ClientError> {
        let (links, link) = (Arc::clone(&self.links), Arc::downgrade(link));
        let on_change = OnChange(Box::new(move |change| links.take(&link, change)));
        Client::connect_telling(&self.label, &self.server, &self.options, on_change).await
    }

    fn check(&self, tools: &[ToolDescription]) -> Result<Refused, String> {
        match &self.check {
            Some(check) => check(tools),
            None => Ok(Refused::new()),
        }
    }

    /// Those of its tools that are served.
    fn chosen(&self, mut tools: Vec<ToolDescription>) -> Result<Vec<ToolDescription>, String> {
        let Some(name) = &self.tool else {
            return Ok(tools);
        };
        match tools.iter().position(|tool| tool.name == *name) {
            Some(at) => Ok(vec![tools.swap_remove(at)]),
            None => {
                let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
                Err(unknown("tool", name, &names))
            }
        }
    }

    /// A call on a connection whose tools were looked at, for a principal; or why the server is not to be used.
    async fn admitted(&self, link: &Arc<Link>) -> Result<(ToolCall, Seen), String> {
        let call = self.ready(link).await?;
        let tools = call.tools().await.map_err(|error| error.to_string())?;
        let seen = self.look(link, tools);
        Ok((call, seen))
    }

    /// Takes what a connection lists, and looks at it if it is another list than before.
    fn look(&self, link: &Link, tools: Vec<ToolDescription>) -> Seen {
        let before = lock(&link.seen).clone();
        let is_first = before.is_none();
        if let Some(seen) = before.filter(|seen| seen.tools == tools) {
            return seen;
        }
        let seen = Seen {
            refused: self.check(&tools),
            tools,
        };
        *lock(&link.seen) = Some(seen.clone());
        if !is_first {
            self.links.has_changed.store(true, Ordering::Relaxed);
        }
        seen
    }
}

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gateway").field(&self.label).finish()
    }
}

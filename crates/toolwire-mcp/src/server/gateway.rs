//! MCP servers whose tools are served beside those of programs (`docs/reference/serving.md`).

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::{OnceCell, watch};
use tokio::task::JoinSet;
use toolwire::call::ToolDescription;
use toolwire::lines::Trace;
use toolwire_host::manifest::unknown;
use toolwire_host::{Control, HostError, Reply, Transport};

use super::Refused;
use super::gate::{cancelled, told};
use crate::client::{self, Client, ClientOptions, ToolCall};
use crate::lock;

/// The shortest and the longest pause before a server that has ended is started again.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// A server that was started so long ago has no pause.
const STEADY: Duration = Duration::from_secs(120);

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

/// The connections of a server.
#[derive(Default)]
struct Links {
    /// By the principals whose calls they carry; the tools that are served are those of the empty one.
    of: Mutex<HashMap<String, Arc<Link>>>,
    /// Whether the tools of some connection are others than they were.
    has_changed: AtomicBool,
    closed: watch::Sender<bool>,
    /// What people were told last.
    told: Mutex<Option<String>>,
    /// What has to be there while the server is used.
    held: Mutex<Option<Box<dyn Any + Send>>>,
}

/// A connection, which is made anew when it is needed and gone.
#[derive(Default)]
struct Link {
    slot: tokio::sync::Mutex<Slot>,
    seen: Mutex<Option<Seen>>,
}

#[derive(Default)]
struct Slot {
    client: Option<Client>,
    starts: Starts,
}

/// The tools that were listed last, and which of them are refused, or why all are.
#[derive(Clone)]
struct Seen {
    tools: Vec<ToolDescription>,
    refused: Result<Refused, String>,
}

/// When a server was started, so that one that ends at once is not started all the time.
#[derive(Debug, Default)]
struct Starts {
    last: Option<Instant>,
    pause: Duration,
}

impl Starts {
    /// Begins a start; or says how long it has to wait.
    fn begin(&mut self, now: Instant) -> Result<(), Duration> {
        if let Some(last) = self.last {
            let since = now.duration_since(last);
            if since >= STEADY {
                self.pause = Duration::ZERO;
            } else if since < self.pause {
                return Err(self.pause - since);
            } else {
                self.pause = (self.pause * 2).clamp(PAUSE.0, PAUSE.1);
            }
        }
        self.last = Some(now);
        Ok(())
    }

    /// Whether it was tried in vain so long ago that it may be tried without being asked.
    fn is_due(&self, now: Instant) -> bool {
        self.last
            .is_some_and(|last| now.duration_since(last) >= PAUSE.1)
    }
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

    /// A way to one of its tools, for one call of a principal.
    pub(super) fn call(
        &self,
        principal: &str,
        tool: &str,
        trace: Trace,
        parked: Parked,
    ) -> GatewayCall {
        GatewayCall {
            gateway: self.clone(),
            principal: principal.to_owned(),
            tool: tool.to_owned(),
            trace,
            parked,
            call: OnceCell::new(),
        }
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
    async fn ready(&self, link: &Link) -> Result<ToolCall, String> {
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
            connected = Client::connect(label, &self.server, &self.options) => connected,
        };
        let client = connected.map_err(|error| match &self.advice {
            Some(advice) => format!("{error}; {advice}"),
            None => error.to_string(),
        })?;
        Ok(slot.client.insert(client).call())
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

    /// Connects for a call, and looks at the tool on that connection.
    async fn begin(&self, principal: &str, tool: &str) -> Result<ToolCall, Refusal> {
        let link = self.link(principal);
        let later = |message: String| Refusal {
            message,
            transient: true,
        };
        let call = self.ready(&link).await.map_err(later)?;
        let tools = call.tools().await;
        let tools = tools.map_err(|error| later(error.to_string()))?;
        let seen = self.look(&link, tools);
        let is_there = seen.tools.iter().any(|other| other.name == tool);
        let why = match seen.refused {
            Err(why) => why,
            Ok(_) if !is_there => {
                let label = &self.label;
                format!("the server `{label}` has no tool `{tool}` any more; list the tools again")
            }
            Ok(mut refused) => match refused.remove(tool) {
                Some(why) => why,
                None => return Ok(call),
            },
        };
        Err(Refusal {
            message: format!("{why}; it was not called"),
            transient: false,
        })
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

/// Why a call is not made.
struct Refusal {
    message: String,
    transient: bool,
}

/// One call of a tool of a server.
pub(super) struct GatewayCall {
    gateway: Gateway,
    principal: String,
    tool: String,
    trace: Trace,
    parked: Parked,
    call: OnceCell<ToolCall>,
}

/// Where a call is left that waits for answers, for a client that is asked by a result.
#[derive(Debug, Clone, Default)]
pub(super) struct Parked(Arc<Mutex<Option<String>>>);

impl Parked {
    /// What it takes to go on, if that was left.
    pub(super) fn get(&self) -> Option<String> {
        lock(&self.0).clone()
    }

    pub(super) fn set(&self, parked: Option<String>) {
        *lock(&self.0) = parked;
    }
}

impl Transport for GatewayCall {
    fn send<'a>(
        &'a self,
        document: &'a str,
        control: &'a Control,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
        Box::pin(async move {
            let begin = async || {
                let begun = self.gateway.begin(&self.principal, &self.tool).await?;
                let begun = begun.in_trace(self.trace.clone());
                match self.parked.get() {
                    Some(parked) => begun.going_on(&parked).ok_or_else(|| Refusal {
                        message: "the server can't go on with this call; make it anew".to_owned(),
                        transient: false,
                    }),
                    None => Ok(begun),
                }
            };
            let call = tokio::select! {
                biased;
                () = control.cancelled() => return Ok(cancelled()),
                call = self.call.get_or_try_init(begin) => call,
            };
            match call {
                Ok(call) => {
                    let reply = call.send(document, control).await;
                    self.parked.set(call.parked());
                    reply
                }
                Err(Refusal { message, transient }) => Ok(told(&message, transient)),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_ends_at_once_is_started_less_and_less_often() {
        let mut starts = Starts::default();
        let mut now = Instant::now();
        let mut pauses = Vec::new();
        for _ in 0..10 {
            let pause = starts.begin(now).err().unwrap_or_default();
            now += pause;
            if !pause.is_zero() {
                starts.begin(now).unwrap();
            }
            pauses.push(pause.as_secs());
        }
        assert_eq!(pauses, [0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
        assert!(!starts.is_due(now) && starts.is_due(now + PAUSE.1));
        assert!(starts.begin(now + STEADY).is_ok());
        assert!(starts.begin(now + STEADY).is_ok(), "it begins anew");
    }
}

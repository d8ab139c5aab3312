//! Messages that are answered where tasks are kept: calls that may become tasks, and what is asked of tasks
//!. They travel to and fro to the letter; all others are answered in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use toolwire::Json;
use toolwire::call::{Action, Call};
use toolwire::json::{Document, Node, ObjectWriter};
use toolwire::mcp::Revision;
use toolwire_host::manifest::TaskPolicy;
use toolwire_host::{Command, ExchangeOptions};

use super::TaskLink;
use super::link::{LinkReader, LinkWriter};
use super::orders::{write_message, write_serve, write_tool};
use super::prepared::Prepared;
use crate::server::catalog::{Served, Way};
use crate::server::handler::Handler;
use crate::server::stdio::{Came, FLUSHING, Reader};
use crate::server::{call, exact};

/// So many messages wait to be looked at.
const WAITING: usize = 16;

/// So long calls may take to end when nothing comes from the client any more.
const DRAINING: Duration = Duration::from_secs(5);

/// So long the keeper may take to end what is no task.
const ENDING: Duration = Duration::from_secs(10);

/// What a transport knows of the relay: where messages go, and which come back.
#[derive(Debug)]
pub struct Relay {
    /// None when nothing comes any more.
    orders: Option<mpsc::Sender<Vec<u8>>>,
    /// Messages that this process is to answer after all.
    back: mpsc::UnboundedReceiver<Vec<u8>>,
    /// A message for which there is no room yet.
    held: Option<Vec<u8>>,
    over: watch::Receiver<bool>,
}

/// The task behind a relay.
#[derive(Debug)]
pub struct Relaying {
    stop: Arc<Notify>,
    over: watch::Receiver<bool>,
    /// Closed once everything for the client is written.
    written: watch::Receiver<bool>,
}

impl Relaying {
    /// Waits for the calls that were relayed, or ends them at once.
    pub async fn finish(mut self, at_once: bool) {
        if at_once {
            self.stop.notify_one();
        }
        let _ = timeout(ENDING + DRAINING, self.over.wait_for(|over| *over)).await;
        // A client that does not read is not waited for.
        let _ = timeout(FLUSHING, self.written.changed()).await;
    }
}

impl Relay {
    /// Begins to relay messages of this client. What the keeper says goes to `write`.
    pub fn start(
        handler: Handler,
        link: TaskLink,
        write: mpsc::Sender<String>,
        written: watch::Receiver<bool>,
    ) -> (Self, Relaying) {
        let (orders, waiting) = mpsc::channel(WAITING);
        let (sent_back, back) = mpsc::unbounded_channel();
        let (says_over, over) = watch::channel(false);
        let stop = Arc::new(Notify::new());
        let actor = Actor {
            handler,
            link,
            write,
            back: sent_back,
            connection: None,
            complained: false,
        };
        tokio::spawn(actor.run(waiting, Arc::clone(&stop), says_over));
        let relaying = Relaying {
            stop,
            over: over.clone(),
            written,
        };
        let relay = Relay {
            orders: Some(orders),
            back,
            held: None,
            over,
        };
        (relay, relaying)
    }

    /// The next message that this process answers. Nothing is lost if the future is dropped.
    pub async fn next(&mut self, reader: &mut Reader) -> Came {
        loop {
            let Relay {
                orders, back, held, ..
            } = self;
            let Some(sender) = orders else {
                // What was sent back is still to be answered.
                return back.recv().await.map_or(Came::End, Came::Line);
            };
            if held.is_some() {
                tokio::select! {
                    biased;
                    Some(line) = back.recv() => return Came::Line(line),
                    room = sender.reserve() => match (room, held.take()) {
                        (Ok(room), Some(line)) => room.send(line),
                        (Err(_), Some(line)) => return Came::Line(line),
                        (_, None) => {}
                    },
                }
                continue;
            }
            tokio::select! {
                biased;
                Some(line) = back.recv() => return Came::Line(line),
                came = reader.next_line() => match came {
                    Came::Line(line) if is_wanted(&line) => *held = Some(line),
                    Came::End => *orders = None,
                    came => return came,
                },
            }
        }
    }

    /// Waits until all that was relayed is answered, or given up.
    pub async fn close(&mut self) {
        self.orders = None;
        let _ = timeout(ENDING + DRAINING, self.over.wait_for(|over| *over)).await;
    }
}

/// Whether a message may be one for a keeper of tasks: a request of 2026-07-28 about tasks, or a call of a client that
/// knows them.
fn is_wanted(line: &[u8]) -> bool {
    let Some(document) = exact::message(line) else {
        return false;
    };
    let root = document.root();
    let Some(method) = root.get("method").and_then(|method| method.as_str()) else {
        return false;
    };
    if method == CANCELLED {
        return true;
    }
    let params = root.get("params");
    let meta = params.and_then(|params| params.get("_meta"));
    let of_meta = |name: &str| meta.and_then(|meta| meta.get(name));
    let version = of_meta("io.modelcontextprotocol/protocolVersion");
    if !version.is_some_and(|version| version.is_str(Revision::V2026_07_28.as_str())) {
        return false;
    }
    match &*method {
        "tasks/get" | "tasks/update" | "tasks/cancel" => true,
        "tools/call" => {
            let declared = of_meta("io.modelcontextprotocol/clientCapabilities");
            let extensions = declared.and_then(|declared| declared.get("extensions"));
            extensions.is_some_and(|known| known.get("io.modelcontextprotocol/tasks").is_some())
        }
        super::LISTEN => task_ids(root).is_some(),
        _ => false,
    }
}

const CANCELLED: &str = "notifications/cancelled";

fn task_ids(root: Node<'_>) -> Option<Node<'_>> {
    root.get("params")?.get("notifications")?.get("taskIds")
}

/// What a request waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Its answer.
    Answered,
    /// Changes of tasks, until the stream ends.
    Tasks,
    /// Those, and changes of the list of tools, of which the keeper knows nothing.
    TasksAndTools,
}

/// The requests that are not answered yet, by their ids as JSON text.
#[derive(Debug, Default)]
struct Pending {
    requests: Mutex<HashMap<String, Kind>>,
    fewer: Notify,
}

impl Pending {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Kind>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remove(&self, id: &str) -> bool {
        let was_there = self.lock().remove(id).is_some();
        self.fewer.notify_one();
        was_there
    }

    /// Done when all are answered, but for those that only listen.
    async fn emptied(&self) {
        while self.lock().values().any(|kind| *kind == Kind::Answered) {
            self.fewer.notified().await;
        }
    }
}

struct Actor {
    handler: Handler,
    link: TaskLink,
    write: mpsc::Sender<String>,
    back: mpsc::UnboundedSender<Vec<u8>>,
    connection: Option<Connection>,
    /// Whether people know that tasks can't be kept elsewhere.
    complained: bool,
}

/// A connection to a keeper.
struct Connection {
    write: LinkWriter,
    hearing: JoinHandle<()>,
    pending: Arc<Pending>,
    /// The tools that the keeper knows.
    told: HashMap<String, Arc<Served>>,
}

/// What becomes of a message.
enum Route {
    /// This process answers it.
    Here,
    /// The keeper does. These lines say it all, the tool first if the keeper does not know it.
    There {
        id: Option<String>,
        kind: Kind,
        lines: Vec<String>,
    },
}

impl Actor {
    async fn run(
        mut self,
        mut orders: mpsc::Receiver<Vec<u8>>,
        stop: Arc<Notify>,
        over: watch::Sender<bool>,
    ) {
        let mut known = self.handler.shared.known.subscribe();
        loop {
            tokio::select! {
                line = orders.recv() => match line {
                    Some(line) => self.take(line).await,
                    None => break,
                },
                Ok(()) = known.changed() => self.tell_listeners().await,
            }
        }
        let Actor {
            back,
            connection,
            write,
            ..
        } = self;
        drop((back, write));
        if let Some(mut connection) = connection {
            tokio::select! {
                () = connection.pending.emptied() => {}
                () = sleep(DRAINING) => {}
                () = stop.notified() => {}
            }
            // The keeper ends what is no task, and leaves then.
            let _ = connection.write.shutdown().await;
            let _ = timeout(ENDING, connection.hearing).await;
        }
        over.send_replace(true);
    }

    /// Answers a message, or has it answered.
    async fn take(&mut self, line: Vec<u8>) {
        match self.route(&line).await {
            Some(Route::There { id, kind, lines }) => self.send(id, kind, &lines).await,
            Some(Route::Here) | None => {
                // The transport may be gone.
                let _ = self.back.send(line);
            }
        }
    }

    async fn send(&mut self, id: Option<String>, kind: Kind, lines: &[String]) {
        let Some(connection) = &mut self.connection else {
            return;
        };
        if let Some(id) = id {
            connection.pending.lock().insert(id, kind);
        }
        for line in lines {
            let text = format!("{line}\n");
            // Who hears it tells the client of what is not answered.
            if connection.write.write_all(text.as_bytes()).await.is_err() {
                return;
            }
        }
    }

    async fn route(&mut self, line: &[u8]) -> Option<Route> {
        let (method, id) = {
            let document = exact::message(line)?;
            let root = document.root();
            let method = root.get("method")?.as_str()?.into_owned();
            (method, root.get("id").map(|id| id.raw().to_owned()))
        };
        match method.as_str() {
            CANCELLED => self.cancelled(line),
            "tools/call" => self.order(line, id).await,
            _ => self.about_tasks(line, id).await,
        }
    }

    /// A request that is cancelled is not answered any more.
    fn cancelled(&self, line: &[u8]) -> Option<Route> {
        let document = exact::message(line)?;
        let request = document.root().get("params")?.get("requestId")?;
        let was_there = self.connection.as_ref()?.pending.remove(request.raw());
        was_there.then(|| Route::There {
            id: None,
            kind: Kind::Answered,
            lines: vec![write_message(document.root().raw(), None)],
        })
    }

    /// What is asked of a task, unless it is one of this process, or nobody else has any.
    async fn about_tasks(&mut self, line: &[u8], id: Option<String>) -> Option<Route> {
        let kind = {
            let document = exact::message(line)?;
            let root = document.root();
            let params = root.get("params")?;
            let own = self.handler.shared.tasks.as_ref();
            let is_own = |id: Node<'_>| {
                let id = id.as_str();
                id.is_some_and(|id| own.is_some_and(|own| own.find("", &id).is_ok()))
            };
            let listens = task_ids(root);
            let mut ids = listens.iter().flat_map(|ids| ids.elements());
            if params.get("taskId").is_some_and(is_own) || ids.any(is_own) {
                return Some(Route::Here);
            }
            let tools = params
                .get("notifications")
                .and_then(|filter| filter.get("toolsListChanged")?.as_bool());
            match (listens, tools) {
                (None, _) => Kind::Answered,
                (Some(_), Some(true)) => Kind::TasksAndTools,
                (Some(_), _) => Kind::Tasks,
            }
        };
        self.connect(false).await?;
        let document = exact::message(line)?;
        Some(Route::There {
            id,
            kind,
            lines: vec![write_message(document.root().raw(), None)],
        })
    }

    /// A call that may become a task, with all that is needed to run it elsewhere.
    async fn order(&mut self, line: &[u8], id: Option<String>) -> Option<Route> {
        let catalog = self.handler.shared.catalog().await.ok()?;
        let (tool, command, prepared, call) = {
            let document = exact::message(line)?;
            let params = document.root().get("params")?;
            let name = params.get("name")?.as_str()?;
            let tool = Arc::clone(catalog.0.get(&*name)?);
            let (command, prepared, call) = self.prepare(&tool, params)?;
            (tool, command, prepared, call)
        };
        self.connect(true).await?;
        let connection = self.connection.as_mut()?;
        let name = &tool.description.name;
        let mut lines = Vec::new();
        let known = connection.told.get(name);
        if !known.is_some_and(|known| Arc::ptr_eq(known, &tool)) {
            lines.push(write_tool(&tool.description, &prepared));
            connection.told.insert(name.clone(), Arc::clone(&tool));
        }
        let document = exact::message(line)?;
        let ordered = Some((name.as_str(), &command, &call));
        lines.push(write_message(document.root().raw(), ordered));
        Some(Route::There {
            id,
            kind: Kind::Answered,
            lines,
        })
    }

    /// The call as it is run; nothing for one that never becomes a task, and for one in which something is wrong,
    /// which this process says best.
    fn prepare(&self, tool: &Served, params: Node<'_>) -> Option<(Command, Prepared, Call)> {
        let options = &self.handler.shared.options;
        let policy = tool.way.task().unwrap_or(options.tasks.as_ref()?.policy);
        if policy == TaskPolicy::Never || tool.session.is_some() {
            return None;
        }
        let arguments = params
            .get("arguments")
            .map_or_else(Json::empty_object, Json::from);
        let meta = params.get("_meta").map(Json::from);
        let call = call::read(&self.handler, tool, &arguments, meta.as_ref()).ok()?;
        if call.action != Action::Run {
            return None;
        }
        let usual = ExchangeOptions::default();
        let (command, prepared) = match &tool.way {
            Way::Functions(_) | Way::Server(_) | Way::Prepared(_) => return None,
            Way::Program(command) => {
                let prepared = Prepared {
                    own_name: tool.own_name.clone(),
                    process: options.process.options(None),
                    plain: false,
                    exchange: usual,
                    task: None,
                    command: command.clone(),
                };
                (command.clone(), prepared)
            }
            Way::Manifest(manifest) => {
                let command = manifest.command_with(&call.arguments).ok()?;
                let prepared = Prepared {
                    own_name: manifest.own_name().to_owned(),
                    process: options.process.options(Some(manifest)),
                    plain: manifest.plain,
                    exchange: manifest.exchange_options(usual),
                    task: manifest.task,
                    command: command.clone(),
                };
                (command, prepared)
            }
        };
        // Where it is run, the folder and the `PATH` are others.
        let command = command.resolve(&prepared.process).ok()?;
        Some((command, prepared, call))
    }

    /// Connects to the keeper, if there is no connection; nothing if there is no keeper.
    async fn connect(&mut self, start: bool) -> Option<()> {
        let lives = |connection: &Connection| !connection.hearing.is_finished();
        if self.connection.as_ref().is_some_and(lives) {
            return Some(());
        }
        self.connection = None;
        let (read, write) = match self.link.connect(start).await {
            Ok(found) => found?,
            Err(why) => {
                if !self.complained {
                    self.complained = true;
                    let message = format!("tasks end with this server: {why}");
                    self.handler.shared.options.reporter.report(&message);
                }
                return None;
            }
        };
        let options = &self.handler.shared.options;
        let serves = write_serve(options, options.tasks.as_ref()?);
        let pending = Arc::new(Pending::default());
        let hearing = tokio::spawn(hear(read, self.write.clone(), Arc::clone(&pending)));
        self.connection = Some(Connection {
            write,
            hearing,
            pending,
            told: HashMap::new(),
        });
        let connection = self.connection.as_mut()?;
        let text = format!("{serves}\n");
        let written = connection.write.write_all(text.as_bytes()).await;
        written.is_ok().then_some(())
    }

    /// The keeper knows nothing of the list of tools.
    async fn tell_listeners(&mut self) {
        let Some(connection) = &self.connection else {
            return;
        };
        let listening: Vec<String> = {
            let pending = connection.pending.lock();
            let of_tools = pending
                .iter()
                .filter(|(_, kind)| **kind == Kind::TasksAndTools);
            of_tools.map(|(id, _)| id.clone()).collect()
        };
        for id in listening {
            let meta = ObjectWriter::new().json(super::SUBSCRIPTION, &id).end();
            let params = ObjectWriter::new().json("_meta", meta).end();
            let told = ObjectWriter::new()
                .text("jsonrpc", "2.0")
                .text("method", "notifications/tools/list_changed")
                .json("params", params)
                .end();
            let _ = self.write.send(told + "\n").await;
        }
    }
}

/// Passes on what the keeper says, and tells the client at the end what is not answered.
async fn hear(read: LinkReader, write: mpsc::Sender<String>, pending: Arc<Pending>) {
    let mut read = BufReader::new(read);
    loop {
        let mut line = String::new();
        match read.read_line(&mut line).await {
            Ok(length) if length > 0 && line.ends_with('\n') => {}
            _ => break,
        }
        if let Some(id) = answered(&line) {
            pending.remove(&id);
        }
        if write.send(line).await.is_err() {
            break;
        }
    }
    let left: Vec<String> = pending.lock().drain().map(|(id, _)| id).collect();
    pending.fewer.notify_one();
    for id in left {
        let message = "the process that keeps tasks has ended; call the tool again";
        let error = ObjectWriter::new()
            .json("code", "-32603")
            .text("message", message)
            .end();
        let answer = ObjectWriter::new()
            .text("jsonrpc", "2.0")
            .json("id", &id)
            .json("error", error)
            .end();
        let _ = write.send(answer + "\n").await;
    }
}

/// The id of the request that a message answers, if it does, as JSON text.
fn answered(line: &str) -> Option<String> {
    let document = Document::new(line.trim_end()).ok()?;
    let root = document.root();
    match root.get("method") {
        Some(_) => None,
        None => Some(root.get("id")?.raw().to_owned()),
    }
}

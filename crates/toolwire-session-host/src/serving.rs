//! One client of the host: a peer of JSON-RPC, whose requests are those of
//! [`Handles`](toolwire_host::handles::Handles) and what is beside them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::mpsc;
use toolwire::session::SessionState;
use toolwire_host::handles::{Handles as _, HandlesError, Listed, LocalHandles};
use toolwire_host::{Attached, Fetched, Typed};
use toolwire_rpc::{
    Answer, Arrived, Incoming, Message, Options, Peer, RpcError, peer, strict_lines,
};

use crate::messages::{
    Abort, Attach, FOR_TASKS, INVALID, Ids, MAX_MESSAGE, NO_METHOD, Named, Part, REFUSED, Type,
    json,
};
use crate::net::Stream;
use crate::tasks::{KeepTasks, Keeper};

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) handles: LocalHandles,
    pub(crate) tasks: Keeper,
}

impl Shared {
    /// How many handles and tasks there are for which this host is needed.
    pub(crate) fn needed(&self) -> usize {
        self.handles.needed() + self.tasks.list().len()
    }

    /// Ends all of them, and waits until nothing is left of their tools.
    pub(crate) async fn close(&self) {
        let tasks = async {
            if let Some(tasks) = &self.tasks.0 {
                tasks.close().await;
            }
        };
        tokio::join!(self.handles.close(), tasks);
    }
}

/// Serves a client until it leaves.
pub(crate) async fn serve(stream: Stream, shared: &Arc<Shared>) {
    let (mut read, mut write) = tokio::io::split(stream);
    let Ok(first) = read.read_u8().await else {
        return;
    };
    if first == FOR_TASKS
        && let Some(tasks) = &shared.tasks.0
    {
        if write.write_u8(FOR_TASKS).await.is_ok() {
            tasks.serve(Box::new(read), Box::new(write)).await;
        }
        return;
    }
    let client = Arc::new(Client {
        shared: Arc::clone(shared),
        terminals: Mutex::default(),
    });
    let options = Options::new(move |peer, arrived, _| client.take(peer, arrived));
    let read = std::io::Cursor::new([first]).chain(read);
    let (_peer, driver) = peer(strict_lines(read, write, MAX_MESSAGE), options);
    driver.await;
}

struct Client {
    shared: Arc<Shared>,
    /// The terminals in which this client takes part, by the numbers of the requests that began it.
    terminals: Mutex<BTreeMap<u64, Arc<Terminal>>>,
}

/// A person's part in a terminal.
struct Terminal {
    id: String,
    typed: Mutex<mpsc::Sender<Typed>>,
    output: tokio::sync::Mutex<mpsc::Receiver<Vec<u8>>>,
}

impl Client {
    fn take(self: &Arc<Self>, peer: &Peer, arrived: Arrived) {
        match arrived {
            Arrived::Request(incoming) => {
                let message = incoming.message().clone();
                // What a person types, and that they leave, may come before the answer to what they did before.
                match message.method() {
                    "attach" => {
                        let number = incoming.caller().id().own().unwrap_or_default();
                        let answer =
                            params(&message).and_then(|attach| self.attach(number, attach));
                        incoming.respond(answer);
                    }
                    "type" => self.type_in(incoming, &message),
                    "leave" => {
                        let part = params::<Part>(&message);
                        incoming.respond(part.map(|part| {
                            self.terminals().remove(&part.terminal);
                            "null".to_owned()
                        }));
                    }
                    _ => self.begin(incoming, message),
                }
            }
            Arrived::Damage(damage) => {
                let message = format!("what was sent {damage}");
                peer.refuse(RpcError::new(damage.code, message));
            }
            Arrived::Notification(_) => {}
        }
    }

    /// Answers a request, unless its client gives it up.
    fn begin(self: &Arc<Self>, incoming: Incoming, message: Message) {
        let client = Arc::clone(self);
        tokio::spawn(async move {
            let caller = incoming.caller().clone();
            tokio::select! {
                answer = client.answer(&message) => incoming.respond(answer),
                () = caller.cancelled() => {}
            }
        });
    }

    async fn answer(&self, message: &Message) -> Answer {
        let handles = &self.shared.handles;
        match message.method() {
            "ping" => Ok("{}".to_owned()),
            "spawn" => result(handles.spawn(params(message)?).await),
            "list" => {
                let Ids { ids } = params(message)?;
                let words: Vec<&str> = ids.iter().map(String::as_str).collect();
                let listed = handles.list(&words).await;
                let tasks = self.shared.tasks.list().into_iter();
                let tasks = tasks.filter(|_| ids.is_empty());
                result(
                    listed.map(|listed| listed.into_iter().chain(tasks).collect::<Vec<Listed>>()),
                )
            }
            "wait" => result(handles.wait(params(message)?).await),
            "notSpawned" => {
                handles.not_spawned(&params::<Named>(message)?.id);
                Ok("null".to_owned())
            }
            "output" => self.output(params(message)?).await,
            "fetch" | "apply" | "abort" => {
                let id = message.text_of("id").unwrap_or_default();
                if self.shared.tasks.list().iter().any(|task| task.id == id) {
                    let cancels = message.method() == "abort";
                    let keeper = self.shared.tasks.0.as_deref().filter(|_| cancels);
                    return result(end_task(&id, keeper));
                }
                match message.method() {
                    "fetch" => result(handles.fetch(params(message)?).await),
                    "apply" => result(handles.apply(params(message)?).await),
                    _ => {
                        let Abort { id, by } = params(message)?;
                        result(handles.abort(&id, by).await)
                    }
                }
            }
            method => {
                let method: String = method.chars().take(100).collect();
                let message = format!("there is no method `{method}` in this version");
                Err(RpcError::new(NO_METHOD, message))
            }
        }
    }

    fn terminals(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Terminal>>> {
        lock(&self.terminals)
    }

    /// Takes part in a terminal: the answer draws all of it, or is nothing if its program has ended.
    fn attach(&self, number: u64, attach: Attach) -> Answer {
        let Attach { id, columns, rows } = attach;
        let part = self.shared.handles.attach(&id).map_err(refusal)?;
        let Some(Attached {
            drawn,
            output,
            typed,
            ..
        }) = part
        else {
            return Ok("null".to_owned());
        };
        let _ = typed.try_send(Typed::Size(columns, rows));
        let terminal = Terminal {
            id,
            typed: Mutex::new(typed),
            output: tokio::sync::Mutex::new(output),
        };
        self.terminals().insert(number, Arc::new(terminal));
        Ok(bytes(&drawn))
    }

    fn type_in(&self, incoming: Incoming, message: &Message) {
        let typed = params::<Type>(message).and_then(|typed| {
            let terminal = self.terminals().get(&typed.terminal).cloned();
            let keys = match typed.size {
                Some((columns, rows)) => Typed::Size(columns, rows),
                None => Typed::Bytes(BASE64.decode(typed.bytes).map_err(|_| not_attached())?),
            };
            Ok((terminal.ok_or_else(not_attached)?, keys))
        });
        let (terminal, keys) = match typed {
            Ok(typed) => typed,
            Err(error) => return incoming.respond(Err(error)),
        };
        let typist = lock(&terminal.typed).clone();
        match typist.try_send(keys) {
            // The client waits with what comes next.
            Err(mpsc::error::TrySendError::Full(keys)) => {
                tokio::spawn(async move {
                    let _ = typist.send(keys).await;
                    incoming.respond(Ok("null".to_owned()));
                });
            }
            _ => incoming.respond(Ok("null".to_owned())),
        }
    }

    /// What a terminal shows next; nothing once its program has ended.
    async fn output(&self, part: Part) -> Answer {
        let terminal = self.terminals().get(&part.terminal).cloned();
        let terminal = terminal.ok_or_else(not_attached)?;
        let mut output = terminal.output.lock().await;
        if let Some(piece) = output.recv().await {
            return Ok(bytes(&piece));
        }
        // A client that could not keep up gets the whole screen again.
        let part = self.shared.handles.attach(&terminal.id).map_err(refusal)?;
        let Some(part) = part else {
            return Ok("null".to_owned());
        };
        *output = part.output;
        *lock(&terminal.typed) = part.typed;
        Ok(bytes(&part.drawn))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn params<T: DeserializeOwned>(message: &Message) -> Result<T, RpcError> {
    let body = message.body();
    let text = body.as_deref().unwrap_or("{}");
    serde_json::from_str(text).map_err(|error| {
        let method = message.method();
        RpcError::new(
            INVALID,
            format!("the parameters are not those of `{method}`: {error}"),
        )
    })
}

fn result(done: Result<impl Serialize, HandlesError>) -> Answer {
    done.map(|done| json(&done)).map_err(refusal)
}

fn refusal(error: HandlesError) -> RpcError {
    RpcError::new(REFUSED, error.to_string())
}

fn not_attached() -> RpcError {
    RpcError::new(REFUSED, "this is for somebody who has attached")
}

fn bytes(bytes: &[u8]) -> String {
    json(&BASE64.encode(bytes))
}

/// Ends a task by its keeper, if that is what was asked for; nothing else can be done with one.
fn end_task(id: &str, keeper: Option<&dyn KeepTasks>) -> Result<Fetched, HandlesError> {
    if !keeper.is_some_and(|keeper| keeper.cancel(id)) {
        return Err(HandlesError::Refused(format!(
            "`{id}` is a task of an MCP client: it can be aborted here, and nothing else"
        )));
    }
    let text = toolwire::json::string(&format!("the task `{id}` was told to end"));
    let envelope = format!(r#"{{"content":[{{"type":"text","text":{text}}}]}}"#);
    Ok(Fetched::new(id, SessionState::Ending, envelope))
}

//! One client of the host.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::timeout;
use toolwire::session::SessionState;
use toolwire_host::handles::{Handles as _, HandlesError, LocalHandles};
use toolwire_host::{Fetched, Typed};

use crate::net::Stream;
use crate::tasks::{KeepTasks, Keeper};
use crate::wire::{NoLine, READY, Reply, ReplyLine, Request, RequestLine, line, read_line};

/// How long a client may take to read why it is let go.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Maximum number of requests of a client at once; further ones wait.
const REQUESTS: usize = 64;

/// Maximum number of lines queued for a client that does not read; beyond it, its requests wait.
const LINES: usize = 16;

/// Those who type, by the numbers of their requests.
type Typing = Arc<Mutex<BTreeMap<u64, mpsc::Sender<Typed>>>>;

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) handles: LocalHandles,
    pub(crate) tasks: Keeper,
    /// How long a line may take.
    pub(crate) line: Duration,
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
    let (read, mut write) = tokio::io::split(stream);
    let mut read = BufReader::new(read);
    let mut text = Vec::new();
    if write.write_all(READY.as_bytes()).await.is_err() {
        return;
    }
    // The first request says what the connection is for.
    let first = next_line(&mut read, &mut text, shared.line).await;
    if let Some(tasks) = &shared.tasks.0
        && first.is_ok()
        && is_for_tasks(&text)
    {
        return tasks.serve(Box::new(read), Box::new(write)).await;
    }
    let (replies, mut waiting) = mpsc::channel::<String>(LINES);
    let writing = async move {
        while let Some(reply) = waiting.recv().await {
            if write.write_all(reply.as_bytes()).await.is_err() {
                return;
            }
        }
    };
    let serving = requests(&mut read, first, text, replies, shared);
    let mut writing = pin!(writing);
    // Who does not read any more has left, and so has who does not write.
    tokio::select! {
        () = serving => {
            // They may learn why they are let go.
            let _ = timeout(LAST_WORDS, writing).await;
        }
        () = &mut writing => {}
    }
}

fn is_for_tasks(line: &[u8]) -> bool {
    let read = serde_json::from_slice::<RequestLine>(line);
    read.is_ok_and(|line| matches!(line.what, Request::Tasks))
}

/// Reads a line. Nobody has to say anything, but who has begun must go on.
async fn next_line(
    read: &mut BufReader<tokio::io::ReadHalf<Stream>>,
    text: &mut Vec<u8>,
    time: Duration,
) -> Result<(), NoLine> {
    if !matches!(read.fill_buf().await, Ok(begun) if !begun.is_empty()) {
        return Err(NoLine::End);
    }
    let line = timeout(time, read_line(read, text)).await;
    line.unwrap_or(Err(NoLine::TooSlow))
}

/// Carries out what the client asks for, beginning with the line that was read already.
async fn requests(
    read: &mut BufReader<tokio::io::ReadHalf<Stream>>,
    first: Result<(), NoLine>,
    mut text: Vec<u8>,
    replies: mpsc::Sender<String>,
    shared: &Arc<Shared>,
) {
    let mut first = Some(first);
    let time = shared.line;
    let room = Arc::new(Semaphore::new(REQUESTS));
    let typing = Typing::default();
    let mut tasks = JoinSet::new();
    loop {
        while tasks.try_join_next().is_some() {}
        let line = match first.take() {
            Some(line) => line,
            None => next_line(read, &mut text, time).await,
        };
        match line {
            Ok(()) => {}
            Err(NoLine::End) => return,
            Err(NoLine::TooSlow) => {
                let message = format!("a line took longer than {} seconds", time.as_secs());
                return say(&replies, 0, Reply::Refused(message)).await;
            }
            Err(NoLine::TooLong) => {
                let message = "a line is longer than 64 MiB".to_owned();
                return say(&replies, 0, Reply::Refused(message)).await;
            }
        }
        let RequestLine { request, what } = match serde_json::from_slice(&text) {
            Ok(line) => line,
            Err(error) => {
                let message = format!("no request of this version: {error}");
                say(&replies, 0, Reply::Refused(message)).await;
                continue;
            }
        };
        let typist = || lock(&typing).get(&request).cloned();
        match what {
            Request::Type(bytes) => {
                if let (Some(typist), Ok(bytes)) = (typist(), BASE64.decode(bytes)) {
                    let _ = typist.send(Typed::Bytes(bytes)).await;
                }
            }
            Request::Size(columns, rows) => {
                if let Some(typist) = typist() {
                    let _ = typist.send(Typed::Size(columns, rows)).await;
                }
            }
            Request::Leave => {
                lock(&typing).remove(&request);
            }
            what => {
                let Ok(place) = Arc::clone(&room).acquire_owned().await else {
                    return;
                };
                let (replies, shared) = (replies.clone(), Arc::clone(shared));
                let typing = Arc::clone(&typing);
                // What is typed, and the end, may be in the very next line.
                let typed = matches!(what, Request::Attach(..)).then(|| begin(&typing, request));
                tasks.spawn(async move {
                    let reply = match (what, typed) {
                        (Request::Attach(id, columns, rows), Some(typed)) => {
                            let part = (id, columns, rows);
                            let reply = attached(request, part, typed, &replies, &shared).await;
                            lock(&typing).remove(&request);
                            reply
                        }
                        (what, _) => carry_out(what, &shared).await,
                    };
                    say(&replies, request, reply).await;
                    drop(place);
                });
            }
        }
    }
}

/// Carries out a request. Tasks are listed beside handles, and ended like them.
async fn carry_out(what: Request, shared: &Shared) -> Reply {
    let handles = &shared.handles;
    let fetched =
        |done: Result<Fetched, HandlesError>| done.map(|done| Reply::Fetched(done.into()));
    let tasks = shared.tasks.list();
    let id = match &what {
        Request::Fetch(fetch) => &fetch.id,
        Request::Apply(apply) => &apply.id,
        Request::Abort(id, _) => id,
        _ => "",
    };
    if tasks.iter().any(|task| task.id == id) {
        let cancels = matches!(what, Request::Abort(..));
        return end_task(id, shared.tasks.0.as_deref().filter(|_| cancels));
    }
    let done = match what {
        Request::Spawn(spawn) => fetched(handles.spawn(*spawn).await),
        Request::Fetch(fetch) => fetched(handles.fetch(fetch).await),
        Request::Apply(apply) => fetched(handles.apply(apply).await),
        Request::Abort(id, by) => fetched(handles.abort(&id, by).await),
        Request::List(ids) => {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            handles.list(&ids).await.map(|mut listed| {
                listed.extend(tasks.into_iter().filter(|_| ids.is_empty()));
                Reply::Listed(listed)
            })
        }
        Request::Wait(wait) => handles.wait(wait).await.map(Reply::Waited),
        Request::NotSpawned(id) => {
            handles.not_spawned(&id);
            Ok(Reply::Left)
        }
        _ => Ok(Reply::Refused(
            "this is for somebody who has attached".to_owned(),
        )),
    };
    done.unwrap_or_else(|error| Reply::Refused(error.to_string()))
}

/// Ends a task by its keeper, if that is what was asked for; nothing else can be done with one.
fn end_task(id: &str, keeper: Option<&dyn KeepTasks>) -> Reply {
    if !keeper.is_some_and(|keeper| keeper.cancel(id)) {
        return Reply::Refused(format!(
            "`{id}` is a task of an MCP client: it can be aborted here, and nothing else"
        ));
    }
    let text = toolwire::json::string(&format!("the task `{id}` was told to end"));
    let envelope = format!(r#"{{"content":[{{"type":"text","text":{text}}}]}}"#);
    Reply::Fetched(Fetched::new(id, SessionState::Ending, envelope).into())
}

/// Lets somebody type with the number of this request, and gives what they do.
fn begin(typing: &Typing, request: u64) -> mpsc::Receiver<Typed> {
    let (typist, typed) = mpsc::channel(LINES);
    lock(typing).insert(request, typist);
    typed
}

fn lock(typing: &Typing) -> MutexGuard<'_, BTreeMap<u64, mpsc::Sender<Typed>>> {
    typing.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn say(replies: &mpsc::Sender<String>, request: u64, what: Reply) {
    if let Some(line) = line(&ReplyLine { request, what }) {
        let _ = replies.send(line).await;
    }
}

/// Shows a person the terminal of a tool, and hands on what they type, until they leave or it is gone.
async fn attached(
    request: u64,
    (id, columns, rows): (String, u16, u16),
    mut typed: mpsc::Receiver<Typed>,
    replies: &mpsc::Sender<String>,
    shared: &Shared,
) -> Reply {
    let mut waiting = Some(Typed::Size(columns, rows));
    loop {
        // One that could not keep up is shown all of it anew.
        let mut part = match shared.handles.attach(&id) {
            Ok(Some(part)) => part,
            Ok(None) => break Reply::Left,
            Err(error) => break Reply::Refused(error.to_string()),
        };
        if let Some(size) = waiting.take() {
            let _ = part.typed.send(size).await;
        }
        let drawn = std::mem::take(&mut part.drawn);
        say(replies, request, Reply::Output(BASE64.encode(drawn))).await;
        let left = loop {
            tokio::select! {
                output = part.output.recv() => match output {
                    Some(bytes) => {
                        say(replies, request, Reply::Output(BASE64.encode(bytes))).await;
                    }
                    None => break false,
                },
                key = typed.recv() => match key {
                    Some(key) => {
                        let _ = part.typed.send(key).await;
                    }
                    None => break true,
                },
            }
        };
        if left {
            break Reply::Left;
        }
    }
}

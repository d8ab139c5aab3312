//! The client: it finds the host of a workspace, or starts it, and hands it what is to be done.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::BufRead as _;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use tokio::io::{AsyncWriteExt as _, BufReader, ReadHalf, WriteHalf};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use toolwire::call::AnswerSource;
use toolwire_host::handles::{
    Apply, Fetch, Handles, HandlesError, Listed, Spawn, Wait, Waited, Work,
};
use toolwire_host::{Environment, Fetched, Typed};

use crate::error::{Result, system, unreached};
use crate::lock;
use crate::net::{Stream, connect, is_nobody};
use crate::place::Place;
use crate::tasks::{TaskReader, TaskWriter};
use crate::wire::{NoLine, READY, Reply, ReplyLine, Request, RequestLine, line, read_line};

/// How long a host may take to start: it waits for the end of the one before it.
const START: Duration = Duration::from_secs(30);
/// How long a host may take to serve a client.
const WELCOME: Duration = Duration::from_secs(10);
/// How long a host may take to say that a person has left.
const LEAVING: Duration = Duration::from_secs(2);
/// Maximum number of messages that wait to be sent, and of pieces of a terminal that wait to be shown.
const WAITING: usize = 64;

/// The way to the host of a workspace.
#[derive(Debug, Clone)]
pub struct SessionHostClient {
    place: Place,
    program: Vec<OsString>,
    idle: Duration,
}

impl SessionHostClient {
    /// The host at this place, which `program`, a command without arguments of its own, starts: it is given
    /// the arguments that [`HostArguments`](crate::HostArguments) reads.
    #[must_use]
    pub fn new(place: Place, program: Vec<OsString>, idle: Duration) -> Self {
        SessionHostClient {
            place,
            program,
            idle,
        }
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Connects to the host; nothing if none runs.
    ///
    /// # Errors
    ///
    /// `Unreached`: it is another user's, does not answer, or the system refuses the socket.
    pub async fn find(&self) -> Result<Option<RemoteHandles>> {
        let stream = match connect(&self.place.socket()).await {
            Ok(stream) => stream,
            Err(error) if is_nobody(&error) => return Ok(None),
            Err(error) => return Err(self.unreachable(&error)),
        };
        RemoteHandles::greet(stream).await
    }

    /// Connects to the host, and starts it if none runs. However many do so at once, there is one host.
    ///
    /// # Errors
    ///
    /// As [`find`](SessionHostClient::find), and if it can't be started.
    pub async fn find_or_start(&self) -> Result<RemoteHandles> {
        if let Some(found) = self.find().await? {
            return Ok(found);
        }
        let until = tokio::time::Instant::now() + START;
        loop {
            let door = lock::wait(&self.place.door(), START).await;
            let door = door.map_err(|error| system("cannot lock", &error))?;
            if door.is_none() || tokio::time::Instant::now() > until {
                let message = "the session host of this workspace does not answer";
                return Err(unreached(message));
            }
            // Somebody else may have started it.
            if let Some(found) = self.find().await? {
                return Ok(found);
            }
            self.start().await?;
            if let Some(found) = self.find().await? {
                return Ok(found);
            }
        }
    }

    /// A connection to the keeper of tasks of the host. If none runs, it is started if `start` says so, and
    /// otherwise there is nothing.
    ///
    /// # Errors
    ///
    /// As [`find_or_start`](SessionHostClient::find_or_start).
    pub async fn tasks(&self, start: bool) -> Result<Option<(TaskReader, TaskWriter)>> {
        let until = tokio::time::Instant::now() + START;
        loop {
            if start {
                drop(self.find_or_start().await?);
            }
            let stream = match connect(&self.place.socket()).await {
                Ok(stream) => stream,
                Err(error) if is_nobody(&error) && !start => return Ok(None),
                // It has ended meanwhile.
                Err(error) if is_nobody(&error) && tokio::time::Instant::now() < until => continue,
                Err(error) => return Err(self.unreachable(&error)),
            };
            if let Some((read, mut write)) = greeting(stream).await? {
                let what = Request::Tasks;
                let first = line(&RequestLine { request: 1, what }).unwrap_or_default();
                if write.write_all(first.as_bytes()).await.is_ok() {
                    return Ok(Some((Box::new(read), Box::new(write))));
                }
            }
            if !start {
                return Ok(None);
            }
        }
    }

    fn unreachable(&self, error: &std::io::Error) -> HandlesError {
        let socket = self.place.socket();
        match error.kind() {
            std::io::ErrorKind::PermissionDenied => {
                unreached(format!("`{}` is not used: {error}", socket.display()))
            }
            _ => system(&format!("cannot reach `{}`", socket.display()), error),
        }
    }

    /// Starts the host and waits until clients can connect.
    async fn start(&self) -> Result<()> {
        let failed = |why: String| {
            let message = format!("the session host could not be started: {why}");
            unreached(message)
        };
        let Some((program, words)) = self.program.split_first() else {
            return Err(failed("it has no program".to_owned()));
        };
        let mut command = Command::new(program);
        command
            // It outlives whoever starts it, and is for others too.
            .env_clear()
            .envs(Environment::standard().to_variables())
            .args(words)
            .args([self.place.root(), self.place.folder()])
            .arg(self.place.name())
            .arg(self.idle.as_millis().to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let said = child.stdout.take();
        let ready = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            let _ = said.map(|said| std::io::BufReader::new(said).read_line(&mut line));
            line
        });
        let said = timeout(START, ready).await;
        // Whoever outlives the host must not keep what is left of it.
        std::thread::spawn(move || child.wait());
        match said {
            Ok(Ok(line)) if line == STARTED => Ok(()),
            Ok(Ok(line)) if line.is_empty() => Err(failed("it ended at once".to_owned())),
            Ok(Ok(line)) => Err(failed(line.trim_end().to_owned())),
            _ => Err(failed("it did not say in time that it is ready".to_owned())),
        }
    }
}

/// What a host writes to its standard output when clients can connect.
pub(crate) const STARTED: &str = "ready\n";

/// Where the replies to a request go.
type Waiting = Arc<Mutex<BTreeMap<u64, mpsc::Sender<Reply>>>>;

/// The handles of a host, over its socket.
#[derive(Debug)]
pub struct RemoteHandles {
    requests: mpsc::Sender<String>,
    next: AtomicU64,
    waiting: Waiting,
    tasks: [JoinHandle<()>; 2],
}

impl Drop for RemoteHandles {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// Both halves of a connection to a host.
type Halves = (BufReader<ReadHalf<Stream>>, WriteHalf<Stream>);

/// Waits until the host serves this client; nothing if it has ended meanwhile.
async fn greeting(stream: Stream) -> Result<Option<Halves>> {
    let (read, write) = tokio::io::split(stream);
    let mut read = BufReader::new(read);
    let mut text = Vec::new();
    let message = match timeout(WELCOME, read_line(&mut read, &mut text)).await {
        Ok(Ok(())) if text == READY.as_bytes() => return Ok(Some((read, write))),
        Ok(Err(NoLine::End)) => return Ok(None),
        Ok(_) => "what listens at the socket is no session host",
        Err(_) => "the session host of this workspace does not answer",
    };
    Err(unreached(message))
}

impl RemoteHandles {
    async fn greet(stream: Stream) -> Result<Option<Self>> {
        let Some((read, write)) = greeting(stream).await? else {
            return Ok(None);
        };
        let (requests, orders) = mpsc::channel(WAITING);
        let waiting = Waiting::default();
        let tasks = [
            tokio::spawn(write_all(write, orders)),
            tokio::spawn(read_all(read, Arc::clone(&waiting))),
        ];
        Ok(Some(RemoteHandles {
            requests,
            next: AtomicU64::new(1),
            waiting,
            tasks,
        }))
    }

    /// Notes that this id could not be spawned, so that the next `wait` for it does not take an earlier run for that.
    ///
    /// # Errors
    ///
    /// `Unreached` if the host has ended.
    pub async fn not_spawned(&self, id: &str) -> Result<()> {
        self.ask(Request::NotSpawned(id.to_owned())).await.map(drop)
    }

    /// Takes part in the terminal of a handle, as a person does.
    ///
    /// # Errors
    ///
    /// `Unreached` if the host has ended. That the handle has no terminal is told by [`RemoteTerminal::next`].
    pub async fn attach(&self, id: &str, columns: u16, rows: u16) -> Result<RemoteTerminal<'_>> {
        let attach = Request::Attach(id.to_owned(), columns, rows);
        let (number, replies) = self.send(attach).await?;
        Ok(RemoteTerminal {
            handles: self,
            number,
            replies,
        })
    }

    fn fetched(&self, request: Request) -> Work<'_, Fetched> {
        Box::pin(async move {
            match self.ask(request).await? {
                Reply::Fetched(fetched) => Ok(*fetched),
                reply => Err(other(reply)),
            }
        })
    }

    async fn ask(&self, request: Request) -> Result<Reply> {
        let (number, mut replies) = self.send(request).await?;
        let reply = replies.recv().await;
        self.forget(number);
        reply.ok_or_else(gone)
    }

    async fn send(&self, what: Request) -> Result<(u64, mpsc::Receiver<Reply>)> {
        let request = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, replies) = mpsc::channel(WAITING);
        {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.insert(request, sender);
        }
        match self.order(request, what).await {
            Ok(()) => Ok((request, replies)),
            Err(error) => {
                self.forget(request);
                Err(error)
            }
        }
    }

    async fn order(&self, request: u64, what: Request) -> Result<()> {
        // Reading has ended with the host, whatever can still be written.
        if self.tasks[1].is_finished() {
            return Err(gone());
        }
        let text = line(&RequestLine { request, what }).unwrap_or_default();
        let sent = self.requests.send(text).await;
        sent.map_err(|_| gone())
    }

    fn forget(&self, request: u64) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.remove(&request);
    }
}

impl Handles for RemoteHandles {
    fn spawn(&self, spawn: Spawn) -> Work<'_, Fetched> {
        self.fetched(Request::Spawn(Box::new(spawn)))
    }

    fn fetch(&self, fetch: Fetch) -> Work<'_, Fetched> {
        self.fetched(Request::Fetch(fetch))
    }

    fn apply(&self, apply: Apply) -> Work<'_, Fetched> {
        self.fetched(Request::Apply(apply))
    }

    fn abort(&self, id: &str, by: AnswerSource) -> Work<'_, Fetched> {
        self.fetched(Request::Abort(id.to_owned(), by))
    }

    fn list(&self, ids: &[&str]) -> Work<'_, Vec<Listed>> {
        let ids = ids.iter().map(|id| (*id).to_owned()).collect();
        Box::pin(async move {
            match self.ask(Request::List(ids)).await? {
                Reply::Listed(listed) => Ok(listed),
                reply => Err(other(reply)),
            }
        })
    }

    fn wait(&self, wait: Wait) -> Work<'_, Waited> {
        Box::pin(async move {
            match self.ask(Request::Wait(wait)).await? {
                Reply::Waited(waited) => Ok(waited),
                reply => Err(other(reply)),
            }
        })
    }
}

/// A person's part in the terminal of a tool that a host runs. Dropped, it is over once the connection is;
/// [`leave`](RemoteTerminal::leave) ends it at once.
#[derive(Debug)]
pub struct RemoteTerminal<'s> {
    handles: &'s RemoteHandles,
    number: u64,
    replies: mpsc::Receiver<Reply>,
}

impl RemoteTerminal<'_> {
    /// What is to be written to the person's terminal: first what draws all of it, then what the program writes.
    /// Nothing once the tool has ended, or the person has left.
    ///
    /// # Errors
    ///
    /// `Refused` if the handle has no terminal, `Unreached` if the host has ended. Nothing is lost if the future is
    /// dropped.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>> {
        match self.replies.recv().await {
            Some(Reply::Output(bytes)) => {
                let bytes = BASE64.decode(bytes);
                bytes.map(Some).map_err(|_| other(Reply::Left))
            }
            Some(Reply::Left) => Ok(None),
            Some(reply) => Err(other(reply)),
            None => Err(gone()),
        }
    }

    /// Hands on what the person does.
    ///
    /// # Errors
    ///
    /// `Unreached` if the host has ended.
    pub async fn send(&self, typed: Typed) -> Result<()> {
        let what = match typed {
            Typed::Bytes(bytes) => Request::Type(BASE64.encode(bytes)),
            Typed::Size(columns, rows) => Request::Size(columns, rows),
            _ => return Ok(()),
        };
        self.handles.order(self.number, what).await
    }

    /// Leaves; the tool goes on. This takes at most 2 seconds.
    ///
    /// # Errors
    ///
    /// `Unreached` if the host has ended, or does not say in this time that the person has left.
    pub async fn leave(mut self) -> Result<()> {
        let leaving = async {
            self.handles.order(self.number, Request::Leave).await?;
            while !matches!(
                self.replies.recv().await,
                Some(Reply::Left | Reply::Refused(_)) | None
            ) {}
            Ok(())
        };
        let left = timeout(LEAVING, leaving).await;
        left.unwrap_or_else(|_| Err(unreached("the session host does not answer")))
    }
}

impl Drop for RemoteTerminal<'_> {
    fn drop(&mut self) {
        self.handles.forget(self.number);
    }
}

async fn write_all(mut to: WriteHalf<Stream>, mut orders: mpsc::Receiver<String>) {
    while let Some(order) = orders.recv().await {
        if to.write_all(order.as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn read_all(mut from: BufReader<ReadHalf<Stream>>, waiting: Waiting) {
    let mut text = Vec::new();
    while read_line(&mut from, &mut text).await.is_ok() {
        let mut read = serde_json::Deserializer::from_slice(&text);
        let Ok(ReplyLine { request, what }) = ReplyLine::deserialize(&mut read) else {
            break;
        };
        let to = {
            let waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.get(&request).cloned()
        };
        if let Some(to) = to {
            let _ = to.send(what).await;
        }
    }
    // Whoever waits learns that nothing comes any more.
    waiting
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clear();
}

/// An answer that is not the one that was asked for.
fn other(reply: Reply) -> HandlesError {
    match reply {
        Reply::Refused(message) => HandlesError::Refused(message),
        _ => unreached("the session host says what it should not"),
    }
}

fn gone() -> HandlesError {
    unreached("the session host has ended, and all its handles with it")
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use tokio::io::AsyncReadExt as _;
    use tokio::net::UnixListener;

    use super::*;

    /// A host of whom nothing comes once it serves a client.
    async fn mute(listener: UnixListener) {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(READY.as_bytes()).await.unwrap();
        let mut read = BufReader::new(stream);
        let _ = read.read_to_end(&mut Vec::new()).await;
    }

    #[tokio::test]
    async fn leaving_a_host_that_does_not_answer_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        let place = Place::found("/w".into(), folder.path().into(), "name".to_owned());
        let host = tokio::spawn(mute(UnixListener::bind(place.socket()).unwrap()));
        let host_of = SessionHostClient::new(place, Vec::new(), Duration::ZERO);
        let handles = host_of.find().await.unwrap().unwrap();
        let part = handles.attach("a", 80, 24).await.unwrap();
        let left = timeout(10 * LEAVING, part.leave()).await.unwrap();
        assert!(matches!(left, Err(HandlesError::Unreached(_))), "{left:?}");
        host.abort();
    }
}

//! Sessions of the older revisions: a peer whose messages come in many requests, and go out on many streams.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use toolwire_rpc::{Came, Closed, Id, Message, Outgoing, Peer, Sink, Source, peer};

use super::stream::{Events, Stream};
use crate::lock;
use crate::server::Server;
use crate::server::keys::random_id;

/// How many streams that have ended, and of how many bytes, a session keeps for clients that have lost them.
const ENDED: (usize, usize) = (16, 64 * 1024);

/// The sessions of all principals.
#[derive(Debug)]
pub struct Sessions {
    all: Arc<Mutex<HashMap<String, Arc<Session>>>>,
    /// The maximum number of each principal.
    max: usize,
    /// How long one may be idle.
    idle: Duration,
}

/// A session.
#[derive(Debug)]
pub struct Session {
    principal: String,
    peer: Peer,
    came: mpsc::Sender<Came>,
    streams: Arc<Streams>,
    used: Mutex<Instant>,
}

/// Its streams: one for each request, and one for what belongs to none.
#[derive(Debug)]
struct Streams {
    standing: Arc<Stream>,
    of: Mutex<OfRequests>,
}

#[derive(Debug, Default)]
struct OfRequests {
    last: u64,
    open: HashMap<Id, (u64, Arc<Stream>)>,
    ended: VecDeque<(u64, Arc<Stream>)>,
}

impl Sessions {
    pub fn new(max: usize, idle: Duration) -> Self {
        let all = Arc::default();
        Sessions { all, max, idle }
    }

    /// Begins a session and gives its id; nothing if the principal has as many as it may.
    pub fn begin(&self, server: &Server, principal: &str) -> Option<(String, Arc<Session>)> {
        let id = random_id().ok()?;
        let mut all = lock(&self.all);
        let mine = all.values().filter(|one| one.principal == principal);
        if mine.count() >= self.max {
            return None;
        }
        let (came, coming) = mpsc::channel(1);
        let streams = Arc::new(Streams {
            standing: Stream::new(Some(0)),
            of: Mutex::default(),
        });
        let options = server.handler(principal, None).options();
        let ways = (Coming(coming), Going(Arc::clone(&streams)));
        let (peer, driver) = peer(ways, options);
        let session = Arc::new(Session {
            principal: principal.to_owned(),
            peer,
            came,
            streams,
            used: Mutex::new(Instant::now()),
        });
        all.insert(id.clone(), Arc::clone(&session));
        drop(all);
        let (all, idle) = (Arc::clone(&self.all), self.idle);
        let (own, kept) = (id.clone(), Arc::clone(&session));
        tokio::spawn(async move {
            let mut driver = std::pin::pin!(driver);
            tokio::select! {
                () = &mut driver => {}
                () = kept.idle(idle) => {
                    kept.peer.close();
                    driver.await;
                }
            }
            lock(&all).remove(&own);
        });
        Some((id, session))
    }

    /// The session with this id, if it is one of the principal's.
    pub fn find(&self, id: &str, principal: &str) -> Option<Arc<Session>> {
        let session = lock(&self.all).get(id).cloned();
        let session = session.filter(|one| one.principal == principal)?;
        *lock(&session.used) = Instant::now();
        Some(session)
    }

    /// Ends a session: from now on it is not found.
    pub fn end(&self, id: &str) {
        if let Some(session) = lock(&self.all).remove(id) {
            session.peer.close();
        }
    }

    pub fn end_all(&self) {
        for session in lock(&self.all).values() {
            session.peer.close();
        }
    }
}

impl Session {
    /// Done when it has not been used for so long.
    async fn idle(&self, limit: Duration) {
        loop {
            if self.streams.is_read() {
                *lock(&self.used) = Instant::now();
            }
            let end = *lock(&self.used) + limit;
            if end <= Instant::now() {
                return;
            }
            sleep_until(end).await;
        }
    }

    /// Takes a message that needs no answer.
    pub async fn take(&self, message: Message) {
        let cancels = message.method() == "notifications/cancelled";
        let id = message.member("requestId").and_then(Id::of);
        // Its reader ends with the session.
        let _ = self.came.send(Came::Message(message, None)).await;
        if let Some(stream) = id
            .filter(|_| cancels)
            .and_then(|id| self.streams.finish(&id))
        {
            stream.end();
        }
    }

    /// Takes a request, and gives the stream of its answer; nothing if one with its id is open.
    pub async fn ask(&self, message: Message) -> Option<Events> {
        let stream = self.streams.begin(message.id()?)?;
        let events = stream.read(None);
        let _ = self.came.send(Came::Message(message, None)).await;
        Some(events)
    }

    /// The stream of what belongs to no request. While somebody reads it, others get one on which nothing comes.
    pub fn listen(&self) -> Events {
        let standing = &self.streams.standing;
        match standing.is_read() {
            true => Stream::new(None).read(None),
            false => standing.read(None),
        }
    }

    /// The rest of a stream after an event; an empty one if it is not kept.
    pub fn resume(&self, event: &str) -> Events {
        let place = event.split_once('-');
        let place = place.and_then(|(number, index)| {
            let stream = self.streams.find(number.parse().ok()?)?;
            Some((stream, index.parse().ok()?))
        });
        if let Some((stream, index)) = place {
            return stream.read(Some(index));
        }
        let empty = Stream::new(None);
        empty.end();
        empty.read(None)
    }
}

impl Streams {
    fn begin(&self, id: &Id) -> Option<Arc<Stream>> {
        let mut of = lock(&self.of);
        if of.open.contains_key(id) {
            return None;
        }
        of.last += 1;
        let number = of.last;
        let stream = Stream::new(Some(number));
        of.open.insert(id.clone(), (number, Arc::clone(&stream)));
        Some(stream)
    }

    /// The stream of a request that is answered now, or cancelled.
    fn finish(&self, id: &Id) -> Option<Arc<Stream>> {
        let mut of = lock(&self.of);
        let (number, stream) = of.open.remove(id)?;
        of.ended.retain(|(_, ended)| ended.bytes() > 0);
        of.ended.push_back((number, Arc::clone(&stream)));
        let bytes =
            |of: &OfRequests| -> usize { of.ended.iter().map(|(_, ended)| ended.bytes()).sum() };
        while of.ended.len() > ENDED.0 || bytes(&of) > ENDED.1 {
            of.ended.pop_front();
        }
        Some(stream)
    }

    fn find(&self, number: u64) -> Option<Arc<Stream>> {
        if number == 0 {
            return Some(Arc::clone(&self.standing));
        }
        let of = lock(&self.of);
        let mut all = of.open.values().chain(&of.ended);
        let found = all.find(|(other, _)| *other == number);
        found.map(|(_, stream)| Arc::clone(stream))
    }

    fn of_request(&self, id: &Id) -> Option<Arc<Stream>> {
        let of = lock(&self.of);
        of.open.get(id).map(|(_, stream)| Arc::clone(stream))
    }

    fn is_read(&self) -> bool {
        let of = lock(&self.of);
        self.standing.is_read() || of.open.values().any(|(_, stream)| stream.is_read())
    }
}

struct Coming(mpsc::Receiver<Came>);

impl Source for Coming {
    async fn next(&mut self) -> Came {
        self.0.recv().await.unwrap_or(Came::Closed(Closed::Local))
    }

    async fn drain(&mut self) {}
}

struct Going(Arc<Streams>);

impl Sink for Going {
    async fn send(&mut self, out: Outgoing, written: &AtomicU64) -> Result<(), Closed> {
        match out {
            Outgoing::Answer { text, to, .. } => {
                if let Some(id) = to
                    && let Some(stream) = self.0.of_request(&id)
                {
                    stream.push(&text).await;
                    stream.end();
                    self.0.finish(&id);
                }
            }
            Outgoing::Message { text, stream, .. } => {
                let stream = stream.and_then(|id| self.0.of_request(&id));
                stream
                    .as_ref()
                    .unwrap_or(&self.0.standing)
                    .push(&text)
                    .await;
            }
            Outgoing::Cancel { text, .. } => self.0.standing.push(&text).await,
        }
        written.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    async fn close(&mut self) {
        self.0.standing.end();
        for (_, stream) in lock(&self.0.of).open.values() {
            stream.end();
        }
    }
}

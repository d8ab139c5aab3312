//! One side of a connection: requests in both directions.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use crate::message::{Answer, RpcError, notification, request};
use crate::state::{Bound, Call, Failure, Next, Place, Places, State};
use crate::{Closed, Damage, Id, Message, Outgoing, Part};

/// A handle on one side of a connection; clones share it.
#[derive(Clone)]
pub struct Peer(pub(crate) Arc<Shared>);

impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Peer")
    }
}

pub(crate) struct Shared {
    pub state: Mutex<State<Arrived>>,
    pub options: Options,
    /// There is something to write, or the connection is closed.
    pub to_write: Notify,
    /// Something has been written.
    pub room: Notify,
    /// A request waits no longer.
    pub fewer: Notify,
    pub phase: watch::Sender<Phase>,
    /// The bytes that got through.
    pub written: AtomicU64,
}

/// How far a connection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    Open,
    /// Nothing more comes from the other side.
    Left,
    Closed,
}

/// Takes what comes, with the request of this side on whose stream it came.
pub type Hook = dyn Fn(&Peer, Arrived, Option<u64>) + Send + Sync;

/// How a peer works.
pub struct Options {
    /// How long the other side may read nothing while it has more answers to read than are kept.
    pub stall: Duration,
    /// Messages that wait to be written; the same for answers and for everything else.
    pub outbox: Bound,
    /// What has come for one request: its number, and the bytes for all requests together. The rest is dropped.
    pub events: Bound,
    /// Requests of the other side that are not answered yet. The rest is refused.
    pub places: Arc<Places>,
    /// How long requests of the other side may still be worked on once it has ended its half of the connection.
    pub drain: Duration,
    /// Takes what comes from the other side and is no answer. The reader calls it, so it must not wait.
    pub arrived: Box<Hook>,
}

impl Options {
    /// The usual limits: everything together is less than 64 MiB.
    pub fn new(arrived: impl Fn(&Peer, Arrived, Option<u64>) + Send + Sync + 'static) -> Self {
        const MIB: usize = 1024 * 1024;
        let bound = |count, bytes| Bound { count, bytes };
        Options {
            stall: Duration::from_secs(10),
            outbox: bound(64, 8 * MIB),
            events: bound(256, 8 * MIB),
            places: Places::new(bound(512, 32 * MIB)),
            drain: Duration::ZERO,
            arrived: Box::new(arrived),
        }
    }
}

/// What comes from the other side and is no answer.
#[derive(Debug)]
pub enum Arrived {
    /// A request.
    Request(Incoming),
    /// A notification.
    Notification(Message),
    /// What is no message.
    Damage(Damage),
}

impl Arrived {
    /// How many bytes it keeps that no place is held for.
    fn size(&self) -> usize {
        match self {
            Arrived::Request(_) => 0,
            Arrived::Notification(message) => message.text().len(),
            Arrived::Damage(damage) => damage.quote.len() + damage.why.len(),
        }
    }
}

/// What comes for a request.
#[derive(Debug)]
pub enum Event {
    /// What [`Peer::pass`] gave it.
    Arrived(Arrived),
    /// Its answer, which is last.
    Answer(Result<Part, Failure>),
}

/// A request.
#[derive(Debug, Default)]
pub struct Ask<'a> {
    /// Its method.
    pub method: &'a str,
    /// What becomes headers over HTTP.
    pub labels: Vec<(String, String)>,
    /// The request of the other side that it belongs to, if it does.
    pub stream: Option<Id>,
    /// Whether it is one of those that get what belongs to no request.
    pub hears: bool,
}

/// A request on its way. Dropped before its answer, it is cancelled.
#[derive(Debug)]
pub struct Pending {
    peer: Peer,
    id: u64,
    news: Arc<Notify>,
    /// What the other side hears if it is cancelled.
    reason: Option<&'static str>,
}

/// A request of the other side. Dropped without an answer, it is refused.
#[derive(Debug)]
pub struct Incoming {
    pub(crate) caller: Caller,
    pub(crate) message: Message,
    pub(crate) stream: Option<u64>,
    pub(crate) place: Option<Place>,
    pub(crate) at_work: Option<Arc<()>>,
    /// What it is answered with if nobody does.
    pub(crate) otherwise: Option<Answer>,
}

/// The way back to whoever sent a request, until that is answered.
#[derive(Debug, Clone)]
pub struct Caller {
    pub(crate) peer: Peer,
    pub(crate) id: Id,
    pub(crate) cancelled: watch::Receiver<bool>,
}

impl Peer {
    pub(crate) fn state(&self) -> MutexGuard<'_, State<Arrived>> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a request, whose parameters may name its id, and waits until there is room for it. Dropped before
    /// that, nothing is sent.
    ///
    /// # Errors
    ///
    /// If the connection is closed.
    pub async fn request(
        &self,
        ask: Ask<'_>,
        params: impl FnOnce(u64) -> String,
    ) -> Result<Pending, Closed> {
        let id = self.state().next_id();
        let text = request(id, ask.method, &params(id));
        let news = Arc::<Notify>::default();
        let call = Call::new(ask.hears, Arc::clone(&news));
        let message = Outgoing::Message {
            text,
            id: Some(id),
            stream: ask.stream,
            labels: ask.labels,
        };
        self.queue(message, Some((id, call))).await?;
        let peer = self.clone();
        Ok(Pending {
            peer,
            id,
            news,
            reason: Some("the request was given up"),
        })
    }

    /// Queues a notification.
    ///
    /// # Errors
    ///
    /// If the connection is closed.
    pub async fn notify(&self, method: &str, params: &str) -> Result<(), Closed> {
        self.notify_on(None, method, params).await
    }

    async fn notify_on(
        &self,
        stream: Option<Id>,
        method: &str,
        params: &str,
    ) -> Result<(), Closed> {
        let message = Outgoing::Message {
            text: notification(method, params),
            id: None,
            stream,
            labels: Vec::new(),
        };
        self.queue(message, None).await
    }

    /// Answers what was no request with an error that names none.
    pub fn refuse(&self, error: RpcError) {
        self.state().reply(None, &Err(error), None);
        self.0.to_write.notify_one();
    }

    async fn queue(
        &self,
        message: Outgoing,
        call: Option<(u64, Call<Arrived>)>,
    ) -> Result<(), Closed> {
        let size = message.size();
        loop {
            let mut room = std::pin::pin!(self.0.room.notified());
            room.as_mut().enable();
            {
                let mut state = self.state();
                if let Some(why) = &state.closed {
                    return Err(why.clone());
                }
                if call.is_some() && *self.0.phase.borrow() != Phase::Open {
                    return Err(Closed::Ended);
                }
                if state.request_load.has_room(size, self.0.options.outbox) {
                    state.send(message);
                    state.calls.extend(call);
                    break;
                }
            }
            room.await;
        }
        self.0.to_write.notify_one();
        Ok(())
    }

    /// Gives what has arrived to a request of this side, if it is open and there is room.
    pub fn pass(&self, id: u64, arrived: Arrived) {
        let size = arrived.size();
        let left = self.state().pass(id, arrived, size, self.0.options.events);
        // A request among it is refused, which takes the lock again.
        drop(left);
    }

    /// The open requests that get what belongs to no request, the oldest first.
    #[must_use]
    pub fn hearing(&self) -> Vec<u64> {
        let state = self.state();
        let open = state.unanswered().filter(|(_, call)| call.hears);
        open.map(|(id, _)| id).collect()
    }

    /// Waits until at most one of these requests is open, and gives that one.
    pub async fn only_one(&self, ids: &[u64]) -> Option<u64> {
        loop {
            let mut fewer = std::pin::pin!(self.0.fewer.notified());
            fewer.as_mut().enable();
            let mut open = self.hearing();
            open.retain(|id| ids.contains(id));
            if open.len() < 2 {
                return open.first().copied();
            }
            fewer.await;
        }
    }

    /// Closes the connection. What waits to be written may take a second.
    pub fn close(&self) {
        self.end(Closed::Local);
    }

    /// Why the connection is closed, if it is.
    #[must_use]
    pub fn why_closed(&self) -> Option<Closed> {
        self.state().closed.clone()
    }

    /// Done when nothing more comes from the other side.
    pub async fn left(&self) {
        self.reached(Phase::Left).await;
    }

    /// Done when the connection has come as far as this.
    pub(crate) async fn reached(&self, phase: Phase) {
        let mut now = self.0.phase.subscribe();
        let _ = now.wait_for(|now| *now >= phase).await;
    }

    /// Takes note that nothing more comes: nobody answers the requests of this side any more.
    pub(crate) fn leave(&self) {
        self.0.phase.send_replace(Phase::Left);
        self.state().fail_all(&Failure::Closed(Closed::Ended));
    }

    pub(crate) fn end(&self, why: Closed) {
        if self.state().end(why) {
            self.0.phase.send_replace(Phase::Closed);
            self.0.to_write.notify_one();
            self.0.room.notify_waiters();
            self.0.fewer.notify_waiters();
        }
    }
}

impl Pending {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// What comes next for it; the answer is last. Cancel-safe.
    pub async fn next(&mut self) -> Event {
        loop {
            match self.peer.state().take(self.id) {
                Some(Next::Arrived(arrived)) => return Event::Arrived(arrived),
                Some(Next::Answer(answer)) => return Event::Answer(answer),
                None => {}
            }
            self.news.notified().await;
        }
    }

    /// Waits for its answer alone.
    ///
    /// # Errors
    ///
    /// If there is no result.
    pub async fn answer(&mut self) -> Result<Part, Failure> {
        loop {
            if let Event::Answer(answer) = self.next().await {
                return answer;
            }
        }
    }

    /// Cancels it.
    pub fn cancel(mut self, reason: &'static str) {
        self.reason = Some(reason);
    }

    /// Waits no longer, and sends no cancellation.
    pub fn forget(mut self) {
        self.reason = None;
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let mut state = self.peer.state();
        let mut dropped = Vec::new();
        while let Some(event) = state.take(self.id) {
            dropped.push(event);
        }
        let call = state.calls.remove(&self.id);
        let call = call.filter(|call| !call.is_answered);
        if let (Some(call), Some(reason)) = (call, self.reason) {
            state.give_up(self.id, call.is_sent, reason);
        }
        drop(state);
        // Requests among them are refused, which takes the lock again.
        drop(dropped);
        self.peer.0.to_write.notify_one();
        self.peer.0.room.notify_waiters();
        self.peer.0.fewer.notify_waiters();
    }
}

impl Incoming {
    /// The request.
    #[must_use]
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// The request of this side on whose stream it came, if the connection knows.
    #[must_use]
    pub fn stream(&self) -> Option<u64> {
        self.stream
    }

    /// The way back to whoever sent it.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Has it answered like this if it is dropped.
    #[must_use]
    pub fn otherwise(mut self, answer: Answer) -> Self {
        self.otherwise = Some(answer);
        self
    }

    /// Answers it. If it is cancelled, the answer is dropped.
    pub fn respond(mut self, answer: Answer) {
        self.otherwise = None;
        self.answer(&answer);
    }

    fn answer(&mut self, answer: &Answer) {
        let Caller { peer, id, .. } = &self.caller;
        let mut state = peer.state();
        if !self.caller.is_cancelled() {
            state.open.remove(id);
            state.reply(Some(id), answer, self.place.take());
            drop(state);
            peer.0.to_write.notify_one();
        }
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if let Some(answer) = self.otherwise.take() {
            self.answer(&answer);
        }
        drop(self.at_work.take());
        self.caller.peer.0.room.notify_waiters();
    }
}

impl Caller {
    /// The id of the request.
    #[must_use]
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The connection that it came by.
    #[must_use]
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Queues a request to the other side that belongs to this one.
    ///
    /// # Errors
    ///
    /// If the connection is closed, or the other side sends nothing any more.
    pub async fn ask(&self, method: &str, params: &str) -> Result<Pending, Closed> {
        let ask = Ask {
            method,
            stream: Some(self.id.clone()),
            ..Ask::default()
        };
        self.peer.request(ask, |_| params.to_owned()).await
    }

    /// Queues a notification that belongs to the request, and waits until there is room for it.
    ///
    /// # Errors
    ///
    /// If the connection is closed.
    pub async fn notify(&self, method: &str, params: &str) -> Result<(), Closed> {
        let stream = Some(self.id.clone());
        self.peer.notify_on(stream, method, params).await
    }

    /// Whether the other side does not want the answer any more, or is gone.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        *self.cancelled.borrow()
    }

    /// Waits until the other side does not want the answer any more, or is gone. It never ends once the request is
    /// answered.
    pub async fn cancelled(&self) {
        let mut cancelled = self.cancelled.clone();
        if cancelled.wait_for(|cancelled| *cancelled).await.is_err() {
            std::future::pending().await
        }
    }

    /// Done when nothing more comes from the other side.
    pub async fn left(&self) {
        self.peer.left().await;
    }

    /// Whether nothing more comes from the other side.
    #[must_use]
    pub fn has_left(&self) -> bool {
        *self.peer.0.phase.borrow() != Phase::Open
    }
}

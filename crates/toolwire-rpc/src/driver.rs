//! Reads and writes for a [`Peer`], until the connection ends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};

use crate::message::INVALID_REQUEST;
use crate::peer::{Arrived, Caller, Incoming, Options, Peer, Phase, Shared};
use crate::state::Failure;
use crate::{Came, Closed, Connection, Damage, Id, Kind, Message, RpcError, Sink, Source};

/// How long the last messages of this side may take, and those of the other side once it reads nothing more.
const LINGER: Duration = Duration::from_secs(1);

/// Codes of errors: the request was not answered; there is no place for it.
const INTERNAL_ERROR: i32 = -32603;
const BUSY: i32 = -32000;

/// Makes a peer. Nothing happens until the future is polled; it ends with the connection, and dropped, it closes it.
pub fn peer<C: Connection>(
    connection: C,
    options: Options,
) -> (Peer, impl Future<Output = ()> + Send) {
    let peer = Peer(Arc::new(Shared {
        state: Mutex::default(),
        options,
        to_write: Notify::new(),
        room: Notify::new(),
        fewer: Notify::new(),
        phase: watch::Sender::new(Phase::Open),
        written: AtomicU64::new(0),
    }));
    let ended = EndOnDrop(peer.clone());
    let driver = async move {
        let peer = &ended.0;
        let (mut source, mut sink) = connection.split();
        let why = {
            let mut read = std::pin::pin!(peer.read(&mut source));
            let mut write = std::pin::pin!(peer.write(&mut sink));
            let mut given_up = std::pin::pin!(async {
                peer.reached(Phase::Closed).await;
                sleep(LINGER).await;
            });
            let why = tokio::select! {
                why = &mut read => why,
                () = &mut given_up => Closed::Local,
                why = &mut write => match why {
                    Closed::Local => Closed::Local,
                    // What it wrote before it stopped reading says more.
                    broken => timeout(LINGER, read).await.unwrap_or(broken),
                },
            };
            if why == Closed::Ended && !peer.0.options.drain.is_zero() {
                peer.leave();
                tokio::select! {
                    () = sleep(peer.0.options.drain) => {}
                    () = peer.answered() => {}
                    () = given_up => {}
                    _ = write => {}
                }
            }
            why
        };
        peer.end(why);
        // Places that nobody gives back any more.
        drop(std::mem::take(&mut peer.state().queue));
        let _ = timeout(LINGER, sink.close()).await;
        drop(sink);
        source.drain().await;
    };
    (peer, driver)
}

/// Closes a connection that nobody drives any more.
struct EndOnDrop(Peer);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end(Closed::Local);
    }
}

impl Peer {
    /// Writes what waits, until the connection is closed and the last cancellations and answers are written.
    async fn write(&self, sink: &mut impl Sink) -> Closed {
        loop {
            let next = self.state().next();
            let Some((message, written)) = next else {
                if self.why_closed().is_some() {
                    return Closed::Local;
                }
                self.0.to_write.notified().await;
                continue;
            };
            if let Err(why) = sink.send(message, &self.0.written).await {
                return why;
            }
            self.state().written(written);
            self.0.room.notify_waiters();
        }
    }

    /// Reads what comes, until it ends.
    async fn read(&self, source: &mut impl Source) -> Closed {
        loop {
            match source.next().await {
                Came::Message(message, stream) => self.take(message, stream),
                Came::Damage(damage, stream) => self.take_damage(damage, stream),
                Came::StreamEnded(id, damage) => {
                    self.state().answer(id, Err(Failure::Unusable(damage)));
                }
                Came::Closed(why) => return why,
            }
            self.0.fewer.notify_waiters();
            if !self.has_drained().await {
                return Closed::Stalled;
            }
        }
    }

    /// Waits until nobody works on requests of the other side any more.
    async fn answered(&self) {
        loop {
            let mut room = std::pin::pin!(self.0.room.notified());
            room.as_mut().enable();
            if self.state().owes_nothing() {
                return;
            }
            room.await;
        }
    }

    /// Waits until there is room for answers again; false if nothing is read any more.
    async fn has_drained(&self) -> bool {
        let mut written = self.0.written.load(Ordering::Relaxed);
        loop {
            let mut room = std::pin::pin!(self.0.room.notified());
            room.as_mut().enable();
            if !self.state().reply_load.is_over(self.0.options.outbox) {
                return true;
            }
            if timeout(self.0.options.stall, room).await.is_err() {
                let now = self.0.written.load(Ordering::Relaxed);
                if std::mem::replace(&mut written, now) == now {
                    return false;
                }
            }
        }
    }

    fn take(&self, message: Message, stream: Option<u64>) {
        let own = message.id().and_then(Id::own);
        match message.kind() {
            Kind::Result | Kind::Error => {
                let mut state = self.state();
                let id = match message.id() {
                    Some(_) => own,
                    None => stream.or_else(|| state.alone()),
                };
                if let (Some(id), Some(body)) = (id, message.body()) {
                    let is_result = message.kind() == Kind::Result;
                    state.answer(
                        id,
                        if is_result {
                            Ok(body)
                        } else {
                            Err(Failure::Refused(body))
                        },
                    );
                }
            }
            Kind::Request => {
                if let Some(incoming) = self.admit(message, stream) {
                    (self.0.options.arrived)(self, Arrived::Request(incoming), stream);
                }
            }
            Kind::Notification => {
                if message.method() == "notifications/cancelled"
                    && let Some(id) = message.member("requestId").and_then(Id::of)
                    && self.state().cancel(&id)
                {
                    return;
                }
                (self.0.options.arrived)(self, Arrived::Notification(message), stream);
            }
        }
    }

    /// Finds a place for a request, or refuses it.
    fn admit(&self, message: Message, stream: Option<u64>) -> Option<Incoming> {
        let (id, size, mut state) = (message.id()?.clone(), message.text().len(), self.state());
        let is_open = state.open.contains_key(&id);
        let place = self.0.options.places.take(size).filter(|_| !is_open);
        let Some(place) = place else {
            let (id, code, why) = match is_open {
                true => (None, INVALID_REQUEST, "a request with this id is open"),
                false => (Some(&id), BUSY, "too many requests are not answered yet"),
            };
            state.reply(id, &Err(RpcError::new(code, why)), None);
            self.0.to_write.notify_one();
            return None;
        };
        let (sender, cancelled) = watch::channel(false);
        state.open.insert(id.clone(), sender);
        let why = "the request was not answered";
        Some(Incoming {
            caller: Caller {
                peer: self.clone(),
                id,
                cancelled,
            },
            message,
            stream,
            place: Some(place),
            at_work: Some(Arc::clone(&state.at_work)),
            otherwise: Some(Err(RpcError::new(INTERNAL_ERROR, why))),
        })
    }

    fn take_damage(&self, damage: Damage, stream: Option<u64>) {
        let mut state = self.state();
        if damage.is_batch && damage.answers {
            return state.fail_all(&Failure::Unusable(damage));
        }
        let id = match &damage.id {
            Some(id) => id.own(),
            None if damage.answers => stream.or_else(|| state.alone()),
            None => None,
        };
        let failure = || Err(Failure::Unusable(damage.clone()));
        if !id.is_some_and(|id| state.answer(id, failure())) {
            drop(state);
            (self.0.options.arrived)(self, Arrived::Damage(damage), stream);
        }
    }
}

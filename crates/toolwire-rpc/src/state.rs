//! What a peer keeps: the requests of both sides, and what waits to be written.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Notify, watch};
use toolwire::json::ObjectWriter;

use crate::message::{Answer, answer, notification};
use crate::{Closed, Damage, Id, Outgoing, Part};

/// How much is kept of something. A longer one is kept alone.
#[derive(Debug, Clone, Copy)]
pub struct Bound {
    /// The maximum number.
    pub count: usize,
    /// The maximum of their bytes.
    pub bytes: usize,
}

/// How much there is of something.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Load {
    count: usize,
    bytes: usize,
}

impl Load {
    pub fn has_room(&self, bytes: usize, bound: Bound) -> bool {
        let fits = self.count < bound.count && self.bytes + bytes <= bound.bytes;
        self.count == 0 || fits
    }

    pub fn is_over(&self, bound: Bound) -> bool {
        self.count > 1 && (self.count > bound.count || self.bytes > bound.bytes)
    }

    pub fn add(&mut self, bytes: usize) {
        self.count += 1;
        self.bytes += bytes;
    }

    pub fn remove(&mut self, bytes: usize) {
        self.count -= 1;
        self.bytes -= bytes;
    }
}

/// Where requests of other sides wait for their answers. Connections that share it have the bound together.
#[derive(Debug)]
pub struct Places {
    bound: Bound,
    load: Mutex<Load>,
}

impl Places {
    /// Places up to a bound.
    #[must_use]
    pub fn new(bound: Bound) -> Arc<Self> {
        let load = Mutex::default();
        Arc::new(Places { bound, load })
    }

    /// A place for a request of so many bytes, if there is one.
    pub(crate) fn take(self: &Arc<Self>, bytes: usize) -> Option<Place> {
        let mut load = self.load.lock().unwrap_or_else(PoisonError::into_inner);
        load.has_room(bytes, self.bound).then(|| {
            load.add(bytes);
            Place(Arc::clone(self), bytes)
        })
    }
}

/// A place that is taken until this is dropped.
#[derive(Debug)]
pub(crate) struct Place(Arc<Places>, usize);

impl Drop for Place {
    fn drop(&mut self) {
        let mut load = self.0.load.lock().unwrap_or_else(PoisonError::into_inner);
        load.remove(self.1);
    }
}

/// Why a request has no result.
#[derive(Debug, Clone)]
pub enum Failure {
    /// The other side refused it with this error.
    Refused(Part),
    /// Its answer came, and can't be used.
    Unusable(Damage),
    /// The connection is closed.
    Closed(Closed),
}

/// A request of this side, until nobody waits for it any more. `A` is what arrives beside its answer.
#[derive(Debug)]
pub(crate) struct Call<A> {
    /// Whether it gets what belongs to no request.
    pub hears: bool,
    pub is_sent: bool,
    pub is_answered: bool,
    /// What has come for it, and how many bytes of that count.
    arrived: VecDeque<(usize, A)>,
    answer: Option<Result<Part, Failure>>,
    news: Arc<Notify>,
}

impl<A> Call<A> {
    /// A request that tells of news like this.
    pub fn new(hears: bool, news: Arc<Notify>) -> Self {
        Call {
            hears,
            is_sent: false,
            is_answered: false,
            arrived: VecDeque::new(),
            answer: None,
            news,
        }
    }
}

/// What comes next for a request.
pub(crate) enum Next<A> {
    Arrived(A),
    Answer(Result<Part, Failure>),
}

/// What has room again once a message has been written.
#[derive(Debug)]
pub(crate) enum Written {
    Cancel,
    /// The size of an answer, and the place of its request.
    Reply(
        usize,
        #[expect(dead_code, reason = "it is held")] Option<Place>,
    ),
    Request(usize),
}

#[derive(Debug)]
pub(crate) struct State<A> {
    last_id: u64,
    pub calls: BTreeMap<u64, Call<A>>,
    /// The bytes of what has come for requests.
    kept: usize,
    /// The requests of the other side that may be answered, with what tells that they are cancelled.
    pub open: HashMap<Id, watch::Sender<bool>>,
    /// Held by each request of the other side that somebody works on, cancelled ones included.
    pub at_work: Arc<()>,
    cancels: VecDeque<Outgoing>,
    /// Answers and everything else, in their order: what belongs to a request is written before its answer.
    pub queue: VecDeque<(Outgoing, Written)>,
    pub reply_load: Load,
    pub request_load: Load,
    pub closed: Option<Closed>,
}

impl<A> Default for State<A> {
    fn default() -> Self {
        State {
            last_id: 0,
            calls: BTreeMap::new(),
            kept: 0,
            open: HashMap::new(),
            at_work: Arc::new(()),
            cancels: VecDeque::new(),
            queue: VecDeque::new(),
            reply_load: Load::default(),
            request_load: Load::default(),
            closed: None,
        }
    }
}

impl<A> State<A> {
    pub fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// The requests that wait for their answers.
    pub fn unanswered(&self) -> impl Iterator<Item = (u64, &Call<A>)> {
        let calls = self.calls.iter().filter(|(_, call)| !call.is_answered);
        calls.map(|(id, call)| (*id, call))
    }

    /// The only request that waits for its answer.
    pub fn alone(&self) -> Option<u64> {
        let mut all = self.unanswered();
        let (id, _) = all.next()?;
        all.next().is_none().then_some(id)
    }

    /// Gives a request its answer; whether it waited for one.
    pub fn answer(&mut self, id: u64, answer: Result<Part, Failure>) -> bool {
        let Some(call) = self.calls.get_mut(&id).filter(|call| !call.is_answered) else {
            return false;
        };
        call.is_answered = true;
        call.answer = Some(answer);
        call.news.notify_one();
        true
    }

    /// Ends every request that waits in the same way.
    pub fn fail_all(&mut self, failure: &Failure) {
        let all: Vec<u64> = self.unanswered().map(|(id, _)| id).collect();
        for id in all {
            self.answer(id, Err(failure.clone()));
        }
    }

    /// Puts what has come into the queue of a request; gives it back if that is not open, or has no room.
    pub fn pass(&mut self, id: u64, arrived: A, size: usize, bound: Bound) -> Option<A> {
        let fits = self.kept == 0 || self.kept + size <= bound.bytes;
        if let Some(call) = self.calls.get_mut(&id)
            && !call.is_answered
            && (size == 0 || (fits && call.arrived.len() < bound.count))
        {
            self.kept += size;
            call.arrived.push_back((size, arrived));
            call.news.notify_one();
            return None;
        }
        Some(arrived)
    }

    /// What comes next for a request; the answer is last.
    pub fn take(&mut self, id: u64) -> Option<Next<A>> {
        let call = self.calls.get_mut(&id)?;
        let Some((size, arrived)) = call.arrived.pop_front() else {
            return call.answer.take().map(Next::Answer);
        };
        self.kept -= size;
        Some(Next::Arrived(arrived))
    }

    /// Queues the answer to a request of the other side, however much waits: its place bounds it.
    pub fn reply(&mut self, to: Option<&Id>, to_send: &Answer, place: Option<Place>) {
        let message = Outgoing::Answer {
            text: answer(to, to_send),
            to: to.cloned(),
            code: to_send.as_ref().err().map(|error| error.code),
        };
        let size = message.size();
        self.reply_load.add(size);
        self.queue.push_back((message, Written::Reply(size, place)));
    }

    /// Queues everything else.
    pub fn send(&mut self, message: Outgoing) {
        let size = message.size();
        self.request_load.add(size);
        self.queue.push_back((message, Written::Request(size)));
    }

    /// Cancels a request of this side: it is taken out of the queue, or cancelled at the other side.
    pub fn give_up(&mut self, id: u64, is_sent: bool, reason: &str) {
        let is_this = |(out, _): &(Outgoing, Written)| matches!(out, Outgoing::Message { id: Some(one), .. } if *one == id);
        if is_sent {
            let params = ObjectWriter::new()
                .text("reason", reason)
                .number("requestId", id)
                .end();
            let text = notification("notifications/cancelled", &params);
            self.cancels.push_back(Outgoing::Cancel { text, id });
        } else if let Some(at) = self.queue.iter().position(is_this)
            && let Some((_, written)) = self.queue.remove(at)
        {
            self.written(written);
        }
    }

    /// Cancels a request of the other side, if it is open.
    pub fn cancel(&mut self, id: &Id) -> bool {
        let open = self.open.remove(id);
        open.is_some_and(|cancelled| !cancelled.send_replace(true))
    }

    /// The next message to be written: cancellations first, and while nothing is closed not answers alone.
    pub fn next(&mut self) -> Option<(Outgoing, Written)> {
        if let Some(cancel) = self.cancels.pop_front() {
            return Some((cancel, Written::Cancel));
        }
        while let Some((message, written)) = self.queue.pop_front() {
            if self.closed.is_some() && matches!(written, Written::Request(_)) {
                self.written(written);
                continue;
            }
            if let Outgoing::Message { id: Some(id), .. } = &message
                && let Some(call) = self.calls.get_mut(id)
            {
                call.is_sent = true;
            }
            return Some((message, written));
        }
        None
    }

    /// Makes room for what comes after a message that has been written.
    pub fn written(&mut self, written: Written) {
        match written {
            Written::Cancel => {}
            Written::Reply(size, _) => self.reply_load.remove(size),
            Written::Request(size) => self.request_load.remove(size),
        }
    }

    /// Whether nobody works on requests of the other side, and all answers are written.
    pub fn owes_nothing(&self) -> bool {
        Arc::strong_count(&self.at_work) == 1 && self.reply_load.count == 0
    }

    /// Takes note of the end; whether it had not ended before.
    pub fn end(&mut self, why: Closed) -> bool {
        if self.closed.is_some() {
            return false;
        }
        self.fail_all(&Failure::Closed(why.clone()));
        for (_, cancelled) in self.open.drain() {
            cancelled.send_replace(true);
        }
        self.closed = Some(why);
        true
    }
}

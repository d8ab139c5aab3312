//! The events of a call that wait to be taken.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use toolwire::event::{Level, Message, Progress};

use super::Event;
use crate::transport::control::{HOST, SideOutput};

/// Maximum bytes of stderr that are queued while the tool runs. When it has ended or is
/// being stopped, which nothing waits for, there is room for as much again: its last words.
pub const MAX_WAITING_STDERR: usize = 1024 * 1024;

/// Maximum bytes of queued log messages. Nothing waits for room: the oldest messages make place
/// for new ones and are counted.
pub const MAX_WAITING_MESSAGES: usize = 1024 * 1024;

/// What a message counts beside its text.
const MESSAGE: usize = 64;

type Listener = Arc<dyn Fn() + Send + Sync>;

/// A queue with one producer, the driver, and one consumer, which may wait in an asynchronous
/// function, in a thread, or be told.
#[derive(Default)]
pub(crate) struct Mailbox {
    state: Mutex<State>,
    /// Told to asynchronous consumers when something was put in.
    filled: Notify,
    /// Told to consumers that are threads.
    blocked: Condvar,
    /// Told to the producer when something was taken out.
    room: Notify,
}

#[derive(Default)]
struct State {
    events: VecDeque<Event>,
    /// How many bytes of stderr are among the events.
    stderr: usize,
    /// How many bytes of messages are among them.
    messages: usize,
    /// How many messages were left out since one was taken.
    left_out: usize,
    /// Whether nothing waits for room any more.
    hurried: bool,
    /// Whether nothing is going to be put in any more.
    closed: bool,
    /// Whether what is put in from now on is dropped.
    muted: bool,
    listener: Option<Listener>,
}

impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mailbox")
    }
}

impl Mailbox {
    /// A panic of another thread leaves nothing half done here.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts in an event, however many are there: what is not stderr is bounded by the call itself.
    pub(crate) fn put(&self, event: Event) {
        self.change(|state| state.events.push_back(event));
    }

    /// Puts in the last event.
    pub(crate) fn close(&self, event: Event) {
        self.change(|state| {
            state.closed = true;
            state.events.push_back(event);
        });
    }

    /// Puts in a piece of stderr when there is room for it.
    async fn wait_to_put(&self, piece: &[u8]) {
        loop {
            let room = self.room.notified();
            {
                let state = self.lock();
                if state.closed || state.muted {
                    return;
                }
                let most = match state.hurried {
                    true => 2 * MAX_WAITING_STDERR,
                    false => MAX_WAITING_STDERR,
                };
                // One piece always fits, or a large one would wait for ever.
                let fits = state.stderr == 0 || state.stderr + piece.len() <= most;
                if fits {
                    drop(state);
                    return self.push_stderr(piece);
                }
                if state.hurried {
                    return;
                }
            }
            room.await;
        }
    }

    fn push_stderr(&self, piece: &[u8]) {
        self.change(|state| {
            state.stderr += piece.len();
            match state.events.back_mut() {
                Some(Event::Stderr(waiting)) => waiting.extend_from_slice(piece),
                _ => state.events.push_back(Event::Stderr(piece.to_vec())),
            }
        });
    }

    /// Puts in progress in place of what waits of it.
    fn replace_progress(&self, progress: &Progress) {
        self.change(|state| {
            let waits = |event: &Event| matches!(event, Event::Progress(_));
            if let Some(at) = state.events.iter().rposition(waits) {
                state.events.remove(at);
            }
            state.events.push_back(Event::Progress(progress.clone()));
        });
    }

    /// Puts in a message, in place of the oldest ones if there are too many.
    fn push_message(&self, message: &Message) {
        self.change(|state| {
            state.messages += size(message);
            state.events.push_back(Event::Message(message.clone()));
            while state.messages > MAX_WAITING_MESSAGES {
                let waits = |event: &Event| matches!(event, Event::Message(_));
                let oldest = state.events.iter().position(waits);
                // The newest one always stays.
                match oldest.filter(|at| at + 1 < state.events.len()) {
                    Some(at) => state.remove_message(at),
                    None => break,
                }
            }
        });
    }

    /// Changes what waits and wakes the consumer, unless nobody takes anything any more.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        if !state.closed && !state.muted {
            let was_empty = state.events.is_empty();
            change(&mut state);
            self.tell(state, was_empty);
        }
    }

    /// Lets the producer wait for room again.
    pub(crate) fn unhurry(&self) {
        self.lock().hurried = false;
    }

    /// Drops everything from now on, the last event too: the consumer waits and does not go on.
    pub(crate) fn mute(&self) {
        self.lock().muted = true;
        self.room.notify_one();
    }

    /// Wakes the consumer. One that was woken before and has not taken
    /// everything yet needs no second word.
    fn tell(&self, state: MutexGuard<'_, State>, was_empty: bool) {
        let listener = state.listener.clone().filter(|_| was_empty);
        drop(state);
        self.filled.notify_one();
        self.blocked.notify_all();
        if let Some(listener) = listener {
            listener();
        }
    }

    /// The next event, if one waits.
    pub(crate) fn try_take(&self) -> Option<Event> {
        let mut state = self.lock();
        match state.events.front()? {
            Event::Stderr(piece) => {
                state.stderr -= piece.len();
                self.room.notify_one();
            }
            // In the place of the first that is missing.
            Event::Message(_) if state.left_out > 0 => {
                let left_out = std::mem::take(&mut state.left_out);
                return Some(Event::Message(missing(left_out)));
            }
            Event::Message(message) => state.messages -= size(message),
            _ => {}
        }
        state.events.pop_front()
    }

    /// Whether all events have been taken, and none is to come.
    pub(crate) fn is_drained(&self) -> bool {
        let state = self.lock();
        state.closed && state.events.is_empty()
    }

    /// The next event; nothing after the last one.
    pub(crate) async fn take(&self) -> Option<Event> {
        loop {
            let filled = self.filled.notified();
            if let Some(event) = self.try_take() {
                return Some(event);
            }
            if self.is_drained() {
                return None;
            }
            filled.await;
        }
    }

    /// Waits in this thread until there is an event, none is to come, or the time is over.
    pub(crate) fn wait(&self, time: Duration) {
        let until = Instant::now() + time;
        let mut state = self.lock();
        while state.events.is_empty() && !state.closed {
            let Some(left) = until.checked_duration_since(Instant::now()) else {
                return;
            };
            let waited = self.blocked.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Has a function called, on the driver's thread, whenever there is something again after all was
    /// taken; at once if there is something now.
    pub(crate) fn listen(&self, listener: impl Fn() + Send + Sync + 'static) {
        let mut state = self.lock();
        let waiting = !state.events.is_empty();
        state.listener = Some(Arc::new(listener));
        self.tell(state, waiting);
    }
}

impl SideOutput for Mailbox {
    fn put_stderr<'a>(&'a self, piece: &'a [u8]) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(self.wait_to_put(piece))
    }

    fn hurry(&self) {
        self.lock().hurried = true;
        self.room.notify_one();
    }

    fn put_progress(&self, progress: &Progress) {
        self.replace_progress(progress);
    }

    fn put_message(&self, message: &Message) {
        self.push_message(message);
    }
}

impl State {
    fn remove_message(&mut self, at: usize) {
        if let Some(Event::Message(message)) = self.events.remove(at) {
            self.messages -= size(&message);
            self.left_out += 1;
        }
    }
}

/// What a message counts towards [`MAX_WAITING_MESSAGES`].
fn size(message: &Message) -> usize {
    message.text.len() + message.logger.as_ref().map_or(0, String::len) + MESSAGE
}

/// Replaces messages that were left out.
fn missing(count: usize) -> Message {
    let text = match count {
        1 => "1 log message was left out here: they came faster than they were taken".to_owned(),
        _ => format!(
            "{count} log messages were left out here: they came faster than they were taken"
        ),
    };
    Message::new(Level::Warning, text).by(HOST)
}

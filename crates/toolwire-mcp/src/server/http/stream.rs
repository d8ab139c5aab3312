//! A stream of events to a client, which may lose it and take it up again.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame};
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep, sleep, timeout};

/// How many events, and of how many bytes, are kept. The newest is kept however long it is.
const KEPT: (usize, usize) = (64, 64 * 1024);

/// How long a client may read nothing while as much as that waits for it, until its connection is given up.
const STALL: Duration = Duration::from_secs(5);

/// How often something is sent, so that nobody takes the connection for a dead one.
const BEAT: Duration = Duration::from_secs(15);

/// After how many milliseconds a client should ask for the rest of a stream that it has lost.
const RETRY: u64 = 3000;

/// A stream that can be written to.
#[derive(Debug)]
pub struct Stream {
    /// Its number in its session, for one that can be taken up again.
    number: Option<u64>,
    state: Mutex<State>,
    /// Something was read, or nobody reads any more.
    moved: Notify,
}

#[derive(Debug, Default)]
struct State {
    events: VecDeque<Bytes>,
    bytes: usize,
    /// The index of the first event that is kept, and of the first one that was not read yet.
    first: u64,
    next: u64,
    /// Who reads: readers count from 1.
    reader: Option<u64>,
    last_reader: u64,
    waker: Option<Waker>,
    has_ended: bool,
}

impl State {
    /// What nobody has read yet.
    fn unread(&self) -> impl ExactSizeIterator<Item = &Bytes> {
        let read = usize::try_from(self.next - self.first).unwrap_or(usize::MAX);
        self.events.range(read.min(self.events.len())..)
    }

    fn has_room(&self) -> bool {
        let bytes: usize = self.unread().map(Bytes::len).sum();
        self.unread().len() < KEPT.0 && bytes <= KEPT.1
    }

    fn drop_first(&mut self) {
        if let Some(event) = self.events.pop_front() {
            self.bytes -= event.len();
            self.first += 1;
            self.next = self.next.max(self.first);
        }
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

impl Stream {
    /// A stream with this number in its session, or one that can't be taken up again.
    pub fn new(number: Option<u64>) -> Arc<Self> {
        let stream = Arc::new(Stream {
            number,
            state: Mutex::default(),
            moved: Notify::new(),
        });
        if number.is_some() {
            // With its id, a client can ask for the rest before it has got anything.
            stream.add(&mut stream.lock(), "", Some(RETRY));
        }
        stream
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, state: &mut State, text: &str, retry: Option<u64>) {
        let mut event = String::with_capacity(text.len() + 64);
        event.push_str("data: ");
        // Line ends stand between the tokens of JSON only, and would end the line of an event.
        event.push_str(&text.replace(['\n', '\r'], " "));
        if let Some(number) = self.number {
            let index = state.first + state.events.len() as u64;
            event.push_str(&format!("\nid: {number}-{index}"));
        }
        if let Some(retry) = retry {
            event.push_str(&format!("\nretry: {retry}"));
        }
        event.push_str("\n\n");
        state.bytes += event.len();
        state.events.push_back(event.into());
        while state.events.len() > 1 && (state.events.len() > KEPT.0 || state.bytes > KEPT.1) {
            state.drop_first();
        }
        state.wake();
    }

    /// Adds a message. A client that reads it is waited for, and one that has gone gets what is kept.
    pub async fn push(&self, text: &str) {
        loop {
            let mut moved = std::pin::pin!(self.moved.notified());
            moved.as_mut().enable();
            {
                let mut state = self.lock();
                if state.reader.is_none() || state.has_room() {
                    return self.add(&mut state, text, None);
                }
            }
            if timeout(STALL, moved).await.is_err() {
                let mut state = self.lock();
                state.reader = None;
                state.wake();
            }
        }
    }

    /// Nothing more comes.
    pub fn end(&self) {
        let mut state = self.lock();
        state.has_ended = true;
        state.wake();
    }

    /// Reads it from the event behind this index on, instead of whoever reads it now; or all that is kept.
    pub fn read(self: &Arc<Self>, after: Option<u64>) -> Events {
        let mut state = self.lock();
        state.last_reader += 1;
        let reader = state.last_reader;
        state.reader = Some(reader);
        let end = state.first + state.events.len() as u64;
        let next = after.map_or(state.first, |after| after.saturating_add(1));
        state.next = next.clamp(state.first, end);
        state.wake();
        drop(state);
        Events {
            stream: Arc::clone(self),
            reader,
            beat: Box::pin(sleep(BEAT)),
        }
    }

    pub fn is_read(&self) -> bool {
        self.lock().reader.is_some()
    }

    pub fn bytes(&self) -> usize {
        self.lock().bytes
    }

    /// Done when nobody reads it any more.
    pub async fn abandoned(&self) {
        loop {
            let mut moved = std::pin::pin!(self.moved.notified());
            moved.as_mut().enable();
            if !self.is_read() {
                return;
            }
            moved.await;
        }
    }
}

/// The body of an answer that is a stream of events.
#[derive(Debug)]
pub struct Events {
    stream: Arc<Stream>,
    reader: u64,
    beat: Pin<Box<Sleep>>,
}

impl Drop for Events {
    fn drop(&mut self) {
        let mut state = self.stream.lock();
        if state.reader == Some(self.reader) {
            state.reader = None;
            drop(state);
            self.stream.moved.notify_waiters();
        }
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let stream = Arc::clone(&self.stream);
        let mut state = stream.lock();
        if state.reader != Some(self.reader) {
            return Poll::Ready(None);
        }
        let event = state.unread().next().cloned();
        let Some(event) = event else {
            if state.has_ended {
                // Who has got all of it does not take it up again.
                while !state.events.is_empty() {
                    state.drop_first();
                }
                return Poll::Ready(None);
            }
            state.waker = Some(context.waker().clone());
            drop(state);
            if self.beat.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
            self.beat.as_mut().reset(Instant::now() + BEAT);
            return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b":\n\n")))));
        };
        state.next += 1;
        if stream.number.is_none() {
            state.drop_first();
        }
        drop(state);
        stream.moved.notify_waiters();
        self.beat.as_mut().reset(Instant::now() + BEAT);
        Poll::Ready(Some(Ok(Frame::data(event))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes on a stream until it ends, or nothing more has come.
    async fn read(events: &mut Events) -> String {
        let mut all = String::new();
        let pause = Duration::from_millis(50);
        loop {
            let next = std::future::poll_fn(|cx| Pin::new(&mut *events).poll_frame(cx));
            let Ok(Some(Ok(frame))) = timeout(pause, next).await else {
                return all;
            };
            let data = frame.into_data().unwrap_or_default();
            all.push_str(&String::from_utf8_lossy(&data));
        }
    }

    #[tokio::test]
    async fn of_what_nobody_reads_only_the_end_is_kept() {
        let stream = Stream::new(Some(7));
        for at in 0..1000 {
            stream.push(&format!("number {at}")).await;
        }
        let all = read(&mut stream.read(None)).await;
        assert_eq!(all.matches("data: ").count(), KEPT.0);
        assert!(all.contains("data: number 999\nid: 7-1000\n\n"), "{all}");
        let rest = read(&mut stream.read(Some(998))).await;
        assert_eq!(
            rest,
            "data: number 998\nid: 7-999\n\ndata: number 999\nid: 7-1000\n\n"
        );
        stream.push(&"x".repeat(2 * KEPT.1)).await;
        assert_eq!(stream.lock().events.len(), 1);
    }

    #[tokio::test]
    async fn whoever_reads_slowly_is_waited_for_and_the_newest_reader_counts() {
        let stream = Stream::new(None);
        let mut first = stream.read(None);
        for at in 0..KEPT.0 {
            stream.push(&at.to_string()).await;
        }
        let more = timeout(Duration::from_millis(50), stream.push("more")).await;
        assert!(more.is_err(), "there is no room");
        assert_eq!(read(&mut first).await.matches("data: ").count(), KEPT.0);
        stream.push("more").await;
        let mut second = stream.read(None);
        assert_eq!(read(&mut first).await, "", "it has ended");
        drop(first);
        assert!(stream.is_read());
        assert_eq!(read(&mut second).await, "data: more\n\n");
        drop(second);
        timeout(STALL, stream.abandoned()).await.unwrap();
    }
}

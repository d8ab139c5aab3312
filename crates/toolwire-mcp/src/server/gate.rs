//! How many tools run at once, and how many may wait.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Semaphore, SemaphorePermit};
use toolwire::{Limits, parse};
use toolwire_host::{Control, HostError, Reply, RunReport, StopReason, Transport};

/// The one gate that all tools of a server go through.
#[derive(Debug)]
pub(super) struct Gate {
    running: Semaphore,
    jobs: usize,
    waiting: AtomicUsize,
    queue: usize,
}

/// A place in the queue, given back when it is dropped.
struct Place<'a>(&'a AtomicUsize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Gate {
    pub(super) fn new(jobs: usize, queue: usize) -> Self {
        let jobs = jobs.clamp(1, Semaphore::MAX_PERMITS);
        Gate {
            running: Semaphore::new(jobs),
            jobs,
            waiting: AtomicUsize::new(0),
            queue,
        }
    }

    /// A place in the queue, if it is not full.
    fn place(&self) -> Option<Place<'_>> {
        let more = |waiting| (waiting < self.queue).then_some(waiting + 1);
        let taken = self
            .waiting
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, more);
        taken.ok().map(|_| Place(&self.waiting))
    }

    /// Waits for its turn; nothing if the queue is full.
    pub(super) async fn enter(&self) -> Option<SemaphorePermit<'_>> {
        if let Ok(permit) = self.running.try_acquire() {
            return Some(permit);
        }
        let _place = self.place()?;
        self.running.acquire().await.ok()
    }
}

/// A transport whose rounds go through the gate. While a question waits for a person, nothing is held.
pub(super) struct Gated<T> {
    pub inner: T,
    pub gate: Arc<Gate>,
}

impl<T: Transport> Transport for Gated<T> {
    fn send<'a>(
        &'a self,
        document: &'a str,
        control: &'a Control,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
        Box::pin(async move {
            let entered = tokio::select! {
                biased;
                entered = self.gate.enter() => entered,
                () = control.cancelled() => return Ok(cancelled()),
            };
            match entered {
                Some(_permit) => self.inner.send(document, control).await,
                None => Ok(self.gate.full()),
            }
        })
    }

    fn carries_calls(&self) -> bool {
        self.inner.carries_calls()
    }
}

impl Gate {
    /// What a call is told for which there is no room.
    fn full(&self) -> Reply {
        let sentence = format!(
            "the server is busy: {} tools run and {} calls wait, which is the most; try again later",
            self.jobs, self.queue
        );
        told(&sentence, true)
    }
}

/// What becomes of a call that is cancelled while it waits. Nobody hears of it any more.
pub(super) fn cancelled() -> Reply {
    let mut report = RunReport::default();
    report.stopped = Some(StopReason::Cancelled);
    let mut reply = told("the call was cancelled before it began", false);
    reply.report = report;
    reply
}

/// An error that is told instead of a call.
pub(super) fn told(sentence: &str, transient: bool) -> Reply {
    let text = toolwire::json::string(sentence);
    let document = format!(
        r#"{{"_meta":{{"computer.jp/error":{{"trace":[{text}],"transient":{transient}}}}},"content":[{{"type":"text","text":{text}}}],"isError":true}}"#
    );
    Reply::new(parse(document.into_bytes(), &Limits::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_queue_holds_as_many_as_it_may_and_no_more() {
        let gate = Gate::new(1, 1);
        let first = gate.enter().await.unwrap();
        let (second, third) = tokio::join!(gate.enter(), async {
            let third = gate.enter().await.is_none();
            drop(first);
            third
        });
        assert!(second.is_some() && third);
        drop(second);
        assert!(gate.enter().await.is_some(), "places are given back");
        assert!(gate.full().parsed.is_error());
    }
}

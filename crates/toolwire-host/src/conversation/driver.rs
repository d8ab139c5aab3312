//! The loop of a call: the one place where rounds, questions and the end of a call meet.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::sync::Notify;
use toolwire::call::{Answer, Call};

use super::{Event, Mailbox};
use crate::transport::control::{EndSwitch, Ending, Outputs, SideOutput};
use crate::{CallOptions, CallOutcome, Exchange, HostError, HostErrorKind, Reply, Step, Transport};

/// What the driver of a call and its handle share.
#[derive(Debug, Default)]
pub(crate) struct Link {
    pub(crate) mailbox: Arc<Mailbox>,
    pub(crate) end: EndSwitch,
    given: Mutex<Option<(String, Given)>>,
    answered: Notify,
}

/// What somebody says to a question that waits.
#[derive(Debug)]
pub(crate) enum Given {
    Answer(Answer),
    /// Nobody is there to answer it.
    Nobody,
}

impl Link {
    /// Takes what is said to the question with this id; if it does not wait, that is dropped.
    pub(crate) fn give(&self, id: &str, given: Given) {
        let mut slot = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        *slot = Some((id.to_owned(), given));
        drop(slot);
        self.answered.notify_one();
    }

    /// What is said to the question with this id.
    async fn given_to(&self, id: &str) -> Given {
        loop {
            let answered = self.answered.notified();
            let given = self
                .given
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            match given {
                Some((to, given)) if to == id => return given,
                _ => answered.await,
            }
        }
    }
}

/// Drives a call to its end: each round through the transport, each question
/// through the link.
pub(crate) async fn drive(
    transport: &dyn Transport,
    call: Call,
    options: &CallOptions,
    link: &Link,
) -> Result<CallOutcome, HostError> {
    let started = Instant::now();
    let exchange_options = options.exchange.clone();
    let mut exchange = match options.standing.clone() {
        Some(standing) => Exchange::resume(call, standing, exchange_options),
        None => Exchange::new(call, exchange_options),
    };
    if !transport.carries_calls() {
        exchange.ask_nothing();
    }
    exchange.interrupt_with(Arc::new(link.end.watcher()));
    let mailbox: Arc<dyn SideOutput> = Arc::clone(&link.mailbox) as _;
    let output = Outputs {
        stderr: options.stderr_events.then(|| Arc::clone(&mailbox)),
        events: options.tool_events.then_some(mailbox),
    };
    let (mut last, mut suspended) = (None, None);
    loop {
        match exchange.step() {
            Step::Call(_) if link.end.stage() > Ending::Running => break,
            Step::Call(document) => {
                link.mailbox.unhurry();
                let control = link.end.control(output.clone());
                let Reply { parsed, report, .. } = transport.send(&document, &control).await?;
                if options.stderr_events && report.by_channel && !report.stdout.is_empty() {
                    link.mailbox.put(Event::Log(report.stdout.clone()));
                }
                exchange.handle_result(parsed);
                last = Some(report);
            }
            Step::Ask(_) if options.suspends => {
                // Without one, a question has ended the call; the next step reports it.
                suspended = exchange.suspend().map(Box::new);
                if suspended.is_some() {
                    break;
                }
            }
            Step::Ask(question) => {
                let id = question.question.id.clone();
                link.mailbox.put(Event::Question(question));
                let given = tokio::select! {
                    biased;
                    () = link.end.reached(Ending::Cancelled) => break,
                    given = link.given_to(&id) => given,
                };
                match given {
                    // The next step and the result report what is wrong with it.
                    Given::Answer(answer) => drop(exchange.handle_answer(&id, answer)),
                    Given::Nobody => exchange.fail(),
                }
            }
            Step::Done => break,
        }
    }
    let mut outcome = CallOutcome::new(exchange.finish(), last, started.elapsed());
    outcome.suspended = suspended;
    Ok(outcome)
}

/// Carries out a call: a future to spawn on a tokio runtime. If it is dropped before its end, the call is
/// dropped too, and its tool is stopped.
#[must_use = "a call does not go on unless its driver is polled"]
pub struct Driver(Pin<Box<dyn Future<Output = ()> + Send>>);

impl std::fmt::Debug for Driver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Driver")
    }
}

impl Future for Driver {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().poll(context)
    }
}

impl Driver {
    pub(super) fn new(
        transport: Arc<dyn Transport>,
        call: Call,
        options: CallOptions,
        link: Arc<Link>,
        at_end: impl FnOnce() + Send + 'static,
    ) -> Self {
        let closing = Closing {
            link: Arc::clone(&link),
            at_end: Some(Box::new(at_end)),
        };
        Driver(Box::pin(async move {
            let closing = closing;
            let outcome = drive(&*transport, call, &options, &link).await;
            link.mailbox.close(Event::Done(outcome.map(Box::new)));
            drop(closing);
        }))
    }
}

/// Sees to it that whoever waits for a call learns of its end, even if its driver was dropped.
struct Closing {
    link: Arc<Link>,
    at_end: Option<Box<dyn FnOnce() + Send>>,
}

impl Drop for Closing {
    fn drop(&mut self) {
        let dropped = HostError::new(
            HostErrorKind::System,
            "the call was given up before it had ended".to_owned(),
        );
        self.link.mailbox.close(Event::Done(Err(dropped)));
        if let Some(at_end) = self.at_end.take() {
            at_end();
        }
    }
}

//! A call on its way to a worker and back.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

use tokio::sync::{mpsc, oneshot};
use toolwire::Json;
use toolwire::event::ToolEvent;
use toolwire::json::ObjectWriter;
use toolwire::lines::Trace;
use toolwire::session::EndReason;

use crate::Control;
use crate::transport::process::Tail;
use crate::{EventObserver, Observer, ProcessOptions};

/// A call that a worker is to answer.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) ticket: Arc<Ticket>,
    document: Box<str>,
    trace: Trace,
    said: Said,
    answer: oneshot::Sender<Done>,
}

/// What becomes of a call.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The worker has answered.
    Answered(Json),
    /// The worker was asked to end, or the job was not sent.
    Stopped(Option<Json>),
    /// Its worker has ended or broken: how, as a sentence.
    Crashed(String),
    /// The worker has written something for it that can't be used: what, as a sentence.
    Unusable(String),
    /// Its line is longer than the program reads.
    TooLong(u64),
    /// There is no worker for it, for this reason if it is worth telling.
    NoWorker(Option<String>),
}

#[derive(Debug)]
pub(super) struct Done {
    pub(super) outcome: Outcome,
    /// The end of what the call has written to stderr, and whether there was more.
    pub(super) stderr: Vec<u8>,
    pub(super) cut: bool,
}

impl Done {
    pub(super) fn without_stderr(outcome: Outcome) -> Self {
        Done {
            outcome,
            stderr: Vec::new(),
            cut: false,
        }
    }
}

/// A message to a worker.
#[derive(Debug)]
pub(super) enum Order {
    Call(Box<Job>),
    End {
        call: u64,
        reason: EndReason,
    },
    Kill {
        call: u64,
    },
    /// To end after its calls.
    Retire,
}

/// Where a call is.
#[derive(Debug)]
pub(super) struct Ticket(Mutex<Place>);

#[derive(Debug)]
enum Place {
    Waiting,
    With {
        call: u64,
        orders: mpsc::UnboundedSender<Order>,
    },
    /// Nobody is to begin it any more.
    Withdrawn,
}

impl Ticket {
    fn lock(&self) -> MutexGuard<'_, Place> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody may still begin it.
    pub(super) fn is_wanted(&self) -> bool {
        !matches!(*self.lock(), Place::Withdrawn)
    }

    /// Gives it to a worker; false if nobody wants it any more.
    pub(super) fn give(&self, call: u64, orders: &mpsc::UnboundedSender<Order>) -> bool {
        let mut place = self.lock();
        if matches!(*place, Place::Withdrawn) {
            return false;
        }
        let orders = orders.clone();
        *place = Place::With { call, orders };
        true
    }

    /// It waits again, since its worker is gone.
    pub(super) fn take_back(&self) {
        let mut place = self.lock();
        if !matches!(*place, Place::Withdrawn) {
            *place = Place::Waiting;
        }
    }

    /// Takes it away if no worker has it; whether that is so.
    pub(super) fn withdraw(&self) -> bool {
        let mut place = self.lock();
        if matches!(*place, Place::With { .. }) {
            return false;
        }
        *place = Place::Withdrawn;
        true
    }

    /// Tells the worker that the call is to end; whether a worker has it.
    pub(super) fn end(&self, reason: EndReason) -> bool {
        self.tell(|call| Order::End { call, reason })
    }

    /// Has the worker give it up at once; whether a worker has it.
    pub(super) fn kill(&self) -> bool {
        self.tell(|call| Order::Kill { call })
    }

    fn tell(&self, order: impl FnOnce(u64) -> Order) -> bool {
        let mut place = self.lock();
        match &*place {
            Place::With { call, orders } => orders.send(order(*call)).is_ok(),
            Place::Waiting | Place::Withdrawn => {
                *place = Place::Withdrawn;
                false
            }
        }
    }
}

impl Job {
    pub(super) fn new(
        number: u64,
        document: &str,
        trace: &Trace,
        options: &ProcessOptions,
        control: &Control,
    ) -> (Self, Arc<Ticket>, oneshot::Receiver<Done>) {
        let (answer, answered) = oneshot::channel();
        let ticket = Arc::new(Ticket(Mutex::new(Place::Waiting)));
        let job = Job {
            number,
            ticket: Arc::clone(&ticket),
            document: document.into(),
            trace: trace.clone(),
            said: Said {
                control: control.clone(),
                on_stderr: options.on_stderr.clone(),
                on_event: options.on_event.clone(),
                tail: Tail::new(options.stderr_tail),
            },
            answer,
        };
        (job, ticket, answered)
    }

    /// The line with which it is sent, with its line feed.
    pub(super) fn line(&self) -> Vec<u8> {
        // Line ends stand between values only: in strings they are escaped.
        let document = self.document.replace(['\n', '\r'], " ");
        let mut line = ObjectWriter::new();
        line.text("type", "call").number("call", self.number);
        line.json("document", document);
        if !self.trace.is_empty() {
            line.json("trace", self.trace.to_json());
        }
        let mut line = line.end().into_bytes();
        line.push(b'\n');
        line
    }

    /// Where what it says goes.
    pub(super) fn said(&mut self) -> &mut Said {
        &mut self.said
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.answer.is_closed() || !self.ticket.is_wanted()
    }

    pub(super) fn done(self, outcome: Outcome) {
        let _ = self.answer.send(Done {
            outcome,
            cut: self.said.tail.cut,
            stderr: self.said.tail.into_bytes(),
        });
    }
}

/// What a call says beside its answer.
#[derive(Debug)]
pub(super) struct Said {
    control: Control,
    on_stderr: Option<Observer>,
    on_event: Option<EventObserver>,
    tail: Tail,
}

impl Said {
    pub(super) fn event(&self, event: &ToolEvent) {
        self.control.event(event, self.on_event.as_ref());
    }

    /// Takes a piece of stderr. Where the caller has no room for it, it is dropped: other calls of the worker
    /// must not wait for that.
    pub(super) fn stderr(&mut self, piece: &[u8]) {
        self.tail.push(piece);
        if let Some(observer) = &self.on_stderr {
            observer.show(piece);
        }
        let passing = pin!(self.control.stderr(piece));
        let _ = passing.poll(&mut Context::from_waker(Waker::noop()));
    }
}

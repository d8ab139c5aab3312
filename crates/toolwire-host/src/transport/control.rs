//! Messages between the driver of a call and its transport, in both directions.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use toolwire::event::{Message, Progress, ToolEvent};

use super::process::suspension::{self, Stopwatch};
use crate::later::FAR;
use crate::{EventObserver, ProcessOptions};

/// The logger of what the host itself says about a tool's events.
pub(crate) const HOST: &str = "toolwire";

/// How far the end of a call has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Ending {
    #[default]
    Running,
    Cancelled,
    Killed,
}

/// Where what a tool says beside its answer goes.
pub(crate) trait SideOutput: fmt::Debug + Send + Sync {
    /// Takes a piece of stderr when there is room for it.
    fn put_stderr<'a>(&'a self, piece: &'a [u8]) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

    /// Lets nothing wait for room from now on.
    fn hurry(&self);

    /// Takes progress, in place of what of it has not been taken yet.
    fn put_progress(&self, progress: &Progress);

    /// Takes a log message, if need be in place of older ones.
    fn put_message(&self, message: &Message);
}

/// What a [`Transport`](crate::Transport) gets from the driver of a call: when to stop, and where to send what
/// the tool writes besides its answer.
#[derive(Debug, Clone)]
pub struct Control {
    ending: watch::Receiver<Ending>,
    output: Outputs,
    /// Since when the tool has said nothing.
    silent_since: Arc<Mutex<Stopwatch>>,
}

/// Where a call's side output goes, if anybody takes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outputs {
    /// Stderr and log.
    pub(crate) stderr: Option<Arc<dyn SideOutput>>,
    /// Progress and messages.
    pub(crate) events: Option<Arc<dyn SideOutput>>,
}

/// What ends calls; the other side of their controls.
#[derive(Debug)]
pub(crate) struct EndSwitch(watch::Sender<Ending>);

impl Default for EndSwitch {
    fn default() -> Self {
        EndSwitch(watch::Sender::new(Ending::Running))
    }
}

impl EndSwitch {
    /// A control whose side output goes there, if anywhere.
    pub(crate) fn control(&self, output: Outputs) -> Control {
        Control {
            ending: self.0.subscribe(),
            output,
            silent_since: Arc::new(Mutex::new(Stopwatch::start())),
        }
    }

    /// Goes on to this stage; never back.
    pub(crate) fn set(&self, stage: Ending) {
        self.0.send_if_modified(|now| {
            let further = stage > *now;
            *now = stage.max(*now);
            further
        });
    }

    pub(crate) fn stage(&self) -> Ending {
        *self.0.borrow()
    }

    /// Tells whether the call is to end, to whoever can't wait for it.
    pub(crate) fn watcher(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let ending = self.0.subscribe();
        move || *ending.borrow() > Ending::Running
    }

    /// Done when this stage is reached.
    pub(crate) async fn reached(&self, stage: Ending) {
        reached(self.0.subscribe(), stage).await;
    }
}

async fn reached(mut ending: watch::Receiver<Ending>, stage: Ending) {
    if ending.wait_for(|now| *now >= stage).await.is_err() {
        // Nobody is left who could end the call.
        std::future::pending::<()>().await;
    }
}

impl Control {
    /// Completes when the call was cancelled, so the tool is to be asked to end.
    pub async fn cancelled(&self) {
        reached(self.ending.clone(), Ending::Cancelled).await;
    }

    /// Completes when whatever still runs is to be killed at once.
    pub async fn killed(&self) {
        reached(self.ending.clone(), Ending::Killed).await;
    }

    /// Passes on a piece of the tool's stderr or log.
    ///
    /// This waits while too much has not been taken yet, so that a transport that does not read on meanwhile
    /// makes the tool wait. A transport must not await this alone: it must go on to handle the answer,
    /// time-outs and cancelling.
    pub async fn stderr(&self, piece: &[u8]) {
        self.heard();
        if let Some(output) = &self.output.stderr {
            output.put_stderr(piece).await;
        }
    }

    /// Says that the tool has ended or is being stopped. From now on nothing waits for room; what does not fit
    /// is left out of the events.
    pub fn hurry(&self) {
        if let Some(output) = &self.output.stderr {
            output.hurry();
        }
    }

    /// Notes that the tool has said something, or begins to run: from now on it is silent.
    pub(crate) fn heard(&self) {
        *self.silence() = Stopwatch::start();
    }

    /// Done when all of the time for a call is over, or its tool has been silent for too long from now on.
    pub(crate) async fn out_of_time(&self, options: &ProcessOptions) {
        self.heard();
        let left = || {
            let silence = options.silence.map(|limit| self.silence().left_of(limit));
            silence.unwrap_or(FAR)
        };
        let silent = async {
            while !left().is_zero() {
                tokio::time::sleep(left()).await;
            }
        };
        tokio::select! {
            () = suspension::sleep(options.timeout.unwrap_or(FAR)) => {}
            () = silent => {}
        }
    }

    fn silence(&self) -> MutexGuard<'_, Stopwatch> {
        self.silent_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether anybody takes progress and messages. If not, a transport need not ask the tool for them.
    #[must_use]
    pub fn wants_events(&self) -> bool {
        self.output.events.is_some()
    }

    /// Passes on how far the tool has come. This never waits: progress that has not been taken yet is replaced.
    pub fn progress(&self, progress: &Progress) {
        self.heard();
        if let Some(output) = &self.output.events {
            output.put_progress(progress);
        }
    }

    /// Passes on a log message of the tool. This never waits: while nobody takes them, the oldest messages are
    /// left out and counted.
    pub fn message(&self, message: &Message) {
        self.heard();
        if let Some(output) = &self.output.events {
            output.put_message(message);
        }
    }

    /// Passes on what a tool has said, also to an observer.
    pub(crate) fn event(&self, event: &ToolEvent, observer: Option<&EventObserver>) {
        if let Some(observer) = observer {
            observer.tell(event);
        }
        match event {
            ToolEvent::Progress(progress) => self.progress(progress),
            ToolEvent::Message(message) => self.message(message),
            _ => {}
        }
    }
}

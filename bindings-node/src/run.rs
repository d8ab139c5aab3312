//! Running tools: each call has a thread of its own, which tells JavaScript what there is to fetch.

use std::collections::HashMap;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use napi::bindgen_prelude::Buffer;
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Status};
use napi_derive::napi;
use tokio::sync::oneshot;
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire::{Block, Limits};
use toolwire_host::{
    Answerer, Asking, CallOptions, Nobody, Observer, call_until, list_tools, read_answer,
};

use crate::fault::{self, Result, told};
use crate::json::{Object, array, string};
use crate::left::Left;
use crate::spec::Spec;

/// So many bytes of stderr may wait for JavaScript; then the tool waits.
const MOST_WAITING: usize = 8 * 1024 * 1024;

/// How long to wait between two looks whether it is fewer.
const MOST_PAUSE: Duration = Duration::from_millis(50);

/// So long a thread that ends is waited for: it has only to kill a process and to reap it.
const MOST_ENDING: Duration = Duration::from_secs(5);

/// What there is to fetch, as JavaScript is told it.
const STDERR: u32 = 0;
const ASKING: u32 = 1;
const DONE: u32 = 2;

type Notify = ThreadsafeFunction<u32, (), u32, Status, false>;

/// All runs of this process: a thread of Node that ends takes its own with it.
struct Running {
    runs: Mutex<HashMap<u64, Entry>>,
    ended: Condvar,
}

struct Entry {
    host: u64,
    shared: Arc<Shared>,
    abandon: Option<oneshot::Sender<()>>,
}

static RUNNING: std::sync::LazyLock<Running> = std::sync::LazyLock::new(|| Running {
    runs: Mutex::default(),
    ended: Condvar::new(),
});

static NEXT: AtomicU64 = AtomicU64::new(1);

/// A lock that a panic elsewhere does not take away: what it guards is never half written.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills what the runs of a host have started, and waits until nothing of it is left.
fn abandon(host: u64) {
    let mut runs = lock(&RUNNING.runs);
    for entry in runs.values_mut().filter(|entry| entry.host == host) {
        if let Some(abandon) = entry.abandon.take() {
            // Whoever is not there any more has ended.
            let _ = abandon.send(());
            entry.shared.give_up();
        }
    }
    let left = |runs: &mut HashMap<u64, Entry>| runs.values().any(|entry| entry.host == host);
    let _ = RUNNING.ended.wait_timeout_while(runs, MOST_ENDING, left);
}

/// Runs tools for one thread of Node.
#[napi]
pub struct Host {
    id: u64,
}

#[napi]
impl Host {
    /// When this thread of Node ends, so do its tools.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env) -> Result<Self> {
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        env.add_env_cleanup_hook(id, abandon)?;
        Ok(Host { id })
    }

    /// Begins to call a tool, or without a call document to ask a program for its tools. `notify` is
    /// called with what there is to fetch from the run, last of all with the end, and keeps Node
    /// alive until then.
    #[napi(catch_unwind)]
    pub fn start(&self, spec: String, call: Option<&[u8]>, notify: Notify) -> Result<Run> {
        let mut spec = Spec::read(&spec)?;
        let call = call.map(|call| Call::from_json(call, &Limits::WIDEST));
        let call = call.transpose().map_err(told)?;
        let (cancel, cancelled) = oneshot::channel();
        let (abandon, abandoned) = oneshot::channel();
        let shared = Arc::new(Shared {
            notify: Mutex::new(Some(notify)),
            cancel: Mutex::new(Some(cancel)),
            stderr: Mutex::default(),
            fetched: Condvar::new(),
            given_up: AtomicBool::new(false),
            asked: Mutex::default(),
            left: Mutex::default(),
        });
        if spec.on_stderr {
            let shared = Arc::downgrade(&shared);
            spec.options.run.on_stderr = Some(Observer::new(move |piece| {
                if let Some(shared) = shared.upgrade() {
                    shared.show(piece);
                }
            }));
        }
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let entry = Entry {
            host: self.id,
            shared: Arc::clone(&shared),
            abandon: Some(abandon),
        };
        lock(&RUNNING.runs).insert(id, entry);
        let job = Job {
            spec,
            call,
            shared: Arc::clone(&shared),
        };
        let thread = thread::Builder::new().name("toolwire".to_owned());
        let started = thread.spawn(move || {
            let shared = Arc::clone(&job.shared);
            let left = catch_unwind(AssertUnwindSafe(|| job.run(cancelled, abandoned)));
            let failed = || Err(napi::Error::from_reason("the runner of tools has failed"));
            // An abandoned run has nobody left to tell.
            if let Some(left) = left.unwrap_or_else(|_| Some(failed())) {
                *lock(&shared.left) = Some(left);
                shared.tell(DONE);
            }
            // What tells JavaScript keeps Node alive.
            lock(&shared.notify).take();
            lock(&RUNNING.runs).remove(&id);
            RUNNING.ended.notify_all();
        });
        if let Err(error) = started {
            lock(&RUNNING.runs).remove(&id);
            return Err(napi::Error::from_reason(format!(
                "no thread can be started: {error}"
            )));
        }
        Ok(Run { shared })
    }

    /// Kills all that the runs have started, and waits for it.
    #[napi(catch_unwind)]
    pub fn end(&self) {
        abandon(self.id);
    }
}

/// What a run and its thread share.
struct Shared {
    /// There until the run has ended.
    notify: Mutex<Option<Notify>>,
    cancel: Mutex<Option<oneshot::Sender<()>>>,
    stderr: Mutex<Vec<u8>>,
    /// Tells that JavaScript has fetched what was written to stderr, or never will.
    fetched: Condvar,
    given_up: AtomicBool,
    asked: Mutex<Option<Asked>>,
    left: Mutex<Option<Result<Left>>>,
}

/// A question that waits for JavaScript.
struct Asked {
    asking: Asking,
    reply: oneshot::Sender<Answer>,
}

impl Shared {
    /// Tells JavaScript that there is something to fetch; false if it takes nothing more.
    fn tell(&self, what: u32) -> bool {
        let notify = lock(&self.notify);
        notify.as_ref().is_some_and(|notify| {
            notify.call(what, ThreadsafeFunctionCallMode::NonBlocking) == Status::Ok
        })
    }

    /// Lets go of whoever waits for JavaScript.
    fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
        self.fetched.notify_all();
    }

    /// Keeps a piece of stderr until it is fetched. While too much waits the tool waits too, as it
    /// would for a slow terminal.
    fn show(&self, piece: &[u8]) {
        let mut waiting = lock(&self.stderr);
        let first = waiting.is_empty();
        waiting.extend_from_slice(piece);
        let taken = !first || self.tell(STDERR);
        while waiting.len() > MOST_WAITING && taken && !self.given_up.load(Ordering::Relaxed) {
            // Not only by the signal: it may have come between the two looks.
            let wait = self.fetched.wait_timeout(waiting, MOST_PAUSE);
            waiting = wait.unwrap_or_else(PoisonError::into_inner).0;
        }
        if waiting.len() > MOST_WAITING {
            waiting.clear();
        }
    }
}

/// What the thread of a run does.
struct Job {
    spec: Spec,
    call: Option<Call>,
    shared: Arc<Shared>,
}

impl Job {
    /// What the run has left, or nothing if it was abandoned: then its tool is killed.
    fn run(
        self,
        cancelled: oneshot::Receiver<()>,
        abandoned: oneshot::Receiver<()>,
    ) -> Option<Result<Left>> {
        // Told at the latest when the run is gone; then there is nothing to cancel.
        let cancelled = async {
            if cancelled.await.is_err() {
                std::future::pending().await
            }
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => return Some(Err(napi::Error::from_reason(error.to_string()))),
        };
        runtime.block_on(async {
            tokio::select! {
                biased;
                Ok(()) = abandoned => None,
                left = self.work(cancelled) => Some(left),
            }
        })
    }

    async fn work(self, cancelled: impl Future<Output = ()>) -> Result<Left> {
        let Job { spec, call, shared } = self;
        let (tool, options): (_, &CallOptions) = (&spec.tool, &spec.options);
        let left = match call {
            Some(call) => {
                let mut asks = Asks(shared);
                let answerer: &mut dyn Answerer = if spec.asks { &mut asks } else { &mut Nobody };
                let outcome = call_until(tool, call, options, answerer, cancelled).await;
                outcome.map(Left::called)
            }
            None => tokio::select! {
                listed = list_tools(tool, &options.run) => listed.map(Left::listed),
                () = cancelled => return Err(napi::Error::from_reason("the tool was stopped")),
            },
        };
        left.map_err(|error| fault::host(&error))
    }
}

/// Has JavaScript answer.
struct Asks(Arc<Shared>);

impl Answerer for Asks {
    fn answer<'a>(
        &'a mut self,
        asking: &'a Asking,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        let (reply, replied) = oneshot::channel();
        *lock(&self.0.asked) = Some(Asked {
            asking: asking.clone(),
            reply,
        });
        self.0.tell(ASKING);
        Box::pin(async {
            // Without a reply, there is nobody.
            let nobody = || Answer::unavailable(AnswerSource::Policy);
            replied.await.unwrap_or_else(|_| nobody())
        })
    }
}

/// A run, as JavaScript holds it.
#[napi]
pub struct Run {
    shared: Arc<Shared>,
}

#[napi]
impl Run {
    /// Stops the tool, or gives up the question that waits. The end is told as any other.
    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        if let Some(cancel) = lock(&self.shared.cancel).take() {
            // Whoever is not there any more has ended.
            let _ = cancel.send(());
        }
        self.shared.give_up();
    }

    /// What was written to stderr since it was last fetched.
    #[napi(catch_unwind)]
    pub fn take_stderr(&self) -> Buffer {
        let piece = std::mem::take(&mut *lock(&self.shared.stderr));
        self.shared.fetched.notify_all();
        piece.into()
    }

    /// The question that waits, as a JSON object, and its context as JSON texts.
    #[napi(catch_unwind)]
    pub fn asking(&self) -> Option<String> {
        let asked = lock(&self.shared.asked);
        let asking = &asked.as_ref()?.asking;
        let told = Object::new().raw("asking", &asking.to_json());
        Some(told.raw("context", &context(asking)).end())
    }

    /// Answers the question that waits; the value is JSON text.
    #[napi(catch_unwind)]
    pub fn answer(&self, state: String, source: String, value: Option<String>) -> Result<()> {
        let answer = read_answer(&state, &source, value.as_deref()).map_err(told)?;
        if let Some(asked) = lock(&self.shared.asked).take() {
            // Whoever is not there any more was cancelled.
            let _ = asked.reply.send(answer);
        }
        Ok(())
    }

    /// What the run has left, once, after its end.
    #[napi(catch_unwind)]
    pub fn left(&self) -> Result<Left> {
        let left = lock(&self.shared.left).take();
        left.unwrap_or_else(|| Err(napi::Error::from_reason("the run has not ended")))
    }
}

/// The blocks before a question, as a JSON array of their JSON texts.
pub fn context(asking: &Asking) -> String {
    array(
        asking
            .context
            .iter()
            .map(Block::to_json)
            .map(|json| string(&json)),
    )
}

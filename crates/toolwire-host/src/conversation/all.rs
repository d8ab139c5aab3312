//! All calls of a host, to end them together.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use toolwire::call::Call;

use super::{Conversation, Driver, Link};
use crate::transport::control::Ending;
use crate::{CallOptions, Transport};

/// Maximum time that an exiting host waits for all its tools: longer than the usual grace.
const PATIENCE: Duration = Duration::from_secs(5);

/// Maximum time that it waits for killed tools.
const AFTER_KILL: Duration = Duration::from_secs(3);

/// The calls of a host that are in progress, so that all can be ended together.
///
/// ```
/// use toolwire_host::Conversations;
///
/// let all = Conversations::default();
/// all.shutdown(); // nothing goes on, so it returns at once
/// ```
#[derive(Debug, Clone, Default)]
pub struct Conversations(Arc<All>);

#[derive(Debug, Default)]
struct All {
    live: Mutex<HashMap<u64, Live>>,
    ended: Condvar,
    silent: AtomicBool,
}

#[derive(Debug)]
struct Live {
    link: Weak<Link>,
    process: u32,
}

impl All {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, stage: Ending) {
        for live in self.lock().values().filter(|live| live.is_own()) {
            if let Some(link) = live.link.upgrade() {
                link.end.set(stage);
            }
        }
    }

    /// Waits until nothing goes on any more, at most so long.
    fn wait(&self, time: Duration) {
        let goes_on = |live: &mut HashMap<u64, Live>| live.values().any(Live::is_own);
        let waited = self.ended.wait_timeout_while(self.lock(), time, goes_on);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

impl Live {
    /// A fork has none of the tools of the process that it is a copy of.
    fn is_own(&self) -> bool {
        self.process == std::process::id()
    }
}

impl Conversations {
    /// Starts a call, as [`Conversation::new`] does.
    pub fn start(
        &self,
        transport: Arc<dyn Transport>,
        call: Call,
        options: CallOptions,
    ) -> (Conversation, Driver) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (conversation, link) = Conversation::make();
        let live = Live {
            link: Arc::downgrade(&link),
            process: std::process::id(),
        };
        self.0.lock().insert(number, live);
        if self.0.silent.load(Ordering::SeqCst) {
            link.mailbox.mute();
            link.end.set(Ending::Cancelled);
        }
        let all = Arc::clone(&self.0);
        let at_end = move || {
            all.lock().remove(&number);
            all.ended.notify_all();
        };
        let driver = Driver::new(transport, call, options, link, at_end);
        (conversation, driver)
    }

    /// Cancels all calls without waiting for them.
    pub fn cancel_all(&self) {
        self.0.end(Ending::Cancelled);
    }

    /// Suppresses all further events of all calls, even their ends, and cancels every call that starts from now
    /// on. It is for a process that a signal ends, so that nothing in it reacts to the end of its tools.
    pub fn silence(&self) {
        self.0.silent.store(true, Ordering::SeqCst);
        for live in self.0.lock().values() {
            if let Some(link) = live.link.upgrade() {
                link.mailbox.mute();
            }
        }
    }

    /// Ends all calls, and blocks this thread until nothing is left of their tools: cancels them, and kills
    /// after 5 seconds what has not ended.
    ///
    /// The drivers must run on other threads.
    pub fn shutdown(&self) {
        self.cancel_all();
        self.0.wait(PATIENCE);
        self.0.end(Ending::Killed);
        self.0.wait(AFTER_KILL);
        #[cfg(unix)]
        crate::transport::process::guardian::end_if_idle();
    }
}

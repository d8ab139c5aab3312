//! Something that is done in the background, for programs that are not asynchronous Rust.

use std::future::Future;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use crate::bell::{Bell, Listener};
use crate::servers::ServerError;

/// What a task ends with: JSON text, or why there is none.
pub type Ended = Result<String, ServerError>;

/// A task that was begun. It goes on if this is dropped.
pub struct Task {
    slot: Arc<Slot>,
    /// None if there is nothing to give up.
    abort: Option<AbortHandle>,
}

#[derive(Default)]
struct Slot {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    ended: Option<Ended>,
    listener: Option<Listener>,
    over: bool,
}

impl Task {
    pub(crate) fn spawn(
        runtime: &Handle,
        bell: Bell,
        doing: impl Future<Output = Ended> + Send + 'static,
    ) -> Self {
        let slot = Arc::new(Slot::default());
        let task = runtime.spawn({
            let slot = Arc::clone(&slot);
            async move {
                let ended = doing.await;
                if let Some(listener) = slot.end(ended) {
                    bell.ring(listener);
                }
            }
        });
        Task {
            slot,
            abort: Some(task.abort_handle()),
        }
    }

    /// A task that is over already.
    pub(crate) fn over(ended: Ended) -> Self {
        let slot = Slot::default();
        slot.end(ended);
        Task {
            slot: Arc::new(slot),
            abort: None,
        }
    }

    /// Has a function called once it has ended: at once if that is so already, or else on a thread that has
    /// nothing else to do.
    pub fn on_end(&self, listener: impl Fn() + Send + Sync + 'static) {
        let mut state = self.slot.lock();
        if state.over {
            drop(state);
            listener();
        } else {
            state.listener = Some(Arc::new(listener));
        }
    }

    /// What it ended with, once.
    #[must_use]
    pub fn take(&self) -> Option<Ended> {
        self.slot.lock().ended.take()
    }

    /// Waits at most so long for its end, and says whether that has come.
    #[must_use]
    pub fn wait(&self, most: Duration) -> bool {
        let goes_on = |state: &mut State| !state.over;
        let waited = self
            .slot
            .ended
            .wait_timeout_while(self.slot.lock(), most, goes_on);
        waited.unwrap_or_else(PoisonError::into_inner).0.over
    }

    /// Gives it up: it ends with nothing, and nobody is told.
    pub fn cancel(&self) {
        if let Some(abort) = &self.abort {
            abort.abort();
        }
        drop(self.slot.lock().listener.take());
    }
}

impl Slot {
    /// A panic elsewhere leaves nothing half done here.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, ended: Ended) -> Option<Listener> {
        let mut state = self.lock();
        state.ended = Some(ended);
        state.over = true;
        self.ended.notify_all();
        state.listener.take()
    }
}

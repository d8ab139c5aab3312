//! Telling an interpreter that there are events, which may take as long as it holds its lock: no call
//! waits for that, or a slow program would delay its own time-outs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;

/// Who is told.
pub(crate) type Listener = Arc<dyn Fn() + Send + Sync>;

/// Maximum time that an exiting program waits until everybody has been notified.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whom to tell, and one thread of the runtime that does so while there is somebody.
#[derive(Clone)]
pub(crate) struct Bell {
    runtime: Handle,
    queue: Arc<Queue>,
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    silent: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<Listener>,
    ringing: bool,
}

impl Bell {
    pub(crate) fn new(runtime: Handle) -> Self {
        Bell {
            runtime,
            queue: Arc::default(),
        }
    }

    /// Has the listener called soon.
    pub(crate) fn ring(&self, listener: Listener) {
        let mut state = self.queue.lock();
        state.waiting.push(listener);
        if !state.ringing {
            state.ringing = true;
            let queue = Arc::clone(&self.queue);
            self.runtime.spawn_blocking(move || queue.ring_all());
        }
    }

    /// Waits until all have been called, but not for ever.
    pub(crate) fn wait(&self) {
        let ringing = |state: &mut State| state.ringing;
        let queue = &self.queue;
        drop(
            queue
                .silent
                .wait_timeout_while(queue.lock(), PATIENCE, ringing),
        );
    }
}

impl Queue {
    /// A panic of a listener leaves nothing half done here.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring_all(&self) {
        loop {
            let mut state = self.lock();
            let listeners = std::mem::take(&mut state.waiting);
            if listeners.is_empty() {
                state.ringing = false;
                drop(state);
                self.silent.notify_all();
                return;
            }
            drop(state);
            for listener in listeners {
                // One that panics must not silence the others.
                let _ = catch_unwind(AssertUnwindSafe(|| listener()));
            }
        }
    }
}

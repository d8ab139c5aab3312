//! The calls and connections of one thread of Node, and how JavaScript hears of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Status};
use napi_derive::napi;

use crate::fault::Result;

/// Tells JavaScript that there are events to take. While it is there, Node goes on.
pub type Notify = ThreadsafeFunction<(), (), (), Status, false>;

/// The calls of one thread of Node.
#[napi]
pub struct Calls {
    pub(crate) inner: Arc<toolwire_ffi::calls::Calls>,
}

#[napi]
impl Calls {
    /// When this thread of Node ends, so do its tools.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env) -> Result<Self> {
        let inner = Arc::new(toolwire_ffi::calls::Calls::new());
        env.add_env_cleanup_hook(Arc::clone(&inner), |calls| calls.shutdown())?;
        Ok(Calls { inner })
    }

    /// Ends all calls, and waits until nothing of their tools is left.
    #[napi(catch_unwind)]
    pub fn shutdown(&self) {
        self.inner.shutdown();
    }
}

/// Tells JavaScript, as long as it is to be told.
pub fn telling(notify: &Arc<Mutex<Option<Notify>>>) -> impl Fn() + Send + Sync + 'static {
    let notify = Arc::clone(notify);
    move || {
        if let Some(notify) = &*lock(&notify) {
            // Once its thread ends, Node takes nothing more.
            let _ = notify.call((), ThreadsafeFunctionCallMode::NonBlocking);
        }
    }
}

/// A panic elsewhere leaves nothing half done here.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

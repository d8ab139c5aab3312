//! The calls and connections of this process, their end and its forks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use toolwire_ffi::calls::{self, Calls};

/// The calls of this process. It is touched under Python's lock only, so no other thread has it when
/// the process is forked.
static CALLS: Mutex<Option<Arc<Calls>>> = Mutex::new(None);

fn slot() -> MutexGuard<'static, Option<Arc<Calls>>> {
    CALLS.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn all_calls() -> Arc<Calls> {
    Arc::clone(slot().get_or_insert_with(|| Arc::new(Calls::new())))
}

/// End all calls of this process, and wait until nothing is left of them: for the end of the
/// interpreter, after which no other thread may call it.
#[pyfunction]
pub fn shutdown(py: Python<'_>) {
    let calls = slot().clone();
    if let Some(calls) = calls {
        py.detach(|| calls.shutdown());
    }
}

/// Begin anew in a process that is a fork: the calls of the process that it is a copy of are not its
/// own, and their locks may be held by threads that are not there.
#[pyfunction]
pub fn after_fork() {
    std::mem::forget(slot().take());
    calls::after_fork();
}

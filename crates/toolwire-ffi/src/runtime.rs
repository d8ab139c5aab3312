//! The runtime that all calls of a process share, and a new one in its forks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::{Builder, Handle, Runtime};
use toolwire_host::HostError;

use crate::bell::Bell;

/// The runtime, with the process that it belongs to.
pub(crate) struct Host {
    process: u32,
    runtime: Runtime,
    pub(crate) bell: Bell,
}

impl Host {
    #[cfg(unix)]
    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    pub(crate) fn handle(&self) -> &Handle {
        self.runtime.handle()
    }
}

static HOST: Mutex<Option<Arc<Host>>> = Mutex::new(None);

/// A panic elsewhere leaves nothing half done here.
fn slot() -> MutexGuard<'static, Option<Arc<Host>>> {
    HOST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until everybody has been told of what there was to tell.
pub(crate) fn wait_for_bell() {
    let host = slot().clone();
    if let Some(host) = host.filter(|host| host.process == std::process::id()) {
        host.bell.wait();
    }
}

/// A tool that does not read what it is given must not end a program that has SIGPIPE end it, as some
/// do so that they fit into a pipeline. Blocked in the threads that feed tools, it is an error there.
fn ignore_broken_pipes() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGPIPE);
        let _ = signals.thread_block();
    }
}

/// The runtime of this process.
///
/// # Errors
///
/// `system_error` if there can be none.
pub(crate) fn host() -> Result<Arc<Host>, HostError> {
    let process = std::process::id();
    let mut slot = slot();
    if let Some(host) = slot.as_ref().filter(|host| host.process == process) {
        return Ok(Arc::clone(host));
    }
    // A fork has none of the threads of its parent's runtime, so it can't end it.
    std::mem::forget(slot.take());
    let mut builder = Builder::new_multi_thread();
    builder
        .worker_threads(1)
        .thread_name("toolwire")
        .on_thread_start(ignore_broken_pipes);
    let runtime = toolwire_host::build_runtime(&mut builder)
        .map_err(|error| HostError::system("a call can't be begun", error))?;
    let bell = Bell::new(runtime.handle().clone());
    let host = Arc::new(Host {
        process,
        runtime,
        bell,
    });
    *slot = Some(Arc::clone(&host));
    Ok(host)
}

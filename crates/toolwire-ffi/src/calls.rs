//! Calls of tools from programs that are not asynchronous Rust: one runtime for all of a process, its
//! start, its forks and its end (PROC-28, TRANS-7).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::runtime::{Builder, Handle, Runtime};
use toolwire::call::Call;
use toolwire_host::{CallOptions, Conversation, Conversations, HostError, Transport};

use crate::bell::Bell;
use crate::connection::{Held, close_all};

/// The calls, and the connections to servers, that end together: those of a process, or of one of its
/// interpreters.
#[derive(Default)]
pub struct Calls(Arc<Group>);

#[derive(Default)]
struct Group {
    conversations: Conversations,
    connections: Mutex<Vec<Weak<Held>>>,
}

/// The runtime, with the process that it belongs to.
pub(crate) struct Host {
    process: u32,
    runtime: Runtime,
    pub(crate) bell: Bell,
}

impl Host {
    pub(crate) fn handle(&self) -> &Handle {
        self.runtime.handle()
    }
}

static HOST: Mutex<Option<Arc<Host>>> = Mutex::new(None);

/// All calls of this process, for a signal that ends it.
static ALL: Mutex<Vec<Weak<Group>>> = Mutex::new(Vec::new());

/// A panic elsewhere leaves nothing half done here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Calls {
    /// No calls yet.
    #[must_use]
    pub fn new() -> Self {
        let calls = Calls::default();
        let mut all = lock(&ALL);
        all.retain(|one| one.strong_count() > 0);
        all.push(Arc::downgrade(&calls.0));
        calls
    }

    /// Begins a call on the runtime of this process. While it goes on, each of `signals`, given by its
    /// number, ends the tools before it ends the process: give those that nobody else handles.
    ///
    /// # Errors
    ///
    /// `system_error` if there can be no runtime.
    pub fn start(
        &self,
        transport: Arc<dyn Transport>,
        call: Call,
        options: CallOptions,
        signals: &[i32],
    ) -> Result<Conversation, HostError> {
        let host = self.prepare(signals)?;
        let (conversation, driver) = self.0.conversations.start(transport, call, options);
        #[cfg(unix)]
        let driver = crate::signals::counted(driver);
        host.runtime.spawn(driver);
        Ok(conversation)
    }

    /// The runtime of this process, which watches for these signals.
    pub(crate) fn prepare(&self, signals: &[i32]) -> Result<Arc<Host>, HostError> {
        #[cfg(unix)]
        crate::signals::yield_to_end();
        let host = host()?;
        #[cfg(unix)]
        crate::signals::watch(&host.runtime, signals, shutdown_all)
            .map_err(|error| HostError::system("signals can't be waited for", error))?;
        #[cfg(not(unix))]
        let _ = signals;
        Ok(host)
    }

    /// Has a connection closed at the end.
    pub(crate) fn remember(&self, connection: Weak<Held>) {
        let mut all = lock(&self.0.connections);
        all.retain(|one| one.strong_count() > 0);
        all.push(connection);
    }

    /// Has a function called when there are events to take, as [`Conversation::on_event`] does, but on
    /// a thread that has nothing else to do: it may wait, as for the lock of an interpreter, and no call
    /// waits for it.
    ///
    /// # Errors
    ///
    /// `system_error` if there can be no runtime.
    pub fn on_event(
        &self,
        conversation: &Conversation,
        listener: impl Fn() + Send + Sync + 'static,
    ) -> Result<(), HostError> {
        let bell = host()?.bell.clone();
        let listener: Arc<dyn Fn() + Send + Sync> = Arc::new(listener);
        conversation.on_event(move || bell.ring(Arc::clone(&listener)));
        Ok(())
    }

    /// Ends all of these calls and connections, and waits until nothing is left of their tools and servers,
    /// which is a matter of 5 seconds (PROC-28) for each kind, and until everybody has been told.
    pub fn shutdown(&self) {
        self.0.conversations.shutdown();
        close_all(self.0.connected());
        let host = lock(&HOST).clone();
        if let Some(host) = host.filter(|host| host.process == std::process::id()) {
            host.bell.wait();
        }
        #[cfg(unix)]
        crate::signals::yield_to_end();
    }
}

impl Group {
    fn connected(&self) -> Vec<Arc<Held>> {
        let all = lock(&self.connections);
        all.iter().filter_map(Weak::upgrade).collect()
    }
}

/// Ends all calls of this process, and lets nobody in it know.
#[cfg(unix)]
fn shutdown_all() {
    let all: Vec<Arc<Group>> = lock(&ALL).iter().filter_map(Weak::upgrade).collect();
    // All at once, so that one that takes its time does not shorten that of the others.
    for group in &all {
        group.conversations.silence();
        group.conversations.cancel_all();
    }
    for group in &all {
        group.conversations.shutdown();
    }
    close_all(all.iter().flat_map(|group| group.connected()).collect());
}

/// Must be called in a process that is a fork, before it does anything else: the calls of the process
/// that it is a copy of are not its own, nor are its threads.
pub fn after_fork() {
    toolwire_host::after_fork();
    #[cfg(unix)]
    crate::signals::after_fork();
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

fn host() -> Result<Arc<Host>, HostError> {
    let process = std::process::id();
    let mut slot = lock(&HOST);
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

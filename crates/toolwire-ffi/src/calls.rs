//! Calls of tools from programs that are not asynchronous Rust: their start and their end.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use toolwire::call::Call;
use toolwire_host::{CallOptions, Conversation, Conversations, HostError, Transport};

use crate::held::{Held, close_all};
use crate::runtime::{self, Host};

/// The calls, and the connections to servers, that end together: those of a process, or of one of its
/// interpreters.
#[derive(Default)]
pub struct Calls(Arc<Group>);

#[derive(Default)]
struct Group {
    conversations: Conversations,
    connections: Mutex<Vec<Weak<Held>>>,
    sessions: Mutex<Vec<Weak<dyn Closing>>>,
}

/// Tools that keep running, and end with the calls.
pub(crate) trait Closing: Send + Sync {
    /// Begins to end them, and says when nothing is left of them. False if they are not this process's.
    fn begin_to_close(self: Arc<Self>, closed: Sender<()>) -> bool;
}

/// Maximum time that an exiting program waits for the tools of its sessions.
const PATIENCE: Duration = Duration::from_secs(5);

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
        host.handle().spawn(driver);
        Ok(conversation)
    }

    /// The runtime of this process, which watches for these signals.
    pub(crate) fn prepare(&self, signals: &[i32]) -> Result<Arc<Host>, HostError> {
        #[cfg(unix)]
        crate::signals::yield_to_end();
        let host = runtime::host()?;
        #[cfg(unix)]
        crate::signals::watch(host.runtime(), signals, shutdown_all)
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

    /// Has the tools of sessions ended at the end.
    pub(crate) fn remember_sessions(&self, sessions: Weak<dyn Closing>) {
        let mut all = lock(&self.0.sessions);
        all.retain(|one| one.strong_count() > 0);
        all.push(sessions);
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
        let bell = runtime::host()?.bell.clone();
        let listener: Arc<dyn Fn() + Send + Sync> = Arc::new(listener);
        conversation.on_event(move || bell.ring(Arc::clone(&listener)));
        Ok(())
    }

    /// Ends all of these calls and connections, and waits until nothing is left of their tools and servers,
    /// which is a matter of 5 seconds for each kind, and until everybody has been told.
    pub fn shutdown(&self) {
        self.0.conversations.shutdown();
        close_sessions(self.0.open_sessions());
        close_all(self.0.connected());
        runtime::wait_for_bell();
        #[cfg(unix)]
        crate::signals::yield_to_end();
    }
}

impl Group {
    fn open_sessions(&self) -> Vec<Arc<dyn Closing>> {
        let all = lock(&self.sessions);
        all.iter().filter_map(Weak::upgrade).collect()
    }

    fn connected(&self) -> Vec<Arc<Held>> {
        let all = lock(&self.connections);
        all.iter().filter_map(Weak::upgrade).collect()
    }
}

/// Ends all of these, and waits for that, which is a matter of 5 seconds.
fn close_sessions(all: Vec<Arc<dyn Closing>>) {
    let (sender, receiver) = channel();
    let begun = all
        .into_iter()
        .map(|one| one.begin_to_close(sender.clone()));
    let count = begun.filter(|begun| *begun).count();
    let last = Instant::now() + PATIENCE;
    for _ in 0..count {
        let left = last.saturating_duration_since(Instant::now());
        if receiver.recv_timeout(left).is_err() {
            return;
        }
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
    close_sessions(all.iter().flat_map(|group| group.open_sessions()).collect());
    close_all(all.iter().flat_map(|group| group.connected()).collect());
}

/// Must be called in a process that is a fork, before it does anything else: the calls of the process
/// that it is a copy of are not its own, nor are its threads.
pub fn after_fork() {
    toolwire_host::after_fork();
    #[cfg(unix)]
    crate::signals::after_fork();
}

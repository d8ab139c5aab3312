//! The task that a call has become.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use toolwire::event::{Level, Message};
use toolwire_mcp::client::TaskWatcher;

use crate::exit::Outcome;
use crate::run::{Screen, Session, Signals};

/// What becomes of tasks when this process gets a signal to end: Ctrl-C cancels them; for other signals, such as that of
/// a terminal that is closed, they are left to go on, if they outlive the connection.
pub struct Tasks {
    outlive: bool,
    process: OnceLock<(Signals, Screen)>,
    left: Mutex<Option<String>>,
}

impl std::fmt::Debug for Tasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tasks")
    }
}

impl Tasks {
    /// For a server whose tasks outlive the connection, or do not.
    pub fn new(outlive: bool) -> Arc<Self> {
        Arc::new(Tasks {
            outlive,
            process: OnceLock::new(),
            left: Mutex::default(),
        })
    }

    pub fn follow(&self, session: &Session) {
        let _ = self
            .process
            .set((session.signals.clone(), session.screen.clone()));
    }

    /// The id of the task that was left to go on.
    pub fn left(&self) -> Option<String> {
        let left = self.left.lock();
        left.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl TaskWatcher for Tasks {
    fn began(&self, id: &str) {
        if let Some((_, screen)) = self.process.get().filter(|_| self.outlive) {
            let told = format!("the call goes on as the task {id}");
            screen.message(&Message::new(Level::Info, told));
        }
    }

    fn leaves(&self) -> bool {
        let ended = self
            .process
            .get()
            .and_then(|(signals, _)| signals.outcome());
        self.outlive && ended.is_some_and(|ended| ended != Outcome::Interrupted)
    }

    fn left(&self, id: &str) {
        if self.outlive {
            *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(id.to_owned());
        }
    }
}

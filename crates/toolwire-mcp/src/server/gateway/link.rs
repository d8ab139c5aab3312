//! The connections of a server, and what is known of it on each.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::AbortHandle;
use toolwire::Json;
use toolwire::call::ToolDescription;

use crate::client::{Change, Client, Offer};
use crate::lock;
use crate::server::Refused;

/// The shortest and the longest pause before a server that has ended is started again.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// A server that was started so long ago has no pause.
const STEADY: Duration = Duration::from_secs(120);

/// A resource that is followed for all clients of a connection that have subscribed to it.
#[derive(Debug)]
pub(in crate::server) struct Watch {
    /// Tells of every change.
    pub changed: Arc<watch::Sender<()>>,
    pub task: AbortHandle,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The connections of a server.
#[derive(Default)]
pub(super) struct Links {
    /// By the principals whose calls they carry; the tools that are served are those of the empty one.
    pub of: Mutex<HashMap<String, Arc<Link>>>,
    /// Whether the lists of resources and of prompts have changed.
    pub changes: Changes,
    /// Whether the tools of some connection are others than they were.
    pub has_changed: AtomicBool,
    pub closed: watch::Sender<bool>,
    /// What people were told last.
    pub told: Mutex<Option<String>>,
    /// What has to be there while the server is used.
    pub held: Mutex<Option<Box<dyn Any + Send>>>,
}

/// A connection, which is opened again when it is needed and has closed.
#[derive(Default)]
pub(super) struct Link {
    pub slot: tokio::sync::Mutex<Slot>,
    pub seen: Mutex<Option<Seen>>,
    /// What was listed last beside the tools, until the server says that it has changed.
    pub offers: Mutex<HashMap<Offer, Arc<Vec<Json>>>>,
    /// The resources that clients have subscribed to.
    pub watches: Mutex<HashMap<String, Weak<Watch>>>,
}

/// Tells of every change of a list, whichever connection it is of.
#[derive(Default)]
pub(super) struct Changes {
    pub resources: watch::Sender<()>,
    pub prompts: watch::Sender<()>,
}

impl Links {
    /// Takes what a server says of a connection.
    pub fn take(&self, link: &Weak<Link>, change: Change<'_>) {
        let Some(link) = link.upgrade() else {
            return;
        };
        match change {
            Change::Resources => {
                lock(&link.offers).retain(|what, _| *what == Offer::Prompts);
                self.changes.resources.send_replace(());
            }
            Change::Prompts => {
                lock(&link.offers).remove(&Offer::Prompts);
                self.changes.prompts.send_replace(());
            }
            Change::Resource(uri) => {
                // What has changed may be a part of what a client has subscribed to.
                for (watched, watch) in lock(&link.watches).iter() {
                    if let Some(watch) = watch.upgrade().filter(|_| uri.starts_with(watched)) {
                        watch.changed.send_replace(());
                    }
                }
            }
        }
    }
}

#[derive(Default)]
pub(super) struct Slot {
    pub client: Option<Client>,
    pub starts: Starts,
}

/// The tools that were listed last, and which of them are refused, or why all are.
#[derive(Clone)]
pub(super) struct Seen {
    pub tools: Vec<ToolDescription>,
    pub refused: Result<Refused, String>,
}

/// When a server was started, so that one that ends at once is not started all the time.
#[derive(Debug, Default)]
pub(super) struct Starts {
    last: Option<Instant>,
    pause: Duration,
}

impl Starts {
    /// Begins a start; or says how long it has to wait.
    pub fn begin(&mut self, now: Instant) -> Result<(), Duration> {
        if let Some(last) = self.last {
            let since = now.duration_since(last);
            if since >= STEADY {
                self.pause = Duration::ZERO;
            } else if since < self.pause {
                return Err(self.pause - since);
            } else {
                self.pause = (self.pause * 2).clamp(PAUSE.0, PAUSE.1);
            }
        }
        self.last = Some(now);
        Ok(())
    }

    /// Whether it was tried in vain so long ago that it may be tried without being asked.
    pub fn is_due(&self, now: Instant) -> bool {
        self.last
            .is_some_and(|last| now.duration_since(last) >= PAUSE.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_ends_at_once_is_started_less_and_less_often() {
        let mut starts = Starts::default();
        let mut now = Instant::now();
        let mut pauses = Vec::new();
        for _ in 0..10 {
            let pause = starts.begin(now).err().unwrap_or_default();
            now += pause;
            if !pause.is_zero() {
                starts.begin(now).unwrap();
            }
            pauses.push(pause.as_secs());
        }
        assert_eq!(pauses, [0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
        assert!(!starts.is_due(now) && starts.is_due(now + PAUSE.1));
        assert!(starts.begin(now + STEADY).is_ok());
        assert!(starts.begin(now + STEADY).is_ok(), "it begins anew");
    }
}

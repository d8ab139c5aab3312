//! What all functions of a host's handles share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::announcement::Announcement;
use super::handle::Handle;
use super::{SessionTool, SessionsOptions};

/// The most ids that a message names.
pub(super) const NAMED: usize = 8;

pub(super) struct Shared {
    pub(super) options: Arc<SessionsOptions>,
    pub(super) tools: Mutex<BTreeMap<String, Arc<SessionTool>>>,
    pub(super) handles: Mutex<BTreeMap<String, Arc<Handle>>>,
    /// How many turns are over.
    pub(super) turns: AtomicU64,
    pub(super) closed: AtomicBool,
    /// The announcements of handles that are gone.
    pub(super) forgotten: Mutex<Vec<Announcement>>,
}

impl Shared {
    pub(super) fn find(&self, id: &str) -> Option<Arc<Handle>> {
        lock(&self.handles).get(id).cloned()
    }

    pub(super) fn all(&self) -> Vec<Arc<Handle>> {
        lock(&self.handles).values().cloned().collect()
    }

    pub(super) fn turn(&self) -> u64 {
        self.turns.load(Ordering::SeqCst)
    }

    pub(super) fn next_turn(&self) {
        self.turns.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn stopped(&self, handle: &Handle) {
        handle.stopped_in(self.turn());
    }

    pub(super) fn take_forgotten(&self) -> Vec<Announcement> {
        std::mem::take(&mut *lock(&self.forgotten))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        for handle in self.all() {
            handle.drop_all();
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

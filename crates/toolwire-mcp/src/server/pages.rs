//! Pages that a client of 2025-11-25 has opened, and that a tool may still wait for.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of pages of a client that are remembered; the oldest is forgotten first.
pub(super) const MAX_PAGES: usize = 64;

/// The pages that a client has opened.
#[derive(Debug, Default)]
pub(super) struct Pages(Mutex<VecDeque<Page>>);

/// A page that was opened for a question of a call.
#[derive(Debug)]
pub(super) struct Page {
    /// The digest of the tool and its arguments.
    pub call: String,
    pub question: String,
    pub url: String,
    /// The id under which the client knows it.
    pub id: String,
    pub opened: Instant,
}

impl Pages {
    /// Those that are not forgotten.
    pub(super) fn lock(&self, lifetime: Duration) -> MutexGuard<'_, VecDeque<Page>> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|page| page.opened.elapsed() < lifetime);
        pages
    }
}

/// An id that no other elicitation of this program has.
pub(super) fn unused_id() -> String {
    static USED: AtomicU64 = AtomicU64::new(0);
    let number = USED.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}", std::process::id())
}

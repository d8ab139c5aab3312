//! Moments that may be further away than a clock can show.

use std::future::pending;
use std::time::{Duration, Instant};

use tokio::time::sleep_until;

/// As far away as anything is waited for: 30 years. Every clock can show that moment.
pub(crate) const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);

/// The moment after this time. A time without an end, such as `Duration::MAX`, is cut to [`FAR`], since adding it to
/// an `Instant` would panic.
pub(crate) fn after(time: Duration) -> Instant {
    Instant::now() + time.min(FAR)
}

/// Waits until this time, or forever.
pub(crate) async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time.into()).await,
        None => pending().await,
    }
}

/// Maximum time for a tool to end: its grace until the signal, and once more until it is killed.
pub(crate) fn patience(grace: Duration, more: Duration) -> Duration {
    grace.saturating_mul(2).saturating_add(more)
}

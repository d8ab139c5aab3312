//! What tests share.

use std::time::{Duration, Instant};

/// Long enough for the slowest machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until this is so.
pub(crate) async fn until(is_so: impl Fn() -> bool) {
    let late = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < late, "it never is");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

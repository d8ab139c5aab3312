//! Waiting for a file that another process holds.

use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use toolwire_host::store::Lock;

/// How often it is looked whether a file has become free.
const LOOK: Duration = Duration::from_millis(10);

/// Holds the file, as soon as it is free; nothing if that takes too long.
pub(crate) async fn wait(path: &Path, patience: Duration) -> io::Result<Option<Lock>> {
    let until = Instant::now() + patience;
    loop {
        if let Some(lock) = Lock::take(path)? {
            return Ok(Some(lock));
        }
        if Instant::now() >= until {
            return Ok(None);
        }
        sleep(LOOK).await;
    }
}

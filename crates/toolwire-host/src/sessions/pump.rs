//! The task that hears a tool that runs, and minds its times.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use toolwire::session::SessionEvent;

use super::handle::{Handle, Started};
use super::shared::Shared;

/// Maximum time for a tool that has reported its end to exit.
const AFTER_END: Duration = Duration::from_secs(5);

/// Pause in reading a tool that takes no answers.
const PAUSE: Duration = Duration::from_millis(20);

/// The carrier of a tool, which ends with the task that hears it.
struct Driver(JoinHandle<()>);

impl Drop for Driver {
    fn drop(&mut self) {
        self.0.abort();
    }
}

pub(super) fn begin(handle: &Arc<Handle>, started: Started, host: Weak<Shared>) {
    let task = tokio::spawn(pump(Arc::clone(handle), started, host));
    handle.heard_by(task.abort_handle());
}

async fn pump(handle: Arc<Handle>, started: Started, host: Weak<Shared>) {
    let Started { mut told, driver } = started;
    let mut driver = Driver(driver);
    let end = loop {
        let mut changes = handle.changes();
        let (left, has_room) = handle.due();
        let due = async {
            match left {
                Some(left) => sleep(left).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            said = told.recv(), if has_room => match said {
                Some(said) => {
                    if let Some(end) = handle.hear(said) {
                        break end;
                    }
                    // There may be much in it.
                    tokio::task::yield_now().await;
                }
                None => break given_up(&mut driver).await,
            },
            () = due => handle.tick(),
            // Its times may be others now.
            _ = changes.changed(), if has_room => {}
            () = sleep(PAUSE), if !has_room => {}
        }
    };
    // Nothing of it is left when its stop is reported.
    if !driver.0.is_finished() {
        let _ = timeout(AFTER_END, &mut driver.0).await;
    }
    drop(driver);
    drop(told);
    handle.tell(end);
    if let Some(host) = host.upgrade() {
        host.stopped(&handle);
    }
    sleep(handle.options.keep).await;
    if let Some(host) = host.upgrade() {
        host.expire(&handle);
    }
}

/// The end of a tool whose carrier has gone without a word.
async fn given_up(driver: &mut Driver) -> SessionEvent {
    let message = match timeout(AFTER_END, &mut driver.0).await {
        Ok(Err(error)) if error.is_panic() => "what carried it panicked",
        Ok(Err(_)) => "it did not end and was killed",
        _ => "it has gone without reporting its end",
    };
    SessionEvent::Crash {
        message: message.to_owned(),
    }
}

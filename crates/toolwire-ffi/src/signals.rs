//! Signals that end this process: while calls go on, they end the tools first, which have process
//! groups of their own and do not get them.

use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use signal_hook::SigId;
use signal_hook::low_level::{emulate_default_handler, pipe, unregister};
use tokio::runtime::Runtime;
use toolwire_host::Driver;

use crate::disposition::Disposition;

/// Whether no call goes on, so that a signal does what it always does.
static IDLE: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// How many calls go on, and connections.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The signals that are watched for, and what makes that.
static WATCHED: Mutex<BTreeMap<i32, Watch>> = Mutex::new(BTreeMap::new());

/// Whether a signal is ending this process.
static ENDING: AtomicBool = AtomicBool::new(false);

struct Watch {
    process: u32,
    ids: [SigId; 2],
    handler: Disposition,
}

fn watched() -> MutexGuard<'static, BTreeMap<i32, Watch>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Watches for these signals from now on. When one comes, `end_calls` ends the calls of this process.
pub(crate) fn watch(runtime: &Runtime, signals: &[i32], end_calls: fn()) -> io::Result<()> {
    let mut watched = watched();
    for &signal in signals {
        let known = watched.get(&signal).map(|watch| watch.process);
        if let Some(watch) = watched.get(&signal) {
            watch.handler.put_back(signal)?;
        }
        if known == Some(std::process::id()) {
            continue;
        }
        if known.is_none() {
            // It comes first, so that an idle process ends at once. A fork has it already.
            signal_hook::flag::register_conditional_default(signal, Arc::clone(&IDLE))?;
        }
        // The pipe wakes us. It is shared with forks, so the flag, which is not, says who is meant.
        let came = Arc::new(AtomicBool::new(false));
        let flag = signal_hook::flag::register(signal, Arc::clone(&came))?;
        let (reader, writer) = UnixStream::pair()?;
        reader.set_nonblocking(true)?;
        let pipe = pipe::register(signal, writer)?;
        let guard = runtime.enter();
        let reader = tokio::net::UnixStream::from_std(reader)?;
        drop(guard);
        runtime.spawn(end_on(signal, came, reader, end_calls));
        let watch = Watch {
            process: std::process::id(),
            ids: [flag, pipe],
            handler: Disposition::now(signal)?,
        };
        watched.insert(signal, watch);
    }
    Ok(())
}

/// Waits for the signal, ends the tools, and then this process as the signal would have.
async fn end_on(
    signal: i32,
    came: Arc<AtomicBool>,
    reader: tokio::net::UnixStream,
    end_calls: fn(),
) {
    let mut byte = [0; 16];
    loop {
        if reader.readable().await.is_err() {
            return;
        }
        let _ = reader.try_read(&mut byte);
        if came.swap(false, Ordering::SeqCst) {
            ENDING.store(true, Ordering::SeqCst);
            let _ = tokio::task::spawn_blocking(end_calls).await;
            let _ = emulate_default_handler(signal);
            ENDING.store(false, Ordering::SeqCst);
        }
    }
}

/// Does not return where a signal is ending this process: what the program would do next, now that its
/// calls are over, must neither begin another one nor change how it ends.
pub(crate) fn yield_to_end() {
    while ENDING.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Lets a fork do by itself what a signal asks for, until it begins a call of its own.
pub(crate) fn after_fork() {
    LIVE.store(0, Ordering::SeqCst);
    ENDING.store(false, Ordering::SeqCst);
    IDLE.store(true, Ordering::SeqCst);
    for watch in watched().values_mut() {
        for id in watch.ids {
            unregister(id);
        }
        watch.process = 0;
    }
}

/// A call that counts as one that goes on until it is dropped.
pub(crate) fn counted(driver: Driver) -> impl Future<Output = ()> + Send {
    let live = Live::begin();
    async move {
        driver.await;
        drop(live);
    }
}

/// Something that goes on until this is dropped: a call, or a connection to a server.
pub(crate) struct Live(());

impl Live {
    pub(crate) fn begin() -> Self {
        LIVE.fetch_add(1, Ordering::SeqCst);
        IDLE.store(false, Ordering::SeqCst);
        Live(())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let before = LIVE.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |live| {
            live.checked_sub(1)
        });
        if before == Ok(1) {
            IDLE.store(true, Ordering::SeqCst);
            // Another call may have begun between the two.
            if LIVE.load(Ordering::SeqCst) > 0 {
                IDLE.store(false, Ordering::SeqCst);
            }
        }
    }
}

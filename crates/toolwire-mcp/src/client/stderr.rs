//! What a server's program writes to stderr.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use toolwire_host::{Control, Observer};

/// The most bytes of its end that are kept, to say why a server ended.
const KEPT: usize = 8 * 1024;

/// How long the end of it is waited for when the server has ended.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// How long what it writes is held back while the revision is agreed on: an older server may complain of
/// `server/discover` at length, which is nothing that anybody has to see.
const HELD: Duration = Duration::from_secs(1);

/// The most bytes that are held back.
const MOST_HELD: usize = 64 * 1024;

/// The request that is tried first.
const PROBE: &str = "server/discover";

/// Where it goes: to the call that runs, or else to the observer; its end is kept.
#[derive(Debug, Default)]
pub(super) struct Stderr {
    observer: Option<Observer>,
    state: Mutex<State>,
    ended: watch::Sender<bool>,
    agreed: watch::Sender<Option<Agreed>>,
}

/// How the revision was agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreed {
    /// The server knows the request that is tried first, or nothing was agreed on.
    AtOnce,
    /// It does not.
    AfterAll,
}

#[derive(Debug, Default)]
struct State {
    tail: Vec<u8>,
    /// The calls that run, the one that has run for longest first.
    calls: BTreeMap<u64, Control>,
    next: u64,
}

/// A call that gets what the server writes, until this is dropped.
pub(super) struct Attached {
    stderr: Arc<Stderr>,
    key: u64,
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.stderr.state().calls.remove(&self.key);
    }
}

/// Waits until a revision is agreed on; whether the server does not know the request that was tried first.
async fn is_after_all(agreed: &mut watch::Receiver<Option<Agreed>>) -> bool {
    let how = agreed.wait_for(Option::is_some).await;
    how.is_ok_and(|how| *how == Some(Agreed::AfterAll))
}

impl Stderr {
    pub(super) fn new(observer: Option<Observer>) -> Self {
        Stderr {
            observer,
            state: Mutex::default(),
            ended: watch::Sender::new(false),
            agreed: watch::Sender::new(None),
        }
    }

    /// Shows what was held back, unless it is about the request that an older server does not know.
    pub(super) fn agreed(&self, how: Agreed) {
        self.agreed.send_replace(Some(how));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has it go to the call with this control, if no other has run for longer.
    pub(super) fn attach(self: &Arc<Self>, control: &Control) -> Attached {
        let mut state = self.state();
        let key = state.next;
        state.next += 1;
        state.calls.insert(key, control.clone());
        Attached {
            stderr: Arc::clone(self),
            key,
        }
    }

    /// Reads it to its end. While there is no room for more, the server waits.
    pub(super) async fn read(self: Arc<Self>, mut pipe: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; 8 * 1024];
        self.read_while_agreeing(&mut pipe, &mut chunk).await;
        while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
            let piece = &chunk[..read];
            self.keep(piece);
            self.show(piece).await;
        }
        self.ended.send_replace(true);
    }

    /// Reads it until a revision is agreed on, or to its end.
    async fn read_while_agreeing(&self, pipe: &mut (impl AsyncRead + Unpin), chunk: &mut [u8]) {
        let mut agreed = self.agreed.subscribe();
        let mut held = Vec::new();
        let mut since = Instant::now();
        loop {
            tokio::select! {
                biased;
                read = pipe.read(chunk) => match read {
                    Ok(read @ 1..) => {
                        self.keep(&chunk[..read]);
                        if held.is_empty() {
                            since = Instant::now();
                        }
                        held.extend_from_slice(&chunk[..read]);
                    }
                    _ => break,
                },
                after_all = is_after_all(&mut agreed) => {
                    if after_all && String::from_utf8_lossy(&held).contains(PROBE) {
                        held.clear();
                    }
                    break;
                }
                () = sleep_until(since + HELD), if !held.is_empty() => {
                    self.show(&std::mem::take(&mut held)).await;
                }
            }
            if held.len() >= MOST_HELD {
                self.show(&std::mem::take(&mut held)).await;
            }
        }
        if !held.is_empty() {
            self.show(&held).await;
        }
    }

    async fn show(&self, piece: &[u8]) {
        let control = self.state().calls.values().next().cloned();
        match (control, &self.observer) {
            (Some(control), _) => control.stderr(piece).await,
            (None, Some(observer)) => observer.show(piece),
            (None, None) => {}
        }
    }

    /// Waits a moment for its end: a server's last words may come after its pipes break.
    pub(super) async fn end(&self) {
        let mut ended = self.ended.subscribe();
        let _ = timeout(LAST_WORDS, ended.wait_for(|ended| *ended)).await;
    }

    fn keep(&self, piece: &[u8]) {
        let tail = &mut self.state().tail;
        tail.extend_from_slice(piece);
        let over = tail.len().saturating_sub(KEPT);
        tail.drain(..over);
    }

    /// The last lines, for an error's trace.
    pub(super) fn last_lines(&self) -> Vec<String> {
        let state = self.state();
        let text = String::from_utf8_lossy(&state.tail);
        let lines = text
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty());
        let mut lines: Vec<String> = lines.map(str::to_owned).collect();
        let over = lines.len().saturating_sub(20);
        lines.drain(..over);
        lines
    }
}

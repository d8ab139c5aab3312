//! Which calls of an older revision run beside others.
//!
//! A question of a server need not say which call asks it. It is never guessed (see
//! [`Wire::owner`](super::wire::Wire::owner)); so that it is known all the same, a tool has the connection to
//! itself until it has been seen to ask nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

/// How long a tool that nothing is known of has the connection to itself.
const ALONE: Duration = Duration::from_secs(2);

/// The most tools that are remembered.
const MOST: usize = 10_000;

/// The turns of one connection.
#[derive(Debug, Default)]
pub(super) struct Turns {
    lock: Arc<RwLock<()>>,
    /// Whether the tools that were called have asked what names no call.
    asks: Mutex<HashMap<String, bool>>,
}

/// The turn of a call. It ends with this.
#[derive(Debug)]
pub(super) struct Turn {
    turns: Arc<Turns>,
    tool: String,
    held: Held,
    asked: bool,
    /// When the connection is shared, if nothing is asked until then.
    shares: Option<Instant>,
}

#[derive(Debug)]
enum Held {
    Alone(OwnedRwLockWriteGuard<()>),
    Beside { _others: OwnedRwLockReadGuard<()> },
    Over,
}

impl Turns {
    fn asks(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        self.asks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the turn of a call of this tool.
    pub(super) async fn take(self: &Arc<Self>, tool: &str) -> Turn {
        let lock = Arc::clone(&self.lock);
        let known = self.asks().get(tool).copied();
        let held = match known {
            Some(false) => Held::Beside {
                _others: lock.read_owned().await,
            },
            _ => Held::Alone(lock.write_owned().await),
        };
        let unknown = known.is_none();
        Turn {
            turns: Arc::clone(self),
            tool: tool.to_owned(),
            held,
            asked: false,
            shares: unknown.then(|| Instant::now() + ALONE),
        }
    }
}

impl Turn {
    /// That the call has asked something, which need not be told from what other calls ask.
    pub(super) fn asked(&mut self) {
        self.asked = true;
        self.shares = None;
        self.remember(true);
    }

    /// When [`Turn::share`] is due.
    pub(super) fn shares(&self) -> Option<Instant> {
        self.shares
    }

    /// Lets others run beside it.
    pub(super) fn share(&mut self) {
        self.shares = None;
        self.held = match std::mem::replace(&mut self.held, Held::Over) {
            Held::Alone(alone) => Held::Beside {
                _others: alone.downgrade(),
            },
            held => held,
        };
    }

    /// That the call has been answered.
    pub(super) fn answered(&self) {
        if !self.asked {
            self.remember(false);
        }
    }

    fn remember(&self, asks: bool) {
        let mut all = self.turns.asks();
        if all.len() < MOST || all.contains_key(&self.tool) {
            // One that has asked once is never taken for one that does not.
            *all.entry(self.tool.clone()).or_default() |= asks;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    const SOON: Duration = Duration::from_millis(50);

    #[tokio::test]
    async fn a_tool_runs_alone_until_it_is_seen_to_ask_nothing() {
        let turns = Arc::new(Turns::default());
        let first = turns.take("a").await;
        assert!(timeout(SOON, turns.take("a")).await.is_err());
        first.answered();
        drop(first);
        let _one = turns.take("a").await;
        let _beside = turns.take("a").await;
        assert!(timeout(SOON, turns.take("b")).await.is_err());
    }

    #[tokio::test]
    async fn one_that_asks_runs_alone_for_ever() {
        let turns = Arc::new(Turns::default());
        let mut first = turns.take("a").await;
        first.asked();
        assert_eq!(first.shares(), None);
        first.answered();
        drop(first);
        let second = turns.take("a").await;
        assert_eq!(second.shares(), None);
        assert!(timeout(SOON, turns.take("a")).await.is_err());
    }

    #[tokio::test]
    async fn one_that_takes_long_lets_others_run() {
        let turns = Arc::new(Turns::default());
        let quiet = turns.take("quiet").await;
        quiet.answered();
        drop(quiet);
        let mut first = turns.take("slow").await;
        assert!(first.shares().is_some());
        assert!(timeout(SOON, turns.take("quiet")).await.is_err());
        first.share();
        assert!(timeout(SOON, turns.take("quiet")).await.is_ok());
    }
}

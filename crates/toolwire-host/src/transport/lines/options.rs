//! How warm workers are used.

use std::num::NonZero;
use std::thread;
use std::time::Duration;

use super::HANDSHAKE;

/// The limits of a pool of workers (LINE-52).
///
/// ```
/// use toolwire_host::{LineWorkers, WorkerOptions};
///
/// let options = WorkerOptions { max_workers: 2, ..WorkerOptions::default() };
/// assert_eq!(options.max_calls, 10_000);
/// let workers = LineWorkers::new(options);
/// # let _ = workers;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerOptions {
    /// How many workers one program has at most; default: the number of processors.
    pub max_workers: usize,
    /// How many workers all programs have at most; default 32. To make room, one that has no call is retired.
    pub max_processes: usize,
    /// How many calls a worker takes at the same time at most, whatever it says; default 64.
    pub max_open: u64,
    /// After how many calls a worker is retired; default 10,000. The start of a process is then a small part of them,
    /// also where a language has to compile the tool each time.
    pub max_calls: u64,
    /// Resident memory in bytes above which a worker is retired after a call, if the system reports it; default
    /// 1 GiB.
    pub max_memory: u64,
    /// After how long without a call a worker is retired; default 5 minutes.
    pub max_idle: Duration,
    /// How long a call waits for a worker before it gets a process of its own; default 1 second.
    pub max_wait: Duration,
    /// How long a worker may take to say hello; default 10 seconds (LINE-22).
    pub handshake: Duration,
    /// How long a program that did not say hello is started for each call, before it is tried as a worker again;
    /// default 1 minute.
    pub retry_after: Duration,
}

impl Default for WorkerOptions {
    fn default() -> Self {
        WorkerOptions {
            max_workers: thread::available_parallelism().map_or(1, NonZero::get),
            max_processes: 32,
            max_open: 64,
            max_calls: 10_000,
            max_memory: 1024 * 1024 * 1024,
            max_idle: Duration::from_secs(300),
            max_wait: Duration::from_secs(1),
            handshake: HANDSHAKE,
            retry_after: Duration::from_secs(60),
        }
    }
}

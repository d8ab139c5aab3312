//! The workers of a host: which there are, and which calls wait for one.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::{Notify, mpsc};

use super::WorkerOptions;
use super::job::{Job, Order, Outcome};
use super::stamp::Stamp;
use crate::{Command, Environment, ProcessOptions};

/// What calls must have in common to share a worker.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    command: Command,
    cwd: Option<PathBuf>,
    environment: Environment,
    interpreters: BTreeMap<String, PathBuf>,
    max_output: usize,
    principal: Option<String>,
}

impl Key {
    pub(super) fn new(
        command: &Command,
        options: &ProcessOptions,
        principal: Option<&str>,
    ) -> Self {
        Key {
            command: command.clone(),
            cwd: options.cwd.clone(),
            environment: options.environment.clone(),
            interpreters: options.interpreters.clone(),
            max_output: options.max_output,
            principal: principal.map(str::to_owned),
        }
    }

    pub(super) fn command(&self) -> &Command {
        &self.command
    }
}

/// A worker that is to be started, with its place in the pool.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) pool: Arc<Pool>,
    pub(super) key: Key,
    pub(super) id: u64,
    pub(super) options: ProcessOptions,
    pub(super) orders: mpsc::UnboundedReceiver<Order>,
}

#[derive(Debug)]
pub(super) struct Pool {
    pub(super) options: WorkerOptions,
    /// Starts a worker.
    launch: fn(Begun),
    /// The process that it belongs to; a fork has a copy of it.
    owner: u32,
    state: Mutex<State>,
    /// Told when a worker is gone.
    gone: Notify,
}

#[derive(Debug, Default)]
struct State {
    programs: HashMap<Key, Program>,
    /// How many processes there are, also those that are ending.
    processes: usize,
    last: u64,
    is_closed: bool,
    /// Those that are to be driven as soon as the state is free: one that can't be driven is gone at once.
    begun: Vec<Begun>,
}

#[derive(Debug)]
struct Program {
    files: Arc<[PathBuf]>,
    stamp: Stamp,
    options: ProcessOptions,
    workers: Vec<Entry>,
    queue: VecDeque<Job>,
    /// How many calls a worker takes at the same time, once that is known.
    calls: Option<u64>,
    /// When it did not say hello.
    cold: Option<Instant>,
}

/// A worker as the pool knows it.
#[derive(Debug)]
struct Entry {
    id: u64,
    orders: mpsc::UnboundedSender<Order>,
    is_ready: bool,
    is_retired: bool,
    open: u64,
    taken: u64,
    used: Instant,
}

impl Entry {
    fn retire(&mut self) {
        self.is_retired = true;
        let _ = self.orders.send(Order::Retire);
    }
}

impl Pool {
    pub(super) fn new(options: WorkerOptions, launch: fn(Begun)) -> Self {
        Pool {
            options,
            launch,
            owner: process::id(),
            state: Mutex::default(),
            gone: Notify::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a program has not said hello lately, and is not tried again yet.
    fn is_cold(&self, program: &Program) -> bool {
        let time = self.options.retry_after;
        program.cold.is_some_and(|since| since.elapsed() < time)
    }

    /// Whether it belongs to this process, and not to the one that this is a fork of.
    pub(super) fn is_own(&self) -> bool {
        self.owner == process::id()
    }

    /// A number that no other call has.
    pub(super) fn number(&self) -> u64 {
        self.lock().next()
    }

    /// The files of a program that is known.
    pub(super) fn files(&self, key: &Key) -> Option<Arc<[PathBuf]>> {
        let state = self.lock();
        Some(Arc::clone(&state.programs.get(key)?.files))
    }

    /// Whether a worker of a program is being started.
    pub(super) fn is_starting(&self, key: &Key) -> bool {
        let state = self.lock();
        let workers = state.programs.get(key).map(|program| &program.workers);
        let mut workers = workers.into_iter().flatten();
        workers.any(|worker| !worker.is_ready && !worker.is_retired)
    }

    /// Has a call answered by a worker of a program whose files are as the stamp says.
    pub(super) fn enqueue(
        self: &Arc<Self>,
        key: &Key,
        files: Arc<[PathBuf]>,
        stamp: Stamp,
        options: &ProcessOptions,
        job: Job,
    ) {
        let mut state = self.lock();
        if state.is_closed {
            return job.done(Outcome::NoWorker(None));
        }
        let program = state
            .programs
            .entry(key.clone())
            .or_insert_with(|| Program {
                files,
                stamp: stamp.clone(),
                options: options.clone(),
                workers: Vec::new(),
                queue: VecDeque::new(),
                calls: None,
                cold: None,
            });
        if program.stamp != stamp {
            // What the workers have read is not what there is now.
            program.stamp = stamp;
            (program.cold, program.calls) = (None, None);
            for worker in program
                .workers
                .iter_mut()
                .filter(|worker| !worker.is_retired)
            {
                worker.retire();
            }
        }
        if self.is_cold(program) {
            return job.done(Outcome::NoWorker(None));
        }
        program.queue.push_back(job);
        self.dispatch(&mut state, key);
        self.leave(state);
    }

    /// Gives the calls that wait to workers, and starts those that are missing.
    fn dispatch(self: &Arc<Self>, state: &mut State, key: &Key) {
        loop {
            let Some(program) = state.programs.get_mut(key) else {
                return;
            };
            while program.queue.front().is_some_and(Job::is_given_up) {
                program.queue.pop_front();
            }
            if program.queue.is_empty() {
                return;
            }
            let most = program.calls.unwrap_or(1).min(self.options.max_open).max(1);
            let free =
                |worker: &&mut Entry| worker.is_ready && !worker.is_retired && worker.open < most;
            let workers = program.workers.iter_mut().filter(free);
            if let Some(worker) = workers.min_by_key(|worker| worker.open) {
                if let Some(job) = program.queue.pop_front() {
                    self.hand_over(worker, job, &mut program.queue);
                }
                continue;
            }
            let live = program.workers.iter().filter(|worker| !worker.is_retired);
            let starting = live.clone().filter(|worker| !worker.is_ready).count() as u64;
            // A starting worker reports how many calls it will take.
            let expected = match program.calls {
                Some(_) => starting.saturating_mul(most),
                None if starting > 0 => u64::MAX,
                None => 0,
            };
            if program.queue.len() as u64 <= expected
                || live.count() >= self.options.max_workers.max(1)
            {
                return;
            }
            if state.processes >= self.options.max_processes.max(1) {
                make_room(state);
                return;
            }
            self.start(state, key);
        }
    }

    fn hand_over(&self, worker: &mut Entry, job: Job, queue: &mut VecDeque<Job>) {
        if !job.ticket.give(job.number, &worker.orders) {
            return;
        }
        if let Err(error) = worker.orders.send(Order::Call(Box::new(job))) {
            // It has just gone.
            worker.is_retired = true;
            if let Order::Call(job) = error.0 {
                job.ticket.take_back();
                queue.push_front(*job);
            }
            return;
        }
        worker.open += 1;
        worker.taken += 1;
        if worker.taken >= self.options.max_calls.max(1) {
            worker.retire();
        }
    }

    /// Has one more worker started.
    fn start(self: &Arc<Self>, state: &mut State, key: &Key) {
        let id = state.next();
        let Some(program) = state.programs.get_mut(key) else {
            return;
        };
        let (orders, taken) = mpsc::unbounded_channel();
        program.workers.push(Entry {
            id,
            orders,
            is_ready: false,
            is_retired: false,
            open: 0,
            taken: 0,
            used: Instant::now(),
        });
        let options = program.options.clone();
        state.processes += 1;
        state.begun.push(Begun {
            pool: Arc::clone(self),
            key: key.clone(),
            id,
            options,
            orders: taken,
        });
    }

    /// Frees the state, and has the workers driven that are to be started.
    fn leave(&self, mut state: MutexGuard<'_, State>) {
        let begun = std::mem::take(&mut state.begun);
        drop(state);
        begun.into_iter().for_each(self.launch);
    }

    /// A worker has said hello.
    pub(super) fn ready(self: &Arc<Self>, key: &Key, id: u64, calls: u64) {
        let mut state = self.lock();
        if let Some(program) = state.programs.get_mut(key) {
            program.calls = Some(calls);
            if let Some(worker) = program.workers.iter_mut().find(|worker| worker.id == id) {
                worker.is_ready = true;
            }
        }
        self.dispatch(&mut state, key);
        self.leave(state);
    }

    /// A worker could not be started, or does not speak lines: the calls that wait are run in another way.
    pub(super) fn failed(&self, key: &Key, why: &str) {
        let mut state = self.lock();
        if let Some(program) = state.programs.get_mut(key) {
            program.cold = Some(Instant::now());
            for job in program.queue.drain(..) {
                job.done(Outcome::NoWorker(Some(why.to_owned())));
            }
        }
    }

    /// A call of a worker is over.
    pub(super) fn finished(self: &Arc<Self>, key: &Key, id: u64) {
        let mut state = self.lock();
        if let Some(worker) = state.worker(key, id) {
            worker.open = worker.open.saturating_sub(1);
            worker.used = Instant::now();
        }
        self.dispatch(&mut state, key);
        self.leave(state);
    }

    /// A worker takes no more calls.
    pub(super) fn retire(&self, key: &Key, id: u64) {
        if let Some(worker) = self.lock().worker(key, id) {
            worker.is_retired = true;
        }
    }

    /// A worker takes no more calls, unless one is on its way to it; whether that is so.
    pub(super) fn retire_if_idle(&self, key: &Key, id: u64) -> bool {
        let mut state = self.lock();
        match state.worker(key, id) {
            Some(worker) if worker.open > 0 => false,
            Some(worker) => {
                worker.is_retired = true;
                true
            }
            None => true,
        }
    }

    /// A call that was not sent waits again, as the first one.
    pub(super) fn take_back(self: &Arc<Self>, key: &Key, job: Job) {
        job.ticket.take_back();
        let mut state = self.lock();
        let is_closed = state.is_closed;
        match state.programs.get_mut(key) {
            Some(program) if !is_closed => program.queue.push_front(job),
            _ => return job.done(Outcome::NoWorker(None)),
        }
        self.dispatch(&mut state, key);
        self.leave(state);
    }

    /// A worker has ended, with all that it started.
    pub(super) fn gone(self: &Arc<Self>, key: &Key, id: u64) {
        let mut state = self.lock();
        state.processes = state.processes.saturating_sub(1);
        if let Some(program) = state.programs.get_mut(key) {
            program.workers.retain(|worker| worker.id != id);
        }
        self.dispatch(&mut state, key);
        let waiting =
            |(key, program): (&Key, &Program)| (!program.queue.is_empty()).then(|| key.clone());
        let others: Vec<Key> = state.programs.iter().filter_map(waiting).collect();
        for other in others {
            self.dispatch(&mut state, &other);
        }
        state.programs.retain(|_, program| {
            !program.workers.is_empty() || !program.queue.is_empty() || self.is_cold(program)
        });
        self.leave(state);
        self.gone.notify_waiters();
    }

    /// Has all workers end after their calls, and starts no more.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        for program in state.programs.values_mut() {
            for worker in &mut program.workers {
                worker.retire();
            }
            for job in program.queue.drain(..) {
                job.done(Outcome::NoWorker(None));
            }
        }
    }

    /// Waits until there is no process.
    pub(super) async fn emptied(&self) {
        loop {
            let mut gone = std::pin::pin!(self.gone.notified());
            gone.as_mut().enable();
            if self.lock().processes == 0 {
                return;
            }
            gone.await;
        }
    }

    /// How many processes there are.
    pub(super) fn processes(&self) -> usize {
        self.lock().processes
    }
}

impl State {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn worker(&mut self, key: &Key, id: u64) -> Option<&mut Entry> {
        let workers = &mut self.programs.get_mut(key)?.workers;
        workers.iter_mut().find(|worker| worker.id == id)
    }
}

/// Retires the worker that has had no call for the longest time, unless one is ending already.
fn make_room(state: &mut State) {
    let workers = || state.programs.values().flat_map(|program| &program.workers);
    if workers().any(|worker| worker.is_retired) {
        return;
    }
    let idle = workers().filter(|worker| worker.is_ready && worker.open == 0);
    let Some(id) = idle
        .min_by_key(|worker| worker.used)
        .map(|worker| worker.id)
    else {
        return;
    };
    let workers = state.programs.values_mut();
    let mut workers = workers.flat_map(|program| &mut program.workers);
    if let Some(worker) = workers.find(|worker| worker.id == id) {
        worker.retire();
    }
}

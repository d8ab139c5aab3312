//! A worker: one process and the calls that it has (LINE-50, LINE-53 to LINE-57).

use std::collections::{HashMap, VecDeque};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use toolwire::Error;
use toolwire::lines::{HostLine, LineHead, ToolLine};
use toolwire::session::EndReason;

use super::job::{Job, Order, Outcome};
use super::pool::{Key, Pool};
use super::stamp::memory;
use super::{Ended, Hello, LineFault, LineParts, LineProgram, LineReader, handshake};
use crate::transport::process::Tail;
use crate::{ProcessOptions, Staying, later};

/// As much of stderr as is read at once.
const PIECE: usize = 8 * 1024;

/// So many pieces are read of a pipe at once: no pipe holds more.
const AT_ONCE: usize = 1024 * 1024 / PIECE;
/// The type of the line that ends a call.
const RESULT: &str = "result";

/// How often it is looked how much memory a worker has.
const LOOK: Duration = Duration::from_millis(200);

/// A worker before it is started.
#[derive(Debug)]
pub(super) struct Worker {
    place: Place,
    options: ProcessOptions,
    orders: mpsc::UnboundedReceiver<Order>,
}

/// Its place in the pool, which is empty when this is dropped.
#[derive(Debug)]
struct Place {
    pool: Arc<Pool>,
    key: Key,
    id: u64,
    /// Whether anything drives it. A runtime that ends takes no more tasks.
    is_driven: bool,
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.is_driven {
            self.pool
                .failed(&self.key, "the runtime of the host has ended");
        }
        self.pool.gone(&self.key, self.id);
    }
}

impl Worker {
    pub(super) fn new(
        pool: Arc<Pool>,
        key: Key,
        id: u64,
        options: ProcessOptions,
        orders: mpsc::UnboundedReceiver<Order>,
    ) -> Self {
        Worker {
            place: Place {
                pool,
                key,
                id,
                is_driven: false,
            },
            options,
            orders,
        }
    }

    /// Lives until the worker is gone.
    pub(super) async fn work(self) {
        let Worker {
            mut place,
            options,
            orders,
        } = self;
        place.is_driven = true;
        let program = match LineProgram::start(place.key.command(), &options) {
            Ok(program) => program,
            Err(error) => return place.pool.failed(&place.key, &error.to_string()),
        };
        let LineParts {
            stdin,
            mut lines,
            mut stderr,
        } = program.parts;
        let Some(mut stdin) = stdin else {
            return place.pool.failed(&place.key, "the tool has no stdin");
        };
        let mut staying = program.staying;
        let mut tail = Tail::new(options.stderr_tail);
        let limit = place.pool.options.handshake;
        let agreed = {
            let agreeing = handshake(&mut stdin, &mut lines, options.max_output, limit);
            tokio::select! {
                agreed = agreeing => agreed,
                never = swallow(&mut stderr, &mut tail) => match never {},
            }
        };
        let hello = match agreed {
            Ok(hello) => hello,
            Err(why) => {
                place.pool.failed(&place.key, &why);
                drop(stdin);
                return end(staying, lines, stderr, Duration::ZERO).await;
            }
        };
        let process = staying.id();
        place.pool.ready(&place.key, place.id, hello.calls);
        let ready = ReadyWorker {
            place: &place,
            options: &options,
            hello,
            process,
            orders,
            open: HashMap::new(),
            lines: Out::default(),
            tail,
            is_retired: false,
            is_stuck: false,
            looked: None,
        };
        let patience = ready
            .serve(stdin, &mut lines, &mut stderr, &mut staying)
            .await;
        end(staying, lines, stderr, patience).await;
    }
}

/// Ends the process, which writes to nowhere meanwhile.
async fn end(
    staying: Staying,
    lines: LineReader<ChildStdout>,
    mut stderr: ChildStderr,
    patience: Duration,
) {
    let mut stdout = lines.into_pipe();
    let (mut nowhere, mut nor_here) = (tokio::io::sink(), tokio::io::sink());
    let draining = async {
        let _ = tokio::join!(
            tokio::io::copy(&mut stdout, &mut nowhere),
            tokio::io::copy(&mut stderr, &mut nor_here),
        );
        pending::<()>().await;
    };
    tokio::select! {
        _ = staying.end(patience) => {}
        () = draining => {}
    }
}

async fn swallow(stderr: &mut ChildStderr, tail: &mut Tail) -> std::convert::Infallible {
    let mut piece = Vec::with_capacity(PIECE);
    while read_piece(stderr, &mut piece).await {
        tail.push(&piece);
    }
    pending().await
}

/// Puts the next bytes in place of those in the piece; false at the end. A pipe that breaks is at its end.
async fn read_piece(stderr: &mut ChildStderr, piece: &mut Vec<u8>) -> bool {
    piece.clear();
    stderr.read_buf(piece).await.unwrap_or(0) > 0
}

/// A worker that has said hello, and its calls.
struct ReadyWorker<'a> {
    place: &'a Place,
    options: &'a ProcessOptions,
    hello: Hello,
    process: Option<u32>,
    orders: mpsc::UnboundedReceiver<Order>,
    open: HashMap<u64, Open>,
    lines: Out,
    /// The end of what is of no call.
    tail: Tail,
    is_retired: bool,
    /// Whether it has a call that did not end.
    is_stuck: bool,
    /// When its memory was looked at last.
    looked: Option<Instant>,
}

/// A call that the worker has.
struct Open {
    job: Job,
    /// When it is given up, once it was told to end.
    late: Option<Instant>,
    /// What the worker has written for it that can't be used.
    fault: Option<String>,
}

/// Lines that are to be written.
#[derive(Default)]
struct Out {
    /// Each with the call that it begins.
    lines: VecDeque<(Option<u64>, Vec<u8>)>,
    /// How much of the first one was written.
    written: usize,
}

impl Out {
    fn next(&self) -> Option<&[u8]> {
        let (_, line) = self.lines.front()?;
        Some(&line[self.written..])
    }

    fn wrote(&mut self, bytes: usize) {
        self.written += bytes;
        if self.next().is_some_and(<[u8]>::is_empty) {
            self.lines.pop_front();
            self.written = 0;
        }
    }

    /// Whether the line that begins a call was not written to its end.
    fn holds(&self, call: u64) -> bool {
        self.lines.iter().any(|(begins, _)| *begins == Some(call))
    }

    /// Takes away the line that begins a call, if nothing of it was written.
    fn take_away(&mut self, call: u64) -> bool {
        let place = self
            .lines
            .iter()
            .position(|(begins, _)| *begins == Some(call));
        match place {
            Some(place) if place > 0 || self.written == 0 => self.lines.remove(place).is_some(),
            _ => false,
        }
    }
}

/// What happens to a worker.
enum Happened {
    Ordered(Option<Order>),
    Wrote(std::io::Result<usize>),
    Said(Result<Option<ToolLine>, LineFault>),
    Stderr(bool),
    Exited,
    Late,
    Idle,
}

impl ReadyWorker<'_> {
    /// Serves until the worker is to be ended; how long it may take to end by itself.
    async fn serve(
        mut self,
        stdin: ChildStdin,
        lines: &mut LineReader<ChildStdout>,
        stderr: &mut ChildStderr,
        staying: &mut Staying,
    ) -> Duration {
        let mut stdin = Some(stdin);
        let mut piece = Vec::with_capacity(PIECE);
        let mut hears_stderr = true;
        let max_idle = self.place.pool.options.max_idle;
        let mut idle: Instant = later::after(max_idle).into();
        loop {
            if self.is_retired && self.open.is_empty() {
                self.refuse_orders();
                return match self.is_stuck {
                    true => Duration::ZERO,
                    false => self.options.grace,
                };
            }
            let late = self.open.values().filter_map(|open| open.late).min();
            let is_idle = self.open.is_empty();
            // In no order: a tool that never stops to write must keep nothing else from happening.
            let happened = tokio::select! {
                order = self.orders.recv() => Happened::Ordered(order),
                said = lines.next() => Happened::Said(said),
                more = read_piece(stderr, &mut piece), if hears_stderr => Happened::Stderr(more),
                wrote = write(&mut stdin, &self.lines) => Happened::Wrote(wrote),
                _ = staying.ended() => Happened::Exited,
                () = until(late) => Happened::Late,
                () = sleep_until(idle), if is_idle => Happened::Idle,
            };
            match happened {
                Happened::Ordered(Some(order)) => self.order(order, stdin.is_some()),
                Happened::Ordered(None) => self.is_retired = true,
                Happened::Wrote(Ok(bytes)) if bytes > 0 => self.lines.wrote(bytes),
                Happened::Wrote(_) => {
                    stdin = None;
                    self.closed();
                }
                Happened::Said(Ok(Some(line))) => {
                    self.said_after(line, stderr, hears_stderr);
                    idle = later::after(max_idle).into();
                }
                Happened::Said(Ok(None)) => {
                    let ended = timeout(self.options.grace, staying.ended()).await;
                    let why = match ended {
                        Ok(_) => sentence(staying),
                        Err(_) => "the tool closed its stdout".to_owned(),
                    };
                    return self.crash(&why, hears_stderr.then_some(stderr));
                }
                Happened::Said(Err(LineFault::OfCall(head, error))) => self.said_wrong(head, error),
                Happened::Said(Err(fault)) => {
                    return self.crash(&fault.to_string(), hears_stderr.then_some(stderr));
                }
                Happened::Stderr(true) => self.stderr(&piece),
                Happened::Stderr(false) => hears_stderr = false,
                Happened::Exited => {
                    // What it has still said counts, but not what goes on without it.
                    let last = later::after(self.options.linger).into();
                    while let Ok(said) = timeout_at(last, lines.next()).await {
                        match said {
                            Ok(Some(line)) => self.said_after(line, stderr, hears_stderr),
                            Ok(None) => break,
                            Err(LineFault::OfCall(head, error)) => self.said_wrong(head, error),
                            Err(fault) => {
                                let stderr = hears_stderr.then_some(stderr);
                                return self.crash(&fault.to_string(), stderr);
                            }
                        }
                    }
                    let why = sentence(staying);
                    return self.crash(&why, hears_stderr.then_some(stderr));
                }
                Happened::Late => self.give_up_late(),
                Happened::Idle => {
                    self.is_retired = self
                        .place
                        .pool
                        .retire_if_idle(&self.place.key, self.place.id);
                    idle = later::after(max_idle).into();
                }
            }
        }
    }

    fn order(&mut self, order: Order, can_write: bool) {
        match order {
            Order::Call(job) if !can_write => self.take_back(*job),
            Order::Call(job) => {
                let line = job.line();
                if line.len() as u64 - 1 > self.hello.max_line {
                    job.done(Outcome::TooLong(self.hello.max_line));
                    return self.finished();
                }
                self.lines.lines.push_back((Some(job.number), line));
                let open = Open {
                    job: *job,
                    late: None,
                    fault: None,
                };
                self.open.insert(open.job.number, open);
            }
            Order::End { call, reason } => self.end(call, reason),
            Order::Kill { call } => {
                self.end(call, EndReason::Aborted);
                if let Some(open) = self.open.get_mut(&call) {
                    open.late = Some(Instant::now());
                }
            }
            Order::Retire => self.is_retired = true,
        }
    }

    fn end(&mut self, call: u64, reason: EndReason) {
        let Some(open) = self.open.get_mut(&call) else {
            return;
        };
        if open.late.is_some() {
            return;
        }
        open.late = Some(later::after(self.options.grace).into());
        if self.lines.take_away(call) {
            return self.done(call, Outcome::Stopped(None));
        }
        let mut line = HostLine::End { call, reason }.to_json().into_bytes();
        line.push(b'\n');
        self.lines.lines.push_back((None, line));
    }

    /// A line, after what its call has written to the other pipe before.
    fn said_after(&mut self, line: ToolLine, stderr: &mut ChildStderr, hears_stderr: bool) {
        let ends = matches!(line, ToolLine::Result { .. });
        if ends && hears_stderr && self.hello.calls == 1 {
            self.stderr_at_once(stderr);
        }
        self.said(line);
    }

    /// A line that is wrong for one call alone (LINE-14).
    fn said_wrong(&mut self, head: LineHead, error: Error) {
        let (call, is_result) = (head.call, head.kind == RESULT);
        self.fault(call, is_result, LineFault::OfCall(head, error).to_string());
    }

    /// What is in the pipe of stderr, but not what is written into it meanwhile.
    fn stderr_at_once(&mut self, stderr: &mut ChildStderr) {
        let mut piece = Vec::new();
        for _ in 0..AT_ONCE {
            if !at_once(stderr, &mut piece) {
                break;
            }
            self.stderr(&piece);
        }
    }

    fn said(&mut self, line: ToolLine) {
        match line {
            ToolLine::Result { call, envelope } => {
                let was_ended = self.open.get(&call).is_some_and(|open| open.late.is_some());
                let outcome = match was_ended {
                    true => Outcome::Stopped(Some(envelope)),
                    false => Outcome::Answered(envelope),
                };
                self.done(call, outcome);
            }
            ToolLine::Event { call, event } => {
                if let Some(open) = self.open.get_mut(&call) {
                    open.job.said().event(&event);
                }
            }
            ToolLine::Stderr { call, text } => {
                if let Some(open) = self.open.get_mut(&call) {
                    open.job.said().stderr(text.as_bytes());
                }
            }
            // The rest is of sessions.
            _ => {}
        }
    }

    /// A line for a call that can't be used fails this call (LINE-14). If it is not the result, the worker still
    /// has the call.
    fn fault(&mut self, call: u64, is_result: bool, fault: String) {
        let Some(open) = self.open.get_mut(&call) else {
            return;
        };
        match is_result {
            true => self.done(call, Outcome::Unusable(fault)),
            false => {
                open.fault.get_or_insert(fault);
                self.end(call, EndReason::Aborted);
            }
        }
    }

    /// A piece of the process's own stderr.
    fn stderr(&mut self, piece: &[u8]) {
        let mut open = self.open.values_mut();
        match (open.next(), self.hello.calls) {
            (Some(only), 1) => only.job.said().stderr(piece),
            _ => self.tail.push(piece),
        }
    }

    fn done(&mut self, call: u64, outcome: Outcome) {
        let Some(open) = self.open.remove(&call) else {
            return;
        };
        open.job.done(match open.fault {
            Some(fault) => Outcome::Unusable(fault),
            None => outcome,
        });
        if self.looked.is_none_or(|looked| looked.elapsed() >= LOOK) {
            self.looked = Some(Instant::now());
            let most = self.place.pool.options.max_memory;
            if self
                .process
                .and_then(memory)
                .is_some_and(|bytes| bytes > most)
            {
                self.retire();
            }
        }
        self.finished();
    }

    fn finished(&self) {
        self.place.pool.finished(&self.place.key, self.place.id);
    }

    fn retire(&mut self) {
        self.is_retired = true;
        self.place.pool.retire(&self.place.key, self.place.id);
    }

    /// The program has closed its stdin: what was not sent goes elsewhere.
    fn closed(&mut self) {
        self.retire();
        let unsent: Vec<u64> = self
            .lines
            .lines
            .drain(..)
            .filter_map(|(call, _)| call)
            .collect();
        for call in unsent {
            if let Some(open) = self.open.remove(&call) {
                self.take_back(open.job);
            }
        }
    }

    fn take_back(&self, job: Job) {
        self.place.pool.take_back(&self.place.key, job);
    }

    /// Gives up the calls that did not end in time, and the worker with them.
    fn give_up_late(&mut self) {
        let now = Instant::now();
        let is_late = |open: &Open| open.late.is_some_and(|late| late <= now);
        let late = self.open.iter().filter(|(_, open)| is_late(open));
        let late: Vec<u64> = late.map(|(call, _)| *call).collect();
        if !late.is_empty() {
            self.is_stuck = true;
            self.retire();
        }
        for call in late {
            self.done(call, Outcome::Stopped(None));
        }
    }

    /// Has the orders that are on their way find another worker.
    fn refuse_orders(&mut self) {
        self.orders.close();
        while let Ok(order) = self.orders.try_recv() {
            self.order(order, false);
        }
    }

    /// All calls are lost but those that were not sent.
    fn crash(mut self, why: &str, stderr: Option<&mut ChildStderr>) -> Duration {
        // Its last words are still in the pipe.
        if let Some(stderr) = stderr {
            self.stderr_at_once(stderr);
        }
        self.retire();
        self.refuse_orders();
        let (tail, calls) = (self.tail.into_bytes(), self.hello.calls);
        for (call, mut open) in self.open.drain() {
            let is_sent = !self.lines.holds(call);
            match (is_sent, open.late) {
                (false, None) => self.place.pool.take_back(&self.place.key, open.job),
                (_, Some(_)) => {
                    let fault = open.fault.take();
                    let outcome = fault.map_or(Outcome::Stopped(None), Outcome::Unusable);
                    open.job.done(outcome);
                }
                (true, None) => {
                    if calls > 1 {
                        open.job.said().stderr(&tail);
                    }
                    open.job.done(Outcome::Crashed(why.to_owned()));
                }
            }
        }
        Duration::ZERO
    }
}

/// How the process has ended.
fn sentence(staying: &Staying) -> String {
    match staying.exit() {
        Some(exit) => Ended(exit).sentence(),
        None => "the tool ended".to_owned(),
    }
}

async fn write(stdin: &mut Option<ChildStdin>, out: &Out) -> std::io::Result<usize> {
    match (stdin, out.next()) {
        (Some(stdin), Some(bytes)) => stdin.write(bytes).await,
        _ => pending().await,
    }
}

async fn until(late: Option<Instant>) {
    match late {
        Some(late) => sleep_until(late).await,
        None => pending().await,
    }
}

/// Reads what is in the pipe without waiting for more; false if that is nothing.
#[cfg(unix)]
fn at_once(stderr: &mut ChildStderr, piece: &mut Vec<u8>) -> bool {
    piece.clear();
    piece.resize(PIECE, 0);
    // The runtime may not know yet that there is something.
    let read = nix::unistd::read(&*stderr, piece).unwrap_or(0);
    piece.truncate(read);
    read > 0
}

#[cfg(not(unix))]
fn at_once(_: &mut ChildStderr, _: &mut Vec<u8>) -> bool {
    false
}

//! A worker: one process and the calls that it has (LINE-50).

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::timeout;
use toolwire::Error;
use toolwire::lines::{HostLine, LineHead, ToolLine};
use toolwire::session::EndReason;

use super::job::{Job, Order, Outcome};
use super::pool::{Begun, Key, Pool};
use super::program::line;
use super::stamp::memory;
use super::{Ended, Hello, LineFault, LineProgram, Spoke};
use crate::transport::process::{Tail, sleep_awake};
use crate::{Child, ProcessOptions, Said, later};

/// Maximum number of pieces of stderr that are read before a result: no pipe holds more.
const AT_ONCE: usize = 128;

/// The type of the line that ends a call.
const RESULT: &str = "result";

/// How often it is looked how much memory a worker has.
const LOOK: Duration = Duration::from_millis(200);

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

/// Starts a worker on the runtime of the caller.
pub(super) fn launch(begun: Begun) {
    let place = Place {
        pool: begun.pool,
        key: begun.key,
        id: begun.id,
        is_driven: false,
    };
    if let Ok(runtime) = Handle::try_current() {
        runtime.spawn(work(place, begun.options, begun.orders));
    }
}

/// Lives until the worker is gone.
async fn work(mut place: Place, options: ProcessOptions, orders: mpsc::UnboundedReceiver<Order>) {
    place.is_driven = true;
    let mut program = match LineProgram::start(place.key.command(), &options) {
        Ok(program) => program,
        Err(error) => return place.pool.failed(&place.key, &error.to_string()),
    };
    let mut tail = Tail::new(options.stderr_tail);
    let limit = place.pool.options.handshake;
    let patience = match agree(&mut program, &mut tail, limit).await {
        Ok(hello) => {
            place.pool.ready(&place.key, place.id, hello.calls);
            let ready = ReadyWorker {
                place: &place,
                options: &options,
                hello,
                process: program.child.id(),
                orders,
                open: HashMap::new(),
                lines: VecDeque::new(),
                giving: None,
                tail,
                is_retired: false,
                is_stuck: false,
                looked: None,
            };
            ready.serve(&mut program).await
        }
        Err(why) => {
            place.pool.failed(&place.key, &why);
            Duration::ZERO
        }
    };
    program.child.cut_stdin();
    program.child.stop(patience).await;
}

/// Waits for the hello of a program.
async fn agree(
    program: &mut LineProgram,
    tail: &mut Tail,
    limit: Duration,
) -> Result<Hello, String> {
    let agreeing = async {
        loop {
            match program.next().await {
                Some(Spoke::Line(line)) => return Hello::read(Some(line)),
                Some(Spoke::Silent) | None => return Hello::read(None),
                Some(Spoke::Other(Said::Err)) => tail.push(program.child.stderr()),
                Some(Spoke::Other(_)) => {}
            }
        }
    };
    tokio::select! {
        agreed = agreeing => agreed,
        () = sleep_awake(limit) => Err(Hello::late(limit)),
    }
}

/// A worker that has said hello, and its calls.
struct ReadyWorker<'a> {
    place: &'a Place,
    options: &'a ProcessOptions,
    hello: Hello,
    process: Option<u32>,
    orders: mpsc::UnboundedReceiver<Order>,
    open: HashMap<u64, Open>,
    /// Lines that are to be written, each with the call that it begins.
    lines: VecDeque<(Option<u64>, Vec<u8>)>,
    /// The call whose first line was given to the program and is not written to its end.
    giving: Option<u64>,
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
    /// When it is abandoned, once it was asked to end.
    late: Option<Instant>,
    /// What the worker has written for it that can't be used.
    fault: Option<String>,
}

impl ReadyWorker<'_> {
    /// Serves until the worker is to be ended; how long it may take to end by itself.
    async fn serve(mut self, program: &mut LineProgram) -> Duration {
        let max_idle = self.place.pool.options.max_idle;
        let mut idle = later::after(max_idle);
        loop {
            if self.is_retired && self.open.is_empty() {
                self.refuse_orders(&mut program.child);
                return match self.is_stuck {
                    true => Duration::ZERO,
                    false => self.options.grace,
                };
            }
            // One at a time, so that calls that were not sent can go elsewhere.
            if program.child.waiting() == 0
                && let Some((call, line)) = self.lines.pop_front()
            {
                self.giving = call;
                program.child.give(&line);
            }
            let late = self.open.values().filter_map(|open| open.late).min();
            let is_idle = self.open.is_empty();
            // In no order: a tool that never stops to write must keep nothing else from happening.
            tokio::select! {
                order = self.orders.recv() => match order {
                    Some(order) => {
                        let can_write = program.child.takes_input();
                        self.order(order, &mut program.child, can_write);
                    }
                    None => self.is_retired = true,
                },
                spoke = program.next() => match spoke {
                    Some(Spoke::Line(Ok(line))) => {
                        self.said_after(line, &mut program.child);
                        idle = later::after(max_idle);
                    }
                    Some(Spoke::Line(Err(LineFault::OfCall(head, error)))) => {
                        self.said_wrong(head, error, &mut program.child);
                    }
                    Some(Spoke::Line(Err(fault))) => {
                        return self.crash(&fault.to_string(), &mut program.child);
                    }
                    Some(Spoke::Other(Said::Err)) => self.stderr(program.child.stderr()),
                    Some(Spoke::Other(Said::Fed)) => self.giving = None,
                    Some(Spoke::Other(Said::InClosed)) => self.closed(),
                    // What it has still said counts, and comes before the silence.
                    Some(Spoke::Other(_)) => {}
                    Some(Spoke::Silent) | None => {
                        let grace = self.options.grace;
                        let ended = timeout(grace, self.exits(program)).await;
                        let why = ended.unwrap_or_else(|_| "the tool closed its stdout".to_owned());
                        return self.crash(&why, &mut program.child);
                    }
                },
                () = later::at(late) => self.give_up_late(),
                () = later::at(Some(idle)), if is_idle => {
                    self.is_retired = self
                        .place
                        .pool
                        .retire_if_idle(&self.place.key, self.place.id);
                    idle = later::after(max_idle);
                }
            }
        }
    }

    /// How the process ends, as a sentence.
    async fn exits(&mut self, program: &mut LineProgram) -> String {
        loop {
            if let Some(exit) = program.child.exit() {
                return Ended(exit).sentence();
            }
            match program.next().await {
                Some(Spoke::Other(Said::Err)) => self.stderr(program.child.stderr()),
                Some(Spoke::Other(Said::Fed)) => self.giving = None,
                Some(_) => {}
                None => return "the tool ended".to_owned(),
            }
        }
    }

    fn order(&mut self, order: Order, child: &mut Child, can_write: bool) {
        match order {
            Order::Call(job) if !can_write => self.take_back(*job),
            Order::Call(job) => {
                let line = job.line();
                if line.len() as u64 - 1 > self.hello.max_line {
                    job.done(Outcome::TooLong(self.hello.max_line));
                    return self.finished();
                }
                self.lines.push_back((Some(job.number), line));
                let open = Open {
                    job: *job,
                    late: None,
                    fault: None,
                };
                self.open.insert(open.job.number, open);
            }
            Order::End { call, reason } => self.end(call, reason, child),
            Order::Kill { call } => {
                self.end(call, EndReason::Aborted, child);
                if let Some(open) = self.open.get_mut(&call) {
                    open.late = Some(Instant::now());
                }
            }
            Order::Retire => self.is_retired = true,
        }
    }

    fn end(&mut self, call: u64, reason: EndReason, child: &mut Child) {
        let Some(open) = self.open.get_mut(&call) else {
            return;
        };
        if open.late.is_some() {
            return;
        }
        open.late = Some(later::after(self.options.grace));
        if self.take_away(call, child) {
            return self.done(call, Outcome::Stopped(None));
        }
        let end = line(&HostLine::End { call, reason });
        self.lines.push_back((None, end));
    }

    /// Takes away the line that begins a call, if nothing of it was written.
    fn take_away(&mut self, call: u64, child: &mut Child) -> bool {
        if self.giving == Some(call) && child.take_back() {
            self.giving = None;
            return true;
        }
        let begins = |(begins, _): &(Option<u64>, Vec<u8>)| *begins == Some(call);
        let place = self.lines.iter().position(begins);
        place.is_some_and(|place| self.lines.remove(place).is_some())
    }

    /// A line, after what its call has written to the other pipe before.
    fn said_after(&mut self, line: ToolLine, child: &mut Child) {
        if matches!(line, ToolLine::Result { .. }) && self.hello.calls == 1 {
            self.stderr_at_once(child);
        }
        self.said(line);
    }

    /// A line that is wrong for one call alone (LINE-14).
    fn said_wrong(&mut self, head: LineHead, error: Error, child: &mut Child) {
        let (call, is_result) = (head.call, head.kind == RESULT);
        let fault = LineFault::OfCall(head, error).to_string();
        self.fault(call, is_result, fault, child);
    }

    /// What is in the pipe of stderr, but not what is written into it meanwhile.
    fn stderr_at_once(&mut self, child: &mut Child) {
        for _ in 0..AT_ONCE {
            if !child.read_stderr_at_once() {
                break;
            }
            self.stderr(child.stderr());
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
    fn fault(&mut self, call: u64, is_result: bool, fault: String, child: &mut Child) {
        let Some(open) = self.open.get_mut(&call) else {
            return;
        };
        match is_result {
            true => self.done(call, Outcome::Unusable(fault)),
            false => {
                open.fault.get_or_insert(fault);
                self.end(call, EndReason::Aborted, child);
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
        let unsent = self.lines.drain(..).filter_map(|(call, _)| call);
        let unsent: Vec<u64> = self.giving.take().into_iter().chain(unsent).collect();
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
    fn refuse_orders(&mut self, child: &mut Child) {
        self.orders.close();
        while let Ok(order) = self.orders.try_recv() {
            self.order(order, child, false);
        }
    }

    /// All calls are lost but those that were not sent.
    fn crash(mut self, why: &str, child: &mut Child) -> Duration {
        // Its last words are still in the pipe.
        self.stderr_at_once(child);
        self.retire();
        self.refuse_orders(child);
        let (tail, calls) = (self.tail.into_bytes(), self.hello.calls);
        let lines = self.lines.iter().filter_map(|(call, _)| *call);
        let unsent: Vec<u64> = self.giving.into_iter().chain(lines).collect();
        for (call, mut open) in self.open.drain() {
            let is_sent = !unsent.contains(&call);
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

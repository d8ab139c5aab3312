//! A call for each record of standard input: one envelope a line, in the order of the
//! records or as the calls end.

mod again;
mod calls;
mod end;
mod journal;
mod records;
mod retry;
mod unknown;

use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use tokio::sync::watch;
use toolwire::call::{Call, ToolDescription};
use toolwire::event::Progress;
use toolwire::{Json, digest_bytes};
use toolwire_host::{ExchangeOptions, Transport};

use crate::args::{EachArgs, ResultFormat};
use crate::baseline::Baseline;
use crate::exit::{Failure, Outcome, Result};
use crate::input;
use crate::output::Out;
use crate::run::arguments::{self, Members, Verb};
use crate::run::router::Router;
use crate::run::session::{Later, Session};
use crate::show::count;
use crate::terminal;
use again::Again;
use calls::{Caller, Floor};
use end::{Counts, End, failed, refused};
use journal::{Header, Journal};
use records::{Record, Records};

/// How many results may wait for an earlier one, for each call at a time, and in all at least.
const AHEAD: usize = 8;
const LEAST_AHEAD: usize = 64;

/// The most bytes of results that wait before no more calls are begun.
const MOST_WAITING: usize = 64 * 1024 * 1024;

/// The member of an envelope's `_meta` with the number of the record.
const RECORD: &str = "dev.toolwire/record";

pub type Done<'a, T = ()> = Later<'a, Result<T>>;

/// Where calls go.
pub trait Callee {
    /// What carries a call with these arguments, once it is known that the tool may be called.
    fn transport<'a>(&'a self, arguments: &'a Json) -> Done<'a, Arc<dyn Transport>>;

    /// Whether no further call can get there.
    fn is_lost(&self) -> bool {
        false
    }

    /// Sees to it that further calls get there again.
    fn reach_again(&self) -> Done<'_> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// What is called for each record.
pub struct Work<'a> {
    pub args: &'a EachArgs,
    pub verb: Verb,
    /// What the source and its tool are called.
    pub source: String,
    pub tool: String,
    /// What is known of the tool.
    pub description: Option<ToolDescription>,
    pub baseline: &'a Baseline,
    /// The schema by which arguments are read.
    pub schema: Option<Json>,
    /// The arguments that hold for all records, those of the source below those given as JSON below words.
    pub defaults: Option<Members>,
    pub given: Option<Members>,
    pub words: Vec<String>,
    pub options: Json,
    pub exchange: ExchangeOptions,
}

/// A record whose line waits for earlier ones, or for the terminal.
struct Waiting {
    number: u64,
    offset: u64,
    end: End,
}

/// Refuses how a result is to be written otherwise than as a line of JSON.
pub fn check_format(format: Option<ResultFormat>) -> Result<()> {
    match format {
        None | Some(ResultFormat::Json) => Ok(()),
        Some(_) => Err(Failure::usage(
            "`--each` writes JSON, so it takes no other `--format`",
        )),
    }
}

/// Makes the calls and writes their results.
pub async fn run(
    work: &Work<'_>,
    callee: &dyn Callee,
    session: &Session,
    router: Router,
    out: &mut Out,
) -> Result<Outcome> {
    let retries = retry::allowed(work.args, work.description.as_ref(), &work.tool)?;
    session.suspend_together()?;
    let base = work.base()?;
    let size = input::rest_of_stdin();
    let mut records = Records::read()?;
    let mut counts = Counts::default();
    let mut first = VecDeque::new();
    let journal = match &work.args.resume {
        None => None,
        Some(path) => {
            let mut journal = Journal::open(path, &work.header(&base)?)?;
            let again = Again {
                session,
                router: &router,
                path,
            };
            first = again
                .pass_over(work, &mut journal, &mut records, &mut counts)
                .await?;
            Some(journal)
        }
    };
    let (halt, halted) = watch::channel(false);
    let floor = Floor::new(session, router);
    let mut run = Run {
        work,
        callee,
        base,
        retries,
        session,
        floor: &floor,
        halted,
        out,
        journal,
        counts,
        waiting: BTreeMap::new(),
        waiting_bytes: 0,
        begun: 0,
        written: 0,
        other_type: None,
        size,
        read: 0,
    };
    let done = run.all(&mut records, first, &halt).await;
    session.screen.pause();
    let (out, counts) = (run.out, run.counts);
    out.flush()?;
    if let Some(message) = run.other_type {
        out.complain(&message);
    }
    terminal::tell(&format!("{}\n", counts.to_text()), false);
    if let Some(holder) = floor.if_free() {
        for (id, _) in holder.router.given.unused() {
            out.complain(&format!(
                "the question `{id}` was not asked, so its answer was not used"
            ));
        }
    }
    done?;
    Ok(match session.signals.outcome() {
        _ if session.signals.count() > 1 => {
            return Err(Failure::Ended(session.signals.outcome()));
        }
        Some(outcome) => outcome,
        None if counts.failed > 0 => Outcome::Negative,
        None => Outcome::Success,
    })
}

impl Work<'_> {
    /// The arguments that hold for all records.
    fn base(&self) -> Result<Members> {
        let mut base = self.defaults.clone().unwrap_or_default();
        base.extend(self.given.clone().unwrap_or_default());
        let schema = self.schema.as_ref();
        base.extend(arguments::from_words(&self.words, schema)?);
        Ok(base)
    }

    fn header(&self, base: &Members) -> Result<Header> {
        let base = Json::from_value(base).map_err(|error| Failure::refused(&error))?;
        let canonical = toolwire::digest(base.as_str().as_bytes(), &toolwire::Limits::WIDEST);
        Ok(Header {
            source: self.source.clone(),
            tool: self.tool.clone(),
            arguments: canonical.unwrap_or_else(|_| digest_bytes(base.as_str().as_bytes())),
        })
    }
}

/// Calls that are being made.
struct Run<'a, 'o> {
    work: &'a Work<'a>,
    callee: &'a dyn Callee,
    base: Members,
    retries: u32,
    session: &'a Session,
    floor: &'a Floor<'a>,
    halted: watch::Receiver<bool>,
    out: &'o mut Out,
    journal: Option<Journal>,
    counts: Counts,
    /// What came of records, by the order in which they were begun.
    waiting: BTreeMap<u64, Waiting>,
    waiting_bytes: usize,
    begun: u64,
    /// How many of them are done with.
    written: u64,
    /// That a result is of another type than a profile expects.
    other_type: Option<String>,
    /// The bytes of the input, if they are known, and how many of them are done with.
    size: Option<u64>,
    read: u64,
}

/// The call of a record, by its order.
struct Running<'a> {
    order: u64,
    number: u64,
    offset: u64,
    call: Pin<Box<dyn Future<Output = Result<End>> + 'a>>,
}

/// What happened while calls were made.
enum Event {
    Came(Option<Result<Record>>),
    Ended(usize, Result<End>),
    Signal,
}

impl<'a> Run<'a, '_> {
    /// Makes all calls. The first thing that goes wrong ends those that run; the lines of what has ended
    /// are written all the same.
    async fn all(
        &mut self,
        records: &mut Records,
        mut first: VecDeque<Record>,
        halt: &watch::Sender<bool>,
    ) -> Result<()> {
        let jobs = self.work.args.jobs.get();
        let mut running: Vec<Running<'a>> = Vec::new();
        let mut failure = None;
        let mut more = true;
        loop {
            if self.session.signals.count() > 0 || failure.is_some() {
                more = false;
                first.clear();
            }
            let room = running.len() < jobs && self.has_room(jobs);
            if room && let Some(record) = first.pop_front() {
                if let Err(why) = self.begin(&record, &mut running) {
                    failure.get_or_insert(why);
                    let _ = halt.send(true);
                }
                continue;
            }
            self.show();
            if running.is_empty() && !more {
                break;
            }
            let event = {
                let mut signal = pin!(self.session.signals.nth(1));
                let mut next = pin!(records.next());
                let stopping = !more;
                poll_fn(|context| {
                    for (at, one) in running.iter_mut().enumerate() {
                        if let Poll::Ready(end) = one.call.as_mut().poll(context) {
                            return Poll::Ready(Event::Ended(at, end));
                        }
                    }
                    if stopping {
                        return Poll::Pending;
                    }
                    if signal.as_mut().poll(context).is_ready() {
                        return Poll::Ready(Event::Signal);
                    }
                    match room {
                        true => next.as_mut().poll(context).map(Event::Came),
                        false => Poll::Pending,
                    }
                })
                .await
            };
            let went = match event {
                Event::Signal => Ok(()),
                Event::Came(None) => {
                    more = false;
                    Ok(())
                }
                Event::Came(Some(Ok(record))) => self.begin(&record, &mut running),
                Event::Came(Some(Err(why))) => Err(why),
                Event::Ended(at, end) => {
                    let one = running.swap_remove(at);
                    self.ended(&one, end)
                }
            };
            if let Err(why) = went {
                failure.get_or_insert(why);
                let _ = halt.send(true);
            }
        }
        let left = self.write(true);
        match failure {
            Some(failure) => Err(failure),
            None => left,
        }
    }

    /// Whether another call may be begun before an earlier line is written.
    fn has_room(&self, jobs: usize) -> bool {
        let ahead = LEAST_AHEAD.max(jobs * AHEAD) as u64;
        self.begun - self.written < ahead && self.waiting_bytes < MOST_WAITING
    }

    /// Begins the call of a record, or writes why there can't be one.
    fn begin(&mut self, record: &Record, running: &mut Vec<Running<'a>>) -> Result<()> {
        let made = record.arguments().and_then(|given| self.make(&given));
        if let Some(journal) = self.journal.as_mut().filter(|_| made.is_ok()) {
            journal.begin(record)?;
        }
        let order = self.begun;
        self.begun += 1;
        let (number, offset) = (record.number, record.offset);
        match made {
            Ok(arguments) => {
                let call = self.call(arguments, number);
                running.push(Running {
                    order,
                    number,
                    offset,
                    call: Box::pin(call),
                });
                Ok(())
            }
            Err(failure) => self.keep(order, number, offset, refused(&failure)?),
        }
    }

    /// The arguments of a record, over those that hold for all.
    fn make(&self, given: &Members) -> Result<Json> {
        let schema = self.work.schema.as_ref();
        arguments::compose(self.work.verb, Some(&self.base), Some(given), &[], schema)
    }

    /// The call of a record, repeated where that may help.
    fn call(&self, arguments: Json, number: u64) -> impl Future<Output = Result<End>> + use<'a> {
        let (work, callee, session, floor) = (self.work, self.callee, self.session, self.floor);
        let (retries, halted) = (self.retries, self.halted.clone());
        async move {
            let mut call = Call::new(&work.tool, arguments);
            call.options = work.options.clone();
            call.root.clone_from(&session.root);
            let mut repetition = 0;
            loop {
                let transport = match callee.transport(&call.arguments).await {
                    Ok(transport) => transport,
                    Err(failure) if repetition == 0 => return refused(&failure),
                    Err(failure) => return failed(&failure),
                };
                let caller = Caller::new(floor, number, halted.clone());
                let called = caller.call(transport, call.clone(), work.exchange.clone());
                let outcome = match called.await {
                    Ok(outcome) => outcome,
                    Err(_) if is_stopped(session, &halted) => return Ok(End::Cut),
                    Err(failure) => return failed(&failure),
                };
                if outcome.cancelled() && is_stopped(session, &halted) {
                    return Ok(End::Cut);
                }
                let error = outcome.parsed.is_error();
                let again = error && outcome.parsed.transient() && repetition < retries;
                let lost = callee.is_lost();
                if lost && !again && error && outcome.parsed.transient() {
                    let source = &work.source;
                    return Err(Failure::Io(format!(
                        "the connection to `{source}` was lost during the call of record {number}"
                    )));
                }
                if !again || !rest(repetition, session, &halted).await {
                    let document = outcome.parsed.document().to_vec();
                    return Ok(End::Line { document, error });
                }
                repetition += 1;
                if lost {
                    callee.reach_again().await?;
                }
            }
        }
    }

    fn ended(&mut self, one: &Running<'_>, end: Result<End>) -> Result<()> {
        match end {
            Ok(end) => self.keep(one.order, one.number, one.offset, end),
            Err(failure) => {
                self.keep(one.order, one.number, one.offset, End::Cut)?;
                Err(failure)
            }
        }
    }

    /// Keeps what a record came to, until it can be written.
    fn keep(&mut self, order: u64, number: u64, offset: u64, end: End) -> Result<()> {
        self.waiting_bytes += end.len();
        let waiting = Waiting {
            number,
            offset,
            end,
        };
        self.waiting.insert(order, waiting);
        self.write(false)
    }

    /// Writes what can be written; at the end all that is there.
    fn write(&mut self, all: bool) -> Result<()> {
        // A line would get into a question on the same terminal.
        let free = self.floor.if_free();
        if self.out.terminal && free.is_none() && !all {
            return Ok(());
        }
        let any = all || self.work.args.unordered;
        while let Some(next) = self.waiting.first_entry() {
            if !any && *next.key() != self.written {
                break;
            }
            let Waiting {
                number,
                offset,
                end,
            } = next.remove();
            self.waiting_bytes -= end.len();
            self.written += 1;
            self.read = self.read.max(offset);
            match end {
                End::Cut => self.counts.cut += 1,
                End::Line { document, error } => {
                    self.note_other_output(&document);
                    self.write_line(number, document)?;
                    if let Some(journal) = &mut self.journal {
                        journal.end(number, error)?;
                    }
                    match error {
                        true => self.counts.failed += 1,
                        false => self.counts.ended += 1,
                    }
                }
                End::Refused(document) => {
                    self.write_line(number, document)?;
                    if let Some(journal) = &mut self.journal {
                        journal.refuse(number)?;
                    }
                    self.counts.failed += 1;
                }
            }
        }
        Ok(())
    }

    fn write_line(&mut self, number: u64, document: Vec<u8>) -> Result<()> {
        let line = self.line(number, document)?;
        let (out, session) = (&mut *self.out, self.session);
        session
            .screen
            .suspended(|| out.json(&line).and_then(|()| out.flush()))
    }

    /// Notes that a result is of another type than a profile expects, to be told at the end.
    fn note_other_output(&mut self, document: &[u8]) {
        if self.other_type.is_none() {
            self.other_type = self.work.baseline.other_type(&self.work.tool, document);
        }
    }

    /// The line of a record, with its number where the place of the line does not say it.
    fn line(&self, number: u64, document: Vec<u8>) -> Result<String> {
        let text = String::from_utf8_lossy(&document).into_owned();
        if !self.work.args.unordered && self.journal.is_none() {
            return Ok(text);
        }
        let numbered = || -> std::result::Result<String, toolwire::Error> {
            let mut members: Members = Json::new(&text)?.to_value()?;
            let mut meta: Members = match members.get("_meta") {
                Some(meta) => meta.to_value()?,
                None => Members::new(),
            };
            meta.insert(RECORD.to_owned(), Json::from_value(&number)?);
            members.insert("_meta".to_owned(), Json::from_value(&meta)?);
            Ok(Json::from_value(&members)?.to_string())
        };
        // What is not an envelope is left as it is.
        Ok(numbered().unwrap_or(text))
    }

    /// Shows how far the calls are.
    fn show(&self) {
        let Counts {
            ended,
            failed,
            passed,
            ..
        } = &self.counts;
        let done = ended + failed + passed;
        let mut told = count(done, "record");
        if *failed > 0 {
            told.push_str(&format!(", {failed} failed"));
        }
        let progress = match self.size.filter(|size| *size > 0) {
            Some(size) => {
                // Of a total that is no whole number only the share is shown.
                let share = self.read as f64 / size as f64;
                Progress::new(share.min(1.0) / 2.0, Some(0.5), Some(told))
            }
            None => Progress::new(done as f64, None, Some(told)),
        };
        self.session.screen.progress(progress);
    }
}

/// Whether calls are being cut off.
fn is_stopped(session: &Session, halted: &watch::Receiver<bool>) -> bool {
    session.signals.count() > 0 || *halted.borrow()
}

/// Waits before a repetition; whether there is to be one after all.
async fn rest(repetition: u32, session: &Session, halted: &watch::Receiver<bool>) -> bool {
    let mut halted = halted.clone();
    tokio::select! {
        biased;
        () = session.signals.nth(1) => false,
        Ok(_) = halted.wait_for(|halted| *halted) => false,
        () = tokio::time::sleep(retry::pause(repetition)) => true,
    }
}

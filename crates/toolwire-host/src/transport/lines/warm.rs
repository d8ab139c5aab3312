//! The transport to a worker: what a call's driver sees of it.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use tokio::time::timeout;
use toolwire::event::{Level, Message};
use toolwire::lines::Trace;
use toolwire::session::EndReason;
use toolwire::{Limits, Parsed, parse};

use super::WorkerOptions;
use super::job::{Done, Job, Outcome, Ticket};
use super::pool::{Key, Pool};
use super::stamp::{Stamp, files};
use super::worker::launch;
use crate::transport::control::HOST;
use crate::transport::stopped::{envelope, failure, text_block};
use crate::transport::{Control, Transport};
use crate::{HostError, Process, ProcessOptions, Reply, RunReport, StopReason, Terminal};

/// Programs that are started once and take many calls (LINE-50 to LINE-55). Its copies share the workers, which
/// end when the last copy is dropped.
///
/// Which workers there are, and when they go, is up to its [`WorkerOptions`]. [`LineWorkers::process`] makes the
/// [`Transport`] for a program.
///
/// ```
/// use toolwire::{Json, call::Call};
/// use toolwire_host::{CallOptions, Command, LineWorkers, Nobody, Process, ProcessOptions, WorkerOptions, call};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// // It says which call it is of this process.
/// let script = r#"
///     read -r hello
///     echo '{"type":"hello","toolwire":1,"version":1}'
///     count=0
///     while read -r line; do
///         count=$((count + 1))
///         number=${line#*'"call":'}
///         echo "{\"type\":\"result\",\"call\":${number%%,*},\"envelope\":{\"content\":[{\"type\":\"text\",\"text\":\"$count\"}]}}"
///     done
/// "#;
/// let workers = LineWorkers::new(WorkerOptions::default());
/// let program = Process::new(Command::new("sh").args(["-c", script]), ProcessOptions::default());
/// let tool = workers.process(program);
/// for count in ["1", "2", "3"] {
///     let document = Call::new("count", Json::new("{}")?);
///     let outcome = call(&tool, document, &CallOptions::default(), &mut Nobody).await?;
///     assert_eq!(outcome.parsed.block(0).unwrap().text().unwrap(), count);
/// }
/// workers.close().await;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct LineWorkers(Arc<Owned>);

#[derive(Debug)]
struct Owned(Arc<Pool>);

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl LineWorkers {
    /// No workers yet: they are started when there are calls for them.
    #[must_use]
    pub fn new(options: WorkerOptions) -> Self {
        LineWorkers(Arc::new(Owned(Arc::new(Pool::new(options, launch)))))
    }

    /// The way to a program whose tools say that they are warm
    /// ([`ToolDescription::is_warm`](toolwire::call::ToolDescription::is_warm)). A program that is plain or has a
    /// terminal has a process for each call.
    #[must_use]
    pub fn process(&self, process: Process) -> WarmProcess {
        WarmProcess {
            process,
            principal: None,
            trace: Trace::default(),
            workers: self.clone(),
        }
    }

    /// How many processes there are, also those that are ending.
    #[must_use]
    pub fn processes(&self) -> usize {
        self.0.0.processes()
    }

    /// Ends all workers: each after the calls that it has, and if it does not end by itself then, by a signal.
    /// Calls that come later have a process each.
    pub async fn close(&self) {
        self.0.0.close();
        self.0.0.emptied().await;
    }
}

impl Default for LineWorkers {
    fn default() -> Self {
        LineWorkers::new(WorkerOptions::default())
    }
}

/// The [`Transport`] for a program that takes many calls in one process. It falls back to a process for each call
/// where there is no worker for it: if all are busy for too long, or the program does not speak lines after all.
///
/// Of the options of its process, the time-out, the grace and the limits are of each call; a worker is shared by
/// calls that agree in the program, its arguments, the working folder, the environment, the interpreters, the
/// limit for output, and the principal.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WarmProcess {
    /// The program, and how it is run.
    pub process: Process,
    /// For whom the call is made, where a host has several principals: they share no worker.
    pub principal: Option<String>,
    /// Where the call belongs in a distributed trace.
    pub trace: Trace,
    workers: LineWorkers,
}

impl WarmProcess {
    async fn carry(&self, document: &str, control: &Control) -> Result<Reply, HostError> {
        let (process, pool) = (&self.process, &self.workers.0.0);
        let options = &process.options;
        if process.plain || options.terminal != Terminal::None || !pool.is_own() {
            return process.send(document, control).await;
        }
        let key = Key::new(&process.command, options, self.principal.as_deref());
        let files: Arc<[PathBuf]> = match pool.files(&key) {
            Some(files) => files,
            None => files(&process.command, options)?.into(),
        };
        let stamp = Stamp::of(&files);
        let began = Instant::now();
        let (job, ticket, mut answered) =
            Job::new(pool.number(), document, &self.trace, options, control);
        let mut given = GivenUp(Some(&ticket));
        pool.enqueue(&key, files, stamp, options, job);

        let mut reason = None;
        let waits = async {
            loop {
                match timeout(pool.options.max_wait, &mut answered).await {
                    Ok(done) => return Some(done),
                    // A process of its own would take as long to start.
                    Err(_) if pool.is_starting(&key) => {}
                    Err(_) if ticket.withdraw() => return None,
                    Err(_) => return Some((&mut answered).await),
                }
            }
        };
        let done = tokio::select! {
            biased;
            done = waits => done,
            () = control.cancelled() => {
                reason = Some((StopReason::Cancelled, EndReason::Aborted));
                None
            }
            () = control.out_of_time(options) => {
                reason = Some((StopReason::Timeout, EndReason::TimedOut));
                None
            }
        };
        let done = match (done, reason) {
            (Some(done), _) => done.unwrap_or_else(|_| lost()),
            // All workers are busy with what takes longer.
            (None, None) => return process.send(document, control).await,
            (None, Some((_, why))) => {
                if ticket.end(why) {
                    tokio::select! {
                        biased;
                        done = &mut answered => done.unwrap_or_else(|_| lost()),
                        () = control.killed() => {
                            ticket.kill();
                            answered.await.unwrap_or_else(|_| lost())
                        }
                    }
                } else {
                    Done::without_stderr(Outcome::Stopped(None))
                }
            }
        };
        control.hurry();
        given.0 = None;
        let outcome = match done.outcome {
            Outcome::NoWorker(why) if reason.is_none() => {
                if let Some(why) = why {
                    let text = format!("the tool is started for each call: {why}");
                    control.message(&Message::new(Level::Warning, text).by(HOST));
                }
                return process.send(document, control).await;
            }
            Outcome::NoWorker(_) => Outcome::Stopped(None),
            outcome => outcome,
        };
        let mut report = RunReport {
            stderr: done.stderr,
            stderr_truncated: done.cut,
            elapsed: began.elapsed(),
            ..RunReport::default()
        };
        let reason = reason.map_or(StopReason::Cancelled, |(reason, _)| reason);
        let parsed = parsed(options, outcome, reason, &mut report);
        Ok(Reply::new(parsed).reported(report))
    }
}

impl Transport for WarmProcess {
    fn send<'a>(
        &'a self,
        document: &'a str,
        control: &'a Control,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
        Box::pin(self.carry(document, control))
    }

    fn carries_calls(&self) -> bool {
        self.process.carries_calls()
    }
}

/// Ends a call that nobody waits for any more.
struct GivenUp<'a>(Option<&'a Ticket>);

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        if let Some(ticket) = self.0 {
            ticket.end(EndReason::Aborted);
        }
    }
}

/// What became of a call whose worker was dropped with its runtime.
fn lost() -> Done {
    Done::without_stderr(Outcome::Crashed("the host stopped the tool".to_owned()))
}

/// What is made of an outcome; `reason` is that of a tool that was stopped.
fn parsed(
    options: &ProcessOptions,
    outcome: Outcome,
    reason: StopReason,
    report: &mut RunReport,
) -> Parsed<'static> {
    let (why, is_transient) = match outcome {
        Outcome::Answered(json) => {
            report.stdout = json.as_str().as_bytes().to_vec();
            return parse(report.stdout.clone(), &options.limits);
        }
        Outcome::Stopped(json) => {
            let answer = json.as_ref().map_or("", |json| json.as_str());
            report.stdout = answer.as_bytes().to_vec();
            report.stopped = Some(reason);
            let (answer, stderr) = (&report.stdout, &report.stderr);
            return envelope(reason, options, report.elapsed, answer, stderr);
        }
        Outcome::Crashed(why) => (why, true),
        Outcome::Unusable(why) => (why, false),
        Outcome::TooLong(most) => (
            format!("the call is longer than the {most} bytes that the tool reads"),
            false,
        ),
        Outcome::NoWorker(why) => (why.unwrap_or_default(), true),
    };
    let document = failure(&text_block(&why), &why, &report.stderr, is_transient);
    parse(document.into_bytes(), &Limits::WIDEST)
}

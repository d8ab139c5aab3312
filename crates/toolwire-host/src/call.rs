//! Call a tool and answer its questions, until there is a result.

use std::collections::BTreeMap;
use std::future::{Future, pending};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use toolwire::call::{self, Answer, Call};
use toolwire::{Diagnostic, Exit, Parsed, parse};

use crate::{
    Answerer, End, Exchange, ExchangeOptions, HostError, HostErrorKind, Outcome, RunOptions, Step,
    Stop, Tool, run, run_until,
};

/// How a tool is called: each of its runs, and its questions between them.
///
/// ```
/// use std::time::Duration;
/// use toolwire_host::{CallOptions, RunOptions};
///
/// let run = RunOptions { timeout: Some(Duration::from_secs(30)), ..RunOptions::default() };
/// let options = CallOptions { run, ..CallOptions::default() };
/// assert_eq!(options.exchange.max_rounds, 16);
/// ```
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// Each run of the tool. Its `stdin` is not used, since it is the call document; its time-out
    /// holds for each run, and the time in which somebody answers does not count.
    pub run: RunOptions,
    /// Its questions.
    pub exchange: ExchangeOptions,
}

/// What a call comes to.
///
/// ```
/// use toolwire::{Json, call::Call};
/// use toolwire_host::{CallOptions, End, Nobody, Tool, blocking};
///
/// # if cfg!(windows) { return Ok(()); }
/// let call = Call::new("echo", Json::new("{}")?);
/// let outcome = blocking::call(&Tool::new("echo").arg("hello"), call, &CallOptions::default(), &mut Nobody)?;
/// assert_eq!((outcome.end, outcome.rounds), (End::Answered, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CallOutcome {
    /// The result: the tool's last answer, or the error envelope that stands for it; who answered
    /// what is in its `_meta` (CALL-24).
    pub parsed: Parsed<'static>,
    /// What became of each question, by its id.
    pub answers: BTreeMap<String, Answer>,
    /// How often the tool was run.
    pub rounds: usize,
    /// Why the call came to its end.
    pub end: End,
    /// What is to be said of the questions: defaults that do not fit (Q-45), questions for secrets
    /// (Q-59). Their pointers lead into the question.
    pub diagnostics: Vec<Diagnostic>,
    /// How the last run ended.
    pub exit: Exit,
    /// What the last run wrote to stdout; its log, if it answered by the result channel.
    pub stdout: Vec<u8>,
    /// The end of what the last run wrote to stderr.
    pub stderr: Vec<u8>,
    /// Whether the last run wrote more to stderr than was kept.
    pub stderr_truncated: bool,
    /// Why the host stopped the last run; nothing if it ended by itself.
    pub stopped: Option<Stop>,
    /// Whether something that a run had started still held its stdout or stderr beyond the linger.
    pub left_behind: bool,
    /// From the start of the first run to the result, the time for answers included.
    pub elapsed: Duration,
}

impl CallOutcome {
    /// Whether the call was cancelled, in a run or while a question waited.
    ///
    /// ```
    /// use toolwire::{Json, call::Call};
    /// use toolwire_host::{CallOptions, Nobody, Tool, blocking};
    ///
    /// # if cfg!(windows) { return Ok(()); }
    /// let call = Call::new("true", Json::new("{}")?);
    /// let outcome = blocking::call(&Tool::new("true"), call, &CallOptions::default(), &mut Nobody)?;
    /// assert!(!outcome.cancelled());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cancelled(&self) -> bool {
        self.end == End::Cancelled || self.stopped == Some(Stop::Cancelled)
    }
}

/// Calls a tool and has its questions answered, until there is a result.
///
/// Each round is a run of its own, as [`run`](crate::run()) does it: nothing of the tool is left while
/// somebody thinks about an answer. If the future is dropped, the tool is killed.
///
/// # Errors
///
/// What kept the tool from being run, in whichever round. Whatever the tool or the answerer does is a
/// result.
///
/// # Panics
///
/// Outside of a tokio runtime that has its timers and I/O enabled.
///
/// # Examples
///
/// ```
/// use toolwire::call::{Answer, AnswerSource, Call};
/// use toolwire::Json;
/// use toolwire_host::{Asking, CallOptions, Tool};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// // A tool in a shell: it asks, unless it finds the answer in its call.
/// let script = r#"grep -q '"ok":true' && echo Renamed. ||
///     echo '{"content":[{"type":"question","question":{"id":"ok","text":"Rename?","schema":{"type":"boolean"}}}]}'"#;
/// let tool = Tool::new("sh").args(["-c", script]);
/// let call = Call::new("rename", Json::new(r#"{"path":"a","to":"b"}"#)?);
/// let mut yes = |_: &Asking| Answer::accepted(Json::from(true), AnswerSource::User);
/// let outcome = toolwire_host::call(&tool, call, &CallOptions::default(), &mut yes).await?;
/// assert_eq!(outcome.rounds, 2);
/// assert_eq!(outcome.parsed.block(0).unwrap().text().unwrap(), "Renamed.\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn call(
    tool: &Tool,
    call: Call,
    options: &CallOptions,
    answerer: &mut dyn Answerer,
) -> Result<CallOutcome, HostError> {
    call_until(tool, call, options, answerer, pending()).await
}

/// Calls a tool as [`call()`] does, until there is a result or until `cancel` is done.
///
/// A run is stopped as [`run_until`](crate::run_until()) does it. A question that waits is given up:
/// the result is an error envelope with what the tool had said before.
///
/// # Errors
///
/// Those of [`call()`].
///
/// # Panics
///
/// As [`call()`].
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use toolwire::{Json, call::Call};
/// use toolwire_host::{CallOptions, Nobody, Tool};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let impatient = tokio::time::sleep(Duration::from_millis(20));
/// let (tool, call) = (Tool::new("sleep").arg("60"), Call::new("sleep", Json::new("{}")?));
/// let outcome =
///     toolwire_host::call_until(&tool, call, &CallOptions::default(), &mut Nobody, impatient).await?;
/// assert!(outcome.cancelled() && outcome.parsed.is_error());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn call_until(
    tool: &Tool,
    call: Call,
    options: &CallOptions,
    answerer: &mut dyn Answerer,
    cancel: impl Future<Output = ()>,
) -> Result<CallOutcome, HostError> {
    let started = Instant::now();
    let mut cancel = Once(Some(Box::pin(cancel)));
    let document = call.to_json();
    let mut exchange = Exchange::new(call, options.exchange.clone());
    let mut last = round(tool, document, &options.run, &mut exchange, &mut cancel).await?;
    loop {
        match exchange.step() {
            Step::Call(document) => {
                last = round(tool, document, &options.run, &mut exchange, &mut cancel).await?;
            }
            Step::Ask(asking) => {
                let answer = tokio::select! {
                    biased;
                    () = &mut cancel => break,
                    answer = answerer.answer(&asking) => answer,
                };
                // What is wrong with it, the next step tells.
                let _ = exchange.answered(&asking.question.id, answer);
            }
            Step::Done => break,
        }
    }
    let exchanged = exchange.finish();
    Ok(CallOutcome {
        parsed: exchanged.parsed,
        answers: exchanged.answers,
        rounds: exchanged.rounds,
        end: exchanged.end,
        diagnostics: exchanged.diagnostics,
        exit: last.exit,
        stdout: last.stdout,
        stderr: last.stderr,
        stderr_truncated: last.stderr_truncated,
        stopped: last.stopped,
        left_behind: last.left_behind,
        elapsed: started.elapsed(),
    })
}

/// One run of the tool; what it says goes to the exchange.
async fn round(
    tool: &Tool,
    document: String,
    options: &RunOptions,
    exchange: &mut Exchange,
    cancel: impl Future<Output = ()>,
) -> Result<Outcome, HostError> {
    let options = RunOptions {
        stdin: document.into_bytes(),
        ..options.clone()
    };
    let mut outcome = run_until(tool, &options, cancel).await?;
    let nothing = parse(Vec::new(), &options.limits);
    exchange.received(std::mem::replace(&mut outcome.parsed, nothing));
    Ok(outcome)
}

/// What a program says of the tools that it holds.
///
/// ```
/// use toolwire_host::{RunOptions, Tool, blocking};
///
/// # if cfg!(windows) { return Ok(()); }
/// let listed = blocking::list_tools(&Tool::new("echo").arg("hello"), &RunOptions::default())?;
/// assert!(listed.tools.is_none()); // `echo` knows nothing of Toolwire, and said hello instead
/// assert_eq!(listed.outcome.stdout, b"hello\n");
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
#[derive(Debug)]
pub struct Listed {
    /// Its tools. Nothing if it does not know the protocol, or failed: then it has done its job, as
    /// far as it could without arguments, and `outcome` is the result (CALL-32, CALL-35).
    pub tools: Option<Vec<call::Tool>>,
    /// The run that was to describe them.
    pub outcome: Outcome,
}

/// Asks a program which tools it holds: runs it with the action `describe`.
///
/// A program that does not know the protocol does its job instead (CALL-35). So only ask one that a
/// person named as a tool.
///
/// # Errors
///
/// Those of [`run`](crate::run()); `bad_description` if the answer is a description, but not as
/// CALL-31 says.
///
/// # Panics
///
/// As [`run`](crate::run()).
///
/// # Examples
///
/// ```
/// use toolwire_host::{RunOptions, Tool};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let tools = r#"{"toolwire":1,"tools":[{"name":"now","inputSchema":{"type":"object"}}]}"#;
/// let tool = Tool::new("echo").arg(format!(r#"{{"content":[],"structuredContent":{tools}}}"#));
/// let listed = toolwire_host::list_tools(&tool, &RunOptions::default()).await?;
/// assert_eq!(listed.tools.unwrap()[0].name, "now");
/// # Ok::<(), toolwire_host::HostError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn list_tools(tool: &Tool, options: &RunOptions) -> Result<Listed, HostError> {
    let options = RunOptions {
        stdin: Call::describe().to_json().into_bytes(),
        ..options.clone()
    };
    let outcome = run(tool, &options).await?;
    let tools = call::read_description(&outcome.parsed).map_err(|error| {
        let program = tool.program().display();
        let message = format!(
            "`{program}` does not describe its tools as it should: at `{}` {error}",
            error.pointer()
        );
        HostError::new(HostErrorKind::BadDescription, message)
    })?;
    Ok(Listed { tools, outcome })
}

/// A future that may be waited for again after it is done.
struct Once<F>(Option<Pin<Box<F>>>);

impl<F: Future<Output = ()>> Future for Once<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let done = match &mut self.0 {
            Some(future) => future.as_mut().poll(context),
            None => Poll::Ready(()),
        };
        if done.is_ready() {
            self.0 = None;
        }
        done
    }
}

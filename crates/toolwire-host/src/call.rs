//! A call with an answerer, as one function.

use std::collections::BTreeMap;
use std::future::{Future, pending};
use std::pin::pin;

use toolwire::call::{self, Call, ToolDescription};
use toolwire::{Exit, Json, Parsed, headline, terminal_safe};

use crate::conversation::{Given, Link, drive};
use crate::exchange::brief;
use crate::transport::control::Ending;
use crate::{
    Answerer, CallOptions, CallOutcome, Event, HostError, HostErrorKind, Nobody, Reply, RunReport,
    Transport,
};

/// Calls a tool and gets its questions answered, until there is a result.
///
/// Each round is one call through the transport. If the future is dropped, the tool is stopped in the
/// background.
///
/// # Errors
///
/// Only if the call cannot reach the tool, in any round. Whatever the tool or the answerer does is a result.
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
/// use toolwire_host::{CallOptions, Command, PendingQuestion, Process, block_on, call};
///
/// # if cfg!(windows) { return Ok(()); }
/// // A tool in a shell: it asks, unless it finds the answer in its call.
/// let script = r#"grep -q '"ok":true' && echo Renamed. ||
///     echo '{"content":[{"type":"question","question":{"id":"ok","text":"Rename?","schema":{"type":"boolean"}}}]}'"#;
/// let tool = Process::from(Command::new("sh").args(["-c", script]));
/// let document = Call::new("rename", Json::new(r#"{"path":"a","to":"b"}"#)?);
/// let mut yes = |_: &PendingQuestion| Answer::accepted(Json::from(true), AnswerSource::User);
/// let outcome = block_on(call(&tool, document, &CallOptions::default(), &mut yes))?;
/// assert_eq!(outcome.rounds, 2);
/// assert_eq!(outcome.parsed.block(0).unwrap().text().unwrap(), "Renamed.\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn call(
    transport: &dyn Transport,
    call: Call,
    options: &CallOptions,
    answerer: &mut impl Answerer,
) -> Result<CallOutcome, HostError> {
    call_until(transport, call, options, answerer, pending()).await
}

/// Calls a tool as [`call()`] does, until there is a result or until `cancel` is done.
///
/// A running tool is stopped (PROC-23). A pending question is cancelled: the result is an error envelope with
/// what the tool had answered before.
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
/// use toolwire_host::{CallOptions, Command, Nobody, Process, block_on, call_until};
///
/// # if cfg!(windows) { return Ok(()); }
/// let tool = Process::from(Command::new("sleep").arg("60"));
/// let document = Call::new("sleep", Json::new("{}")?);
/// let outcome = block_on(async {
///     let impatient = tokio::time::sleep(Duration::from_millis(20));
///     call_until(&tool, document, &CallOptions::default(), &mut Nobody, impatient).await
/// })?;
/// assert!(outcome.cancelled() && outcome.parsed.is_error());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn call_until(
    transport: &dyn Transport,
    call: Call,
    options: &CallOptions,
    answerer: &mut impl Answerer,
    cancel: impl Future<Output = ()>,
) -> Result<CallOutcome, HostError> {
    let options = CallOptions {
        stderr_events: false,
        tool_events: false,
        ..options.clone()
    };
    let link = Link::default();
    let mut driving = pin!(drive(transport, call, &options, &link));
    let mut answering = pin!(async {
        while let Some(event) = link.mailbox.take().await {
            if let Event::Question(question) = event {
                let answer = answerer.answer(&question).await;
                link.give(&question.question.id, Given::Answer(answer));
            }
        }
        pending::<()>().await
    });
    let mut cancel = pin!(cancel);
    let mut cancelled = false;
    loop {
        tokio::select! {
            biased;
            () = &mut cancel, if !cancelled => {
                cancelled = true;
                link.end.set(Ending::Cancelled);
            }
            outcome = &mut driving => return outcome,
            () = &mut answering => {}
        }
    }
}

/// The tools of a program.
///
/// ```
/// use toolwire_host::{Command, Process, block_on, list_tools};
///
/// # if cfg!(windows) { return Ok(()); }
/// let list = block_on(list_tools(&Process::from(Command::new("echo").arg("hello"))))?;
/// assert!(list.tools.is_none()); // `echo` knows nothing of Toolwire, and said hello instead
/// assert_eq!(list.reply.report.stdout, b"hello\n");
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct ToolList {
    /// The tools; `None` if the program does not know the protocol. It has then done its usual work, as far
    /// as it could without arguments, and `reply` is the result (CALL-32, CALL-35).
    pub tools: Option<Vec<ToolDescription>>,
    /// Why other tools of a manifest are not among them, by their names.
    pub problems: BTreeMap<String, String>,
    /// The reply of the program.
    pub reply: Reply,
}

impl ToolList {
    /// The tools in the outcome of a call with the action `describe` ([`Call::describe`]).
    ///
    /// # Errors
    ///
    /// Those of [`ToolList::tools_in`], with the [`reply`](HostError::reply).
    ///
    /// ```
    /// use toolwire::call::Call;
    /// use toolwire_host::{CallOptions, Command, Nobody, Process, ToolList, block_on, call};
    ///
    /// # if cfg!(windows) { return Ok(()); }
    /// let date = Process::from(Command::new("date"));
    /// let outcome = block_on(call(&date, Call::describe(), &CallOptions::default(), &mut Nobody))?;
    /// assert!(ToolList::from_outcome(outcome)?.tools.is_none());
    /// # Ok::<(), toolwire_host::HostError>(())
    /// ```
    pub fn from_outcome(outcome: CallOutcome) -> Result<Self, HostError> {
        let tools = ToolList::tools_in(&outcome);
        let problems = outcome.parsed.meta();
        let problems =
            problems.and_then(|meta| Json::from(meta.get(call::PROBLEMS_KEY)?).to_value().ok());
        let problems = problems.unwrap_or_default();
        let reply = Reply::new(outcome.parsed).reported(outcome.report);
        match tools {
            Ok(tools) => Ok(ToolList {
                tools,
                problems,
                reply,
            }),
            Err(error) => Err(error.with_reply(reply)),
        }
    }

    /// The tools in an outcome that is still needed; nothing if the program ended well without a
    /// description, as one does that does not know the protocol.
    ///
    /// # Errors
    ///
    /// `bad_description` if the answer is a description, but not as CALL-31 says; `describe_failed` if it
    /// is none and the program failed or was stopped (PROC-31). The message ends with the program's own
    /// last words.
    ///
    /// ```
    /// use toolwire::call::Call;
    /// use toolwire_host::{CallOptions, Command, Nobody, Process, ToolList, block_on, call};
    ///
    /// # if cfg!(windows) { return Ok(()); }
    /// let broken = Process::from(Command::new("sh").args(["-c", "echo 'no such module' >&2; exit 3"]));
    /// let outcome = block_on(call(&broken, Call::describe(), &CallOptions::default(), &mut Nobody))?;
    /// assert_eq!(
    ///     ToolList::tools_in(&outcome).unwrap_err().to_string(),
    ///     "the program failed when it was asked for its tools (exit status 3): no such module",
    /// );
    /// # Ok::<(), toolwire_host::HostError>(())
    /// ```
    pub fn tools_in(outcome: &CallOutcome) -> Result<Option<Vec<ToolDescription>>, HostError> {
        let tools = call::read_description(&outcome.parsed).map_err(|error| {
            let message = format!(
                "the program does not describe its tools as it should: at `{}` {error}",
                error.pointer()
            );
            HostError::new(HostErrorKind::BadDescription, message)
        })?;
        if tools.is_none() && outcome.parsed.is_error() {
            return Err(describe_failed(
                "the program",
                &outcome.parsed,
                &outcome.report,
            ));
        }
        Ok(tools)
    }
}

/// The most characters of a program's last words in a message.
const LAST_WORDS: usize = 400;

/// The error for a program, named `who`, that failed when it was asked for its tools.
pub(crate) fn describe_failed(who: &str, parsed: &Parsed<'_>, report: &RunReport) -> HostError {
    let how = match (report.stopped, report.exit) {
        (None, Some(Exit::Code(0)) | None) | (Some(_), _) => String::new(),
        (None, Some(Exit::Code(code))) => format!(" (exit status {code})"),
        (None, Some(Exit::Signal(signal))) => format!(" (signal {signal})"),
    };
    let said = match last_words(parsed, report) {
        Some(words) => format!(": {}", terminal_safe(&brief(&words, LAST_WORDS), false)),
        None => String::new(),
    };
    let message = format!("{who} failed when it was asked for its tools{how}{said}");
    HostError::new(HostErrorKind::DescribeFailed, message)
}

/// What the program itself said last: on stderr, or as raw text on stdout; or the text of its error
/// envelope, which is the host's own where it was stopped.
fn last_words(parsed: &Parsed<'_>, report: &RunReport) -> Option<String> {
    if parsed.is_raw() {
        return headline(&report.stderr).or_else(|| headline(&report.stdout));
    }
    let text = parsed.blocks().find_map(|block| block.text())?;
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| !line.is_empty()).map(str::to_owned)
}

/// Asks a program which tools it holds: calls it with the action `describe`.
///
/// A program that does not know the protocol does its usual work instead (CALL-35), so only ask a program
/// that a person has named as a tool.
///
/// # Errors
///
/// Those of [`call()`] and of [`ToolList::from_outcome`]: `bad_description` and `describe_failed`.
///
/// # Panics
///
/// As [`call()`].
///
/// # Examples
///
/// ```
/// use toolwire_host::{Command, Process, block_on, list_tools};
///
/// # if cfg!(windows) { return Ok(()); }
/// let tools = r#"{"toolwire":1,"tools":[{"name":"now","inputSchema":{"type":"object"}}]}"#;
/// let tool = Command::new("echo").arg(format!(r#"{{"content":[],"structuredContent":{tools}}}"#));
/// let list = block_on(list_tools(&Process::from(tool)))?;
/// assert_eq!(list.tools.unwrap()[0].name, "now");
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
pub async fn list_tools(transport: &dyn Transport) -> Result<ToolList, HostError> {
    let (call, options) = (Call::describe(), CallOptions::default());
    let outcome = crate::call(transport, call, &options, &mut Nobody).await?;
    ToolList::from_outcome(outcome)
}

/// Runs a future to completion on a runtime of its own, for programs that are not async.
///
/// # Errors
///
/// Those of the future, and `system_error` if no runtime can be created.
///
/// # Panics
///
/// If called inside an async runtime; await the future there instead.
///
/// # Examples
///
/// ```
/// use toolwire_host::{Command, ProcessOptions, block_on, run};
///
/// # if cfg!(windows) { return Ok(()); }
/// let reply = block_on(run(&Command::new("true"), &ProcessOptions::default()))?;
/// assert!(!reply.parsed.is_error());
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
pub fn block_on<T>(future: impl Future<Output = Result<T, HostError>>) -> Result<T, HostError> {
    let runtime = crate::build_runtime(&mut tokio::runtime::Builder::new_current_thread())
        .map_err(|error| HostError::system("the tool can't be waited for", error))?;
    runtime.block_on(future)
}

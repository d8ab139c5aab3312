//! The reply of a transport.

use std::collections::BTreeMap;
use std::time::Duration;

use toolwire::author::{Failure, bad_arguments};
use toolwire::{Exit, Json, Parsed, closed_words};
use toolwire_schema::{CheckError, Mismatch, check_foreign, check_value};

/// Why a host stopped a tool.
///
/// ```
/// use toolwire_host::StopReason;
///
/// assert_eq!(StopReason::Timeout.as_str(), "timeout");
/// assert_eq!("stdout_limit".parse(), Ok(StopReason::StdoutLimit));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// Its time was over (PROC-21).
    Timeout,
    /// The call was cancelled (PROC-23).
    Cancelled,
    /// It wrote more than it may to stdout (PROC-11).
    StdoutLimit,
    /// It wrote more than it may to the result channel (PROC-11).
    ResultLimit,
}

// In the order of PROC-26.
closed_words!(StopReason, "a reason to stop a tool", {
    Timeout => "timeout",
    Cancelled => "cancelled",
    StdoutLimit => "stdout_limit",
    ResultLimit => "result_limit",
});

/// What a transport brings back from a tool: a result, in every case, and a report about the run.
///
/// ```
/// use toolwire_host::{Command, ProcessOptions, block_on, run};
///
/// # if cfg!(windows) { return Ok(()); }
/// let reply = block_on(run(&Command::new("echo").arg("hello"), &ProcessOptions::default()))?;
/// assert!(!reply.parsed.is_error());
/// assert_eq!(reply.report.stdout, b"hello\n");
/// assert_eq!(reply.report.exit, Some(toolwire::Exit::Code(0)));
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
#[expect(
    clippy::manual_non_exhaustive,
    reason = "the rest of this crate is kept from making one too"
)]
pub struct Reply {
    /// The result: the tool's answer as it was read (EXIT-1 to EXIT-4) or, if the host stopped the tool, the
    /// error envelope of PROC-25. What the tool itself claims about answers is removed (CALL-24); the report has
    /// the unchanged bytes.
    pub parsed: Parsed<'static>,
    /// The report about the run.
    pub report: RunReport,
    /// Keeps every other module from making one without [`Reply::new`].
    _made_here: (),
}

impl Reply {
    /// The reply of a tool of which nothing is known but its answer. Every result of a tool comes into
    /// the host here, so this is where what it claims of answers is taken away (CALL-24).
    #[must_use]
    pub fn new(parsed: Parsed<'static>) -> Self {
        Reply {
            parsed: parsed.with_answers(&BTreeMap::new()),
            report: RunReport::default(),
            _made_here: (),
        }
    }

    /// The same with how it came about.
    pub(crate) fn reported(self, report: RunReport) -> Self {
        Reply { report, ..self }
    }
}

/// A report about one run of a tool. Members that a transport does not know are absent or empty.
///
/// ```
/// let report = toolwire_host::RunReport::default();
/// assert!(report.exit.is_none() && report.stopped.is_none() && report.stdout.is_empty());
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RunReport {
    /// How the tool ended. A tool that was killed ended by signal 9. `None` if the tool is not a process that
    /// ends with its answer, or was never started.
    pub exit: Option<Exit>,
    /// What it wrote to stdout, at most `max_output` bytes; a log, if it answered through the result channel.
    pub stdout: Vec<u8>,
    /// Whether it answered through the result channel (EXIT-1).
    pub by_channel: bool,
    /// The end of its stderr.
    pub stderr: Vec<u8>,
    /// Whether it wrote more to stderr.
    pub stderr_truncated: bool,
    /// Why the host stopped it; `None` if it ended by itself.
    pub stopped: Option<StopReason>,
    /// Whether a process that it started still held stdout or stderr open after the linger.
    pub left_behind: bool,
    /// From the start of the tool to the end of all reading.
    pub elapsed: Duration,
    /// Where the structured content of the result does not fit the tool's output schema, if the transport
    /// knows that schema: pointers into the structured content, at most 20.
    pub output_mismatches: Vec<Mismatch>,
}

/// What in a result the output schema of its tool does not allow.
///
/// ```
/// use toolwire::{Json, Limits, parse};
/// use toolwire_host::output_mismatches;
///
/// let result = parse(&br#"{"content":[],"structuredContent":{"n":"many"}}"#[..], &Limits::default());
/// let schema = Json::new(r#"{"properties":{"n":{"type":"integer"}}}"#)?;
/// assert_eq!(output_mismatches(&result, &schema)[0].pointer, "/n");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn output_mismatches(parsed: &Parsed<'_>, schema: &Json) -> Vec<Mismatch> {
    let whole = |message: String| {
        vec![Mismatch {
            pointer: String::new(),
            message,
        }]
    };
    if parsed.is_error() {
        return Vec::new();
    }
    let Some(content) = parsed.structured_content() else {
        return whole("there is no structured content".to_owned());
    };
    match check_foreign(schema, &Json::from(content)) {
        Ok(()) => Vec::new(),
        Err(CheckError::Mismatches(found)) => found,
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => {
            whole(format!("it can't be checked: {}", error.message()))
        }
    }
}

/// Checks the arguments of a call against the schema of the tool.
///
/// ```
/// use toolwire::Json;
/// use toolwire_host::check_arguments;
///
/// let schema = Json::new(r#"{"type":"object","required":["path"]}"#)?;
/// let failure = check_arguments("show", &schema, &Json::new("{}")?).unwrap_err();
/// assert!(failure.message.starts_with("the arguments of `show` do not fit"));
/// # Ok::<(), toolwire::Error>(())
/// ```
///
/// # Errors
///
/// The failure that the caller gets as the result: the arguments do not fit, or cannot be checked.
pub fn check_arguments(tool: &str, schema: &Json, arguments: &Json) -> Result<(), Failure> {
    check_value(schema, arguments).map_err(|error| match error {
        CheckError::Mismatches(found) => {
            let found = found.into_iter().map(|one| (one.pointer, one.message));
            bad_arguments(tool, &found.collect::<Vec<_>>())
        }
        CheckError::BadSchema(error) | CheckError::OverBudget(error) => Failure::new(format!(
            "the arguments of `{tool}` can't be checked: {error}"
        )),
    })
}

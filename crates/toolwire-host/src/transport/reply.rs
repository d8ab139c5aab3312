//! What a transport brings back.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use toolwire::{Exit, Parsed};

/// Why a host ended a tool before it ended by itself.
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

impl StopReason {
    /// All reasons, in the order of PROC-26.
    pub const ALL: [StopReason; 4] = [
        StopReason::Timeout,
        StopReason::Cancelled,
        StopReason::StdoutLimit,
        StopReason::ResultLimit,
    ];

    /// The reason as a word: `timeout`, `cancelled`, `stdout_limit` or `result_limit`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            StopReason::Timeout => "timeout",
            StopReason::Cancelled => "cancelled",
            StopReason::StdoutLimit => "stdout_limit",
            StopReason::ResultLimit => "result_limit",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for StopReason {
    type Err = crate::UnknownWord;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        crate::words::find(&StopReason::ALL, StopReason::as_str, word)
    }
}

/// What a transport brings back from a tool: always a result that can be read, and how it came about.
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
    /// The result: the tool's answer as it is read (EXIT-1 to EXIT-4), or, where the host stopped the
    /// tool, the error envelope of PROC-25. What the tool claims in it of answers is taken away
    /// (CALL-24); the bytes as it wrote them are in the report.
    pub parsed: Parsed<'static>,
    /// How it came about.
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

/// How one run of a tool went, beside its answer. What a transport does not know is absent or empty.
///
/// ```
/// let report = toolwire_host::RunReport::default();
/// assert!(report.exit.is_none() && report.stopped.is_none() && report.stdout.is_empty());
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RunReport {
    /// How the tool ended. One that was killed was ended by signal 9. Nothing where the tool is no
    /// process that ends with its answer, or was never started.
    pub exit: Option<Exit>,
    /// What it wrote to stdout, at most `max_output` bytes; its log, if it answered by the result
    /// channel.
    pub stdout: Vec<u8>,
    /// Whether it answered by the result channel (EXIT-1).
    pub by_channel: bool,
    /// The end of what it wrote to stderr.
    pub stderr: Vec<u8>,
    /// Whether it wrote more to stderr than was kept.
    pub stderr_truncated: bool,
    /// Why the host stopped it; nothing if it ended by itself.
    pub stopped: Option<StopReason>,
    /// Whether something that it started still held stdout or stderr when the linger was over.
    pub left_behind: bool,
    /// From the start of the tool to the end of all reading.
    pub elapsed: Duration,
}

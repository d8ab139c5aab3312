//! What a run leaves behind.

use std::time::Duration;

use toolwire::{Exit, Parsed};

/// Why a host ended a tool before it ended by itself.
///
/// ```
/// use toolwire_host::Stop;
///
/// assert_eq!(Stop::Timeout.as_str(), "timeout");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stop {
    /// Its time was over (PROC-21).
    Timeout,
    /// The call was cancelled (PROC-23).
    Cancelled,
    /// It wrote more than it may to stdout (PROC-11).
    StdoutLimit,
    /// It wrote more than it may to the result channel (PROC-11).
    ResultLimit,
}

impl Stop {
    /// The reason as a word: `timeout`, `cancelled`, `stdout_limit` or `result_limit`.
    ///
    /// ```
    /// use toolwire_host::Stop;
    ///
    /// assert_eq!(Stop::StdoutLimit.as_str(), "stdout_limit");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Stop::Timeout => "timeout",
            Stop::Cancelled => "cancelled",
            Stop::StdoutLimit => "stdout_limit",
            Stop::ResultLimit => "result_limit",
        }
    }
}

/// What a run leaves behind: always a result that can be read, and how it came about.
///
/// ```
/// use toolwire_host::{RunOptions, Tool, blocking};
///
/// # if cfg!(windows) { return Ok(()); }
/// let outcome = blocking::run(&Tool::new("echo").arg("hello"), &RunOptions::default())?;
/// assert_eq!(outcome.stdout, b"hello\n");
/// assert_eq!(outcome.exit, toolwire::Exit::Code(0));
/// assert!(outcome.stopped.is_none() && !outcome.parsed.is_error());
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
#[derive(Debug)]
pub struct Outcome {
    /// The result: the tool's answer as it is read (EXIT-1 to EXIT-4), or, where the host stopped the
    /// tool, the error envelope of PROC-25.
    pub parsed: Parsed<'static>,
    /// How the tool ended. One that was killed was ended by signal 9.
    pub exit: Exit,
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
    pub stopped: Option<Stop>,
    /// Whether something that it started still held stdout or stderr when the linger was over.
    pub left_behind: bool,
    /// From the start of the tool to the end of all reading.
    pub elapsed: Duration,
}

impl Outcome {
    /// Whether the tool's time was over.
    ///
    /// ```
    /// use std::time::Duration;
    /// use toolwire_host::{RunOptions, Tool, blocking};
    ///
    /// # if cfg!(windows) { return Ok(()); }
    /// let options = RunOptions { timeout: Some(Duration::from_millis(50)), ..RunOptions::default() };
    /// let outcome = blocking::run(&Tool::new("sleep").arg("60"), &options)?;
    /// assert!(outcome.timed_out() && outcome.parsed.is_error() && outcome.parsed.transient());
    /// # Ok::<(), toolwire_host::HostError>(())
    /// ```
    #[must_use]
    pub fn timed_out(&self) -> bool {
        self.stopped == Some(Stop::Timeout)
    }

    /// Whether the call was cancelled.
    ///
    /// ```
    /// use toolwire_host::{RunOptions, Tool, blocking};
    ///
    /// # if cfg!(windows) { return Ok(()); }
    /// assert!(!blocking::run(&Tool::new("true"), &RunOptions::default())?.cancelled());
    /// # Ok::<(), toolwire_host::HostError>(())
    /// ```
    #[must_use]
    pub fn cancelled(&self) -> bool {
        self.stopped == Some(Stop::Cancelled)
    }
}

//! The options of a run.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use toolwire::Limits;

use super::{Environment, EventLimits, EventObserver, Terminal};

/// Gets the stderr of a tool live.
///
/// Pieces can begin and end anywhere, even inside a character. The observer must not block: while it runs, the
/// tool's output is not read.
///
/// ```
/// use toolwire_host::{Observer, ProcessOptions};
///
/// let on_stderr = Observer::new(|piece| eprint!("{}", String::from_utf8_lossy(piece)));
/// let options = ProcessOptions { on_stderr: Some(on_stderr), ..ProcessOptions::default() };
/// # let _ = options;
/// ```
#[derive(Clone)]
pub struct Observer(Arc<Function>);

type Function = dyn Fn(&[u8]) + Send + Sync;

impl Observer {
    /// An observer that calls this function with each piece.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use toolwire_host::Observer;
    ///
    /// let seen = Arc::new(Mutex::new(Vec::new()));
    /// let observer = Observer::new({
    ///     let seen = Arc::clone(&seen);
    ///     move |piece| seen.lock().unwrap().extend_from_slice(piece)
    /// });
    /// # let _ = observer;
    /// ```
    #[must_use]
    pub fn new(function: impl Fn(&[u8]) + Send + Sync + 'static) -> Self {
        Observer(Arc::new(function))
    }

    /// Shows it a piece.
    ///
    /// ```
    /// toolwire_host::Observer::new(|piece| assert_eq!(piece, b"hello")).show(b"hello");
    /// ```
    pub fn show(&self, piece: &[u8]) {
        (self.0)(piece);
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

/// How a tool is run. The default has no time-out.
///
/// ```
/// use std::time::Duration;
/// use toolwire_host::ProcessOptions;
///
/// let options = ProcessOptions {
///     stdin: br#"{"tool":{"name":"search"}}"#.to_vec(),
///     timeout: Some(Duration::from_secs(30)),
///     ..ProcessOptions::default()
/// };
/// assert_eq!(options.max_output, 64 * 1024 * 1024);
/// ```
#[derive(Debug, Clone)]
pub struct ProcessOptions {
    /// The call document, which is written to the tool's stdin (PROC-6). If it is not empty, `TOOLWIRE_CALL` is
    /// set (CALL-11). The default is empty.
    pub stdin: Vec<u8>,
    /// The working directory of the tool; default: that of the host. It does not affect how the program is
    /// looked up (PROC-2).
    pub cwd: Option<PathBuf>,
    /// The environment variables that the tool gets (PROC-5).
    pub environment: Environment,
    /// Interpreters for files that the system cannot run by itself, by their extension in lower case, such
    /// as `py`: a path, or a name that is looked up on the `PATH`. They take precedence over the usual ones.
    pub interpreters: BTreeMap<String, PathBuf>,
    /// The terminal that the tool has; default: none (PROC-7).
    pub terminal: Terminal,
    /// The time limit for the tool; default: none (PROC-21).
    pub timeout: Option<Duration>,
    /// Maximum time without output or progress; default: no limit. It starts again with each run.
    pub silence: Option<Duration>,
    /// The time between asking a tool to end and killing it; default 2 seconds (PROC-22).
    pub grace: Duration,
    /// How long stdout and stderr are read after the tool has ended, if a process that it started holds them
    /// open; default half a second (PROC-20).
    pub linger: Duration,
    /// Maximum number of bytes of stdout, and of the result channel; default 64 MiB (PROC-11).
    pub max_output: usize,
    /// How many bytes of the end of stderr are kept; default 64 KiB (PROC-12).
    pub stderr_tail: usize,
    /// Whether the tool is offered a result channel in `TOOLWIRE_RESULT`; default true (PROC-13).
    pub result_channel: bool,
    /// The limits for reading the answer (READ-3).
    pub limits: Limits,
    /// Gets stderr live.
    pub on_stderr: Option<Observer>,
    /// Gets progress and log messages live. If there is one, or if the call gives
    /// [events](crate::CallOptions::tool_events), the tool is offered an events file in `TOOLWIRE_EVENTS` (EVT-1).
    pub on_event: Option<EventObserver>,
    /// The limits for what the tool says through the events file (EVT-20).
    pub events: EventLimits,
}

impl Default for ProcessOptions {
    fn default() -> Self {
        ProcessOptions {
            stdin: Vec::new(),
            cwd: None,
            environment: Environment::default(),
            interpreters: BTreeMap::new(),
            terminal: Terminal::None,
            timeout: None,
            silence: None,
            grace: Duration::from_secs(2),
            linger: Duration::from_millis(500),
            max_output: 64 * 1024 * 1024,
            stderr_tail: 64 * 1024,
            result_channel: true,
            limits: Limits::default(),
            on_stderr: None,
            on_event: None,
            events: EventLimits::default(),
        }
    }
}

//! What a host sets for a run.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use toolwire::Limits;

use super::{Environment, Terminal};

/// Sees what a tool writes to stderr while it writes it.
///
/// Pieces come as they are read; they may begin and end anywhere, also inside a character. The
/// observer must not block: the tool is not read while it works.
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

    pub(crate) fn show(&self, piece: &[u8]) {
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
    /// What the tool gets on stdin, which is then closed: its call document (PROC-6). If it is not
    /// empty, as it is by default, the tool is told so in `TOOLWIRE_CALL` (CALL-11).
    pub stdin: Vec<u8>,
    /// The folder in which the tool runs; the host's own by default. It does not change which file
    /// the program is (PROC-2).
    pub cwd: Option<PathBuf>,
    /// The environment variables that the tool gets (PROC-5).
    pub environment: Environment,
    /// The programs that run files which the system can't run by itself, by their extensions in lower
    /// case, such as `py`: a path, or a name that is looked up on the `PATH`. They come before those
    /// of PROC-3 (PROC-41).
    pub interpreters: BTreeMap<String, PathBuf>,
    /// Which terminal the tool has; none by default (PROC-7, PROC-9).
    pub terminal: Terminal,
    /// How long the tool may run; as long as it likes by default (PROC-21).
    pub timeout: Option<Duration>,
    /// How long a tool that was asked to end may take before it is killed; 2 seconds by default
    /// (PROC-22).
    pub grace: Duration,
    /// How long stdout and stderr are read after the tool has ended, if something that it started
    /// holds them open; half a second by default (PROC-20).
    pub linger: Duration,
    /// The most bytes that the tool may write to stdout, and the most to the result channel; 64 MiB
    /// by default (PROC-11).
    pub max_output: usize,
    /// How many bytes of the end of stderr are kept; 64 KiB by default (PROC-12).
    pub stderr_tail: usize,
    /// Whether the tool is offered a result channel in `TOOLWIRE_RESULT`; yes by default (PROC-13).
    pub result_channel: bool,
    /// The limits within which the answer is read (READ-3).
    pub limits: Limits,
    /// Sees stderr live.
    pub on_stderr: Option<Observer>,
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
            grace: Duration::from_secs(2),
            linger: Duration::from_millis(500),
            max_output: 64 * 1024 * 1024,
            stderr_tail: 64 * 1024,
            result_channel: true,
            limits: Limits::default(),
            on_stderr: None,
        }
    }
}

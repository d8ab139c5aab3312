//! How the host listens to the events of a tool.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use toolwire::event::ToolEvent;

/// Gets the progress and the log messages of a tool live (EVT-1).
///
/// The observer must not block: while it runs, the tool's output is not read.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use toolwire_host::{Command, EventObserver, ProcessOptions, block_on, run};
///
/// # if cfg!(windows) { return Ok(()); }
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let observer = EventObserver::new({
///     let seen = Arc::clone(&seen);
///     move |event| seen.lock().unwrap().push(event.to_json())
/// });
/// let options = ProcessOptions { on_event: Some(observer), ..ProcessOptions::default() };
/// let script = r#"echo '{"type":"progress","done":1,"total":2}' >> "$TOOLWIRE_EVENTS""#;
/// block_on(run(&Command::new("sh").args(["-c", script]), &options))?;
/// assert_eq!(*seen.lock().unwrap(), [r#"{"done":1,"total":2,"type":"progress"}"#]);
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
#[derive(Clone)]
pub struct EventObserver(Arc<Function>);

type Function = dyn Fn(&ToolEvent) + Send + Sync;

impl EventObserver {
    /// An observer that calls this function with each event.
    #[must_use]
    pub fn new(function: impl Fn(&ToolEvent) + Send + Sync + 'static) -> Self {
        EventObserver(Arc::new(function))
    }

    pub(crate) fn tell(&self, event: &ToolEvent) {
        (self.0)(event);
    }
}

impl fmt::Debug for EventObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventObserver")
    }
}

/// How much a tool may say through its events file (EVT-20).
///
/// ```
/// use toolwire_host::{EventLimits, ProcessOptions};
///
/// let events = EventLimits { max_bytes: 100_000, ..EventLimits::default() };
/// let options = ProcessOptions { events, ..ProcessOptions::default() };
/// assert_eq!(options.events.max_line, 65_536);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventLimits {
    /// Maximum number of bytes of a line, without its line feed; default 64 KiB. A longer one is skipped.
    pub max_line: usize,
    /// Maximum number of bytes that are read in one run; default 16 MiB. The rest is cut off.
    pub max_bytes: u64,
    /// The shortest time between two reports of progress that follow each other; default 50 milliseconds. Of
    /// what comes in between, the last one counts.
    pub progress_interval: Duration,
}

impl Default for EventLimits {
    fn default() -> Self {
        EventLimits {
            max_line: 64 * 1024,
            max_bytes: 16 * 1024 * 1024,
            progress_interval: Duration::from_millis(50),
        }
    }
}

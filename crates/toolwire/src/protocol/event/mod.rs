//! What a tool says while it runs: how far it is, and log messages (EVT rules).

mod read;

pub use read::read_event;
pub(crate) use read::{event_at, progress_at};

use serde::{Serialize, Serializer};

use crate::base::json::{ObjectWriter, canonical_number, serialize_text};

/// How far a tool has come (EVT-10).
///
/// ```
/// use toolwire::event::Progress;
///
/// let progress = Progress::new(3.0, Some(14.0), Some("reading".into()));
/// assert_eq!(progress.fraction(), Some(3.0 / 14.0));
/// assert_eq!(
///     progress.to_json(),
///     r#"{"done":3,"message":"reading","total":14,"type":"progress"}"#,
/// );
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How much is done, in any unit: finite, and not below zero. It can go back, for instance where a tool
    /// begins its next step.
    pub done: f64,
    /// How much there is to do, if that is known: finite, above zero, and not below `done`.
    pub total: Option<f64>,
    /// What the tool does just now.
    pub message: Option<String>,
}

impl Progress {
    /// Progress of which the numbers make sense: what is not finite or is below zero is zero, and a total that
    /// is none (EVT-11) is unknown.
    ///
    /// ```
    /// use toolwire::event::Progress;
    ///
    /// assert_eq!(Progress::new(f64::NAN, Some(-1.0), None), Progress::new(0.0, None, None));
    /// assert_eq!(Progress::new(5.0, Some(4.0), None).total, None);
    /// ```
    #[must_use]
    pub fn new(done: f64, total: Option<f64>, message: Option<String>) -> Self {
        let done = Some(done)
            .filter(|done| done.is_finite())
            .unwrap_or(0.0)
            .max(0.0);
        let makes_sense = |total: &f64| total.is_finite() && *total > 0.0 && *total >= done;
        Progress {
            done,
            total: total.filter(makes_sense),
            message,
        }
    }

    /// The share that is done, from 0 to 1, if the total is known.
    ///
    /// ```
    /// use toolwire::event::Progress;
    ///
    /// assert_eq!(Progress::new(1.0, Some(4.0), None).fraction(), Some(0.25));
    /// ```
    #[must_use]
    pub fn fraction(&self) -> Option<f64> {
        self.total.map(|total| (self.done / total).clamp(0.0, 1.0))
    }

    /// The line of an events file, without its line feed.
    ///
    /// ```
    /// use toolwire::event::Progress;
    ///
    /// assert_eq!(Progress::new(0.5, None, None).to_json(), r#"{"done":0.5,"type":"progress"}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        ObjectWriter::new()
            .json("done", number(self.done))
            .optional("message", self.message.as_deref())
            .optional_json("total", self.total.map(number))
            .text("type", PROGRESS)
            .end()
    }
}

/// A log message of a tool (EVT-12).
///
/// ```
/// use toolwire::event::{Level, Message};
///
/// let message = Message::new(Level::Warning, "the cache is cold");
/// assert_eq!(
///     message.to_json(),
///     r#"{"level":"warning","message":"the cache is cold","type":"log"}"#,
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// How serious it is.
    pub level: Level,
    /// What the tool says. It is untrusted text, as all that a tool says.
    pub text: String,
    /// The part of the tool that says it.
    pub logger: Option<String>,
}

impl Message {
    /// A message without a logger.
    ///
    /// ```
    /// use toolwire::event::{Level, Message};
    ///
    /// assert_eq!(Message::new(Level::Info, "hello").logger, None);
    /// ```
    #[must_use]
    pub fn new(level: Level, text: impl Into<String>) -> Self {
        Message {
            level,
            text: text.into(),
            logger: None,
        }
    }

    /// The same message from this part of the tool.
    ///
    /// ```
    /// use toolwire::event::{Level, Message};
    ///
    /// assert_eq!(Message::new(Level::Info, "hello").by("db").logger.as_deref(), Some("db"));
    /// ```
    #[must_use]
    pub fn by(mut self, logger: impl Into<String>) -> Self {
        self.logger = Some(logger.into());
        self
    }

    /// The line of an events file, without its line feed.
    ///
    /// ```
    /// use toolwire::event::{Level, Message};
    ///
    /// let line = Message::new(Level::Info, "hello").by("db").to_json();
    /// assert_eq!(line, r#"{"level":"info","logger":"db","message":"hello","type":"log"}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        ObjectWriter::new()
            .text("level", self.level.as_str())
            .optional("logger", self.logger.as_deref())
            .text("message", &self.text)
            .text("type", LOG)
            .end()
    }
}

/// How serious a log message is: the levels of syslog (RFC 5424), which MCP has too, from the least to the most
/// serious.
///
/// ```
/// use toolwire::event::Level;
///
/// assert!(Level::Debug < Level::Error);
/// assert_eq!("warning".parse(), Ok(Level::Warning));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// For debugging.
    Debug,
    /// What goes on.
    Info,
    /// Usual, but worth knowing.
    Notice,
    /// Something may be wrong.
    Warning,
    /// Something went wrong.
    Error,
    /// A part of the tool does not work.
    Critical,
    /// Immediate action is required.
    Alert,
    /// Nothing works.
    Emergency,
}

closed_words!(Level, "a level", {
    Debug => "debug",
    Info => "info",
    Notice => "notice",
    Warning => "warning",
    Error => "error",
    Critical => "critical",
    Alert => "alert",
    Emergency => "emergency",
});

/// What a line of an events file says.
///
/// ```
/// use toolwire::{Limits, event::{Level, Message, ToolEvent, read_event}};
///
/// let line = br#"{"type":"log","level":"info","message":"hello"}"#;
/// let event = read_event(line, &Limits::default())?;
/// assert_eq!(event, Some(ToolEvent::Message(Message::new(Level::Info, "hello"))));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ToolEvent {
    /// How far the tool has come.
    Progress(Progress),
    /// A log message.
    Message(Message),
}

impl ToolEvent {
    /// The line of an events file, without its line feed: it reads as the same event.
    ///
    /// ```
    /// use toolwire::event::{Progress, ToolEvent};
    ///
    /// let event = ToolEvent::Progress(Progress::new(1.0, None, None));
    /// assert_eq!(event.to_json(), r#"{"done":1,"type":"progress"}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            ToolEvent::Progress(progress) => progress.to_json(),
            ToolEvent::Message(message) => message.to_json(),
        }
    }
}

impl Serialize for ToolEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(self.to_json(), serializer)
    }
}

/// The `type` of a line that tells progress, and of one that is a log message.
const PROGRESS: &str = "progress";
const LOG: &str = "log";

/// A finite number as JSON.
fn number(value: f64) -> String {
    let mut out = Vec::new();
    canonical_number(&mut out, format!("{value:e}").as_bytes());
    String::from_utf8_lossy(&out).into_owned()
}

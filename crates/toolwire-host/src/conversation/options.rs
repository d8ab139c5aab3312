//! The options of a call.

use crate::ExchangeOptions;

/// How the questions of a call are handled, and which events it gives.
///
/// ```
/// use toolwire_host::CallOptions;
///
/// assert_eq!(CallOptions::default().exchange.max_rounds, 16);
/// ```
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// How its questions are handled.
    pub exchange: ExchangeOptions,
    /// Whether a [`Conversation`](crate::Conversation) gives events for the tool's stderr and log. These events
    /// then have to be taken: the tool waits while more than
    /// [`MAX_WAITING_STDERR`](crate::MAX_WAITING_STDERR) bytes wait.
    pub stderr_events: bool,
    /// Whether a [`Conversation`](crate::Conversation) gives [`Event::Progress`](crate::Event::Progress) and
    /// [`Event::Message`](crate::Event::Message). A one-shot tool is offered `TOOLWIRE_EVENTS` only then
    /// (EVT-1). Nothing waits for them to be taken.
    pub tool_events: bool,
}

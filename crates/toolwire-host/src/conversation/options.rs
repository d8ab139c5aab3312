//! The options of a call.

use crate::{ExchangeOptions, Standing};

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
    /// Whether the call stops where questions are open, instead of waiting for their answers: the outcome
    /// then holds them ([`CallOutcome::suspended`](crate::CallOutcome::suspended)). Default: no.
    pub suspends: bool,
    /// What the call has come to, if it goes on where it stopped.
    pub standing: Option<Standing>,
}

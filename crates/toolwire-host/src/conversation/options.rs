//! How a call is carried out.

use crate::ExchangeOptions;

/// How the questions of a call are answered, and what is told while it goes on.
///
/// ```
/// use toolwire_host::CallOptions;
///
/// assert_eq!(CallOptions::default().exchange.max_rounds, 16);
/// ```
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// Its questions.
    pub exchange: ExchangeOptions,
    /// Whether a [`Conversation`](crate::Conversation) tells what the tool writes to stderr and to its
    /// log. Then it has to be taken: the tool waits while more than
    /// [`MAX_WAITING_STDERR`](crate::MAX_WAITING_STDERR) bytes wait.
    pub stderr_events: bool,
}

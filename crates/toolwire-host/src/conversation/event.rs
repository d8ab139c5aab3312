//! The events of a call.

use toolwire::event::{Message, Progress};

use crate::{CallOutcome, HostError, PendingQuestion};

/// An event of a call, as taken from its [`Conversation`](crate::Conversation). The last event is
/// [`Event::Done`].
///
/// ```
/// use toolwire_host::Event;
///
/// let event = Event::Stderr(b"compiling".to_vec());
/// assert!(matches!(&event, Event::Stderr(piece) if piece == b"compiling"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Event {
    /// A piece of what the tool writes to stderr, if [`CallOptions::stderr_events`] asks for it. It may
    /// begin and end anywhere, also inside a character.
    ///
    /// [`CallOptions::stderr_events`]: crate::CallOptions::stderr_events
    Stderr(Vec<u8>),
    /// A round has ended in which the tool answered by the result channel; this is what it wrote to
    /// stdout, which then is log (EXIT-1). It comes if [`CallOptions::stderr_events`] asks for it.
    ///
    /// [`CallOptions::stderr_events`]: crate::CallOptions::stderr_events
    Log(Vec<u8>),
    /// How far the tool has come, if [`CallOptions::tool_events`] asks for it. Of progress that was not taken,
    /// only the latest waits.
    ///
    /// [`CallOptions::tool_events`]: crate::CallOptions::tool_events
    Progress(Progress),
    /// A log message of the tool, if [`CallOptions::tool_events`] asks for it.
    ///
    /// [`CallOptions::tool_events`]: crate::CallOptions::tool_events
    Message(Message),
    /// A question waits for [`Conversation::answer`](crate::Conversation::answer).
    Question(Box<PendingQuestion>),
    /// The call is over: its result, or what kept it from being carried out.
    Done(Result<Box<CallOutcome>, HostError>),
}

//! How a handle has ended.

use toolwire::json::ObjectWriter;
use toolwire::session::{EndReason, SessionEvent};

/// How a handle has ended, as `end` in the envelope of a fetch says it (SES-50).
///
/// ```
/// use toolwire::session::EndReason;
/// use toolwire_host::SessionEnd;
///
/// # fn of(info: &toolwire_host::SessionInfo) -> bool {
/// // A tool that ended by itself, and not well:
/// info.end.as_ref().is_some_and(|end| end.reason == EndReason::Exited && end.status != Some(0))
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionEnd {
    /// Why.
    pub reason: EndReason,
    /// The exit status, if the tool ended by itself.
    pub status: Option<i64>,
    /// How it ended otherwise, for a person, unless it was asked to end.
    pub message: Option<String>,
}

impl SessionEnd {
    /// What an event says of an end.
    pub(super) fn of(event: &SessionEvent) -> Self {
        let (status, message) = match event {
            SessionEvent::Exit { status } => (Some(*status), None),
            SessionEvent::Crash { message } => (None, Some(message.clone())),
            _ => (None, None),
        };
        SessionEnd {
            reason: EndReason::Exited,
            status,
            message,
        }
    }

    pub(super) fn because(mut self, reason: EndReason) -> Self {
        self.reason = reason;
        self.message = self.message.filter(|_| reason == EndReason::Crashed);
        self
    }

    /// The end as a JSON object, `{"reason","status","message"}`; what there is not is left out.
    #[must_use]
    pub fn to_json(&self) -> String {
        ObjectWriter::new()
            .text("reason", self.reason.as_str())
            .optional_json("status", self.status.map(|status| status.to_string()))
            .optional("message", self.message.as_deref())
            .end()
    }
}

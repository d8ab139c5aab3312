//! A call that came as a line, while it is open.

use toolwire::author::Caller;
use toolwire::event::{Message, Progress, ToolEvent};

use super::mailbox::Mailbox;
use crate::invocation::Lines;

/// A call that came as a line: a session, or one of a program that stays.
#[derive(Debug)]
pub(crate) struct LineCall {
    pub(crate) lines: Lines,
    pub(crate) call: u64,
    pub(crate) mailbox: Mailbox,
}

impl LineCall {
    pub(crate) fn new(lines: Lines, call: u64) -> Self {
        LineCall {
            lines,
            call,
            mailbox: Mailbox::default(),
        }
    }

    /// Says something to whoever follows the call. There is nobody to tell if it fails.
    fn event(&self, event: ToolEvent) {
        let _ = self.lines.event(self.call, event);
    }
}

impl Caller for LineCall {
    fn progress(&self, progress: &Progress) {
        self.event(ToolEvent::Progress(progress.clone()));
    }

    fn message(&self, message: &Message) {
        self.event(ToolEvent::Message(message.clone()));
    }

    fn is_cancelled(&self) -> bool {
        self.mailbox.ending().is_some()
    }
}

//! A call that came as a line, while it is open.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use toolwire::author::Caller;
use toolwire::event::{Message, Progress, ToolEvent};

use super::mailbox::Mailbox;
use crate::events::Throttle;
use crate::invocation::Lines;

/// A call that came as a line: a session, or one of a program that stays.
#[derive(Debug)]
pub(crate) struct LineCall {
    pub(crate) lines: Lines,
    pub(crate) call: u64,
    pub(crate) mailbox: Mailbox,
    throttle: Mutex<Throttle>,
}

impl LineCall {
    pub(crate) fn new(lines: Lines, call: u64) -> Self {
        LineCall {
            lines,
            call,
            mailbox: Mailbox::default(),
            throttle: Mutex::default(),
        }
    }

    /// Says something to whoever follows the call. There is nobody to tell if it fails.
    fn event(&self, event: ToolEvent) {
        let _ = self.lines.event(self.call, event);
    }
}

impl Caller for LineCall {
    fn progress(&self, progress: &Progress) {
        let throttle = self.throttle.lock();
        let mut throttle = throttle.unwrap_or_else(PoisonError::into_inner);
        if throttle.may(progress, Instant::now()) {
            drop(throttle);
            self.event(ToolEvent::Progress(progress.clone()));
        }
    }

    fn message(&self, message: &Message) {
        self.event(ToolEvent::Message(message.clone()));
    }

    fn is_cancelled(&self) -> bool {
        self.mailbox.ending().is_some()
    }
}

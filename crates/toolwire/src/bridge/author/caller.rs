//! The caller of a tool that is part of its own program.

use std::fmt;

use crate::protocol::event::{Message, Progress};

/// The one side of a call that a tool's function sees where it is called in its host's process, and not as
/// a program.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use toolwire::author::Caller;
/// use toolwire::event::{Message, Progress};
///
/// #[derive(Debug, Default)]
/// struct Patient(AtomicBool);
///
/// impl Caller for Patient {
///     fn progress(&self, _: &Progress) {}
///     fn message(&self, message: &Message) {
///         self.0.store(message.text == "enough", Ordering::Relaxed);
///     }
///     fn is_cancelled(&self) -> bool {
///         self.0.load(Ordering::Relaxed)
///     }
/// }
///
/// assert!(!Patient::default().is_cancelled());
/// ```
pub trait Caller: fmt::Debug + Send + Sync {
    /// Takes how far the tool has come. It must not wait.
    fn progress(&self, progress: &Progress);

    /// Takes a log message of the tool. It must not wait.
    fn message(&self, message: &Message);

    /// Whether the call was cancelled, so that the tool should end soon.
    fn is_cancelled(&self) -> bool;
}

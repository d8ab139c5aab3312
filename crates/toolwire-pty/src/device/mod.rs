//! A pseudo-terminal and the program in it.

#[cfg(target_os = "linux")]
mod native;
mod portable;

use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

use toolwire_host::{Child, Command, ProcessOptions};

use crate::emulator::Size;

/// A pseudo-terminal, from the side of the one who looks at it: one of this system, read without a thread, or one of
/// `portable-pty`.
pub(crate) trait Device: fmt::Debug + Send + Sync {
    /// Puts what the program writes next into the buffer; 0 at the end.
    fn read<'a>(&'a self, buffer: &'a mut Vec<u8>) -> Work<'a, usize>;

    /// Waits until something can be typed.
    fn writable(&self) -> Work<'_, ()>;

    /// Types as much as can be typed now.
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize>;

    fn resize(&self, size: Size);

    /// Whether what is typed is shown, if it is read by lines, which the terminal keeps until they end.
    fn shows_lines(&self) -> Option<bool>;

    /// Whether what is typed is read by lines and not shown, as a password is.
    fn hides_lines(&self) -> bool {
        self.shows_lines() == Some(false)
    }

    /// Whether the program has not read yet all that was typed; false where that can't be known.
    fn has_unread(&self) -> bool {
        false
    }

    /// Takes back what was typed and not read yet, where that can be done.
    fn drop_unread(&self) {}

    /// Lets go of the program's side, so that it ends with the last process that has it.
    fn let_go(&self) {}
}

/// Input or output that is waited for.
pub(crate) type Work<'a, T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send + 'a>>;

/// Starts a program in a pseudo-terminal of its own, or says why it can't.
pub(crate) fn start(
    command: &Command,
    options: &ProcessOptions,
    size: Size,
) -> Result<(Arc<dyn Device>, Child), String> {
    #[cfg(target_os = "linux")]
    if let Some((device, child)) = native::start(command, options, size)? {
        return Ok((Arc::new(device), child));
    }
    let (device, child) = portable::start(command, options, size)?;
    Ok((Arc::new(device), child))
}

/// What the system says of a terminal that there can't be.
fn no_terminal(error: impl fmt::Display) -> String {
    format!("there is no pseudo-terminal to be had: {error}")
}

//! Whether a program gets calls, which is known before it runs (CALL-50).

use toolwire::call::{Marker, find_marker};

use super::program::{self, Program};
use super::{Command, ProcessOptions};
use crate::HostError;

/// How a program is to be run that no manifest speaks of (CALL-50).
///
/// ```
/// use toolwire_host::{CallMode, Command, ProcessOptions};
///
/// # if cfg!(windows) { return Ok(()); }
/// let options = ProcessOptions::default();
/// assert_eq!(CallMode::of(&Command::new("ls"), &options, false)?, CallMode::Plain);
/// assert_eq!(CallMode::of(&Command::new("ls"), &options, true)?, CallMode::Call);
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallMode {
    /// Once, without a call document and with nothing on stdin: [`Process::plain`](crate::Process).
    Plain,
    /// With call documents. It must not be asked to describe itself: it may not know how, and would do
    /// its job instead.
    Call,
    /// With call documents; it can be asked to describe itself.
    Describe,
}

impl CallMode {
    /// How to run a program, by the marker in its file and by whether somebody asked for a call.
    ///
    /// A file that can't be read has no marker (CALL-54).
    ///
    /// # Errors
    ///
    /// What keeps the program from being started (PROC-4).
    pub fn of(command: &Command, options: &ProcessOptions, asked: bool) -> Result<Self, HostError> {
        let program = program::resolve(command, options)?;
        Ok(match marker(&program) {
            Some(_) => CallMode::Describe,
            None if asked => CallMode::Call,
            None => CallMode::Plain,
        })
    }
}

fn marker(program: &Program) -> Option<Marker> {
    let file = program::open(program.file()).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    find_marker(file).ok()?
}

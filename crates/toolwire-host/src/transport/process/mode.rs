//! Whether a program gets calls, which is known before it runs.

use toolwire::call::{Marker, find_marker};

use super::program::{self, Program};
use super::{Command, ProcessOptions};
use crate::{HostError, store};

/// How a program is to be run that no manifest speaks of.
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
    /// A file that can't be read has no marker.
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

/// Whether a program, or the script that it is started with, says that it reads calls (CALL-51 to CALL-53): any other
/// must not be started to ask it for its tools (CALL-35).
///
/// # Errors
///
/// What keeps the program from being started (PROC-4).
///
/// ```
/// use toolwire_host::{Command, ProcessOptions, is_marked};
///
/// # if cfg!(windows) { return Ok(()); }
/// assert!(!is_marked(&Command::new("rm").args(["-rf", "build"]), &ProcessOptions::default())?);
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
pub fn is_marked(command: &Command, options: &ProcessOptions) -> Result<bool, HostError> {
    if CallMode::of(command, options, false)? == CallMode::Describe {
        return Ok(true);
    }
    let script = command.file_arguments(options.cwd.as_deref()).next();
    let script = script.and_then(|path| std::fs::File::open(path).ok());
    Ok(script.is_some_and(|file| matches!(find_marker(file), Ok(Some(_)))))
}

fn marker(program: &Program) -> Option<Marker> {
    let file = store::open_at_once(program.file()).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    find_marker(file).ok()?
}

//! Why the session host can't be used: the text says what to do.

use std::io;

use toolwire_host::handles::HandlesError;

pub(crate) type Result<T> = std::result::Result<T, HandlesError>;

pub(crate) fn unreached(message: impl Into<String>) -> HandlesError {
    HandlesError::Unreached(message.into())
}

/// The system has refused a file, a socket or a process.
pub(crate) fn system(what: &str, error: &io::Error) -> HandlesError {
    unreached(format!("{what}: {error}"))
}

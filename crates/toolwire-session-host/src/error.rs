//! Why the session host can't be used.

use std::fmt;
use std::io;

/// What kept somebody from using the session host.
///
/// ```
/// use toolwire_session_host::SessionHostErrorKind;
///
/// assert_ne!(SessionHostErrorKind::UnsafeFolder, SessionHostErrorKind::Stranger);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SessionHostErrorKind {
    /// The folder of the socket is not the user's alone.
    UnsafeFolder,
    /// Who is on the other end of the socket is not the same user.
    Stranger,
    /// The host could not be started.
    NotStarted,
    /// The host does not answer, or says what it should not.
    Disconnected,
    /// The system refused a file, a socket or a process.
    System,
}

/// The session host can't be used; the text says why, and what to do.
#[derive(Debug)]
pub struct SessionHostError {
    kind: SessionHostErrorKind,
    message: String,
}

impl SessionHostError {
    pub(crate) fn new(kind: SessionHostErrorKind, message: impl Into<String>) -> Self {
        SessionHostError {
            kind,
            message: message.into(),
        }
    }

    pub(crate) fn system(what: &str, error: &io::Error) -> Self {
        SessionHostError::new(SessionHostErrorKind::System, format!("{what}: {error}"))
    }

    /// What it was.
    #[must_use]
    pub fn kind(&self) -> SessionHostErrorKind {
        self.kind
    }
}

impl fmt::Display for SessionHostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SessionHostError {}

pub(crate) type Result<T, E = SessionHostError> = std::result::Result<T, E>;

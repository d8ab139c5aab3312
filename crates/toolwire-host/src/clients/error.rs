//! Why a configuration file of a client, or a server in it, can't be used.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a configuration file, or a server in it, can't be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClientErrorKind {
    /// A mistake in a file; the message names the file, the line and the column.
    BadFile,
    /// No file names such a server.
    UnknownServer,
    /// Several files name different servers so.
    AmbiguousServer,
    /// A variable that an entry needs has no value.
    Unresolved,
    /// Others could have written the file.
    Untrusted,
    /// The system refused a file.
    System,
}

/// A configuration file of a client, or a server in it, can't be used.
#[derive(Debug)]
pub struct ClientError {
    kind: ClientErrorKind,
    message: String,
}

impl ClientError {
    pub(super) fn new(kind: ClientErrorKind, message: impl Into<String>) -> Self {
        ClientError {
            kind,
            message: message.into(),
        }
    }

    pub(super) fn system(what: &str, path: &Path, error: &io::Error) -> Self {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            // The number in it is for nobody.
            _ => error
                .to_string()
                .split(" (os error")
                .next()
                .unwrap_or_default()
                .to_lowercase(),
        };
        let message = format!("cannot {what} `{}`: {why}", path.display());
        ClientError::new(ClientErrorKind::System, message)
    }

    /// Why it can't be used.
    #[must_use]
    pub fn kind(&self) -> ClientErrorKind {
        self.kind
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ClientError {}

/// What the list of what is trusted could not do.
impl From<crate::HostError> for ClientError {
    fn from(error: crate::HostError) -> Self {
        let kind = match error.kind() {
            crate::HostErrorKind::UntrustedManifest => ClientErrorKind::Untrusted,
            _ => ClientErrorKind::System,
        };
        ClientError::new(kind, error.to_string())
    }
}

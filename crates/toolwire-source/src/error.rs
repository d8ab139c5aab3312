//! Why a word is no source.

use std::fmt;

use toolwire_host::clients::{ClientError, ClientErrorKind};
use toolwire_host::{HostError, HostErrorKind};

/// Why a word is no source, or a source can't be used.
///
/// ```
/// use toolwire_source::SourceErrorKind;
///
/// assert_eq!(SourceErrorKind::Unknown.as_str(), "unknown_server");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SourceErrorKind {
    /// Nothing has this name.
    Unknown,
    /// Several things have it.
    Ambiguous,
    /// The word can't be meant like that.
    BadWord,
    /// A mistake in a client's file.
    BadFile,
    /// A mistake in a manifest.
    BadManifest,
    /// A mistake in a lock, or a lock of a newer version.
    BadLock,
    /// A variable that an entry needs has no value.
    Unresolved,
    /// A file that others could have written, or a command that nobody has agreed to.
    Untrusted,
    /// It is what nothing here can speak to.
    Unsupported,
    /// The system refused a file or a folder.
    System,
}

impl SourceErrorKind {
    /// The kind as a stable word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            SourceErrorKind::Unknown | SourceErrorKind::Ambiguous => "unknown_server",
            SourceErrorKind::BadWord => "bad_option",
            SourceErrorKind::BadFile => "bad_config",
            SourceErrorKind::BadManifest => "bad_manifest",
            SourceErrorKind::BadLock => "bad_lock",
            SourceErrorKind::Unresolved => "unresolved_config",
            SourceErrorKind::Untrusted => "untrusted_server",
            SourceErrorKind::Unsupported => "not_connected",
            SourceErrorKind::System => "system_error",
        }
    }
}

/// A word is no source, or a source can't be used.
#[derive(Debug)]
pub struct SourceError {
    kind: SourceErrorKind,
    lines: Vec<String>,
}

impl SourceError {
    pub(crate) fn new(kind: SourceErrorKind, message: impl Into<String>) -> Self {
        SourceError {
            kind,
            lines: vec![message.into()],
        }
    }

    pub(crate) fn with(mut self, advice: impl Into<String>) -> Self {
        self.lines.push(advice.into());
        self
    }

    /// Why.
    #[must_use]
    pub fn kind(&self) -> SourceErrorKind {
        self.kind
    }

    /// What is wrong, and in lines of their own what can be done.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines.join("; "))
    }
}

impl std::error::Error for SourceError {}

impl From<ClientError> for SourceError {
    fn from(error: ClientError) -> Self {
        let kind = match error.kind() {
            ClientErrorKind::BadFile => SourceErrorKind::BadFile,
            ClientErrorKind::UnknownServer => SourceErrorKind::Unknown,
            ClientErrorKind::AmbiguousServer => SourceErrorKind::Ambiguous,
            ClientErrorKind::Unresolved => SourceErrorKind::Unresolved,
            ClientErrorKind::Untrusted => SourceErrorKind::Untrusted,
            _ => SourceErrorKind::System,
        };
        SourceError::new(kind, error.to_string())
    }
}

impl From<HostError> for SourceError {
    fn from(error: HostError) -> Self {
        let kind = match error.kind() {
            HostErrorKind::BadManifest => SourceErrorKind::BadManifest,
            HostErrorKind::UntrustedManifest => SourceErrorKind::Untrusted,
            HostErrorKind::UnknownTool => SourceErrorKind::Unknown,
            _ => SourceErrorKind::System,
        };
        SourceError::new(kind, error.to_string())
    }
}

//! Where names are looked up.

use std::path::PathBuf;

/// Where names are looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// The manifest that was named; without it, the nearest.
    pub manifest: Option<PathBuf>,
    /// The file of a client that was named; without it, those in the usual places.
    pub config: Option<PathBuf>,
    /// The home folder of JN that was named, which has profiles too; without it, the usual one.
    pub jn_home: Option<PathBuf>,
    /// The command that wants the source, as in `toolwire run`, for messages that say what to write; nothing in a
    /// library.
    pub verb: Option<String>,
}

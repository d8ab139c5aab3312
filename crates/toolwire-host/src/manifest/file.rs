//! Files that somebody else may have put there, read within bounds.

use std::fs::File;
use std::io;
use std::path::Path;

use super::Result;
use crate::{HostError, HostErrorKind, store};

/// The most bytes of a manifest; one that a person wrote is never near it.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The bytes of a file that a person named. It can be a pipe too, as a shell makes one for `<(…)`.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let file = File::open(path).map_err(|error| reading(path, error))?;
    store::read_at_most(file, MAX_BYTES).map_err(|error| reading(path, error))
}

/// The bytes of a file that is open and was found, so that it must be a regular one.
pub fn read_regular(path: &Path, file: File) -> Result<Vec<u8>> {
    store::read_regular(file, MAX_BYTES).map_err(|error| reading(path, error))
}

/// That a file could not be read.
pub fn reading(path: &Path, error: io::Error) -> HostError {
    let what = format!("cannot read `{}`", path.display());
    match error.kind() {
        io::ErrorKind::NotFound => HostError::new(
            HostErrorKind::ManifestNotFound,
            format!("{what}: there is no such file"),
        ),
        _ => HostError::system(&what, error),
    }
}

//! Files that somebody else may have put there, read within bounds.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::Result;
use crate::{HostError, HostErrorKind};

/// The most bytes of a manifest; one that a person wrote is never near it.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The bytes of a file that a person named. It can be a pipe too, as a shell makes one for `<(…)`.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let file = File::open(path).map_err(|error| reading(path, error))?;
    all_of(path, file)
}

/// The bytes of a file that is open and was found, so that it must be a regular one.
pub fn read_regular(path: &Path, file: File) -> Result<Vec<u8>> {
    let metadata = file.metadata().map_err(|error| reading(path, error))?;
    match metadata.is_file() {
        true => all_of(path, file),
        false => Err(reading(path, io::Error::other("it is not a regular file"))),
    }
}

fn all_of(path: &Path, file: File) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| reading(path, error))?;
    if bytes.len() as u64 > MAX_BYTES {
        let path = path.display();
        let message = format!("cannot read `{path}`: it is longer than {MAX_BYTES} bytes");
        return Err(HostError::new(HostErrorKind::BadManifest, message));
    }
    Ok(bytes)
}

/// Opens a file without waiting for the other end of a named pipe.
pub fn open_at_once(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(nix::fcntl::OFlag::O_NONBLOCK.bits());
    }
    options.open(path)
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

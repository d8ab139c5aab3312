//! The result channel: a file to which a tool can write its answer (ENV-40, PROC-13).

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use tempfile::TempPath;

/// An empty file that only this user may open. It is removed when this is dropped, and so is
/// whatever the tool put in its place.
///
/// A folder around it would be tidier, but on some file systems the removal of a folder takes longer
/// than all the rest of a run.
#[derive(Debug)]
pub(crate) struct Channel {
    path: TempPath,
    owner: u32,
}

impl Channel {
    pub(crate) fn create() -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        let file = builder.prefix("toolwire-").suffix(".result").tempfile()?;
        let owner = owner(&file.as_file().metadata()?);
        Ok(Channel {
            path: file.into_temp_path(),
            owner,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes the tool has written so far.
    pub(crate) fn len(&self) -> u64 {
        // Not through a link, and not a file that somebody else put there after the tool removed
        // its own: what counts is what the tool wrote here.
        match fs::symlink_metadata(&self.path) {
            Ok(metadata) if metadata.is_file() && owner(&metadata) == self.owner => metadata.len(),
            _ => 0,
        }
    }

    /// What the tool wrote, at most so many bytes of it; nothing if there is no plain file any more
    /// that can be read.
    pub(crate) fn read(&self, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let len = self.len();
        if len > 0 {
            // One byte more, so that the end is seen in the same read.
            bytes.reserve_exact((len as usize).min(most) + 1);
            match File::open(&self.path) {
                Ok(file) => file.take(most as u64).read_to_end(&mut bytes).map(drop)?,
                // The tool took the right to read it away, or took it away itself.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(bytes)
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        // Anything but a folder is removed as a file is, by the path itself when it is dropped.
        if fs::symlink_metadata(&self.path).is_ok_and(|metadata| metadata.is_dir()) {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

#[cfg(unix)]
fn owner(metadata: &Metadata) -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    metadata.uid()
}

/// Elsewhere the folder for temporary files is the user's own.
#[cfg(not(unix))]
fn owner(_metadata: &Metadata) -> u32 {
    0
}

//! The result channel: a file to which a tool can write its answer (ENV-40, PROC-13).

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// An empty file in a folder of its own, which only this user may enter. Both are removed when this
/// is dropped, and so is whatever else the tool put there.
#[derive(Debug)]
pub(crate) struct Channel {
    path: PathBuf,
    _folder: TempDir,
}

impl Channel {
    pub(crate) fn create() -> io::Result<Self> {
        let folder = private_folder()?;
        let path = folder.path().join("result");
        File::create_new(&path)?;
        Ok(Channel {
            path,
            _folder: folder,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes the tool has written so far.
    pub(crate) fn len(&self) -> u64 {
        // Not through a link: what counts is what the tool wrote here.
        match fs::symlink_metadata(&self.path) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            _ => 0,
        }
    }

    /// What the tool wrote, at most so many bytes of it; nothing if there is no plain file any more
    /// that can be read.
    pub(crate) fn read(&self, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if self.len() > 0 {
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

fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("toolwire-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    builder.tempdir()
}

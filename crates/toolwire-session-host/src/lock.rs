//! Files that one process holds at a time. The system lets go of them with the process, however it ends.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::{Instant, sleep};

/// How often it is looked whether a file has become free.
const LOOK: Duration = Duration::from_millis(10);

/// A file that is held. Dropped, it is removed.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Holds the file at once; nothing if another process holds it.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
        loop {
            let Some(file) = open(path)? else {
                return Ok(None);
            };
            // Who held it before may have removed it, and somebody else have made it anew.
            if is_there(path, &file) {
                return Ok(Some(Lock {
                    path: path.to_owned(),
                    _file: file,
                }));
            }
        }
    }

    /// Holds the file, as soon as it is free; nothing if that takes too long.
    pub(crate) async fn wait(path: &Path, patience: Duration) -> io::Result<Option<Self>> {
        let until = Instant::now() + patience;
        loop {
            if let Some(lock) = Lock::take(path)? {
                return Ok(Some(lock));
            }
            if Instant::now() >= until {
                return Ok(None);
            }
            sleep(LOOK).await;
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // It is still held: whoever has opened it meanwhile sees that it is gone, and makes it anew.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<Option<File>> {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::{FlockOperation, OFlags, flock};
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
        .open(path)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(unix)]
fn is_there(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let there = fs::symlink_metadata(path);
    matches!((there, file.metadata()), (Ok(there), Ok(ours)) if (there.dev(), there.ino()) == (ours.dev(), ours.ino()))
}

/// Nobody else can open it meanwhile, and the system removes it with its last handle.
#[cfg(windows)]
fn open(path: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const SHARING_VIOLATION: i32 = 32;
    let opened = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .share_mode(0)
        .custom_flags(DELETE_ON_CLOSE)
        .open(path);
    match opened {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(windows)]
fn is_there(_: &Path, _: &File) -> bool {
    true
}

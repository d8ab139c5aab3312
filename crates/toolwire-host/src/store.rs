//! Files that several processes write: one at a time, and each as a whole or not at all. A lock
//! is a file that one process holds; the system lets go of it with the process, however that ends.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a process waits for another that writes.
const WAIT: Duration = Duration::from_secs(30);

/// How often it looks.
const LOOK: Duration = Duration::from_millis(10);

/// A file that this process holds, until it is dropped, which removes it, or until the process ends.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("toolwire.lock");
/// let held = toolwire_host::store::lock(&path)?;
/// toolwire_host::store::write(&path, "{}\n")?;
/// drop(held);
/// assert_eq!(std::fs::read_to_string(&path)?, "{}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// It is held as long as this is open.
    file: Option<File>,
}

impl Lock {
    /// Holds the file with this path at once, and makes it if need be; nothing if another process holds it.
    ///
    /// # Errors
    ///
    /// Those of the system.
    ///
    /// ```
    /// use toolwire_host::store::Lock;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("door");
    /// let held = Lock::take(&path)?;
    /// assert!(held.is_some() && Lock::take(&path)?.is_none());
    /// drop(held);
    /// assert!(!path.exists());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn take(path: &Path) -> io::Result<Option<Lock>> {
        loop {
            let Some(file) = open(path)? else {
                return Ok(None);
            };
            // The previous holder may have removed it, and another process may have created it again.
            if is_there(path, &file) {
                return Ok(Some(Lock {
                    path: path.to_owned(),
                    file: Some(file),
                }));
            }
        }
    }
}

/// Waits for the right to write what has this path, which need not exist; its folder has to. Whoever writes takes
/// it first, reads, and writes then. What is held is the file `.NAME.writing` beside it.
///
/// # Errors
///
/// `TimedOut` if another process holds it for thirty seconds, and those of the system.
///
/// See [`Lock`] for an example.
pub fn lock(path: &Path) -> io::Result<Lock> {
    let path = lock_path(path);
    let until = Instant::now() + WAIT;
    loop {
        if let Some(lock) = Lock::take(&path)? {
            return Ok(lock);
        }
        if Instant::now() >= until {
            let message = format!(
                "another process has been writing it for {} s; it holds `{}`",
                WAIT.as_secs(),
                path.display()
            );
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        sleep(LOOK);
    }
}

/// Whether a process holds what has this path, as [`lock`] says.
///
/// # Errors
///
/// Those of the system.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("toolwire.lock");
/// let held = toolwire_host::store::lock(&path)?;
/// assert!(toolwire_host::store::is_locked(&path)?);
/// drop(held);
/// assert!(!toolwire_host::store::is_locked(&path)?);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn is_locked(path: &Path) -> io::Result<bool> {
    Ok(Lock::take(&lock_path(path))?.is_none())
}

fn lock_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.writing"))
}

impl Drop for Lock {
    fn drop(&mut self) {
        if cfg!(unix) {
            // It is still held: a process that has opened it in between finds it removed, and creates it again.
            let _ = fs::remove_file(&self.path);
        }
        self.file.take();
    }
}

/// Replaces a file by one with this text: after a crash the old one or the new one is there. Its permissions
/// stay, and a link stays one. Its folder has to exist.
///
/// # Errors
///
/// Those of the system.
///
/// See [`Lock`] for an example.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    match fs::canonicalize(path) {
        Ok(target) => put(&target, text, EVERYBODY, Place::Taken),
        Err(_) => put(path, text, EVERYBODY, Place::Any),
    }
}

/// Replaces a file by one with this text that only this user may open, as [`write`] does, and makes its folder, which
/// only this user may enter.
///
/// # Errors
///
/// Those of the system.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a/b/secret");
/// toolwire_host::store::write_private(&path, "42")?;
/// assert_eq!(std::fs::read_to_string(&path)?, "42");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .recursive(true)
        .create(path.parent().unwrap_or(path))?;
    put(path, text, 0o600, Place::Any)
}

/// The mode of a file that everybody may read, less what the process does not grant.
pub(crate) const EVERYBODY: u32 = 0o666;

/// What is where a file is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A file, which it replaces, and whose permissions it takes.
    Taken,
    /// Nothing, or else it fails.
    Free,
    /// Nothing, or a file that came meanwhile, which it replaces.
    Any,
}

/// Puts a file with this text there, as a whole, once it is on the disk. A new file has this mode on Unix.
pub(crate) fn put(target: &Path, text: &str, mode: u32, place: Place) -> io::Result<()> {
    let folder = target.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".toolwire-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    if place == Place::Taken {
        let permissions = fs::metadata(target)?.permissions();
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    match place {
        Place::Free => file.persist_noclobber(target),
        Place::Taken | Place::Any => file.persist(target),
    }
    .map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Opens a file to read it, without waiting for the other end of a named pipe.
pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(nix::fcntl::OFlag::O_NONBLOCK.bits());
    }
    options.open(path)
}

/// The bytes of a regular file that is open.
///
/// # Errors
///
/// If it is none, has more bytes than `max_bytes`, or can't be read.
pub fn read_regular(file: File, max_bytes: u64) -> io::Result<Vec<u8>> {
    match file.metadata()?.is_file() {
        true => read_at_most(file, max_bytes),
        false => Err(io::Error::other("it is not a regular file")),
    }
}

pub(crate) fn read_at_most(file: File, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 > max_bytes {
        true => Err(io::Error::other(format!(
            "it is longer than {max_bytes} bytes"
        ))),
        false => Ok(bytes),
    }
}

/// Sees to it that the names in a folder last.
///
/// # Errors
///
/// Those of the system.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a"), "")?;
/// std::fs::rename(folder.path().join("a"), folder.path().join("b"))?;
/// toolwire_host::store::sync_folder(folder.path())?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        // Windows opens no folders, and needs none of this.
        false => Ok(()),
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
        // What is no file, such as a pipe, is not waited for.
        .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
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
        // One that is about to be removed.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(windows)]
fn is_there(_: &Path, _: &File) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writers_wait_for_each_other_and_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("count");
        fs::write(&path, "0").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        let _held = lock(&path).unwrap();
                        let count: u32 = fs::read_to_string(&path).unwrap().parse().unwrap();
                        write(&path, &(count + 1).to_string()).unwrap();
                    }
                });
            }
        });
        assert_eq!(fs::read_to_string(&path).unwrap(), "100");
        // Nothing is left behind.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// What a killed process leaves is in nobody's way, and is removed.
    #[test]
    fn a_lock_that_nobody_holds_is_free() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let beside = folder.path().join(".file.writing");
        fs::write(&beside, "").unwrap();
        let held = lock(&path).unwrap();
        assert!(Lock::take(&beside).unwrap().is_none());
        drop(held);
        assert!(!beside.exists());
    }

    #[test]
    fn what_came_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        put(&path, "first", EVERYBODY, Place::Free).unwrap();
        let error = put(&path, "second", EVERYBODY, Place::Free).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions_and_a_link_stays_one() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }
}

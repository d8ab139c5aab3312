//! The files to which a tool can write beside its stdout: its answer (ENV-40, PROC-13) and its events (EVT-2).

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

#[cfg(unix)]
use super::guardian::Guarded;

/// An empty file in a folder of its own, which only this user may open. Both are removed when this is dropped, and so
/// is whatever the tool put in their place: a tool that clears the folder of its file clears nothing else.
#[derive(Debug)]
pub(crate) struct Channel {
    folder: TempPath,
    path: PathBuf,
    owner: u32,
    #[cfg(unix)]
    _guarded: Option<Guarded>,
}

/// The files of a run; they must not go before the processes that may write to them.
#[derive(Debug, Default)]
pub(crate) struct Channels {
    pub(crate) result: Option<Channel>,
    pub(crate) events: Option<Channel>,
}

impl Channel {
    /// The file for the answer.
    pub(crate) fn result() -> io::Result<Self> {
        Ok(Channel::create("result")?.0)
    }

    /// The file for events, and how to read it whatever becomes of its path.
    pub(crate) fn events() -> io::Result<(Self, File)> {
        Channel::create("events")
    }

    fn create(name: &str) -> io::Result<(Self, File)> {
        #[cfg(unix)]
        let mut guarded = None;
        let mut builder = tempfile::Builder::new();
        let made = builder.prefix("toolwire-").make(|folder| {
            let path = folder.join(name);
            // Before there is the file, so that it can't be left.
            #[cfg(unix)]
            {
                guarded = Some(Guarded::file(folder));
            }
            create_folder(folder)?;
            create(&path)
        })?;
        let owner = owner(&made.as_file().metadata()?);
        let (file, folder) = made.into_parts();
        let channel = Channel {
            path: folder.join(name),
            folder,
            owner,
            #[cfg(unix)]
            _guarded: guarded,
        };
        Ok((channel, file))
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
        if self.len() == 0 {
            return Ok(bytes);
        }
        let file = match open(&self.path) {
            Ok(file) => file,
            // The tool took the right to read it away, took it away itself, or put a link there.
            Err(error) if is_the_tools_doing(&error) => return Ok(bytes),
            Err(error) => return Err(error),
        };
        // Since it was looked at it may have become something else: what was opened counts.
        let metadata = file.metadata()?;
        if metadata.is_file() && owner(&metadata) == self.owner {
            // One byte more, so that the end is seen in the same read.
            bytes.reserve_exact((metadata.len() as usize).min(most) + 1);
            file.take(most as u64).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        // What a tool has put in the folder's place is removed as a file is, when the path is dropped.
        if fs::symlink_metadata(&self.folder).is_ok_and(|metadata| metadata.is_dir()) {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Makes a folder that only this user may open.
fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Makes a file that only this user may open.
fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Opens a file that may have become anything: without following a link, and without waiting for
/// somebody to write to a named pipe.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use nix::fcntl::OFlag;
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        /// `FILE_FLAG_OPEN_REPARSE_POINT`: a link itself, not what it leads to.
        const NO_FOLLOW: u32 = 0x0020_0000;
        options.custom_flags(NO_FOLLOW);
    }
    options.open(path)
}

fn is_the_tools_doing(error: &io::Error) -> bool {
    use io::ErrorKind::{NotFound, PermissionDenied};
    if matches!(error.kind(), NotFound | PermissionDenied) {
        return true;
    }
    #[cfg(unix)]
    {
        use nix::errno::Errno;
        // A link, a socket, a device that is not there.
        let odd = [Errno::ELOOP, Errno::ENXIO, Errno::ENODEV].map(|errno| errno as i32);
        error
            .raw_os_error()
            .is_some_and(|number| odd.contains(&number))
    }
    #[cfg(not(unix))]
    false
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

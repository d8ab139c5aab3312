//! A pseudo-terminal of Linux. The program is started in it without a fork and without `unsafe`: the first
//! process of a session gets the terminal that it opens.

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rustix::io::{Errno, ioctl_fionread};
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, ptsname, unlockpt};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, QueueSelector, Winsize, tcflush, tcgetattr, tcsetattr,
    tcsetwinsize,
};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use toolwire_host::{Child, Command, ProcessOptions};

use super::{Device, Work, no_terminal};
use crate::emulator::Size;

/// So much is read at once.
const CHUNK: usize = 16 * 1024;

#[derive(Debug)]
pub(crate) struct Native {
    master: AsyncFd<OwnedFd>,
    /// The program's side, to see and drop what it has not read.
    slave: Mutex<Option<OwnedFd>>,
}

/// Starts a program; nothing if this system can't do it like this.
pub(super) fn start(
    command: &Command,
    options: &ProcessOptions,
    size: Size,
) -> Result<Option<(Native, Child)>, String> {
    let open = || -> io::Result<(OwnedFd, OwnedFd, PathBuf)> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        let path = PathBuf::from(OsStr::from_bytes(ptsname(&master, Vec::new())?.as_bytes()));
        let slave = ioctl_tiocgptpeer(&master, flags)?;
        tcsetwinsize(&slave, window(size))?;
        let mut modes = tcgetattr(&slave)?;
        // Backspace takes back a character, not a byte.
        modes.input_modes |= InputModes::IUTF8;
        tcsetattr(&slave, OptionalActions::Now, &modes)?;
        rustix::io::ioctl_fionbio(&master, true)?;
        Ok((master, slave, path))
    };
    let (master, slave, path) = open().map_err(no_terminal)?;
    #[allow(
        deprecated,
        reason = "what is to be used instead is newer than the tokio that is asked for"
    )]
    let master = AsyncFd::new(master).map_err(no_terminal)?;
    let child = Child::start_on(command, options, &path);
    let Some(child) = child.map_err(|error| error.to_string())? else {
        return Ok(None);
    };
    let slave = Mutex::new(Some(slave));
    Ok(Some((Native { master, slave }, child)))
}

fn window(size: Size) -> Winsize {
    Winsize {
        ws_row: size.rows,
        ws_col: size.columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

impl Native {
    fn with_slave(&self, look: impl FnOnce(&OwnedFd) -> bool) -> bool {
        let slave = self.slave.lock().unwrap_or_else(PoisonError::into_inner);
        slave.as_ref().is_some_and(look)
    }
}

impl Device for Native {
    fn read<'a>(&'a self, buffer: &'a mut Vec<u8>) -> Work<'a, usize> {
        Box::pin(async {
            let reading = self.master.async_io(Interest::READABLE, |master| {
                buffer.resize(CHUNK, 0);
                let read = rustix::io::read(master, &mut buffer[..]);
                buffer.truncate(*read.as_ref().unwrap_or(&0));
                Ok(read?)
            });
            match reading.await {
                // Nobody has the other side any more.
                Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => Ok(0),
                read => read,
            }
        })
    }

    fn writable(&self) -> Work<'_, ()> {
        Box::pin(async {
            self.master.writable().await?.retain_ready();
            Ok(())
        })
    }

    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.master.try_io(Interest::WRITABLE, |master| {
            Ok(rustix::io::write(master, bytes)?)
        })
    }

    fn resize(&self, size: Size) {
        // A terminal that is gone has no size.
        let _ = tcsetwinsize(self.master.get_ref(), window(size));
    }

    fn shows_lines(&self) -> Option<bool> {
        let modes = tcgetattr(self.master.get_ref()).ok()?.local_modes;
        let by_lines = modes.contains(LocalModes::ICANON);
        by_lines.then(|| modes.contains(LocalModes::ECHO))
    }

    fn has_unread(&self) -> bool {
        self.with_slave(|slave| ioctl_fionread(slave).is_ok_and(|bytes| bytes > 0))
    }

    fn drop_unread(&self) {
        self.with_slave(|slave| tcflush(slave, QueueSelector::IFlush).is_ok());
    }

    fn let_go(&self) {
        *self.slave.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

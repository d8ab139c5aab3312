//! A pseudo-terminal and the program in it.

#[cfg(target_os = "linux")]
mod native;
mod portable;

use std::io;

use toolwire_host::{Child, Command, ProcessOptions};

use crate::emulator::Size;

/// A pseudo-terminal, from the side of the one who looks at it.
#[derive(Debug)]
pub(crate) enum Device {
    /// One of this system, read without a thread.
    #[cfg(target_os = "linux")]
    Native(native::Native),
    /// One of `portable-pty`.
    Portable(portable::Portable),
}

/// Starts a program in a pseudo-terminal of its own, or says why it can't.
pub(crate) fn start(
    command: &Command,
    options: &ProcessOptions,
    size: Size,
) -> Result<(Device, Child), String> {
    #[cfg(target_os = "linux")]
    if let Some((device, child)) = native::start(command, options, size)? {
        return Ok((Device::Native(device), child));
    }
    let (device, child) = portable::start(command, options, size)?;
    Ok((Device::Portable(device), child))
}

/// What the system says of a terminal that there can't be.
fn no_terminal(error: impl std::fmt::Display) -> String {
    format!("there is no pseudo-terminal to be had: {error}")
}

impl Device {
    /// Puts what the program writes next into the buffer; 0 at the end.
    pub(crate) async fn read(&self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        match self {
            #[cfg(target_os = "linux")]
            Device::Native(device) => device.read(buffer).await,
            Device::Portable(device) => Ok(device.read(buffer).await),
        }
    }

    /// Waits until something can be typed.
    pub(crate) async fn writable(&self) -> io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Device::Native(device) => device.writable().await,
            Device::Portable(device) => device.writable().await,
        }
    }

    /// Types as much as can be typed now.
    pub(crate) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            #[cfg(target_os = "linux")]
            Device::Native(device) => device.try_write(bytes),
            Device::Portable(device) => device.try_write(bytes),
        }
    }

    pub(crate) fn resize(&self, size: Size) {
        match self {
            #[cfg(target_os = "linux")]
            Device::Native(device) => device.resize(size),
            Device::Portable(device) => device.resize(size),
        }
    }

    /// Whether what is typed is read by lines and not shown, as a password is.
    pub(crate) fn hides_lines(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Device::Native(device) => device.hides_lines(),
            Device::Portable(device) => device.hides_lines(),
        }
    }

    /// Whether what is typed is read by lines, which the terminal keeps until they end.
    pub(crate) fn reads_lines(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Device::Native(device) => device.reads_lines(),
            Device::Portable(device) => device.reads_lines(),
        }
    }

    /// Whether the program has not read yet all that was typed; false where that can't be known.
    pub(crate) fn has_unread(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Device::Native(device) => device.has_unread(),
            Device::Portable(_) => false,
        }
    }

    /// Takes back what was typed and not read yet, where that can be done.
    pub(crate) fn drop_unread(&self) {
        match self {
            #[cfg(target_os = "linux")]
            Device::Native(device) => device.drop_unread(),
            Device::Portable(_) => {}
        }
    }

    /// Lets go of the program's side, so that it ends with the last process that has it.
    pub(crate) fn let_go(&self) {
        match self {
            #[cfg(target_os = "linux")]
            Device::Native(device) => device.let_go(),
            Device::Portable(_) => {}
        }
    }
}

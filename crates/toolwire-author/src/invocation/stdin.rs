//! The call, from stdin.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::OnceLock;
use std::thread::sleep;

use toolwire::Limits;

use super::outlet::PAUSE;

const CHUNK: usize = 64 * 1024;

/// All of stdin, or one byte more than a call may have: that is enough to refuse it. `interrupted` is
/// called when a signal arrives; where it fails, so does the reading.
pub(super) fn read<E>(
    mut interrupted: impl FnMut() -> Result<(), E>,
) -> Result<io::Result<Vec<u8>>, E> {
    let most = Limits::default().max_bytes + 1;
    let (mut stdin, mut call) = (io::stdin().lock(), Vec::new());
    while call.len() < most {
        let room = CHUNK.min(most - call.len());
        match read_more(&mut stdin, &mut call, room, &mut interrupted)? {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(call))
}

/// Reads what there is behind what was read before, and waits for it where another program has made the pipe one that
/// does not wait.
pub(super) fn read_more<E>(
    mut source: impl Read,
    read: &mut Vec<u8>,
    room: usize,
    mut interrupted: impl FnMut() -> Result<(), E>,
) -> Result<io::Result<usize>, E> {
    let length = read.len();
    loop {
        read.resize(length + room, 0);
        let more = source.read(&mut read[length..]);
        read.truncate(length + *more.as_ref().unwrap_or(&0));
        match more.as_ref().map_err(io::Error::kind) {
            Err(ErrorKind::Interrupted) => interrupted()?,
            Err(ErrorKind::WouldBlock) => {
                interrupted()?;
                sleep(PAUSE);
            }
            _ => return Ok(more),
        }
    }
}

/// Takes stdin from the rest of the process, once: whoever reads it from now on, also a child that inherits
/// it, finds nothing there. Gives what stdin was; nothing if it was closed.
///
/// On Windows it only keeps stdin at hand.
pub fn take_stdin() -> Option<&'static File> {
    static STDIN: OnceLock<Option<File>> = OnceLock::new();
    STDIN.get_or_init(turned).as_ref()
}

#[cfg(unix)]
fn turned() -> Option<File> {
    use rustix::{io, stdio};

    let nothing = File::open("/dev/null").ok()?;
    // No child inherits it.
    let stdin = io::fcntl_dupfd_cloexec(stdio::stdin(), 3).ok()?;
    stdio::dup2_stdin(&nothing).ok()?;
    Some(File::from(stdin))
}

#[cfg(windows)]
fn turned() -> Option<File> {
    use std::os::windows::io::AsHandle as _;

    let stdin = io::stdin().as_handle().try_clone_to_owned().ok()?;
    Some(File::from(stdin))
}

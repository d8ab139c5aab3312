//! The call, from stdin.

use std::io::{self, ErrorKind, Read};
use std::thread::sleep;
use std::time::Duration;

use toolwire::Limits;

/// How long to wait for a pipe that another program has made one that does not wait.
const PAUSE: Duration = Duration::from_millis(2);
const CHUNK: usize = 64 * 1024;

/// All of stdin, or one byte more than a call may have: that is enough to refuse it. `interrupted` is
/// called when a signal arrives; where it fails, so does the reading.
pub(super) fn read<E>(
    mut interrupted: impl FnMut() -> Result<(), E>,
) -> Result<io::Result<Vec<u8>>, E> {
    let most = Limits::default().max_bytes + 1;
    let mut stdin = io::stdin().lock();
    let mut call = Vec::new();
    while call.len() < most {
        let length = call.len();
        call.resize(most.min(length + CHUNK), 0);
        let read = stdin.read(&mut call[length..]);
        call.truncate(length + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => interrupted()?,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                interrupted()?;
                sleep(PAUSE);
            }
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(call))
}

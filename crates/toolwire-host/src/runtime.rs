//! The runtime that a host's calls run on.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// How many file descriptors a runtime needs for itself, and some more.
#[cfg(unix)]
const DESCRIPTORS: usize = 8;

/// Builds a runtime with everything that a call needs: timers, pipes, processes and signals.
///
/// # Errors
///
/// An error of the system, such as too few file descriptors, for which tokio itself would panic.
///
/// # Examples
///
/// ```
/// let mut builder = tokio::runtime::Builder::new_current_thread();
/// let runtime = toolwire_host::build_runtime(&mut builder)?;
/// assert_eq!(runtime.block_on(async { 1 }), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn build_runtime(builder: &mut Builder) -> io::Result<Runtime> {
    // The pair of sockets for signals is made with `expect`, once for the process.
    #[cfg(unix)]
    {
        let free = (0..DESCRIPTORS / 2).map(|_| std::os::unix::net::UnixStream::pair());
        free.collect::<io::Result<Vec<_>>>().map_err(few)?;
    }
    builder.enable_all().build()
}

#[cfg(unix)]
fn few(error: io::Error) -> io::Error {
    let advice = format!(
        "{error}; a call needs about 20 file descriptors: raise `ulimit -n`, or close some"
    );
    io::Error::new(error.kind(), advice)
}

//! The same for programs that are not asynchronous.

use std::future::{Future, pending};

use crate::{HostError, Outcome, RunOptions, Tool};

/// Runs a tool to its end and reads what it says back, as [`run`](crate::run()) does; the thread waits.
///
/// # Errors
///
/// Those of [`run`](crate::run()).
///
/// # Panics
///
/// Inside of an asynchronous runtime, which has [`run`](crate::run()).
///
/// # Examples
///
/// ```
/// use toolwire_host::{RunOptions, Tool, blocking};
///
/// # if cfg!(windows) { return Ok(()); }
/// let outcome = blocking::run(&Tool::new("echo").arg("hello"), &RunOptions::default())?;
/// assert_eq!(toolwire::format(&outcome.parsed, &Default::default()).unwrap(), "hello\n");
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
pub fn run(tool: &Tool, options: &RunOptions) -> Result<Outcome, HostError> {
    run_until(tool, options, pending())
}

/// Runs a tool until it ends or until `cancel` is done, as [`run_until`](crate::run_until()) does;
/// the thread waits. The future may come from a channel that another thread or a signal handler
/// writes to.
///
/// # Errors
///
/// Those of [`run`](crate::run()).
///
/// # Panics
///
/// As [`run`].
///
/// # Examples
///
/// ```
/// use toolwire_host::{RunOptions, Tool, blocking};
///
/// # if cfg!(windows) { return Ok(()); }
/// let (cancel, cancelled) = tokio::sync::oneshot::channel::<()>();
/// std::thread::spawn(move || cancel.send(()));
/// let outcome = blocking::run_until(&Tool::new("sleep").arg("60"), &RunOptions::default(), async {
///     let _ = cancelled.await;
/// })?;
/// assert!(outcome.cancelled());
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
pub fn run_until(
    tool: &Tool,
    options: &RunOptions,
    cancel: impl Future<Output = ()>,
) -> Result<Outcome, HostError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| HostError::system("the tool can't be waited for", error))?;
    runtime.block_on(crate::run_until(tool, options, cancel))
}

//! The same for programs that are not asynchronous.

use std::future::{Future, pending};

use toolwire::call::Call;

use crate::{Answerer, CallOptions, CallOutcome, HostError, Listed, Outcome, RunOptions, Tool};

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
    wait(crate::run_until(tool, options, cancel))
}

/// Calls a tool and has its questions answered, as [`call()`](crate::call()) does; the thread waits.
///
/// # Errors
///
/// Those of [`call()`](crate::call()).
///
/// # Panics
///
/// As [`run`].
///
/// # Examples
///
/// ```
/// use toolwire::{Json, call::Call};
/// use toolwire_host::{CallOptions, Nobody, Tool, blocking};
///
/// # if cfg!(windows) { return Ok(()); }
/// let call = Call::new("echo", Json::new("{}")?);
/// let outcome = blocking::call(&Tool::new("echo").arg("hi"), call, &CallOptions::default(), &mut Nobody)?;
/// assert_eq!(outcome.parsed.block(0).unwrap().text().unwrap(), "hi\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn call(
    tool: &Tool,
    call: Call,
    options: &CallOptions,
    answerer: &mut dyn Answerer,
) -> Result<CallOutcome, HostError> {
    call_until(tool, call, options, answerer, pending())
}

/// Calls a tool as [`call`] does, until there is a result or until `cancel` is done; the thread waits.
///
/// # Errors
///
/// Those of [`call()`](crate::call()).
///
/// # Panics
///
/// As [`run`].
///
/// # Examples
///
/// ```
/// use std::future::ready;
/// use toolwire::{Json, call::Call};
/// use toolwire_host::{CallOptions, Nobody, Tool, blocking};
///
/// # if cfg!(windows) { return Ok(()); }
/// let (tool, call) = (Tool::new("sleep").arg("60"), Call::new("sleep", Json::new("{}")?));
/// let outcome =
///     blocking::call_until(&tool, call, &CallOptions::default(), &mut Nobody, ready(()))?;
/// assert!(outcome.cancelled());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn call_until(
    tool: &Tool,
    call: Call,
    options: &CallOptions,
    answerer: &mut dyn Answerer,
    cancel: impl Future<Output = ()>,
) -> Result<CallOutcome, HostError> {
    wait(crate::call_until(tool, call, options, answerer, cancel))
}

/// Asks a program which tools it holds, as [`list_tools`](crate::list_tools()) does; the thread waits.
///
/// # Errors
///
/// Those of [`list_tools`](crate::list_tools()).
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
/// let listed = blocking::list_tools(&Tool::new("true"), &RunOptions::default())?;
/// assert!(listed.tools.is_none());
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
pub fn list_tools(tool: &Tool, options: &RunOptions) -> Result<Listed, HostError> {
    wait(crate::list_tools(tool, options))
}

/// Waits on a runtime of this thread's own.
fn wait<T>(future: impl Future<Output = Result<T, HostError>>) -> Result<T, HostError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| HostError::system("the tool can't be waited for", error))?;
    runtime.block_on(future)
}

//! Running a tool: start it, write its input and read its output, end it, report.

use std::fs::File;
use std::future::{Future, pending};
use std::pin::pin;
use std::time::{Duration, Instant};

use tokio::time::interval;
use toolwire::{Output, receive};

use super::capture::{Head, Tail};
use super::channel::{Channel, Channels};
use super::child::{Child, Said};
use super::events::EventReader;
use super::group::Reach;
use super::{Command, ProcessOptions};
use crate::transport::control::{Control, EndSwitch, Ending, Outputs};
use crate::transport::stopped;
use crate::{HostError, Reply, RunReport, StopReason};

/// The value of `TOOLWIRE_CALL` for a program that gets a call document on stdin (CALL-11).
const STDIN: &str = "stdin";

/// How often the size of the result channel is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Runs a tool to its end and reads its answer.
///
/// If the future is dropped, the tool is stopped in the background, as long as the runtime lives.
///
/// # Errors
///
/// Only if the tool cannot be run at all (PROC-4), or if the system fails the host itself. Whatever a tool does
/// is a [`Reply`].
///
/// # Panics
///
/// Outside of a tokio runtime whose I/O and time are enabled.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use toolwire_host::{ProcessOptions, Command};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// let options = ProcessOptions {
///     stdin: br#"{"content":[{"type":"text","text":"said back"}]}"#.to_vec(),
///     timeout: Some(Duration::from_secs(10)),
///     ..ProcessOptions::default()
/// };
/// let outcome = toolwire_host::run(&Command::new("cat"), &options).await?;
/// assert_eq!(outcome.parsed.verdict().as_str(), "valid");
/// # Ok::<(), toolwire_host::HostError>(())
/// # })?;
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
pub async fn run(command: &Command, options: &ProcessOptions) -> Result<Reply, HostError> {
    run_until(command, options, pending()).await
}

/// Runs a tool until it ends or until `cancel` completes, whichever is first.
///
/// When cancelled, the tool is asked to end before it is killed, and the result keeps what it had written
/// (PROC-23). Any future can cancel: that of a token, of a channel, or of Ctrl-C.
///
/// # Errors
///
/// Those of [`run`].
///
/// # Panics
///
/// As [`run`].
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use toolwire_host::{Command, ProcessOptions, StopReason};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// let impatient = tokio::time::sleep(Duration::from_millis(20));
/// let tool = Command::new("sleep").arg("60");
/// let outcome = toolwire_host::run_until(&tool, &ProcessOptions::default(), impatient).await?;
/// assert_eq!(outcome.report.stopped, Some(StopReason::Cancelled));
/// # Ok::<(), toolwire_host::HostError>(())
/// # })?;
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
pub async fn run_until(
    command: &Command,
    options: &ProcessOptions,
    cancel: impl Future<Output = ()>,
) -> Result<Reply, HostError> {
    let is_call = !options.stdin.is_empty();
    let end = EndSwitch::default();
    let control = end.control(Outputs::default());
    let mut running = pin!(run_with(
        command,
        options,
        &options.stdin,
        is_call,
        &control
    ));
    tokio::select! {
        biased;
        reply = &mut running => return reply,
        () = cancel => end.set(Ending::Cancelled),
    }
    running.await
}

/// Runs a program with this on stdin, whatever the options say of that. A variable announces a call document to the
/// program (CALL-11).
pub(crate) async fn run_with(
    command: &Command,
    options: &ProcessOptions,
    input: &[u8],
    is_call: bool,
    control: &Control,
) -> Result<Reply, HostError> {
    // Before the files, which it removes if this process is killed.
    #[cfg(unix)]
    super::guardian::start();
    let (channels, events) = channels(options, control)?;
    let call = is_call.then_some(STDIN);
    let started = Instant::now();
    let mut child = Child::start_with(command, options, call, channels, Reach::Group)?;
    child.give(input);
    child.close_stdin();
    let mut head = Head::new(options.max_output);
    let mut tail = Tail::new(options.stderr_tail);
    let mut events = events.map(|file| EventReader::new(file, options, control));
    let heard = (&mut head, &mut tail, events.as_mut());
    let stopped = complete(&mut child, options, control, heard).await;
    let left_behind = child.left_behind;
    let (exit, channels) = child.complete().await?;
    if let Some(events) = events {
        events.finish().await;
    }

    let mut result = match &channels.result {
        Some(channel) => channel
            .read(options.max_output.saturating_add(1))
            .map_err(|error| HostError::system("the result channel can't be read", error))?,
        None => Vec::new(),
    };
    // Whoever wrote too much did so, however the run ended.
    let stopped = stopped
        .or(head.over.then_some(StopReason::StdoutLimit))
        .or((result.len() > options.max_output).then_some(StopReason::ResultLimit));
    result.truncate(options.max_output);
    let by_channel = !result.is_empty();
    let stderr_truncated = tail.cut;
    let (stdout, stderr) = (head.bytes, tail.into_bytes());
    let parsed = match stopped {
        None => {
            let output = Output {
                stdout: &stdout,
                result: Some(&result),
                exit,
                stderr: &stderr,
            };
            receive(&output, &options.limits)
        }
        Some(reason) => {
            let answer = if by_channel { &result } else { &stdout };
            stopped::envelope(reason, options, started.elapsed(), answer, &stderr)
        }
    };
    let report = RunReport {
        exit: Some(exit),
        stdout,
        by_channel,
        stderr,
        stderr_truncated,
        stopped,
        left_behind,
        elapsed: started.elapsed(),
        output_mismatches: Vec::new(),
    };
    Ok(Reply::new(parsed).reported(report))
}

/// Makes the files of a run, and opens the one for events if anybody listens (EVT-1).
fn channels(
    options: &ProcessOptions,
    control: &Control,
) -> Result<(Channels, Option<File>), HostError> {
    let mut channels = Channels::default();
    if options.result_channel {
        channels.result = Some(Channel::result().map_err(|error| {
            HostError::system("the file of the result channel can't be made", error)
        })?);
    }
    // What the tool says there ends its silence.
    let listens = options.on_event.is_some() || options.silence.is_some();
    if !listens && !control.wants_events() {
        return Ok((channels, None));
    }
    let (channel, file) = Channel::events().map_err(|error| {
        HostError::system("the file for the tool's events can't be made", error)
    })?;
    channels.events = Some(channel);
    Ok((channels, Some(file)))
}

/// Reads until nothing of the tool is left; the reason why it was stopped.
async fn complete(
    child: &mut Child,
    options: &ProcessOptions,
    control: &Control,
    (head, tail, events): (&mut Head, &mut Tail, Option<&mut EventReader<'_>>),
) -> Option<StopReason> {
    let mut listening = pin!(async {
        match events {
            Some(events) => events.follow().await,
            None => pending().await,
        }
    });
    let mut time_is_over = pin!(control.out_of_time(options));
    let mut cancelled = pin!(control.cancelled());
    let mut killed = pin!(control.killed());
    let mut look = interval(LOOK);
    let has_channel = options.result_channel;
    let (mut stopped, mut runs, mut was_killed) = (None, true, false);
    // A piece of stderr that waits for room. Meanwhile the tool waits, as it would for a slow terminal.
    let mut piece = Vec::new();
    loop {
        child.hold(false, !piece.is_empty());
        let reason = tokio::select! {
            biased;
            () = &mut cancelled, if runs => Some(StopReason::Cancelled),
            () = &mut time_is_over, if runs => Some(StopReason::Timeout),
            () = &mut killed, if !runs && !was_killed => {
                was_killed = true;
                child.kill();
                None
            }
            _ = look.tick(), if runs && has_channel => {
                let channel = child.channels().result.as_ref();
                let length = channel.map_or(0, Channel::len);
                (length > options.max_output as u64).then_some(StopReason::ResultLimit)
            }
            () = control.stderr(&piece), if !piece.is_empty() => {
                piece.clear();
                None
            }
            () = &mut listening => None,
            // Last: a tool that never stops to write must not keep anything else from happening.
            said = child.next() => match said {
                Some(Said::Out) => {
                    control.heard();
                    head.push(child.stdout()).then_some(StopReason::StdoutLimit)
                }
                Some(Said::Err) => {
                    if let Some(observer) = &options.on_stderr {
                        observer.show(child.stderr());
                    }
                    tail.push(child.stderr());
                    piece.extend_from_slice(child.stderr());
                    None
                }
                Some(Said::Exited) => {
                    runs = false;
                    control.hurry();
                    None
                }
                Some(_) => None,
                None => return stopped,
            },
        };
        if let Some(reason) = reason
            && std::mem::take(&mut runs)
        {
            // A tool that has ended was not stopped.
            stopped = child.end(Duration::ZERO).then_some(reason);
            // A slow reader of stderr does not delay the end.
            control.hurry();
        }
    }
}

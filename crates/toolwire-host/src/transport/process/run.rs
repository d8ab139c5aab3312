//! Running a tool: start, feed and read, end, tell.

use std::convert::Infallible;
use std::ffi::OsString;
use std::fs::File;
use std::future::{Future, pending};
use std::io::ErrorKind;
use std::pin::{Pin, pin};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::process;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use toolwire::{Output, receive};

use super::channel::{Channel, Channels};
use super::events::EventReader;
use super::group::{AFTER_KILL, Group, Pipes};
use super::pipes::{Head, Outlet, Tail, feed};
use super::program::{not_started, resolve};
use super::{Command, ProcessOptions, suspension};
use crate::transport::control::{Control, EndSwitch, Ending, Outputs};
use crate::transport::stopped;
use crate::{HostError, HostErrorKind, Reply, RunReport, StopReason};

/// The value of `TOOLWIRE_CALL` for a program that gets a call document on stdin (CALL-11).
const STDIN: &str = "stdin";

/// How often the size of the result channel is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Runs a tool to its end and reads its answer.
///
/// If the future is dropped, the tool is stopped in the background, as long as the runtime lives (PROC-24).
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
    let input = match options.stdin.is_empty() {
        true => Input::plain(&options.stdin),
        false => Input::call(&options.stdin),
    };
    let end = EndSwitch::default();
    let control = end.control(Outputs::default());
    let mut running = pin!(run_with(command, options, input, &control));
    tokio::select! {
        biased;
        reply = &mut running => return reply,
        () = cancel => end.set(Ending::Cancelled),
    }
    running.await
}

/// What a program gets on stdin.
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    /// Whether it is a call document, and the program is told so (CALL-11).
    is_call: bool,
}

impl<'a> Input<'a> {
    pub(crate) fn call(bytes: &'a [u8]) -> Self {
        Input {
            bytes,
            is_call: true,
        }
    }

    pub(crate) fn plain(bytes: &'a [u8]) -> Self {
        Input {
            bytes,
            is_call: false,
        }
    }
}

/// Runs a program with this on stdin, whatever the options say of that.
pub(crate) async fn run_with(
    command: &Command,
    options: &ProcessOptions,
    input: Input<'_>,
    control: &Control,
) -> Result<Reply, HostError> {
    #[cfg(unix)]
    super::guardian::start();
    let (channels, events) = channels(options, control)?;
    let system = system_command(command, options, &channels, input.is_call.then_some(STDIN))?;
    let started = Instant::now();
    let (group, pipes) = Group::start(
        system,
        options.environment.inherits_all(),
        channels,
        options.terminal,
        options.grace,
    )
    .map_err(|error| not_started(command, error))?;
    let mut head = Head::new(options.max_output);
    let mut tail = Tail::new(options.stderr_tail);
    let mut events = events.map(|file| EventReader::new(file, options, control));
    let running = Running {
        options,
        stdin: input.bytes,
        control,
        group,
    };
    let (group, stopped, left_behind) = running
        .complete(pipes, &mut head, &mut tail, events.as_mut())
        .await?;
    let (exit, channels) = group.finish().await;
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
            let told = stopped::StopContext {
                reason,
                timeout: options.timeout,
                max_output: options.max_output,
                limits: &options.limits,
            };
            stopped::envelope(&told, answer, &stderr)
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
    if options.on_event.is_none() && !control.wants_events() {
        return Ok((channels, None));
    }
    let (channel, file) = Channel::events().map_err(|error| {
        HostError::system("the file for the tool's events can't be made", error)
    })?;
    channels.events = Some(channel);
    Ok((channels, Some(file)))
}

pub(super) fn system_command(
    command: &Command,
    options: &ProcessOptions,
    channels: &Channels,
    call: Option<&str>,
) -> Result<process::Command, HostError> {
    if let Some(name) = options.environment.bad_name() {
        let message = format!("`{}` can't be the name of a variable", name.display());
        return Err(HostError::new(HostErrorKind::BadArgument, message));
    }
    let program = resolve(command, options)?;
    // What starts the program would be given something else in its place.
    let has_zero = |text: &OsString| text.as_encoded_bytes().contains(&0);
    if command.arguments().iter().any(has_zero) || options.environment.values().any(has_zero) {
        return Err(not_started(command, ErrorKind::InvalidInput.into()));
    }
    let mut system = process::Command::new(&program.path);
    system.args(program.prefix).args(command.arguments());
    if let Some(cwd) = &options.cwd {
        if !cwd.is_dir() {
            let message = format!("there is no folder `{}` to run the tool in", cwd.display());
            return Err(HostError::new(HostErrorKind::BadDirectory, message));
        }
        system.current_dir(cwd);
    }
    let (result, events) = (channels.result.as_ref(), channels.events.as_ref());
    options.environment.apply(
        &mut system,
        result.map(Channel::path),
        events.map(Channel::path),
        call,
    );
    system
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(system)
}

/// A tool that runs.
struct Running<'a> {
    options: &'a ProcessOptions,
    stdin: &'a [u8],
    control: &'a Control,
    group: Group,
}

impl Running<'_> {
    /// Reads until nothing of the tool is left; the reason why it was stopped, and whether something
    /// held its pipes beyond its end.
    async fn complete(
        mut self,
        (stdin, stdout, stderr): Pipes,
        head: &mut Head,
        tail: &mut Tail,
        events: Option<&mut EventReader<'_>>,
    ) -> Result<(Group, Option<StopReason>, bool), HostError> {
        let (options, control) = (self.options, self.control);
        let (over, drained) = (Notify::new(), Notify::new());
        let all_over = Arc::new(AtomicBool::new(false));
        let stdout = Outlet::new(stdout, options.grace, &all_over);
        let stderr = Outlet::new(stderr, options.grace, &all_over);
        let mut pipes = pin!(async {
            let reading = async {
                tokio::join!(
                    head.read(stdout, &over),
                    tail.read(stderr, options.on_stderr.as_ref(), control),
                );
                drained.notify_one();
            };
            let listening = async {
                if let Some(events) = events {
                    events.follow().await;
                }
            };
            tokio::join!(feed(stdin, self.stdin), reading, listening);
            pending().await
        });

        let until = Self::until(&mut self.group, options, control, &over);
        let stopped = beside(pipes.as_mut(), until).await?;
        // Who reads stderr slowly does not delay the end.
        control.hurry();
        if !self.group.has_ended() {
            self.group.terminate();
            let ends = ends_within(&mut self.group, options.grace, pipes.as_mut());
            let ended = tokio::select! {
                biased;
                ended = ends => ended?,
                () = control.killed() => false,
            };
            if !ended {
                self.group.kill();
                ends_within(&mut self.group, AFTER_KILL, pipes.as_mut()).await?;
            }
        }
        self.group.take_terminal_back();
        // What the tool started may still be writing the end of the answer, or may never end.
        let lingering = timeout(options.linger, drained.notified());
        let left_behind = beside(pipes.as_mut(), lingering).await.is_err();
        self.group.kill();
        if left_behind {
            // What it had written before it was killed is still in the pipes.
            let _ = beside(pipes.as_mut(), timeout(LOOK, drained.notified())).await;
        }
        all_over.store(true, Ordering::Relaxed);
        Ok((self.group, stopped, left_behind))
    }

    /// Waits for the end of the tool or for a reason to end it.
    async fn until(
        group: &mut Group,
        options: &ProcessOptions,
        control: &Control,
        over: &Notify,
    ) -> Result<Option<StopReason>, HostError> {
        let time_is_over = async {
            match options.timeout {
                Some(time) => suspension::sleep(time).await,
                None => pending().await,
            }
        };
        let (ended, channel, foreground) = group.ended_beside();
        tokio::select! {
            // A tool that has ended was not stopped.
            biased;
            ended = ended => ended.map(|()| None).map_err(lost),
            () = over.notified() => Ok(Some(StopReason::StdoutLimit)),
            () = result_over(channel, options.max_output) => Ok(Some(StopReason::ResultLimit)),
            () = control.cancelled() => Ok(Some(StopReason::Cancelled)),
            () = time_is_over => Ok(Some(StopReason::Timeout)),
            never = foreground.follow() => match never {},
        }
    }
}

async fn ends_within(
    group: &mut Group,
    time: Duration,
    pipes: Pin<&mut impl Future<Output = Infallible>>,
) -> Result<bool, HostError> {
    match beside(pipes, timeout(time, group.ended())).await {
        Ok(ended) => ended.map(|()| true).map_err(lost),
        Err(_) => Ok(false),
    }
}

fn lost(error: std::io::Error) -> HostError {
    HostError::system("the tool's end can't be waited for", error)
}

/// Waits for an event while the pipes go on.
async fn beside<T>(
    pipes: Pin<&mut impl Future<Output = Infallible>>,
    event: impl Future<Output = T>,
) -> T {
    tokio::select! {
        never = pipes => match never {},
        value = event => value,
    }
}

/// Ends when there is more in the result channel than there may be.
async fn result_over(channel: Option<&Channel>, most: usize) {
    let Some(channel) = channel else {
        return pending().await;
    };
    loop {
        sleep(LOOK).await;
        if channel.len() > most as u64 {
            return;
        }
    }
}

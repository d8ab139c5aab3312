//! Running a tool: start, feed and read, end, tell.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::pin::{Pin, pin};
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::process::Command;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use toolwire::{Output, receive};

use crate::channel::Channel;
use crate::group::{AFTER_KILL, Group, Pipes};
use crate::pipes::{Head, Tail, feed};
use crate::program::{not_started, resolve};
use crate::{HostError, HostErrorKind, Outcome, RunOptions, Stop, Tool, stopped};

/// How often the size of the result channel is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Runs a tool to its end and reads what it says back.
///
/// If the future is dropped, all processes of the tool are killed at once (PROC-24).
///
/// # Errors
///
/// Only what keeps the tool from being run at all (PROC-4), or what the system does to the host
/// itself. Whatever a tool does is an [`Outcome`].
///
/// # Panics
///
/// Outside of a tokio runtime whose I/O and time are enabled.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use toolwire_host::{RunOptions, Tool};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// let options = RunOptions {
///     stdin: br#"{"content":[{"type":"text","text":"said back"}]}"#.to_vec(),
///     timeout: Some(Duration::from_secs(10)),
///     ..RunOptions::default()
/// };
/// let outcome = toolwire_host::run(&Tool::new("cat"), &options).await?;
/// assert_eq!(outcome.parsed.verdict().as_str(), "valid");
/// # Ok::<(), toolwire_host::HostError>(())
/// # })?;
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
pub async fn run(tool: &Tool, options: &RunOptions) -> Result<Outcome, HostError> {
    run_until(tool, options, pending()).await
}

/// Runs a tool until it ends or until `cancel` is done, whichever is first.
///
/// A tool that is cancelled is asked to end before it is killed, and what it had written is kept in
/// the result (PROC-23). Any future cancels: a token's, a channel's, Ctrl-C.
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
/// use toolwire_host::{RunOptions, Tool};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// let impatient = tokio::time::sleep(Duration::from_millis(20));
/// let tool = Tool::new("sleep").arg("60");
/// let outcome = toolwire_host::run_until(&tool, &RunOptions::default(), impatient).await?;
/// assert!(outcome.cancelled() && outcome.parsed.is_error());
/// # Ok::<(), toolwire_host::HostError>(())
/// # })?;
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
pub async fn run_until(
    tool: &Tool,
    options: &RunOptions,
    cancel: impl Future<Output = ()>,
) -> Result<Outcome, HostError> {
    let input = Input {
        bytes: &options.stdin,
        is_call: !options.stdin.is_empty(),
    };
    run_with(tool, options, input, cancel).await
}

/// What a program gets on stdin.
pub(crate) struct Input<'a> {
    pub bytes: &'a [u8],
    /// Whether it is a call document, and the program is told so (CALL-11).
    pub is_call: bool,
}

/// Runs a program with this on stdin, whatever the options say of that.
pub(crate) async fn run_with(
    tool: &Tool,
    options: &RunOptions,
    input: Input<'_>,
    cancel: impl Future<Output = ()>,
) -> Result<Outcome, HostError> {
    let channel = match options.result_channel {
        true => Some(Channel::create().map_err(|error| {
            HostError::system("the file of the result channel can't be made", error)
        })?),
        false => None,
    };
    let command = command(tool, options, channel.as_ref(), input.is_call)?;
    let started = Instant::now();
    let (group, pipes) = Group::start(command).map_err(|error| not_started(tool, error))?;
    let mut head = Head::new(options.max_output);
    let mut tail = Tail::new(options.stderr_tail);
    let running = Running {
        options,
        stdin: input.bytes,
        channel: channel.as_ref(),
        group,
    };
    let (group, stopped, left_behind) = running
        .complete(pipes, &mut head, &mut tail, cancel)
        .await?;
    let exit = group.finish().await;

    let mut result = match &channel {
        Some(channel) => channel
            .read(options.max_output.saturating_add(1))
            .map_err(|error| HostError::system("the result channel can't be read", error))?,
        None => Vec::new(),
    };
    // Whoever wrote too much did so, however the run ended.
    let stopped = stopped
        .or(head.over.then_some(Stop::StdoutLimit))
        .or((result.len() > options.max_output).then_some(Stop::ResultLimit));
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
        Some(stop) => {
            let answer = if by_channel { &result } else { &stdout };
            stopped::envelope(stop, answer, &stderr, options)
        }
    };
    Ok(Outcome {
        parsed,
        exit,
        stdout,
        by_channel,
        stderr,
        stderr_truncated,
        stopped,
        left_behind,
        elapsed: started.elapsed(),
    })
}

fn command(
    tool: &Tool,
    options: &RunOptions,
    channel: Option<&Channel>,
    is_call: bool,
) -> Result<Command, HostError> {
    if let Some(name) = options.environment.bad_name() {
        let message = format!("`{}` can't be the name of a variable", name.display());
        return Err(HostError::new(HostErrorKind::BadArgument, message));
    }
    let program = resolve(tool, &options.environment)?;
    let mut command = Command::new(&program.path);
    command.args(program.prefix).args(tool.arguments());
    if let Some(cwd) = &options.cwd {
        if !cwd.is_dir() {
            let message = format!("there is no folder `{}` to run the tool in", cwd.display());
            return Err(HostError::new(HostErrorKind::BadDirectory, message));
        }
        command.current_dir(cwd);
    }
    let result = channel.map(|channel| channel.path().as_os_str());
    options.environment.apply(&mut command, result, is_call);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(command)
}

/// A tool that runs.
struct Running<'a> {
    options: &'a RunOptions,
    stdin: &'a [u8],
    channel: Option<&'a Channel>,
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
        cancel: impl Future<Output = ()>,
    ) -> Result<(Group, Option<Stop>, bool), HostError> {
        let options = self.options;
        let (over, drained) = (Notify::new(), Notify::new());
        let mut pipes = pin!(async {
            let reading = async {
                tokio::join!(
                    head.read(stdout, &over),
                    tail.read(stderr, options.on_stderr.as_ref()),
                );
                drained.notify_one();
            };
            tokio::join!(feed(stdin, self.stdin), reading);
            pending().await
        });

        let until = Self::until(&mut self.group, options, self.channel, &over, cancel);
        let stopped = beside(pipes.as_mut(), until).await?;
        if !self.group.has_ended() {
            self.group.terminate();
            if !ends_within(&mut self.group, options.grace, pipes.as_mut()).await? {
                self.group.kill();
                ends_within(&mut self.group, AFTER_KILL, pipes.as_mut()).await?;
            }
        }
        // What the tool started may still be writing the end of the answer, or may never end.
        let lingering = timeout(options.linger, drained.notified());
        let left_behind = beside(pipes.as_mut(), lingering).await.is_err();
        self.group.kill();
        if left_behind {
            // What it had written before it was killed is still in the pipes.
            let _ = beside(pipes.as_mut(), timeout(LOOK, drained.notified())).await;
        }
        Ok((self.group, stopped, left_behind))
    }

    /// Waits for the end of the tool or for a reason to end it.
    async fn until(
        group: &mut Group,
        options: &RunOptions,
        channel: Option<&Channel>,
        over: &Notify,
        cancel: impl Future<Output = ()>,
    ) -> Result<Option<Stop>, HostError> {
        let time_is_over = async {
            match options.timeout {
                Some(time) => sleep(time).await,
                None => pending().await,
            }
        };
        tokio::select! {
            // A tool that has ended was not stopped.
            biased;
            ended = group.ended() => ended.map(|()| None).map_err(lost),
            () = over.notified() => Ok(Some(Stop::StdoutLimit)),
            () = result_over(channel, options.max_output) => Ok(Some(Stop::ResultLimit)),
            () = cancel => Ok(Some(Stop::Cancelled)),
            () = time_is_over => Ok(Some(Stop::Timeout)),
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
    while channel.len() <= most as u64 {
        sleep(LOOK).await;
    }
}

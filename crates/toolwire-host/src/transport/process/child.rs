//! A program in a group of its own, with its pipes and the way it ends (PROC-20 to PROC-23).

use std::collections::VecDeque;
use std::future::pending;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use process_wrap::tokio::ChildWrapper;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use toolwire::Exit;

use super::channel::Channels;
use super::group::{AFTER_KILL, Group, KILLED, Pipes, Reach};
use super::program::{not_started, system_command};
use super::{Command, ProcessOptions};
use crate::HostError;
use crate::later::{after, at};

/// More than most programs write.
const SMALL: usize = 8 * 1024;

/// The capacity of a pipe on most systems.
const CHUNK: usize = 64 * 1024;

/// How long output that was written before the end may take to arrive, if another process still holds the pipe.
const ARRIVAL: Duration = Duration::from_millis(50);

/// Maximum number of bytes that are read of such a pipe: no pipe holds more.
const MAX_REST: usize = 1024 * 1024;

/// A program that is started as a tool is, in a group of its own, with its pipes.
///
/// [`next`](Child::next) does everything: it writes what was [given](Child::give), reads, and ends the program in
/// steps once [`end`](Child::end) was called. Nothing of the group is ever left behind: dropping this stops the
/// program in the background, as long as the runtime lives.
///
/// ```
/// use toolwire_host::{Child, Command, ProcessOptions, Said};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// let mut cat = Child::start(&Command::new("cat"), &ProcessOptions::default())?;
/// cat.give(b"hello");
/// cat.close_stdin(); // the end of its input is a program's first reason to end
/// let mut output = Vec::new();
/// while let Some(said) = cat.next().await {
///     if said == Said::Out {
///         output.extend_from_slice(cat.stdout());
///     }
/// }
/// assert_eq!(output, b"hello");
/// assert_eq!(cat.finish().await, toolwire::Exit::Code(0));
/// # Ok::<(), toolwire_host::HostError>(())
/// # })?;
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
#[derive(Debug)]
pub struct Child {
    group: Group,
    stdin: Inlet,
    stdout: Outlet<ChildStdout>,
    stderr: Outlet<ChildStderr>,
    stage: Stage,
    /// When the next stage begins.
    until: Option<Instant>,
    grace: Duration,
    linger: Duration,
    /// Whether another process held its pipes beyond its end.
    pub(crate) left_behind: bool,
    /// Whether it was asked to end by a signal.
    pub(crate) was_asked: bool,
    lost: Option<io::Error>,
}

/// What a program has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Said {
    /// It has written to stdout: [`Child::stdout`].
    Out,
    /// It has written to stderr: [`Child::stderr`].
    Err,
    /// It has been written all that it was given.
    Fed,
    /// It has closed its stdout.
    OutClosed,
    /// It has closed its stdin. What it had not read is gone.
    InClosed,
    /// It has ended. Output that is still in its pipes follows.
    Exited,
}

/// How far the program is from its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Running,
    /// It is given time to end by itself; then it is asked to.
    Ending,
    /// It was asked to end; then it is killed.
    Asked,
    /// It was killed; then it is given up, since it hangs in the system.
    Killed,
    /// It has ended; then what holds its pipes is killed.
    Ended,
    /// All of it was killed; then only output that has arrived is read.
    Over,
}

impl Child {
    /// Starts a program. Of the options, those apply that say how a program is started: `cwd`, `environment`,
    /// `interpreters` and `terminal`; and `grace` and `linger`, which say how it ends.
    ///
    /// # Errors
    ///
    /// As [`run`](crate::run): only if it can't be started.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime whose I/O and time are enabled.
    pub fn start(command: &Command, options: &ProcessOptions) -> Result<Child, HostError> {
        Child::start_with(command, options, None, Channels::default(), Reach::Group)
    }

    /// The same, but it is ended with all process groups of its session, such as those of a shell's jobs.
    ///
    /// # Errors
    ///
    /// As [`start`](Child::start).
    ///
    /// # Panics
    ///
    /// As [`start`](Child::start).
    pub fn start_session(command: &Command, options: &ProcessOptions) -> Result<Child, HostError> {
        Child::start_with(command, options, None, Channels::default(), Reach::Session)
    }

    /// The same for a program that gets its calls as this value of `TOOLWIRE_CALL` says, and has these files.
    pub(crate) fn start_with(
        command: &Command,
        options: &ProcessOptions,
        call: Option<&str>,
        channels: Channels,
        reach: Reach,
    ) -> Result<Child, HostError> {
        #[cfg(unix)]
        super::guardian::start();
        let system = system_command(command, options, &channels, call)?;
        let inherits = options.environment.inherits_all();
        let (group, pipes) = Group::start(system, inherits, channels, options, reach)
            .map_err(|error| not_started(command, error))?;
        Ok(Child::new(group, pipes, options))
    }

    /// Starts a program as the first process of a session whose controlling terminal is this device, such as
    /// `/dev/pts/3`; the device is its stdin, stdout and stderr. It must not be the controlling terminal of
    /// another session. The options are those of [`start`](Child::start), except for `terminal`. It is ended with
    /// all process groups of its session.
    ///
    /// Returns nothing where a system can't do so without a fork; then use [`adopt`](Child::adopt). So far, Linux
    /// can.
    ///
    /// # Errors
    ///
    /// As [`start`](Child::start).
    ///
    /// # Panics
    ///
    /// As [`start`](Child::start).
    pub fn start_on(
        command: &Command,
        options: &ProcessOptions,
        device: &Path,
    ) -> Result<Option<Child>, HostError> {
        #[cfg(unix)]
        super::guardian::start();
        let system = system_command(command, options, &Channels::default(), None)?;
        #[cfg(target_os = "linux")]
        if let Some(group) = Group::start_on(&system, options.environment.inherits_all(), device) {
            let group = group.map_err(|error| not_started(command, error))?;
            return Ok(Some(Child::new(group, Pipes::default(), options)));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (device, system);
        Ok(None)
    }

    /// Takes over a program that `start` starts as the first process of a session. As with
    /// [`start_on`](Child::start_on), it is ended with all process groups of that session, also if this process is
    /// killed.
    ///
    /// # Errors
    ///
    /// Those of `start`.
    ///
    /// # Panics
    ///
    /// As [`start`](Child::start).
    pub fn adopt<E>(
        options: &ProcessOptions,
        start: impl FnOnce() -> Result<Box<dyn ChildWrapper>, E>,
    ) -> Result<Child, E> {
        #[cfg(unix)]
        super::guardian::start();
        let group = Group::adopt(start()?, Reach::Session);
        Ok(Child::new(group, Pipes::default(), options))
    }

    fn new(group: Group, (stdin, stdout, stderr): Pipes, options: &ProcessOptions) -> Child {
        Child {
            group,
            stdin: Inlet {
                pipe: stdin,
                waiting: VecDeque::new(),
                begun: false,
                closes: false,
            },
            stdout: Outlet::new(stdout),
            stderr: Outlet::new(stderr),
            stage: Stage::Running,
            until: None,
            grace: options.grace,
            linger: options.linger,
            left_behind: false,
            was_asked: false,
            lost: None,
        }
    }

    /// The number of its first process, which is that of its process group; nothing if it has ended and is gone.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.group.id()
    }

    /// Takes its pipes away: stdin, stdout and stderr, as far as they are open. It waits while nobody reads them.
    pub fn take_pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (
            self.stdin.pipe.take(),
            self.stdout.pipe.take(),
            self.stderr.pipe.take(),
        )
    }

    /// What the program does next; nothing after its end, when its pipes were read. Then call
    /// [`finish`](Child::finish), which ends what it has left.
    ///
    /// If another process holds the pipes beyond the end of the program, they are read for the `linger` of the
    /// options, and after that for what they hold, at most 1 MiB (PROC-20). Nothing is lost if the future is dropped.
    pub async fn next(&mut self) -> Option<Said> {
        loop {
            let has_ended = self.stage >= Stage::Ended;
            let is_over = self.stage == Stage::Over;
            if has_ended && !self.stdout.is_open() && !self.stderr.is_open() {
                return None;
            }
            let until = self.until;
            let is_held = self.stdout.is_held() || self.stderr.is_held();
            let (stdin, stdout, stderr) = (&mut self.stdin, &mut self.stdout, &mut self.stderr);
            // In no order: a program that never stops to write must not keep anything else from happening.
            let pipes = async {
                tokio::select! {
                    said = stdin.write() => Some(said),
                    more = stdout.read() => if more { Some(Said::Out) } else { Some(Said::OutClosed) },
                    more = stderr.read() => more.then_some(Said::Err),
                }
            };
            let said = tokio::select! {
                biased;
                ended = self.group.ended(), if !has_ended => {
                    self.lost = ended.err();
                    self.exited();
                    Some(Said::Exited)
                }
                () = at(until), if !is_over => self.climb(),
                said = pipes => said,
                // After the pipes, so that all that has arrived is read.
                () = at(until), if is_over && !is_held => {
                    self.left_behind = true;
                    self.stdout.pipe = None;
                    self.stderr.pipe = None;
                    None
                }
            };
            if said.is_some() {
                return said;
            }
        }
    }

    fn go(&mut self, stage: Stage, time: Duration) {
        self.stage = stage;
        self.until = Some(after(time));
    }

    /// Takes the next step towards the end.
    fn climb(&mut self) -> Option<Said> {
        match self.stage {
            Stage::Running | Stage::Over => {}
            Stage::Ending => {
                self.group.terminate();
                self.was_asked = true;
                self.go(Stage::Asked, self.grace);
            }
            Stage::Asked => self.kill(),
            Stage::Killed => {
                self.exited();
                return Some(Said::Exited);
            }
            Stage::Ended => {
                self.left_behind = true;
                self.kill();
            }
        }
        None
    }

    fn exited(&mut self) {
        self.group.take_terminal_back();
        let was_killed = self.stage == Stage::Killed;
        self.go(Stage::Ended, self.linger);
        if was_killed || self.linger.is_zero() {
            self.kill();
        }
    }

    /// Ends the program: it gets `patience` to end by itself, as it should once its stdin is closed; then it is asked
    /// to end by SIGTERM, and after the grace of its options it is killed. Called again, it can only hasten the end.
    /// Returns whether the program was still running.
    pub fn end(&mut self, patience: Duration) -> bool {
        if self.group.has_ended() {
            return false;
        }
        if self.stage <= Stage::Ending {
            let until = after(patience);
            self.stage = Stage::Ending;
            self.until = Some(self.until.map_or(until, |before| before.min(until)));
            if patience.is_zero() {
                self.climb();
            }
        }
        true
    }

    /// Kills the program, or what is left of it after its end.
    pub fn kill(&mut self) {
        match self.stage {
            Stage::Over => return,
            Stage::Ended => {
                self.stdout.rest = Some(MAX_REST);
                self.stderr.rest = Some(MAX_REST);
                self.go(Stage::Over, ARRIVAL);
            }
            _ => self.go(Stage::Killed, AFTER_KILL),
        }
        self.group.kill();
    }

    /// Reports to all processes of its session that their terminal is gone.
    pub fn hang_up(&mut self) {
        self.group.hang_up();
    }

    /// Queues this for stdin.
    pub fn give(&mut self, bytes: &[u8]) {
        if self.stdin.pipe.is_some() {
            self.stdin.waiting.extend(bytes);
        }
    }

    /// How many bytes of what was given have not been written yet.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.stdin.waiting.len()
    }

    /// Whether stdin takes more: neither side has closed it.
    #[must_use]
    pub fn takes_input(&self) -> bool {
        self.stdin.pipe.is_some() && !self.stdin.closes
    }

    /// Takes back what was given, if nothing of it was written yet; whether that is so.
    pub(crate) fn take_back(&mut self) -> bool {
        let untouched = !self.stdin.begun;
        if untouched {
            self.stdin.waiting.clear();
        }
        untouched
    }

    /// Closes stdin behind what was given.
    pub fn close_stdin(&mut self) {
        self.stdin.closes = true;
        self.stdin.settle();
    }

    /// Closes stdin at once.
    pub fn cut_stdin(&mut self) {
        self.stdin.waiting.clear();
        self.close_stdin();
    }

    /// What was read of stdout last, after [`Said::Out`].
    #[must_use]
    pub fn stdout(&self) -> &[u8] {
        &self.stdout.chunk
    }

    /// What was read of stderr last, after [`Said::Err`].
    #[must_use]
    pub fn stderr(&self) -> &[u8] {
        &self.stderr.chunk
    }

    /// While an output is held, it is not read, and the program waits.
    pub fn hold(&mut self, stdout: bool, stderr: bool) {
        self.stdout.holds = stdout;
        self.stderr.holds = stderr;
    }

    /// Reads what is in the pipe of stderr, also if the runtime does not know of it yet; false if that is nothing.
    pub(crate) fn read_stderr_at_once(&mut self) -> bool {
        #[cfg(unix)]
        if let Some(pipe) = &self.stderr.pipe {
            let chunk = &mut self.stderr.chunk;
            chunk.resize(SMALL, 0);
            let read = nix::unistd::read(pipe, chunk).unwrap_or(0);
            chunk.truncate(read);
            return read > 0;
        }
        false
    }

    pub(crate) fn channels(&self) -> &Channels {
        self.group.channels()
    }

    /// How it has ended, once that is known.
    pub(crate) fn exit(&self) -> Option<Exit> {
        self.group.exit()
    }

    /// Kills what is left of it, and returns how it has ended.
    pub async fn finish(self) -> Exit {
        let completed = self.complete().await;
        completed.map_or(Exit::Signal(KILLED), |(exit, _)| exit)
    }

    /// The same, with its files, or why the system could not be asked for its end.
    pub(crate) async fn complete(mut self) -> Result<(Exit, Channels), HostError> {
        self.kill();
        while self.next().await.is_some() {}
        if let Some(error) = self.lost.take() {
            return Err(HostError::system(
                "the tool's end can't be waited for",
                error,
            ));
        }
        Ok(self.group.reap().await)
    }

    /// Ends it as [`end`](Child::end) does, reading its output to nowhere, and returns how it has ended.
    pub async fn stop(mut self, patience: Duration) -> Exit {
        self.end(patience);
        while let Some(said) = self.next().await {
            if said == Said::Exited {
                self.kill();
            }
        }
        self.finish().await
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let (stdout, stderr) = (self.stdout.pipe.take(), self.stderr.pipe.take());
        self.group.abandon(self.grace, stdout, stderr);
    }
}

/// The stdin of a program, and what waits to be written there.
#[derive(Debug)]
struct Inlet {
    pipe: Option<ChildStdin>,
    waiting: VecDeque<u8>,
    /// Whether some of what waited was written.
    begun: bool,
    /// Whether it is closed behind what waits.
    closes: bool,
}

impl Inlet {
    /// Writes what waits; never returns if that is nothing.
    async fn write(&mut self) -> Said {
        loop {
            let Some(pipe) = self.pipe.as_mut().filter(|_| !self.waiting.is_empty()) else {
                return pending().await;
            };
            let written = pipe.write(self.waiting.as_slices().0).await.unwrap_or(0);
            if written == 0 {
                self.pipe = None;
                self.waiting.clear();
                return Said::InClosed;
            }
            self.waiting.drain(..written);
            self.begun = !self.waiting.is_empty();
            if !self.begun {
                self.settle();
                return Said::Fed;
            }
        }
    }

    fn settle(&mut self) {
        if self.closes && self.waiting.is_empty() {
            self.pipe = None;
        }
    }
}

/// An output of a program.
#[derive(Debug)]
struct Outlet<P> {
    pipe: Option<P>,
    chunk: Vec<u8>,
    holds: bool,
    /// How much more is read of it, if that is limited.
    rest: Option<usize>,
}

impl<P: AsyncRead + Unpin> Outlet<P> {
    fn new(pipe: Option<P>) -> Self {
        Outlet {
            pipe,
            chunk: Vec::new(),
            holds: false,
            rest: None,
        }
    }

    fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    fn is_held(&self) -> bool {
        self.is_open() && self.holds
    }

    /// Puts the next bytes in place of those in the chunk; false at the end. A pipe that breaks is at its end.
    async fn read(&mut self) -> bool {
        let Some(pipe) = self.pipe.as_mut().filter(|_| !self.holds) else {
            return pending().await;
        };
        // A full chunk shows that there is more.
        let capacity = if self.chunk.len() < SMALL {
            SMALL
        } else {
            CHUNK
        };
        self.chunk.clear();
        self.chunk.reserve_exact(capacity);
        let read = match self.rest {
            Some(0) => 0,
            _ => pipe.read_buf(&mut self.chunk).await.unwrap_or(0),
        };
        self.rest = self.rest.map(|rest| rest.saturating_sub(read));
        if read == 0 {
            self.pipe = None;
        }
        read > 0
    }
}

//! A tool's processes, which are started and ended together (PROC-7, PROC-20 to PROC-24).

use std::convert::Infallible;
use std::future::{Future, pending};
use std::io;
use std::marker::PhantomData;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap};
#[cfg(windows)]
use process_wrap::tokio::{JobObject, KillOnDrop};
#[cfg(unix)]
use process_wrap::tokio::{ProcessGroup, ProcessSession};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::runtime::Handle;
use toolwire::Exit;

use super::Terminal;
use super::channel::{Channel, Channels};
#[cfg(unix)]
use super::guardian::Guarded;
#[cfg(target_os = "linux")]
use super::session::Session;
#[cfg(unix)]
use super::terminal::{Lent, Owned};
use crate::descriptors;

/// The number of SIGTERM, the same on all Unix systems.
#[cfg(unix)]
const TERMINATE: i32 = 15;
const KILLED: i32 = 9;

/// How often it is looked whether a tool in the foreground was stopped.
#[cfg(unix)]
const LOOK: Duration = Duration::from_millis(50);

/// A killed process is gone within microseconds, unless the system itself hangs on a device.
pub(crate) const AFTER_KILL: Duration = Duration::from_secs(2);

/// The processes of a tool. Dropped, it stops them.
#[derive(Debug)]
pub(crate) struct Group {
    /// Empty only after the end.
    child: Option<Box<dyn ChildWrapper>>,
    status: Option<ExitStatus>,
    channels: Channels,
    /// The terminal that it has.
    #[cfg(unix)]
    terminal: Option<Lent>,
    #[cfg(unix)]
    guarded: Option<Guarded>,
    grace: Duration,
}

/// The host's ends of a tool's pipes.
pub(crate) type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

impl Group {
    /// Starts the command as the first process of a new session or group, or on Windows of a new job.
    /// `inherits` says whether it gets this process's variables beside its own.
    pub(crate) fn start(
        command: Command,
        inherits: bool,
        channels: Channels,
        terminal: Terminal,
        grace: Duration,
    ) -> io::Result<(Self, Pipes)> {
        #[cfg(unix)]
        let owned = match terminal {
            Terminal::Foreground => Some(Owned::find()?),
            Terminal::None => None,
        };
        #[cfg(unix)]
        let starting = channels
            .result
            .as_ref()
            .map(|channel| Guarded::starting(channel.path()));
        let mut child = spawn(command, inherits, terminal)?;
        if let Some(id) = child.id() {
            descriptors::give_back(id);
        }
        #[cfg(unix)]
        let guarded = child.id().map(Guarded::group);
        #[cfg(unix)]
        drop(starting);
        let pipes = (
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        );
        #[cfg(unix)]
        let terminal = owned.and_then(|owned| Some(owned.lend(child.id()?)));
        let group = Group {
            child: Some(child),
            #[cfg(unix)]
            guarded,
            #[cfg(unix)]
            terminal,
            status: None,
            channels,
            grace,
        };
        Ok((group, pipes))
    }

    /// Starts the command as the first process of a new session that has this terminal device; nothing if this
    /// system can't do it like this.
    #[cfg(target_os = "linux")]
    pub(crate) fn start_on(
        command: &Command,
        inherits: bool,
        device: &Path,
        grace: Duration,
    ) -> Option<io::Result<Self>> {
        let session = Session::start_on(command, inherits, device)?;
        Some(session.map(|session| Group {
            guarded: session.id().map(Guarded::group),
            child: Some(Box::new(session)),
            status: None,
            channels: Channels::default(),
            terminal: None,
            grace,
        }))
    }

    /// The number of the group, which is that of its first process; nothing after the end.
    pub(crate) fn id(&self) -> Option<u32> {
        self.child.as_ref()?.id()
    }

    /// Waits for the tool itself, not for what it started. Nothing is lost if the future is dropped.
    pub(crate) async fn ended(&mut self) -> io::Result<()> {
        self.ended_beside().0.await
    }

    /// The same, with what can be looked at meanwhile: the channel, and the terminal that the tool has.
    pub(crate) fn ended_beside(
        &mut self,
    ) -> (
        impl Future<Output = io::Result<()>>,
        Option<&Channel>,
        Foreground<'_>,
    ) {
        let (child, status) = (&mut self.child, &mut self.status);
        let ended = async move {
            if let (Some(child), None) = (child, *status) {
                // The whole group's wait would also wait for orphans, where they become our children.
                *status = Some(child.inner_mut().wait().await?);
            }
            Ok(())
        };
        let foreground = Foreground {
            #[cfg(unix)]
            terminal: self.terminal.as_mut(),
            whose: PhantomData,
        };
        (ended, self.channels.result.as_ref(), foreground)
    }

    /// How the tool itself has ended, once that was waited for.
    pub(crate) fn exit(&self) -> Option<Exit> {
        self.status.map(exit)
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.status.is_some()
    }

    /// Asks all processes of the group to end; where there is no asking, ends them.
    pub(crate) fn terminate(&mut self) {
        #[cfg(unix)]
        if let Some(child) = &self.child {
            // It fails if there is nobody left, which is as well.
            let _ = child.signal(TERMINATE);
        }
        // Who is stopped, as by Ctrl-Z, would not learn of it.
        #[cfg(unix)]
        if let Some(terminal) = &self.terminal {
            terminal.go_on();
        }
        #[cfg(not(unix))]
        self.kill();
    }

    /// Ends all processes of the group at once.
    pub(crate) fn kill(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.start_kill();
        }
    }

    /// Takes the terminal back, if the tool has it.
    pub(crate) fn take_terminal_back(&mut self) {
        #[cfg(unix)]
        {
            self.terminal = None;
        }
    }

    /// How the tool ended, and its files. The group must have been killed: what is left of it is
    /// reaped, where it is ours to reap.
    pub(crate) async fn finish(mut self) -> (Exit, Channels) {
        if let Some(mut child) = self.child.take() {
            let _ = tokio::time::timeout(AFTER_KILL, child.wait()).await;
        }
        let exit = self.status.map_or(Exit::Signal(KILLED), exit);
        (exit, std::mem::take(&mut self.channels))
    }
}

impl Drop for Group {
    /// Stops the tool in the background, as if the call were cancelled, as long as the runtime goes on;
    /// kills it where there is none.
    fn drop(&mut self) {
        self.terminate();
        self.take_terminal_back();
        let Some(child) = self.child.take() else {
            return;
        };
        let mut left = Left {
            child: Some(child),
            channels: std::mem::take(&mut self.channels),
            #[cfg(unix)]
            guarded: self.guarded.take(),
        };
        let grace = match self.status {
            Some(_) => Duration::ZERO,
            None => self.grace,
        };
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                if let Some(child) = &mut left.child {
                    let _ = tokio::time::timeout(grace, child.inner_mut().wait()).await;
                    let _ = child.start_kill();
                    let _ = child.wait().await;
                }
                left.child = None;
                #[cfg(unix)]
                drop(left.guarded.take());
                drop(std::mem::take(&mut left.channels));
            });
        }
    }
}

/// The terminal while a tool has it, if it has.
pub(crate) struct Foreground<'a> {
    #[cfg(unix)]
    terminal: Option<&'a mut Lent>,
    whose: PhantomData<&'a mut Group>,
}

impl Foreground<'_> {
    /// Stops and goes on with the tool, for ever.
    pub(crate) async fn follow(self) -> Infallible {
        #[cfg(unix)]
        if let Some(terminal) = self.terminal {
            loop {
                tokio::time::sleep(LOOK).await;
                terminal.follow();
            }
        }
        pending().await
    }
}

/// What is left of a tool whose call was given up. Dropped before it has ended, because there is no
/// runtime or it ends, it is killed and waited for, which is a matter of microseconds.
struct Left {
    child: Option<Box<dyn ChildWrapper>>,
    #[cfg(unix)]
    guarded: Option<Guarded>,
    channels: Channels,
}

impl Drop for Left {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else {
            return;
        };
        let _ = child.start_kill();
        for _ in 0..100 {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(unix)]
fn spawn(
    command: Command,
    inherits: bool,
    terminal: Terminal,
) -> io::Result<Box<dyn ChildWrapper>> {
    #[cfg(target_os = "linux")]
    if terminal == Terminal::None
        && let Some(started) = Session::start(&command, inherits)
    {
        return Ok(Box::new(started?));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = inherits;
    let mut command = CommandWrap::from(command);
    // Whoever has no terminal has none to hand down, so that a group is enough, which needs no fork.
    match terminal {
        Terminal::None if Owned::exists() => command.wrap(ProcessSession),
        _ => command.wrap(ProcessGroup::leader()),
    };
    command.spawn()
}

#[cfg(windows)]
fn spawn(command: Command, _: bool, _: Terminal) -> io::Result<Box<dyn ChildWrapper>> {
    let mut command = CommandWrap::from(command);
    // The job ends with the last handle to it: with this process, however that ends.
    command.wrap(KillOnDrop).wrap(JobObject);
    command.spawn()
}

#[cfg(unix)]
fn exit(status: ExitStatus) -> Exit {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code.into()),
        (None, signal) => Exit::Signal(signal.unwrap_or(KILLED)),
    }
}

#[cfg(not(unix))]
fn exit(status: ExitStatus) -> Exit {
    Exit::Code(status.code().unwrap_or(1).into())
}

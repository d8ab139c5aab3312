//! A tool's processes, which are started and ended together (PROC-7, PROC-20 to PROC-23).

use std::convert::Infallible;
use std::future::pending;
use std::io;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap};
#[cfg(windows)]
use process_wrap::tokio::{JobObject, KillOnDrop};
#[cfg(unix)]
use process_wrap::tokio::{ProcessGroup, ProcessSession};
#[cfg(unix)]
use rustix::process::Signal;
use tokio::io::{AsyncRead, copy, sink};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::runtime::Handle;
use tokio::time::timeout;
#[cfg(unix)]
use tokio::time::{Interval, interval};
use toolwire::Exit;

use super::channel::Channels;
#[cfg(unix)]
use super::guardian::Guarded;
#[cfg(unix)]
use super::reach::signal_session;
#[cfg(target_os = "linux")]
use super::session::Session;
#[cfg(unix)]
use super::terminal::{Lent, Owned};
use super::{ProcessOptions, Terminal};
use crate::descriptors;

/// The number of SIGKILL.
pub(crate) const KILLED: i32 = 9;

/// How often it is looked whether a tool in the foreground was stopped.
#[cfg(unix)]
const LOOK: Duration = Duration::from_millis(50);

/// A killed process is gone within microseconds, unless the system itself hangs on a device.
pub(crate) const AFTER_KILL: Duration = Duration::from_secs(2);

/// The processes of a tool. Dropped, it kills them.
#[derive(Debug)]
pub(crate) struct Group {
    /// Empty only after the end.
    child: Option<Box<dyn ChildWrapper>>,
    status: Option<ExitStatus>,
    /// The terminal that it has, and when it is looked whether it was stopped.
    #[cfg(unix)]
    terminal: Option<(Lent, Interval)>,
    #[cfg(unix)]
    guarded: Option<Guarded>,
    /// The session with all of whose groups it is ended.
    #[cfg(unix)]
    session: Option<u32>,
    /// Last: they must not go before the processes that may write to them.
    channels: Channels,
}

/// Which processes are ended with a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those of its group.
    Group,
    /// Those of its session, whatever groups job control has given them.
    Session,
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
        options: &ProcessOptions,
        reach: Reach,
    ) -> io::Result<(Self, Pipes)> {
        #[cfg(unix)]
        let owned = match options.terminal {
            Terminal::Foreground => Some(Owned::find()?),
            Terminal::None => None,
        };
        #[cfg(unix)]
        let starting = channels
            .result
            .as_ref()
            .map(|channel| Guarded::starting(channel.path()));
        let mut child = spawn(command, inherits, options.terminal)?;
        let pipes = (
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        );
        let mut group = Group::adopt(child, reach);
        group.channels = channels;
        #[cfg(unix)]
        {
            drop(starting);
            group.terminal =
                owned.and_then(|owned| Some((owned.lend(group.id()?), interval(LOOK))));
        }
        Ok((group, pipes))
    }

    /// Starts the command as the first process of a new session that has this terminal device; nothing if this
    /// system can't do it like this.
    #[cfg(target_os = "linux")]
    pub(crate) fn start_on(
        command: &Command,
        inherits: bool,
        device: &Path,
    ) -> Option<io::Result<Self>> {
        let session = Session::start_on(command, inherits, device)?;
        Some(session.map(|session| Group::adopt(Box::new(session), Reach::Session)))
    }

    /// Takes over a process that was just started.
    pub(crate) fn adopt(child: Box<dyn ChildWrapper>, reach: Reach) -> Self {
        let id = child.id();
        if let Some(id) = id {
            descriptors::give_back(id);
        }
        #[cfg(not(unix))]
        let _ = reach;
        Group {
            child: Some(child),
            status: None,
            channels: Channels::default(),
            #[cfg(unix)]
            terminal: None,
            #[cfg(unix)]
            guarded: id.map(Guarded::group),
            #[cfg(unix)]
            session: id.filter(|_| reach == Reach::Session),
        }
    }

    /// The number of the group, which is that of its first process; nothing after the end.
    pub(crate) fn id(&self) -> Option<u32> {
        self.child.as_ref()?.id()
    }

    pub(crate) fn channels(&self) -> &Channels {
        &self.channels
    }

    /// Waits for the tool itself, not for what it started. Nothing is lost if the future is dropped.
    pub(crate) async fn ended(&mut self) -> io::Result<()> {
        if let (Some(child), None) = (&mut self.child, self.status) {
            // The whole group's wait would also wait for orphans, where they become our children.
            let ended = child.inner_mut().wait();
            #[cfg(unix)]
            let stops = follow(self.terminal.as_mut());
            #[cfg(not(unix))]
            let stops = pending::<Infallible>();
            self.status = Some(tokio::select! {
                biased;
                status = ended => status?,
                never = stops => match never {},
            });
        }
        Ok(())
    }

    /// How the tool itself has ended, once that was waited for.
    pub(crate) fn exit(&self) -> Option<Exit> {
        self.status.map(exit)
    }

    /// Whether the tool itself has ended by now.
    pub(crate) fn has_ended(&mut self) -> bool {
        if let (Some(child), None) = (&mut self.child, self.status) {
            self.status = child.inner_mut().try_wait().ok().flatten();
        }
        self.status.is_some()
    }

    /// Asks all processes to end; where there is no asking, ends them.
    pub(crate) fn terminate(&mut self) {
        #[cfg(unix)]
        {
            self.signal(Signal::TERM);
            // A tool that is stopped, as by Ctrl-Z, would not notice it.
            if let Some((terminal, _)) = &self.terminal {
                terminal.go_on();
            }
        }
        #[cfg(not(unix))]
        self.kill();
    }

    /// Reports to all processes that their terminal is gone.
    pub(crate) fn hang_up(&mut self) {
        #[cfg(unix)]
        self.signal(Signal::HUP);
    }

    #[cfg(unix)]
    fn signal(&self, signal: Signal) {
        if let Some(session) = self.session {
            signal_session(session, signal);
        } else if let Some(child) = &self.child {
            // It fails if no process is left, which is as well.
            let _ = child.signal(signal.as_raw());
        }
    }

    /// Ends all processes at once.
    pub(crate) fn kill(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.start_kill();
            #[cfg(unix)]
            if let Some(session) = self.session {
                signal_session(session, Signal::KILL);
            }
        }
    }

    /// Takes the terminal back, if the tool has it.
    pub(crate) fn take_terminal_back(&mut self) {
        #[cfg(unix)]
        {
            self.terminal = None;
        }
    }

    /// Stops the tool in the background, as if its call were cancelled, as long as the runtime goes on; kills it where
    /// there is none, or if it is ended with its session. Its outputs are read to nowhere meanwhile: a tool that writes
    /// to a closed pipe dies before it can clean up.
    pub(crate) fn abandon(
        &mut self,
        grace: Duration,
        stdout: Option<ChildStdout>,
        stderr: Option<ChildStderr>,
    ) {
        #[cfg(unix)]
        match self.session {
            Some(_) => self.kill(),
            None => self.terminate(),
        }
        #[cfg(not(unix))]
        self.kill();
        let mut left = Group {
            child: self.child.take(),
            status: self.status,
            #[cfg(unix)]
            terminal: None,
            #[cfg(unix)]
            guarded: self.guarded.take(),
            #[cfg(unix)]
            session: self.session,
            channels: std::mem::take(&mut self.channels),
        };
        let grace = match self.status {
            Some(_) => Duration::ZERO,
            None => grace,
        };
        self.take_terminal_back();
        if left.child.is_some()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(async move {
                if let Some(child) = &mut left.child {
                    let draining = async {
                        tokio::join!(drain(stdout), drain(stderr));
                        pending::<()>().await;
                    };
                    tokio::select! {
                        _ = timeout(grace, child.inner_mut().wait()) => {}
                        () = draining => {}
                    }
                    let _ = child.start_kill();
                    let _ = child.wait().await;
                }
                drop(left.child.take());
            });
        }
    }

    /// How the tool ended, and its files. The group must have been killed: what is left of it is
    /// reaped, where it is ours to reap.
    pub(crate) async fn reap(&mut self) -> (Exit, Channels) {
        if let Some(mut child) = self.child.take() {
            let _ = timeout(AFTER_KILL, child.wait()).await;
        }
        let exit = self.status.map_or(Exit::Signal(KILLED), exit);
        (exit, std::mem::take(&mut self.channels))
    }
}

impl Drop for Group {
    /// Kills and waits for what was abandoned and has not ended, because there is no runtime or it ends. That is a
    /// matter of microseconds.
    fn drop(&mut self) {
        self.kill();
        let Some(mut child) = self.child.take() else {
            return;
        };
        for _ in 0..100 {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

async fn drain(pipe: Option<impl AsyncRead + Unpin>) {
    if let Some(mut pipe) = pipe {
        let _ = copy(&mut pipe, &mut sink()).await;
    }
}

/// Stops and goes on with a tool that has the terminal, forever.
#[cfg(unix)]
async fn follow(terminal: Option<&mut (Lent, Interval)>) -> Infallible {
    if let Some((terminal, look)) = terminal {
        loop {
            look.tick().await;
            terminal.follow();
        }
    }
    pending().await
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

//! A tool's processes, which are started and ended together (PROC-7, PROC-20 to PROC-24).

use std::future::Future;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

#[cfg(windows)]
use process_wrap::tokio::JobObject;
#[cfg(unix)]
use process_wrap::tokio::ProcessGroup;
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::runtime::Handle;
use toolwire::Exit;

use super::channel::Channel;

/// The number of SIGTERM, the same on all Unix systems.
#[cfg(unix)]
const TERMINATE: i32 = 15;
const KILLED: i32 = 9;

/// A killed process is gone within microseconds, unless the system itself hangs on a device.
pub(crate) const AFTER_KILL: Duration = Duration::from_secs(2);

/// The processes of a tool. Dropped, it stops them.
#[derive(Debug)]
pub(crate) struct Group {
    /// Empty only after the end.
    child: Option<Box<dyn ChildWrapper>>,
    status: Option<ExitStatus>,
    /// Its result channel, which must not go before the processes that may write to it.
    channel: Option<Channel>,
    grace: Duration,
}

/// The host's ends of a tool's pipes.
pub(crate) type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

impl Group {
    /// Starts the command as the first process of a new group, or on Windows of a new job.
    pub(crate) fn start(
        command: Command,
        channel: Option<Channel>,
        grace: Duration,
    ) -> io::Result<(Self, Pipes)> {
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(JobObject);
        let mut child = command.spawn()?;
        let pipes = (
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        );
        let group = Group {
            child: Some(child),
            status: None,
            channel,
            grace,
        };
        Ok((group, pipes))
    }

    /// Waits for the tool itself, not for what it started. Nothing is lost if the future is dropped.
    pub(crate) async fn ended(&mut self) -> io::Result<()> {
        self.ended_and_channel().0.await
    }

    /// The same, with the channel, which can be looked at meanwhile.
    pub(crate) fn ended_and_channel(
        &mut self,
    ) -> (impl Future<Output = io::Result<()>>, Option<&Channel>) {
        let (child, status) = (&mut self.child, &mut self.status);
        let ended = async move {
            if let (Some(child), None) = (child, *status) {
                // The whole group's wait would also wait for orphans, where they become our children.
                *status = Some(child.inner_mut().wait().await?);
            }
            Ok(())
        };
        (ended, self.channel.as_ref())
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
        #[cfg(not(unix))]
        self.kill();
    }

    /// Ends all processes of the group at once.
    pub(crate) fn kill(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.start_kill();
        }
    }

    /// How the tool ended, and its channel. The group must have been killed: what is left of it is
    /// reaped, where it is ours to reap.
    pub(crate) async fn finish(mut self) -> (Exit, Option<Channel>) {
        if let Some(mut child) = self.child.take() {
            let _ = tokio::time::timeout(AFTER_KILL, child.wait()).await;
        }
        let exit = self.status.map_or(Exit::Signal(KILLED), exit);
        (exit, self.channel.take())
    }
}

impl Drop for Group {
    /// Stops the tool in the background, as if the call were cancelled, as long as the runtime goes on;
    /// kills it where there is none.
    fn drop(&mut self) {
        self.terminate();
        let Some(child) = self.child.take() else {
            return;
        };
        let mut left = Left {
            child: Some(child),
            channel: self.channel.take(),
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
                drop(left.channel.take());
            });
        }
    }
}

/// What is left of a tool whose call was given up. Dropped before it has ended, because there is no
/// runtime or it ends, it is killed and waited for, which is a matter of microseconds.
struct Left {
    child: Option<Box<dyn ChildWrapper>>,
    channel: Option<Channel>,
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
fn exit(status: ExitStatus) -> Exit {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or(KILLED)),
    }
}

#[cfg(not(unix))]
fn exit(status: ExitStatus) -> Exit {
    Exit::Code(status.code().unwrap_or(1))
}

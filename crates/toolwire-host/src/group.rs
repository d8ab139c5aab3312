//! A tool's processes, which are started and ended together (PROC-7, PROC-20 to PROC-24).

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

/// The number of SIGTERM, the same on all Unix systems.
#[cfg(unix)]
const TERMINATE: i32 = 15;
const KILLED: i32 = 9;

/// A killed process is gone within microseconds, unless the system itself hangs on a device.
pub(crate) const AFTER_KILL: Duration = Duration::from_secs(2);

/// The processes of a tool. Dropped, it kills them.
#[derive(Debug)]
pub(crate) struct Group {
    /// Empty only after the end.
    child: Option<Box<dyn ChildWrapper>>,
    status: Option<ExitStatus>,
}

/// The host's ends of a tool's pipes.
pub(crate) type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

impl Group {
    /// Starts the command as the first process of a new group, or on Windows of a new job.
    pub(crate) fn start(command: Command) -> io::Result<(Self, Pipes)> {
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
        };
        Ok((group, pipes))
    }

    /// Waits for the tool itself, not for what it started. Nothing is lost if the future is dropped.
    pub(crate) async fn ended(&mut self) -> io::Result<()> {
        if let (Some(child), None) = (&mut self.child, self.status) {
            // The whole group's wait would also wait for orphans, where they become our children.
            self.status = Some(child.inner_mut().wait().await?);
        }
        Ok(())
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

    /// How the tool ended. The group must have been killed: what is left of it is reaped, where it
    /// is ours to reap.
    pub(crate) async fn finish(mut self) -> Exit {
        if let Some(mut child) = self.child.take() {
            let _ = tokio::time::timeout(AFTER_KILL, child.wait()).await;
        }
        self.status.map_or(Exit::Signal(KILLED), exit)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else {
            return;
        };
        let _ = child.start_kill();
        // The dead are waited for, or they would stay in the table of processes.
        let mut dead = Dead(Some(child));
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                if let Some(child) = &mut dead.0 {
                    let _ = child.wait().await;
                }
                drop(dead.0.take());
            });
        }
    }
}

/// Processes that were killed. Dropped before they were waited for, because there is no runtime or
/// it ends, it waits for them itself: that is a matter of microseconds.
struct Dead(Option<Box<dyn ChildWrapper>>);

impl Drop for Dead {
    fn drop(&mut self) {
        let Some(mut child) = self.0.take() else {
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

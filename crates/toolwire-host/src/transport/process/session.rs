//! Starting a process as the first one of a session, without a fork (PROC-7).
//!
//! The standard library makes a session only in a fork, which copies the page tables of the host:
//! 60 ms where that has touched 1 GB. `posix_spawn` has an option for it and takes 0.2 ms in any host.
//! It is for Linux, whose process descriptors report the end of a process that the runtime has not
//! started; where anything of it is missing, the caller forks.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::pin::Pin;
use std::process::{self, ExitStatus};
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use nix::fcntl::OFlag;
use nix::libc;
use nix::sched::{CloneFlags, unshare};
use nix::spawn::{PosixSpawnAttr, PosixSpawnFileActions, PosixSpawnFlags, posix_spawn};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::stat::Mode;
use process_wrap::tokio::ChildWrapper;
use rustix::process::{
    Pid, PidfdFlags, WaitOptions, getpid, kill_process_group, pidfd_open, waitpgid, waitpid,
};
use tokio::io::unix::AsyncFd;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};

const KILL: rustix::process::Signal = rustix::process::Signal::KILL;

/// How soon somebody who was killed is likely to be gone.
const SOON: Duration = Duration::from_millis(1);

/// A process, with the group that it is the first one of.
#[derive(Debug)]
pub(crate) struct Session {
    id: Pid,
    end: AsyncFd<OwnedFd>,
    status: Option<ExitStatus>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
}

/// Linux has them since 5.3, and some sandboxes do not.
static HAS_PROCESS_DESCRIPTORS: LazyLock<bool> =
    LazyLock::new(|| pidfd_open(getpid(), PidfdFlags::NONBLOCK).is_ok());

/// What `posix_spawn` takes, but for the folder.
struct Start {
    program: CString,
    arguments: Vec<CString>,
    environment: Vec<CString>,
    streams: Streams,
}

/// What a program has for stdin, stdout and stderr.
enum Streams {
    /// Its ends of three pipes.
    Pipes(Vec<OwnedFd>),
    /// A terminal device.
    Terminal(CString),
}

impl Session {
    /// Starts the program with three pipes; nothing if this system can't do it like this. `inherits`
    /// says whether the variables of this process are handed on beside those of the command.
    pub(crate) fn start(command: &Command, inherits: bool) -> Option<io::Result<Self>> {
        if !*HAS_PROCESS_DESCRIPTORS {
            return None;
        }
        let pipes = || -> io::Result<_> {
            let (stdin, stdout, stderr) = (io::pipe()?, io::pipe()?, io::pipe()?);
            // A copy has none of the numbers that the streams are going to have.
            let tools = [stdin.0.into(), stdout.1.into(), stderr.1.into()];
            let tools: io::Result<Vec<OwnedFd>> = tools.iter().map(OwnedFd::try_clone).collect();
            let hosts = (
                ChildStdin::from_std(OwnedFd::from(stdin.1).into())?,
                ChildStdout::from_std(OwnedFd::from(stdout.0).into())?,
                ChildStderr::from_std(OwnedFd::from(stderr.0).into())?,
            );
            Ok((tools?, hosts))
        };
        let (tools, (stdin, stdout, stderr)) = match pipes() {
            Ok(pipes) => pipes,
            Err(error) => return Some(Err(error)),
        };
        let session = Session::begin(command, inherits, Streams::Pipes(tools))?;
        Some(session.map(|session| Session {
            stdin: Some(stdin),
            stdout: Some(stdout),
            stderr: Some(stderr),
            ..session
        }))
    }

    /// Starts the program on this terminal device, which becomes the controlling terminal of its session, as
    /// any that the first process of a session opens; nothing if this system can't do it like this.
    pub(crate) fn start_on(
        command: &Command,
        inherits: bool,
        device: &Path,
    ) -> Option<io::Result<Self>> {
        if !*HAS_PROCESS_DESCRIPTORS {
            return None;
        }
        let device = c_string(device.as_os_str())?;
        Session::begin(command, inherits, Streams::Terminal(device))
    }

    fn begin(command: &Command, inherits: bool, streams: Streams) -> Option<io::Result<Self>> {
        let command = command.as_std();
        let program = c_string(command.get_program())?;
        let arguments = command.get_args().map(c_string);
        let start = Start {
            arguments: [Some(program.clone())]
                .into_iter()
                .chain(arguments)
                .collect::<Option<_>>()?,
            program,
            environment: environment(command, inherits)?,
            streams,
        };
        let id = match command.get_current_dir() {
            Some(folder) => start.begin_in(folder)?,
            None => start.begin()?,
        };
        Some(id.and_then(|id| {
            let watched = || -> io::Result<Session> {
                #[allow(
                    deprecated,
                    reason = "what is to be used instead is newer than the tokio that is asked for"
                )]
                let end = AsyncFd::new(pidfd_open(id, PidfdFlags::NONBLOCK)?)?;
                Ok(Session {
                    id,
                    end,
                    status: None,
                    stdin: None,
                    stdout: None,
                    stderr: None,
                })
            };
            watched().inspect_err(|_| {
                // There are too few file descriptors to look after it.
                let _ = kill_process_group(id, KILL);
                let _ = waitpid(Some(id), WaitOptions::empty());
            })
        }))
    }

    /// Looks after those of the group that have become children of this process, as the first one of
    /// a container has, until there are none.
    async fn reap(&self) {
        while let Ok(reaped) = waitpgid(self.id, WaitOptions::NOHANG) {
            if reaped.is_none() {
                tokio::time::sleep(SOON).await;
            }
        }
    }
}

impl Start {
    fn begin(&self) -> Option<io::Result<Pid>> {
        let attributes = attributes()?;
        let mut actions = PosixSpawnFileActions::init().ok()?;
        match &self.streams {
            Streams::Pipes(streams) => {
                for (number, stream) in (0..).zip(streams) {
                    actions.add_dup2(stream.as_raw_fd(), number).ok()?;
                }
            }
            Streams::Terminal(device) => {
                let mode = Mode::empty();
                let device = device.as_c_str();
                actions.add_open(0, device, OFlag::O_RDWR, mode).ok()?;
                actions.add_dup2(0, 1).ok()?;
                actions.add_dup2(0, 2).ok()?;
            }
        }
        let id = posix_spawn(
            self.program.as_c_str(),
            &actions,
            &attributes,
            &self.arguments,
            &self.environment,
        );
        match id {
            Ok(id) => Pid::from_raw(id.as_raw()).map(Ok),
            Err(error) => Some(Err(error.into())),
        }
    }

    /// Begins it in a thread that has a working directory of its own; nothing where no thread may.
    fn begin_in(&self, folder: &Path) -> Option<io::Result<Pid>> {
        let begin = || {
            unshare(CloneFlags::CLONE_FS).ok()?;
            match nix::unistd::chdir(folder) {
                Ok(()) => self.begin(),
                Err(error) => Some(Err(error.into())),
            }
        };
        thread::scope(|scope| {
            let thread = thread::Builder::new().spawn_scoped(scope, begin).ok()?;
            thread.join().ok()?
        })
    }
}

/// A session of its own, no signal blocked, and SIGPIPE as programs expect it, which hosts ignore.
fn attributes() -> Option<PosixSpawnAttr> {
    let mut attributes = PosixSpawnAttr::init().ok()?;
    let session = PosixSpawnFlags::from_bits_retain(libc::POSIX_SPAWN_SETSID.into());
    let signals = PosixSpawnFlags::POSIX_SPAWN_SETSIGDEF | PosixSpawnFlags::POSIX_SPAWN_SETSIGMASK;
    attributes.set_flags(session | signals).ok()?;
    // A C library that does not know sessions takes none of the flags, and does not say so here.
    if !attributes.flags().ok()?.contains(signals) {
        return None;
    }
    let mut pipe = SigSet::empty();
    pipe.add(Signal::SIGPIPE);
    attributes.set_sigdefault(&pipe).ok()?;
    attributes.set_sigmask(&SigSet::empty()).ok()?;
    Some(attributes)
}

/// Nothing for a zero byte, which has been refused before.
fn c_string(text: &OsStr) -> Option<CString> {
    CString::new(text.as_bytes()).ok()
}

fn environment(command: &process::Command, inherits: bool) -> Option<Vec<CString>> {
    let set = |name: &OsStr| command.get_envs().any(|(other, _)| other == name);
    let inherited = inherits.then(std::env::vars_os).into_iter().flatten();
    let inherited = inherited.filter(|(name, _)| !set(name));
    let own = command
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
    let variable = |(mut name, value): (OsString, OsString)| {
        name.push("=");
        name.push(value);
        CString::new(name.into_vec()).ok()
    };
    inherited.chain(own).map(variable).collect()
}

impl ChildWrapper for Session {
    fn inner(&self) -> &dyn ChildWrapper {
        self
    }

    fn inner_mut(&mut self) -> &mut dyn ChildWrapper {
        self
    }

    fn into_inner(self: Box<Self>) -> Box<dyn ChildWrapper> {
        self
    }

    fn stdin(&mut self) -> &mut Option<ChildStdin> {
        &mut self.stdin
    }

    fn stdout(&mut self) -> &mut Option<ChildStdout> {
        &mut self.stdout
    }

    fn stderr(&mut self) -> &mut Option<ChildStderr> {
        &mut self.stderr
    }

    fn id(&self) -> Option<u32> {
        Some(self.id.as_raw_nonzero().get().cast_unsigned())
    }

    fn start_kill(&mut self) -> io::Result<()> {
        Ok(kill_process_group(self.id, KILL)?)
    }

    fn signal(&self, signal: i32) -> io::Result<()> {
        let signal = Signal::try_from(signal)?;
        Ok(nix::sys::signal::killpg(
            nix::unistd::Pid::from_raw(self.id.as_raw_nonzero().get()),
            signal,
        )?)
    }

    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none()
            && let Some((_, status)) = waitpid(Some(self.id), WaitOptions::NOHANG)?
        {
            self.status = Some(ExitStatus::from_raw(status.as_raw()));
        }
        Ok(self.status)
    }

    /// Waits for the first process; where that has ended, for what else there is to wait for.
    fn wait(&mut self) -> Pin<Box<dyn Future<Output = io::Result<ExitStatus>> + Send + '_>> {
        Box::pin(async {
            if let Some(status) = self.status {
                self.reap().await;
                return Ok(status);
            }
            loop {
                if let Some(status) = self.try_wait()? {
                    return Ok(status);
                }
                self.end.readable().await?.clear_ready();
            }
        })
    }
}

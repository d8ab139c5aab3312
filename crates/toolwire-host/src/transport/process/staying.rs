//! A program that stays, with its pipes in the hands of the caller.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::timeout;
use toolwire::Exit;

use super::channel::Channels;
use super::group::{AFTER_KILL, Group};
use super::program::not_started;
use super::run::system_command;
use super::{Command, ProcessOptions};
use crate::{HostError, HostErrorKind};

/// A program that is started as a tool is, in a group of its own, and then talked to for as long as it is
/// needed, such as an MCP server.
///
/// Whatever happens, nothing of its group is left behind: [`end`](Staying::end) ends it in steps, and
/// dropping it stops it in the background, as long as the runtime lives.
///
/// ```
/// use std::time::Duration;
/// use tokio::io::{AsyncReadExt, AsyncWriteExt};
/// use toolwire_host::{Command, ProcessOptions, Staying};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// let (cat, mut pipes) = Staying::start(&Command::new("cat"), &ProcessOptions::default())?;
/// pipes.stdin.write_all(b"hello").await.unwrap();
/// let mut said = [0; 5];
/// pipes.stdout.read_exact(&mut said).await.unwrap();
/// drop(pipes.stdin); // the end of its input is a program's first reason to end
/// assert_eq!(cat.end(Duration::from_secs(2)).await, toolwire::Exit::Code(0));
/// # Ok::<(), toolwire_host::HostError>(())
/// # })?;
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
#[derive(Debug)]
pub struct Staying {
    group: Group,
    grace: Duration,
}

/// The pipes of a [`Staying`] program.
#[derive(Debug)]
#[non_exhaustive]
pub struct StayingPipes {
    /// What the program reads.
    pub stdin: ChildStdin,
    /// What it writes. It waits while nobody reads this.
    pub stdout: ChildStdout,
    /// What it writes to stderr. It waits while nobody reads this.
    pub stderr: ChildStderr,
}

impl Staying {
    /// Starts a program. Of the options, those apply that say how a program is started: `cwd`,
    /// `environment`, `interpreters`, `terminal` and `grace`. It is told of no call and no result channel.
    ///
    /// # Errors
    ///
    /// As [`run`](crate::run): only if it can't be started.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime whose I/O and time are enabled.
    pub fn start(
        command: &Command,
        options: &ProcessOptions,
    ) -> Result<(Staying, StayingPipes), HostError> {
        Staying::start_with(command, options, None)
    }

    /// The same for a program that is told with this value of `TOOLWIRE_CALL` how it gets its calls.
    pub(crate) fn start_with(
        command: &Command,
        options: &ProcessOptions,
        call: Option<&str>,
    ) -> Result<(Staying, StayingPipes), HostError> {
        #[cfg(unix)]
        super::guardian::start();
        let system = system_command(command, options, &Channels::default(), call)?;
        let (group, pipes) = Group::start(
            system,
            options.environment.inherits_all(),
            Channels::default(),
            options.terminal,
            options.grace,
        )
        .map_err(|error| not_started(command, error))?;
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            let message = format!("`{}` has no pipes", command.program().display());
            return Err(HostError::new(HostErrorKind::System, message));
        };
        let staying = Staying {
            group,
            grace: options.grace,
        };
        let pipes = StayingPipes {
            stdin,
            stdout,
            stderr,
        };
        Ok((staying, pipes))
    }

    /// Starts a program as the first process of a session whose controlling terminal is this device, such as
    /// `/dev/pts/3`; the device is its stdin, stdout and stderr. It must not be the controlling terminal of
    /// anybody else. The options are those of [`start`](Staying::start), except for `terminal`.
    ///
    /// Returns nothing where a system can't do so without a fork; then use [`StartPlan`]. So far, Linux can.
    ///
    /// # Errors
    ///
    /// As [`start`](Staying::start).
    ///
    /// # Panics
    ///
    /// As [`start`](Staying::start).
    pub fn start_on(
        command: &Command,
        options: &ProcessOptions,
        device: &Path,
    ) -> Result<Option<Staying>, HostError> {
        #[cfg(unix)]
        super::guardian::start();
        let system = system_command(command, options, &Channels::default(), None)?;
        #[cfg(target_os = "linux")]
        if let Some(group) = Group::start_on(
            &system,
            options.environment.inherits_all(),
            device,
            options.grace,
        ) {
            return Ok(Some(Staying {
                group: group.map_err(|error| not_started(command, error))?,
                grace: options.grace,
            }));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (device, system);
        Ok(None)
    }

    /// The number of its first process, which is that of its process group; nothing if it has ended and is
    /// gone.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.group.id()
    }

    /// Waits until the program itself has ended. Nothing is lost if the future is dropped.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub async fn ended(&mut self) -> Result<(), HostError> {
        let ended = self.group.ended().await;
        ended.map_err(|error| HostError::system("the program can't be waited for", error))
    }

    /// How it has ended, once that was waited for.
    pub(crate) fn exit(&self) -> Option<Exit> {
        self.group.exit()
    }

    /// Ends it with all that it started, at once.
    pub async fn kill(mut self) -> Exit {
        self.group.kill();
        let _ = timeout(AFTER_KILL, self.group.ended()).await;
        self.group.finish().await.0
    }

    /// Waits for the program to end by itself, which it should once its stdin is closed; after `patience`
    /// it is asked to end, and after the grace of its options it is killed, with all that it started.
    pub async fn end(mut self, patience: Duration) -> Exit {
        if timeout(patience, self.group.ended()).await.is_err() {
            self.group.terminate();
            if timeout(self.grace, self.group.ended()).await.is_err() {
                self.group.kill();
                let _ = timeout(AFTER_KILL, self.group.ended()).await;
            }
        }
        self.group.kill();
        self.group.finish().await.0
    }
}

/// What exactly is started for a command, for a transport that starts its program itself: as
/// [`Staying::start`] would, with the program found, the interpreter of a script put before it, and the
/// environment made.
///
/// ```
/// use toolwire_host::{Command, ProcessOptions, StartPlan};
///
/// let plan = StartPlan::new(&Command::new("cargo").arg("--version"), &ProcessOptions::default())?;
/// assert!(plan.program.is_absolute());
/// assert_eq!(plan.arguments, ["--version"]);
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StartPlan {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// All of its environment variables.
    pub environment: Vec<(OsString, OsString)>,
    /// The folder in which it runs, if not that of the host.
    pub cwd: Option<PathBuf>,
}

impl StartPlan {
    /// The plan for a command with these options.
    ///
    /// # Errors
    ///
    /// As [`run`](crate::run), if there is no such program or it can't be started.
    pub fn new(command: &Command, options: &ProcessOptions) -> Result<Self, HostError> {
        let system = system_command(command, options, &Channels::default(), None)?;
        let system = system.as_std();
        let set = |name: &OsString| {
            system
                .get_envs()
                .any(|(other, _)| other == name.as_os_str())
        };
        let inherits = options.environment.inherits_all();
        let inherited = inherits.then(std::env::vars_os).into_iter().flatten();
        let own = system.get_envs();
        let own = own.filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
        Ok(StartPlan {
            program: system.get_program().into(),
            arguments: system.get_args().map(Into::into).collect(),
            environment: inherited
                .filter(|(name, _)| !set(name))
                .chain(own)
                .collect(),
            cwd: system.get_current_dir().map(Into::into),
        })
    }
}

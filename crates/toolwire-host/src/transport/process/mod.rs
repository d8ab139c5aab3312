//! A process that runs once for each call document (chapter 12).

mod capture;
mod channel;
mod child;
mod command;
mod environment;
mod events;
mod group;
#[cfg(unix)]
pub(crate) mod guardian;
mod interpreter;
mod listening;
mod mode;
mod options;
mod program;
mod proxy;
#[cfg(unix)]
mod reach;
mod run;
#[cfg(target_os = "linux")]
mod session;
pub(crate) mod suspension;
mod terminal;

use std::future::Future;
use std::pin::Pin;

pub(crate) use capture::Tail;
pub(crate) use channel::Channels;
pub use child::{Child, Said};
pub use command::Command;
pub use environment::Environment;
pub(crate) use group::Reach;
pub use listening::{EventLimits, EventObserver};
pub use mode::{CallMode, is_marked};
pub use options::{Observer, ProcessOptions};
pub(crate) use program::resolve;
pub(crate) use run::run_with;
pub use run::{run, run_until};
pub(crate) use suspension::Stopwatch;
pub(crate) use suspension::sleep as sleep_awake;
pub use suspension::suspended;
pub use terminal::Terminal;

use super::{Control, Transport};
use crate::{HostError, Reply};

/// The [`Transport`] for one-shot tools: for each call document, it starts the program and writes the document
/// to its stdin (PROC-30).
///
/// ```
/// use toolwire_host::{Command, Process, ProcessOptions};
///
/// let options = ProcessOptions { cwd: Some("/tmp".into()), ..ProcessOptions::default() };
/// let process = Process::new(Command::new("./search.py"), options);
/// assert!(!process.plain);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Process {
    /// The program and its arguments.
    pub command: Command,
    /// How it is run.
    pub options: ProcessOptions,
    /// Whether the program knows nothing of calls. It then gets the [`stdin`](ProcessOptions::stdin) of the
    /// options instead of the call document.
    pub plain: bool,
}

impl Process {
    /// A program that gets calls.
    #[must_use]
    pub fn new(command: Command, options: ProcessOptions) -> Self {
        Process {
            command,
            options,
            plain: false,
        }
    }

    /// A program that knows nothing of calls.
    ///
    /// ```
    /// use toolwire_host::{Command, Process, ProcessOptions};
    ///
    /// assert!(Process::plain(Command::new("date"), ProcessOptions::default()).plain);
    /// ```
    #[must_use]
    pub fn plain(command: Command, options: ProcessOptions) -> Self {
        Process {
            command,
            options,
            plain: true,
        }
    }
}

/// Releases what a forked process has inherited of its parent's tools. Call it first in the child, if a program
/// forks itself without starting another program.
///
/// Without it, if the parent is killed, its tools run until the fork has ended too. A call that the
/// fork makes has the same effect.
///
/// ```
/// toolwire_host::after_fork(); // nothing in a process that is no fork
/// ```
pub fn after_fork() {
    #[cfg(unix)]
    guardian::after_fork();
}

impl From<Command> for Process {
    fn from(command: Command) -> Self {
        Process::new(command, ProcessOptions::default())
    }
}

impl Transport for Process {
    fn send<'a>(
        &'a self,
        document: &'a str,
        control: &'a Control,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
        let (command, options) = (&self.command, &self.options);
        let input = match self.plain {
            true => &options.stdin,
            false => document.as_bytes(),
        };
        Box::pin(run_with(command, options, input, !self.plain, control))
    }

    fn carries_calls(&self) -> bool {
        !self.plain
    }
}

//! A program that gets its calls line by line, and how the host agrees with it on that (LINE-20 to LINE-23).

use std::time::Duration;

use toolwire::Exit;
use toolwire::lines::{HostLine, ToolLine, VALUE, VERSION};

use super::{LineFault, LineReader};
use crate::transport::process::{Channels, Reach};
use crate::{Child, Command, HostError, ProcessOptions, Said};

/// How long a program may take to say hello (LINE-22).
pub(crate) const HANDSHAKE: Duration = Duration::from_secs(10);

/// A program that speaks the line transport. The host's hello is the first that it is given.
#[derive(Debug)]
pub(crate) struct LineProgram {
    pub(crate) child: Child,
    lines: LineReader,
    listens: Listens,
}

/// How far a program's stdout is read.
#[derive(Debug, PartialEq)]
enum Listens {
    Lines,
    /// Its last line, which had no line feed, was returned; that it is silent was not.
    Silence,
    Nothing,
}

/// What a program does.
#[derive(Debug)]
pub(crate) enum Spoke {
    /// It has written a line.
    Line(Result<ToolLine, LineFault>),
    /// It says nothing more: its stdout is closed.
    Silent,
    /// Anything else.
    Other(Said),
}

/// What a program has said of itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hello {
    /// How many calls it takes at the same time.
    pub(crate) calls: u64,
    /// The longest line that it reads.
    pub(crate) max_line: u64,
}

/// How a program has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended(pub(crate) Exit);

impl Ended {
    /// A sentence, without a full stop.
    pub(crate) fn sentence(self) -> String {
        match self.0 {
            Exit::Code(code) => format!("the tool exited with status {code}"),
            Exit::Signal(signal) => format!("the tool was ended by signal {signal}"),
        }
    }
}

impl LineProgram {
    /// Starts a program.
    ///
    /// # Errors
    ///
    /// What keeps it from being started (PROC-4).
    pub(crate) fn start(command: &Command, options: &ProcessOptions) -> Result<Self, HostError> {
        let channels = Channels::default();
        let mut child = Child::start_with(command, options, Some(VALUE), channels, Reach::Group)?;
        let hello = HostLine::hello(options.max_output as u64);
        child.give(&line(&hello));
        Ok(LineProgram {
            child,
            lines: LineReader::new(options),
            listens: Listens::Lines,
        })
    }

    /// What the program does next; nothing after its end. Nothing is lost if the future is dropped.
    pub(crate) async fn next(&mut self) -> Option<Spoke> {
        loop {
            let listens = self.listens == Listens::Lines;
            if listens && let Some(line) = self.lines.next().transpose() {
                return Some(Spoke::Line(line));
            }
            if self.listens == Listens::Silence {
                self.listens = Listens::Nothing;
                return Some(Spoke::Silent);
            }
            match self.child.next().await {
                Some(Said::Out) if listens => self.lines.push(self.child.stdout()),
                Some(Said::Out) => {}
                Some(Said::OutClosed) | None if listens => {
                    self.listens = Listens::Silence;
                    if let Some(line) = self.lines.rest() {
                        return Some(Spoke::Line(Ok(line)));
                    }
                }
                said => return said.map(Spoke::Other),
            }
        }
    }

    /// Reads its stdout to nowhere from now on.
    pub(crate) fn stop_listening(&mut self) {
        self.listens = Listens::Nothing;
    }
}

/// A line with its line feed.
pub(crate) fn line(line: &HostLine) -> Vec<u8> {
    let mut line = line.to_json().into_bytes();
    line.push(b'\n');
    line
}

impl Hello {
    /// Reads the first line of a program: what it says of itself, or what is wrong with it, as a sentence.
    pub(crate) fn read(first: Option<Result<ToolLine, LineFault>>) -> Result<Hello, String> {
        match first {
            Some(Ok(ToolLine::Hello {
                version,
                calls,
                max_line,
            })) => match version {
                VERSION => Ok(Hello { calls, max_line }),
                _ => Err(format!(
                    "the tool speaks version {version} of the line transport, this host {VERSION}"
                )),
            },
            Some(Ok(_)) => Err("the first line of the tool is not its `hello`".to_owned()),
            None => Err("the tool closed its stdout without saying `hello`".to_owned()),
            Some(Err(fault)) => Err(fault.to_string()),
        }
    }

    /// What is wrong with a program that has not said hello in this time, as a sentence.
    pub(crate) fn late(limit: Duration) -> String {
        let seconds = limit.as_secs_f64();
        format!("the tool did not say `hello` within {seconds} s")
    }
}

//! Starting a program that gets its calls line by line, and agreeing with it on how (LINE-20 to LINE-23).

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use toolwire::Exit;
use toolwire::lines::{HostLine, ToolLine, VALUE, VERSION};

use super::LineReader;
use crate::transport::process::sleep_awake;
use crate::{Command, HostError, ProcessOptions, Staying};

/// How long a program may take to say hello (LINE-22).
pub(crate) const HANDSHAKE: Duration = Duration::from_secs(10);

/// A program that was started and has not said anything yet.
#[derive(Debug)]
pub(crate) struct LineProgram {
    pub(crate) staying: Staying,
    pub(crate) parts: LineParts,
}

/// The ends of its pipes.
#[derive(Debug)]
pub(crate) struct LineParts {
    /// What it reads; nothing once that is closed.
    pub(crate) stdin: Option<ChildStdin>,
    pub(crate) lines: LineReader<ChildStdout>,
    pub(crate) stderr: ChildStderr,
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
        let (staying, pipes) = Staying::start_with(command, options, Some(VALUE))?;
        Ok(LineProgram {
            staying,
            parts: LineParts {
                stdin: Some(pipes.stdin),
                lines: LineReader::new(pipes.stdout, options),
                stderr: pipes.stderr,
            },
        })
    }
}

/// Says hello and waits for the same: what the program says of itself, or what is wrong, as a sentence. Its
/// stderr must be read meanwhile.
pub(crate) async fn handshake(
    stdin: &mut ChildStdin,
    lines: &mut LineReader<ChildStdout>,
    max_line: usize,
    limit: Duration,
) -> Result<Hello, String> {
    let mut hello = HostLine::hello(max_line as u64).to_json();
    hello.push('\n');
    let agree = async {
        // A program that does not read may say hello all the same.
        let _ = stdin.write_all(hello.as_bytes()).await;
        match lines.next().await {
            Ok(Some(ToolLine::Hello {
                version,
                calls,
                max_line,
            })) => match version {
                VERSION => Ok(Hello { calls, max_line }),
                _ => Err(format!(
                    "the tool speaks version {version} of the line transport, this host {VERSION}"
                )),
            },
            Ok(Some(_)) => Err("the first line of the tool is not its `hello`".to_owned()),
            Ok(None) => Err("the tool closed its stdout without saying `hello`".to_owned()),
            Err(fault) => Err(fault.to_string()),
        }
    };
    tokio::select! {
        agreed = agree => agreed,
        () = sleep_awake(limit) => {
            let seconds = limit.as_secs_f64();
            Err(format!("the tool did not say `hello` within {seconds} s"))
        }
    }
}

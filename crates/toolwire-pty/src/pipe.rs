//! `PipeSession`: a program on plain pipes.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::sync::mpsc;
use toolwire::session::TerminalInput;
use toolwire::{Error, Exit, Json};
use toolwire_host::manifest::ManifestTool;
use toolwire_host::{
    Child, Command, ProcessOptions, Running, Said, SessionStart, SessionTransport, ToolRequest,
    ToolRequestReceiver, ToolUpdate,
};

use crate::plan::Plan;
use crate::signals::ended_by;
use crate::telling::{binary, blocks};

/// If so much waits to be told, the program is not read on.
const FULL: usize = 64 * 1024;

/// If so much waits to be written, further input is refused.
const MAX_WAITING: usize = 4 * 1024 * 1024;

const STDOUT: &str = "stdout";
const STDERR: &str = "stderr";

/// A program on plain pipes, which knows nothing of sessions: what it writes to stdout and stderr are
/// blocks, as it writes them, and input goes to its stdin.
///
/// ```
/// use toolwire::{Json, call::Call};
/// use toolwire_host::{Command, ToolRequest, ProcessOptions, SessionStart, SessionTransport, ToolUpdate};
/// use toolwire_pty::PipeSession;
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// let sort = PipeSession::new(Command::new("sort"), ProcessOptions::default());
/// let mut running = sort.start(SessionStart::new(Call::new("sort", Json::empty_object())));
/// let driver = tokio::spawn(running.driver);
/// let input = Json::new(r#"{"text":"b\na","enter":true,"eof":true}"#)?;
/// running.requests.try_send(ToolRequest::Input(input)).unwrap();
/// let Some(ToolUpdate::Output(blocks)) = running.updates.recv().await else { panic!("no output") };
/// assert!(blocks[0].as_str().contains(r#""text":"a\nb\n""#));
/// assert!(matches!(running.updates.recv().await, Some(ToolUpdate::Exit(0))));
/// driver.await.unwrap();
/// # Ok::<(), toolwire::Error>(())
/// # })?;
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PipeSession {
    plan: Plan,
    options: ProcessOptions,
}

impl PipeSession {
    /// A program with arguments. Those of a call mean nothing to it. Of the options, those apply that say how a
    /// program is started.
    #[must_use]
    pub fn new(command: Command, options: ProcessOptions) -> Self {
        PipeSession {
            plan: Plan::Fixed(command),
            options,
        }
    }

    /// The program of a tool of a manifest; the arguments of a call stand where its command has them.
    #[must_use]
    pub fn of_tool(tool: ManifestTool, options: ProcessOptions) -> Self {
        PipeSession {
            plan: Plan::Tool(Box::new(tool)),
            options,
        }
    }
}

impl SessionTransport for PipeSession {
    fn start(&self, start: SessionStart) -> Running {
        let command = self.plan.command(&start.call);
        let mut options = self.options.clone();
        options.grace = start.grace;
        // What it has started ends with it.
        options.linger = Duration::ZERO;
        Running::new(|given, told| async move {
            let started = command.and_then(|command| {
                Child::start_session(&command, &options).map_err(|error| error.to_string())
            });
            let last = match started {
                Ok(child) => drive(child, options.grace, given, &told).await,
                Err(message) => ToolUpdate::Crash(message),
            };
            // A host that has gone hears nothing.
            let _ = told.send(last).await;
        })
    }

    fn check(&self, input: &Json) -> Result<(), Error> {
        TerminalInput::read(input)?.piped().map(drop)
    }

    fn prints(&self) -> bool {
        true
    }
}

/// Drives the program to its end.
async fn drive(
    mut child: Child,
    grace: Duration,
    mut given: ToolRequestReceiver,
    told: &mpsc::Sender<ToolUpdate>,
) -> ToolUpdate {
    let mut telling = Telling::default();
    let (mut ends, mut is_killed) = (false, false);
    loop {
        let is_full = telling.bytes >= FULL;
        child.hold(is_full, is_full);
        tokio::select! {
            biased;
            next = given.recv(), if !is_killed => match next {
                Some(ToolRequest::Input(input) | ToolRequest::PersonInput(input)) => {
                    if let Err(message) = give(&mut child, &input) {
                        telling.say(message);
                    }
                }
                // The end of its input is a program's first reason to end.
                Some(ToolRequest::End(_)) if !ends => {
                    ends = true;
                    child.cut_stdin();
                    child.end(grace);
                }
                Some(ToolRequest::Kill) | None => {
                    is_killed = true;
                    child.kill();
                }
                Some(_) => {}
            },
            Ok(permit) = told.reserve(), if !telling.pieces.is_empty() => {
                if let Some(next) = telling.next() {
                    permit.send(ToolUpdate::Output(next));
                }
            }
            said = child.next() => match said {
                Some(Said::Out) => telling.read(STDOUT, child.stdout()),
                Some(Said::Err) => telling.read(STDERR, child.stderr()),
                Some(_) => {}
                None => break,
            },
        }
    }
    let exit = child.finish().await;
    telling.end();
    while let Some(next) = telling.next() {
        // A host that has gone hears nothing.
        let _ = told.send(ToolUpdate::Output(next)).await;
    }
    match exit {
        Exit::Code(code) => ToolUpdate::Exit(code),
        Exit::Signal(signal) => ToolUpdate::Crash(ended_by(signal)),
    }
}

fn give(child: &mut Child, input: &Json) -> Result<(), String> {
    // It was checked before it was given.
    let (bytes, eof) = TerminalInput::read(input)
        .and_then(|input| input.piped())
        .map_err(|error| format!("[not written: {error}]\n"))?;
    if !child.takes_input() {
        return Err("[not written: the program's stdin is closed]\n".to_owned());
    }
    if child.waiting() + bytes.len() > MAX_WAITING {
        return Err(
            "[not written: the program does not read what was written before]\n".to_owned(),
        );
    }
    child.give(&bytes);
    if eof {
        child.close_stdin();
    }
    Ok(())
}

/// How many bytes at the end begin a character that goes on.
fn begun(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.len() - error.valid_up_to(),
        _ => 0,
    }
}

/// What waits to be told.
#[derive(Default)]
struct Telling {
    pieces: VecDeque<(&'static str, Vec<u8>)>,
    bytes: usize,
    /// The begun characters at the ends of stdout and stderr.
    begun: [Vec<u8>; 2],
}

impl Telling {
    /// Takes what was read of an output, as far as its characters are whole.
    fn read(&mut self, name: &'static str, read: &[u8]) {
        let rest = &mut self.begun[usize::from(name == STDERR)];
        let mut piece = std::mem::take(rest);
        piece.extend_from_slice(read);
        *rest = piece.split_off(piece.len() - begun(&piece));
        self.push(name, piece);
    }

    /// Takes characters that were begun and not ended.
    fn end(&mut self) {
        let [out, err] = std::mem::take(&mut self.begun);
        self.push(STDOUT, out);
        self.push(STDERR, err);
    }

    fn push(&mut self, name: &'static str, piece: Vec<u8>) {
        if piece.is_empty() {
            return;
        }
        self.bytes += piece.len();
        match self.pieces.back_mut() {
            Some((before, bytes)) if *before == name && is_text(bytes) == is_text(&piece) => {
                bytes.extend(piece);
            }
            _ => self.pieces.push_back((name, piece)),
        }
    }

    /// Something that the host says itself.
    fn say(&mut self, message: String) {
        self.push(STDERR, message.into_bytes());
    }

    fn next(&mut self) -> Option<Vec<Json>> {
        let (name, piece) = self.pieces.pop_front()?;
        self.bytes -= piece.len();
        let stream = (name == STDERR).then_some(name);
        Some(match std::str::from_utf8(&piece) {
            Ok(text) => blocks(text, stream),
            Err(_) => vec![binary(&piece, name)],
        })
    }
}

fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::begun;

    #[test]
    fn a_character_is_not_cut() {
        assert_eq!(begun(b"abc"), 0);
        assert_eq!(begun("日".as_bytes()), 0);
        assert_eq!(begun(&"日".as_bytes()[..2]), 2);
        assert_eq!(begun(b"a\xf0\x9f\x91"), 3);
        assert_eq!(begun(b"a\xff"), 0);
    }
}

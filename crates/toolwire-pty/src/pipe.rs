//! `PipeSession`: a program on plain pipes.

use std::collections::VecDeque;
use std::future::pending;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::ChildStdin;
use tokio::sync::mpsc;
use tokio::time::{sleep_until, timeout};
use toolwire::session::TerminalInput;
use toolwire::{Error, Exit, Json};
use toolwire_host::manifest::ManifestTool;
use toolwire_host::{
    Command, ProcessOptions, Running, SessionStart, SessionTransport, Staying, StayingPipes,
    ToolRequest, ToolRequestReceiver, ToolUpdate,
};

use crate::plan::Plan;
use crate::signals::{End, Whole, ended_by};
use crate::telling::{binary, blocks};

/// So much is read at once.
const CHUNK: usize = 16 * 1024;

/// If so much waits to be told, the program is not read on.
const FULL: usize = 64 * 1024;

/// If so much waits to be written, further input is refused.
const MAX_WAITING: usize = 4 * 1024 * 1024;

/// So long it is read what the program has written before it ended.
const AFTER_END: Duration = Duration::from_secs(1);

const STDOUT: &str = "stdout";
const STDERR: &str = "stderr";

/// A program on plain pipes, which knows nothing of sessions (TERM-50): what it writes to stdout and stderr are
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
        Running::new(|given, told| async move {
            let started = command.and_then(|command| {
                Staying::start(&command, &options).map_err(|error| error.to_string())
            });
            let last = match started {
                Ok((staying, pipes)) => drive(staying, pipes, options.grace, given, &told).await,
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
    mut staying: Staying,
    pipes: StayingPipes,
    grace: Duration,
    mut given: ToolRequestReceiver,
    told: &mpsc::Sender<ToolUpdate>,
) -> ToolUpdate {
    let whole = Whole::new(staying.id());
    let StayingPipes {
        stdin,
        stdout,
        stderr,
        ..
    } = pipes;
    let mut outlets = (Outlet::new(stdout, STDOUT), Outlet::new(stderr, STDERR));
    let mut stdin = Inlet::new(stdin);
    let mut telling = Telling::default();
    let mut ending: Option<(Instant, End)> = None;
    loop {
        let room = telling.bytes < FULL;
        let (out, err) = (&mut outlets.0, &mut outlets.1);
        tokio::select! {
            biased;
            next = given.recv() => match next {
                Some(ToolRequest::Input(input) | ToolRequest::PersonInput(input)) => {
                    if let Err(message) = stdin.give(&input) {
                        telling.say(message);
                    }
                }
                // The end of its input is a program's first reason to end.
                Some(ToolRequest::End(_)) if ending.is_none() => {
                    stdin.close();
                    ending = Some((Instant::now() + grace, End::Terminate));
                }
                Some(ToolRequest::Kill) | None => break,
                Some(_) => {}
            },
            () = at(ending.map(|(when, _)| when)) => match ending {
                Some((_, End::Terminate)) => {
                    whole.end(End::Terminate);
                    ending = Some((Instant::now() + grace, End::Kill));
                }
                _ => break,
            },
            // Before what is read: who never stops to write may outlive the program.
            ended = staying.ended() => {
                drop(ended);
                break;
            }
            Ok(permit) = told.reserve(), if !telling.pieces.is_empty() => {
                if let Some(next) = telling.next() {
                    permit.send(ToolUpdate::Output(next));
                }
            }
            () = stdin.write() => {}
            piece = out.read(), if room && out.is_open() => telling.push(STDOUT, piece),
            piece = err.read(), if room && err.is_open() => telling.push(STDERR, piece),
        }
    }
    whole.end(End::Kill);
    let until = Instant::now() + AFTER_END;
    while outlets.0.is_open() || outlets.1.is_open() {
        let (out, err) = (&mut outlets.0, &mut outlets.1);
        tokio::select! {
            piece = out.read(), if out.is_open() => telling.push(STDOUT, piece),
            piece = err.read(), if err.is_open() => telling.push(STDERR, piece),
            () = sleep_until(until.into()) => break,
        }
        tell(&mut telling, told).await;
    }
    for outlet in [outlets.0.rest(), outlets.1.rest()] {
        telling.push(outlet.0, outlet.1);
    }
    tell(&mut telling, told).await;
    // Only a process that hangs in the system outlives that.
    let _ = timeout(AFTER_END, staying.ended()).await;
    let exit = staying.kill().await;
    drop(whole);
    match exit {
        Exit::Code(code) => ToolUpdate::Exit(code),
        Exit::Signal(signal) => ToolUpdate::Crash(ended_by(signal)),
    }
}

async fn tell(telling: &mut Telling, told: &mpsc::Sender<ToolUpdate>) {
    while let Some(next) = telling.next() {
        // A host that has gone hears nothing.
        let _ = told.send(ToolUpdate::Output(next)).await;
    }
}

/// The program's stdin, and what waits to be written there.
struct Inlet {
    pipe: Option<ChildStdin>,
    waiting: VecDeque<u8>,
    /// Whether it is closed behind what waits.
    closes: bool,
}

impl Inlet {
    fn new(pipe: ChildStdin) -> Self {
        Inlet {
            pipe: Some(pipe),
            waiting: VecDeque::new(),
            closes: false,
        }
    }

    fn give(&mut self, input: &Json) -> Result<(), String> {
        // It was checked before it was given.
        let (bytes, eof) = TerminalInput::read(input)
            .and_then(|input| input.piped())
            .map_err(|error| format!("[not written: {error}]\n"))?;
        if self.pipe.is_none() || self.closes {
            return Err("[not written: the program's stdin is closed]\n".to_owned());
        }
        if self.waiting.len() + bytes.len() > MAX_WAITING {
            return Err(
                "[not written: the program does not read what was written before]\n".to_owned(),
            );
        }
        self.waiting.extend(bytes);
        self.closes |= eof;
        Ok(())
    }

    fn close(&mut self) {
        self.pipe = None;
        self.waiting.clear();
    }

    /// Writes some of what waits; never returns if there is nothing to do.
    async fn write(&mut self) {
        let written = match &mut self.pipe {
            Some(_) if self.waiting.is_empty() && self.closes => Ok(0),
            Some(pipe) if !self.waiting.is_empty() => pipe.write(self.waiting.as_slices().0).await,
            _ => return pending().await,
        };
        match written {
            Ok(written @ 1..) => drop(self.waiting.drain(..written)),
            // The program has closed it, or it is to be closed.
            _ => self.close(),
        }
    }
}

/// An output of the program. What is read is whole characters, as far as it is text.
struct Outlet<P> {
    pipe: Option<P>,
    name: &'static str,
    chunk: Vec<u8>,
    /// The beginning of a character.
    rest: Vec<u8>,
}

impl<P: AsyncRead + Unpin> Outlet<P> {
    fn new(pipe: P, name: &'static str) -> Self {
        Outlet {
            pipe: Some(pipe),
            name,
            chunk: Vec::with_capacity(CHUNK),
            rest: Vec::new(),
        }
    }

    fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    /// The next piece. Nothing is lost if the future is dropped.
    async fn read(&mut self) -> Vec<u8> {
        let Some(pipe) = &mut self.pipe else {
            return pending().await;
        };
        self.chunk.clear();
        // What breaks is at its end.
        let read = pipe.read_buf(&mut self.chunk).await.unwrap_or_default();
        if read == 0 {
            self.pipe = None;
            return std::mem::take(&mut self.rest);
        }
        let mut piece = std::mem::take(&mut self.rest);
        piece.extend_from_slice(&self.chunk);
        let whole = piece.len() - begun(&piece);
        self.rest = piece.split_off(whole);
        piece
    }

    /// What was read last, where the end was not reached.
    fn rest(&mut self) -> (&'static str, Vec<u8>) {
        (self.name, std::mem::take(&mut self.rest))
    }
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
}

impl Telling {
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

/// At this time, or never.
async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time.into()).await,
        None => pending().await,
    }
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

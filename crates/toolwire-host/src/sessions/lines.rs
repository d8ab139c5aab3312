//! A session of a program that speaks the line transport (LINE-40 to LINE-46).

use std::collections::VecDeque;
use std::pin::pin;
use std::time::Duration;

use tokio::sync::mpsc;
use toolwire::event::{Level, Message, ToolEvent};
use toolwire::lines::{HostLine, ToolLine, Trace};
use toolwire::session::EndReason;
use toolwire::{Exit, Json, Limits, parse};

use super::{
    ResultParts, Running, SessionStart, SessionTransport, ToolRequest, ToolRequestReceiver,
    ToolUpdate,
};
use crate::transport::control::HOST;
use crate::transport::lines::{Ended, HANDSHAKE, Hello, LineFault, LineProgram, Spoke, line};
use crate::transport::process::{Tail, sleep_awake};
use crate::transport::stopped::{kept, text_block};
use crate::{Command, ProcessOptions, Said};

/// The number of the only call of a process.
const CALL: u64 = 1;

/// Maximum number of blocks, and about the maximum of their bytes, in one update.
const PART: usize = 1_000;
const PART_BYTES: usize = 1024 * 1024;

/// Maximum bytes of the end of stderr in the report on a tool that has failed.
const LAST_WORDS: usize = 4 * 1024;

/// The [`SessionTransport`] for programs that speak the line transport: each session is a process of its own
/// (LINE-40).
///
/// Of the options, those apply that say how a program is started, `max_output` as the longest line that is read
/// (LINE-30), `linger`, and the limits for reading.
///
/// ```
/// use toolwire::{Json, call::Call};
/// use toolwire_host::{Command, LineSession, ProcessOptions, SessionStart, SessionTransport, ToolUpdate};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// let script = r#"
///     read -r hello
///     echo '{"type":"hello","toolwire":1,"version":1}'
///     read -r call
///     echo '{"type":"output","call":1,"blocks":[{"type":"text","text":"it runs"}]}'
/// "#;
/// let tool = LineSession::new(Command::new("sh").args(["-c", script]), ProcessOptions::default());
/// let mut running = tool.start(SessionStart::new(Call::new("demo", Json::new("{}")?)));
/// let driver = tokio::spawn(running.driver);
/// assert!(matches!(running.updates.recv().await, Some(ToolUpdate::Output(blocks)) if blocks.len() == 1));
/// assert!(matches!(running.updates.recv().await, Some(ToolUpdate::Exit(0))));
/// # driver.await.unwrap();
/// # Ok::<(), toolwire::Error>(())
/// # })?;
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LineSession {
    /// The program and its arguments.
    pub command: Command,
    /// How it is run.
    pub options: ProcessOptions,
    /// How long it may take to say hello; default 10 seconds (LINE-22).
    pub handshake: Duration,
    /// Where its call belongs in a distributed trace.
    pub trace: Trace,
}

impl LineSession {
    /// A program that speaks the line transport.
    #[must_use]
    pub fn new(command: Command, options: ProcessOptions) -> Self {
        LineSession {
            command,
            options,
            handshake: HANDSHAKE,
            trace: Trace::default(),
        }
    }
}

impl SessionTransport for LineSession {
    fn start(&self, start: SessionStart) -> Running {
        let mut session = self.clone();
        session.options.grace = start.grace;
        Running::new(move |given, told| async move {
            let end = session.drive(start, given, &told).await;
            let _ = told.send(end).await;
        })
    }
}

impl LineSession {
    /// Runs the session to its end, and reports all but the end.
    async fn drive(
        self,
        start: SessionStart,
        mut given: ToolRequestReceiver,
        told: &mpsc::Sender<ToolUpdate>,
    ) -> ToolUpdate {
        let program = match LineProgram::start(&self.command, &self.options) {
            Ok(program) => program,
            Err(error) => return ToolUpdate::Crash(error.to_string()),
        };
        let mut late = pin!(sleep_awake(self.handshake));
        let mut driver = Driver::new(program, &self, start);
        loop {
            let waits = !driver.updates.is_empty();
            driver.program.child.hold(waits, waits);
            let takes_more = driver.hello.is_some() && driver.program.child.waiting() == 0;
            let next = async {
                match takes_more {
                    true => given.recv().await,
                    false => given.recv_end().await,
                }
            };
            tokio::select! {
                biased;
                next = next, if !driver.is_killed => driver.request(next),
                () = &mut late, if driver.hello.is_none() && driver.last.is_none() => {
                    driver.broken(Hello::late(self.handshake));
                }
                permit = told.reserve(), if waits => match permit {
                    Ok(permit) => {
                        if let Some(next) = driver.updates.pop_front() {
                            permit.send(next);
                        }
                    }
                    Err(_) => driver.deserted(),
                },
                spoke = driver.program.next() => match spoke {
                    Some(Spoke::Line(line)) => driver.line(line),
                    Some(Spoke::Silent) => driver.silent(),
                    Some(Spoke::Other(said)) => driver.other(said),
                    None => break,
                },
            }
        }
        let (updates, end) = driver.end().await;
        for update in updates {
            let _ = told.send(update).await;
        }
        end
    }
}

/// The last that was heard of a tool.
enum Last {
    /// Its result, and whether that is an error.
    Result(bool),
    /// It has closed its stdout, or nobody hears it any more; whether it was asked to end before.
    Silence(bool),
    /// It can't be understood.
    Broken(String),
}

/// A tool that runs, and what was heard of it.
struct Driver<'a> {
    program: LineProgram,
    options: &'a ProcessOptions,
    /// The call, until it is given to the tool.
    call: Option<HostLine>,
    hello: Option<Hello>,
    updates: VecDeque<ToolUpdate>,
    /// The end of what it has written to stderr, for the case that it fails (LINE-46).
    words: Tail,
    last: Option<Last>,
    /// Whether it was asked to end.
    is_told: bool,
    is_killed: bool,
}

impl<'a> Driver<'a> {
    fn new(program: LineProgram, session: &'a LineSession, start: SessionStart) -> Self {
        let options = &session.options;
        Driver {
            program,
            options,
            call: Some(HostLine::Call {
                call: CALL,
                document: Box::new(start.call),
                trace: session.trace.clone(),
                session: true,
            }),
            hello: None,
            updates: VecDeque::new(),
            words: Tail::new(options.stderr_tail.min(LAST_WORDS)),
            last: None,
            is_told: false,
            is_killed: false,
        }
    }

    fn request(&mut self, request: Option<ToolRequest>) {
        match request {
            Some(ToolRequest::Input(input) | ToolRequest::PersonInput(input)) => {
                self.give(&HostLine::Input { call: CALL, input });
            }
            Some(ToolRequest::Answer { id, answer }) => {
                let call = CALL;
                self.give(&HostLine::Answer { call, id, answer });
            }
            Some(ToolRequest::End(reason)) => self.tell_to_end(reason),
            // Nobody is left who could end it otherwise.
            Some(ToolRequest::Kill) | None => self.kill(),
        }
    }

    /// Tells it to end, once.
    fn tell_to_end(&mut self, reason: EndReason) {
        if std::mem::replace(&mut self.is_told, true) {
            return;
        }
        // A tool that was asked to end has not failed, whatever it answers.
        self.words = Tail::new(0);
        if self.hello.is_none() {
            return self.kill();
        }
        self.give(&HostLine::End { call: CALL, reason });
        self.program.child.end(self.options.grace);
    }

    fn kill(&mut self) {
        self.is_killed = true;
        self.program.child.kill();
    }

    /// Gives it a line, unless it does not read lines of that length.
    fn give(&mut self, given: &HostLine) {
        let given = line(given);
        let most = self.hello.map_or(u64::MAX, |hello| hello.max_line);
        if given.len() as u64 - 1 > most {
            let message =
                format!("the tool reads no lines of more than {most} bytes; one was dropped");
            let message = Message::new(Level::Warning, message).by(HOST);
            let message = ToolEvent::Message(message);
            self.updates.push_back(ToolUpdate::Event(message));
        } else {
            self.program.child.give(&given);
        }
    }

    fn line(&mut self, line: Result<ToolLine, LineFault>) {
        if self.hello.is_none() {
            match (Hello::read(Some(line)), self.call.take()) {
                (Ok(hello), Some(call)) => {
                    self.hello = Some(hello);
                    self.give(&call);
                }
                (Err(why), _) => self.broken(why),
                (Ok(_), None) => {}
            }
            return;
        }
        match line {
            Ok(ToolLine::Output { call: CALL, blocks }) => self.blocks(blocks),
            Ok(ToolLine::Question {
                call: CALL,
                question,
                person,
            }) => {
                let question = *question;
                self.updates
                    .push_back(ToolUpdate::Question { question, person });
            }
            Ok(ToolLine::Event { call: CALL, event }) => {
                self.updates.push_back(ToolUpdate::Event(event));
            }
            Ok(ToolLine::Stderr { call: CALL, text }) => self.stderr(text.into_bytes()),
            Ok(ToolLine::Result {
                call: CALL,
                envelope,
            }) => {
                let (blocks, parts, is_error) = read_result(&envelope, &self.options.limits);
                if !blocks.is_empty() {
                    self.blocks(blocks);
                }
                let parts = parts.map(|parts| ToolUpdate::Result(Box::new(parts)));
                self.updates.extend(parts);
                self.over(Last::Result(is_error), self.options.grace);
            }
            // It is about no call that there is.
            Ok(_) => {}
            Err(fault) => self.broken(fault.to_string()),
        }
    }

    /// Takes blocks, many of them in parts, so that others get their turn.
    fn blocks(&mut self, blocks: Vec<Json>) {
        let mut blocks = blocks.into_iter().peekable();
        // An output may have none.
        loop {
            let (mut part, mut bytes) = (Vec::new(), 0);
            while part.len() < PART && bytes < PART_BYTES {
                let Some(block) = blocks.next() else { break };
                bytes += block.as_str().len();
                part.push(block);
            }
            self.updates.push_back(ToolUpdate::Output(part));
            if blocks.peek().is_none() {
                return;
            }
        }
    }

    fn stderr(&mut self, piece: Vec<u8>) {
        self.words.push(&piece);
        self.updates.push_back(ToolUpdate::Stderr(piece));
    }

    fn other(&mut self, said: Said) {
        match said {
            Said::Err => self.stderr(self.program.child.stderr().to_vec()),
            // Nothing more is expected of what it may have started.
            Said::Exited if self.last.is_some() => self.program.child.kill(),
            _ => {}
        }
    }

    /// It has closed its stdout, and so can say nothing more.
    fn silent(&mut self) {
        if self.hello.is_none() && !self.is_killed {
            return self.broken("the tool closed its stdout without saying `hello`".to_owned());
        }
        let was_asked = self.program.child.was_asked;
        self.over(Last::Silence(was_asked), self.options.grace);
        if self.program.child.exit().is_some() {
            self.program.child.kill();
        }
    }

    /// Nobody takes what it says.
    fn deserted(&mut self) {
        self.updates.clear();
        let was_asked = self.program.child.was_asked;
        self.over(Last::Silence(was_asked), self.options.grace);
    }

    fn broken(&mut self, why: String) {
        // One that is no such program may be about to end with a status that shows why.
        let patience = match self.hello {
            Some(_) => Duration::ZERO,
            None => self.options.linger,
        };
        self.over(Last::Broken(why), patience);
    }

    /// Nothing that it says counts any more, but its last words.
    fn over(&mut self, last: Last, patience: Duration) {
        self.last.get_or_insert(last);
        self.program.stop_listening();
        self.program.child.cut_stdin();
        self.program.child.end(patience);
    }

    /// The last updates after it has ended, and its end.
    async fn end(self) -> (VecDeque<ToolUpdate>, ToolUpdate) {
        let was_asked = self.program.child.was_asked;
        let exit = self.program.child.finish().await;
        let mut updates = self.updates;
        let end = match (self.last, exit) {
            // It has said itself what went wrong.
            (Some(Last::Result(is_error)), _) => {
                return (updates, ToolUpdate::Exit(is_error.into()));
            }
            (Some(Last::Broken(why)), _) if self.hello.is_some() => ToolUpdate::Crash(why),
            (Some(Last::Broken(why)), exit) => {
                ToolUpdate::Crash(format!("{why}; {}", Ended(exit).sentence()))
            }
            (Some(Last::Silence(false)), _) if was_asked => ToolUpdate::Crash(
                "the tool closed its stdout without a result, went on, and was stopped".to_owned(),
            ),
            (_, Exit::Code(code)) if self.hello.is_some() => ToolUpdate::Exit(code),
            (_, exit) => ToolUpdate::Crash(Ended(exit).sentence()),
        };
        if !matches!(end, ToolUpdate::Exit(0)) {
            let words = last_words(self.words);
            updates.extend(words.map(|words| ToolUpdate::Output(vec![words])));
        }
        (updates, end)
    }
}

/// A block with the end of what a tool has written to stderr, if there is any.
fn last_words(tail: Tail) -> Option<Json> {
    let (cut, bytes) = (tail.cut, tail.into_bytes());
    // A line that lacks its begin is left out, unless it is all that there is.
    let whole = bytes.iter().position(|byte| *byte == b'\n').filter(|_| cut);
    let whole = whole.map_or(&bytes[..], |end| &bytes[end + 1..]);
    let bytes = if whole.trim_ascii().is_empty() {
        &bytes
    } else {
        whole
    };
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    match text.is_empty() {
        true => None,
        false => Json::new(text_block(&format!("its last words on stderr:\n{text}"))).ok(),
    }
}

/// The blocks of a result, but for questions, which nobody could answer any more; the rest of it; and whether it is
/// an error.
fn read_result(envelope: &Json, limits: &Limits) -> (Vec<Json>, Option<ResultParts>, bool) {
    // The rest was looked at with the line.
    let limits = Limits {
        max_blocks: limits.max_blocks,
        ..Limits::WIDEST
    };
    let parsed = parse(envelope.as_str().as_bytes(), &limits);
    if parsed.is_raw() {
        let block = Json::new(text_block(envelope.as_str()));
        return (block.into_iter().collect(), None, false);
    }
    let blocks = kept(&parsed).filter(|block| block.get("type").is_some());
    let parts = ResultParts::of(parsed.root());
    (blocks.map(Json::from).collect(), parts, parsed.is_error())
}

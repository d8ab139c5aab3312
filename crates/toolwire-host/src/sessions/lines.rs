//! A session of a program that speaks the line transport (LINE-40 to LINE-46).

use std::future::{pending, ready};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until, timeout};
use toolwire::event::{Level, Message, ToolEvent};
use toolwire::lines::{HostLine, ToolLine, Trace};
use toolwire::session::EndReason;
use toolwire::{Exit, Json, Limits, parse};

use super::{
    ResultParts, Running, SessionStart, SessionTransport, ToolRequest, ToolRequestReceiver,
    ToolUpdate,
};
use crate::later::after;
use crate::transport::control::HOST;
use crate::transport::lines::{
    Ended, HANDSHAKE, Hello, LineParts, LineProgram, LineReader, handshake,
};
use crate::transport::process::Tail;
use crate::transport::stopped::text_block;
use crate::{Command, ProcessOptions, Staying};

/// The number of the only call of a process.
const CALL: u64 = 1;

/// How long a pipe is read that somebody holds open who is not of the tool's group, after the tool has ended.
const LOOK: Duration = Duration::from_millis(50);

/// As much is read of such a pipe then: no pipe holds more, so that all that the tool has written is in it.
const REST: usize = 1024 * 1024;

/// As much of stderr as is told at once.
const PIECE: usize = 8 * 1024;

/// As many blocks, and when about as many bytes of them are told, as are told at once.
const PART: usize = 1_000;
const PART_BYTES: usize = 1024 * 1024;

/// As much of the end of stderr as a reader is told of a tool that has failed.
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

/// Why a session is over.
enum Over {
    /// The tool has said something that ends it.
    Heard(Heard),
    /// Its process has ended.
    Exited,
    /// It was told to end and has not.
    Late,
    /// It is to be killed.
    Kill,
}

/// The end of what a tool has written to stderr, for the case that it fails (LINE-46).
#[derive(Clone)]
struct LastWords(Arc<Mutex<Tail>>);

impl LastWords {
    fn new(options: &ProcessOptions) -> Self {
        let most = options.stderr_tail.min(LAST_WORDS);
        LastWords(Arc::new(Mutex::new(Tail::new(most))))
    }

    fn push(&self, piece: &[u8]) {
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tail.push(piece);
    }

    /// Keeps none: a tool that was told to end has not failed, whatever it says to that.
    fn hush(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Tail::new(0);
    }

    /// A block with them, if there are any.
    fn block(&self) -> Option<Json> {
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (cut, bytes) = (tail.cut, std::mem::replace(&mut *tail, Tail::new(0)));
        drop(tail);
        let bytes = bytes.into_bytes();
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

    /// The end of a tool, before which its last words are told if it has failed.
    async fn before(&self, end: ToolUpdate, told: &mpsc::Sender<ToolUpdate>) -> ToolUpdate {
        if !matches!(end, ToolUpdate::Exit(0))
            && let Some(block) = self.block()
        {
            let _ = told.send(ToolUpdate::Output(vec![block])).await;
        }
        end
    }
}

/// The last that was heard of a tool.
enum Heard {
    /// Its result, and whether that is an error.
    Result(bool),
    /// It has closed its stdout.
    Closed,
    /// It can't be understood.
    Broken(String),
}

impl LineSession {
    /// Runs the session to its end, and tells all but that.
    async fn drive(
        self,
        start: SessionStart,
        mut given: ToolRequestReceiver,
        told: &mpsc::Sender<ToolUpdate>,
    ) -> ToolUpdate {
        let options = &self.options;
        let program = match LineProgram::start(&self.command, options) {
            Ok(program) => program,
            Err(error) => return ToolUpdate::Crash(error.to_string()),
        };
        let (mut staying, parts) = (program.staying, program.parts);
        let LineParts {
            stdin,
            mut lines,
            stderr,
        } = parts;
        // They go with this future.
        let mut readers = JoinSet::new();
        let left = watch::Sender::new(false);
        let words = LastWords::new(options);
        let passing = pass_on_stderr(stderr, told.clone(), words.clone(), left.subscribe());
        readers.spawn(passing);
        let Some(mut stdin) = stdin else {
            return ToolUpdate::Crash("the tool has no stdin".to_owned());
        };
        let over = tokio::select! {
            biased;
            agreed = handshake(&mut stdin, &mut lines, options.max_output, self.handshake) => agreed.map_err(Some),
            _ = given.recv_end() => Err(None),
        };
        let hello = match over {
            Ok(hello) => hello,
            Err(why) => {
                if why.is_none() {
                    words.hush();
                }
                let exit = match timeout(options.linger, staying.ended()).await {
                    Ok(_) => staying.end(Duration::ZERO).await,
                    Err(_) => staying.kill().await,
                };
                left.send_replace(true);
                while readers.join_next().await.is_some() {}
                let ended = Ended(exit).sentence();
                let end =
                    ToolUpdate::Crash(why.map_or(ended.clone(), |why| format!("{why}; {ended}")));
                return words.before(end, told).await;
            }
        };

        let (hears, comes) = oneshot::channel();
        let mut heard = LastHeard { comes, last: None };
        let hearing = hear(
            lines,
            told.clone(),
            words.clone(),
            left.subscribe(),
            hears,
            options.limits,
        );
        readers.spawn(hearing);
        let call = HostLine::Call {
            call: CALL,
            document: Box::new(start.call),
            trace: self.trace.clone(),
            session: true,
        };
        let feeding = Feeding {
            stdin: Some(stdin),
            hello,
            told,
            words: &words,
            grace: options.grace,
        };
        let over = tokio::select! {
            biased;
            last = heard.wait() => Over::Heard(last.unwrap_or(Heard::Closed)),
            over = feeding.feed(&call, &mut given) => over,
            _ = staying.ended() => Over::Exited,
        };
        // The tool's stdin is closed here: whoever fed it is gone.
        let (exit, why) = self.end(staying, &over, &mut heard).await;
        left.send_replace(true);
        let last = match over {
            Over::Heard(last) => Some(last),
            Over::Exited | Over::Late | Over::Kill => heard.wait().await,
        };
        while readers.join_next().await.is_some() {}
        let end = match (last, why, exit) {
            // It has said itself what went wrong.
            (Some(Heard::Result(is_error)), _, _) => return ToolUpdate::Exit(is_error.into()),
            (Some(Heard::Broken(why)), _, _) | (_, Some(why), _) => ToolUpdate::Crash(why),
            (_, _, Exit::Code(code)) => ToolUpdate::Exit(code),
            (_, _, exit) => ToolUpdate::Crash(Ended(exit).sentence()),
        };
        words.before(end, told).await
    }

    /// Ends what is left of a tool: how it ended, and what it did wrong by not ending.
    async fn end(
        &self,
        mut staying: Staying,
        over: &Over,
        heard: &mut LastHeard,
    ) -> (Exit, Option<String>) {
        let grace = self.options.grace;
        match over {
            Over::Kill => (staying.kill().await, None),
            Over::Late | Over::Heard(Heard::Broken(_)) => (staying.end(Duration::ZERO).await, None),
            Over::Heard(Heard::Result(_)) => (staying.end(grace).await, None),
            Over::Heard(Heard::Closed) => {
                let ended = timeout(grace, staying.ended()).await.is_ok();
                let why = "the tool closed its stdout without a result, went on, and was stopped";
                let exit = staying.end(Duration::ZERO).await;
                (exit, (!ended).then(|| why.to_owned()))
            }
            Over::Exited => {
                // What it started may still write the end of its output, or may never end.
                let _ = timeout(self.options.linger, heard.arrives()).await;
                (staying.end(Duration::ZERO).await, None)
            }
        }
    }
}

/// The last that is heard of a tool, once it was heard.
struct LastHeard {
    comes: oneshot::Receiver<Heard>,
    last: Option<Heard>,
}

impl LastHeard {
    /// Waits until it is there. Nothing is lost if the future is dropped.
    async fn arrives(&mut self) {
        if self.last.is_none() {
            self.last = Some((&mut self.comes).await.unwrap_or(Heard::Closed));
        }
    }

    async fn wait(&mut self) -> Option<Heard> {
        self.arrives().await;
        self.last.take()
    }
}

/// What writes to a tool.
struct Feeding<'a> {
    stdin: Option<ChildStdin>,
    hello: Hello,
    told: &'a mpsc::Sender<ToolUpdate>,
    words: &'a LastWords,
    grace: Duration,
}

impl Feeding<'_> {
    /// Writes the call and all that is given, until the tool has to be ended. A tool that closes its stdin gets
    /// nothing more.
    async fn feed(mut self, call: &HostLine, given: &mut ToolRequestReceiver) -> Over {
        let mut line = self.line(call);
        let (mut written, mut to_say) = (0, None::<EndReason>);
        let mut late = None;
        loop {
            let writes = self.stdin.is_some() && written < line.len();
            if !writes && let Some(reason) = to_say.take() {
                line = self.line(&HostLine::End { call: CALL, reason });
                written = 0;
                continue;
            }
            let next = async {
                match writes {
                    true => given.recv_end().await,
                    false => given.recv().await,
                }
            };
            let more = async {
                match &mut self.stdin {
                    Some(stdin) if writes => stdin.write(&line[written..]).await,
                    _ => pending().await,
                }
            };
            let is_late = async {
                match late {
                    Some(late) => sleep_until(late).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                biased;
                next = next => match next {
                    Some(ToolRequest::Input(input) | ToolRequest::PersonInput(input)) => {
                        line = self.line(&HostLine::Input { call: CALL, input });
                        written = 0;
                    }
                    Some(ToolRequest::Answer { id, answer }) => {
                        line = self.line(&HostLine::Answer { call: CALL, id, answer });
                        written = 0;
                    }
                    Some(ToolRequest::End(reason)) if late.is_none() => {
                        self.words.hush();
                        late = Some(after(self.grace).into());
                        to_say = Some(reason);
                    }
                    Some(ToolRequest::End(_)) => {}
                    // Nobody is left who could end it otherwise.
                    Some(ToolRequest::Kill) | None => return Over::Kill,
                },
                more = more => match more {
                    Ok(more) if more > 0 => written += more,
                    _ => self.stdin = None,
                },
                () = is_late => return Over::Late,
            }
        }
    }

    /// A line with its line feed; nothing if the tool does not read lines of that length.
    fn line(&self, line: &HostLine) -> Vec<u8> {
        let mut text = line.to_json().into_bytes();
        if text.len() as u64 > self.hello.max_line {
            let most = self.hello.max_line;
            let message =
                format!("the tool reads no lines of more than {most} bytes; one was dropped");
            let message = Message::new(Level::Warning, message).by(HOST);
            let _ = self
                .told
                .try_send(ToolUpdate::Event(ToolEvent::Message(message)));
            return Vec::new();
        }
        text.push(b'\n');
        text
    }
}

/// Tells what a tool says until it says the last; then reads on to nowhere, so that it is not stuck.
async fn hear(
    mut lines: LineReader<ChildStdout>,
    told: mpsc::Sender<ToolUpdate>,
    words: LastWords,
    left: watch::Receiver<bool>,
    hears: oneshot::Sender<Heard>,
    limits: Limits,
) {
    let mut left = pin!(is_left(left));
    let mut is_left = false;
    let last = loop {
        let line = tokio::select! {
            biased;
            // First, or who never stops to write would never be left.
            () = &mut left, if !is_left => {
                is_left = true;
                lines.read_at_most(REST);
                continue;
            }
            line = lines.next() => line,
            () = ready(()), if is_left => break Heard::Closed,
        };
        let tell = match line {
            Ok(Some(ToolLine::Output { call: CALL, blocks })) => {
                if !tell_blocks(blocks, &told).await {
                    break Heard::Closed;
                }
                continue;
            }
            Ok(Some(ToolLine::Question {
                call: CALL,
                question,
                person,
            })) => ToolUpdate::Question {
                question: *question,
                person,
            },
            Ok(Some(ToolLine::Event { call: CALL, event })) => ToolUpdate::Event(event),
            Ok(Some(ToolLine::Stderr { call: CALL, text })) => {
                words.push(text.as_bytes());
                ToolUpdate::Stderr(text.into_bytes())
            }
            Ok(Some(ToolLine::Result {
                call: CALL,
                envelope,
            })) => {
                let (blocks, parts, is_error) = read_result(&envelope, &limits);
                if !blocks.is_empty() {
                    tell_blocks(blocks, &told).await;
                }
                if let Some(parts) = parts {
                    let _ = told.send(ToolUpdate::Result(Box::new(parts))).await;
                }
                break Heard::Result(is_error);
            }
            // It is about no call that there is.
            Ok(Some(_)) => continue,
            Ok(None) => break Heard::Closed,
            Err(fault) => break Heard::Broken(fault.to_string()),
        };
        if told.send(tell).await.is_err() {
            break Heard::Closed;
        }
    };
    let _ = hears.send(last);
    let (mut pipe, mut nowhere) = (lines.into_pipe(), tokio::io::sink());
    tokio::select! {
        _ = tokio::io::copy(&mut pipe, &mut nowhere), if !is_left => {}
        () = left, if !is_left => {}
        else => {}
    }
}

/// Tells blocks, many of them in parts, so that others get their turn; false if nobody hears them.
async fn tell_blocks(blocks: Vec<Json>, told: &mpsc::Sender<ToolUpdate>) -> bool {
    let mut blocks = blocks.into_iter().peekable();
    // An output may have none.
    loop {
        let (mut part, mut bytes) = (Vec::new(), 0);
        while part.len() < PART && bytes < PART_BYTES {
            let Some(block) = blocks.next() else { break };
            bytes += block.as_str().len();
            part.push(block);
        }
        if told.send(ToolUpdate::Output(part)).await.is_err() {
            return false;
        }
        if blocks.peek().is_none() {
            return true;
        }
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
    let content = parsed.root().get("content");
    let blocks = content.iter().flat_map(|content| content.elements());
    let blocks = blocks.filter(|block| {
        let kind = block.get("type");
        kind.is_some_and(|kind| !kind.is_str("question"))
    });
    let parts = ResultParts::of(parsed.root());
    (blocks.map(Json::from).collect(), parts, parsed.is_error())
}

async fn pass_on_stderr(
    mut stderr: ChildStderr,
    told: mpsc::Sender<ToolUpdate>,
    words: LastWords,
    left: watch::Receiver<bool>,
) {
    let mut chunk = Vec::with_capacity(PIECE);
    let mut left = pin!(is_left(left));
    // How much is read when nothing of the tool is left.
    let mut rest: Option<usize> = None;
    loop {
        chunk.clear();
        let read = tokio::select! {
            biased;
            () = &mut left, if rest.is_none() => {
                rest = Some(REST);
                continue;
            }
            read = read_piece(&mut stderr, &mut chunk), if rest != Some(0) => read,
            () = ready(()), if rest.is_some() => 0,
        };
        rest = rest.map(|rest| rest.saturating_sub(read));
        words.push(&chunk);
        if read == 0 || told.send(ToolUpdate::Stderr(chunk.clone())).await.is_err() {
            return;
        }
    }
}

async fn read_piece(pipe: &mut (impl AsyncRead + Unpin), chunk: &mut Vec<u8>) -> usize {
    // A pipe that breaks is at its end.
    pipe.read_buf(chunk).await.unwrap_or(0)
}

/// Done when nothing of the tool is left, and what it wrote had time to arrive.
async fn is_left(mut left: watch::Receiver<bool>) {
    if left.wait_for(|left| *left).await.is_ok() {
        sleep(LOOK).await;
    }
}

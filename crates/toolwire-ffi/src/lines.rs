//! A program that takes calls as lines (chapter 22): its calls, one by one, and what each of them says.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread;
use std::time::Instant;

use toolwire::author::{Ask, Caller, Opened, check_emitted, open_call, question_of};
use toolwire::call::{Answer, Call};
use toolwire::event::{Message, Progress, ToolEvent};
use toolwire::lines::{HostLine, Trace};
use toolwire::session::EndReason;
use toolwire::{Block, Code, Error, Json};
use toolwire_author::invocation::Lines;
use toolwire_author::{Room, Throttle};

/// So much of a line that has not ended is kept back, in bytes, and so much is written at once.
const MOST_KEPT: usize = 8 * 1024;

/// What the host says, as a binding hears it.
#[derive(Debug)]
pub enum Heard {
    /// A call.
    Call(Arc<LineCall>),
    /// Input for the session with this number, until [`LineCall::took`].
    Input(u64, Json),
    /// What became of a question of the session with this number.
    Answer(u64, String, Answer),
    /// The call with this number is to end, and why; its [`LineCall::ending`] says so already.
    End(u64, EndReason),
    /// There is nothing more to be heard. It comes last, and once.
    Over,
}

/// Hears the host in a thread of its own, from now on, and calls `heard` there. While that takes its time, the host
/// waits.
///
/// A thread of the language's would have to come back into the language at the end of the process, when there is
/// none any more; this one just ends with it.
///
/// # Errors
///
/// Where there is no thread to be had.
pub fn listen(lines: Lines, heard: impl Fn(Heard) + Send + 'static) -> io::Result<()> {
    let listen = move || {
        let go_on = || Ok::<(), Infallible>(());
        let mut hearing = Hearing::new(lines);
        while let Ok(Some(line)) = hearing.lines.next(go_on) {
            if let Some(said) = hearing.heard(line) {
                heard(said);
            }
        }
        heard(Heard::Over);
    };
    thread::Builder::new()
        .name("toolwire lines".into())
        .spawn(listen)
        .map(drop)
}

/// Hears the host where the language reads what it says, in a loop of its own.
#[derive(Debug)]
pub struct Hearing {
    lines: Lines,
    open: BTreeMap<u64, Weak<LineCall>>,
    is_over: bool,
}

impl Hearing {
    /// Nothing has been heard yet.
    #[must_use]
    pub fn new(lines: Lines) -> Self {
        Hearing {
            lines,
            open: BTreeMap::new(),
            is_over: false,
        }
    }

    /// What the host has said in what was read next, or at the end, as [`Lines::hear`].
    pub fn hear(&mut self, read: Option<&[u8]>) -> Vec<Heard> {
        if self.is_over {
            return Vec::new();
        }
        let lines = self.lines.hear(read);
        let mut heard: Vec<Heard> = lines
            .into_iter()
            .filter_map(|line| self.heard(line))
            .collect();
        if self.lines.is_over() {
            self.is_over = true;
            heard.push(Heard::Over);
        }
        heard
    }

    fn heard(&mut self, line: HostLine) -> Option<Heard> {
        match line {
            HostLine::Call {
                call,
                document,
                trace,
                session,
            } => {
                let call = Arc::new(LineCall {
                    lines: self.lines.clone(),
                    call,
                    session,
                    trace,
                    document: Mutex::new(Some(document)),
                    ending: OnceLock::new(),
                    asked: Mutex::default(),
                    throttle: Mutex::default(),
                    printed: Mutex::default(),
                    room: Mutex::default(),
                    process: std::process::id(),
                });
                self.open.retain(|_, call| call.strong_count() > 0);
                self.open.insert(call.call, Arc::downgrade(&call));
                Some(Heard::Call(call))
            }
            HostLine::Input { call, input } => {
                let open = self.open.get(&call).and_then(Weak::upgrade)?;
                match lock(&open.room).take(input.as_str().len()) {
                    Ok(()) => Some(Heard::Input(call, input)),
                    Err(lost) => {
                        lost.say();
                        None
                    }
                }
            }
            HostLine::Answer { call, id, answer } => Some(Heard::Answer(call, id, answer)),
            HostLine::End { call, reason } => {
                if let Some(open) = self.open.get(&call).and_then(Weak::upgrade) {
                    open.ending.get_or_init(|| reason);
                }
                Some(Heard::End(call, reason))
            }
            _ => None,
        }
    }
}

/// A call until it has its result.
#[derive(Debug)]
pub struct LineCall {
    lines: Lines,
    call: u64,
    session: bool,
    trace: Trace,
    document: Mutex<Option<Box<Call>>>,
    ending: OnceLock<EndReason>,
    /// The questions that wait for their answers.
    asked: Mutex<BTreeSet<String>>,
    throttle: Mutex<Throttle>,
    /// What was printed since the last line end.
    printed: Mutex<Vec<u8>>,
    /// The room for inputs that the function has not taken.
    room: Mutex<Room>,
    /// The process that was called; a copy that a fork makes of it says nothing.
    process: u32,
}

impl LineCall {
    /// Its number.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.call
    }

    /// Whether it is a session.
    #[must_use]
    pub fn is_session(&self) -> bool {
        self.session
    }

    /// Where it belongs in a distributed trace.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Whether this is the process that was called.
    #[must_use]
    pub fn is_here(&self) -> bool {
        self.process == std::process::id()
    }

    /// Begins its turn, once.
    pub fn open<S: AsRef<str>>(&self, names: &[S]) -> Opened {
        match lock(&self.document).take() {
            Some(call) => open_call(*call, names),
            None => Opened::unreadable("it has been read before"),
        }
    }

    /// Why it is to end, if it is.
    #[must_use]
    pub fn ending(&self) -> Option<EndReason> {
        self.ending.get().copied()
    }

    /// The function has taken an input of so many bytes.
    pub fn took(&self, size: usize) {
        lock(&self.room).free(size);
    }

    /// Writes blocks of a session.
    ///
    /// # Errors
    ///
    /// If a reader would skip a block or warn of it, with its index; nothing is written then. What keeps the line
    /// from being written is the inner error.
    pub fn output(&self, blocks: &[Block]) -> Result<io::Result<()>, (usize, Error)> {
        for (index, block) in blocks.iter().enumerate() {
            check_emitted(block).map_err(|error| (index, error))?;
        }
        self.flush();
        Ok(self
            .lines
            .output(self.call, blocks.iter().map(Json::from).collect()))
    }

    /// Begins to wait for the answer to a question, until [`LineCall::forget`].
    ///
    /// # Errors
    ///
    /// `bad_argument` at `/id` if another one with this id waits.
    pub fn expect(&self, id: &str) -> Result<(), Error> {
        match lock(&self.asked).insert(id.to_owned()) {
            true => Ok(()),
            false => {
                let message = format!("another question has the id `{id}`: give each its own");
                Err(Error::new(Code::BadArgument, "/id", None, message))
            }
        }
    }

    /// Waits no more for the answer to a question.
    pub fn forget(&self, id: &str) {
        lock(&self.asked).remove(id);
    }

    /// Asks a question of a session; `person` if it is for the user alone.
    ///
    /// # Errors
    ///
    /// That of the builder of questions; the inner error is as for [`LineCall::output`].
    pub fn ask(&self, id: &str, ask: &Ask, person: bool) -> Result<io::Result<()>, Error> {
        let question = question_of(id, ask)?;
        self.flush();
        Ok(self.lines.question(self.call, question, person))
    }

    /// Takes what the call has printed, and writes the lines that are whole. Tells whether it is taken: in a copy
    /// of the process it is not.
    pub fn print(&self, bytes: &[u8]) -> bool {
        if !self.is_here() {
            return false;
        }
        // Whoever holds it writes, so that nothing gets out of order.
        let mut printed = lock(&self.printed);
        printed.extend_from_slice(bytes);
        let whole = printed.iter().rposition(|byte| *byte == b'\n');
        let end = match whole {
            Some(at) => at + 1,
            None if printed.len() > MOST_KEPT => boundary(&printed),
            None => 0,
        };
        self.write_printed(&mut printed, end);
        true
    }

    /// Writes what was printed without a line end.
    pub fn flush(&self) {
        if self.is_here() {
            let mut printed = lock(&self.printed);
            let end = printed.len();
            self.write_printed(&mut printed, end);
        }
    }

    /// Writes so many bytes of it, in parts that any host takes.
    fn write_printed(&self, printed: &mut Vec<u8>, end: usize) {
        let mut written = 0;
        while written < end {
            let most = end.min(written + MOST_KEPT);
            let part = &printed[written..most];
            let part = match boundary(part) {
                0 => part,
                at if most < end => &part[..at],
                _ => part,
            };
            // There is nobody to tell if it fails.
            let _ = self.lines.stderr(self.call, &String::from_utf8_lossy(part));
            written += part.len();
        }
        printed.drain(..end);
    }

    /// Ends the call with its envelope; false if an error took its place, because the host takes no such long line.
    ///
    /// # Errors
    ///
    /// If the host has gone.
    pub fn result(&self, envelope: Json) -> io::Result<bool> {
        self.flush();
        self.lines.result(self.call, envelope)
    }
}

impl Caller for LineCall {
    fn progress(&self, progress: &Progress) {
        // In a fork it may be locked for ever.
        if self.is_here() && lock(&self.throttle).may(progress, Instant::now()) {
            let event = ToolEvent::Progress(progress.clone());
            let _ = self.lines.event(self.call, event);
        }
    }

    fn message(&self, message: &Message) {
        let event = ToolEvent::Message(message.clone());
        let _ = self.lines.event(self.call, event);
    }

    fn is_cancelled(&self) -> bool {
        self.ending().is_some()
    }
}

/// Where the last character begins that is not whole, or the end.
fn boundary(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}

/// What is locked stays whole where somebody panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

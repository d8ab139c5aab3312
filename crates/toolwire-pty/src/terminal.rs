//! Driving a program in a pseudo-terminal.

use std::future::{pending, ready};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::time::{sleep, sleep_until};
use toolwire::session::{TerminalInput, is_interrupt};
use toolwire::{Exit, Json};
use toolwire_host::{
    Child, Command, ProcessOptions, ToolRequest, ToolRequestReceiver, ToolUpdate, Typed,
};

use crate::device::{self, Device};
use crate::emulator::Size;
use crate::shared::{Read, Shared};
use crate::signals::ended_by;
use crate::telling::Telling;
use crate::typing::{Due, MAX_LINE, NotTyped, Typing, Who};

/// So much of what was written is looked at at once, and less where it has the terminal do much.
const SLICE: usize = 1024;

/// A program that has written nothing for so long has come to a halt, at a prompt for instance.
const PAUSE: Duration = Duration::from_millis(50);

/// How often it is looked whether only a person types, while nothing happens that would tell.
const LOOK: Duration = Duration::from_millis(500);

/// Maximum time for reading what the program wrote before it ended.
const AFTER_END: Duration = Duration::from_secs(1);

const NOT_TYPED: &str = "[not typed: only a person types here]\n";
const NOT_READ: &str = "[not typed: the program does not read what was typed before]\n";

/// What is driven.
pub(crate) struct Start {
    pub(crate) command: Command,
    pub(crate) options: ProcessOptions,
    pub(crate) size: Size,
    pub(crate) grace: Duration,
}

/// Starts the program and drives it to its end.
pub(crate) async fn drive(
    start: Result<Start, String>,
    shared: Arc<Shared>,
    mut given: ToolRequestReceiver,
    mut typed: mpsc::Receiver<Typed>,
    told: mpsc::Sender<ToolUpdate>,
) {
    let started = start.and_then(|start| {
        let started = device::start(&start.command, &start.options, start.size);
        let (device, program) = started?;
        Ok((device, program, start.grace))
    });
    let (device, mut program, grace) = match started {
        Ok(started) => started,
        Err(message) => {
            shared.end();
            // A host that has gone hears nothing.
            let _ = told.send(ToolUpdate::Crash(message)).await;
            return;
        }
    };
    shared.started(Arc::clone(&device));
    let mut driver = Driver {
        device,
        shared,
        typing: Typing::default(),
        telling: Telling::default(),
        person: false,
        chunk: Vec::new(),
        read: 0,
        quiet: None,
    };
    driver
        .run(&mut program, grace, &mut given, &mut typed, &told)
        .await;
    let exit = driver.finish(program, &told).await;
    let last = match exit {
        Exit::Signal(signal) => ToolUpdate::Crash(ended_by(signal)),
        Exit::Code(code) => ToolUpdate::Exit(code),
    };
    let _ = told.send(last).await;
}

struct Driver {
    device: Arc<dyn Device>,
    shared: Arc<Shared>,
    typing: Typing,
    telling: Telling,
    /// Whether only a person types.
    person: bool,
    /// What the program has written, and how much of it has been looked at.
    chunk: Vec<u8>,
    read: usize,
    /// When it comes to a halt, if it writes nothing until then.
    quiet: Option<Instant>,
}

impl Driver {
    /// Until the program has ended, or is to be killed.
    async fn run(
        &mut self,
        program: &mut Child,
        grace: Duration,
        given: &mut ToolRequestReceiver,
        typed: &mut mpsc::Receiver<Typed>,
        told: &mpsc::Sender<ToolUpdate>,
    ) {
        let mut ends = false;
        let mut open = true;
        let device = Arc::clone(&self.device);
        loop {
            let due = self.typing.due(&*device);
            let later = match due {
                Due::After(rest) => rest,
                _ => LOOK,
            };
            let waits = self.read < self.chunk.len();
            let room = self.telling.has_room();
            tokio::select! {
                biased;
                next = given.recv() => match next {
                    Some(ToolRequest::Input(input)) => self.input(&input, Who::Other),
                    Some(ToolRequest::PersonInput(input)) => self.input(&input, Who::Person),
                    Some(ToolRequest::End(_)) if !ends => {
                        ends = true;
                        program.hang_up();
                        program.end(grace);
                    }
                    Some(ToolRequest::Kill) | None => return,
                    Some(_) => {}
                },
                Some(next) = typed.recv() => match next {
                    Typed::Bytes(bytes) => drop(self.typing.push(bytes, Who::Person)),
                    Typed::Size(columns, rows) => self.resize(Size { columns, rows }),
                    _ => {}
                },
                // Before what is read: who never stops to write may outlive the program.
                _ = program.next() => return,
                Ok(permit) = told.reserve(), if !self.telling.is_empty() => {
                    if let Some(next) = self.telling.next() {
                        permit.send(next);
                    }
                }
                ready = device.writable(), if due == Due::Now => self.write(ready.is_ok()),
                () = ready(()), if waits && room => {
                    self.look();
                    tokio::task::yield_now().await;
                }
                more = device.read(&mut self.chunk), if open && !waits && room => {
                    self.read = 0;
                    open = matches!(more, Ok(1..));
                }
                () = at(self.quiet) => {
                    self.quiet = None;
                    let text = self.shared.pause();
                    self.telling.text(&text);
                    self.gate();
                }
                () = sleep(later) => self.gate(),
            }
        }
    }

    fn input(&mut self, input: &Json, who: Who) {
        let interrupts = is_interrupt(input);
        let input = match TerminalInput::read(input) {
            Ok(TerminalInput::Size { columns, rows }) => {
                return self.resize(Size { columns, rows });
            }
            Ok(input) => input,
            // It was checked before it was given.
            Err(error) => return self.telling.text(&format!("[not typed: {error}]\n")),
        };
        self.gate();
        if self.person && who == Who::Other && !interrupts {
            return self.telling.text(NOT_TYPED);
        }
        let by_lines = self.device.shows_lines().is_some();
        let typed = self
            .typing
            .input(&input, self.shared.modes(), who, by_lines);
        match typed {
            Ok(()) => {}
            Err(NotTyped::NotRead) => self.telling.text(NOT_READ),
            Err(NotTyped::LongLine) => self.telling.text(&format!(
                "[not typed: a line is longer than the {MAX_LINE} bytes that a terminal takes; send it in shorter \
                 lines, or as a file]\n"
            )),
        }
    }

    fn resize(&mut self, size: Size) {
        let range = 2..=500;
        let size = Size {
            columns: size.columns.clamp(*range.start(), *range.end()),
            rows: size.rows.clamp(*range.start(), *range.end()),
        };
        let text = self.shared.resize(size);
        self.telling.text(&text);
        self.telling.changed();
    }

    /// Types what is next; `open` says whether there is still somebody to read it.
    fn write(&mut self, open: bool) {
        if !open {
            return self.typing.clear();
        }
        match self.typing.write(&*self.device) {
            Ok(true) => {
                self.telling.text(NOT_TYPED);
                self.gate();
            }
            Ok(false) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => self.typing.clear(),
        }
    }

    /// Looks at the next of what the program has written.
    fn look(&mut self) {
        let end = self.chunk.len().min(self.read + SLICE);
        let Read {
            read,
            text,
            replies,
        } = self.shared.read(&self.chunk[self.read..end]);
        self.read += read;
        self.telling.text(&text);
        self.telling.changed();
        self.typing.push(replies, Who::Terminal);
        self.quiet = Some(Instant::now() + PAUSE);
        self.gate();
    }

    /// Looks whether only a person types. What others have typed and the program has not read is taken back.
    fn gate(&mut self) {
        let person = self.device.hides_lines();
        if person == self.person {
            return;
        }
        self.person = person;
        if person {
            let unread = self.typing.typed_by_others() && self.device.has_unread();
            if unread {
                self.device.drop_unread();
            }
            if self.typing.refuse_others() || unread {
                self.telling.text(NOT_TYPED);
            }
        }
        self.telling.tell(ToolUpdate::PersonOnly(person));
        self.telling.changed();
    }

    /// Ends what is left of the program, and tells what it has written.
    async fn finish(mut self, mut program: Child, told: &mpsc::Sender<ToolUpdate>) -> Exit {
        program.kill();
        self.device.let_go();
        let until = Instant::now() + AFTER_END;
        loop {
            while self.read < self.chunk.len() {
                self.look();
                self.tell(told).await;
                tokio::task::yield_now().await;
            }
            tokio::select! {
                more = self.device.read(&mut self.chunk) => {
                    self.read = 0;
                    if !matches!(more, Ok(1..)) {
                        break;
                    }
                }
                () = sleep_until(until.into()) => {
                    self.chunk.clear();
                    self.read = 0;
                    break;
                }
            }
        }
        let exit = program.finish().await;
        let text = self.shared.end();
        self.telling.text(&text);
        if self.person {
            self.telling.tell(ToolUpdate::PersonOnly(false));
        }
        self.telling.changed();
        self.tell(told).await;
        exit
    }

    async fn tell(&mut self, told: &mpsc::Sender<ToolUpdate>) {
        while let Some(next) = self.telling.next() {
            // A host that has gone hears nothing.
            let _ = told.send(next).await;
        }
    }
}

/// At this time, or never.
async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time.into()).await,
        None => pending().await,
    }
}

//! Many calls in one process: the program's side of the line transport (chapter 22), the same for every language.
//!
//! The library of a language begins with [`Lines::begin`] if [`Variables::is_lines`](super::Variables::is_lines),
//! reads with [`Lines::next`] in a thread of its own, and writes from any thread.

mod orphan;
mod reader;
mod writer;

use std::collections::BTreeMap;
#[cfg(unix)]
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use toolwire::Json;
use toolwire::author::{Failure, remark};
use toolwire::block::Question;
use toolwire::event::ToolEvent;
use toolwire::lines::{HostLine, MAX_LINE, ToolLine, VERSION};
use toolwire::session::EndReason;

use super::{NO_ANSWER, say};
use crate::events::Throttle;
use reader::Reader;
use writer::Writer;

/// What a host says to a program that stays, and what the program says to it. Clones are the same.
///
/// Whoever does not read makes the other wait: what is written waits for the host, and whoever calls
/// [`Lines::next`] only when there is room for more makes the host wait.
///
/// ```no_run
/// use std::convert::Infallible;
/// use toolwire::Json;
/// use toolwire::lines::HostLine;
/// use toolwire_author::invocation::{Lines, Variables};
///
/// let variables = Variables::take();
/// assert!(variables.is_lines());
/// let go_on = || Ok::<(), Infallible>(());
/// let Ok(Some(lines)) = Lines::begin(1, go_on) else { std::process::exit(2) };
/// while let Ok(Some(line)) = lines.next(go_on) {
///     if let HostLine::Call { call, .. } = line {
///         lines.result(call, Json::new(r#"{"content":[]}"#).unwrap())?;
///     }
/// }
/// std::process::exit(lines.status().into());
/// # #[allow(unreachable_code)]
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Lines(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    reader: Mutex<Reader>,
    writer: Mutex<Writer>,
    /// The calls that have no result yet. It is never held while something is read or written.
    open: Mutex<Open>,
    /// The process that was called; a copy that a fork makes of it says nothing.
    process: u32,
}

#[derive(Debug, Default)]
struct Open {
    calls: BTreeMap<u64, State>,
    /// Whether the host says nothing any more.
    over: bool,
    /// What ended it, if that was no proper end.
    status: u8,
}

#[derive(Debug)]
struct State {
    session: bool,
    /// Whether it has been told to end.
    told: bool,
    throttle: Throttle,
}

impl Lines {
    /// Takes stdin and stdout from the rest of the process, reads the host's first line and answers it: `calls` is
    /// how many calls the program takes at the same time. Nothing if that fails; it has been told on stderr then,
    /// and the exit status is 2.
    ///
    /// `interrupted` is called when a signal arrives while it waits.
    ///
    /// # Errors
    ///
    /// That of `interrupted`.
    pub fn begin<E>(
        calls: u64,
        interrupted: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Self>, E> {
        let (mut reader, writer) = match (Reader::of_stdin(), Writer::to_stdout()) {
            (Some(reader), Some(writer)) => (reader, writer),
            (None, _) => return Ok(refused("stdin is closed")),
            (_, None) => return Ok(refused("stdout is closed")),
        };
        let max_line = match reader.next(interrupted)? {
            Ok(Some(HostLine::Hello { versions, .. })) if !versions.contains(&VERSION) => {
                let message = format!("the host does not speak version {VERSION} of them");
                return Ok(refused(&message));
            }
            Ok(Some(HostLine::Hello { max_line, .. })) => max_line,
            Ok(Some(_)) => return Ok(refused("the first line is no `hello`")),
            Ok(None) => return Ok(refused("the host ended before it said hello")),
            Err(why) => return Ok(refused(&why)),
        };
        let lines = Lines(Arc::new(Inner {
            reader: Mutex::new(reader),
            writer: Mutex::new(writer),
            open: Mutex::default(),
            process: std::process::id(),
        }));
        let hello = ToolLine::hello(calls, MAX_LINE).to_json();
        let mut writer = lock(&lines.0.writer);
        if let Err(error) = writer.write(hello) {
            return Ok(refused(&error.to_string()));
        }
        writer.max_line = usize::try_from(max_line).unwrap_or(usize::MAX);
        drop(writer);
        Ok(Some(lines))
    }

    /// Has a function called when a signal arrives while a line is written, as it may be for a long time where the host
    /// does not read. If it says so, the line is cut off, and no other follows: the program is about to end.
    pub fn on_interrupt(&self, interrupted: fn() -> bool) {
        lock(&self.0.writer).interrupted = interrupted;
    }

    /// Waits for the next line that concerns the program: a call, or something for a call that is open. What is for
    /// a call that has ended already is left out.
    ///
    /// Nothing at the end of what the host says, which is also where it says what is no line; that is told on stderr,
    /// and [`Lines::status`] is 2. Calls that are open then get an [`HostLine::End`] before. If they don't end, the
    /// process is asked to by a signal, and then killed, as its host would have done.
    ///
    /// `interrupted` is called when a signal arrives while it waits.
    ///
    /// # Errors
    ///
    /// That of `interrupted`; the next call then goes on where this one was.
    pub fn next<E>(
        &self,
        mut interrupted: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<HostLine>, E> {
        let mut reader = lock(&self.0.reader);
        loop {
            if let Some(left) = self.left() {
                return Ok(left);
            }
            let read = reader.next(&mut interrupted)?;
            if let Some(line) = self.take(read) {
                return Ok(Some(line));
            }
        }
    }

    /// Lends stdin to a language that reads it in a loop of its own, and gives what it reads to [`Lines::hear`]. While
    /// that loop does something else, the process is ended as [`Lines::next`] says if the host has gone.
    ///
    /// # Errors
    ///
    /// Where the system has no more files or threads.
    #[cfg(unix)]
    pub fn lend_stdin(&self) -> io::Result<File> {
        let stdin = lock(&self.0.reader).stdin();
        orphan::watch_host(stdin.try_clone()?)?;
        stdin.try_clone()
    }

    /// The lines that concern the program, as those of [`Lines::next`], of what was read next; at the end that is
    /// nothing. The first time there may be some of what was read before.
    ///
    /// ```no_run
    /// # use std::convert::Infallible;
    /// # use std::io::Read as _;
    /// # use toolwire_author::invocation::Lines;
    /// # fn heard(line: toolwire::lines::HostLine) {}
    /// # let Ok(Some(lines)) = Lines::begin(1, || Ok::<(), Infallible>(())) else { return Ok(()) };
    /// # #[cfg(unix)] {
    /// let mut stdin = lines.lend_stdin()?;
    /// let mut bytes = [0; 4096];
    /// lines.hear(Some(&[])).into_iter().for_each(heard);
    /// while !lines.is_over() {
    ///     let read = stdin.read(&mut bytes)?;
    ///     lines.hear((read > 0).then(|| &bytes[..read])).into_iter().for_each(heard);
    /// }
    /// # }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn hear(&self, read: Option<&[u8]>) -> Vec<HostLine> {
        let mut reader = lock(&self.0.reader);
        match read {
            Some(bytes) => reader.give(bytes),
            None => reader.end(),
        }
        let mut heard = Vec::new();
        loop {
            match self.left() {
                Some(Some(line)) => heard.push(line),
                Some(None) => return heard,
                None => match reader.there() {
                    Ok(None) if read.is_some() => return heard,
                    there => heard.extend(self.take(there)),
                },
            }
        }
    }

    /// Whether the host says nothing any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        lock(&self.0.open).over
    }

    /// Takes note of what was read, the end or a fault included; gives what concerns the program.
    fn take(&self, read: Result<Option<HostLine>, String>) -> Option<HostLine> {
        let mut open = lock(&self.0.open);
        let taken = read.and_then(|line| open.take(line)).unwrap_or_else(|why| {
            refused::<()>(&why);
            (open.over, open.status) = (true, NO_ANSWER);
            None
        });
        if open.over && !open.calls.is_empty() {
            orphan::watch();
        }
        taken
    }

    /// What is left to be told when the host says nothing any more: each call that is open is to end.
    fn left(&self) -> Option<Option<HostLine>> {
        let mut open = lock(&self.0.open);
        if !open.over {
            return None;
        }
        let next = open.calls.iter_mut().find(|(_, state)| !state.told);
        Some(next.map(|(&call, state)| {
            state.told = true;
            let reason = EndReason::HostEnded;
            HostLine::End { call, reason }
        }))
    }

    /// The calls that have no result yet.
    #[must_use]
    pub fn open(&self) -> Vec<u64> {
        lock(&self.0.open).calls.keys().copied().collect()
    }

    /// The exit status of a program that is told nothing any more: 0, or 2 if the host has said what is no line.
    #[must_use]
    pub fn status(&self) -> u8 {
        lock(&self.0.open).status
    }

    /// Writes blocks of a session, none of them a question. They have been checked
    /// ([`check_emitted`](toolwire::author::check_emitted)).
    ///
    /// # Errors
    ///
    /// `FileTooLarge` if the host takes no such long line; any other if the host has gone.
    pub fn output(&self, call: u64, blocks: Vec<Json>) -> io::Result<()> {
        self.write(call, ToolLine::Output { call, blocks })
    }

    /// Asks a question of a session; `person` if it is for the user alone.
    ///
    /// # Errors
    ///
    /// As for [`Lines::output`].
    pub fn question(&self, call: u64, question: Question, person: bool) -> io::Result<()> {
        let question = Box::new(question);
        self.write(
            call,
            ToolLine::Question {
                call,
                question,
                person,
            },
        )
    }

    /// Writes progress or a log message of a call. Progress that comes faster than anybody can read is left out.
    ///
    /// # Errors
    ///
    /// As for [`Lines::output`].
    pub fn event(&self, call: u64, event: ToolEvent) -> io::Result<()> {
        if let ToolEvent::Progress(progress) = &event
            && self.is_here()
        {
            let mut open = lock(&self.0.open);
            let may = |state: &mut State| state.throttle.may(progress, Instant::now());
            if !open.calls.get_mut(&call).is_some_and(may) {
                return Ok(());
            }
        }
        self.write(call, ToolLine::Event { call, event })
    }

    /// Writes what a call has printed.
    ///
    /// # Errors
    ///
    /// As for [`Lines::output`].
    pub fn stderr(&self, call: u64, text: &str) -> io::Result<()> {
        let text = text.to_owned();
        self.write(call, ToolLine::Stderr { call, text })
    }

    /// Ends a call with its result. What is written for the call afterwards goes nowhere. A result that is longer than
    /// a line of the host may be becomes an error that says so; false then, and the exit status of a session is 1.
    /// Remarks go to stderr.
    ///
    /// # Errors
    ///
    /// If the host has gone.
    pub fn result(&self, call: u64, envelope: Json) -> io::Result<bool> {
        if let Some(remark) = remark(envelope.as_str()) {
            say(&format!("toolwire: {remark}\n"));
        }
        match self.write(call, ToolLine::Result { call, envelope }) {
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                let envelope = Json::from(&Failure::new(error.to_string()).envelope());
                let written = self.write(call, ToolLine::Result { call, envelope });
                written.map(|()| false)
            }
            written => written.map(|()| true),
        }
    }

    /// Whether this is the process that was called. In a copy, what another thread had locked stays locked.
    fn is_here(&self) -> bool {
        std::process::id() == self.0.process
    }

    fn write(&self, call: u64, line: ToolLine) -> io::Result<()> {
        if !self.is_here() {
            return Ok(());
        }
        let ends = matches!(line, ToolLine::Result { .. });
        let line = line.to_json();
        // Whoever holds it writes: a result is the last line of its call.
        let mut writer = lock(&self.0.writer);
        if !lock(&self.0.open).calls.contains_key(&call) {
            return Ok(());
        }
        let written = writer.write(line);
        let too_long = |error: &io::Error| error.kind() == io::ErrorKind::FileTooLarge;
        if ends && !written.as_ref().is_err_and(too_long) {
            lock(&self.0.open).calls.remove(&call);
        }
        written
    }
}

impl Open {
    /// Takes note of a line. Gives it if it concerns the program.
    fn take(&mut self, line: Option<HostLine>) -> Result<Option<HostLine>, String> {
        let Some(line) = line else {
            self.over = true;
            return Ok(None);
        };
        let concerns = match &line {
            HostLine::Call { call, session, .. } => {
                let state = State {
                    session: *session,
                    told: false,
                    throttle: Throttle::default(),
                };
                if self.calls.insert(*call, state).is_some() {
                    return Err(format!("two calls have the number {call}"));
                }
                true
            }
            HostLine::Input { call, .. } | HostLine::Answer { call, .. } => {
                self.calls.get(call).is_some_and(|state| state.session)
            }
            HostLine::End { call, .. } => match self.calls.get_mut(call) {
                Some(state) => !std::mem::replace(&mut state.told, true),
                None => false,
            },
            // A greeting has been heard, and a line that is not known here says nothing.
            _ => false,
        };
        Ok(concerns.then_some(line))
    }
}

/// Tells why the host can't be heard any more.
fn refused<T>(why: &str) -> Option<T> {
    say(&toolwire::terminal_safe(
        &format!("toolwire: the host's lines can't be read: {why}\n"),
        false,
    ));
    None
}

/// What is locked stays whole where somebody panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

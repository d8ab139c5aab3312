//! A program that takes its calls as lines: JavaScript is told that there is something to hear, and takes it.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use napi::Either;
use napi_derive::napi;
use serde::Deserialize;
use serde_json::value::RawValue;
use toolwire::author::{Ask, Caller};
use toolwire::call::Answer;
use toolwire::event::{Message, Progress};
use toolwire::{Block, Code, Error, Json};
use toolwire_author::invocation;
use toolwire_ffi::answers::check_answers;
use toolwire_ffi::lines::{Heard, Hearing, listen};

use crate::author::Turn;
use crate::calls::{Notify, lock, telling};
use crate::event::read_level;
use crate::fault::{Result, told};
use crate::json::Object;

/// Maximum number of host messages queued for JavaScript where a thread reads them; beyond it, the host waits.
const WAITING: usize = 16;

/// What a host says to a program that stays.
#[napi]
pub struct Lines {
    inner: invocation::Lines,
    hearing: Hearing,
    /// The tools of the program.
    names: Arc<[String]>,
    waiting: Arc<Waiting>,
    /// There until there is nothing more to be heard.
    notify: Arc<Mutex<Option<Notify>>>,
}

#[derive(Default)]
struct Waiting {
    heard: Mutex<VecDeque<Said>>,
    taken: Condvar,
}

/// A call, or something else that the host has said.
type Said = Either<Turn, HeardLine>;

fn said(heard: Heard, names: &[String]) -> Said {
    match heard {
        Heard::Call(call) => Either::A(Turn::of_line(call.open(names), call)),
        other => Either::B(HeardLine(other)),
    }
}

#[napi]
impl Lines {
    /// Takes stdin and stdout from the rest of the process, and greets the host. Nothing if that fails, which has
    /// been told on stderr. `names` is a JSON array of the program's tools.
    #[napi(catch_unwind)]
    pub fn begin(calls: u32, names: String) -> Result<Option<Lines>> {
        let names = crate::source::list(&names)?.into();
        // A signal ends the process, or waits until JavaScript runs again.
        let Ok(begun) = invocation::Lines::begin(calls.into(), || Ok::<(), Infallible>(()));
        Ok(begun.map(|inner| Lines {
            hearing: Hearing::new(inner.clone()),
            inner,
            names,
            waiting: Arc::default(),
            notify: Arc::default(),
        }))
    }

    /// A descriptor to read stdin from, for whoever then calls `hear` with what comes; nothing where there is none.
    #[napi(catch_unwind)]
    pub fn descriptor(&self) -> Option<i32> {
        #[cfg(unix)]
        {
            use std::os::fd::IntoRawFd;
            self.inner.lend_stdin().ok().map(IntoRawFd::into_raw_fd)
        }
        #[cfg(not(unix))]
        None
    }

    /// Hears what was read into the begin of a buffer; nothing at the end.
    #[napi(catch_unwind)]
    pub fn hear(&mut self, bytes: Option<&[u8]>, length: u32) -> Vec<Said> {
        let read = bytes.map(|bytes| &bytes[..bytes.len().min(length as usize)]);
        let heard = self.hearing.hear(read).into_iter();
        heard.map(|heard| said(heard, &self.names)).collect()
    }

    /// Hears the host in a thread of its own from now on, where it can't be read otherwise. `notify` is called when
    /// there is something to take, and keeps Node alive.
    #[napi(catch_unwind)]
    pub fn listen(&self, notify: Notify) -> Result<()> {
        *lock(&self.notify) = Some(notify);
        let tell = telling(&self.notify);
        let waiting = Arc::clone(&self.waiting);
        let names = Arc::clone(&self.names);
        let heard = move |heard| {
            let full = |waiting: &mut VecDeque<Said>| waiting.len() >= WAITING;
            let room = waiting.taken.wait_while(lock(&waiting.heard), full);
            room.unwrap_or_else(PoisonError::into_inner)
                .push_back(said(heard, &names));
            tell();
        };
        listen(self.inner.clone(), heard)
            .map_err(|error| napi::Error::from_reason(error.to_string()))
    }

    /// What was heard in the meantime.
    #[napi(catch_unwind)]
    pub fn take(&self) -> Vec<Said> {
        let heard = lock(&self.waiting.heard).drain(..).collect();
        self.waiting.taken.notify_all();
        heard
    }

    /// Lets Node end.
    #[napi(catch_unwind)]
    pub fn release(&self) {
        lock(&self.notify).take();
    }

    /// The exit status when there is nothing more to be heard.
    #[napi(catch_unwind)]
    pub fn status(&self) -> u8 {
        self.inner.status()
    }
}

/// Something that the host has said, and that is no call.
#[napi]
pub struct HeardLine(Heard);

#[napi]
impl HeardLine {
    /// `input`, `answer`, `end` or `over`.
    #[napi(catch_unwind)]
    pub fn kind(&self) -> &'static str {
        match &self.0 {
            Heard::Input(..) => "input",
            Heard::Answer(..) => "answer",
            Heard::End(..) => "end",
            Heard::Call(_) | Heard::Over => "over",
        }
    }

    /// The call that it is about.
    #[napi(catch_unwind)]
    pub fn number(&self) -> f64 {
        // Every number of a call is one that JavaScript has.
        match &self.0 {
            Heard::Call(call) => call.number() as f64,
            Heard::Input(call, _) | Heard::Answer(call, _, _) | Heard::End(call, _) => *call as f64,
            Heard::Over => 0.0,
        }
    }

    /// The question that was answered, or why a call is to end.
    #[napi(catch_unwind)]
    pub fn word(&self) -> Option<String> {
        match &self.0 {
            Heard::Answer(_, id, _) => Some(id.clone()),
            Heard::End(_, reason) => Some(reason.as_str().to_owned()),
            _ => None,
        }
    }

    /// The input, or the answer, as JSON text.
    #[napi(catch_unwind)]
    pub fn json(&self) -> Option<String> {
        match &self.0 {
            Heard::Input(_, input) => Some(input.to_string()),
            Heard::Answer(_, _, answer) => Some(answer.to_json()),
            _ => None,
        }
    }
}

/// What can be done with a call that came as a line, until it has its result.
#[napi]
impl Turn {
    /// All that is known of it, as a JSON object: its number, whether it is a session, where it belongs in a trace,
    /// and what is called, which is absent if that was refused.
    #[napi(catch_unwind)]
    pub fn line_told(&self) -> Result<String> {
        let line = self.line()?;
        let trace = line.trace();
        let trace = Object::new()
            .optional("traceparent", trace.traceparent.as_deref())
            .optional("tracestate", trace.tracestate.as_deref())
            .optional("baggage", trace.baggage.as_deref())
            .end();
        Ok(Object::new()
            // Every number of a call is one that JavaScript has.
            .number("number", line.number() as f64)
            .flag("session", line.is_session())
            .raw("trace", &trace)
            .optional_raw("call", self.told())
            .end())
    }

    /// The function has taken an input of so many bytes.
    #[napi(catch_unwind)]
    pub fn line_took(&self, size: u32) -> Result<()> {
        self.line()?.took(size as usize);
        Ok(())
    }

    /// Writes a block, as JSON text, of a session; whether the host is there to read it. It waits while the host
    /// reads nothing.
    #[napi(catch_unwind)]
    pub fn line_output(&self, block: String) -> Result<bool> {
        let block = Block::from_json(&block).map_err(told)?;
        let written = self
            .line()?
            .output(&[block])
            .map_err(|(_, error)| told(error))?;
        is_there(written)
    }

    /// Asks a question of a session; whether the host is there to read it.
    #[napi(catch_unwind)]
    pub fn line_ask(&self, id: String, ask: String, person: bool) -> Result<bool> {
        let ask = Ask::read(&ask).map_err(told)?;
        let written = self.line()?.ask(&id, &ask, person).map_err(told)?;
        is_there(written)
    }

    /// Takes what the call has printed; not in a copy of the process.
    #[napi(catch_unwind)]
    pub fn print(&self, bytes: &[u8]) -> Result<bool> {
        Ok(self.line()?.print(bytes))
    }

    /// Says how far it has come.
    #[napi(catch_unwind)]
    pub fn progress(&self, done: f64, total: Option<f64>, message: Option<String>) -> Result<()> {
        let line = self.line()?;
        if done.is_finite() {
            line.progress(&Progress::new(done, total, message));
        }
        Ok(())
    }

    /// Writes a log message.
    #[napi(catch_unwind)]
    pub fn log(&self, level: String, message: String, logger: Option<String>) -> Result<()> {
        let mut said = Message::new(read_level(&level)?, message);
        if let Some(logger) = logger {
            said = said.by(&logger);
        }
        self.line()?.message(&said);
        Ok(())
    }

    /// Ends the call with its envelope, as JSON text. What is said in it afterwards goes nowhere. False if an error took
    /// its place, because the host takes no such long line.
    #[napi(catch_unwind)]
    pub fn result(&self, envelope: String) -> Result<bool> {
        let envelope = Json::new(envelope).map_err(told)?;
        // A host that has gone needs no result.
        Ok(self.line()?.result(envelope).unwrap_or(true))
    }
}

/// A question, with its id.
#[derive(Deserialize)]
struct Asked<'a>(String, #[serde(borrow)] &'a RawValue);

/// Refuses an answer that does not fit its question, with `answer_mismatch`. The questions are a JSON array of ids
/// and asks, in the order of the answers, which are a JSON array too.
#[napi(catch_unwind)]
pub fn check_asked(asks: String, answers: String) -> Result<()> {
    let refused = |error: serde_json::Error| napi::Error::from_reason(error.to_string());
    let asked: Vec<Asked<'_>> = serde_json::from_str(&asks).map_err(refused)?;
    let given: Vec<&RawValue> = serde_json::from_str(&answers).map_err(refused)?;
    let asks: std::result::Result<Vec<Ask>, Error> = asked
        .iter()
        .map(|Asked(_, ask)| Ask::read(ask.get()))
        .collect();
    let answers: std::result::Result<Vec<Answer>, Error> = given
        .iter()
        .map(|answer| Answer::from_json(answer.get()))
        .collect();
    let (asks, answers) = (asks.map_err(told)?, answers.map_err(told)?);
    let pairs: Vec<(&str, &Ask)> = asked
        .iter()
        .map(|Asked(id, _)| id.as_str())
        .zip(&asks)
        .collect();
    check_answers(&pairs, &answers).map_err(told)
}

/// Whether something was written; what is too long is refused.
fn is_there(written: io::Result<()>) -> Result<bool> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Err(told(Error::new(
            Code::OverBudget,
            "",
            None,
            error.to_string(),
        ))),
        written => Ok(written.is_ok()),
    }
}

//! The context of a tool that keeps running.

mod line;
mod mailbox;

use std::fmt;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use toolwire::Json;
use toolwire::author::{self, Caller, Failure, Turn, check_emitted, misfit, question_of};
use toolwire::call::{AnswerSource, AnswerState, Call};
use toolwire::lines::Trace;
use toolwire::session::EndReason;

use crate::context::{blocks_of, trace_of_process, typed_answer};
use crate::error::ENDING;
use crate::{Answer, Ask, ContextError, IntoReturned, arguments};
pub(crate) use line::LineCall;
use mailbox::Ending;

/// How often a call that nothing wakes looks whether it is still wanted.
const TICK: Duration = Duration::from_millis(20);

/// The context of a tool that keeps running. Its function says things as it goes, asks and waits for
/// the answer, receives what is applied to it, and is told when it is to end. Clones are the same session, and can
/// be moved to other threads.
///
/// Where the session is to end, whatever waits ends with an error for which [`ContextError::is_ending`] holds.
/// Return it with `?` when everything is cleaned up: it is no failure.
///
/// A session tool can also be called as one that runs once. What it says then comes all together, a
/// question ends the run until there is an answer, as with a [`Context`](crate::Context), no input comes, and when the
/// tool first waits for input without a limit it is to end.
///
/// ```
/// use std::time::Duration;
/// use toolwire_author::toolwire::call::SessionAction;
/// use toolwire_author::{Error, Session, Tool, arguments, boolean};
///
/// /// Count down.
/// #[arguments]
/// struct Countdown {
///     from: u32,
/// }
///
/// fn countdown(args: Countdown, session: &Session) -> Result<String, Error> {
///     for left in (1..=args.from).rev() {
///         session.emit(format!("{left}"))?;
///         session.sleep(Duration::from_secs(1))?;
///     }
///     Ok(match session.answer("launch", boolean("Launch?"))? {
///         true => "Lift-off.".into(),
///         false => "Scrubbed.".into(),
///     })
/// }
///
/// let tool = Tool::session("countdown", countdown).actions([SessionAction::Apply, SessionAction::Abort]);
/// ```
#[derive(Clone)]
pub struct Session(Arc<Shared>);

struct Shared {
    call: Call,
    trace: Option<Trace>,
    caller: Option<Arc<dyn Caller>>,
    way: Way,
}

/// How what is said gets out.
enum Way {
    /// At once; the tool keeps running.
    Live(Arc<LineCall>),
    /// All together, as the answer of a call.
    Once {
        turn: Box<Mutex<Turn>>,
        /// Whether it has waited for input without an end: none ever comes.
        over: AtomicBool,
    },
}

impl Session {
    pub(crate) fn new(
        turn: Turn,
        caller: Option<Arc<dyn Caller>>,
        trace: Option<Trace>,
        live: Option<Arc<LineCall>>,
    ) -> Self {
        let call = turn.call().clone();
        let way = match live {
            Some(line) => Way::Live(line),
            None => Way::Once {
                turn: Box::new(Mutex::new(turn)),
                over: AtomicBool::new(false),
            },
        };
        Session(Arc::new(Shared {
            call,
            trace,
            caller,
            way,
        }))
    }

    /// What the answer is made of when the function has returned.
    pub(crate) fn turn(&self) -> Turn {
        match &self.0.way {
            Way::Live(_) => Turn::new(self.0.call.clone()),
            Way::Once { turn, .. } => lock(turn).clone(),
        }
    }

    /// Whether a function failed with this only because it was told to end.
    pub(crate) fn has_ended_by(&self, failure: &Failure) -> bool {
        let mut texts = std::iter::once(&failure.message).chain(&failure.trace);
        texts.any(|text| text == ENDING)
    }

    /// Says something now: text, a block, several blocks, or the blocks of an envelope. It waits while the
    /// host does not read.
    ///
    /// # Errors
    ///
    /// A failure if a reader would warn about the block, or if it is larger than the host takes; and that the session
    /// is to end, if the host has gone.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{ContextError, Session};
    /// fn told(session: &Session) -> Result<(), ContextError> {
    ///     session.emit("listening on port 3000")
    /// }
    /// ```
    pub fn emit(&self, what: impl IntoReturned) -> Result<(), ContextError> {
        let blocks = blocks_of(what)?;
        let line = match &self.0.way {
            Way::Live(line) => line,
            Way::Once { turn, .. } => {
                let mut turn = lock(turn);
                return Ok(blocks.into_iter().try_for_each(|block| turn.emit(block))?);
            }
        };
        for block in &blocks {
            check_emitted(block)?;
        }
        if blocks.is_empty() {
            return Ok(());
        }
        let blocks = blocks.iter().map(Json::from).collect();
        line.lines
            .output(line.call, blocks)
            .map_err(|error| unwritten(line, &error))
    }

    /// The answer to a question, whatever its state. The tool keeps running: this waits for the answer, and other
    /// threads go on.
    ///
    /// # Errors
    ///
    /// That the session is to end; a failure if the question or its answer is wrong, or if another thread waits for
    /// the answer to a question with this id.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{ContextError, Session, boolean};
    /// fn restart(session: &Session) -> Result<bool, ContextError> {
    ///     Ok(session.ask("restart", boolean("Restart it?"))?.value == Some(true))
    /// }
    /// ```
    pub fn ask<T: DeserializeOwned>(
        &self,
        id: &str,
        ask: Ask<T>,
    ) -> Result<Answer<T>, ContextError> {
        self.asked(id, &ask, false, false)
    }

    /// As [`Session::ask`], for the user alone: no model and no rule may answer it.
    ///
    /// # Errors
    ///
    /// As for [`Session::ask`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{ContextError, Session, string};
    /// fn code(session: &Session) -> Result<Option<String>, ContextError> {
    ///     Ok(session.ask_person("code", string("Which code does the device show?"))?.value)
    /// }
    /// ```
    pub fn ask_person<T: DeserializeOwned>(
        &self,
        id: &str,
        ask: Ask<T>,
    ) -> Result<Answer<T>, ContextError> {
        self.asked(id, &ask, true, false)
    }

    /// The value of the answer to a question.
    ///
    /// # Errors
    ///
    /// As for [`Session::ask`]; also a failure if the question was declined, cancelled or could not be asked.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{ContextError, Session, integer};
    /// fn port(session: &Session) -> Result<i64, ContextError> {
    ///     session.answer("port", integer("Port 3000 is taken. Which one instead?").default(3001))
    /// }
    /// ```
    pub fn answer<T: DeserializeOwned>(&self, id: &str, ask: Ask<T>) -> Result<T, ContextError> {
        let answer = self.asked(id, &ask, false, true)?;
        answer
            .value
            .ok_or_else(|| match (answer.state, answer.source) {
                // That is how a question ends where its session does (SES-11).
                (AnswerState::Cancelled, Some(AnswerSource::Policy)) => ContextError::ENDING,
                (state, _) => ContextError::failed(format!(
                    "the tool needs an answer to `{id}`, and there is none: it was {}",
                    state.as_str()
                )),
            })
    }

    /// The value of the answer to a question, or `otherwise` if the question was declined, cancelled or could not be
    /// asked.
    ///
    /// # Errors
    ///
    /// As for [`Session::ask`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{ContextError, Session, boolean};
    /// fn restart(session: &Session) -> Result<bool, ContextError> {
    ///     session.answer_or("restart", boolean("Restart it?"), false)
    /// }
    /// ```
    pub fn answer_or<T: DeserializeOwned>(
        &self,
        id: &str,
        ask: Ask<T>,
        otherwise: T,
    ) -> Result<T, ContextError> {
        Ok(self.ask(id, ask)?.value.unwrap_or(otherwise))
    }

    fn asked<T: DeserializeOwned>(
        &self,
        id: &str,
        ask: &Ask<T>,
        person: bool,
        required: bool,
    ) -> Result<Answer<T>, ContextError> {
        let ask = ask.to_core()?;
        let answer = match &self.0.way {
            Way::Live(line) => live_answer(line, id, &ask, person)?,
            Way::Once { turn, .. } => {
                let answers = lock(turn).answers(&[(id, &ask)], required)?;
                let answer = answers.and_then(|mut answers| answers.pop());
                answer.ok_or(ContextError::PENDING)?
            }
        };
        typed_answer(id, &ask, &answer)
    }

    /// The next input that is applied to the session, as this type; `serde_json::Value` takes any. This waits for it.
    /// When 10,000 inputs wait for a tool that takes none, or 16 MiB of them, those that follow are lost, which is told
    /// on stderr.
    ///
    /// # Errors
    ///
    /// That the session is to end; a failure if the input does not fit the type.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{ContextError, Session};
    /// fn echo(session: &Session) -> Result<(), ContextError> {
    ///     loop {
    ///         let said: String = session.recv()?;
    ///         session.emit(said)?;
    ///     }
    /// }
    /// ```
    pub fn recv<T: DeserializeOwned>(&self) -> Result<T, ContextError> {
        let input = self.input(None)?.ok_or(ContextError::ENDING)?;
        typed_input(&input)
    }

    /// As [`Session::recv`], but nothing if no input comes in this time.
    ///
    /// # Errors
    ///
    /// As for [`Session::recv`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use toolwire_author::{ContextError, Session};
    /// fn watch(session: &Session) -> Result<(), ContextError> {
    ///     while session.recv_timeout::<String>(Duration::from_secs(1))?.as_deref() != Some("stop") {
    ///         session.emit("still here")?;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn recv_timeout<T: DeserializeOwned>(
        &self,
        time: Duration,
    ) -> Result<Option<T>, ContextError> {
        self.input(Some(time))?
            .as_ref()
            .map(typed_input)
            .transpose()
    }

    fn input(&self, time: Option<Duration>) -> Result<Option<Json>, ContextError> {
        match (&self.0.way, time) {
            (Way::Live(line), _) => Ok(line.mailbox.recv(time)?),
            (Way::Once { .. }, Some(time)) => self.sleep(time).map(|()| None),
            (Way::Once { over, .. }, None) => {
                over.store(true, Ordering::Relaxed);
                Err(ContextError::ENDING)
            }
        }
    }

    /// The inputs that are applied to the session, until it is to end. It waits for each.
    ///
    /// ```
    /// # use toolwire_author::{ContextError, Session};
    /// fn echo(session: &Session) -> Result<&'static str, ContextError> {
    ///     for said in session.inputs::<String>() {
    ///         session.emit(said?)?;
    ///     }
    ///     Ok("bye")
    /// }
    /// ```
    pub fn inputs<T: DeserializeOwned>(
        &self,
    ) -> impl Iterator<Item = Result<T, ContextError>> + '_ {
        std::iter::from_fn(|| {
            let input = self.input(None).ok().flatten()?;
            Some(typed_input(&input))
        })
    }

    /// Waits for this time.
    ///
    /// # Errors
    ///
    /// That the session is to end, at once.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use toolwire_author::{ContextError, Session};
    /// fn poll(session: &Session) -> Result<(), ContextError> {
    ///     session.sleep(Duration::from_millis(500))
    /// }
    /// ```
    pub fn sleep(&self, time: Duration) -> Result<(), ContextError> {
        if let Way::Live(line) = &self.0.way {
            return Ok(line.mailbox.sleep(time)?);
        }
        let begun = Instant::now();
        loop {
            if self.ending().is_some() {
                return Err(ContextError::ENDING);
            }
            match time.saturating_sub(begun.elapsed()) {
                Duration::ZERO => return Ok(()),
                left => thread::sleep(left.min(TICK)),
            }
        }
    }

    /// Why the session is to end, if it is. The function should then clean up and return.
    ///
    /// ```
    /// # use toolwire_author::{ContextError, Session};
    /// fn all(session: &Session, files: &[&str]) -> Result<(), ContextError> {
    ///     let going_on = |_: &&&str| session.ending().is_none();
    ///     files.iter().take_while(going_on).try_for_each(|file| session.emit(*file))
    /// }
    /// ```
    #[must_use]
    pub fn ending(&self) -> Option<EndReason> {
        match &self.0.way {
            Way::Live(line) => line.mailbox.ending(),
            Way::Once { over, .. } => {
                let cancelled = self
                    .0
                    .caller
                    .as_ref()
                    .is_some_and(|caller| caller.is_cancelled());
                match over.load(Ordering::Relaxed) {
                    true => Some(EndReason::TurnEnded),
                    false => cancelled.then_some(EndReason::Aborted),
                }
            }
        }
    }

    /// Whether the tool keeps running while it is used, rather than to be called once.
    ///
    /// ```
    /// # use toolwire_author::Session;
    /// fn greeting(session: &Session) -> &str {
    ///     if session.is_live() { "say `stop` to end it" } else { "this runs once" }
    /// }
    /// ```
    #[must_use]
    pub fn is_live(&self) -> bool {
        matches!(self.0.way, Way::Live(_))
    }

    /// The call with which the session was spawned.
    ///
    /// ```
    /// # use toolwire_author::Session;
    /// fn name(session: &Session) -> Option<&str> {
    ///     session.call().name.as_deref()
    /// }
    /// ```
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.0.call
    }

    /// The root of the workspace, if the host named it: an absolute path or a `file:` URI.
    ///
    /// ```
    /// # use toolwire_author::Session;
    /// fn folder(session: &Session) -> &str {
    ///     session.root().unwrap_or(".")
    /// }
    /// ```
    #[must_use]
    pub fn root(&self) -> Option<&str> {
        self.0.call.root.as_deref()
    }

    /// Where the call belongs in a trace, as [`Context::trace`](crate::Context::trace).
    ///
    /// ```
    /// # use toolwire_author::Session;
    /// fn traceparent(session: &Session) -> Option<String> {
    ///     session.trace().traceparent
    /// }
    /// ```
    #[must_use]
    pub fn trace(&self) -> Trace {
        self.0.trace.clone().unwrap_or_else(trace_of_process)
    }

    /// The settings that the host passes to this tool, as [`Context::options`](crate::Context::options).
    ///
    /// # Errors
    ///
    /// A failure that names the option that does not fit.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{ContextError, Session, serde_json::Value};
    /// fn options(session: &Session) -> Result<Value, ContextError> {
    ///     session.options()
    /// }
    /// ```
    pub fn options<T: DeserializeOwned>(&self) -> Result<T, ContextError> {
        arguments::typed(&self.0.call.options)
            .map_err(|found| misfit("the options do", &[found]).into())
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("call", &self.0.call)
            .field("live", &self.is_live())
            .finish_non_exhaustive()
    }
}

/// Asks, and waits.
fn live_answer(
    line: &LineCall,
    id: &str,
    ask: &author::Ask,
    person: bool,
) -> Result<toolwire::call::Answer, ContextError> {
    let question = question_of(id, ask)?;
    if !line.mailbox.expect(id) {
        let message = format!("another question has the id `{id}`: give each its own");
        return Err(ContextError::failed(message));
    }
    if let Err(error) = line.lines.question(line.call, question, person) {
        line.mailbox.forget(id);
        return Err(unwritten(line, &error));
    }
    Ok(line.mailbox.answered(id)?)
}

/// Why something could not be said. Without a host the session has nobody to go on for.
fn unwritten(line: &LineCall, error: &std::io::Error) -> ContextError {
    if error.kind() == ErrorKind::FileTooLarge {
        return ContextError::failed(error.to_string());
    }
    line.mailbox.end(EndReason::HostEnded);
    ContextError::ENDING
}

fn typed_input<T: DeserializeOwned>(input: &Json) -> Result<T, ContextError> {
    arguments::typed(input).map_err(|found| misfit("the input does", &[found]).into())
}

impl From<Ending> for ContextError {
    fn from(_: Ending) -> Self {
        ContextError::ENDING
    }
}

fn lock(turn: &Mutex<Turn>) -> MutexGuard<'_, Turn> {
    turn.lock().unwrap_or_else(PoisonError::into_inner)
}

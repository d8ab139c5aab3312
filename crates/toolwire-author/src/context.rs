//! The context of a call, with which a tool's function asks, emits and receives.

use std::fmt;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use toolwire::author::{self, Caller, Failure, Returned, Turn, check_emitted, misfit, question_of};
use toolwire::call::{AnswerSource, AnswerState, Call};
use toolwire::lines::Trace;
use toolwire::session::EndReason;
use toolwire::{Block, Envelope, Json, build};

use crate::answer::{Answer, typed_answer};
use crate::error::ENDING;
use crate::live::{Ending, LineCall};
use crate::{Ask, ContextError, IntoReturned, arguments};

/// How often a call that nothing wakes looks whether it is still wanted.
const TICK: Duration = Duration::from_millis(20);

/// The context of a call. A tool's function uses it to ask questions, emit blocks and look at the call. Clones are the
/// same, and can be moved to other threads.
///
/// ```
/// use toolwire_author::{Context, ContextError, boolean};
///
/// fn clear(_: Empty, ctx: &Context) -> Result<String, ContextError> {
///     ctx.emit("14 files would go.")?;
///     Ok(match ctx.answer("sure", boolean("Remove them?"))? {
///         true => "Removed.".into(),
///         false => "Kept.".into(),
///     })
/// }
/// # #[derive(serde::Deserialize, schemars::JsonSchema)]
/// # struct Empty {}
/// ```
///
/// A tool that keeps running ([`Tool::session`](crate::Tool::session)) says things as it goes, waits for
/// answers, receives what is applied to it, and is to end at some time. Whatever waits then ends with an error for
/// which [`ContextError::is_ending`] holds. Return it with `?` when everything is cleaned up: it is no failure.
///
/// Such a tool can also be called as one that runs once. What it says then comes all together, a question
/// ends the run until there is an answer, no input comes, and when the tool first waits for input without a limit it
/// is to end.
///
/// ```
/// use std::time::Duration;
/// use toolwire_author::toolwire::call::SessionAction;
/// use toolwire_author::{Context, Error, Tool, arguments, boolean};
///
/// /// Count down.
/// #[arguments]
/// struct Countdown {
///     from: u32,
/// }
///
/// fn countdown(args: Countdown, ctx: &Context) -> Result<String, Error> {
///     for left in (1..=args.from).rev() {
///         ctx.emit(format!("{left}"))?;
///         ctx.sleep(Duration::from_secs(1))?;
///     }
///     Ok(match ctx.answer("launch", boolean("Launch?"))? {
///         true => "Lift-off.".into(),
///         false => "Scrubbed.".into(),
///     })
/// }
///
/// let tool = Tool::session("countdown", countdown).actions([SessionAction::Apply, SessionAction::Abort]);
/// ```
#[derive(Clone)]
pub struct Context(Arc<Shared>);

/// Where a call comes from.
#[derive(Default)]
pub(crate) struct Origin {
    /// Whoever calls, if that is in this process, or if the process answers more calls than one.
    pub(crate) caller: Option<Arc<dyn Caller>>,
    pub(crate) trace: Option<Trace>,
    /// The call's line, if its tool keeps running.
    pub(crate) live: Option<Arc<LineCall>>,
}

struct Shared {
    call: Call,
    origin: Origin,
    /// What the answer is made of; for a tool that keeps running, only at its end.
    turn: Mutex<Turn>,
    /// Whether a tool that runs once has waited for input without an end: none ever comes.
    over: AtomicBool,
}

impl Context {
    pub(crate) fn new(turn: Turn, origin: Origin) -> Self {
        Context(Arc::new(Shared {
            call: turn.call().clone(),
            origin,
            turn: Mutex::new(turn),
            over: AtomicBool::new(false),
        }))
    }

    /// The answer to the call when the function has returned. That it failed only because it is to end is no failure.
    pub(crate) fn finish(&self, returned: Result<Returned, Failure>) -> Envelope {
        let turn = lock(&self.0.turn);
        let returned = match returned {
            Ok(returned) => returned,
            Err(failure) => {
                let mut texts = std::iter::once(&failure.message).chain(&failure.trace);
                if !texts.any(|text| text == ENDING) {
                    return turn.fail(failure);
                }
                Returned::Nothing
            }
        };
        turn.finish(returned)
            .unwrap_or_else(|error| turn.fail(Failure::no_answer(&error)))
    }

    /// The value of the answer to a question (AUTH-20). The first time, this ends the run with the question. If the
    /// question was declined, cancelled or could not be asked, the host ends the call and says why (AUTH-22). Use
    /// [`Context::answer_or`] to continue without an answer.
    ///
    /// A tool that keeps running goes on: this waits for the answer, and so may other threads.
    ///
    /// # Errors
    ///
    /// [`ContextError`] while there is no value, or if the tool is to end; a failure if the question or its answer is
    /// wrong, or if another thread waits for the answer to a question with this id. Where the tool keeps running, also
    /// if the question was declined, cancelled or could not be asked.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError, integer};
    /// fn copies(ctx: &Context) -> Result<i64, ContextError> {
    ///     ctx.answer("copies", integer("How many copies?").minimum(1).default(1))
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

    /// The value of the answer to a question, or `otherwise` if the question was declined, cancelled or could
    /// not be asked.
    ///
    /// # Errors
    ///
    /// As for [`Context::answer`], but the host does not end the call.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError, boolean};
    /// fn sure(ctx: &Context) -> Result<bool, ContextError> {
    ///     ctx.answer_or("sure", boolean("Remove them?"), false)
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

    /// The answer to a question, whatever its state. The first time, this ends the run.
    ///
    /// # Errors
    ///
    /// As for [`Context::answer`], but the host does not end the call.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError, boolean};
    /// fn sure(ctx: &Context) -> Result<bool, ContextError> {
    ///     Ok(ctx.ask("sure", boolean("Remove them?"))?.value == Some(true))
    /// }
    /// ```
    pub fn ask<T: DeserializeOwned>(
        &self,
        id: &str,
        ask: Ask<T>,
    ) -> Result<Answer<T>, ContextError> {
        self.asked(id, &ask, false, false)
    }

    /// As [`Context::ask`], but a page that was opened is asked again: the tool has looked, and the person is
    /// not done there (AUTH-27).
    ///
    /// # Errors
    ///
    /// As for [`Context::ask`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError, page};
    /// fn sign_in(ctx: &Context) -> Result<bool, ContextError> {
    ///     let login = || page("Sign in", "https://example.org/login");
    ///     let opened = ctx.ask("login", login())?.value == Some(true);
    ///     if opened && !is_signed_in() {
    ///         ctx.emit("You are not signed in yet.")?;
    ///         ctx.ask_again("login", login())?;
    ///     }
    ///     Ok(opened)
    /// }
    /// # fn is_signed_in() -> bool { true }
    /// ```
    pub fn ask_again<T: DeserializeOwned>(
        &self,
        id: &str,
        ask: Ask<T>,
    ) -> Result<Answer<T>, ContextError> {
        if self.0.origin.live.is_none()
            && lock(&self.0.turn).ask_again(id, &ask.to_core()?)?.is_none()
        {
            return Err(ContextError::PENDING);
        }
        self.ask(id, ask)
    }

    /// As [`Context::ask`], for the user alone: no model and no rule may answer it while the tool keeps running.
    ///
    /// # Errors
    ///
    /// As for [`Context::ask`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError, string};
    /// fn code(ctx: &Context) -> Result<Option<String>, ContextError> {
    ///     Ok(ctx.ask_person("code", string("Which code does the device show?"))?.value)
    /// }
    /// ```
    pub fn ask_person<T: DeserializeOwned>(
        &self,
        id: &str,
        ask: Ask<T>,
    ) -> Result<Answer<T>, ContextError> {
        self.asked(id, &ask, true, false)
    }

    /// Lets a question be asked together with the next one that ends the run, so that the tool is run once
    /// less. Get its answer with [`Context::answer`] as usual.
    ///
    /// # Errors
    ///
    /// A failure if the question is wrong.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError, string};
    /// fn names(ctx: &Context) -> Result<(String, String), ContextError> {
    ///     let (first, last) = (string("First name?"), string("Last name?"));
    ///     ctx.announce("last", &last)?;
    ///     Ok((ctx.answer("first", first)?, ctx.answer("last", last)?))
    /// }
    /// ```
    pub fn announce<T>(&self, id: &str, ask: &Ask<T>) -> Result<(), ContextError> {
        let ask = ask.to_core()?;
        // A tool that keeps running is not run again.
        if self.0.origin.live.is_none() {
            lock(&self.0.turn).ask(id, &ask)?;
        }
        Ok(())
    }

    fn asked<T: DeserializeOwned>(
        &self,
        id: &str,
        ask: &Ask<T>,
        person: bool,
        required: bool,
    ) -> Result<Answer<T>, ContextError> {
        let ask = ask.to_core()?;
        let answer = match &self.0.origin.live {
            Some(line) => live_answer(line, id, &ask, person)?,
            None => {
                let answers = lock(&self.0.turn).answers(&[(id, &ask)], required)?;
                let answer = answers.and_then(|mut answers| answers.pop());
                answer.ok_or(ContextError::PENDING)?
            }
        };
        typed_answer(id, &ask, &answer)
    }

    /// Adds text, a block, several blocks, or the blocks of an envelope to the answer, before what the function
    /// returns (AUTH-10). Blocks that are emitted before a question are shown above it. Where the tool keeps running,
    /// they are sent at once; that waits while the host does not read.
    ///
    /// # Errors
    ///
    /// A failure if a reader would warn about the block, or if it is larger than the host takes; and that the session
    /// is to end, if the host has gone.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError};
    /// fn told(ctx: &Context) -> Result<(), ContextError> {
    ///     ctx.emit("3 of 14 files are done.")
    /// }
    /// ```
    pub fn emit(&self, what: impl IntoReturned) -> Result<(), ContextError> {
        let blocks = blocks_of(what)?;
        let Some(line) = &self.0.origin.live else {
            let mut turn = lock(&self.0.turn);
            return Ok(blocks.into_iter().try_for_each(|block| turn.emit(block))?);
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

    /// The next input that is applied to the session, as this type; `serde_json::Value` takes any. This waits for it.
    /// At most 10,000 inputs, or 16 MiB of them, wait for a tool that takes none; later ones are lost, with a warning
    /// on stderr.
    ///
    /// # Errors
    ///
    /// That the session is to end; a failure if the input does not fit the type.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError};
    /// fn echo(ctx: &Context) -> Result<(), ContextError> {
    ///     loop {
    ///         let said: String = ctx.recv()?;
    ///         ctx.emit(said)?;
    ///     }
    /// }
    /// ```
    pub fn recv<T: DeserializeOwned>(&self) -> Result<T, ContextError> {
        let input = self.input(None)?.ok_or(ContextError::ENDING)?;
        typed_input(&input)
    }

    /// As [`Context::recv`], but nothing if no input comes in this time.
    ///
    /// # Errors
    ///
    /// As for [`Context::recv`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use toolwire_author::{Context, ContextError};
    /// fn watch(ctx: &Context) -> Result<(), ContextError> {
    ///     while ctx.recv_timeout::<String>(Duration::from_secs(1))?.as_deref() != Some("stop") {
    ///         ctx.emit("still here")?;
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
        match (&self.0.origin.live, time) {
            (Some(line), _) => Ok(line.mailbox.recv(time)?),
            (None, Some(time)) => self.sleep(time).map(|()| None),
            (None, None) => {
                self.0.over.store(true, Ordering::Relaxed);
                Err(ContextError::ENDING)
            }
        }
    }

    /// The inputs that are applied to the session, until it is to end. It waits for each.
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError};
    /// fn echo(ctx: &Context) -> Result<&'static str, ContextError> {
    ///     for said in ctx.inputs::<String>() {
    ///         ctx.emit(said?)?;
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

    /// Waits for this time, or until the tool is to end.
    ///
    /// # Errors
    ///
    /// That the session is to end, at once.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use toolwire_author::{Context, ContextError};
    /// fn poll(ctx: &Context) -> Result<(), ContextError> {
    ///     ctx.sleep(Duration::from_millis(500))
    /// }
    /// ```
    pub fn sleep(&self, time: Duration) -> Result<(), ContextError> {
        if let Some(line) = &self.0.origin.live {
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

    /// Why the tool is to end, if it is: it was cancelled or aborted, or nobody needs it any more. The function should then
    /// clean up and return.
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError};
    /// fn all(ctx: &Context, files: &[&str]) -> Result<(), ContextError> {
    ///     let going_on = |_: &&&str| ctx.ending().is_none();
    ///     files.iter().take_while(going_on).try_for_each(|file| ctx.emit(*file))
    /// }
    /// ```
    #[must_use]
    pub fn ending(&self) -> Option<EndReason> {
        if let Some(line) = &self.0.origin.live {
            return line.mailbox.ending();
        }
        let cancelled = || {
            self.0
                .origin
                .caller
                .as_ref()
                .is_some_and(|caller| caller.is_cancelled())
        };
        match self.0.over.load(Ordering::Relaxed) {
            true => Some(EndReason::TurnEnded),
            false => cancelled().then_some(EndReason::Aborted),
        }
    }

    /// Whether the call was cancelled or is out of time, so that the function should end soon. A program is
    /// asked to end by a signal instead; this is for functions that are called in the process of their host.
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError};
    /// fn all(ctx: &Context, files: &[&str]) -> Result<(), ContextError> {
    ///     for file in files.iter().take_while(|_| !ctx.is_cancelled()) {
    ///         println!("{file}");
    ///     }
    ///     Ok(())
    /// }
    /// ```
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.ending().is_some()
    }

    /// Whether the tool keeps running while it is used, rather than to be called once.
    ///
    /// ```
    /// # use toolwire_author::Context;
    /// fn greeting(ctx: &Context) -> &str {
    ///     if ctx.is_live() { "say `stop` to end it" } else { "this runs once" }
    /// }
    /// ```
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.0.origin.live.is_some()
    }

    /// The call: its name, arguments, answers and options as they were received.
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError};
    /// fn root(ctx: &Context) -> Option<&str> {
    ///     ctx.call().root.as_deref()
    /// }
    /// ```
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.0.call
    }

    /// The root of the workspace, if the host named it: an absolute path or a `file:` URI.
    ///
    /// ```
    /// # use toolwire_author::Context;
    /// fn folder(ctx: &Context) -> &str {
    ///     ctx.root().unwrap_or(".")
    /// }
    /// ```
    #[must_use]
    pub fn root(&self) -> Option<&str> {
        self.0.call.root.as_deref()
    }

    /// Where the call belongs in a distributed trace, if the host says so: what [W3C Trace Context] calls
    /// `traceparent`, `tracestate` and `baggage`. In a program that answers many calls the environment does not
    /// know it.
    ///
    /// [W3C Trace Context]: https://www.w3.org/TR/trace-context/
    ///
    /// ```
    /// # use toolwire_author::Context;
    /// fn traceparent(ctx: &Context) -> Option<String> {
    ///     ctx.trace().traceparent
    /// }
    /// ```
    #[must_use]
    pub fn trace(&self) -> Trace {
        self.0.origin.trace.clone().unwrap_or_else(trace_of_process)
    }

    /// The settings that the host passes to this tool, which no model sees, deserialized into a type.
    ///
    /// # Errors
    ///
    /// A failure that names the option that does not fit.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError};
    /// #[derive(serde::Deserialize)]
    /// struct Options {
    ///     endpoint: String,
    /// }
    ///
    /// fn endpoint(ctx: &Context) -> Result<String, ContextError> {
    ///     Ok(ctx.options::<Options>()?.endpoint)
    /// }
    /// ```
    pub fn options<T: DeserializeOwned>(&self) -> Result<T, ContextError> {
        arguments::typed(&self.0.call.options)
            .map_err(|found| misfit("the options do", &[found]).into())
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
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

/// The trace of a process that was started for one call.
fn trace_of_process() -> Trace {
    let of = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    Trace {
        traceparent: of("TRACEPARENT"),
        tracestate: of("TRACESTATE"),
        baggage: of("BAGGAGE"),
    }
}

/// The blocks that an author emits.
fn blocks_of(what: impl IntoReturned) -> Result<Vec<Block>, ContextError> {
    Ok(match what.into_returned()? {
        Returned::Text(text) => vec![build::text(&text, build::BlockOptions::default())?],
        Returned::Blocks(blocks) => blocks,
        Returned::Envelope(envelope) => envelope.content,
        Returned::Nothing => Vec::new(),
        Returned::Value(_) | Returned::Wrapped(_) => {
            let message = "a structured value is returned, not emitted";
            return Err(ContextError::failed(message));
        }
    })
}

#[cfg(test)]
mod tests {
    use toolwire::author::open;

    use super::*;
    use crate::page;

    /// The context of a call that has this record of an answer to `login`.
    fn context(record: &str) -> Context {
        let document = format!(
            r#"{{"tool":{{"name":"mail","dev.toolwire/answers":{{"login":{record}}}}},"context":{{"action":"run"}}}}"#
        );
        let turn = open(document.as_bytes(), &["mail"]).turn();
        Context::new(turn.expect("a call of `mail`"), Origin::default())
    }

    #[test]
    fn a_page_that_was_opened_is_true_and_can_be_asked_for_again() {
        let login = || page("Sign in", "https://example.org/login");
        let opened = context(r#"{"state":"opened","source":"user"}"#);
        let answer = opened.ask("login", login()).expect("an answer");
        assert_eq!(
            (answer.state, answer.value),
            (AnswerState::Opened, Some(true))
        );
        assert!(opened.answer("login", login()).expect("an answer"));
        assert!(opened.ask_again("login", login()).is_err() && lock(&opened.0.turn).is_pending());

        let declined = context(r#"{"state":"declined","source":"user"}"#);
        let answer = declined.ask_again("login", login()).expect("an answer");
        assert_eq!(answer.state, AnswerState::Declined);
        assert!(!declined.answer_or("login", login(), false).expect("no"));
        assert!(!lock(&declined.0.turn).is_pending());
    }
}

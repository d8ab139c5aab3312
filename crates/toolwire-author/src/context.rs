//! The context of a call, with which a tool's function asks and emits.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use toolwire::author::{self, Caller, Returned, Turn};
use toolwire::call::{AnswerSource, AnswerState, Call};
use toolwire::lines::Trace;
use toolwire::{Block, Json, build};

use crate::{Ask, ContextError, IntoReturned, arguments};

/// The context of a call. A tool's function uses it to ask questions, emit blocks and look at the call.
///
/// ```
/// use toolwire_author::{Context, ContextError, boolean};
///
/// fn clear(_: Empty, ctx: &mut Context) -> Result<String, ContextError> {
///     ctx.emit("14 files would go.")?;
///     Ok(match ctx.answer("sure", boolean("Remove them?"))? {
///         true => "Removed.".into(),
///         false => "Kept.".into(),
///     })
/// }
/// # #[derive(serde::Deserialize, schemars::JsonSchema)]
/// # struct Empty {}
/// ```
#[derive(Debug)]
pub struct Context {
    pub(crate) turn: Turn,
    /// Whoever calls, if that is in this process, or if the process answers more calls than one.
    pub(crate) caller: Option<Arc<dyn Caller>>,
    pub(crate) trace: Option<Trace>,
}

/// The answer to a question, with its state (CALL-20 to CALL-22).
///
/// ```
/// use toolwire_author::{Context, ContextError, string};
/// use toolwire_author::toolwire::call::AnswerState;
///
/// fn name(ctx: &mut Context) -> Result<Option<String>, ContextError> {
///     let answer = ctx.ask("name", string("What is your name?"))?;
///     if answer.state == AnswerState::Declined {
///         ctx.emit("As you like.")?;
///     }
///     Ok(answer.value)
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer<T> {
    /// Accepted, opened, declined, cancelled or unavailable.
    pub state: AnswerState,
    /// Who decided that, if it is known.
    pub source: Option<AnswerSource>,
    /// The value, if it was accepted; `true` if it was a page that was opened.
    pub value: Option<T>,
}

impl Context {
    /// The value of the answer to a question (AUTH-20). The first time, this ends the run with the question.
    /// If the question was declined, cancelled or could not be asked, the host ends the call and says why
    /// (AUTH-22). Use [`Context::answer_or`] to continue without an answer.
    ///
    /// # Errors
    ///
    /// [`ContextError`] while there is no value, and a failure if the question or its answer is wrong.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError, integer};
    /// fn copies(ctx: &mut Context) -> Result<i64, ContextError> {
    ///     ctx.answer("copies", integer("How many copies?").minimum(1).default(1))
    /// }
    /// ```
    pub fn answer<T: DeserializeOwned>(
        &mut self,
        id: &str,
        ask: Ask<T>,
    ) -> Result<T, ContextError> {
        match self.settle(id, &ask, true)?.value {
            Some(value) => Ok(value),
            None => Err(ContextError::PENDING),
        }
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
    /// fn sure(ctx: &mut Context) -> Result<bool, ContextError> {
    ///     ctx.answer_or("sure", boolean("Remove them?"), false)
    /// }
    /// ```
    pub fn answer_or<T: DeserializeOwned>(
        &mut self,
        id: &str,
        ask: Ask<T>,
        otherwise: T,
    ) -> Result<T, ContextError> {
        Ok(self.settle(id, &ask, false)?.value.unwrap_or(otherwise))
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
    /// fn sure(ctx: &mut Context) -> Result<bool, ContextError> {
    ///     Ok(ctx.ask("sure", boolean("Remove them?"))?.value == Some(true))
    /// }
    /// ```
    pub fn ask<T: DeserializeOwned>(
        &mut self,
        id: &str,
        ask: Ask<T>,
    ) -> Result<Answer<T>, ContextError> {
        self.settle(id, &ask, false)
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
    /// fn sign_in(ctx: &mut Context) -> Result<bool, ContextError> {
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
        &mut self,
        id: &str,
        ask: Ask<T>,
    ) -> Result<Answer<T>, ContextError> {
        match self.turn.ask_again(id, &ask.to_core()?)? {
            Some(_) => self.settle(id, &ask, false),
            None => Err(ContextError::PENDING),
        }
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
    /// fn names(ctx: &mut Context) -> Result<(String, String), ContextError> {
    ///     let (first, last) = (string("First name?"), string("Last name?"));
    ///     ctx.announce("last", &last)?;
    ///     Ok((ctx.answer("first", first)?, ctx.answer("last", last)?))
    /// }
    /// ```
    pub fn announce<T>(&mut self, id: &str, ask: &Ask<T>) -> Result<(), ContextError> {
        self.turn.ask(id, &ask.to_core()?)?;
        Ok(())
    }

    /// What became of a question; with `required` only an accepted answer lets the run go on.
    fn settle<T: DeserializeOwned>(
        &mut self,
        id: &str,
        ask: &Ask<T>,
        required: bool,
    ) -> Result<Answer<T>, ContextError> {
        let ask = ask.to_core()?;
        let answers = self.turn.answers(&[(id, &ask)], required)?;
        let answer = answers.and_then(|mut answers| answers.pop());
        let answer = answer.ok_or(ContextError::PENDING)?;
        typed_answer(id, &ask, &answer)
    }

    /// Adds text, a block, several blocks, or the blocks of an envelope to the answer, before what the function
    /// returns (AUTH-10). Blocks that are emitted before a question are shown above it.
    ///
    /// # Errors
    ///
    /// A failure if a reader would warn about the block.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError};
    /// fn told(ctx: &mut Context) -> Result<(), ContextError> {
    ///     ctx.emit("3 of 14 files are done.")
    /// }
    /// ```
    pub fn emit(&mut self, what: impl IntoReturned) -> Result<(), ContextError> {
        for block in blocks_of(what)? {
            self.turn.emit(block)?;
        }
        Ok(())
    }

    /// Whether the call was cancelled or is out of time, so that the function should end soon. A program is
    /// asked to end by a signal instead; this is for functions that are called in the process of their host.
    ///
    /// ```
    /// # use toolwire_author::{Context, ContextError};
    /// fn all(ctx: &mut Context, files: &[&str]) -> Result<(), ContextError> {
    ///     for file in files.iter().take_while(|_| !ctx.is_cancelled()) {
    ///         println!("{file}");
    ///     }
    ///     Ok(())
    /// }
    /// ```
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.caller
            .as_ref()
            .is_some_and(|caller| caller.is_cancelled())
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
        self.turn.call()
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
        self.call().root.as_deref()
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
        self.trace.clone().unwrap_or_else(trace_of_process)
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
        arguments::typed(&self.call().options)
            .map_err(|found| author::misfit("the options do", &[found]).into())
    }
}

/// The trace of a process that was started for one call.
pub(crate) fn trace_of_process() -> Trace {
    let of = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    Trace {
        traceparent: of("TRACEPARENT"),
        tracestate: of("TRACESTATE"),
        baggage: of("BAGGAGE"),
    }
}

/// An answer with the type that the author gave it.
pub(crate) fn typed_answer<T: DeserializeOwned>(
    id: &str,
    ask: &author::Ask,
    answer: &toolwire::call::Answer,
) -> Result<Answer<T>, ContextError> {
    // A page has no value; that it was opened is what a tool wants to know (AUTH-27).
    let opened = (answer.state() == AnswerState::Opened).then(|| Json::from(true));
    let value = answer
        .value()
        .or(opened.as_ref())
        .map(|value| arguments::checked(&ask.schema, value));
    let value = value.transpose().map_err(|found| {
        let failure = author::misfit(&format!("the answer to `{id}` does"), &found);
        ContextError::from(failure)
    })?;
    Ok(Answer {
        state: answer.state(),
        source: answer.source(),
        value,
    })
}

/// The blocks that an author emits.
pub(crate) fn blocks_of(what: impl IntoReturned) -> Result<Vec<Block>, ContextError> {
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
        Context {
            turn: turn.expect("a call of `mail`"),
            caller: None,
            trace: None,
        }
    }

    #[test]
    fn a_page_that_was_opened_is_true_and_can_be_asked_for_again() {
        let login = || page("Sign in", "https://example.org/login");
        let mut opened = context(r#"{"state":"opened","source":"user"}"#);
        let answer = opened.ask("login", login()).expect("an answer");
        assert_eq!(
            (answer.state, answer.value),
            (AnswerState::Opened, Some(true))
        );
        assert!(opened.answer("login", login()).expect("an answer"));
        assert!(opened.ask_again("login", login()).is_err() && opened.turn.is_pending());

        let mut declined = context(r#"{"state":"declined","source":"user"}"#);
        let answer = declined.ask_again("login", login()).expect("an answer");
        assert_eq!(answer.state, AnswerState::Declined);
        assert!(!declined.answer_or("login", login(), false).expect("no"));
        assert!(!declined.turn.is_pending());
    }
}

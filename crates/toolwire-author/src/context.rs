//! What a tool's function can do while it runs.

use serde::de::DeserializeOwned;
use toolwire::author::{Returned, Turn};
use toolwire::call::{AnswerSource, AnswerState, Call};

use crate::stop::Why;
use crate::{Ask, IntoReturned, Stop, arguments};

/// What a tool's function can do while it runs: ask, emit blocks, look at its call.
///
/// ```
/// use toolwire_author::{Context, Stop, boolean};
///
/// fn clear(_: Empty, ctx: &mut Context) -> Result<String, Stop> {
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
}

/// What became of a question (CALL-20 to CALL-22).
///
/// ```
/// use toolwire_author::{Context, Stop, string};
/// use toolwire_author::toolwire::call::AnswerState;
///
/// fn name(ctx: &mut Context) -> Result<Option<String>, Stop> {
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
    /// Accepted, declined, cancelled or unavailable.
    pub state: AnswerState,
    /// Who decided that, where it is known.
    pub source: Option<AnswerSource>,
    /// The value, if it was accepted.
    pub value: Option<T>,
}

impl Context {
    /// The value of an answer (AUTH-20). The first time it ends the run with the question; a question
    /// that was declined, cancelled or could not be asked is insisted on, which ends the call with a
    /// text that says so (AUTH-22). See [`Context::answer_or`] for going on without.
    ///
    /// # Errors
    ///
    /// [`Stop`] while there is no value; a failure where the question or its answer is wrong.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, Stop, integer};
    /// fn copies(ctx: &mut Context) -> Result<i64, Stop> {
    ///     ctx.answer("copies", integer("How many copies?").minimum(1).default(1))
    /// }
    /// ```
    pub fn answer<T: DeserializeOwned>(&mut self, id: &str, ask: Ask<T>) -> Result<T, Stop> {
        match self.ask_again(id, &ask)?.value {
            Some(value) => Ok(value),
            None => {
                self.turn.require(id, &ask.to_core()?)?;
                Err(Stop::ASKED)
            }
        }
    }

    /// The value of an answer, or another value where the question was declined, cancelled or could
    /// not be asked.
    ///
    /// # Errors
    ///
    /// As [`Context::answer`], but for insisting.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, Stop, boolean};
    /// fn sure(ctx: &mut Context) -> Result<bool, Stop> {
    ///     ctx.answer_or("sure", boolean("Remove them?"), false)
    /// }
    /// ```
    pub fn answer_or<T: DeserializeOwned>(
        &mut self,
        id: &str,
        ask: Ask<T>,
        otherwise: T,
    ) -> Result<T, Stop> {
        Ok(self.ask_again(id, &ask)?.value.unwrap_or(otherwise))
    }

    /// What became of a question, whatever it was. The first time it ends the run.
    ///
    /// # Errors
    ///
    /// As [`Context::answer`], but for insisting.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, Stop, boolean};
    /// fn sure(ctx: &mut Context) -> Result<bool, Stop> {
    ///     Ok(ctx.ask("sure", boolean("Remove them?"))?.value == Some(true))
    /// }
    /// ```
    pub fn ask<T: DeserializeOwned>(&mut self, id: &str, ask: Ask<T>) -> Result<Answer<T>, Stop> {
        self.ask_again(id, &ask)
    }

    /// Lets a question be asked together with the next one that ends the run, so that a person is
    /// asked once. Its answer is had by [`Context::answer`] as always.
    ///
    /// # Errors
    ///
    /// A failure where the question is wrong.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, Stop, string};
    /// fn names(ctx: &mut Context) -> Result<(String, String), Stop> {
    ///     let (first, last) = (string("First name?"), string("Last name?"));
    ///     ctx.announce("last", &last)?;
    ///     Ok((ctx.answer("first", first)?, ctx.answer("last", last)?))
    /// }
    /// ```
    pub fn announce<T>(&mut self, id: &str, ask: &Ask<T>) -> Result<(), Stop> {
        self.turn.ask(id, &ask.to_core()?)?;
        Ok(())
    }

    fn ask_again<T: DeserializeOwned>(
        &mut self,
        id: &str,
        ask: &Ask<T>,
    ) -> Result<Answer<T>, Stop> {
        let Some(answer) = self.turn.ask(id, &ask.to_core()?)? else {
            return Err(Stop::ASKED);
        };
        let value = answer.value().map(|value| arguments::value(value.as_str()));
        let value = value.transpose().map_err(|(pointer, message)| {
            Stop::failed(format!(
                "the answer to `{id}` does not fit: `{pointer}`: {message}"
            ))
        })?;
        Ok(Answer {
            state: answer.state(),
            source: answer.source(),
            value,
        })
    }

    /// Adds a text, a block, blocks, or the blocks of an envelope to the answer, in front of what the
    /// function returns (AUTH-10). What stands before a question is shown above it.
    ///
    /// # Errors
    ///
    /// A failure where a reader would warn of the block.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, Stop};
    /// fn told(ctx: &mut Context) -> Result<(), Stop> {
    ///     ctx.emit("3 of 14 files are done.")
    /// }
    /// ```
    pub fn emit(&mut self, what: impl IntoReturned) -> Result<(), Stop> {
        let blocks = match what.into_returned()? {
            Returned::Text(text) => {
                vec![toolwire::build::text(
                    &text,
                    toolwire::build::BlockOptions::default(),
                )?]
            }
            Returned::Blocks(blocks) => blocks,
            Returned::Envelope(envelope) => envelope.content,
            Returned::Nothing => Vec::new(),
            Returned::Value(_) | Returned::Wrapped(_) => {
                return Err(Stop::failed("a structured value is returned, not emitted"));
            }
        };
        for block in blocks {
            self.turn.emit(block)?;
        }
        Ok(())
    }

    /// The call: its name, arguments, answers and options as they came.
    ///
    /// ```
    /// # use toolwire_author::{Context, Stop};
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

    /// What the host is configured to pass to this tool, unseen by a model, read into a type.
    ///
    /// # Errors
    ///
    /// A failure that names the option that does not fit.
    ///
    /// # Examples
    ///
    /// ```
    /// # use toolwire_author::{Context, Stop};
    /// #[derive(serde::Deserialize)]
    /// struct Options {
    ///     endpoint: String,
    /// }
    ///
    /// fn endpoint(ctx: &Context) -> Result<String, Stop> {
    ///     Ok(ctx.options::<Options>()?.endpoint)
    /// }
    /// ```
    pub fn options<T: DeserializeOwned>(&self) -> Result<T, Stop> {
        arguments::value(self.call().options.as_str()).map_err(|(pointer, message)| {
            Stop::failed(format!("the options do not fit: `{pointer}`: {message}"))
        })
    }
}

impl Stop {
    pub(crate) fn into_failure(self) -> Option<toolwire::author::Failure> {
        match self.0 {
            Why::Asked => None,
            Why::Failed(failure) => Some(failure),
        }
    }
}

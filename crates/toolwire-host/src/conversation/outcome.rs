//! The outcome of a call.

use std::collections::BTreeMap;
use std::time::Duration;

use toolwire::call::Answer;
use toolwire::{Diagnostic, Parsed};

use crate::{End, ExchangeOutcome, RunReport, StopReason, Suspended};

/// The outcome of a call.
///
/// ```
/// use toolwire::{Json, call::Call};
/// use toolwire_host::{CallOptions, Command, End, Nobody, Process, block_on, call};
///
/// # if cfg!(windows) { return Ok(()); }
/// let echo = Process::from(Command::new("echo").arg("hello"));
/// let document = Call::new("echo", Json::new("{}")?);
/// let outcome = block_on(call(&echo, document, &CallOptions::default(), &mut Nobody))?;
/// assert_eq!((outcome.end, outcome.rounds), (End::Answered, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct CallOutcome {
    /// The result: the tool's last answer, or the error envelope in its place. Its `_meta` says who answered
    /// which question (CALL-24).
    pub parsed: Parsed<'static>,
    /// The answers to the questions, by id.
    pub answers: BTreeMap<String, Answer>,
    /// The number of calls of the tool.
    pub rounds: usize,
    /// Why the call ended.
    pub end: End,
    /// Diagnostics about questions and answers: defaults that do not fit (Q-45), questions for secrets (Q-59),
    /// answers that do not fit (Q-89). Their pointers lead into the question or the answer.
    pub diagnostics: Vec<Diagnostic>,
    /// How the last round went.
    pub report: RunReport,
    /// The time from the start of the first round to the result, including the time for answers.
    pub elapsed: Duration,
    /// The open questions at which the call stopped, if it was to
    /// ([`CallOptions::suspends`](crate::CallOptions::suspends)). It then has no result yet, and its end is
    /// [`End::Cancelled`].
    pub suspended: Option<Box<Suspended>>,
}

impl CallOutcome {
    pub(super) fn new(
        exchanged: ExchangeOutcome,
        last: Option<RunReport>,
        elapsed: Duration,
    ) -> Self {
        CallOutcome {
            parsed: exchanged.parsed,
            answers: exchanged.answers,
            rounds: exchanged.rounds,
            end: exchanged.end,
            diagnostics: exchanged.diagnostics,
            report: last.unwrap_or_default(),
            elapsed,
            suspended: None,
        }
    }

    /// Whether the call was cancelled, in a round or while a question was pending.
    #[must_use]
    pub fn cancelled(&self) -> bool {
        self.end == End::Cancelled || self.report.stopped == Some(StopReason::Cancelled)
    }
}

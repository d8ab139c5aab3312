//! A `tools/call` request that is on its way.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep_until;
use toolwire::Json;
use toolwire::call::Call;
use toolwire::json::string;
use toolwire::lines::Trace;
use toolwire::mcp::{Revision, call_to_meta};
use toolwire_host::{Control, StopReason};
use toolwire_rpc::{Arrived, Event, Failure, Incoming, Part, Pending};

use crate::{headers, trace};

use super::notices;
use super::request::Request;
use super::shared::Shared;
use super::turns::Turn;

/// The name under which a request of 2026-07-28 says which log messages it wants.
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// A request that waits for its answer. Dropped, it is cancelled.
pub(super) struct Running {
    shared: Arc<Shared>,
    pending: Pending,
    /// How long it has run, without the time for answers.
    spent: Duration,
    /// Its turn, in a revision whose questions need not say which call asks them.
    turn: Option<Turn>,
}

/// What came of waiting.
pub(super) enum Came {
    Answer(Result<Part, Failure>),
    /// The server asks something, and waits.
    Question(Incoming),
    /// The call was stopped, and is cancelled; the sentence says why.
    Stopped(StopReason, String),
}

impl Running {
    /// Sends the request. `more` are members of its parameters beside the name and the arguments; `schema` is that
    /// of the arguments, if it is known; `trace` is what it is part of, if that is another trace than that of this
    /// process.
    pub(super) async fn start(
        shared: &Arc<Shared>,
        tool: &str,
        schema: Option<&Json>,
        call: &Call,
        more: Vec<(&'static str, String)>,
        trace: Option<&Trace>,
    ) -> Result<Running, Failure> {
        let is_modern = shared.revision == Revision::V2026_07_28;
        let turn = match is_modern {
            true => None,
            false => Some(shared.turns.take(tool).await),
        };
        let mut params = vec![("arguments", call.arguments.to_string())];
        params.extend(more);
        let mut meta = Vec::new();
        if let Some(level) = shared.options.log_level.filter(|_| is_modern) {
            meta.push((LOG_LEVEL.to_owned(), string(level.as_str())));
        }
        let trace = trace.cloned().unwrap_or_else(trace::of_this_process);
        let trace = trace::members(trace);
        meta.extend(trace.map(|(name, value)| (name.to_owned(), string(&value))));
        meta.extend(call_context(shared, call));
        let schema = schema.filter(|_| is_modern && shared.is_http);
        let request = Request {
            method: "tools/call",
            about: Some(("name", tool)),
            params,
            meta,
            headers: schema.map_or_else(Vec::new, |schema| of_arguments(schema, &call.arguments)),
            is_call: true,
        };
        let pending = shared.send(request).await.map_err(Failure::Closed)?;
        Ok(Running {
            shared: Arc::clone(shared),
            pending,
            spent: Duration::ZERO,
            turn,
        })
    }

    /// Waits for the answer, for a question, or for a reason to stop. Progress and log go to the control.
    pub(super) async fn wait(mut self, control: &Control) -> (Came, Option<Running>) {
        let shared = Arc::clone(&self.shared);
        let options = &shared.options;
        let began = Instant::now();
        let most = options.timeout.map(|time| time.max(options.max_timeout));
        let last = most.and_then(|most| began.checked_add(most.saturating_sub(self.spent)));
        let mut silent = options.timeout.and_then(|time| began.checked_add(time));
        let cancelled = || (StopReason::Cancelled, "the call was cancelled".to_owned());
        let over = |silent: bool| {
            let (time, what) = match silent {
                true => (options.timeout, "did not answer"),
                false => (most, "did not come to an end"),
            };
            let seconds = time.unwrap_or_default().as_secs_f64();
            let text = format!(
                "the server `{}` {what} within {seconds} s, and the call was cancelled",
                shared.name
            );
            (StopReason::Timeout, text)
        };
        let stopped = loop {
            let deadline = match (silent, last) {
                (Some(silent), Some(last)) => Some(silent.min(last)),
                (silent, last) => silent.or(last),
            };
            let shares = self.turn.as_ref().and_then(Turn::shares);
            let event = tokio::select! {
                biased;
                () = control.cancelled() => break cancelled(),
                // A server that never stops talking keeps nobody from its time.
                () = until(deadline) => break over(deadline == silent),
                event = self.pending.next() => event,
                () = until(shares), if shares.is_some() => {
                    if let Some(turn) = &mut self.turn {
                        turn.share();
                    }
                    continue;
                }
            };
            let arrived = match event {
                Event::Answer(answer) => {
                    if let Some(turn) = self.turn.take() {
                        turn.answered();
                    }
                    return (Came::Answer(answer), None);
                }
                Event::Arrived(Arrived::Request(asked)) => {
                    if let Some(turn) = self.turn.as_mut().filter(|_| asked.stream().is_none()) {
                        turn.asked();
                    }
                    self.spent += began.elapsed();
                    return (Came::Question(asked), Some(self));
                }
                Event::Arrived(arrived) => arrived,
            };
            if matches!(&arrived, Arrived::Notification(said) if said.method() == notices::PROGRESS)
            {
                silent = options
                    .timeout
                    .and_then(|time| Instant::now().checked_add(time));
            }
            tokio::select! {
                biased;
                () = notices::pass(&arrived, control) => {}
                () = control.cancelled() => break cancelled(),
                () = until(deadline) => break over(deadline == silent),
            }
        };
        // The server is told that nobody waits any more, as the revision says.
        self.pending.cancel(match stopped.0 {
            StopReason::Timeout => "its time is over",
            _ => "the call was cancelled",
        });
        (Came::Stopped(stopped.0, stopped.1), None)
    }
}

/// The headers of a call with these arguments.
fn of_arguments(schema: &Json, arguments: &Json) -> Vec<(String, String)> {
    let headers = headers::of_call(schema, arguments).into_iter();
    headers
        .filter_map(|(name, value)| Some((name, headers::encoded(&value?))))
        .collect()
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline.into()).await,
        None => std::future::pending().await,
    }
}

/// The members of `_meta` that carry the call's context, for a server that may get it.
fn call_context(shared: &Shared, call: &Call) -> Vec<(String, String)> {
    if !(shared.options.send_context || shared.about.knows_toolwire) {
        return Vec::new();
    }
    let Some(meta) = call_to_meta(call) else {
        return Vec::new();
    };
    let members = meta.to_value::<std::collections::BTreeMap<String, Json>>();
    let members = members.unwrap_or_default().into_iter();
    members
        .map(|(name, value)| (name, value.to_string()))
        .collect()
}

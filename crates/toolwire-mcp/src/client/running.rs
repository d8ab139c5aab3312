//! A `tools/call` request that is on its way.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, RequestMetaObject, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, RoleClient, ServiceError};
use serde_json::Map;
use tokio::runtime::Handle;
use tokio::time::{sleep_until, timeout};
use toolwire::Json;
use toolwire::call::Call;
use toolwire::lines::Trace;
use toolwire::mcp::{Revision, call_to_meta};
use toolwire_host::{Control, StopReason};

use crate::trace;

use super::connect::{SOON, Shared};
use super::handler::Asked;
use super::notices;
use super::queue::{Receiver, Said};
use super::turns::Turn;
use super::wire::Answered;

/// The name under which a request of 2026-07-28 says which log messages it wants.
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// A request that waits for its answer. Dropped, it is cancelled.
pub(super) struct Running {
    shared: Arc<Shared>,
    handle: Option<RequestHandle<RoleClient>>,
    key: u64,
    said: Receiver,
    /// The ids of what was opened by its URL and is done.
    opened: Vec<String>,
    /// How long it has run, without the time for answers.
    spent: Duration,
    /// Its turn, in a revision whose questions need not say which call asks them.
    turn: Option<Turn>,
}

/// What came of waiting.
pub(super) enum Came {
    Answer(Answered),
    /// The server asks something, and waits.
    Question(Asked),
    /// The call was stopped, and is cancelled; the sentence says why.
    Stopped(StopReason, String),
    /// There is no server any more; a sentence says why.
    Lost(String),
}

impl Running {
    /// Sends the request. `more` are members of its parameters beside the name and the arguments; `trace` is what
    /// it is part of, if that is another trace than that of this process.
    pub(super) async fn start(
        shared: &Arc<Shared>,
        tool: &str,
        call: &Call,
        more: Vec<(&'static str, String)>,
        trace: Option<&Trace>,
    ) -> Result<Running, String> {
        let turn = match shared.revision {
            Revision::V2026_07_28 => None,
            _ => Some(shared.turns.take(tool).await),
        };
        let (key, said) = shared.wire.listen();
        let mut running = Running {
            shared: Arc::clone(shared),
            handle: None,
            key,
            said,
            opened: Vec::new(),
            spent: Duration::ZERO,
            turn,
        };
        let mut params = CallToolRequestParams::new(tool.to_owned());
        // rmcp makes headers of them; what is sent is the text.
        params.arguments = Some(call.arguments.to_value().unwrap_or_default());
        let mut members = vec![("arguments", call.arguments.to_string())];
        members.extend(more);
        let context = call_context(shared, call);
        let mut meta = Map::new();
        if let (Revision::V2026_07_28, Some(level)) = (shared.revision, shared.options.log_level) {
            meta.insert(LOG_LEVEL.to_owned(), level.as_str().into());
        }
        let trace: Vec<_> = match trace {
            Some(trace) => trace::members(trace).collect(),
            None => trace::of_this_process().collect(),
        };
        let trace = trace.into_iter();
        meta.extend(trace.map(|(name, value)| (name.to_owned(), value.into())));
        let (name, raw) = shared.wire.with_params(key, members, context);
        meta.insert(name, raw);
        let mut options = PeerRequestOptions::no_options();
        options.meta = Some(RequestMetaObject::from(rmcp::model::MetaObject(meta)));
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent = shared.peer.send_request_with_option(request, options).await;
        running.handle = Some(sent.map_err(|error| shared.why_lost(&error))?);
        Ok(running)
    }

    /// Waits for the answer, for a question, or for a reason to stop. Progress and log go to the control.
    pub(super) async fn wait(&mut self, control: &Control) -> Came {
        let options = &self.shared.options;
        let began = Instant::now();
        let most = options.timeout.map(|time| time.max(options.max_timeout));
        let last = most.and_then(|most| began.checked_add(most.saturating_sub(self.spent)));
        let mut silent = options.timeout.and_then(|time| began.checked_add(time));
        let cancelled =
            || Came::Stopped(StopReason::Cancelled, "the call was cancelled".to_owned());
        let over = |silent: bool| {
            let (time, what) = match silent {
                true => (options.timeout, "did not answer"),
                false => (most, "did not come to an end"),
            };
            let seconds = time.unwrap_or_default().as_secs_f64();
            let text = format!(
                "the server `{}` {what} within {seconds} s, and the call was cancelled",
                self.shared.name
            );
            Came::Stopped(StopReason::Timeout, text)
        };
        let came = loop {
            let Some(handle) = &mut self.handle else {
                return Came::Lost("was not asked".to_owned());
            };
            let deadline = match (silent, last) {
                (Some(silent), Some(last)) => Some(silent.min(last)),
                (silent, last) => silent.or(last),
            };
            let shares = self.turn.as_ref().and_then(Turn::shares);
            let said = tokio::select! {
                biased;
                () = control.cancelled() => break cancelled(),
                // A server that never stops talking keeps nobody from its answer, or from its time.
                () = until(deadline) => break over(deadline == silent),
                answer = &mut handle.rx => {
                    let answer = answer.unwrap_or(Err(ServiceError::TransportClosed));
                    while let Some(said) = self.said.try_recv() {
                        match said {
                            Said::Opened(id) => self.opened.push(id),
                            said => notices::pass(&said, control).await,
                        }
                    }
                    break self.answered(answer);
                }
                Some(said) = self.said.recv() => said,
                () = until(shares), if shares.is_some() => {
                    if let Some(turn) = &mut self.turn {
                        turn.share();
                    }
                    continue;
                }
            };
            match said {
                Said::Asked(asked) => {
                    if let Some(turn) = self.turn.as_mut().filter(|_| !asked.told) {
                        turn.asked();
                    }
                    break Came::Question(asked);
                }
                // Nobody waits for it yet.
                Said::Opened(_) => {}
                said => {
                    if matches!(said, Said::Progress(_)) {
                        silent = options
                            .timeout
                            .and_then(|time| Instant::now().checked_add(time));
                    }
                    tokio::select! {
                        biased;
                        () = notices::pass(&said, control) => {}
                        () = control.cancelled() => break cancelled(),
                        () = until(deadline) => break over(deadline == silent),
                    }
                }
            }
        };
        self.spent += began.elapsed();
        if let Came::Stopped(reason, _) = &came {
            self.cancel(*reason).await;
        }
        came
    }

    /// Waits until the server has said that all of these are done, which it need not.
    pub(super) async fn done(&mut self, ids: &[&str], control: &Control) {
        let mut open = ids.to_vec();
        open.retain(|id| !self.opened.iter().any(|done| done == id));
        let done = async {
            while !open.is_empty() {
                match self.said.recv().await {
                    Some(Said::Opened(done)) => open.retain(|id| *id != done),
                    Some(said) => notices::pass(&said, control).await,
                    None => return,
                }
            }
        };
        tokio::select! {
            _ = timeout(self.shared.options.open_wait, done) => {}
            () = control.cancelled() => {}
        }
    }

    fn answered(&mut self, answer: Result<ServerResult, ServiceError>) -> Came {
        let Some(handle) = self.handle.take() else {
            return Came::Lost("was not asked".to_owned());
        };
        if let Some(turn) = self.turn.take() {
            turn.answered();
        }
        match (self.shared.wire.take_answer(&handle.id), answer) {
            (Some(answer), _) => Came::Answer(answer),
            (None, Err(ServiceError::McpError(error))) => {
                Came::Answer(Answered::Error(serde_json::json!(error).to_string()))
            }
            (None, Err(error)) => Came::Lost(self.shared.why_lost(&error)),
            (None, Ok(_)) => Came::Lost("gave no answer that can be read".to_owned()),
        }
    }

    /// Tells the server that nobody waits any more, as the revision says.
    async fn cancel(&mut self, reason: StopReason) {
        if let Some(handle) = self.handle.take() {
            self.shared.wire.forget(&handle.id);
            let reason = match reason {
                StopReason::Timeout => "its time is over",
                _ => "the call was cancelled",
            };
            let _ = timeout(SOON, handle.cancel(Some(reason.to_owned()))).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.wire.deafen(self.key);
        let Some(handle) = self.handle.take() else {
            return;
        };
        self.shared.wire.forget(&handle.id);
        if let Ok(runtime) = Handle::try_current() {
            let cancelling = runtime.spawn(async move {
                let reason = "the call was given up".to_owned();
                let _ = handle.cancel(Some(reason)).await;
            });
            self.shared.cancelling().push(cancelling);
        }
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline.into()).await,
        None => std::future::pending().await,
    }
}

/// The members of `_meta` that carry the call's context, for a server that may get it.
fn call_context(shared: &Shared, call: &Call) -> Vec<(String, String)> {
    if !shared.sends_context {
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

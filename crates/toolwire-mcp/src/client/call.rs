//! A call of a server's tool, as a transport.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout;
use toolwire::Limits;
use toolwire::call::{Action, AnswerState, Call};
use toolwire::json::{Document, Kind, ObjectWriter};
use toolwire::legacy::unwrap_outcome;
use toolwire::lines::Trace;
use toolwire::mcp::{Revision, from_result};
use toolwire_host::{Control, HostError, Reply, StopReason, Transport, output_mismatches};
use toolwire_rpc::Failure;

use super::inputs::{Ids, Input, Open, Required, by_key, responses};
use super::replies;
use super::running::{Came, Running};
use super::shared::Shared;
use super::tasks::{Followed, Stands};

/// The code of an error that says what has to be opened at a URL first.
const OPEN_FIRST: i64 = -32042;

/// The most times in a row that a server may ask for the same request again without asking a question.
const MOST_REPEATS: usize = 16;

/// A call of a server's tool: a [`Transport`] for one conversation.
///
/// What the server asks during the call becomes the questions of an answer, and the request waits or is made
/// again with the answers, as the revision says. Dropped before its end, the call is cancelled.
pub struct ToolCall {
    pub(super) shared: Arc<Shared>,
    state: tokio::sync::Mutex<State>,
    /// The trace that it is part of; otherwise that of this process.
    trace: Option<Trace>,
}

impl std::fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ToolCall")
    }
}

struct State {
    stage: Stage,
    ids: Ids,
}

/// What the next document finds.
enum Stage {
    /// No request.
    Fresh,
    /// A request that waits, and the server's own request, which waits for this answer.
    Waiting(Box<(Running, Open)>),
    /// The request is to be made again with answers.
    Again(Vec<Input>, Option<String>),
    /// The call has become a task, which waits for the answers to these.
    Task(Box<Followed>, Vec<Input>),
    /// The request was refused with this error, and is to be made again once these were opened at
    /// their URLs.
    Opening(Vec<Input>, String),
}

/// What a round comes to.
enum Round {
    Over(Reply),
    /// The request is made again at once.
    Repeat(Option<String>),
}

impl ToolCall {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        ToolCall::at(shared, Stage::Fresh)
    }

    pub(super) fn following(shared: Arc<Shared>, id: &str) -> Self {
        let followed = Followed::new(&shared, id.to_owned());
        ToolCall::at(shared, Stage::Task(Box::new(followed), Vec::new()))
    }

    fn at(shared: Arc<Shared>, stage: Stage) -> Self {
        let state = State {
            stage,
            ids: Ids::default(),
        };
        ToolCall {
            shared,
            state: tokio::sync::Mutex::new(state),
            trace: None,
        }
    }

    /// The same as a part of this trace.
    pub(crate) fn in_trace(mut self, trace: Trace) -> Self {
        self.trace = (!trace.is_empty()).then_some(trace);
        self
    }

    /// What it takes to go on where nobody holds this call, if it waits for answers and its server needs no more
    /// than them: in 2026-07-28.
    pub(crate) fn parked(&self) -> Option<String> {
        let state = self.state.try_lock().ok()?;
        match &state.stage {
            Stage::Again(inputs, echo) => Some(Required::park(inputs, echo.as_deref(), &state.ids)),
            _ => None,
        }
    }

    /// The call that was parked, on this connection; nothing if the server can't go on with it.
    pub(crate) fn going_on(mut self, parked: &str) -> Option<Self> {
        let (inputs, echo, ids) = Required::unpark(parked)?;
        let stage = Stage::Again(inputs, echo);
        *self.state.get_mut() = State { stage, ids };
        (self.shared.revision == Revision::V2026_07_28).then_some(self)
    }

    async fn carry(&self, document: &str, control: &Control) -> Reply {
        let call = match Call::from_json(document.as_bytes(), &Limits::WIDEST) {
            Ok(call) => call,
            Err(error) => return replies::failed(error.message()),
        };
        match call.action {
            Action::Run => {}
            Action::Describe => return self.describe().await,
            other => {
                let message = format!("a tool of an MCP server does not know the action `{other}`");
                return replies::failed(&message);
            }
        }
        let began = Instant::now();
        let attached = self.shared.stderr.attach(control);
        let mut state = self.state.lock().await;
        let mut reply = tokio::select! {
            biased;
            reply = self.run(&call, &mut state, control) => reply,
            () = control.killed() => replies::cancelled(),
        };
        // What it wrote to stderr before its answer is in the pipe, and may not have been read yet.
        tokio::task::yield_now().await;
        drop(attached);
        reply.report.elapsed = began.elapsed();
        reply
    }

    /// One round of the call.
    async fn run(&self, call: &Call, state: &mut State, control: &Control) -> Reply {
        let shared = &self.shared;
        let stage = std::mem::replace(&mut state.stage, Stage::Fresh);
        let (mut running, mut more) = match stage {
            Stage::Fresh => (None, Vec::new()),
            Stage::Waiting(waiting) => {
                let (running, open) = *waiting;
                open.answer(call, shared.revision);
                (Some(running), Vec::new())
            }
            Stage::Task(followed, inputs) => {
                return self.follow(call, *followed, inputs, state, control).await;
            }
            Stage::Again(inputs, echo) => (None, responses(&inputs, echo, call)),
            Stage::Opening(inputs, error) => {
                let opened = |input: &Input| input.answer(call).state() == AnswerState::Opened;
                if !inputs.iter().all(opened) {
                    return replies::refused(&shared.name, &error);
                }
                let keys: Vec<&str> = inputs.iter().map(|input| input.key.as_str()).collect();
                tokio::select! {
                    _ = timeout(shared.options.open_wait, shared.router.done(&keys)) => {}
                    () = control.cancelled() => {}
                }
                (None, Vec::new())
            }
        };
        for _ in 0..=MOST_REPEATS {
            let running = match running.take() {
                Some(running) => running,
                None => {
                    let starting = self.start(call, std::mem::take(&mut more));
                    let started = tokio::select! {
                        biased;
                        () = control.cancelled() => {
                            return replies::cancelled();
                        }
                        started = starting => started,
                    };
                    match started {
                        Ok(running) => running,
                        Err(failure) => return self.failed(&failure),
                    }
                }
            };
            match self.round(call, running, state, control).await {
                Round::Over(reply) => return reply,
                Round::Repeat(echo) => more = responses(&[], echo, call),
            }
        }
        replies::failed(&format!(
            "the server `{}` asked {MOST_REPEATS} times for the same call without a question",
            shared.name
        ))
    }

    async fn start(
        &self,
        call: &Call,
        more: Vec<(&'static str, String)>,
    ) -> Result<Running, Failure> {
        // The headers of 2026-07-28 and the check of the result need the tool. A server that can't list
        // its tools may still be called.
        let mut slot = self.shared.tools.lock().await;
        if slot.is_none() {
            let _ = self.shared.listed(&mut slot).await;
        }
        let name = call.name.as_deref().unwrap_or_default();
        let listed = slot.as_ref().and_then(|listed| listed.find(name));
        let schema = listed.map(|listed| listed.tool.input_schema.clone());
        let name = listed.map_or(name, |listed| &listed.name).to_owned();
        drop(slot);
        let trace = self.trace.as_ref();
        Running::start(&self.shared, &name, schema.as_ref(), call, more, trace).await
    }

    /// Waits until a request has been answered, or asks something.
    async fn round(
        &self,
        call: &Call,
        mut running: Running,
        state: &mut State,
        control: &Control,
    ) -> Round {
        let shared = &self.shared;
        let text = loop {
            let (came, waits) = running.wait(control).await;
            match (came, waits) {
                (Came::Question(asked), Some(waits)) => {
                    if let Some((question, open)) = state.ids.ask(asked) {
                        state.stage = Stage::Waiting(Box::new((waits, open)));
                        return Round::Over(replies::questions(vec![question]));
                    }
                    running = waits;
                }
                (Came::Question(_), None) => return Round::Over(replies::cancelled()),
                (Came::Answer(Ok(text)), _) => break text,
                (Came::Answer(Err(Failure::Refused(error))), _) => {
                    if code(&error) == Some(OPEN_FIRST)
                        && let Some((inputs, questions)) = state.ids.open_first(&error)
                    {
                        state.stage = Stage::Opening(inputs, error.to_string());
                        return Round::Over(replies::questions(questions));
                    }
                    return Round::Over(replies::refused(&shared.name, &error));
                }
                (Came::Answer(Err(failure)), _) => return Round::Over(self.failed(&failure)),
                (Came::Stopped(reason, text), _) => {
                    return Round::Over(replies::stopped(reason, &text));
                }
            }
        };
        if shared.revision == Revision::V2026_07_28 {
            match state.ids.required(&text) {
                Ok(None) => {}
                Ok(Some(required)) if required.inputs.is_empty() => {
                    return Round::Repeat(required.state);
                }
                Ok(Some(required)) => {
                    state.stage = Stage::Again(required.inputs, required.state);
                    return Round::Over(replies::questions(required.questions));
                }
                Err(message) => return Round::Over(replies::failed(&message)),
            }
            match Followed::created(shared, &text) {
                Ok(None) => {}
                Ok(Some(followed)) => {
                    let followed = self.follow(call, followed, Vec::new(), state, control);
                    return Round::Over(followed.await);
                }
                Err(message) => return Round::Over(replies::failed(&message)),
            }
        }
        Round::Over(self.result(call, &text).await)
    }

    /// Follows a task to its end, or to what it asks next.
    async fn follow(
        &self,
        call: &Call,
        mut task: Followed,
        inputs: Vec<Input>,
        state: &mut State,
        control: &Control,
    ) -> Reply {
        let options = &self.shared.options;
        let began = Instant::now();
        task.since = began;
        let following = async {
            if !inputs.is_empty() {
                task.update(&inputs, by_key(&inputs, call)).await?;
            }
            loop {
                // One that was just made need not be asked for at once.
                task.rest().await;
                match task.get(&mut state.ids, control).await? {
                    Stands::Working => {}
                    other => return Ok(other),
                }
                let most = options.timeout.map(|time| time.max(options.max_timeout));
                let over =
                    |limit: Option<Duration>, spent| limit.is_some_and(|limit| spent >= limit);
                if over(options.timeout, task.since.elapsed())
                    || over(most, task.spent + began.elapsed())
                {
                    return Ok(Stands::Working);
                }
            }
        };
        let stands: Result<Stands, String> = tokio::select! {
            biased;
            () = control.cancelled() => {
                task.cancel().await;
                return replies::cancelled();
            }
            stands = following => stands,
        };
        task.spent += began.elapsed();
        let name = &self.shared.name;
        match stands {
            Ok(Stands::Working) => {
                task.cancel().await;
                let text = format!(
                    "the task `{}` of the server `{name}` took too long, and was cancelled",
                    task.id
                );
                replies::stopped(StopReason::Timeout, &text)
            }
            Ok(Stands::Asks(inputs, questions)) => {
                state.stage = Stage::Task(Box::new(task), inputs);
                replies::questions(questions)
            }
            Ok(Stands::Completed(result)) => self.result(call, &result).await,
            Ok(Stands::Failed(error)) => replies::refused(name, &error),
            Ok(Stands::Cancelled) => {
                replies::failed(&format!("the server `{name}` has cancelled the task"))
            }
            Ok(Stands::Bad(message)) => {
                task.cancel().await;
                replies::failed(&message)
            }
            Err(why) => {
                task.leave();
                let why = format!("{why}; its task is `{}`", task.id);
                self.lost(&why)
            }
        }
    }

    /// The result of a request, checked against what the tool says of it.
    async fn result(&self, call: &Call, text: &str) -> Reply {
        let options = &self.shared.options;
        let without = match self.shared.revision {
            Revision::V2026_07_28 => None,
            _ => without_null(text),
        };
        let text = without.as_deref().unwrap_or(text);
        let mut parsed = from_result(text.as_bytes(), &options.limits).parsed;
        if options.legacy
            && let Some(legacy) = unwrap_outcome(&parsed)
        {
            parsed = legacy.parsed;
        }
        let slot = self.shared.tools.lock().await;
        let name = call.name.as_deref().unwrap_or_default();
        let listed = slot.as_ref().and_then(|listed| listed.find(name));
        let schema = listed.and_then(|listed| listed.tool.output_schema.as_ref());
        let found = schema.map(|schema| output_mismatches(&parsed, schema));
        drop(slot);
        let mut reply = Reply::new(parsed);
        reply.report.output_mismatches = found.unwrap_or_default();
        reply
    }

    /// The tools of the server, as a program describes its own.
    async fn describe(&self) -> Reply {
        let mut slot = self.shared.tools.lock().await;
        let described = self.shared.listed(&mut slot).await;
        let described = described.map_err(|error| error.to_string());
        let described = described.and_then(|listed| {
            toolwire::call::describe(&listed.tools()).map_err(|error| error.to_string())
        });
        match described {
            Ok(envelope) => Reply::new(toolwire::parse(
                envelope.to_json().into_bytes(),
                &Limits::WIDEST,
            )),
            Err(message) => replies::failed(&message),
        }
    }

    /// The error of a request without a result. Another try gets another answer, but for one that can't be used.
    fn failed(&self, failure: &Failure) -> Reply {
        let why = self.shared.why_lost(failure);
        match failure {
            Failure::Unusable(damage) if damage.code < 0 => {
                replies::failed(&format!("the server `{}` {why}", self.shared.name))
            }
            _ => self.lost(&why),
        }
    }

    fn lost(&self, why: &str) -> Reply {
        replies::lost(&self.shared.name, why, self.shared.stderr.last_lines())
    }
}

impl Transport for ToolCall {
    fn send<'a>(
        &'a self,
        document: &'a str,
        control: &'a Control,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
        Box::pin(async { Ok(self.carry(document, control).await) })
    }
}

/// A result of an older revision without `structuredContent`, if that is `null`, as some servers write what they do not
/// have.
fn without_null(result: &str) -> Option<String> {
    const NAME: &str = "structuredContent";
    if !result.contains(NAME) {
        return None;
    }
    let document = Document::new(result).ok()?;
    let root = document.root();
    root.get(NAME)
        .filter(|content| content.kind() == Kind::Null)?;
    let mut out = ObjectWriter::new();
    for (name, value) in root.members().filter(|(name, _)| name != NAME) {
        out.json(&name, value.raw());
    }
    Some(out.end())
}

/// The code of an error of JSON-RPC.
fn code(error: &str) -> Option<i64> {
    Document::new(error).ok()?.root().get("code")?.as_i64()
}

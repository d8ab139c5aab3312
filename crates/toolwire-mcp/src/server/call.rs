//! One call of a tool, from the request to its result.

use std::sync::Arc;

use toolwire::author::{Failure, bad_arguments};
use toolwire::block::Question;
use toolwire::call::{Action, Answer, AnswerSource, AnswerState, Call};
use toolwire::json::brief;
use toolwire::mcp::{Revision, call_from_meta};
use toolwire::{Json, Parsed, terminal_safe};
use toolwire_host::manifest::unknown;
use toolwire_host::{
    CallOptions, CallOutcome, CheckError, End, Event, ExchangeOptions, HostError, LineWorkers,
    PendingQuestion, Process, ProcessOptions, Standing, StopReason, Suspended, Transport,
    check_value,
};
use toolwire_rpc::{Answer as Answered, RpcError};

use super::catalog::{Catalog, Served, Way};
use super::context::{Context, Params, bad_params, object, text};
use super::dispatch::{Handler, no_tools};
use super::elicit::Asked;
use super::error::{internal, needs};
use super::gate::Gated;
use super::gateway::Parked;
use super::pages::Visit;
use super::reply::Response;
use super::says::Listener;
use super::state::Bound;
use super::tasks::{Lead, Order, Renamed};
use super::{Refusal, forms, handles, reply, rounds, tasks};
use crate::trace::with_trace;

/// The most characters of a question that an error has.
const MAX_QUESTION: usize = 200;

/// What a call has come to.
pub(super) enum Ended {
    /// It has a result.
    Result(Box<CallOutcome>),
    /// It waits for answers, for a client that is asked by a result.
    Suspended(Box<Suspended>),
    /// The client can't be asked what the tool asks.
    Unasked(Box<Question>),
    /// The tool still waits for pages that were opened.
    Unopened(Box<RpcError>),
}

/// A request that is understood: what is called, by whom, and how.
#[derive(Debug)]
pub(super) struct Request {
    pub handler: Handler,
    pub context: Context,
    pub tool: Arc<Served>,
    pub call: Call,
    pub asked: Asked,
    pub bound: Bound,
    /// Whether it may become a task, and which one it is once it has.
    pub lead: Lead,
    /// Where the call of a server's tool is left that waits for answers.
    pub parked: Parked,
}

/// Answers `tools/call`.
pub(super) async fn call(
    handler: &Handler,
    context: Context,
    params: &Params<'_>,
    order: Option<Order>,
) -> Answered {
    let method = "tools/call";
    let name = text(params.get("name")).ok_or_else(|| bad_params(method))?;
    let tool = match &order {
        Some(order) => Arc::clone(&order.tool),
        None => find(&*handler.shared.catalog().await.map_err(no_tools)?, &name)?,
    };
    let name = &tool.description.name;
    let arguments = object(method, params.get("arguments"))?.unwrap_or_else(Json::empty_object);
    let came = match context.revision >= Revision::V2026_07_28 {
        true => Came {
            responses: object(method, params.get("inputResponses"))?,
            state: text(params.get("requestState")),
        },
        false => Came::default(),
    };
    let call = match order {
        Some(order) => order.call,
        None => read(handler, &tool, &arguments, context.meta.as_ref())?,
    };
    let refusals = match &tool.way {
        Way::Manifest(tool) => tool.refusals.clone(),
        Way::Prepared(tool) => tool.exchange.refusals.clone(),
        Way::Functions(_) | Way::Program(_) | Way::Server(_) => Default::default(),
    };
    let request = Request {
        asked: Asked::new(&context, name, &refusals),
        bound: Bound::new(name, &handler.session.principal, &arguments),
        lead: Lead::new(handler, &tool, call.action, &context)?,
        parked: Parked::default(),
        handler: handler.clone(),
        context,
        tool,
        call,
    };
    // A server looks at what it is given itself, and its words are those that its author chose.
    let checks = request.tool.session.is_none() && !matches!(request.tool.way, Way::Server(_));
    if let Some(failure) = checks.then(|| request.misfit()).flatten() {
        let refused = request.complete(&reply::failed(&request.call, failure));
        return Ok(refused.into_text());
    }
    let request = Arc::new(request);
    let answered = match &request.tool.session {
        Some(own) => handles::call(Arc::clone(&request), own, came).await,
        None => tasks::answer(request, came).await,
    };
    answered.map(Response::into_text)
}

/// What comes with a call that comes again.
#[derive(Debug, Default)]
pub(super) struct Came {
    pub state: Option<String>,
    pub responses: Option<Json>,
}

/// What a request comes to.
pub(super) async fn answer(request: &Arc<Request>, came: Came) -> Result<Response, RpcError> {
    if request.context.revision >= Revision::V2026_07_28 {
        return rounds::call(request, came).await;
    }
    match request.drive(None).await {
        Ok(Ended::Result(outcome)) => Ok(request.result(&outcome.parsed)),
        Ok(Ended::Unasked(question)) => request.unasked(&[*question]),
        Ok(Ended::Unopened(error)) => Err(*error),
        Ok(Ended::Suspended(_)) => Err(internal("the call has no result")),
        Err(error) => Ok(request.not_run(&error)),
    }
}

fn find(catalog: &Catalog, name: &str) -> Result<Arc<Served>, RpcError> {
    catalog.0.get(name).cloned().ok_or_else(|| {
        let names: Vec<&str> = catalog.0.keys().map(String::as_str).collect();
        Refusal::UnknownTool.because(unknown("tool", name, &names))
    })
}

/// The call document. A client gives arguments, answers and the action; options and the root are the server's
///.
pub(super) fn read(
    handler: &Handler,
    tool: &Served,
    arguments: &Json,
    meta: Option<&Json>,
) -> Result<Call, RpcError> {
    let refuse = |message: String| Refusal::BadCallContext.because(message);
    let given = call_from_meta(&tool.own_name, arguments, meta).map_err(|error| {
        refuse(match error.pointer() {
            "" => error.message().to_owned(),
            pointer => format!("at `{pointer}`: {}", error.message()),
        })
    })?;
    if given.action == Action::Describe {
        return Err(refuse(
            "the action `describe` is not for clients; list the tools instead".to_owned(),
        ));
    }
    let mut call = Call::new(&tool.own_name, given.arguments);
    call.action = given.action;
    call.answers = given.answers;
    call.root.clone_from(&handler.shared.options.process.root);
    match &tool.way {
        // The arguments are an action with its own; those of the tool are completed when it is spawned.
        _ if tool.session.is_some() => Ok(call),
        Way::Functions(_) | Way::Program(_) | Way::Server(_) | Way::Prepared(_) => Ok(call),
        Way::Manifest(tool) => tool
            .complete(call)
            .map_err(|error| refuse(error.to_string())),
    }
}

/// The question that nobody could be asked, if the tool can't go on without its answer.
pub(super) fn required(end: &End, unasked: Vec<Question>) -> Option<Question> {
    let End::AnswerRequired(id) = end else {
        return None;
    };
    unasked.into_iter().find(|question| question.id == *id)
}

impl Request {
    /// Why the arguments do not fit, if they do not.
    fn misfit(&self) -> Option<Failure> {
        let (tool, name) = (&self.tool.description, &self.tool.description.name);
        match check_value(&tool.input_schema, &self.call.arguments) {
            Ok(()) => None,
            Err(CheckError::Mismatches(found)) => {
                let found = found.into_iter().map(|one| (one.pointer, one.message));
                Some(bad_arguments(name, &found.collect::<Vec<_>>()))
            }
            Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => {
                Some(Failure::new(format!(
                    "the arguments of `{name}` can't be checked: {error}"
                )))
            }
        }
    }

    /// The answer to a question that the client is not asked, or can't be: a tool that can go on without one gets
    /// its turn.
    pub(super) fn unattended(&self, asking: &PendingQuestion) -> Option<Answer> {
        let answer = self.handler.shared.options.answers.answer(asking);
        let nobody = || Answer::unavailable(AnswerSource::Policy);
        answer.or_else(|| (!self.asked.can(&asking.question)).then(nobody))
    }

    /// Done when nobody waits for the answer any more: it is cancelled, or the server has left that tasks are kept for.
    async fn given_up(&self) {
        let caller = &self.context.caller;
        tokio::select! {
            () = caller.cancelled() => {}
            () = caller.left(), if self.handler.shared.keeps => {}
        }
    }

    /// Whether nobody waits for the answer any more.
    pub(super) fn is_given_up(&self) -> bool {
        let caller = &self.context.caller;
        caller.is_cancelled() || (self.handler.shared.keeps && caller.has_left())
    }

    /// The way to the tool, with the trace context of this request.
    pub(super) fn transport(&self) -> Arc<dyn Transport> {
        let shared = &self.handler.shared;
        let settings = &shared.options.process;
        let gate = Arc::clone(&shared.gate);
        let traced = |mut options: ProcessOptions| {
            options.environment = with_trace(options.environment, &self.context.trace());
            options
        };
        let trace = || self.context.trace();
        match (&self.tool.way, self.workers()) {
            (Way::Functions(functions), _) => {
                let mut inner = functions.clone();
                inner.timeout = settings.timeout.or(inner.timeout);
                Arc::new(Gated { inner, gate })
            }
            (Way::Server(server), _) => {
                let principal = &self.handler.session.principal;
                let parked = self.parked.clone();
                let inner = server.call(principal, &self.tool.own_name, trace(), parked);
                Arc::new(Gated { inner, gate })
            }
            (Way::Program(command), Some(workers)) => {
                let inner = Process::new(command.clone(), settings.options(None));
                let mut inner = workers.process(inner);
                inner.principal = Some(self.handler.session.principal.clone());
                inner.trace = trace();
                Arc::new(Gated { inner, gate })
            }
            (Way::Manifest(tool), Some(workers)) => {
                let inner = tool.transport(settings.options(Some(tool)));
                let principal = Some(self.handler.session.principal.clone());
                let inner = inner.with_workers(workers, principal, trace());
                Arc::new(Gated { inner, gate })
            }
            (Way::Prepared(tool), Some(workers)) => {
                let mut inner = workers.process(tool.process(tool.process.clone()));
                inner.principal = Some(self.handler.session.principal.clone());
                inner.trace = trace();
                let name = tool.own_name.clone();
                let inner = Renamed { inner, name };
                Arc::new(Gated { inner, gate })
            }
            (Way::Prepared(tool), None) => {
                let inner = tool.process(traced(tool.process.clone()));
                let name = tool.own_name.clone();
                let inner = Renamed { inner, name };
                Arc::new(Gated { inner, gate })
            }
            (Way::Program(command), None) => {
                let inner = Process::new(command.clone(), traced(settings.options(None)));
                Arc::new(Gated { inner, gate })
            }
            (Way::Manifest(tool), None) => {
                let inner = tool.transport(traced(settings.options(Some(tool))));
                Arc::new(Gated { inner, gate })
            }
        }
    }

    /// The workers that answer its call, if the tool is warm.
    fn workers(&self) -> Option<&LineWorkers> {
        let workers = self.handler.shared.workers.as_ref();
        workers.filter(|_| self.tool.description.is_warm())
    }

    fn exchange(&self) -> ExchangeOptions {
        let given = ExchangeOptions {
            host: self.asked.host(),
            ..ExchangeOptions::default()
        };
        match &self.tool.way {
            Way::Functions(_) | Way::Program(_) | Way::Server(_) => given,
            Way::Manifest(tool) => tool.exchange_options(given),
            Way::Prepared(tool) => ExchangeOptions {
                host: given.host,
                ..tool.exchange.clone()
            },
        }
    }

    /// Carries the call out: tells the client what the tool says, asks it what the tool asks, and stops the
    /// tool when the client cancels the call.
    pub(super) async fn drive(&self, standing: Option<Standing>) -> Result<Ended, HostError> {
        let suspends = self.context.revision >= Revision::V2026_07_28;
        let level = self.handler.level(&self.context);
        let mut listener = Listener::new(&self.context, &self.tool.description.name, level);
        let options = CallOptions {
            exchange: self.exchange(),
            stderr_events: listener.wants_stderr(),
            tool_events: listener.wants_events() || self.lead.may(),
            suspends,
            standing,
        };
        let calls = &self.handler.session.calls;
        let (conversation, driver) = calls.start(self.transport(), self.call.clone(), options);
        tokio::spawn(driver);
        let mut unasked = Vec::new();
        let mut visit = Visit::new(self);
        loop {
            let event = tokio::select! {
                biased;
                event = conversation.next() => event,
                () = self.lead.ended(self.given_up()) => {
                    conversation.cancel();
                    conversation.next().await
                }
            };
            match event {
                Some(Event::Progress(progress)) => {
                    self.lead.progress(&progress);
                    if !self.lead.is_task() {
                        listener.progress(&progress).await;
                    }
                }
                // A task has no stream on which the log could travel.
                Some(Event::Stderr(_) | Event::Log(_) | Event::Message(_))
                    if self.lead.is_task() => {}
                Some(Event::Stderr(piece) | Event::Log(piece)) => listener.stderr(&piece).await,
                Some(Event::Message(message)) => listener.message(&message).await,
                Some(Event::Question(asking)) => {
                    visit.look(&asking).await;
                    if visit.unopened.is_some() {
                        conversation.cancel();
                    } else if let Some(answer) = self.unattended(&asking) {
                        let id = asking.question.id.clone();
                        if answer.state() == AnswerState::Unavailable {
                            unasked.push(asking.question);
                        }
                        conversation.answer(&id, answer);
                    } else {
                        match forms::ask(self, &asking, &mut visit).await {
                            Some(answer) => conversation.answer(&asking.question.id, answer),
                            None => conversation.cancel(),
                        }
                    }
                }
                Some(Event::Done(outcome)) => {
                    if !self.lead.is_task() {
                        listener.end_of_line().await;
                    }
                    let mut outcome = outcome?;
                    self.lead
                        .over(outcome.report.stopped == Some(StopReason::Cancelled));
                    if let Some(error) = visit.unopened {
                        return Ok(Ended::Unopened(Box::new(error)));
                    }
                    if !outcome.parsed.is_error() {
                        visit.end().await;
                    }
                    return Ok(
                        match (required(&outcome.end, unasked), outcome.suspended.take()) {
                            (Some(question), _) => Ended::Unasked(Box::new(question)),
                            (None, Some(suspended)) => Ended::Suspended(suspended),
                            (None, None) => Ended::Result(outcome),
                        },
                    );
                }
                Some(_) => {}
                // The last event is `Done`, so this is never reached.
                None => std::future::pending().await,
            }
        }
    }

    /// The result of a tool that has ended.
    pub(super) fn result(&self, parsed: &Parsed<'_>) -> Response {
        // What a server gives is passed on as it is.
        let checks = !matches!(self.tool.way, Way::Server(_));
        let run = checks && self.call.action == Action::Run;
        let unlike = || reply::unlike_schema(parsed, &self.tool.description);
        match run.then(unlike).flatten() {
            Some(failure) => self.complete(&reply::failed(&self.call, failure)),
            None => self.complete(parsed),
        }
    }

    /// What could not be run is a result too: the model may know another way.
    pub(super) fn not_run(&self, error: &HostError) -> Response {
        let name = &self.tool.description.name;
        let failure = Failure::new(format!("`{name}` can't be run: {error}"));
        self.complete(&reply::failed(&self.call, failure))
    }

    /// What a client gets that can't be asked.
    pub(super) fn unasked(&self, questions: &[Question]) -> Result<Response, RpcError> {
        match self.asked.instead(questions) {
            Ok(parsed) => Ok(self.complete(&parsed)),
            Err(required) => {
                let asked = questions.iter().map(|question| {
                    let text = brief(&question.text, MAX_QUESTION);
                    format!("`{}` ({})", question.id, terminal_safe(&text, false))
                });
                let asked = asked.collect::<Vec<_>>().join(" and ");
                let name = &self.tool.description.name;
                let message = format!(
                    "`{name}` asks {asked}, and this client has no way to ask its user: it does not declare the \
                     capability `elicitation`; use one that does, or give the server the answer (`--answer`)"
                );
                Err(needs(required.as_str(), message))
            }
        }
    }

    pub(super) fn complete(&self, parsed: &Parsed<'_>) -> Response {
        Response::complete(parsed, &self.tool.description, self.context.revision)
    }
}

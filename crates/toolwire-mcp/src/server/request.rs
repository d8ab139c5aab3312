//! A call that is understood: what is called, by whom, and how.

use std::sync::Arc;

use toolwire::author::Failure;
use toolwire::block::Question;
use toolwire::call::{Action, Answer, AnswerSource, Call};
use toolwire::json::brief;
use toolwire::{Json, Parsed, terminal_safe};
use toolwire_host::{
    ExchangeOptions, HostError, LineWorkers, PendingQuestion, Process, ProcessOptions, Transport,
};
use toolwire_rpc::RpcError;

use super::context::Context;
use super::elicit::Asked;
use super::error::needs;
use super::gate::Gated;
use super::gateway::Parked;
use super::reply::{self, Response};
use super::served::{Served, Way};
use super::session::Handler;
use super::state::Bound;
use super::tasks::lead::Lead;
use super::tasks::prepared::Renamed;
use crate::trace::with_trace;

/// The most characters of a question that an error has.
const MAX_QUESTION: usize = 200;

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

/// What comes with a call that comes again.
#[derive(Debug, Default)]
pub(super) struct Came {
    pub state: Option<String>,
    pub responses: Option<Json>,
}

impl Request {
    /// The answer to a question that the client is not asked, or can't be: a tool that can go on without one gets
    /// its turn.
    pub(super) fn unattended(&self, asking: &PendingQuestion) -> Option<Answer> {
        let answer = self.handler.shared.options.answers.answer(asking);
        let nobody = || Answer::unavailable(AnswerSource::Policy);
        answer.or_else(|| (!self.asked.can(&asking.question)).then(nobody))
    }

    /// Done when nobody waits for the answer any more: it is cancelled, or the server has left that tasks are kept for.
    pub(super) async fn given_up(&self) {
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
                let mut inner = workers.process(tool.process(tool.options()));
                inner.principal = Some(self.handler.session.principal.clone());
                inner.trace = trace();
                let name = tool.own_name.clone();
                let inner = Renamed { inner, name };
                Arc::new(Gated { inner, gate })
            }
            (Way::Prepared(tool), None) => {
                let inner = tool.process(traced(tool.options()));
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

    pub(super) fn exchange(&self) -> ExchangeOptions {
        let given = ExchangeOptions {
            host: self.asked.host(),
            ..ExchangeOptions::default()
        };
        match &self.tool.way {
            Way::Functions(_) | Way::Program(_) | Way::Server(_) => given,
            Way::Manifest(tool) => tool.exchange_options(given),
            Way::Prepared(tool) => tool.exchange(given),
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

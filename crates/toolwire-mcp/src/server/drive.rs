//! Carries a call out: its client hears what the tool says, and is asked what the tool asks.

use toolwire::block::Question;
use toolwire::call::AnswerState;
use toolwire::mcp::Revision;
use toolwire_host::{
    CallOptions, CallOutcome, End, Event, HostError, Standing, StopReason, Suspended,
};
use toolwire_rpc::RpcError;

use super::forms;
use super::request::Request;
use super::says::Listener;
use super::visit::Visit;

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

/// The question that nobody could be asked, if the tool can't go on without its answer.
pub(super) fn required(end: &End, unasked: Vec<Question>) -> Option<Question> {
    let End::AnswerRequired(id) = end else {
        return None;
    };
    unasked.into_iter().find(|question| question.id == *id)
}

impl Request {
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
}

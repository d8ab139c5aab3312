//! A tool that runs once, as one that keeps running.

use std::fmt;
use std::sync::Arc;

use tokio::sync::mpsc;
use toolwire::event::ToolEvent;
use toolwire::{Exit, Json};

use super::{
    ResultParts, Running, SessionStart, SessionTransport, ToolRequest, ToolRequestReceiver,
    ToolUpdate,
};
use crate::transport::stopped::{kept, text_block};
use crate::{
    CallOptions, CallOutcome, Conversation, Event, ExchangeOptions, PendingQuestion, Transport, Who,
};

/// Any tool that runs once, as a tool that keeps running while it is called: its questions become questions of the
/// session, and it runs again with the answers.
///
/// ```
/// use std::sync::Arc;
/// use toolwire_host::{Command, OneShot, Process, SessionTransport};
///
/// let make = OneShot::new(Arc::new(Process::from(Command::new("make"))));
/// fn is_transport(_: impl SessionTransport) {}
/// is_transport(make);
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct OneShot {
    transport: Arc<dyn Transport>,
    /// How its questions are handled.
    pub exchange: ExchangeOptions,
}

impl OneShot {
    /// The tool behind this transport.
    #[must_use]
    pub fn new(transport: Arc<dyn Transport>) -> Self {
        OneShot {
            transport,
            exchange: ExchangeOptions::default(),
        }
    }
}

impl fmt::Debug for OneShot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OneShot")
    }
}

impl SessionTransport for OneShot {
    fn start(&self, start: SessionStart) -> Running {
        let (transport, exchange) = (Arc::clone(&self.transport), self.exchange.clone());
        let mut running =
            Running::new(|given, told| drive(transport, exchange, start, given, told));
        running.takes_input = false;
        running
    }
}

/// The driver of a call, which ends with whoever listens to it.
struct Driving(tokio::task::JoinHandle<()>);

impl Drop for Driving {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn drive(
    transport: Arc<dyn Transport>,
    exchange: ExchangeOptions,
    start: SessionStart,
    mut given: ToolRequestReceiver,
    told: mpsc::Sender<ToolUpdate>,
) {
    let options = CallOptions {
        exchange,
        stderr_events: true,
        tool_events: true,
        ..CallOptions::default()
    };
    let (conversation, driver) = Conversation::new(transport, start.call, options);
    let mut driving = Driving(tokio::spawn(driver));
    let last = loop {
        tokio::select! {
            event = conversation.next() => {
                let said = match event {
                    Some(Event::Stderr(piece) | Event::Log(piece)) => ToolUpdate::Stderr(piece),
                    Some(Event::Progress(progress)) => ToolUpdate::Event(ToolEvent::Progress(progress)),
                    Some(Event::Message(message)) => ToolUpdate::Event(ToolEvent::Message(message)),
                    Some(Event::Question(asked)) => {
                        let _ = told.send(ToolUpdate::Output(context(&asked))).await;
                        question(*asked)
                    }
                    Some(Event::Done(Ok(outcome))) => {
                        let _ = told.send(ToolUpdate::Output(blocks(&outcome))).await;
                        if let Some(parts) = ResultParts::of(outcome.parsed.root()) {
                            let _ = told.send(ToolUpdate::Result(Box::new(parts))).await;
                        }
                        break end(&outcome);
                    }
                    Some(Event::Done(Err(error))) => break ToolUpdate::Crash(error.to_string()),
                    None => break ToolUpdate::Crash("the call was given up".to_owned()),
                };
                let _ = told.send(said).await;
            }
            Some(given) = given.recv() => match given {
                ToolRequest::Answer { id, answer } => conversation.answer(&id, answer),
                ToolRequest::End(_) => conversation.cancel(),
                ToolRequest::Kill => conversation.kill(),
                // Nobody gives input to what takes none.
                ToolRequest::Input(_) | ToolRequest::PersonInput(_) => {}
            },
        }
    };
    let _ = (&mut driving.0).await;
    let _ = told.send(last).await;
}

/// The blocks before a question that were not reported before.
fn context(asked: &PendingQuestion) -> Vec<Json> {
    let new = asked.context.iter().skip(asked.shown);
    let blocks = new.filter(|_| asked.mismatches.is_empty());
    blocks
        .filter_map(|block| Json::new(block.to_json()).ok())
        .collect()
}

fn question(asked: PendingQuestion) -> ToolUpdate {
    ToolUpdate::Question {
        person: asked.secret.is_some() || asked.who == Some(Who::User),
        question: asked.question,
    }
}

/// Its result: its blocks verbatim, and its structured content as a text, unless a block has it.
fn blocks(outcome: &CallOutcome) -> Vec<Json> {
    let mut blocks: Vec<Json> = kept(&outcome.parsed).map(Json::from).collect();
    if let Some(structured) = outcome.parsed.structured_content() {
        let structured = Json::from(structured);
        let says = |block: &Json| {
            let text = block.at("/text").and_then(|text| text.to_text());
            text.and_then(|text| Json::new(text).ok()) == Some(structured.clone())
        };
        if !blocks.iter().any(says) {
            let text = text_block(structured.as_str());
            blocks.extend(Json::new(text));
        }
    }
    blocks
}

fn end(outcome: &CallOutcome) -> ToolUpdate {
    match outcome.report.exit {
        Some(Exit::Code(status)) if status != 0 => ToolUpdate::Exit(status),
        _ if outcome.parsed.is_error() => ToolUpdate::Exit(1),
        _ => ToolUpdate::Exit(0),
    }
}

//! The end of a turn, and the announcements of a host's next message (HOST-40).

use std::sync::Arc;
use std::time::Duration;

use toolwire::Json;
use toolwire::block::Question;
use toolwire::call::{AnswerState, Call};
use toolwire::json::ObjectWriter;
use toolwire::session::{Effect, SessionEvent, SessionState, TurnPolicy};

use super::TurnEnd;
use super::announcement::Announcement;
use super::handle::Handle;
use super::registry::{Sessions, until_stopped};
use crate::ExchangeOptions;
use crate::exchange::{Plan, plan};
use crate::later::after;

impl Sessions {
    /// The handles that wait or have stopped, each once, unless a fetch has reported it.
    #[must_use]
    pub fn announcements(&self) -> Vec<Announcement> {
        let mut announcements = self.0.take_forgotten();
        for handle in self.0.all() {
            announcements.extend(handle.take_announcement());
        }
        announcements
    }

    /// Ends a turn: what still runs is treated as the rules of its tool say. When this returns, the handles that
    /// were to end have stopped.
    pub async fn end_of_turn(&self) {
        let handles = self.0.all();
        let mut ending = Vec::new();
        for handle in handles {
            ending.push(tokio::spawn(end_turn(handle)));
        }
        for one in ending {
            // One that panics has not kept the others from ending.
            let _ = one.await;
        }
        self.0.next_turn();
        for handle in self.0.all() {
            self.0.expire(&handle);
        }
    }
}

async fn end_turn(handle: Arc<Handle>) {
    let (mut policy, mut time) = match handle.lock().rules.turn {
        TurnEnd::Abort => (TurnPolicy::Abort, None),
        TurnEnd::Wait(time) => (TurnPolicy::Wait, Some(time)),
        TurnEnd::Keep => (TurnPolicy::Keep, None),
        TurnEnd::Ask => (TurnPolicy::Ask, None),
    };
    loop {
        let outcome = handle.tell(SessionEvent::EndOfTurn { policy });
        let asks = outcome.effects.contains(&Effect::Ask);
        let waits = outcome.effects.contains(&Effect::Wait);
        if asks {
            policy = ask(&handle).await;
            continue;
        }
        if waits {
            let time = time.take().unwrap_or(handle.options.max_wait);
            until_stopped(&handle, after(time)).await;
            policy = TurnPolicy::Abort;
            continue;
        }
        break;
    }
    if handle.state() == SessionState::Ending {
        let patience = handle.patience(Duration::from_secs(10));
        until_stopped(&handle, after(patience)).await;
    }
}

/// What a person wants to become of a handle.
async fn ask(handle: &Handle) -> TurnPolicy {
    let Some(answerer) = &handle.options.answerer else {
        return TurnPolicy::Abort;
    };
    let Some(question) = question(handle) else {
        return TurnPolicy::Abort;
    };
    let call = Call::new(&handle.tool().description.name, Json::empty_object());
    let options = ExchangeOptions::default();
    let Plan::Ask(pending) = plan(&options, &call, &question, &[], true) else {
        return TurnPolicy::Abort;
    };
    let answer = answerer.answer(&pending).await;
    let chosen = answer.value().and_then(Json::to_text);
    match chosen.as_deref() {
        Some("wait") if answer.state() == AnswerState::Accepted => TurnPolicy::Wait,
        Some("keep") if answer.state() == AnswerState::Accepted => TurnPolicy::Keep,
        _ => TurnPolicy::Abort,
    }
}

fn question(handle: &Handle) -> Option<Question> {
    let text = format!(
        "`{}` is still running at the end of the turn. What is to become of it?",
        handle.id
    );
    let json = ObjectWriter::new()
        .text("id", "end_of_turn")
        .text("text", text)
        .json("schema", r#"{"enum":["abort","wait","keep"]}"#)
        .end();
    toolwire::question::read_question(&json).ok()
}

//! How a handle stands, in words.

use std::time::{SystemTime, UNIX_EPOCH};

use toolwire::Json;
use toolwire::session::SessionState;
use toolwire_host::handles::Listed;

use crate::exit::Outcome;
use crate::terminal;

/// What is known of a handle.
pub struct Standing<'a> {
    /// Its state (SES-1).
    pub state: SessionState,
    /// Whether only a person may answer or type.
    pub person: bool,
    /// How it has ended, as `end` of SES-50.
    pub end: Option<&'a Json>,
    /// Its last progress (EVT-10).
    pub progress: Option<&'a Json>,
}

/// How a handle stands.
pub fn of(standing: &Standing<'_>) -> String {
    match (standing.state, standing.person) {
        (SessionState::Waiting, true) => "waits for an answer of a person".to_owned(),
        (SessionState::Waiting, false) => "waits for an answer".to_owned(),
        (SessionState::Running, true) => "running, waits for a person to type".to_owned(),
        (SessionState::Running, false) => match standing.progress {
            Some(progress) => format!("running, {}", far(progress)),
            None => "running".to_owned(),
        },
        (SessionState::Stopped, _) => match standing.end {
            Some(end) => format!("stopped: {}", ended(end)),
            None => "stopped".to_owned(),
        },
        (state, _) => state.as_str().to_owned(),
    }
}

/// How a handle of a list stands, with its question.
pub fn listed(one: &Listed) -> String {
    let how = of(&Standing {
        state: one.state,
        person: one.person,
        end: one.end.as_ref(),
        progress: one.progress.as_ref(),
    });
    if one.task {
        // It can be aborted here, and nothing else.
        return format!("{how} (a task of an MCP client)");
    }
    match &one.asks {
        Some(asks) => format!("{how}: {}", terminal::safe(&asks.question.text)),
        None => how,
    }
}

/// How long ago a handle was spawned, in words.
pub fn ago(started: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = now.map_or(0, |now| now.as_secs().saturating_sub(started));
    let (number, unit) = match seconds {
        0..60 => (seconds, "s"),
        60..3600 => (seconds / 60, "min"),
        _ => (seconds / 3600, "h"),
    };
    format!(", started {number} {unit} ago")
}

/// Whether somebody is needed before a handle goes on.
pub fn needs_somebody(one: &Listed) -> bool {
    one.state == SessionState::Waiting || one.person && one.state == SessionState::Running
}

/// What a handle that was waited for means for whoever waited.
pub fn outcome(one: &Listed) -> Outcome {
    let is = |name: &str, text: &str| {
        let end = one.end.as_ref();
        end.and_then(|end| end.at(name))
            .is_some_and(|value| value.as_str() == text)
    };
    match one.state {
        SessionState::Stopped if is("/reason", "\"exited\"") && is("/status", "0") => {
            Outcome::Success
        }
        SessionState::Stopped => Outcome::Negative,
        _ if needs_somebody(one) => Outcome::NeedsSomebody,
        _ => Outcome::Late,
    }
}

fn ended(end: &Json) -> String {
    let text = |name: &str| end.at(name).and_then(|value| value.to_text());
    let reason = text("/reason").unwrap_or_default();
    let how = match reason.as_str() {
        "exited" => {
            let status = end
                .at("/status")
                .map_or_else(String::new, |status| status.to_string());
            format!("exit status {status}")
        }
        "crashed" => text("/message").unwrap_or_else(|| "the tool crashed".to_owned()),
        "timed_out" => "it took too long".to_owned(),
        "idle" => "nothing happened for too long".to_owned(),
        "turn_ended" => "the turn was over".to_owned(),
        "host_ended" => "the host ended".to_owned(),
        other => other.to_owned(),
    };
    terminal::safe(&how)
}

fn far(progress: &Json) -> String {
    let number = |name: &str| progress.at(name).map(|number| number.to_string());
    let mut far = match (number("/done"), number("/total")) {
        (Some(done), Some(total)) => format!("{done} of {total}"),
        (Some(done), None) => format!("{done} done"),
        _ => String::new(),
    };
    if let Some(message) = progress.at("/message").and_then(|text| text.to_text()) {
        let gap = if far.is_empty() { "" } else { ": " };
        far.push_str(&format!("{gap}{}", terminal::safe(&message)));
    }
    far
}

//! What a server says while a call runs: progress and log.

use serde_json::Value;
use toolwire::event::{Level, Message, Progress};
use toolwire_host::Control;

use super::queue::Said;

/// The most characters of a text that are passed on.
const SHOWN: usize = 16 * 1024;

/// Passes on what a server says beside its answer. It may have to wait for room.
pub(super) async fn pass(said: &Said, control: &Control) {
    match said {
        Said::Progress(params) => {
            if let Some(progress) = progress(params) {
                control.progress(&progress);
            }
        }
        Said::Log(params) => match log(params) {
            Some(message) if control.wants_events() => control.message(&message),
            Some(message) => control.stderr(line(&message).as_bytes()).await,
            None => {}
        },
        // What some programs print to stdout.
        Said::Noise(line) => control.stderr(format!("{line}\n").as_bytes()).await,
        Said::Opened(_) | Said::Asked(_) => {}
    }
}

fn progress(params: &str) -> Option<Progress> {
    let params: Value = serde_json::from_str(params).ok()?;
    let number = |name: &str| params.get(name).and_then(Value::as_f64);
    let message = params.get("message").and_then(Value::as_str).map(shown);
    Some(Progress::new(number("progress")?, number("total"), message))
}

fn log(params: &str) -> Option<Message> {
    let params: Value = serde_json::from_str(params).ok()?;
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let level = text("level").and_then(|level| level.parse().ok());
    let data = match params.get("data")? {
        Value::String(text) => shown(text),
        data => shown(&data.to_string()),
    };
    let mut message = Message::new(level.unwrap_or(Level::Info), data);
    message.logger = text("logger").map(shown);
    Some(message)
}

/// A message on a line of its own, for who takes no events.
fn line(message: &Message) -> String {
    let logger = message.logger.as_ref();
    let logger = logger.map_or_else(String::new, |logger| format!("{logger}: "));
    format!("{}: {logger}{}\n", message.level, message.text)
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

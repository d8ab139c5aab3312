//! What a server says while a call runs: progress and log.

use toolwire::Json;
use toolwire::event::{Level, Message, Progress};
use toolwire_host::Control;
use toolwire_rpc::{self as rpc, Arrived};

/// The method that tells of progress.
pub(super) const PROGRESS: &str = "notifications/progress";

/// The method that tells that a request is cancelled.
pub(super) const CANCELLED: &str = "notifications/cancelled";

/// The maximum characters of a text that are passed on.
const SHOWN: usize = 16 * 1024;

/// Passes on what a server says beside its answer. It may have to wait for room.
pub(super) async fn pass(arrived: &Arrived, control: &Control) {
    match arrived {
        Arrived::Notification(said) if said.method() == PROGRESS => {
            if let Some(progress) = progress(said) {
                control.progress(&progress);
            }
        }
        Arrived::Notification(said) => match log(said) {
            Some(message) if control.wants_events() => control.message(&message),
            Some(message) => control.stderr(line(&message).as_bytes()).await,
            None => {}
        },
        // What some programs print to stdout.
        Arrived::Damage(damage) => {
            control
                .stderr(format!("{}\n", damage.quote).as_bytes())
                .await
        }
        Arrived::Request(_) => {}
    }
}

fn progress(said: &rpc::Message) -> Option<Progress> {
    let number = |name: &str| said.member(name)?.parse().ok();
    let message = said.text_of("message").map(|text| shown(&text));
    Some(Progress::new(number("progress")?, number("total"), message))
}

fn log(said: &rpc::Message) -> Option<Message> {
    let level = said.text_of("level").and_then(|level| level.parse().ok());
    let data = said.member("data")?;
    let text = Json::new(data).ok().and_then(|data| data.to_text());
    let text = shown(text.as_deref().unwrap_or(data));
    let mut message = Message::new(level.unwrap_or(Level::Info), text);
    message.logger = said.text_of("logger").map(|logger| shown(&logger));
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

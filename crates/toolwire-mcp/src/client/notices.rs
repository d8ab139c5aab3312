//! What a server says while a call runs: progress and log.

use serde_json::Value;
use toolwire_host::Control;

use super::wire::Said;

/// The most characters of a log message that are shown.
const SHOWN: usize = 16 * 1024;

/// Passes on what a server says beside its answer. It may have to wait for room.
pub(super) async fn pass(said: &Said, control: &Control) {
    match said {
        Said::Log(params) => log(params, control).await,
        // What some programs print to stdout.
        Said::Noise(line) => control.stderr(format!("{line}\n").as_bytes()).await,
        Said::Progress(_) | Said::Opened(_) | Said::Asked(_) => {}
    }
}

async fn log(params: &str, control: &Control) {
    let params: Value = serde_json::from_str(params).unwrap_or_default();
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let data = match params.get("data") {
        Some(Value::String(text)) => text.clone(),
        Some(data) => data.to_string(),
        None => return,
    };
    let mut line = String::new();
    for part in [text("level"), text("logger")].into_iter().flatten() {
        line.push_str(part);
        line.push_str(": ");
    }
    line.extend(data.chars().take(SHOWN));
    line.push('\n');
    control.stderr(line.as_bytes()).await;
}

//! Tools that keep running, as clients are shown them.

use std::time::Duration;

use toolwire::call::{SessionAction, ToolDescription};
use toolwire::session::{ActionStyle, action_schema};

use super::HandleOptions;
use super::served::Way;

/// The tool as clients are shown it: its actions, in one flat schema, and how long its handles last.
pub(super) fn shown(own: &ToolDescription, options: &HandleOptions) -> ToolDescription {
    let mut shown = own.clone();
    shown.input_schema = action_schema(own, ActionStyle::Flat);
    // What it says comes in pieces.
    shown.output_schema = None;
    let mut about = shown.description.take().unwrap_or_default();
    if !about.is_empty() {
        about.push_str("\n\n");
    }
    about
        .push_str("It keeps running: `spawn` starts it, and later calls name it by the same `id`.");
    if options.shared {
        about.push_str(
            " The `id` of a `spawn` is only a label: its answer says by which handle later calls name it.",
        );
    }
    if options.link().is_some() {
        about.push_str(
            " It goes on when this connection ends, and is found by its `id` from the next.",
        );
    }
    let idle = options
        .idle
        .map(|idle| format!("ends when nothing happens for {}, and ", spoken(idle)));
    about.push_str(&format!(
        " A handle {}can be fetched for {} after it has stopped.",
        idle.unwrap_or_default(),
        spoken(options.keep)
    ));
    shown.description = Some(about);
    shown
}

/// A time for a reader: `90 seconds`, `10 minutes`, `1 hour`.
fn spoken(time: Duration) -> String {
    let seconds = time.as_secs();
    let (number, unit) = match seconds {
        0 => return format!("{} ms", time.as_millis()),
        _ if seconds.is_multiple_of(3600) => (seconds / 3600, "hour"),
        _ if seconds.is_multiple_of(60) => (seconds / 60, "minute"),
        _ => (seconds, "second"),
    };
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {unit}{plural}")
}

/// Whether there is something that carries a program that knows nothing of sessions, if it is one.
pub(super) fn can_be_carried(way: &Way, handles: &HandleOptions) -> bool {
    let Way::Manifest(tool) = way else {
        return true;
    };
    tool.session.is_none() || handles.link().is_some() || handles.carrier.is_some()
}

/// Whether clients can drive it: one that is never spawned can't be.
pub(super) fn is_kept(tool: &ToolDescription, way: &Way) -> bool {
    let carried = !matches!(way, Way::Functions(_) | Way::Server(_));
    carried && tool.actions.contains(&SessionAction::Spawn)
}

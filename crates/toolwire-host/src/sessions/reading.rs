//! How a handle is read: what counts as new, how long it is waited for, and what is handed over (HOST-12, HOST-13).

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout_at;
use toolwire::call::AnswerSource;
use toolwire::json::{Document, ObjectWriter, array};
use toolwire::session::{Effect, SessionEvent, SessionView};

use super::handle::{Handle, News};
use super::since::Since;
use super::{FetchOptions, Fetched, screen};
use crate::later::{FAR, after};
use crate::transport::stopped::text_block;

/// Waits for something new, and then until nothing more follows for a while.
pub(super) async fn settle(
    handle: &Arc<Handle>,
    wait: Duration,
    options: &FetchOptions,
    since: &Since,
) {
    let deadline = tokio::time::Instant::from(after(wait));
    loop {
        let mut changes = handle.changes();
        let now = tokio::time::Instant::now();
        let until = match handle.news(options, since) {
            News::Now => return,
            News::Said(left) if left.is_zero() => return,
            News::Said(left) => deadline.min(now + left.min(FAR)),
            News::Nothing => deadline,
        };
        if timeout_at(until, changes.changed()).await.is_err() && until >= deadline {
            return;
        }
    }
}

/// Hands over what is new.
pub(super) fn fetch(
    handle: &Arc<Handle>,
    by: AnswerSource,
    options: &FetchOptions,
    since: &Since,
) -> Fetched {
    let mut state = handle.lock();
    let after = options.after;
    if let Some(bytes) = options.tail {
        state.machine.drop_but(bytes);
    }
    let view = screen::chosen(&mut state, options.view);
    let shows = view != SessionView::New;
    let found = options.until.as_deref();
    let found = found.map(|text| since.has_come(text, &state, view));
    // Blocks in whose place a screen is shown do not count as delivered.
    let event = SessionEvent::Fetch {
        by,
        after: match after {
            None if shows => Some(state.acknowledged),
            after => after,
        },
        max_bytes: match shows {
            true => None,
            false => Some(options.max_bytes.unwrap_or(handle.options.max_reply)),
        },
    };
    let outcome = handle.step(&mut state, event).outcome;
    if let Some(refusal) = outcome.refusal {
        drop(state);
        return Fetched::refused(&handle.id, outcome.state, refusal);
    }
    let envelope = outcome.effects.into_iter().find_map(|effect| match effect {
        Effect::Reply { envelope } => Some(envelope.as_str().to_owned()),
        _ => None,
    });
    let mut envelope = envelope.unwrap_or_default();
    state.fetched(after, !shows);
    if shows {
        envelope = screen::with_screen(&envelope, view, options.view.is_some(), &mut state);
    }
    let last = after.filter(|_| !shows);
    let last = last.map(|_| state.machine.last_handed_over());
    let noted = with_notes(&envelope, found, last);
    let envelope = state.with_result(noted.unwrap_or(envelope), after);
    Fetched {
        asks: state.asks(),
        prints: state.prints(),
        ..Fetched::new(&handle.id, outcome.state, envelope)
    }
}

/// The envelope with what the machine does not know: whether the text has come that was waited for, and, for a model
/// that says which blocks it has, the number of the last one (HOST-16). Nothing if there is nothing to add.
fn with_notes(envelope: &str, found: Option<bool>, last: Option<u64>) -> Option<String> {
    let missing = (found == Some(false)).then(|| "the text of `until` has not come".to_owned());
    let last = last.map(|last| format!("last block {last}"));
    if found.is_none() && last.is_none() {
        return None;
    }
    let document = Document::new(envelope).ok()?;
    let root = document.root();
    let blocks = root.get("content")?;
    let blocks = blocks.elements().map(|block| block.raw().to_owned());
    let notes = missing.into_iter().chain(last);
    let content: Vec<String> = blocks.chain(notes.map(|note| text_block(&note))).collect();
    let about = root.get("_meta")?.get(screen::KEY)?;
    let mut session = ObjectWriter::new();
    for (name, value) in about.members() {
        session.json(&name, value.raw());
    }
    session.optional_json("found", found.map(|found| found.to_string()));
    Some(screen::rebuilt(root, array(content), session.end()))
}

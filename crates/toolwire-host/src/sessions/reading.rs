//! How a handle is read: what counts as new, how long it is waited for, and what is handed over (HOST-12, HOST-13).

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout_at;
use toolwire::Json;
use toolwire::call::AnswerSource;
use toolwire::json::{Document, ObjectWriter, array};
use toolwire::session::{Applied, Effect, SessionEvent, SessionView};

use super::handle::{Handle, News, State};
use super::{FetchOptions, Fetched, screen};
use crate::later::{FAR, after};
use crate::transport::stopped::text_block;

/// What a reader knows already, so that a text that it waits for is not found in it.
#[derive(Debug, Default)]
pub(super) struct Since {
    /// The last block.
    after: u64,
    /// The screen.
    screen: Option<String>,
    /// What was typed, which a terminal shows first.
    typed: Option<String>,
}

impl Since {
    /// For a fetch: what was handed over before, or the reader says that it has.
    pub(super) fn seen(handle: &Handle, after: Option<u64>) -> Self {
        let state = handle.lock();
        Since {
            after: after.unwrap_or(state.seen),
            screen: state.seen_screen.clone(),
            typed: None,
        }
    }

    /// For a spawn: all that was said under the id.
    pub(super) fn spawned(handle: &Handle) -> Self {
        Since {
            after: handle.lock().machine.last_block(),
            ..Since::default()
        }
    }

    /// For what is applied: all that was said before.
    pub(super) fn given(what: &Applied, state: &State) -> Self {
        let screen = state.screen().map(|screen| screen.text());
        let typed = match what {
            Applied::Input(input) if screen.is_some() => typed(input),
            _ => None,
        };
        Since {
            after: state.machine.last_block(),
            screen,
            typed,
        }
    }

    /// Whether a text has come since: in what was said, or, where the screen is shown, in one of its rows that was
    /// not there.
    pub(super) fn has_come(&self, text: &str, state: &State, view: SessionView) -> bool {
        // Nobody can tell the blanks at the end of a row of a terminal from those that were written there.
        let text = match text.trim_end_matches(' ') {
            "" => text,
            trimmed if state.screen().is_some() => trimmed,
            _ => text,
        };
        let said: String = state.recent.after(self.after).collect();
        let said = match &self.typed {
            Some(typed) => without_echo(&said, typed),
            None => &said,
        };
        if said.contains(text) || view == SessionView::New {
            return said.contains(text);
        }
        let Some(screen) = state.screen() else {
            return false;
        };
        // The first line says how large it is.
        let before: Vec<&str> = self.screen.iter().flat_map(|all| all.lines()).collect();
        let whole = screen.text();
        let rows = whole.lines().skip(1).filter(|row| !before.contains(row));
        rows.collect::<Vec<_>>().join("\n").contains(text)
    }
}

/// The first line of what is typed.
fn typed(input: &Json) -> Option<String> {
    let text = match input.to_text() {
        Some(text) => text,
        None => input.at("/text")?.to_text()?,
    };
    let line = text.split(['\r', '\n']).next().unwrap_or_default();
    Some(line.trim().to_owned()).filter(|line| !line.is_empty())
}

/// What was said after the echo of what was typed, if it begins with that.
fn without_echo<'a>(said: &'a str, typed: &str) -> &'a str {
    said.trim_start().strip_prefix(typed).unwrap_or(said)
}

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
            None if shows => Some(state.acknowledged()),
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

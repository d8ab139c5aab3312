//! What a reader of a handle knows already.

use toolwire::Json;
use toolwire::session::{Applied, SessionView};

use super::state::State;

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
    pub(super) fn seen(state: &State, after: Option<u64>) -> Self {
        Since {
            after: after.unwrap_or(state.seen),
            screen: state.last.seen_screen.clone(),
            typed: None,
        }
    }

    /// For a spawn: all that was said under the id.
    pub(super) fn spawned(state: &State) -> Self {
        Since {
            after: state.machine.last_block(),
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

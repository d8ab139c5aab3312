//! What a host's next message announces (HOST-40).

use toolwire::json::ObjectWriter;
use toolwire::session::SessionState;
use toolwire::{Json, headline};

use super::handle::Handle;
use super::state::State;

/// What a host's next message announces of a handle: that it waits, or has stopped.
///
/// ```
/// use toolwire_host::{Sessions, SessionsOptions};
///
/// assert!(Sessions::new(SessionsOptions::default()).announcements().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Announcement {
    /// The handle.
    pub id: String,
    /// Its tool.
    pub tool: String,
    /// What people call it.
    pub label: Option<String>,
    /// `waiting` or `stopped`; `running` if only a person may type; `absent` if it is not kept any more, though nobody has fetched it.
    pub state: SessionState,
    /// A sentence for a model or a person.
    pub text: String,
}

impl Announcement {
    /// The announcement as a JSON object, `{"id","tool","label","state","text"}`; without a label, that member is
    /// left out.
    #[must_use]
    pub fn to_json(&self) -> String {
        ObjectWriter::new()
            .text("id", &self.id)
            .text("tool", &self.tool)
            .optional("label", self.label.as_deref())
            .text("state", self.state.as_str())
            .text("text", &self.text)
            .end()
    }

    pub(super) fn forgotten(&mut self, dropped: Option<&Json>) {
        self.state = SessionState::Absent;
        let missed = match dropped {
            Some(_) => ", and what it said was never fetched",
            None => "",
        };
        self.text = format!(
            "`{}` has stopped and is not kept any longer{missed}",
            self.id
        );
    }
}

impl Handle {
    /// The announcement of the handle, unless it was made before. It counts as made from now on: both under one
    /// lock, so that no change in between is lost.
    pub(super) fn take_announcement(&self) -> Option<Announcement> {
        let mut state = self.lock();
        let announcement = self.announcement(&state)?;
        state.announce = false;
        Some(announcement)
    }

    /// The announcement of the handle, unless it was made before.
    pub(super) fn announcement(&self, state: &State) -> Option<Announcement> {
        if !state.announce {
            return None;
        }
        let now = state.machine.state();
        let text = match (now, state.machine.question()) {
            (SessionState::Waiting, Some(question)) => {
                let asks = headline(question.text.as_bytes()).unwrap_or_default();
                format!(
                    "`{}` waits for an answer to `{}`: {asks}",
                    self.id, question.id
                )
            }
            (SessionState::Running, _) if state.last.person => {
                format!("`{}` waits for a person to type", self.id)
            }
            (SessionState::Stopped, _) => format!("`{}` has stopped: fetch it", self.id),
            _ => return None,
        };
        Some(Announcement {
            id: self.id.clone(),
            tool: state.tool.description.name.clone(),
            label: state.label.clone(),
            state: now,
            text,
        })
    }
}

//! For a host that gets its tools with each spawn, such as the user's session host.

use std::sync::Arc;

use toolwire::block::Question;
use toolwire::call::{AnswerSource, Call};

use super::{Attached, Fetched, SessionTool, Sessions, SpawnOptions};

impl Sessions {
    /// Starts a tool that is not among those of this host, as [`spawn`](Sessions::spawn) starts one that is. No
    /// model can call it by its name.
    pub async fn spawn_own(
        &self,
        id: &str,
        tool: SessionTool,
        call: Call,
        by: AnswerSource,
        options: &SpawnOptions,
    ) -> Fetched {
        self.spawn_tool(id, &Arc::new(tool), call, by, options)
            .await
    }

    /// The question that a handle asks now.
    #[must_use]
    pub fn question(&self, id: &str) -> Option<Question> {
        let handle = self.0.find(id)?;
        let state = handle.lock();
        state.machine.question().cloned()
    }

    /// Whether a handle has a terminal, and a person's part in it: nothing if the tool has ended.
    #[must_use]
    pub fn attach(&self, id: &str) -> (bool, Option<Attached>) {
        let Some(handle) = self.0.find(id) else {
            return (false, None);
        };
        let state = handle.lock();
        let screen = state.screen().cloned();
        drop(state);
        let part = screen.as_ref().and_then(|screen| screen.attach());
        (screen.is_some(), part)
    }
}

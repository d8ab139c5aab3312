//! For a host that gets its tools with each spawn, such as the user's session host.

use std::sync::Arc;

use toolwire::call::{AnswerSource, Call};

use super::handle::Handle;
use super::state::is_free;
use super::{Fetched, Screen, SessionTool, Sessions, SpawnOptions};

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

    /// The screen of the tool of a handle, if it has one.
    #[must_use]
    pub fn screen(&self, id: &str) -> Option<Arc<dyn Screen>> {
        let handle = self.0.find(id)?;
        let state = handle.lock();
        state.screen().cloned()
    }

    /// How many handles are needed: those whose tool has not ended, and those that have something to fetch.
    #[must_use]
    pub fn needed(&self) -> usize {
        let handles = self.0.all();
        let is_needed = |handle: &&Arc<Handle>| !is_free(&handle.lock().machine);
        handles.iter().filter(is_needed).count()
    }
}

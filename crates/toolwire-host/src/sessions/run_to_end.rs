//! A tool that keeps running, called as one that runs once.

use std::sync::{Arc, Weak};

use toolwire::call::{AnswerSource, Call};
use toolwire::session::{Effect, SessionEvent};

use super::fetched::error_envelope;
use super::handle::Handle;
use super::registry::{Sessions, until_stopped};
use super::{SessionTool, pump};
use crate::later::{FAR, after};

/// The id of a handle that nobody knows.
const ID: &str = "call";

/// A handle that no list has: it ends when nobody waits for it any more.
struct Unlisted(Arc<Handle>);

impl Drop for Unlisted {
    fn drop(&mut self) {
        self.0.drop_all();
    }
}

impl Sessions {
    pub(super) async fn run_to_end(&self, tool: &Arc<SessionTool>, call: Call) -> String {
        let made = Handle::new(ID, Arc::clone(tool), Arc::clone(&self.0.options), true);
        let handle = match made {
            Ok(handle) => Unlisted(handle),
            Err(error) => return error_envelope(error.message()),
        };
        let handle = &handle.0;
        let changed = handle.spawn(AnswerSource::Policy, tool, call, None);
        let Some(started) = changed.started else {
            return error_envelope("the tool was not started");
        };
        pump::begin(handle, started, Weak::new());
        until_stopped(handle, after(FAR)).await;
        let fetch = SessionEvent::Fetch {
            by: AnswerSource::Policy,
            after: None,
            max_bytes: None,
        };
        let outcome = handle.tell(fetch);
        let envelope = outcome.effects.into_iter().find_map(|effect| match effect {
            Effect::Reply { envelope } => Some(envelope.as_str().to_owned()),
            _ => None,
        });
        let envelope = envelope.unwrap_or_else(|| error_envelope("the tool has said nothing"));
        handle.lock().with_result(envelope, None)
    }
}

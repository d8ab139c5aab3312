//! Which handles there are: ids that are spawned, and room that is made for them (SES-21, HOST-33).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use toolwire::Code;
use toolwire::call::{AnswerSource, SessionAction};
use toolwire::session::{Effect, Refusal, SessionEvent, SessionState};

use super::SessionTool;
use super::fetched::Fetched;
use super::handle::Handle;
use super::shared::{NAMED, Shared, lock};
use super::state::is_free;
use crate::descriptors;

impl Shared {
    /// The handle to be spawned; or why it is not. `keep` says that it is to be made if there is none, and that
    /// others make room for it, and that it must not be forgotten before [`Handle::spawn`]; without, everything stays
    /// as it is.
    pub(super) fn claim(
        &self,
        id: &str,
        tool: &Arc<SessionTool>,
        by: AnswerSource,
        keep: bool,
    ) -> Result<Arc<Handle>, Box<Fetched>> {
        let refuse = |state, refusal| Err(Box::new(Fetched::refused(id, state, refusal)));
        if self.closed.load(Ordering::SeqCst) {
            let refusal = Refusal::new(Code::HandleStopped, "the host ends", Vec::new());
            return refuse(SessionState::Absent, refusal);
        }
        let mut handles = lock(&self.handles);
        let known = handles.get(id).cloned();
        if let Some(handle) = &known {
            let mut state = handle.lock();
            if !is_free(&state.machine) {
                let (name, other) = (&tool.description.name, &state.tool.description.name);
                if name != other {
                    let message = format!("`{id}` is a handle of the tool `{other}`");
                    let refusal = Refusal::new(Code::HandleExists, message, Vec::new());
                    return refuse(state.machine.state(), refusal);
                }
                let event = SessionEvent::Spawn { by };
                let outcome = handle.step(&mut state, event).outcome;
                if let Some(refusal) = outcome.refusal {
                    return refuse(outcome.state, refusal);
                }
            }
        }
        // What the tool that is to be spawned offers counts, whatever ran under the id before.
        let fresh = Handle::new(id, Arc::clone(tool), Arc::clone(&self.options), false)
            .map_err(|error| Fetched::mistaken(id, &error))?;
        let state = known
            .as_ref()
            .map_or(SessionState::Absent, |handle| handle.state());
        let possible = fresh.lock().machine.possible(by);
        if !possible.contains(&SessionAction::Spawn) {
            let outcome = fresh.tell(SessionEvent::Spawn { by });
            if let Some(refusal) = outcome.refusal {
                return refuse(state, refusal);
            }
        }
        let leave = match self.room(&handles, &fresh) {
            Ok(leave) => leave,
            Err(refusal) => return refuse(state, refusal),
        };
        let handle = known.unwrap_or(fresh);
        if keep {
            for id in leave {
                if let Some(told) = handles.remove(&id) {
                    told.drop_all();
                }
            }
            handle.lock().is_claimed = true;
            handles.insert(id.to_owned(), Arc::clone(&handle));
        }
        Ok(handle)
    }

    /// The handles that leave so that there is room for this one: those that have nothing left to say, the oldest
    /// first; or why there is no room. One of the same id is replaced.
    fn room(
        &self,
        handles: &BTreeMap<String, Arc<Handle>>,
        new: &Handle,
    ) -> Result<Vec<String>, Refusal> {
        if descriptors::are_scarce() {
            let message = "this host has too few file descriptors left for another handle: abort one, or raise its \
                           limit (`ulimit -n`)";
            return Err(Refusal::new(Code::OverBudget, message, Vec::new()));
        }
        let others = || handles.values().filter(|other| other.id != new.id);
        let needs = |handle: &Handle| handle.lock().rules.max_bytes;
        let (mut count, most) = (others().count(), self.options.max_handles);
        let mut memory = others().fold(needs(new), |sum, other| sum.saturating_add(needs(other)));
        let mut told: Vec<_> = others()
            .filter_map(|other| Some((other.told_since()?, other)))
            .collect();
        told.sort_by_key(|(since, _)| *since);
        let mut told = told.into_iter();
        let mut leave = Vec::new();
        while count >= most || memory > self.options.max_memory {
            let Some((_, one)) = told.next() else {
                let what = match count >= most {
                    true => format!("there are {count} handles, and no more can be"),
                    false => "the handles that there are may take all of the memory".to_owned(),
                };
                let ids: Vec<&str> = others()
                    .take(NAMED)
                    .map(|other| other.id.as_str())
                    .collect();
                let mut message = format!("{what}: abort one, or fetch one that has stopped");
                if !self.options.secret_ids {
                    message.push_str(&format!(", such as `{}`", ids.join("`, `")));
                }
                return Err(Refusal::new(Code::OverBudget, message, Vec::new()));
            };
            count -= 1;
            memory = memory.saturating_sub(needs(one));
            leave.push(one.id.clone());
        }
        Ok(leave)
    }

    /// Forgets a handle that was kept long enough, and notes it if somebody has missed something.
    pub(super) fn expire(&self, handle: &Arc<Handle>) {
        if !handle.is_due_to_expire(self.turn()) {
            return;
        }
        let mut handles = lock(&self.handles);
        if handles
            .get(&handle.id)
            .is_none_or(|kept| !Arc::ptr_eq(kept, handle))
        {
            return;
        }
        let (announced, outcome) = {
            let mut state = handle.lock();
            if state.is_claimed {
                // It is being spawned again at this moment.
                return;
            }
            let announced = handle.announcement(&state);
            (
                announced,
                handle.step(&mut state, SessionEvent::Expire).outcome,
            )
        };
        let missed = outcome.effects.into_iter().find_map(|effect| match effect {
            Effect::Forget { dropped } => Some(dropped),
            _ => None,
        });
        let Some(dropped) = missed else { return };
        handles.remove(&handle.id);
        drop(handles);
        if let Some(mut announcement) = announced {
            announcement.forgotten(dropped.as_ref());
            lock(&self.forgotten).push(announcement);
        }
        handle.drop_all();
    }
}

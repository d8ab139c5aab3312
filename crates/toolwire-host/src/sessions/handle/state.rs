//! What a handle notes, and what its tool is given.

use std::sync::Arc;
use std::time::Duration;

use toolwire::call::SessionAction;
use toolwire::session::Refusal;
use toolwire::{Code, Json};

use super::{RESERVED, Run, State};
use crate::sessions::tool::SessionTool;
use crate::sessions::{Screen, SessionsOptions, ToolRequest};
use crate::transport::process::Stopwatch;

impl State {
    /// Takes another tool in place of this one, which it gives back.
    pub(super) fn becomes(
        &mut self,
        tool: &Arc<SessionTool>,
        options: &SessionsOptions,
    ) -> Option<Arc<SessionTool>> {
        let rules = tool.rules_in(options);
        self.machine.set_options(tool.limits(rules)).ok()?;
        self.rules = rules.clone();
        Some(std::mem::replace(&mut self.tool, Arc::clone(tool)))
    }

    pub(super) fn session_left(&self) -> Option<Duration> {
        self.rules
            .session_time
            .map(|time| self.spawned.left_of(time))
    }

    pub(in crate::sessions) fn screen(&self) -> Option<&Arc<dyn Screen>> {
        self.run.as_ref()?.screen.as_ref()
    }

    /// Whether the blocks are pieces of what a program prints.
    pub(in crate::sessions) fn prints(&self) -> bool {
        let run = self.run.as_ref();
        run.is_some_and(|run| run.transport.prints())
    }

    pub(super) fn screen_changed(&mut self) -> bool {
        let Some(screen) = self.screen() else {
            return false;
        };
        let text = screen.text();
        self.shown.as_ref() != Some(&text) && !(self.shown.is_none() && text.trim().is_empty())
    }

    /// The state after a fetch. `consumes`: blocks were delivered, not a screen in their place.
    pub(in crate::sessions) fn fetched(&mut self, after: Option<u64>, consumes: bool) {
        if let Some(number) = after {
            self.acknowledged = self.acknowledged.max(number);
        }
        let (handed, last) = (self.machine.last_handed_over(), self.machine.last_block());
        self.seen = match consumes {
            true => handed,
            false => last,
        };
        self.seen_screen = self.screen().map(|screen| screen.text());
        self.asked_told = self.machine.question().map(|question| question.id.clone());
        self.end_told = self.stopped.is_some() && self.seen == last;
        self.person_told = self.person;
        self.announce = false;
    }

    pub(in crate::sessions) fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    pub(super) fn applied(&mut self) {
        self.stop_asking();
        self.recent.applied(self.machine.last_block());
        self.active = Stopwatch::start();
    }

    pub(in crate::sessions) fn stop_asking(&mut self) {
        if let Some(asking) = self.asking.take() {
            asking.abort();
        }
    }

    /// There is room for it: what comes from outside is refused before. If there still is none, the tool
    /// can't be ended in an orderly way.
    pub(super) fn give(&mut self, given: ToolRequest) {
        let Some(run) = &self.run else { return };
        let is_end = matches!(given, ToolRequest::End(_));
        if run.given.try_send(given).is_err() && is_end {
            run.driver.abort();
        }
    }
}

impl Run {
    /// Why the tool is not given something: this input, or an answer.
    pub(super) fn refuses(
        &self,
        input: Option<&Json>,
        possible: Vec<SessionAction>,
    ) -> Option<Refusal> {
        let without_apply = || {
            let others = possible.iter().copied();
            others
                .filter(|action| *action != SessionAction::Apply)
                .collect()
        };
        if input.is_some() && !self.takes_input {
            let message = "this tool takes answers to its questions, and no other input";
            return Some(Refusal::new(
                Code::ActionNotOffered,
                message,
                without_apply(),
            ));
        }
        if self.given.capacity() <= RESERVED {
            let message = "the tool has not taken what it was given before, and this was not added: fetch what it says";
            return Some(Refusal::new(Code::OverBudget, message, without_apply()));
        }
        let error = self.transport.check(input?).err()?;
        let message = match error.pointer() {
            "" => error.message().to_owned(),
            pointer => format!("at `{pointer}`: {}", error.message()),
        };
        Some(Refusal::new(error.code(), message, possible))
    }

    pub(super) fn end(self) {
        self.driver.abort();
        if let Some(pump) = self.pump {
            pump.abort();
        }
    }
}

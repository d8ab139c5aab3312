//! What a handle knows: its machine, its tool while that runs, and what its readers have seen.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use tokio::task::AbortHandle;
use toolwire::call::{AnswerSource, Call, SessionAction};
use toolwire::event::Progress;
use toolwire::session::{Refusal, SessionMachine, SessionState, Timer};
use toolwire::{Code, Json};

use super::recent::RecentText;
use super::tool::SessionTool;
use super::{
    ResultParts, Screen, SessionEnd, SessionRules, SessionTransport, SessionsOptions, ToolRequest,
    ToolRequestSender,
};
use crate::transport::process::Stopwatch;

/// So much of what can be given to a tool is kept free for answers that nobody gave and for its end, so that a tool
/// that takes nothing can still be ended.
pub(super) const RESERVED: usize = 32;

pub(super) struct State {
    pub(super) machine: SessionMachine,
    /// The tool that runs, or ran last, and its rules. An id that is free can be spawned with another.
    pub(super) tool: Arc<SessionTool>,
    pub(super) rules: SessionRules,
    /// The call of the tool that runs, or ran last.
    pub(super) call: Call,
    pub(super) label: Option<String>,
    /// Since when it is in its state.
    pub(super) since: SystemTime,
    pub(super) recent: RecentText,
    /// The last block that a reader acknowledged, and the last one that counts as delivered.
    pub(super) acknowledged: u64,
    /// The last block that the last fetch handed over, or in whose place it showed a screen.
    pub(super) seen: u64,
    /// Whether it is about to be spawned, so that it must not be forgotten.
    pub(super) is_claimed: bool,
    /// Whether the host's next message is to tell its state.
    pub(super) announce: bool,
    /// What answers the open question.
    pub(super) asking: Option<AbortHandle>,
    pub(super) last: LastRun,
}

/// What is known of the tool that runs, or ran last; nothing of it outlives the next start.
pub(super) struct LastRun {
    pub(super) run: Option<Run>,
    /// When the tool last said something.
    pub(super) said_at: Instant,
    /// What the screen was at the last fetch, and what it showed last.
    pub(super) seen_screen: Option<String>,
    pub(super) shown: Option<String>,
    /// The open question that a reader has seen, and whether one has seen the end.
    pub(super) asked_told: Option<String>,
    pub(super) end_told: bool,
    /// When it was spawned.
    pub(super) started: SystemTime,
    pub(super) spawned: Stopwatch,
    pub(super) active: Stopwatch,
    /// Deadline for a tool that was asked to end.
    pub(super) end_by: Option<Instant>,
    pub(super) stopped: Option<(Instant, u64)>,
    /// What the tool last said of how far it is, and how it has ended.
    pub(super) progress: Option<Progress>,
    pub(super) end: Option<SessionEnd>,
    /// The members of its result other than blocks, and whether a fetch has delivered them.
    pub(super) result: Option<ResultParts>,
    pub(super) result_told: bool,
    /// Whether what is typed must come from a person, and whether a reader knows.
    pub(super) person: bool,
    pub(super) person_told: bool,
    /// Whether a person gives the input that is being carried out.
    pub(super) by_person: bool,
}

/// A tool that runs.
pub(super) struct Run {
    pub(super) given: ToolRequestSender,
    pub(super) transport: Arc<dyn SessionTransport>,
    pub(super) takes_input: bool,
    pub(super) screen: Option<Arc<dyn Screen>>,
    pub(super) driver: AbortHandle,
    /// The task that hears it.
    pub(super) pump: Option<AbortHandle>,
}

/// Whether the id of a handle can be spawned again (SES-21), or was never spawned.
pub(super) fn is_free(machine: &SessionMachine) -> bool {
    let possible = machine.possible(AnswerSource::User);
    possible.contains(&SessionAction::Spawn)
}

impl LastRun {
    pub(super) fn new(run: Option<Run>) -> Self {
        LastRun {
            run,
            said_at: Instant::now(),
            seen_screen: None,
            shown: None,
            asked_told: None,
            end_told: false,
            started: SystemTime::now(),
            spawned: Stopwatch::start(),
            active: Stopwatch::start(),
            end_by: None,
            stopped: None,
            progress: None,
            end: None,
            result: None,
            result_told: false,
            person: false,
            person_told: false,
            by_person: false,
        }
    }
}

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

    /// The time until something is due, and what it is; the end of a tool that was asked to end has no name.
    pub(super) fn next_timer(&self) -> Option<(Duration, Option<Timer>)> {
        let left =
            |watch: Stopwatch, time: Option<Duration>, of| Some((watch.left_of(time?), Some(of)));
        let session = || left(self.last.spawned, self.rules.session_time, Timer::Session);
        let idle = || left(self.last.active, self.rules.idle_time, Timer::Idle);
        match self.machine.state() {
            // The first of two that are due together counts.
            SessionState::Running => session()
                .into_iter()
                .chain(idle())
                .min_by_key(|(left, _)| *left),
            SessionState::Waiting => session(),
            SessionState::Ending => {
                let end_by = self.last.end_by?;
                Some((end_by.saturating_duration_since(Instant::now()), None))
            }
            _ => None,
        }
    }

    pub(super) fn screen(&self) -> Option<&Arc<dyn Screen>> {
        self.last.run.as_ref()?.screen.as_ref()
    }

    /// Whether the blocks are pieces of what a program prints.
    pub(super) fn prints(&self) -> bool {
        let run = self.last.run.as_ref();
        run.is_some_and(|run| run.transport.prints())
    }

    pub(super) fn screen_changed(&mut self) -> bool {
        let Some(screen) = self.screen() else {
            return false;
        };
        let text = screen.text();
        self.last.shown.as_ref() != Some(&text)
            && !(self.last.shown.is_none() && text.trim().is_empty())
    }

    /// The state after a fetch. `consumes`: blocks were delivered, not a screen in their place.
    pub(super) fn fetched(&mut self, after: Option<u64>, consumes: bool) {
        if let Some(number) = after {
            self.acknowledged = self.acknowledged.max(number);
        }
        let (handed, last) = (self.machine.last_handed_over(), self.machine.last_block());
        self.seen = match consumes {
            true => handed,
            false => last,
        };
        self.last.seen_screen = self.screen().map(|screen| screen.text());
        self.last.asked_told = self.machine.question().map(|question| question.id.clone());
        self.last.end_told = self.last.stopped.is_some() && self.seen == last;
        self.last.person_told = self.last.person;
        self.announce = false;
    }

    pub(super) fn applied(&mut self) {
        self.stop_asking();
        self.recent.applied(self.machine.last_block());
        self.last.active = Stopwatch::start();
    }

    pub(super) fn stop_asking(&mut self) {
        if let Some(asking) = self.asking.take() {
            asking.abort();
        }
    }

    /// There is room for it: what comes from outside is refused before. If there still is none, the tool
    /// can't be ended in an orderly way.
    pub(super) fn give(&mut self, given: ToolRequest) {
        let Some(run) = &self.last.run else { return };
        let is_end = matches!(given, ToolRequest::End(_));
        if run.given.try_send(given).is_err() && is_end {
            run.driver.abort();
        }
    }

    /// Keeps them, if they are not larger than all that is kept of a handle.
    pub(super) fn keep_result(&mut self, parts: ResultParts) {
        if parts.len() <= self.rules.max_bytes {
            self.last.result = Some(parts);
        }
    }

    /// The envelope of a fetch with the rest of the result, once the tool has stopped: for the first fetch, and for
    /// each that repeats what was not acknowledged.
    pub(super) fn with_result(&mut self, envelope: String, after: Option<u64>) -> String {
        let has_stopped = self.last.end.is_some();
        let Some(parts) = self.last.result.as_ref().filter(|_| has_stopped) else {
            return envelope;
        };
        if self.last.result_told && after.is_none() {
            return envelope;
        }
        self.last.result_told = true;
        parts.add_to(&envelope).unwrap_or(envelope)
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

//! One handle: its machine, its tool while that runs, and what its readers have seen.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinHandle};
use toolwire::Json;
use toolwire::call::{AnswerSource, Call, SessionAction};
use toolwire::session::{
    Applied, Effect, Refusal, SessionEvent, SessionOutcome, SessionState, SessionView, is_interrupt,
};
use toolwire_schema::AnswerChecker;

use super::recent::{RecentText, text_of};
use super::screen::chosen;
use super::since::Since;
use super::state::{LastRun, RESERVED, Run, State, is_free};
use super::tool::SessionTool;
use super::{
    FetchOptions, SessionEnd, SessionNotice, SessionStart, SessionsOptions, ToolRequest, ToolUpdate,
};
use crate::later::{FAR, after, patience};
use crate::transport::process::Stopwatch;

/// Time after which a tool that should have been killed and is still there is abandoned.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) struct Handle {
    pub(super) id: String,
    pub(super) options: Arc<SessionsOptions>,
    /// Whether all of its questions are for the answerer, because nobody else knows the handle.
    pub(super) asks_all: bool,
    state: Mutex<State>,
    /// Counts what happens.
    changed: watch::Sender<u64>,
}

/// A tool that was started, for the task that is to hear it.
pub(super) struct Started {
    pub(super) told: mpsc::Receiver<ToolUpdate>,
    pub(super) driver: JoinHandle<()>,
}

/// What a change of a handle leaves to do.
pub(super) struct Changed {
    pub(super) outcome: SessionOutcome,
    pub(super) started: Option<Started>,
}

/// What a reader would find new.
pub(super) enum News {
    Nothing,
    /// Something was said, and so much of the time in which nothing else may follow is left.
    Said(Duration),
    /// It needs somebody, has stopped, or has said what was waited for.
    Now,
}

impl Handle {
    pub(super) fn new(
        id: &str,
        tool: Arc<SessionTool>,
        options: Arc<SessionsOptions>,
        asks_all: bool,
    ) -> Result<Arc<Self>, toolwire::Error> {
        let rules = tool.rules_in(&options).clone();
        let machine = tool.machine(id, &rules)?;
        let state = State {
            machine,
            call: tool.call(Json::empty_object()),
            tool,
            rules,
            label: None,
            since: SystemTime::now(),
            recent: RecentText::default(),
            acknowledged: 0,
            seen: 0,
            is_claimed: false,
            announce: false,
            asking: None,
            last: LastRun::new(None),
        };
        Ok(Arc::new(Handle {
            id: id.to_owned(),
            options,
            asks_all,
            state: Mutex::new(state),
            changed: watch::Sender::new(0),
        }))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn state(&self) -> SessionState {
        self.lock().machine.state()
    }

    pub(super) fn tool(&self) -> Arc<SessionTool> {
        Arc::clone(&self.lock().tool)
    }

    /// As long as its tool may take to end until it is killed, and this much longer.
    pub(super) fn patience(&self, more: Duration) -> Duration {
        patience(self.lock().rules.grace, more)
    }

    /// Tells of every change from now on.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Starts a tool with this call, if the machine permits it. It may be another than the one that ran before.
    pub(super) fn spawn(
        self: &Arc<Self>,
        by: AnswerSource,
        tool: &Arc<SessionTool>,
        call: Call,
        label: Option<String>,
    ) -> Changed {
        let mut state = self.lock();
        state.is_claimed = false;
        let before = match is_free(&state.machine) {
            true => state.becomes(tool, &self.options),
            false => None,
        };
        let call = std::mem::replace(&mut state.call, call);
        let changed = self.step(&mut state, SessionEvent::Spawn { by });
        match changed.outcome.refusal {
            None => state.label = label,
            Some(_) => {
                state.call = call;
                if let Some(before) = before {
                    state.becomes(&before, &self.options);
                }
            }
        }
        changed
    }

    /// Tells the machine what happens, and carries out what it says.
    pub(super) fn tell(self: &Arc<Self>, event: SessionEvent) -> SessionOutcome {
        let mut state = self.lock();
        self.step(&mut state, event).outcome
    }

    /// Gives the tool something; if it has not taken what it was given before, that is refused.
    pub(super) fn apply(
        self: &Arc<Self>,
        by: AnswerSource,
        what: Applied,
        question: Option<String>,
    ) -> Result<Since, Option<Refusal>> {
        let mut state = self.lock();
        let possible = state.machine.possible(by);
        let interrupts = matches!(&what, Applied::Input(input) if is_interrupt(input));
        if (possible.contains(&SessionAction::Apply) || interrupts && state.last.person)
            && let Some(run) = &state.last.run
        {
            let input = match &what {
                Applied::Input(input) if question.is_none() => Some(input),
                _ => None,
            };
            let input = input.filter(|_| state.machine.state() == SessionState::Running);
            if let Some(refusal) = run.refuses(input, possible) {
                return Err(Some(refusal));
            }
        }
        state.last.by_person = by == AnswerSource::User;
        let since = Since::given(&what, &state);
        let event = SessionEvent::Apply { by, what, question };
        match self.step(&mut state, event).outcome.refusal {
            None => Ok(since),
            refusal => Err(refusal),
        }
    }

    /// Whether somebody is needed, or nothing more will come.
    pub(super) fn needs_somebody(&self) -> bool {
        let state = self.lock();
        let runs = matches!(
            state.machine.state(),
            SessionState::Running | SessionState::Ending
        );
        !runs || state.last.person
    }

    pub(super) fn step(self: &Arc<Self>, state: &mut State, event: SessionEvent) -> Changed {
        let before = state.machine.state();
        let is_fetch = matches!(event, SessionEvent::Fetch { .. });
        let end = SessionEnd::of(&event);
        self.note(state, &event);
        let outcome = state.machine.handle(event, &AnswerChecker);
        let mut started = None;
        for effect in &outcome.effects {
            if let Effect::Stop { reason } = effect {
                state.last.end = Some(end.clone().because(*reason));
            }
            if let Some(tool) = self.carry_out(state, effect) {
                started = Some(tool);
            }
        }
        if outcome.state != before {
            state.since = SystemTime::now();
            if let Some(observer) = &self.options.observer {
                observer.tell(&self.id, &SessionNotice::State(outcome.state));
            }
        }
        if !is_fetch {
            self.changed.send_modify(|count| *count += 1);
        }
        Changed { outcome, started }
    }

    /// What an event says of the times, and of what the tool said.
    fn note(&self, state: &mut State, event: &SessionEvent) {
        match event {
            SessionEvent::Output { .. } => state.last.said_at = Instant::now(),
            SessionEvent::Progress(progress) => state.last.progress = Some(progress.clone()),
            SessionEvent::Question { .. } => {}
            _ => return,
        }
        state.last.active = Stopwatch::start();
    }

    fn carry_out(self: &Arc<Self>, state: &mut State, effect: &Effect) -> Option<Started> {
        match effect {
            Effect::Start => return Some(self.start(state)),
            Effect::Input { value } => {
                state.applied();
                let given = match state.last.by_person {
                    true => ToolRequest::PersonInput,
                    false => ToolRequest::Input,
                };
                state.give(given(value.clone()));
            }
            Effect::Answer { id, answer } => {
                state.applied();
                state.give(ToolRequest::Answer {
                    id: id.clone(),
                    answer: answer.clone(),
                });
            }
            Effect::Open { person, .. } => {
                state.announce = true;
                state.last.asked_told = None;
                self.ask(state, *person);
            }
            Effect::Withdraw { .. } => state.stop_asking(),
            Effect::End { reason } => {
                state.last.end_by = Some(after(patience(state.rules.grace, PATIENCE)));
                state.give(ToolRequest::End(*reason));
            }
            Effect::Stop { .. } => {
                state.announce = true;
                state.stop_asking();
                state.last.person = false;
                state.last.stopped = Some((Instant::now(), 0));
            }
            _ => {}
        }
        None
    }

    fn start(self: &Arc<Self>, state: &mut State) -> Started {
        let mut start = SessionStart::new(state.call.clone());
        start.grace = state.rules.grace.min(FAR);
        let transport = state.tool.session();
        let running = transport.start(start);
        let driver = tokio::spawn(running.driver);
        if let Some(run) = state.last.run.take() {
            run.end();
        }
        state.recent.applied(state.machine.last_block());
        state.last = LastRun::new(Some(Run {
            given: running.requests,
            transport,
            takes_input: running.takes_input,
            screen: running.screen,
            driver: driver.abort_handle(),
            pump: None,
        }));
        Started {
            told: running.updates,
            driver,
        }
    }

    /// Notes the task that hears the tool.
    pub(super) fn heard_by(&self, pump: AbortHandle) {
        if let Some(run) = &mut self.lock().last.run {
            run.pump = Some(pump);
        }
    }

    /// Ends all that belongs to the handle, without a word.
    pub(super) fn drop_all(&self) {
        let mut state = self.lock();
        state.stop_asking();
        if let Some(run) = state.last.run.take() {
            run.end();
        }
    }

    /// Hears what the tool says. True if nothing follows.
    pub(super) fn hear(self: &Arc<Self>, told: ToolUpdate) -> Option<SessionEvent> {
        match told {
            ToolUpdate::Output(blocks) => self.hear_blocks(blocks),
            ToolUpdate::Event(event) => self.hear_event(event),
            ToolUpdate::Stderr(piece) => self.observe(&SessionNotice::Stderr(&piece)),
            ToolUpdate::Question { question, person } => {
                let mut state = self.lock();
                let context = state.recent.context();
                let person = person || self.is_for_user(&state, &question.id);
                let event = SessionEvent::Question {
                    question,
                    context,
                    person,
                };
                self.step(&mut state, event);
            }
            ToolUpdate::PersonOnly(person) => {
                let mut state = self.lock();
                if state.last.person != person {
                    (state.last.person, state.last.person_told) = (person, false);
                    state.announce = person;
                    self.step(&mut state, SessionEvent::Gate { person });
                }
            }
            ToolUpdate::Result(parts) => self.lock().keep_result(*parts),
            ToolUpdate::Exit(status) => return Some(SessionEvent::Exit { status }),
            ToolUpdate::Crash(message) => {
                let message = match message.is_empty() {
                    true => "it ended without a reason".to_owned(),
                    false => message,
                };
                return Some(SessionEvent::Crash { message });
            }
        }
        None
    }

    fn hear_blocks(self: &Arc<Self>, blocks: Vec<Json>) {
        let mut state = self.lock();
        let pieces = state.prints();
        // One by one, to know where each stands. If there is none, the screen has changed.
        let mut rest = blocks.into_iter();
        let mut next = rest.next();
        loop {
            let text = next.as_ref().and_then(text_of);
            let blocks = next.take().into_iter().collect();
            let event = SessionEvent::Output { blocks, pieces };
            let heard = self.step(&mut state, event).outcome;
            if let Some(text) = text.filter(|_| heard.refusal.is_none()) {
                let number = state.machine.last_block();
                state.recent.push(number, text);
            }
            next = rest.next();
            if next.is_none() {
                return;
            }
        }
    }

    fn hear_event(self: &Arc<Self>, event: toolwire::event::ToolEvent) {
        match event {
            toolwire::event::ToolEvent::Progress(progress) => {
                self.observe(&SessionNotice::Progress(&progress));
                self.tell(SessionEvent::Progress(progress));
            }
            toolwire::event::ToolEvent::Message(message) => {
                self.observe(&SessionNotice::Message(&message));
            }
            _ => {}
        }
    }

    fn observe(&self, notice: &SessionNotice<'_>) {
        if let Some(observer) = &self.options.observer {
            observer.tell(&self.id, notice);
        }
    }

    /// What a reader would find new.
    pub(super) fn news(&self, options: &FetchOptions, since: &Since) -> News {
        let mut state = self.lock();
        let after = options.after.unwrap_or(state.seen);
        let view = chosen(&mut state, options.view);
        let last = state.machine.last_block();
        let asks = state.machine.question().map(|question| &question.id);
        let asks_anew = asks.is_some() && asks != state.last.asked_told.as_ref();
        if state.last.stopped.is_some() || asks_anew || state.last.person && !state.last.person_told
        {
            return News::Now;
        }
        let is_new = match &options.until {
            Some(text) if since.has_come(text, &state, view) => return News::Now,
            Some(_) => false,
            None if view == SessionView::New => last > after,
            None => last > after || state.screen_changed(),
        };
        match is_new {
            true => News::Said(
                self.options
                    .quiet
                    .saturating_sub(state.last.said_at.elapsed()),
            ),
            false => News::Nothing,
        }
    }

    /// The time until something is due, and whether the tool is heard meanwhile: one that takes none of the
    /// answers that it gets has to wait.
    pub(super) fn due(&self) -> (Option<Duration>, bool) {
        let state = self.lock();
        let left = state.next_timer().map(|(left, _)| left);
        let has_room = state
            .last
            .run
            .as_ref()
            .is_none_or(|run| run.given.capacity() > RESERVED / 2);
        (left, has_room)
    }

    /// Does what is due.
    pub(super) fn tick(self: &Arc<Self>) {
        let mut state = self.lock();
        match state.next_timer() {
            Some((Duration::ZERO, Some(of))) => {
                self.step(&mut state, SessionEvent::Timeout { of });
            }
            Some((Duration::ZERO, None)) => {
                state.last.end_by = None;
                if let Some(run) = &state.last.run {
                    run.driver.abort();
                }
            }
            _ => {}
        }
    }

    /// Notes in which turn it has stopped.
    pub(super) fn stopped_in(&self, turn: u64) {
        if let Some((_, of)) = &mut self.lock().last.stopped {
            *of = turn;
        }
    }

    /// Whether it need not be kept any longer (SES-37, HOST-33): the turn in which it stopped is over too, if the
    /// host has turns.
    pub(super) fn is_due_to_expire(&self, turn: u64) -> bool {
        let state = self.lock();
        state
            .last
            .stopped
            .is_some_and(|(at, of)| at.elapsed() >= self.options.keep && (turn == 0 || turn > of))
    }

    /// Since when a stopped handle whose output was delivered is kept.
    pub(super) fn told_since(&self) -> Option<Instant> {
        let state = self.lock();
        let told =
            state.last.end_told && state.machine.last_block() <= state.machine.last_delivered();
        let stopped = state.last.stopped.filter(|_| told && !state.is_claimed);
        stopped.map(|(at, _)| at)
    }
}

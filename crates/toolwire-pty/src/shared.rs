//! The terminal that a driver and those who look at its screen share.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::mpsc;
use toolwire::session::TerminalModes;
use toolwire_host::{Attached, Screen, ScreenText, ScreenView, Typed};

use crate::device::Device;
use crate::emulator::{Emulator, Size};
use crate::transcript::Transcript;
use crate::view::Frame;

/// Maximum number of pieces queued for an attached person, who is detached beyond it.
const WATCHED: usize = 256;

pub(crate) struct Shared {
    state: Mutex<State>,
    device: OnceLock<Arc<dyn Device>>,
    typed: mpsc::Sender<Typed>,
}

struct State {
    emulator: Emulator,
    transcript: Transcript,
    /// What was shown last, and how many rows have scrolled away since.
    shown: Option<Frame>,
    moved: usize,
    /// The persons who look on, and what they have seen.
    watchers: Vec<mpsc::Sender<Vec<u8>>>,
    seen: Option<vt100::Screen>,
    /// Whether the program has ended.
    over: bool,
}

/// What came of something that the program wrote.
pub(crate) struct Read {
    /// How many bytes of it were read.
    pub(crate) read: usize,
    /// What it printed with them.
    pub(crate) text: String,
    /// The answers to its queries.
    pub(crate) replies: Vec<u8>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared")
    }
}

impl Shared {
    pub(crate) fn new(size: Size, typed: mpsc::Sender<Typed>) -> Self {
        Shared {
            state: Mutex::new(State {
                emulator: Emulator::new(size),
                transcript: Transcript::default(),
                shown: None,
                moved: 0,
                watchers: Vec::new(),
                seen: None,
                over: false,
            }),
            device: OnceLock::new(),
            typed,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn started(&self, device: Arc<dyn Device>) {
        let _ = self.device.set(device);
    }

    /// Reads what the program wrote, as far as that is not too much at once.
    pub(crate) fn read(&self, bytes: &[u8]) -> Read {
        let state = &mut *self.lock();
        let read = state.emulator.read(bytes);
        state.transcript.look(&mut state.emulator);
        state.moved = state.moved.saturating_add(state.emulator.take_moved());
        state.show_watchers();
        Read {
            read,
            text: state.transcript.take(),
            replies: state.emulator.take_replies(),
        }
    }

    /// What is on the line that is not complete, once the program has been quiet for a moment.
    pub(crate) fn pause(&self) -> String {
        let state = &mut *self.lock();
        state.transcript.pause(&mut state.emulator);
        state.transcript.take()
    }

    /// The program has ended: what it printed that has not been told.
    pub(crate) fn end(&self) -> String {
        let state = &mut *self.lock();
        state.transcript.end(&mut state.emulator);
        state.over = true;
        state.watchers.clear();
        state.transcript.take()
    }

    pub(crate) fn resize(&self, size: Size) -> String {
        let state = &mut *self.lock();
        state
            .transcript
            .resize(&mut state.emulator, |emulator| emulator.resize(size));
        if let Some(device) = self.device.get() {
            device.resize(size);
        }
        state.seen = None;
        state.show_watchers();
        state.transcript.take()
    }

    pub(crate) fn modes(&self) -> TerminalModes {
        self.lock().emulator.modes()
    }

    fn frame(&self, state: &State) -> Frame {
        let person = self.device.get().is_some_and(|device| device.hides_lines());
        Frame::new(&state.emulator, person && !state.over, state.over)
    }
}

impl State {
    /// Draws for those who look on what has changed since. It is drawn from what the terminal shows, so that
    /// nothing else of what the program wrote reaches their terminals.
    fn show_watchers(&mut self) {
        if self.watchers.is_empty() {
            return;
        }
        let screen = self.emulator.screen();
        let drawn = match &self.seen {
            Some(seen) => screen.state_diff(seen),
            None => screen.state_formatted(),
        };
        self.seen = Some(screen.clone());
        if !drawn.is_empty() {
            self.watchers
                .retain(|watcher| watcher.try_send(drawn.clone().into_bytes()).is_ok());
        }
    }
}

impl Screen for Shared {
    fn show(&self, view: ScreenView) -> ScreenText {
        let state = &mut *self.lock();
        let frame = self.frame(state);
        let moved = std::mem::take(&mut state.moved);
        let text = match (view, &state.shown) {
            (ScreenView::Changes, Some(before)) => frame.changes(before, moved),
            _ => frame.whole(),
        };
        state.shown = Some(frame);
        ScreenText::new(text, state.emulator.is_full())
    }

    fn text(&self) -> String {
        let state = &*self.lock();
        self.frame(state).whole()
    }

    fn is_full(&self) -> bool {
        self.lock().emulator.is_full()
    }

    fn attach(&self) -> Option<Attached> {
        let state = &mut *self.lock();
        if state.over {
            return None;
        }
        let (watcher, output) = mpsc::channel(WATCHED);
        let screen = state.emulator.screen();
        let drawn = screen.state_formatted().into_bytes();
        // Others are shown the same first.
        state.show_watchers();
        state.seen = Some(state.emulator.screen().clone());
        state.watchers.push(watcher);
        Some(Attached::new(drawn, output, self.typed.clone()))
    }
}

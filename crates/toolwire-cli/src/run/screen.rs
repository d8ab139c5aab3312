//! What is on standard error while a tool runs: what it writes there, on a terminal behind the mark of
//! a tool's words, and below it a sign that it runs (CLI-52, CLI-53, CLI-80).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use toolwire::terminal_safe;
use toolwire_host::Observer;

use crate::args::ColorWhen;
use crate::output::use_color;
use crate::prompt::{GUTTER, UNWRAPPED, WRAPPED, behind_gutter, fit, terminal_size};
use crate::terminal;

/// How long a tool runs before there is a sign of it.
const PATIENCE: Duration = Duration::from_millis(400);

/// How long the tool is silent before the sign stands below what it wrote.
const SILENCE: Duration = Duration::from_secs(1);

/// How long it is held back what a program says while it is asked to describe itself. One that still
/// runs then is likely to do its job instead, and whoever waits wants to see how it goes.
const HELD: Duration = Duration::from_secs(2);

/// The most bytes that are held back.
const MOST_HELD: usize = 1024 * 1024;

/// How often the sign moves.
const BEAT: Duration = Duration::from_millis(100);

/// The most bytes of a line that are kept back until its end.
const LINE: usize = 64 * 1024;

const FRAMES: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/// Standard error, shared by the tool's own words and the sign.
#[derive(Clone)]
pub struct Screen(Arc<Mutex<State>>);

struct State {
    terminal: bool,
    color: bool,
    /// Whether the terminal can take back a line.
    moves: bool,
    label: String,
    /// Since when the tool runs; nothing while it does not.
    since: Option<Instant>,
    /// When the tool wrote last.
    heard: Option<Instant>,
    /// The line that the tool has begun.
    line: Vec<u8>,
    /// What is held back, and since when; nothing where it is shown at once.
    held: Option<(Instant, Vec<u8>)>,
    /// Whether the last line on the terminal is one that is going to be taken back.
    drawn: bool,
    frame: usize,
}

impl Screen {
    pub fn new(label: &str, color: ColorWhen) -> Screen {
        let (_, terminal) = terminal::are_terminals();
        Screen(Arc::new(Mutex::new(State {
            terminal,
            color: use_color(color, terminal),
            moves: terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
            label: fit(&terminal::safe(label), 40),
            since: None,
            heard: None,
            line: Vec::new(),
            held: None,
            drawn: false,
            frame: 0,
        })))
    }

    /// Shows what a tool writes to its standard error.
    pub fn write(&self, piece: &[u8]) {
        self.state().write(piece);
    }

    /// Shows what another program writes there meanwhile.
    pub fn observer(&self) -> Observer {
        let screen = self.clone();
        Observer::new(move |piece| screen.write(piece))
    }

    /// Shows what a tool wrote to its standard output where that is log (EXIT-1).
    pub fn log(&self, stdout: &[u8]) {
        let mut state = self.state();
        state.write(stdout);
        state.end_line();
    }

    /// Holds back what is written from now on, since it may not be worth showing.
    pub fn hold(&self) {
        self.state().held = Some((Instant::now(), Vec::new()));
    }

    /// Shows what is held back, or drops it. What is written from now on is shown at once.
    pub fn release(&self, show: bool) {
        let mut state = self.state();
        if show {
            state.release();
            state.end_line();
        }
        state.held = None;
    }

    /// Leaves the terminal to the tool: what it writes is shown to the letter, and there is no sign.
    pub fn hand_over(&self) {
        let mut state = self.state();
        (state.terminal, state.moves) = (false, false);
    }

    /// A tool runs from now on.
    pub fn start(&self) {
        let mut state = self.state();
        state.since = Some(Instant::now());
        state.heard = None;
    }

    /// No tool runs any more, or a question is asked.
    pub fn pause(&self) {
        let mut state = self.state();
        state.since = None;
        state.end_line();
        state.take_back();
    }

    /// Takes the sign away while `pause` runs, which does not count towards its seconds.
    pub fn suspended<T>(&self, pause: impl FnOnce() -> T) -> T {
        let mut state = self.state();
        state.take_back();
        let began = Instant::now();
        let value = pause();
        let away = began.elapsed();
        state.since = state.since.map(|since| since + away);
        state.heard = state.heard.map(|heard| heard + away);
        value
    }

    /// Moves the sign, and shows what has been held back for long enough, for ever.
    pub async fn beat(self) {
        let mut beat = tokio::time::interval_at(tokio::time::Instant::now() + BEAT, BEAT);
        loop {
            beat.tick().await;
            let mut state = self.state();
            if matches!(&state.held, Some((since, _)) if since.elapsed() >= HELD) {
                state.release();
            }
            if state.moves {
                state.draw();
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere is no reason not to show what the tool says.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// There is nowhere left to say that standard error can't be written.
impl State {
    fn write(&mut self, piece: &[u8]) {
        if let Some((_, held)) = &mut self.held {
            held.extend_from_slice(piece);
            if held.len() > MOST_HELD {
                self.release();
            }
            return;
        }
        if !self.terminal {
            terminal::put(piece);
            return;
        }
        self.heard = Some(Instant::now());
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || self.line.len() > LINE {
                let line = std::mem::take(&mut self.line);
                self.whole(&line);
            }
        }
    }

    fn release(&mut self) {
        if let Some((_, held)) = self.held.take() {
            self.write(&held);
        }
    }

    /// Shows the line that has been begun, since nothing is going to follow.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.whole(&line);
        }
    }

    /// A line that has ended. Of one that was written over again and again only the last state is
    /// left, as on a terminal.
    fn whole(&mut self, line: &[u8]) {
        self.take_back();
        let text = String::from_utf8_lossy(line);
        let text = last_state(text.trim_end_matches(['\r', '\n']));
        let text = terminal_safe(text, self.color);
        // No row of the terminal is to begin without the mark, so rows are made here and not there.
        let mut rows = String::new();
        for row in behind_gutter(&text, columns()) {
            rows.push_str(&row);
            rows.push('\n');
        }
        terminal::put(self.at_edge(&text, &rows).as_bytes());
    }

    /// Rows that end at the edge, also if the terminal thinks otherwise of the width of a text's
    /// characters; of ASCII's all think the same.
    fn at_edge(&self, text: &str, rows: &str) -> String {
        match self.moves && !text.is_ascii() {
            true => format!("{UNWRAPPED}{rows}{WRAPPED}"),
            false => rows.to_owned(),
        }
    }

    /// The last line: what the tool has begun to write, or the sign.
    fn draw(&mut self) {
        let now = Instant::now();
        let (text, row) = if !self.line.is_empty() {
            let text = String::from_utf8_lossy(&self.line);
            let begun = terminal::safe(last_state(text.trim_end_matches('\r')));
            let row = format!("{GUTTER}{begun}");
            (begun, row)
        } else {
            let silent = self.heard.is_none_or(|heard| now - heard >= SILENCE);
            let since = self
                .since
                .filter(|since| silent && now - *since >= PATIENCE);
            let Some(since) = since else {
                return;
            };
            self.frame = (self.frame + 1) % FRAMES.len();
            let seconds = (now - since).as_secs();
            let row = format!("{} {}  {seconds} s", FRAMES[self.frame], self.label);
            (self.label.clone(), row)
        };
        let row = self.at_edge(&text, &fit(&row, columns()));
        terminal::put(format!("\r\x1b[2K{row}").as_bytes());
        self.drawn = true;
    }

    fn take_back(&mut self) {
        if std::mem::take(&mut self.drawn) {
            terminal::put(b"\r\x1b[2K");
        }
    }
}

/// The columns that are used; the last one stays free.
fn columns() -> usize {
    terminal_size().columns.saturating_sub(1).max(1)
}

/// What stands behind the last carriage return.
fn last_state(line: &str) -> &str {
    line.rsplit('\r').next().unwrap_or(line)
}

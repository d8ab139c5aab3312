//! What is on standard error while a tool runs: what it writes there, on a terminal behind the mark of
//! a tool's words, its log messages, and below it how far it is or a sign that it runs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use toolwire::event::{Level, Message, Progress};
use toolwire::terminal_safe;
use toolwire_host::{Event, Observer};

use crate::args::ColorWhen;
use crate::output::{CYAN, DIM, RED, YELLOW, use_color};
use crate::prompt::{GUTTER, UNWRAPPED, WRAPPED, behind_gutter, fit, terminal_size};
use crate::terminal;

use super::bar;

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

/// The most characters of a log message that are shown.
const MESSAGE: usize = 4096;

/// The most columns of a logger's name.
const LOGGER: usize = 40;

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
    /// The least serious log messages that are shown, if any are.
    least: Option<Level>,
    /// How far the tool is.
    progress: Option<Progress>,
    /// Whether what was written last, where there is no terminal, is a line without its end.
    open: bool,
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
            least: Some(Level::Info),
            progress: None,
            open: false,
            drawn: false,
            frame: 0,
        })))
    }

    /// What is said to be at work from now on.
    pub fn name(&self, label: &str) {
        self.state().label = fit(&terminal::safe(label), 40);
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

    /// Shows what a tool says: on its standard error, how far it is from the next time on that the sign moves, log
    /// messages, and its standard output where that is log (EXIT-1).
    pub fn show(&self, event: Event) {
        let mut state = self.state();
        match event {
            Event::Stderr(piece) => state.write(&piece),
            Event::Progress(progress) => state.progress = Some(progress),
            Event::Message(message) => state.message(&message),
            Event::Log(stdout) => {
                state.write(&stdout);
                state.end_line();
            }
            _ => {}
        }
    }

    /// Shows log messages from this level on; none if there is no level.
    pub fn show_from(&self, least: Option<Level>) {
        self.state().least = least;
    }

    /// Shows a log message of the tool.
    pub fn message(&self, message: &Message) {
        self.state().message(message);
    }

    /// Shows how far the tool is, from the next time on that the sign moves.
    pub fn progress(&self, progress: Progress) {
        self.state().progress = Some(progress);
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
        state.progress = None;
    }

    /// Tools run since then.
    pub fn start_from(&self, since: Instant) {
        self.start();
        self.state().since = Some(since);
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
            self.open = piece.last().is_some_and(|byte| *byte != b'\n');
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
        let text = String::from_utf8_lossy(line);
        let text = last_state(text.trim_end_matches(['\r', '\n']));
        self.rows(&terminal_safe(text, self.color));
    }

    /// Writes a text that is safe. No row of the terminal is to begin without the mark, so rows are made here and
    /// not there.
    fn rows(&mut self, text: &str) {
        self.take_back();
        let mut rows = String::new();
        for row in behind_gutter(text, columns()) {
            rows.push_str(&row);
            rows.push('\n');
        }
        terminal::put(self.at_edge(text, &rows).as_bytes());
    }

    fn message(&mut self, message: &Message) {
        if self.least.is_none_or(|least| message.level < least) {
            return;
        }
        let level = match self.color {
            true => format!("\x1b[{}m{}\x1b[0m", style(message.level), message.level),
            false => message.level.to_string(),
        };
        let logger = message
            .logger
            .as_deref()
            .filter(|logger| !logger.is_empty());
        let logger = logger.map(|logger| format!(" {}", fit(&terminal::safe(logger), LOGGER)));
        let mut text: String = message.text.trim_end().chars().take(MESSAGE).collect();
        if text.len() < message.text.trim_end().len() {
            text.push('…');
        }
        let head = format!("{level}{}: ", logger.unwrap_or_default());
        if self.terminal {
            self.rows(&format!("{head}{}", terminal_safe(&text, false)));
        } else {
            // One line for each message, so that nothing of a tool's looks like another one.
            let end = if std::mem::take(&mut self.open) {
                "\n"
            } else {
                ""
            };
            terminal::put(format!("{end}{head}{}\n", terminal::safe(&text)).as_bytes());
        }
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
            let shown = silent || self.progress.is_some();
            let since = self.since.filter(|since| shown && now - *since >= PATIENCE);
            let Some(since) = since else {
                return;
            };
            self.frame = (self.frame + 1) % FRAMES.len();
            let (sign, seconds) = (FRAMES[self.frame], (now - since).as_secs());
            match &self.progress {
                Some(progress) => {
                    let row = bar::row(sign, &self.label, progress, seconds, columns());
                    (row.clone(), row)
                }
                None => {
                    let row = format!("{sign} {}  {seconds} s", self.label);
                    (self.label.clone(), row)
                }
            }
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

/// How a level looks where there are colours.
fn style(level: Level) -> &'static str {
    match level {
        Level::Debug => DIM,
        Level::Info | Level::Notice => CYAN,
        Level::Warning => YELLOW,
        _ => RED,
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

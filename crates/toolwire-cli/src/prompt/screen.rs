//! The terminal while a prompt is on it: keys in, frames out, and everything as it was afterwards.

use std::cell::Cell;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event};
use crossterm::terminal::{self, Clear, ClearType, DisableLineWrap, EnableLineWrap};
use crossterm::{cursor, queue};

use super::frame::{Frame, Line, Size};
use super::keys::Key;
use crate::terminal::Terminal;
#[cfg(unix)]
use crate::terminal::keys;

/// How often it is looked whether a key was pressed.
const TICK: Duration = Duration::from_millis(10);
/// How long: in no time at all, nothing is read.
const GLANCE: Duration = Duration::from_millis(1);
/// How long it is waited for more of what was typed before the question was there.
const TYPED_AHEAD: Duration = Duration::from_millis(20);
/// The most of it that is thrown away.
const MOST_TYPED_AHEAD: usize = 100_000;

/// How long the window stays as it is before the prompt is drawn anew: while its edge is dragged, its
/// size changes many times.
const SETTLED: Duration = Duration::from_millis(40);

/// From here a row that is too wide ends at the edge: a character of which the terminal thinks otherwise
/// than we do makes no other row.
pub const UNWRAPPED: &str = "\x1b[?7l";
/// And from here it goes on in the next one.
pub const WRAPPED: &str = "\x1b[?7h";

thread_local! {
    /// While a prompt is on the terminal, how many rows of its frame are above the cursor.
    static ABOVE: Cell<Option<usize>> = const { Cell::new(None) };
    /// Whether the command was suspended, and is back.
    static RESUMED: Cell<bool> = const { Cell::new(false) };
}

/// Whether somebody in this process hears of the signal that suspends it, and calls [`make_way`] then.
static HANDLED: AtomicBool = AtomicBool::new(false);

/// Somebody hears of the signal.
pub fn handle_suspension() {
    HANDLED.store(true, Ordering::Relaxed);
}

/// Gives the terminal back, if a prompt is on it, before this process is suspended.
pub fn make_way() {
    if ABOVE.get().is_some()
        && let Ok(mut out) = Terminal::open()
    {
        leave(&mut out);
    }
}

/// Has the prompt come back, below what was written meanwhile.
pub fn go_on() {
    if ABOVE.get().is_some()
        && let Ok(mut out) = Terminal::open()
    {
        // If the terminal is gone, so are its keys, which is reported.
        let _ = enter(&mut out);
        RESUMED.set(true);
    }
}

/// What Ctrl-Z does where a terminal sends signals for keys: suspends whatever runs in its foreground,
/// this process with it.
#[cfg(unix)]
fn suspend_foreground() -> io::Result<()> {
    rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
    Ok(())
}

/// Windows has no job control.
#[cfg(not(unix))]
fn suspend_foreground() -> io::Result<()> {
    Ok(())
}

/// Sets the modes of a prompt. Line wrap is off, so that a character whose width the terminal sees
/// differently breaks nothing but its own line.
fn enter(out: &mut Terminal) -> io::Result<()> {
    terminal::enable_raw_mode()?;
    never_block()?;
    queue!(out, EnableBracketedPaste, DisableLineWrap)?;
    out.flush()
}

/// Clears the frame and gives the terminal back as it was. Whatever fails, the rest is done.
fn leave(out: &mut Terminal) {
    // There is nobody to tell if the terminal is gone.
    let _ = clearing().and_then(|bytes| out.write_all(&bytes));
    ABOVE.set(Some(0));
    let _ = queue!(out, DisableBracketedPaste, EnableLineWrap, cursor::Show);
    let _ = out.flush();
    let _ = terminal::disable_raw_mode();
}

/// What takes the frame from the screen and the cursor to where it began. A window that has just
/// become narrower may have made more rows of it, and not every terminal does: rather than erase
/// what is above it, some of the frame is left.
fn clearing() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    queue!(bytes, cursor::Hide)?;
    let up = above();
    bytes.push(b'\r');
    if up > 0 {
        queue!(bytes, cursor::MoveUp(up))?;
    }
    queue!(bytes, Clear(ClearType::FromCursorDown))?;
    Ok(bytes)
}

fn above() -> u16 {
    u16::try_from(ABOVE.get().unwrap_or(0)).unwrap_or(0)
}

/// The room on the terminal; what is usual where it can't be known.
pub fn size() -> Size {
    let (columns, rows) = match terminal::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns, rows),
        _ => (80, 24),
    };
    Size {
        columns: columns.into(),
        rows: rows.into(),
    }
}

/// Lets a read give what is there, if only nothing. Otherwise half a key, such as the beginning of an
/// escape sequence, would be waited for without looking whether the question was withdrawn.
#[cfg(unix)]
fn never_block() -> io::Result<()> {
    use rustix::termios::{OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};
    let keys = keys()?;
    let mut modes = tcgetattr(&keys)?;
    modes.special_codes[SpecialCodeIndex::VMIN] = 0;
    modes.special_codes[SpecialCodeIndex::VTIME] = 0;
    tcsetattr(&keys, OptionalActions::Now, &modes)?;
    Ok(())
}

#[cfg(not(unix))]
fn never_block() -> io::Result<()> {
    Ok(())
}

/// A line with its styles, if there is colour.
pub fn painted(line: &Line, color: bool) -> String {
    let piece = |(style, text): &(super::frame::Style, String)| match style.sgr() {
        Some(sgr) if color && !text.is_empty() => format!("\x1b[{sgr}m{text}\x1b[0m"),
        _ => text.clone(),
    };
    line.0.iter().map(piece).collect()
}

/// A terminal that gives each key at once. Dropping it clears the frame and gives the terminal back
/// as it was, also in a panic.
pub struct Screen {
    out: Terminal,
    color: bool,
    /// The size of the window for which the frame was drawn.
    size: Size,
    /// Whether nothing stands above any more.
    alone: bool,
    /// What was read while the window had not settled.
    next: Option<Event>,
}

impl Screen {
    pub fn open(color: bool) -> io::Result<Screen> {
        let mut screen = Screen {
            out: Terminal::open()?,
            color,
            size: size(),
            alone: false,
            next: None,
        };
        ABOVE.set(Some(0));
        RESUMED.set(false);
        enter(&mut screen.out)?;
        // What was typed while the tool ran was not meant for a question that nobody had seen.
        for _ in 0..MOST_TYPED_AHEAD {
            if !event::poll(TYPED_AHEAD)? {
                break;
            }
            event::read()?;
        }
        Ok(screen)
    }

    /// Does what Ctrl-Z does where no prompt is.
    pub async fn suspend(&mut self) -> io::Result<()> {
        if HANDLED.load(Ordering::Relaxed) {
            // Whoever handles the signal has this prompt make way.
            return suspend_foreground();
        }
        leave(&mut self.out);
        suspend_foreground()?;
        // Another thread may take the signal, and stops this one a moment later.
        tokio::time::sleep(Duration::from_millis(100)).await;
        enter(&mut self.out)?;
        RESUMED.set(true);
        Ok(())
    }

    /// Waits for a key; nothing if the frame has to be redrawn.
    pub async fn input(&mut self) -> io::Result<Option<Key>> {
        loop {
            if RESUMED.take() {
                self.size = size();
                self.alone = false;
                return Ok(None);
            }
            let event = match self.next.take() {
                Some(event) => event,
                None if event::poll(GLANCE)? => event::read()?,
                None => {
                    tokio::time::sleep(TICK).await;
                    continue;
                }
            };
            if let Event::Resize(..) = event {
                while self.next.is_none() && event::poll(SETTLED)? {
                    let event = event::read()?;
                    self.next = Some(event).filter(|event| !matches!(event, Event::Resize(..)));
                }
                self.resized()?;
                return Ok(None);
            }
            if let Some(key) = Key::of(event) {
                return Ok(Some(key));
            }
        }
    }

    /// Shows a frame in place of the one before.
    pub fn draw(&mut self, frame: &Frame) -> io::Result<()> {
        let mut bytes = clearing()?;
        let lines: Vec<String> = frame
            .lines
            .iter()
            .map(|line| painted(line, self.color))
            .collect();
        bytes.extend(lines.join("\r\n").as_bytes());
        let last = frame.lines.len().saturating_sub(1);
        ABOVE.set(Some(last));
        if let Some((line, column)) = frame.cursor.filter(|(line, _)| *line <= last) {
            let up = u16::try_from(last - line).unwrap_or(0);
            if up > 0 {
                queue!(bytes, cursor::MoveUp(up))?;
            }
            let to = u16::try_from(column).unwrap_or(0);
            queue!(bytes, cursor::MoveToColumn(to), cursor::Show)?;
            ABOVE.set(Some(line));
        }
        self.out.write_all(&bytes)?;
        self.out.flush()
    }

    /// Makes the frame the only thing in the window, once that has become narrower: what the tool had
    /// said before may be in rows now that begin without the mark. It is scrolled away, not lost: only
    /// rows of the frame are ever erased.
    fn resized(&mut self) -> io::Result<()> {
        let now = size();
        let before = std::mem::replace(&mut self.size, now);
        if now == before || (!self.alone && now.columns >= before.columns) {
            return Ok(());
        }
        // As many rows as the frame has at least: not every terminal has made more of them, and what
        // stands above is to stay.
        let mut bytes = vec![b'\r'];
        let up = above();
        if up > 0 {
            queue!(bytes, cursor::MoveUp(up))?;
        }
        queue!(bytes, Clear(ClearType::FromCursorDown))?;
        // Whatever the change, there are terminals that fill their window anew with rows that had been
        // scrolled out of it, so they are scrolled away each time.
        let last = u16::try_from(now.rows.saturating_sub(1)).unwrap_or(0);
        queue!(bytes, cursor::MoveTo(0, last))?;
        bytes.extend(std::iter::repeat_n(b'\n', now.rows));
        queue!(bytes, cursor::MoveTo(0, 0))?;
        self.alone = true;
        ABOVE.set(Some(0));
        self.out.write_all(&bytes)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave(&mut self.out);
        ABOVE.set(None);
    }
}

//! The terminal while a prompt is on it: keys in, frames out, and everything as it was afterwards.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event};
use crossterm::terminal::{self, Clear, ClearType, DisableLineWrap, EnableLineWrap};
use crossterm::{cursor, queue};

use super::frame::{Frame, Line, Size};
use super::keys::Key;
use super::suspend;
use crate::terminal::Terminal;
#[cfg(unix)]
use crate::terminal::keys;

/// How often it is looked whether the question was withdrawn.
const TICK: Duration = Duration::from_millis(40);
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

/// Withdraws a question that waits for its answer.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What can be waited for.
pub enum Input {
    Key(Key),
    Resized,
    /// The command was suspended, and is back.
    Resumed,
    Stopped,
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
    /// How many rows of the frame are above the cursor.
    above: usize,
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
            above: 0,
            size: size(),
            alone: false,
            next: None,
        };
        screen.enter()?;
        suspend::shown();
        // What was typed while the tool ran was not meant for a question that nobody had seen.
        for _ in 0..MOST_TYPED_AHEAD {
            if !event::poll(TYPED_AHEAD)? {
                break;
            }
            event::read()?;
        }
        Ok(screen)
    }

    /// Sets the modes of a prompt. Line wrap is off, so that a character whose width the terminal sees
    /// differently breaks nothing but its own line.
    fn enter(&mut self) -> io::Result<()> {
        terminal::enable_raw_mode()?;
        never_block()?;
        queue!(self.out, EnableBracketedPaste, DisableLineWrap)?;
        self.out.flush()
    }

    /// Clears the frame and gives the terminal back as it was. Whatever fails, the rest is done.
    fn leave(&mut self) {
        // There is nobody to tell if the terminal is gone.
        let _ = self.clear();
        let _ = queue!(
            self.out,
            DisableBracketedPaste,
            EnableLineWrap,
            cursor::Show
        );
        let _ = self.out.flush();
        let _ = terminal::disable_raw_mode();
    }

    /// Does what Ctrl-Z does where no prompt is.
    pub fn suspend(&mut self) -> io::Result<()> {
        if suspend::is_handled() {
            // Whoever handles the signal asks this prompt to make way.
            return suspend::suspend_foreground();
        }
        self.leave();
        suspend::suspend_foreground()?;
        // Another thread may take the signal, and stops this one a moment later.
        for _ in 0..10 {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.come_back()
    }

    /// Draws below what was written meanwhile.
    fn come_back(&mut self) -> io::Result<()> {
        self.size = size();
        self.alone = false;
        self.enter()
    }

    /// Waits for a key.
    pub fn input(&mut self, stop: &Stop) -> io::Result<Input> {
        loop {
            if stop.is_stopped() {
                return Ok(Input::Stopped);
            }
            if suspend::is_wanted() {
                self.leave();
                suspend::wait();
                self.come_back()?;
                return Ok(Input::Resumed);
            }
            let event = match self.next.take() {
                Some(event) => event,
                None if event::poll(TICK)? => event::read()?,
                None => continue,
            };
            if let Event::Resize(..) = event {
                while self.next.is_none() && event::poll(SETTLED)? {
                    let event = event::read()?;
                    self.next = Some(event).filter(|event| !matches!(event, Event::Resize(..)));
                }
                return Ok(Input::Resized);
            }
            if let Some(key) = Key::of(event) {
                return Ok(Input::Key(key));
            }
        }
    }

    /// Shows a frame in place of the one before.
    pub fn draw(&mut self, frame: &Frame) -> io::Result<()> {
        let mut bytes = self.clearing()?;
        let lines: Vec<String> = frame
            .lines
            .iter()
            .map(|line| painted(line, self.color))
            .collect();
        bytes.extend(lines.join("\r\n").as_bytes());
        let last = frame.lines.len().saturating_sub(1);
        self.above = last;
        if let Some((line, column)) = frame.cursor.filter(|(line, _)| *line <= last) {
            let up = u16::try_from(last - line).unwrap_or(0);
            if up > 0 {
                queue!(bytes, cursor::MoveUp(up))?;
            }
            let to = u16::try_from(column).unwrap_or(0);
            queue!(bytes, cursor::MoveToColumn(to), cursor::Show)?;
            self.above = line;
        }
        self.out.write_all(&bytes)?;
        self.out.flush()
    }

    /// Makes the frame the only thing in the window, once that has become narrower: what the tool had
    /// said before may be in rows now that begin without the mark. It is scrolled away, not lost: only
    /// rows of the frame are ever erased.
    pub fn resized(&mut self) -> io::Result<()> {
        let now = size();
        let before = std::mem::replace(&mut self.size, now);
        if now == before || (!self.alone && now.columns >= before.columns) {
            return Ok(());
        }
        // As many rows as the frame has at least: not every terminal has made more of them, and what
        // stands above is to stay.
        let mut bytes = vec![b'\r'];
        let up = u16::try_from(self.above).unwrap_or(0);
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
        self.above = 0;
        self.out.write_all(&bytes)
    }

    /// Clears the frame.
    fn clear(&mut self) -> io::Result<()> {
        let bytes = self.clearing()?;
        self.above = 0;
        self.out.write_all(&bytes)
    }

    /// What takes the frame from the screen and the cursor to where it began. A window that has just
    /// become narrower may have made more rows of it, and not every terminal does: rather than erase
    /// what stands above, some of the frame is left.
    fn clearing(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        queue!(bytes, cursor::Hide)?;
        let up = u16::try_from(self.above).unwrap_or(0);
        bytes.push(b'\r');
        if up > 0 {
            queue!(bytes, cursor::MoveUp(up))?;
        }
        queue!(bytes, Clear(ClearType::FromCursorDown))?;
        Ok(bytes)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.leave();
        suspend::gone();
    }
}

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
use crate::terminal::Terminal;

/// How often it is looked whether the question was withdrawn.
const TICK: Duration = Duration::from_millis(40);
/// How long it is waited for more of what was typed before the question was there.
const TYPED_AHEAD: Duration = Duration::from_millis(5);
/// The most of it that is thrown away.
const MOST_TYPED_AHEAD: usize = 100_000;

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
    let mut modes = tcgetattr(io::stdin())?;
    modes.special_codes[SpecialCodeIndex::VMIN] = 0;
    modes.special_codes[SpecialCodeIndex::VTIME] = 0;
    tcsetattr(io::stdin(), OptionalActions::Now, &modes)?;
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
    /// The widths of the lines on the screen, and the place of the cursor among them.
    drawn: Vec<usize>,
    cursor: (usize, usize),
    /// The width for which what stands above was written.
    columns: usize,
    /// Whether nothing stands above any more.
    alone: bool,
}

impl Screen {
    pub fn open(color: bool) -> io::Result<Screen> {
        let out = Terminal::open()?;
        terminal::enable_raw_mode()?;
        let mut screen = Screen {
            out,
            color,
            drawn: Vec::new(),
            cursor: (0, 0),
            columns: size().columns,
            alone: false,
        };
        never_block()?;
        // What was typed while the tool ran was not meant for a question that nobody had seen.
        for _ in 0..MOST_TYPED_AHEAD {
            if !event::poll(TYPED_AHEAD)? {
                break;
            }
            event::read()?;
        }
        // Line wrap is off, so that a character whose width the terminal sees differently breaks
        // nothing but its own line.
        queue!(screen.out, EnableBracketedPaste, DisableLineWrap)?;
        screen.out.flush()?;
        Ok(screen)
    }

    /// Waits for a key.
    pub fn input(&mut self, stop: &Stop) -> io::Result<Input> {
        loop {
            if stop.is_stopped() {
                return Ok(Input::Stopped);
            }
            if !event::poll(TICK)? {
                continue;
            }
            let event = event::read()?;
            if let Event::Resize(..) = event {
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
        self.drawn = frame.lines.iter().map(Line::width).collect();
        let last = self.drawn.len().saturating_sub(1);
        self.cursor = (last, self.drawn.last().copied().unwrap_or(0));
        if let Some((line, column)) = frame.cursor.filter(|(line, _)| *line <= last) {
            let up = u16::try_from(last - line).unwrap_or(0);
            if up > 0 {
                queue!(bytes, cursor::MoveUp(up))?;
            }
            let to = u16::try_from(column).unwrap_or(0);
            queue!(bytes, cursor::MoveToColumn(to), cursor::Show)?;
            self.cursor = (line, column);
        }
        self.out.write_all(&bytes)?;
        self.out.flush()
    }

    /// Makes the frame the only thing in the window, once that has become narrower: what the tool had
    /// said before may be in rows now that begin without the mark. It is scrolled away, not lost.
    pub fn resized(&mut self) -> io::Result<()> {
        let Size { columns, rows } = size();
        if !self.alone && columns >= self.columns {
            return Ok(());
        }
        let mut bytes = Vec::new();
        if !self.alone {
            // As many rows as the frame has at least: not every terminal has made more of them, and
            // what stands above is to stay.
            bytes.push(b'\r');
            let up = u16::try_from(self.cursor.0).unwrap_or(0);
            if up > 0 {
                queue!(bytes, cursor::MoveUp(up))?;
            }
            queue!(bytes, Clear(ClearType::FromCursorDown))?;
            let last = u16::try_from(rows.saturating_sub(1)).unwrap_or(0);
            queue!(bytes, cursor::MoveTo(0, last))?;
            bytes.extend(std::iter::repeat_n(b'\n', rows));
            self.alone = true;
        }
        queue!(
            bytes,
            cursor::MoveTo(0, 0),
            Clear(ClearType::FromCursorDown)
        )?;
        self.drawn.clear();
        self.cursor = (0, 0);
        self.out.write_all(&bytes)
    }

    /// Clears the frame.
    fn clear(&mut self) -> io::Result<()> {
        let bytes = self.clearing()?;
        self.drawn.clear();
        self.cursor = (0, 0);
        self.out.write_all(&bytes)
    }

    /// What takes the frame from the screen and the cursor to where it began.
    fn clearing(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        queue!(bytes, cursor::Hide)?;
        let up = u16::try_from(self.rows_above(size().columns)).unwrap_or(0);
        bytes.push(b'\r');
        if up > 0 {
            queue!(bytes, cursor::MoveUp(up))?;
        }
        queue!(bytes, Clear(ClearType::FromCursorDown))?;
        Ok(bytes)
    }

    /// How many rows of the terminal are between the top of the frame and the cursor. Lines that a
    /// terminal has wrapped, because it became narrower, take several.
    fn rows_above(&self, columns: usize) -> usize {
        let columns = columns.max(1);
        let rows = |width: &usize| width.saturating_sub(1) / columns + 1;
        let (line, column) = self.cursor;
        let above: usize = self.drawn.iter().take(line).map(rows).sum();
        above + column.saturating_sub(1) / columns
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
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
}

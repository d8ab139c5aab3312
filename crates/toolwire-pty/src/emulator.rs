//! What a terminal shows of the bytes that a program writes, and what it answers.

use std::num::NonZeroU16;

use toolwire::session::TerminalModes;
use vt100::capture::{BasicFormattedCaptureState, RowContents, basic_formatted_to_plain};

use crate::sequences::{Piece, Sequences, bounded, work};

/// More bytes of answers than these are not kept for a program that does not read them.
const MAX_REPLIES: usize = 4096;

/// When sequences have touched so many cells, the rest has to wait for its turn.
const WORK: usize = 64 * 1024;

/// A terminal without glass. Nothing that a program writes leaves it but the answers to its queries.
pub(crate) struct Emulator {
    parser: vt100::Parser<Watch>,
    sequences: Sequences,
}

/// The size of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) columns: u16,
    pub(crate) rows: u16,
}

impl Size {
    fn parts(self) -> (NonZeroU16, NonZeroU16) {
        let part = |number: u16| NonZeroU16::new(number).unwrap_or(NonZeroU16::MIN);
        (part(self.rows), part(self.columns))
    }
}

/// A row that has scrolled away.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Scrolled {
    /// Its text, with blanks at its end.
    pub(crate) text: String,
    /// Whether the next row goes on with the same line.
    pub(crate) wrapped: bool,
}

/// What is seen while bytes are read.
struct Watch {
    columns: usize,
    replies: Vec<u8>,
    /// The rows of the main screen that have scrolled away.
    scrolled: Vec<Scrolled>,
    /// How many rows of the screen that is shown have scrolled away.
    moved: usize,
}

impl Emulator {
    pub(crate) fn new(size: Size) -> Self {
        let (rows, columns) = size.parts();
        let watch = Watch {
            columns: columns.get().into(),
            replies: Vec::new(),
            scrolled: Vec::new(),
            moved: 0,
        };
        Emulator {
            parser: vt100::Parser::new_with_callbacks(rows, columns, 0, watch),
            sequences: Sequences::default(),
        }
    }

    /// Reads what the program wrote, as far as that is not too much at once: how many bytes it has read, at least
    /// one of any.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> usize {
        let Size { columns, rows } = self.size();
        let (columns, rows) = (usize::from(columns), usize::from(rows));
        let (mut read, mut worked) = (0, 0);
        while read < bytes.len() && worked < WORK {
            let (more, piece) = self.sequences.next(&bytes[read..]);
            match piece {
                Piece::Text(text) => self.parser.process(text),
                Piece::Sequence(sequence) => {
                    worked += work(sequence, columns, rows);
                    match bounded(sequence, columns * rows) {
                        Some(bounded) => self.parser.process(&bounded),
                        None => self.parser.process(sequence),
                    }
                }
                Piece::Nothing => {}
            }
            read += more;
        }
        read
    }

    /// Reads all of what the program wrote.
    #[cfg(test)]
    pub(crate) fn read_all(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            bytes = &bytes[self.read(bytes)..];
        }
    }

    /// Changes the size. What no longer fits is not seen as scrolled away.
    pub(crate) fn resize(&mut self, size: Size) {
        let (rows, columns) = size.parts();
        self.parser.callbacks_mut().columns = columns.get().into();
        self.parser.screen_mut().set_size(rows, columns);
    }

    pub(crate) fn size(&self) -> Size {
        let (rows, columns) = self.screen().size();
        Size {
            columns: columns.get(),
            rows: rows.get(),
        }
    }

    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// The text of each row, without blanks at its end.
    pub(crate) fn rows(&self) -> Vec<String> {
        let rows = self.screen().rows(0, self.size().columns);
        rows.map(|mut row| {
            row.truncate(row.trim_end_matches(' ').len());
            row
        })
        .collect()
    }

    /// Whether the program draws on the screen that terminals have for it, from which nothing scrolls back.
    pub(crate) fn is_full(&self) -> bool {
        self.screen().alternate_screen()
    }

    pub(crate) fn modes(&self) -> TerminalModes {
        let screen = self.screen();
        TerminalModes::new(screen.application_cursor(), screen.bracketed_paste())
    }

    /// The answers to the program's queries since this was asked last.
    pub(crate) fn take_replies(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.parser.callbacks_mut().replies)
    }

    /// The rows of the main screen that have scrolled away since this was asked last.
    pub(crate) fn take_scrolled(&mut self) -> Vec<Scrolled> {
        std::mem::take(&mut self.parser.callbacks_mut().scrolled)
    }

    /// How many rows have scrolled away since this was asked last, whichever screen is shown.
    pub(crate) fn take_moved(&mut self) -> usize {
        std::mem::take(&mut self.parser.callbacks_mut().moved)
    }
}

impl Watch {
    fn reply(&mut self, text: &str) {
        if self.replies.len() + text.len() <= MAX_REPLIES {
            self.replies.extend_from_slice(text.as_bytes());
        }
    }
}

/// The state of a mode, as DECRPM says it: 0 unknown, 1 set, 2 not set.
fn mode(screen: &vt100::Screen, number: u16) -> u8 {
    let set = match number {
        1 => screen.application_cursor(),
        25 => !screen.hide_cursor(),
        47 | 1049 => screen.alternate_screen(),
        2004 => screen.bracketed_paste(),
        _ => return 0,
    };
    if set { 1 } else { 2 }
}

impl vt100::Callbacks for Watch {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        second: Option<u8>,
        parameters: &[&[u16]],
        last: char,
    ) {
        let parameter = parameters.first().and_then(|one| one.first());
        let number = parameter.copied().unwrap_or_default();
        let (rows, columns) = screen.size();
        match (first, second, last, number) {
            (None, None, 'n', 5) => self.reply("\x1b[0n"),
            (None | Some(b'?'), None, 'n', 6) => {
                let (row, column) = screen.cursor_position();
                let column = column.min(columns.get() - 1);
                let private = if first.is_some() { "?" } else { "" };
                self.reply(&format!("\x1b[{private}{};{}R", row + 1, column + 1));
            }
            // A VT220 with colours; and the version of a terminal that has no name.
            (None, None, 'c', 0) => self.reply("\x1b[?62;22c"),
            (Some(b'>'), None, 'c', 0) => self.reply("\x1b[>1;10;0c"),
            (None, None, 't', 18) => self.reply(&format!("\x1b[8;{rows};{columns}t")),
            (None, None, 't', 19) => self.reply(&format!("\x1b[9;{rows};{columns}t")),
            (Some(b'?'), Some(b'$'), 'p', number) => {
                self.reply(&format!("\x1b[?{number};{}$y", mode(screen, number)));
            }
            (Some(b'$'), None, 'p', number) => self.reply(&format!("\x1b[{number};0$y")),
            _ => {}
        }
    }

    fn on_scroll(&mut self, row: RowContents<'_>, alternate: bool) {
        self.moved = self.moved.saturating_add(1);
        if alternate {
            return;
        }
        let mut formatted = String::new();
        let mut state = BasicFormattedCaptureState::new();
        // A string can always be written to.
        let _ = row.write_formatted_basic(&mut formatted, &mut state);
        let text = match formatted.contains('\x1b') {
            true => basic_formatted_to_plain(&formatted).collect(),
            false => formatted,
        };
        // What follows a line that goes on begins without a line feed; only a full row can go on.
        let wrapped = text.len() + 1 >= self.columns && {
            let mut next = String::new();
            let _ = row.write_formatted_basic(&mut next, &mut state);
            !next.starts_with('\n')
        };
        self.scrolled.push(Scrolled { text, wrapped });
    }
}

#[cfg(test)]
mod tests {
    use super::{Emulator, Scrolled, Size};

    fn emulator(columns: u16, rows: u16) -> Emulator {
        Emulator::new(Size { columns, rows })
    }

    #[test]
    fn queries_are_answered_and_nothing_else_is() {
        let mut emulator = emulator(80, 24);
        emulator.read_all(b"\x1b[2;3H\x1b[6n\x1b[5n\x1b[c\x1b[>c\x1b[18t\x1b[?2004h\x1b[?2004$p\x1b[?25$p\x1b[?7777$p\x1b[4$p");
        assert_eq!(
            String::from_utf8(emulator.take_replies()).unwrap(),
            "\x1b[2;3R\x1b[0n\x1b[?62;22c\x1b[>1;10;0c\x1b[8;24;80t\x1b[?2004;1$y\x1b[?25;1$y\x1b[?7777;0$y\x1b[4;0$y"
        );
        emulator.read_all(
            b"\x1b]0;title\x07\x1b]52;c;aGk=\x07\x1b]52;c;?\x07\x1b]2;t\x1b\\\x1b[21t\x07",
        );
        assert_eq!(emulator.take_replies(), b"");
        assert_eq!(emulator.rows().join(""), "");
    }

    #[test]
    fn answers_that_nobody_reads_are_bounded() {
        let mut emulator = emulator(80, 24);
        emulator.read_all("\x1b[6n".repeat(100_000).as_bytes());
        assert!(emulator.take_replies().len() <= super::MAX_REPLIES);
    }

    #[test]
    fn the_cursor_is_within_the_screen_where_a_line_is_full() {
        let mut emulator = emulator(4, 2);
        emulator.read_all(b"abcd\x1b[6n");
        assert_eq!(emulator.take_replies(), b"\x1b[1;4R");
    }

    #[test]
    fn rows_that_scroll_away_are_seen() {
        let mut emulator = emulator(4, 2);
        emulator.read_all("\x1b[31ma\x1b[m\r\nlong日本ter\r\nb".as_bytes());
        let row = |text: &str, wrapped| Scrolled {
            text: text.to_owned(),
            wrapped,
        };
        let seen = emulator.take_scrolled();
        assert_eq!(
            seen,
            [row("a", false), row("long", true), row("日本", true)]
        );
        assert_eq!(emulator.rows(), ["ter", "b"]);
    }

    #[test]
    fn a_character_is_repeated_at_most_once_for_each_cell() {
        let mut emulator = emulator(10, 4);
        emulator.read_all(b"x\x1b[65535by");
        let scrolled = emulator.take_scrolled();
        assert_eq!(scrolled.len(), 1);
        assert_eq!(scrolled[0].text, "x".repeat(10));
        assert_eq!(emulator.rows()[3], "xy");
    }

    #[test]
    fn what_is_done_at_once_is_bounded() {
        for (columns, rows) in [(80, 24), (2, 500), (500, 500)] {
            let cells = usize::from(columns) * usize::from(rows);
            for sequence in [
                "\x1b[65535b",
                "\x1b[999S",
                "\x1b[2J",
                "\x1bc",
                "\x1b[?1049h",
            ] {
                let mut emulator = emulator(columns, rows);
                emulator.read_all("x\r\n".repeat(rows.into()).as_bytes());
                emulator.take_moved();
                let all = sequence.repeat(1000);
                let mut rest = all.as_bytes();
                let mut turns = 0;
                while !rest.is_empty() {
                    let read = emulator.read(rest);
                    assert!(read > 0);
                    rest = &rest[read..];
                    turns += 1;
                    // No more than the last one adds to the limit.
                    let touched = emulator.take_moved() * usize::from(columns);
                    assert!(
                        touched <= super::WORK + 2 * cells,
                        "{sequence:?}: {touched}"
                    );
                    let told: usize = emulator
                        .take_scrolled()
                        .iter()
                        .map(|row| row.text.len())
                        .sum();
                    assert!(told <= super::WORK + 2 * cells, "{sequence:?}: {told}");
                }
                let each = cells.min(u16::MAX.into());
                let least = 1000 * each / (super::WORK + each);
                assert!(turns >= least, "{sequence:?}: {turns} of {least}");
            }
        }
    }

    /// Numbers that are the same in each run.
    fn random(state: &mut u64, below: usize) -> usize {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        usize::try_from(*state % below as u64).unwrap()
    }

    /// What is held back and left out changes nothing of what is shown.
    #[test]
    fn a_screen_is_what_the_emulator_makes_of_the_same_bytes_at_once() {
        let pieces = [
            "\x1b[", "\x1b[?", "\x1b[>", "\x1b]", "\x1b]0;", "\x1bP", "\x1bPq", "\x1b_", "\x1b^",
            "\x1bX", "\x1b\\", "\x1b", "\x07", "\x18", "\x1a", "\x7f", "\x00", ";", ":", "9", "0",
            "1049h", "1049l", "25", "h", "l", "m", "31", "r", "S", "T", "L", "M", "P", "@", "H",
            "J", "K", "A", "C", "c", " ", "!", "\x1b(", "\x1b7", "\x1b8", "\x1bM", "x\x1b[7b",
            "\r", "\n", "\t", "\x08", "日", "e\u{301}", "word", "\u{202e}",
        ];
        let mut state = 0x5eed_u64;
        for round in 0..2_000 {
            let mut text = String::new();
            for _ in 0..random(&mut state, 60) {
                text += pieces[random(&mut state, pieces.len())];
            }
            let mut parser = vt100::Parser::new(5.try_into().unwrap(), 20.try_into().unwrap(), 0);
            parser.process(text.as_bytes());
            let mut emulator = emulator(20, 5);
            for part in text.as_bytes().chunks(1 + random(&mut state, 9)) {
                emulator.read_all(part);
            }
            let (ours, theirs) = (emulator.screen(), parser.screen());
            assert_eq!(
                ours.state_formatted(),
                theirs.state_formatted(),
                "{round}: {text:?}"
            );
        }
    }
}

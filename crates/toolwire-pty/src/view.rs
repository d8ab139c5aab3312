//! A screen as text that a model reads.

use std::fmt::Write as _;

use toolwire::terminal_safe;

use crate::emulator::{Emulator, Size};

/// What is said where only a person types.
const PERSON_ONLY: &str =
    "only a person types here: the program reads without echo, as for a password";

/// A screen as it was at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    size: Size,
    rows: Vec<String>,
    /// The row and the column of the cursor, from 1 on.
    cursor: (u16, u16),
    hidden: bool,
    full: bool,
    person: bool,
    over: bool,
}

impl Frame {
    /// The screen now; `person` says whether only a person types there, `over` whether the program has ended.
    pub(crate) fn new(emulator: &Emulator, person: bool, over: bool) -> Self {
        let size = emulator.size();
        let (row, column) = emulator.screen().cursor_position();
        Frame {
            size,
            rows: emulator.rows(),
            // Behind the last character of a full row, it is still on it.
            cursor: (row + 1, column.min(size.columns - 1) + 1),
            hidden: emulator.screen().hide_cursor(),
            full: emulator.is_full(),
            person,
            over,
        }
    }

    /// All of it: what there is to say of it, and its rows without those that are empty at the end.
    pub(crate) fn whole(&self) -> String {
        let mut text = self.heading();
        let used = self.rows.iter().rposition(|row| !row.is_empty());
        for row in &self.rows[..used.map_or(0, |last| last + 1)] {
            text.push('\n');
            text.push_str(&terminal_safe(row, false));
        }
        text
    }

    /// What differs from an earlier one, since when so many rows have scrolled away: its changed rows with their
    /// numbers. Nothing at all if nothing differs; all of it if that is shorter.
    pub(crate) fn changes(&self, before: &Frame, moved: usize) -> String {
        if self == before {
            return String::new();
        }
        let whole = self.whole();
        if self.size != before.size || self.full != before.full {
            return whole;
        }
        let moved = if moved < self.rows.len() { moved } else { 0 };
        // What scrolled within a part of the screen may be told better as if nothing had.
        let text = [moved, 0].map(|moved| self.changes_moved(before, moved));
        let text = text.into_iter().min_by_key(String::len).unwrap_or_default();
        if text.len() < whole.len() {
            text
        } else {
            whole
        }
    }

    fn changes_moved(&self, before: &Frame, moved: usize) -> String {
        let mut text = self.heading();
        if moved > 0 {
            // A string can always be written to.
            let _ = write!(text, "\nscrolled up by {moved}");
        }
        let old = before.rows.iter().skip(moved).map(String::as_str);
        let old = old.chain(std::iter::repeat(""));
        for (number, (row, old)) in (1..).zip(self.rows.iter().zip(old)) {
            if row != old {
                let _ = write!(text, "\n{number}: {}", terminal_safe(row, false));
            }
        }
        text
    }

    fn heading(&self) -> String {
        let Size { columns, rows } = self.size;
        let (row, column) = self.cursor;
        let mut text = format!("screen {columns}x{rows}");
        if self.over {
            text.push_str(", the program has ended");
        } else {
            let _ = write!(text, ", cursor at row {row}, column {column}");
            if self.hidden {
                text.push_str(", hidden");
            }
        }
        if self.person {
            let _ = write!(text, "\n{PERSON_ONLY}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Frame;
    use crate::emulator::{Emulator, Size};

    fn emulator(text: &str) -> Emulator {
        let mut emulator = Emulator::new(Size {
            columns: 20,
            rows: 5,
        });
        emulator.read_all(text.as_bytes());
        emulator
    }

    fn frame(emulator: &Emulator) -> Frame {
        Frame::new(emulator, false, false)
    }

    #[test]
    fn a_screen_is_its_rows_without_blanks_and_escapes() {
        let screen =
            emulator("\x1b[1mone\x1b[m  \r\n日本語 e\u{301}\u{202e}x\r\n\r\n👩\u{200d}💻 end\r\n");
        assert_eq!(
            frame(&screen).whole(),
            "screen 20x5, cursor at row 5, column 1\none\n日本語 e\u{301}<U+202E>x\n\n👩\u{200d}💻 end"
        );
        let person = Frame::new(&emulator("Password: "), true, false).whole();
        assert_eq!(
            person,
            "screen 20x5, cursor at row 1, column 11\nonly a person types here: the program reads without \
             echo, as for a password\nPassword:"
        );
        assert_eq!(
            Frame::new(&emulator(""), false, true).whole(),
            "screen 20x5, the program has ended"
        );
    }

    #[test]
    fn only_what_has_changed_is_told() {
        let mut screen = emulator("one and more\r\ntwo and more\r\nthree and more\r\n> ");
        let before = frame(&screen);
        assert_eq!(frame(&screen).changes(&before, 0), "");
        screen.read_all(b"y");
        assert_eq!(
            frame(&screen).changes(&before, screen.take_moved()),
            "screen 20x5, cursor at row 4, column 4\n4: > y"
        );
        let before = frame(&screen);
        screen.read_all(b"\r\nfive\r\nsix");
        assert_eq!(
            frame(&screen).changes(&before, screen.take_moved()),
            "screen 20x5, cursor at row 5, column 4\nscrolled up by 1\n4: five\n5: six"
        );
        let before = frame(&screen);
        screen.read_all(b"\x1b[H");
        assert_eq!(
            frame(&screen).changes(&before, 0),
            "screen 20x5, cursor at row 1, column 1"
        );
        screen.read_all(b"\x1b[2J\x1b[Ha");
        assert_eq!(frame(&screen).changes(&before, 0), frame(&screen).whole());
    }
}

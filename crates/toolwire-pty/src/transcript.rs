//! What a program has printed, as text: its lines when they are complete, whatever the program did to its
//! screen meanwhile.

use std::collections::VecDeque;

use crate::emulator::Emulator;

/// A line that is longer is told in pieces.
const MAX_LINE: usize = 16 * 1024;

/// What has been told of what is on the main screen.
///
/// The rows of the screen are compared with what was told of them, so that a line that the program writes anew
/// is told anew, and one that it leaves alone is not.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    /// What was told of each row of the main screen.
    rows: VecDeque<Option<String>>,
    /// The beginning of a line, whose rows have scrolled away.
    line: String,
    /// Whether a piece of that line has been told and is not in `line` any more.
    continued: bool,
    /// What was told of the line that is not complete.
    partial: String,
    /// Whether the program drew on the whole screen when it was looked at last.
    full: bool,
    /// What is to be told.
    told: String,
}

impl Transcript {
    /// Looks at what has changed.
    pub(crate) fn look(&mut self, emulator: &mut Emulator) {
        self.fit(emulator);
        for scrolled in emulator.take_scrolled() {
            let told = self.rows.pop_front().flatten();
            self.rows.push_back(None);
            let text = scrolled.text.trim_end_matches(' ');
            if told.is_some_and(|told| told == text) {
                self.end_open_line();
            } else {
                self.row(&scrolled.text, scrolled.wrapped);
            }
        }
        self.full = emulator.is_full();
        if self.full {
            return;
        }
        let cursor = usize::from(emulator.screen().cursor_position().0);
        self.rows_before(emulator, line_of(emulator, cursor));
    }

    /// Tells the line that is not complete, too, such as a prompt. To be called when the program has been quiet
    /// for a moment.
    pub(crate) fn pause(&mut self, emulator: &mut Emulator) {
        self.look(emulator);
        if self.full {
            return;
        }
        let cursor = usize::from(emulator.screen().cursor_position().0);
        let mut line = self.line.clone();
        let rows = emulator.rows();
        for (row, text) in rows.iter().enumerate().skip(line_of(emulator, cursor)) {
            line.push_str(text);
            if !is_wrapped(emulator, row) {
                break;
            }
        }
        let line = line.trim_end_matches(' ');
        if line == self.partial || line.is_empty() {
            return;
        }
        match line.strip_prefix(self.partial.as_str()) {
            Some(rest) => self.told.push_str(rest),
            None => {
                self.told.push('\n');
                self.told.push_str(line);
            }
        }
        self.partial = line.to_owned();
    }

    /// Tells all that is on the screen: nothing follows.
    pub(crate) fn end(&mut self, emulator: &mut Emulator) {
        if emulator.is_full() {
            emulator.read(b"\x1b[?1049l");
        }
        self.look(emulator);
        self.pause(emulator);
        let rows = emulator.rows();
        let used = rows.iter().rposition(|row| !row.is_empty());
        let cursor = usize::from(emulator.screen().cursor_position().0);
        if let Some(last) = used.filter(|last| *last > cursor) {
            self.rows_before(emulator, last + 1);
        }
    }

    /// What is to be told.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.told)
    }

    /// Changes the size of the screen: what was told of it counts as told in its new shape.
    pub(crate) fn resize(&mut self, emulator: &mut Emulator, resize: impl FnOnce(&mut Emulator)) {
        self.pause(emulator);
        let full = self.full;
        resize(emulator);
        self.rows.clear();
        self.fit(emulator);
        if full {
            return;
        }
        let cursor = usize::from(emulator.screen().cursor_position().0);
        let rows = emulator.rows();
        let line = line_of(emulator, cursor);
        for (told, row) in self.rows.iter_mut().zip(&rows).take(line) {
            *told = Some(row.clone());
        }
        self.line.clear();
        self.partial = rows.get(line).cloned().unwrap_or_default();
    }

    /// There are as many rows as the screen has.
    fn fit(&mut self, emulator: &Emulator) {
        self.rows.resize(emulator.size().rows.into(), None);
    }

    /// Tells the rows before this one, as far as they have not been told.
    fn rows_before(&mut self, emulator: &Emulator, end: usize) {
        for (at, text) in emulator.rows().into_iter().enumerate() {
            let told = self.rows[at].as_ref();
            if at >= end {
                // What was erased may come again.
                if told.is_some_and(|told| *told != text) {
                    self.rows[at] = None;
                }
                continue;
            }
            let erased = text.is_empty() && told.is_some_and(|told| !told.is_empty());
            if erased || told == Some(&text) {
                self.end_open_line();
            } else {
                self.row(&text, is_wrapped(emulator, at));
            }
            self.rows[at] = Some(text);
        }
    }

    /// A row that is to be told.
    fn row(&mut self, text: &str, wrapped: bool) {
        self.line.push_str(text);
        if !wrapped {
            self.end_line();
        } else if self.line.len() > MAX_LINE {
            let line = std::mem::take(&mut self.line);
            self.tell_line(&line);
            self.continued = true;
        }
    }

    /// The line whose rows were told last is over, if it is not.
    fn end_open_line(&mut self) {
        if !self.line.is_empty() || self.continued {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.tell_line(line.trim_end_matches(' '));
        self.told.push('\n');
        self.continued = false;
    }

    /// Tells what has not been told of a line.
    fn tell_line(&mut self, line: &str) {
        let partial = std::mem::take(&mut self.partial);
        match line.strip_prefix(partial.as_str()) {
            Some(rest) => self.told.push_str(rest),
            None if line.is_empty() => {}
            None => {
                self.told.push('\n');
                self.told.push_str(line);
            }
        }
    }
}

fn is_wrapped(emulator: &Emulator, row: usize) -> bool {
    u16::try_from(row).is_ok_and(|row| emulator.screen().row_wrapped(row))
}

/// The row in which the line begins that goes through this row.
fn line_of(emulator: &Emulator, row: usize) -> usize {
    let before = (0..row).rev().take_while(|row| is_wrapped(emulator, *row));
    row - before.count()
}

#[cfg(test)]
mod tests {
    use super::Transcript;
    use crate::emulator::{Emulator, Size};

    struct Told {
        emulator: Emulator,
        transcript: Transcript,
    }

    impl Told {
        fn new(columns: u16, rows: u16) -> Self {
            Told {
                emulator: Emulator::new(Size { columns, rows }),
                transcript: Transcript::default(),
            }
        }

        fn print(&mut self, text: &str) -> String {
            self.emulator.read_all(text.as_bytes());
            self.transcript.look(&mut self.emulator);
            self.transcript.take()
        }

        fn pause(&mut self) -> String {
            self.transcript.pause(&mut self.emulator);
            self.transcript.take()
        }

        fn end(&mut self) -> String {
            self.transcript.end(&mut self.emulator);
            self.transcript.take()
        }
    }

    #[test]
    fn lines_are_told_when_they_are_complete_and_a_prompt_after_a_pause() {
        let mut told = Told::new(20, 5);
        assert_eq!(told.print("one\r\ntw"), "one\n");
        assert_eq!(told.print("o\r\n> "), "two\n");
        assert_eq!(told.pause(), ">");
        assert_eq!(told.pause(), "");
        assert_eq!(told.print("y"), "");
        assert_eq!(told.print("\r\n\r\nend\r\n"), " y\n\nend\n");
        assert_eq!(told.end(), "");
    }

    #[test]
    fn everything_is_told_however_it_scrolls_and_is_cut() {
        let text: String = (0..200)
            .map(|n| format!("line {n}:{}\r\n", "x".repeat(n % 50)))
            .collect();
        for size in [1, 3, 7, 64, 10_000] {
            let mut told = Told::new(20, 5);
            let mut all = String::new();
            for piece in text.as_bytes().chunks(size) {
                all += &told.print(std::str::from_utf8(piece).unwrap());
            }
            all += &told.end();
            assert!(all == text.replace('\r', ""), "pieces of {size}: {all}");
        }
    }

    #[test]
    fn colours_moves_and_rewritten_lines_are_carried_out() {
        let mut told = Told::new(20, 5);
        assert_eq!(told.print("\x1b[1;31mred\x1b[m\r\n"), "red\n");
        assert_eq!(told.print("10%\r20%\r100%\r\n"), "100%\n");
        assert_eq!(told.print("a: 1\r\nb: 1\r\n"), "a: 1\nb: 1\n");
        assert_eq!(told.print("\x1b[2A\r\x1b[2Ka: 2\x1b[2B\r"), "a: 2\n");
        assert_eq!(told.print("\x1b[H\x1b[2J"), "");
        assert_eq!(told.print("red\r\n"), "red\n");
    }

    #[test]
    fn a_prompt_that_is_written_anew_is_told_anew() {
        let mut told = Told::new(20, 5);
        told.print("wait 1");
        assert_eq!(told.pause(), "wait 1");
        told.print("\rwait 2");
        assert_eq!(told.pause(), "\nwait 2");
        told.print("\r\x1b[K");
        assert_eq!(told.pause(), "");
        assert_eq!(told.print("done\r\n"), "\ndone\n");
    }

    #[test]
    fn a_line_that_is_longer_than_the_screen_is_one_line() {
        let mut told = Told::new(10, 3);
        let long = "0123456789".repeat(8);
        assert_eq!(told.print(&long), "");
        assert_eq!(told.pause(), long);
        assert_eq!(told.print("end\r\n"), "end\n");
    }

    #[test]
    fn a_line_without_end_is_told_in_pieces() {
        let mut told = Told::new(80, 24);
        let mut all = String::new();
        for _ in 0..2000 {
            all += &told.print(&"z".repeat(100));
        }
        assert!(told.transcript.line.len() <= super::MAX_LINE);
        all += &told.end();
        assert_eq!(all, "z".repeat(200_000));
    }

    #[test]
    fn what_is_drawn_on_the_whole_screen_is_not_printed() {
        let mut told = Told::new(20, 5);
        assert_eq!(
            told.print("before\r\n\x1b[?1049h\x1b[Hdrawn\r\nmore\r\n"),
            ""
        );
        assert_eq!(told.pause(), "");
        assert_eq!(told.print("\x1b[?1049lafter\r\n"), "before\nafter\n");
        assert_eq!(told.end(), "");
    }

    #[test]
    fn a_new_size_tells_nothing_twice() {
        let mut told = Told::new(20, 5);
        assert_eq!(told.print("one\r\ntwo\r\n> "), "one\ntwo\n");
        told.transcript.resize(&mut told.emulator, |emulator| {
            emulator.resize(Size {
                columns: 10,
                rows: 3,
            })
        });
        assert_eq!(told.transcript.take(), ">");
        assert_eq!(told.print("y\r\nthree\r\n"), " y\nthree\n");
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let mut state = 0x5eed_u64;
        let mut random = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let pieces = [
            "\x1b[",
            ";",
            "9",
            "0",
            "r",
            "S",
            "T",
            "L",
            "M",
            "P",
            "@",
            "b",
            "H",
            "J",
            "A",
            "\r",
            "\n",
            "日",
            "\u{fe0f}",
            "e\u{301}",
            "\u{200d}",
            "\x1b[?1049h",
            "\x1b[?1049l",
            "\x1bM",
            "\x1bc",
            "\t",
            "\x08",
            "word",
        ];
        for _ in 0..300 {
            let mut told = Told::new(2 + random(30) as u16, 2 + random(10) as u16);
            for _ in 0..200 {
                match random(50) {
                    0 => told.transcript.resize(&mut told.emulator, |emulator| {
                        emulator.resize(Size {
                            columns: 2 + random(30) as u16,
                            rows: 2 + random(10) as u16,
                        });
                    }),
                    1 => drop(told.pause()),
                    2 => told.emulator.read_all(&[random(256) as u8]),
                    _ => drop(told.print(pieces[random(pieces.len() as u64) as usize])),
                }
            }
            let end = told.end();
            assert!(!end.contains('\x1b'), "{end:?}");
        }
    }
}

//! What waits to be typed, and when it may be.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use toolwire::session::{TerminalInput, TerminalModes};

use crate::device::Device;

/// More bytes than these do not wait for a program that does not read.
const MAX_WAITING: usize = 4 * 1024 * 1024;

/// After a line, so much time passes before the next one: the program has read it, and may be about to hide what
/// comes.
const AFTER_LINE: Duration = Duration::from_millis(100);

/// A terminal that reads by lines keeps this much of one, and drops the rest without a word.
pub(crate) const MAX_LINE: usize = if cfg!(target_os = "linux") {
    4095
} else {
    1023
};

/// Ctrl-C, which is no text: anybody may interrupt a program (SES-27).
const INTERRUPT: &[u8] = b"\x03";

/// How often it is looked whether the program has read a line.
const LOOK: Duration = Duration::from_millis(10);

/// Who types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// The terminal itself, which answers a query.
    Terminal,
    Person,
    /// A model, or whatever else is no person.
    Other,
}

#[derive(Debug)]
struct Piece {
    bytes: Vec<u8>,
    written: usize,
    who: Who,
}

/// When the next piece can be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    Nothing,
    Now,
    After(Duration),
}

#[derive(Debug, Default)]
pub(crate) struct Typing {
    pieces: VecDeque<Piece>,
    /// The bytes of all pieces.
    waiting: usize,
    /// When a line of somebody who is no person was typed last.
    line: Option<Instant>,
    /// Whether somebody who is no person has typed last.
    by_others: bool,
    /// The bytes of the line that was begun and has no end yet.
    open_line: usize,
}

/// Why nothing of an input is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotTyped {
    /// Too much waits already.
    NotRead,
    /// The terminal would cut a line of it.
    LongLine,
}

impl Typing {
    /// What is to be typed for an input: all of it, or nothing. `by_lines` tells whether the terminal reads by lines.
    pub(crate) fn input(
        &mut self,
        input: &TerminalInput,
        modes: TerminalModes,
        who: Who,
        by_lines: bool,
    ) -> Result<(), NotTyped> {
        let bytes = input.typed(modes);
        let (open, longest) = lines(if by_lines { self.open_line } else { 0 }, &bytes);
        if by_lines && longest > MAX_LINE {
            return Err(NotTyped::LongLine);
        }
        if !self.has_room(bytes.len()) {
            return Err(NotTyped::NotRead);
        }
        self.open_line = open;
        if who == Who::Person || bytes.starts_with(b"\x1b[200~") {
            self.push(bytes, who);
            return Ok(());
        }
        for line in bytes.split_inclusive(|byte| matches!(byte, b'\r' | b'\n')) {
            self.push(line.to_vec(), who);
        }
        Ok(())
    }

    /// Types these bytes, before all that waits of somebody who is no person.
    pub(crate) fn push(&mut self, bytes: Vec<u8>, who: Who) -> bool {
        if !self.has_room(bytes.len()) {
            return false;
        }
        if bytes.is_empty() {
            return true;
        }
        let may_wait = |piece: &Piece| piece.who == Who::Other && piece.written == 0;
        let at = match who {
            Who::Other => self.pieces.len(),
            _ => self
                .pieces
                .iter()
                .position(may_wait)
                .unwrap_or(self.pieces.len()),
        };
        self.waiting += bytes.len();
        self.pieces.insert(
            at,
            Piece {
                bytes,
                written: 0,
                who,
            },
        );
        true
    }

    fn has_room(&self, more: usize) -> bool {
        self.waiting + more <= MAX_WAITING
    }

    pub(crate) fn due(&self, device: &dyn Device) -> Due {
        let Some(piece) = self.pieces.front() else {
            return Due::Nothing;
        };
        let Some(line) = self
            .line
            .filter(|_| piece.who == Who::Other && piece.written == 0)
        else {
            return Due::Now;
        };
        let rest = AFTER_LINE.saturating_sub(line.elapsed());
        match () {
            () if device.has_unread() => Due::After(LOOK.max(rest)),
            () if !rest.is_zero() => Due::After(rest),
            () => Due::Now,
        }
    }

    /// Types as much of the next piece as can be typed now. What somebody who is no person would type where only
    /// a person types is dropped; returns whether something was.
    pub(crate) fn write(&mut self, device: &dyn Device) -> io::Result<bool> {
        let Some(piece) = self.pieces.front_mut() else {
            return Ok(false);
        };
        if piece.who == Who::Other && piece.bytes != INTERRUPT && device.hides_lines() {
            return Ok(self.refuse_others());
        }
        self.by_others = piece.who == Who::Other || self.by_others && piece.who == Who::Terminal;
        piece.written += device.try_write(&piece.bytes[piece.written..])?;
        if piece.written == piece.bytes.len() {
            let is_line =
                piece.who == Who::Other && matches!(piece.bytes.last(), Some(b'\r' | b'\n'));
            self.line = is_line.then(Instant::now).or(self.line);
            self.waiting -= piece.bytes.len();
            self.pieces.pop_front();
        }
        Ok(false)
    }

    /// Whether what the program has not read may be from somebody who is no person.
    pub(crate) fn typed_by_others(&self) -> bool {
        self.by_others
    }

    /// Drops what waits of somebody who is no person; returns whether there was something.
    pub(crate) fn refuse_others(&mut self) -> bool {
        let before = self.pieces.len();
        self.pieces.retain(|piece| piece.who != Who::Other);
        self.waiting = self.pieces.iter().map(|piece| piece.bytes.len()).sum();
        self.pieces.len() < before
    }

    /// Drops all: the program does not read any more.
    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
        self.waiting = 0;
    }
}

/// The bytes of the line that is open after these bytes, and of the longest line.
fn lines(open: usize, bytes: &[u8]) -> (usize, usize) {
    let mut longest = open;
    let mut open = open;
    for byte in bytes {
        open = match byte {
            // The end of a line, or what takes it back: ctrl-c, ctrl-d, ctrl-u.
            b'\r' | b'\n' | 0x03 | 0x04 | 0x15 => 0,
            _ => open + 1,
        };
        longest = longest.max(open);
    }
    (open, longest)
}

#[cfg(test)]
mod tests {
    use toolwire::Json;

    use super::*;

    fn give(typing: &mut Typing, text: &str) -> bool {
        let json = Json::from(text);
        let input = TerminalInput::read(&json).unwrap();
        typing
            .input(&input, TerminalModes::default(), Who::Other, false)
            .is_ok()
    }

    /// A sum over all pieces for each line would be 20,000,000,000 steps: minutes, where this is a moment.
    #[test]
    fn many_lines_are_taken_in_one_pass() {
        let mut typing = Typing::default();
        let begun = Instant::now();
        assert!(give(&mut typing, &"x\n".repeat(200_000)));
        assert!(begun.elapsed() < Duration::from_secs(10));
        assert_eq!((typing.pieces.len(), typing.waiting), (200_000, 400_000));
        assert!(typing.refuse_others());
        assert_eq!(typing.waiting, 0);
    }

    #[test]
    fn an_input_is_typed_whole_or_not_at_all() {
        let mut typing = Typing::default();
        let mebibyte = "x".repeat(1024 * 1024);
        for text in [&*mebibyte, &mebibyte, &mebibyte, &mebibyte[4..]] {
            assert!(give(&mut typing, text));
        }
        assert!(!give(&mut typing, "a\nb\nc\n"));
        assert_eq!((typing.pieces.len(), typing.waiting), (4, MAX_WAITING - 4));
        assert!(give(&mut typing, "a\nb\n"));
        assert!(!typing.push(b"x".to_vec(), Who::Person));
        typing.clear();
        assert!(typing.push(b"x".to_vec(), Who::Person));
    }
}

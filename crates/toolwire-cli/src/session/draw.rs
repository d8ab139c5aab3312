//! What a program may write to the terminal of a person who has attached: all but what reaches beyond that
//! terminal.

/// Maximum bytes of a string sequence that are held until its kind is known.
const HEAD: usize = 16;

/// The private modes that a program may set: whoever leaves undoes them all.
pub const MODES: [&str; 13] = [
    "1", "6", "7", "9", "25", "1000", "1002", "1003", "1004", "1005", "1006", "1015", "2004",
];

/// The same of the other modes: to insert characters, and to begin lines with a line feed.
const ANSI_MODES: [&str; 2] = ["4", "20"];

/// What gives a terminal back after whatever a program has done to it: its usual cursor, colours, wrapping and keys,
/// no mouse and no marks around what is pasted; and at last, since some of these move the cursor, its usual screen.
/// Of the private modes, it undoes all that a program can set, [`MODES`].
pub const USUAL: &str = "\x1b[?25h\x1b[0 q\x1b[>4m\x1b[0m\x1b[?7h\x1b[?1l\x1b>\x1b[r\x1b[?6l\x1b[4l\x1b[20l\x1b(B\x0f\x1b[?9l\
                     \x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?1049l";

/// Takes the sequences out of a program's output that read or set the clipboard or name the window, and those
/// that have the terminal answer with text of the program's. Pieces may end anywhere.
#[derive(Debug, Default)]
pub struct Filter {
    state: State,
    /// What was read of a sequence and is not judged yet.
    held: Vec<u8>,
    /// Whether the program has changed to another screen.
    switched: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// Behind an escape.
    Escape,
    /// In a control sequence, whose last byte tells what it is.
    Control,
    /// In a string sequence whose head is not complete.
    Head,
    /// In one that is passed on.
    Passed,
    /// In one that is left out.
    Dropped,
    /// Behind an escape in either, which may begin its end.
    Ending(bool),
}

impl Filter {
    /// What of a piece may be written.
    pub fn pass(&mut self, piece: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(piece.len());
        for &byte in piece {
            self.step(byte, &mut out);
        }
        out
    }

    /// Whether the program has changed to another screen since the last time. The person has one screen for
    /// both, which is then to be drawn anew.
    pub fn has_switched(&mut self) -> bool {
        std::mem::take(&mut self.switched)
    }

    fn step(&mut self, byte: u8, out: &mut Vec<u8>) {
        match self.state {
            State::Text if byte == 0x1b => self.begin(byte),
            State::Text => out.push(byte),
            State::Escape => {
                self.held.push(byte);
                self.state = match byte {
                    b'[' => State::Control,
                    // OSC, DCS, APC, PM, SOS.
                    b']' | b'P' | b'_' | b'^' | b'X' => State::Head,
                    0x1b => {
                        self.held.pop();
                        State::Escape
                    }
                    _ => self.flush(out),
                };
            }
            State::Control => {
                self.held.push(byte);
                match byte {
                    0x40..=0x7e => {
                        if reports_or_names(&self.held) {
                            self.held.clear();
                        } else if let Some((rest, switches)) = without_switch(&self.held) {
                            self.held = rest;
                            self.switched |= switches;
                        }
                        self.state = self.flush(out);
                    }
                    // It ends it, and so does nothing.
                    0x18 | 0x1a => {
                        self.held.clear();
                        self.state = State::Text;
                    }
                    0x1b => {
                        self.held.clear();
                        self.begin(byte);
                    }
                    _ if self.held.len() > 256 => {
                        self.held.clear();
                        self.state = State::Text;
                    }
                    _ => {}
                }
            }
            State::Head => self.head(byte, out),
            State::Passed | State::Dropped => {
                let passed = self.state == State::Passed;
                if passed {
                    out.push(byte);
                }
                self.state = match byte {
                    0x07 | 0x18 | 0x1a => State::Text,
                    0x1b => State::Ending(passed),
                    _ => self.state,
                };
            }
            State::Ending(passed) => {
                self.state = State::Text;
                if byte == b'\\' {
                    if passed {
                        out.push(byte);
                    }
                    return;
                }
                // Another sequence begins: its escape was the last byte.
                if passed {
                    out.pop();
                }
                self.begin(0x1b);
                self.step(byte, out);
            }
        }
    }

    fn begin(&mut self, byte: u8) {
        self.held.clear();
        self.held.push(byte);
        self.state = State::Escape;
    }

    fn flush(&mut self, out: &mut Vec<u8>) -> State {
        out.append(&mut self.held);
        State::Text
    }

    /// A string sequence is passed on if it is one of those that only change what this terminal shows: colours
    /// of its palette, links, the marks of a shell. All others are left out.
    fn head(&mut self, byte: u8, out: &mut Vec<u8>) {
        let ends = matches!(byte, 0x07 | 0x18 | 0x1a | 0x1b | b';');
        self.held.push(byte);
        if !ends && self.held.len() < HEAD {
            return;
        }
        let harmless = match &self.held[..self.held.len() - 1] {
            [0x1b, b']', number @ ..] => matches!(number, b"8" | b"133"),
            _ => false,
        };
        if harmless {
            out.append(&mut self.held);
        }
        self.held.clear();
        self.state = match byte {
            0x07 | 0x18 | 0x1a => State::Text,
            0x1b => State::Ending(harmless),
            _ if harmless => State::Passed,
            _ => State::Dropped,
        };
    }
}

/// The sequence without the change to another screen, and without modes that are not undone at the end;
/// nothing if it has none. And whether it changes to another screen.
fn without_switch(sequence: &[u8]) -> Option<(Vec<u8>, bool)> {
    let [0x1b, b'[', modes @ .., last @ (b'h' | b'l')] = sequence else {
        return None;
    };
    let (begin, modes, undone): (&[u8], _, &[&str]) = match modes.strip_prefix(b"?") {
        Some(modes) => (b"\x1b[?", modes, &MODES),
        None => (b"\x1b[", modes, &ANSI_MODES),
    };
    let modes: Vec<&[u8]> = modes.split(|byte| *byte == b';').collect();
    let is_undone = |mode: &&[u8]| undone.iter().any(|undone| undone.as_bytes() == *mode);
    let others: Vec<&[u8]> = modes.iter().copied().filter(is_undone).collect();
    if others.len() == modes.len() {
        return None;
    }
    let switches = modes
        .iter()
        .any(|mode| matches!(*mode, b"47" | b"1047" | b"1049"));
    let rest = match others.is_empty() {
        true => Vec::new(),
        false => [begin, &others.join(&b';')[..], &[*last]].concat(),
    };
    Some((rest, switches))
}

/// Whether a control sequence moves or names the window, or has the terminal say something: the host answers for
/// it, and a second answer would be taken for keys. So is the protocol of keys that the host does not speak.
fn reports_or_names(sequence: &[u8]) -> bool {
    let [0x1b, b'[', parameters @ .., last] = sequence else {
        return false;
    };
    let private = parameters
        .first()
        .is_some_and(|first| b"<=>?".contains(first));
    match last {
        b't' | b'n' | b'c' | b'x' => true,
        b'u' | b'q' => private,
        b'p' => parameters.last() == Some(&b'$'),
        b'y' => parameters.last() == Some(&b'*'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same comes out, wherever the pieces end.
    fn passed(text: &str) -> String {
        let whole = Filter::default().pass(text.as_bytes());
        let mut filter = Filter::default();
        let pieces: Vec<u8> = text.bytes().flat_map(|byte| filter.pass(&[byte])).collect();
        assert_eq!(whole, pieces, "{text:?}");
        String::from_utf8(whole).unwrap()
    }

    #[test]
    fn what_draws_is_passed_on() {
        for text in [
            "plain\r\n\ttext ✓",
            "\x1b[31mred\x1b[0m\x1b[2J\x1b[10;20H\x1b[?2004h",
            "\x1b(B\x1b=\x1b7\x1b8\x1bM",
            "\x1b[s\x1b[u\x1b[2 q\x1b[!p\x1b[?1000h",
            "\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x07",
        ] {
            assert_eq!(passed(text), text);
        }
    }

    #[test]
    fn what_reaches_beyond_the_terminal_is_left_out() {
        for (text, rest) in [
            ("a\x1b]52;c;Y2xpcA==\x07b", "ab"),
            ("a\x1b]52;c;?\x1b\\b", "ab"),
            ("a\x1b[?1049hb\x1b[?25;47lc", "ab\x1b[?25lc"),
            ("a\x1b[?9;1001;1006hb\x1b[?2026;12;5hc", "a\x1b[?9;1006hbc"),
            ("a\x1b[2hb\x1b[4;12hc", "ab\x1b[4hc"),
            ("a\x1b]0;title\x07b", "ab"),
            ("a\x1b]2;title\x1b\\b", "ab"),
            ("a\x1b]1337;File=x:AAAA\x07b", "ab"),
            ("a\x1b]9;notify\x07b", "ab"),
            ("a\x1bP$qm\x1b\\b", "ab"),
            ("a\x1b_payload\x1b\\b", "ab"),
            ("a\x1b[21tb\x1b[8;50;100tc", "abc"),
            (
                "a\x1b[6nb\x1b[cc\x1b[>qd\x1b[?2026$pe\x1b[?u\x1b[>1uf",
                "abcdef",
            ),
            ("a\x1b]52;c;\x1b[31mb", "a\x1b[31mb"),
            ("a\x1b]0123456789012345678901234567890\x07b", "ab"),
        ] {
            assert_eq!(passed(text), rest, "{text:?}");
        }
    }

    #[test]
    fn every_mode_that_a_program_may_set_is_undone() {
        for mode in MODES {
            let usual = if matches!(mode, "7" | "25") { 'h' } else { 'l' };
            assert!(USUAL.contains(&format!("\x1b[?{mode}{usual}")), "{mode}");
        }
        for mode in ANSI_MODES {
            assert!(USUAL.contains(&format!("\x1b[{mode}l")), "{mode}");
        }
    }
}

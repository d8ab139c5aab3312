//! What a program writes, in pieces whose memory and work are bounded.
//!
//! The emulator keeps what it is given of a string until its end, and carries out each sequence at once. So it is
//! given no strings, which mean nothing here, and other sequences only as a whole, when it is known what they cost.

/// A sequence that is longer has no effect.
const MAX_SEQUENCE: usize = 256;

const ESCAPE: u8 = 0x1b;

/// A byte that no character has.
const INVALID: u8 = 0xff;

/// Where in what the program writes the next byte is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// After an escape, and what may stand between it and the last byte.
    Escape,
    /// After `ESC[`.
    Control,
    /// After `ESC]`, or what begins another string, which a BEL does not end.
    String { bell: bool },
}

/// Tells sequences from text, wherever what a program writes is cut.
#[derive(Debug, Default)]
pub(crate) struct Sequences {
    state: State,
    /// The sequence so far.
    held: Vec<u8>,
    /// The beginning of a character, whose rest has not come yet; of one that was cut, the emulator would lose what
    /// stands behind it.
    begun: Vec<u8>,
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Characters, and controls of one byte.
    Text(&'a [u8]),
    /// A sequence from its escape to its last byte.
    Sequence(&'a [u8]),
    /// Nothing that has an effect.
    Nothing,
}

impl Sequences {
    /// The next piece of bytes that are not empty, and how many of them were read.
    pub(crate) fn next<'a>(&'a mut self, bytes: &'a [u8]) -> (usize, Piece<'a>) {
        match self.state {
            State::Text => self.text(bytes),
            State::String { bell } => self.string(bytes, bell),
            State::Escape | State::Control => (1, self.sequence(&bytes[..1])),
        }
    }

    fn text<'a>(&'a mut self, bytes: &'a [u8]) -> (usize, Piece<'a>) {
        if lacks(&self.begun) > 0 {
            if !matches!(bytes[0], 0x80..=0xbf) {
                // Nothing completes it. It is told as it is, once.
                self.begun.push(INVALID);
                return (0, Piece::Text(&self.begun));
            }
            self.begun.push(bytes[0]);
            return match lacks(&self.begun) {
                0 => (1, Piece::Text(&self.begun)),
                _ => (1, Piece::Nothing),
            };
        }
        self.begun.clear();
        match bytes.iter().position(|&byte| byte == ESCAPE) {
            Some(0) => {
                self.begin();
                (1, Piece::Nothing)
            }
            Some(end) => (end, Piece::Text(&bytes[..end])),
            None => {
                // A character has at most four bytes.
                let tail = bytes.len().saturating_sub(3);
                let begin = bytes[tail..].iter().rposition(|&byte| byte >= 0xc0);
                let begin = begin.map(|at| tail + at);
                let cut = begin.filter(|&at| lacks(&bytes[at..]) > 0);
                match cut {
                    Some(0) => {
                        self.begun.extend_from_slice(bytes);
                        (bytes.len(), Piece::Nothing)
                    }
                    Some(end) => (end, Piece::Text(&bytes[..end])),
                    None => (bytes.len(), Piece::Text(bytes)),
                }
            }
        }
    }

    fn string<'a>(&mut self, bytes: &[u8], bell: bool) -> (usize, Piece<'a>) {
        let is_end = |&byte: &u8| matches!(byte, 0x18 | 0x1a | ESCAPE) || (bell && byte == 0x07);
        let Some(end) = bytes.iter().position(is_end) else {
            return (bytes.len(), Piece::Nothing);
        };
        self.state = State::Text;
        if bytes[end] == ESCAPE {
            self.begin();
        }
        (end + 1, Piece::Nothing)
    }

    /// One byte of a sequence.
    fn sequence<'a>(&'a mut self, byte: &'a [u8]) -> Piece<'a> {
        let begun = self.state == State::Escape && self.held.len() == 1;
        match byte[0] {
            0x18 | 0x1a => self.state = State::Text,
            ESCAPE => self.begin(),
            // A control within a sequence is carried out before it.
            0x00..=0x1f => return Piece::Text(byte),
            // Terminals pass over them here.
            0x7f.. => {}
            b'[' if begun => {
                self.hold(b'[');
                self.state = State::Control;
            }
            b']' if begun => self.state = State::String { bell: true },
            b'P' | b'X' | b'^' | b'_' if begun => self.state = State::String { bell: false },
            last if last >= self.least_last() => {
                self.hold(last);
                self.state = State::Text;
                if self.held.len() <= MAX_SEQUENCE {
                    return Piece::Sequence(&self.held);
                }
            }
            between => self.hold(between),
        }
        Piece::Nothing
    }

    /// From which byte on it is the last one.
    fn least_last(&self) -> u8 {
        match self.state {
            State::Control => 0x40,
            _ => 0x30,
        }
    }

    fn begin(&mut self) {
        self.state = State::Escape;
        self.held.clear();
        self.held.push(ESCAPE);
    }

    /// Holds a byte; one too many shows that the sequence is too long.
    fn hold(&mut self, byte: u8) {
        if self.held.len() <= MAX_SEQUENCE {
            self.held.push(byte);
        }
    }
}

/// How many bytes the character lacks that begins with these; none if they are too many for one, or begin none.
fn lacks(begun: &[u8]) -> usize {
    let length = match begun.first() {
        Some(0xc0..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf7) => 4,
        _ => 0,
    };
    match begun.last() {
        Some(&INVALID) => 0,
        _ => usize::saturating_sub(length, begun.len()),
    }
}

/// A sequence that is carried out in place of this one, if it asks for more than can be seen of it: to repeat a
/// character (REP) more often than the screen has cells.
pub(crate) fn bounded(sequence: &[u8], cells: usize) -> Option<Vec<u8>> {
    let parameters = sequence.strip_prefix(b"\x1b[")?.strip_suffix(b"b")?;
    // With other bytes, it is another sequence.
    let is_repeat = parameters.iter().all(|byte| (b'0'..=b';').contains(byte));
    (is_repeat && number(parameters) > cells).then(|| format!("\x1b[{cells}b").into_bytes())
}

/// How many cells the screen has to touch for a sequence, at most.
pub(crate) fn work(sequence: &[u8], columns: usize, rows: usize) -> usize {
    let screen = columns * rows;
    let [ESCAPE, rest @ .., last] = sequence else {
        return 1;
    };
    let Some(parameters) = rest.strip_prefix(b"[") else {
        return match (rest, last) {
            ([], b'c') => screen,
            ([], b'M') => columns,
            _ => 1,
        };
    };
    match last {
        b'J' | b'L' | b'M' | b'S' | b'T' => screen,
        b'b' => number(parameters).min(screen),
        b'@' | b'K' | b'P' | b'X' => columns,
        b'h' | b'l' => {
            let modes = parameters.strip_prefix(b"?").unwrap_or_default();
            let modes = modes.split(|&byte| byte == b';');
            let screens = modes.filter(|mode| matches!(number(mode), 47 | 1047 | 1049));
            1 + screens.count() * screen
        }
        _ => 1,
    }
}

/// The number that a parameter begins with.
fn number(parameter: &[u8]) -> usize {
    let digits = parameter.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number: usize, digit| {
        let number = number.saturating_mul(10);
        number.saturating_add(usize::from(digit - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::{MAX_SEQUENCE, Piece, Sequences, bounded, work};

    /// All pieces of bytes that come in parts of a size: text, and each sequence in brackets.
    fn pieces(bytes: &[u8], size: usize) -> (String, usize) {
        let mut sequences = Sequences::default();
        let (mut all, mut most) = (Vec::new(), 0);
        for mut part in bytes.chunks(size) {
            while !part.is_empty() {
                let (read, piece) = sequences.next(part);
                match piece {
                    Piece::Text(text) => all.extend_from_slice(text),
                    Piece::Sequence(sequence) => {
                        all.push(b'<');
                        all.extend_from_slice(&sequence[1..]);
                        all.push(b'>');
                    }
                    Piece::Nothing => {}
                }
                part = &part[read..];
                most = most.max(sequences.held.len());
            }
        }
        (String::from_utf8_lossy(&all).into_owned(), most)
    }

    #[test]
    fn sequences_are_told_from_text_wherever_they_are_cut() {
        let cases = [
            ("a\x1b[1;31mb\x1b[mc", "a<[1;31m>b<[m>c"),
            ("\x1b(B\x1b7\x1b#8\x1bc", "<(B><7><#8><c>"),
            ("\x1b]0;title\x07a\x1b]2;t\x1b\\b", "a<\\>b"),
            (
                "\x1bPq\x07no\x1b\\a\x1b_G\x18b\x1b^pm\x1a c\x1bXs\x1b\\",
                "<\\>ab c<\\>",
            ),
            // A control within a sequence, one that is begun anew, and one that is given up.
            ("\x1b[1\n2Aa\x1b[3\x1b[4Bb\x1b[5\x18Cc", "\n<[12A>a<[4B>bCc"),
            ("\x1b\x1b[A\x1b[?25\x7fl\x1b[é1A", "<[A><[?25l><[1A>"),
            ("日本\x1b[ q語\x1b[>0c", "日本<[ q>語<[>0c>"),
        ];
        for (text, expected) in cases {
            for size in [1, 2, 3, 100] {
                assert_eq!(pieces(text.as_bytes(), size).0, expected, "{text:?} {size}");
            }
        }
    }

    #[test]
    fn little_is_held_of_what_has_no_end() {
        for begin in [
            "\x1b]52;c;",
            "\x1bP",
            "\x1b_",
            "\x1b^",
            "\x1bX",
            "\x1b[",
            "\x1b(",
        ] {
            let mut text = begin.as_bytes().to_vec();
            text.resize(1_000_000, b' ');
            let (seen, most) = pieces(&text, 1000);
            assert_eq!(seen, "", "{begin:?}");
            assert!(most <= MAX_SEQUENCE + 1, "{begin:?}: {most}");
            text.extend_from_slice(b"\x18after");
            assert_eq!(pieces(&text, 1000).0, "after", "{begin:?}");
        }
    }

    #[test]
    fn a_sequence_may_be_as_long_as_the_limit() {
        let sequence = |length: usize| format!("\x1b[{}mx", "1".repeat(length - 3));
        let longest = sequence(MAX_SEQUENCE);
        assert!(pieces(longest.as_bytes(), 7).0.ends_with("m>x"));
        assert_eq!(pieces(sequence(MAX_SEQUENCE + 1).as_bytes(), 7).0, "x");
    }

    #[test]
    fn what_a_sequence_costs_is_known() {
        let cost = |sequence: &str| work(sequence.as_bytes(), 80, 24);
        assert_eq!(cost("\x1b[m"), 1);
        assert_eq!(cost("\x1b[K"), 80);
        assert_eq!(cost("\x1b[99999999999999999999b"), 1920);
        assert_eq!(cost("\x1b[7b"), 7);
        assert_eq!(cost("\x1b[?25;1049;01049l"), 1 + 2 * 1920);
        for whole in ["\x1bc", "\x1b[J", "\x1b[?2J", "\x1b[5S", "\x1b[L"] {
            assert_eq!(cost(whole), 1920, "{whole:?}");
        }
        let bounded = |sequence: &str| bounded(sequence.as_bytes(), 1920);
        assert_eq!(bounded("\x1b[65535b").as_deref(), Some(&b"\x1b[1920b"[..]));
        assert_eq!(bounded("\x1b[1921;3b").as_deref(), Some(&b"\x1b[1920b"[..]));
        for as_it_is in [
            "\x1b[1920b",
            "\x1b[b",
            "\x1b[?9999b",
            "\x1b[9999 b",
            "\x1b[9999S",
        ] {
            assert_eq!(bounded(as_it_is), None, "{as_it_is:?}");
        }
    }
}

//! The pass that finds everything but homoglyphs.

use toolwire::read_escape;

use super::bidi::{self, Line};
use super::character::{Class, class, names};
use super::ordinary::Place;
use super::{Hidden, HiddenKind, decode, escape};

/// How many marks of no script of their own, and of any, a character may have (HID-17).
const MOST_GENERIC: usize = 4;
const MOST_MARKS: usize = 10;

pub(super) fn scan(text: &str, chars: &[(usize, char)]) -> Vec<Hidden> {
    let mut scan = Scan {
        text,
        chars,
        line: Line::default(),
        found: Vec::new(),
    };
    let mut at = 0;
    while let Some((_, c)) = chars.get(at) {
        at = match class(*c) {
            Class::Plain => at + 1,
            Class::Control => scan.control(at),
            Class::Bidi => scan.bidi(at),
            Class::Mark => scan.marks(at),
            class => scan.run_of(at, class),
        };
    }
    scan.found
}

struct Scan<'a> {
    text: &'a str,
    chars: &'a [(usize, char)],
    line: Line,
    found: Vec<Hidden>,
}

impl<'a> Scan<'a> {
    /// The index behind the characters of one class.
    fn run(&self, at: usize) -> usize {
        let kind = class(self.chars[at].1);
        let others = |(_, c): &(usize, char)| class(*c) != kind;
        let length = self.chars[at..].iter().position(others);
        length.map_or(self.chars.len(), |length| at + length)
    }

    fn offset(&self, at: usize) -> usize {
        self.chars
            .get(at)
            .map_or(self.text.len(), |(offset, _)| *offset)
    }

    fn slice(&self, at: usize, end: usize) -> &'a [(usize, char)] {
        &self.chars[at..end]
    }

    fn push(
        &mut self,
        kind: HiddenKind,
        at: usize,
        end: usize,
        name: String,
        says: Option<String>,
    ) {
        let offset = self.offset(at);
        self.found.push(Hidden {
            kind,
            offset,
            length: self.offset(end) - offset,
            name,
            says,
        });
    }

    /// A finding about whole characters, with their names.
    fn named(&mut self, kind: HiddenKind, at: usize, end: usize, says: Option<String>) -> usize {
        let name = names(self.slice(at, end).iter().map(|(_, c)| *c));
        self.push(kind, at, end, name, says);
        end
    }

    /// Control characters up to the next sequence, or a sequence.
    fn control(&mut self, at: usize) -> usize {
        let mut end = at;
        while let Some((offset, c)) = self.chars.get(end) {
            let rest = &self.text[*offset..];
            if class(*c) != Class::Control || rest.starts_with("\r\n") {
                break;
            }
            if let Some(sequence) = read_escape(rest) {
                if end > at {
                    break;
                }
                let last = offset + sequence.length;
                let length = self.chars[at..].partition_point(|(offset, _)| *offset < last);
                let end = at + length;
                let (name, says) = escape::describe(sequence.kind);
                self.push(HiddenKind::Escape, at, end, name, says);
                return end;
            }
            end += 1;
        }
        if end == at {
            // A carriage return that belongs to the end of a line.
            return at + 1;
        }
        self.named(HiddenKind::Control, at, end, None)
    }

    /// A run of a class that languages and emoji need in some places.
    fn run_of(&mut self, at: usize, class: Class) -> usize {
        let end = self.run(at);
        let (chars, c) = (self.chars, self.chars[at].1);
        let place = Place { chars, at };
        let is_alone = end == at + 1;
        let run = &chars[at..end];
        let (is_ordinary, kind, says) = match class {
            Class::Tag => (place.is_flag(end), HiddenKind::Tag, decode::tags(run)),
            Class::Selector => {
                let is_ordinary = is_alone && place.is_ordinary_selector(c);
                (is_ordinary, HiddenKind::Variation, decode::selectors(run))
            }
            _ => {
                let is_ordinary = is_alone && place.is_ordinary_invisible(c);
                (is_ordinary, HiddenKind::Invisible, None)
            }
        };
        match is_ordinary {
            true => end,
            false => self.named(kind, at, end, says),
        }
    }

    fn bidi(&mut self, at: usize) -> usize {
        if self.line.is_ordinary(self.text, self.chars, at) {
            return at + 1;
        }
        let run = self.run(at);
        let mut end = at + 1;
        while end < run && !self.line.is_ordinary(self.text, self.chars, end) {
            end += 1;
        }
        let overrides = self.slice(at, end).iter().any(|(_, c)| *c == '\u{202e}');
        let says = match overrides {
            true => bidi::overridden(&self.chars[end..]),
            false => None,
        };
        self.named(HiddenKind::Bidi, at, end, says)
    }

    fn marks(&mut self, at: usize) -> usize {
        let end = self.run(at);
        let generic = self.slice(at, end).iter().filter(|(_, c)| is_generic(*c));
        if end - at <= MOST_MARKS && generic.count() <= MOST_GENERIC {
            return end;
        }
        self.named(HiddenKind::Marks, at, end, None)
    }
}

/// Whether a mark belongs to no script.
fn is_generic(c: char) -> bool {
    matches!(
        u32::from(c),
        0x300..=0x36F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F
    )
}

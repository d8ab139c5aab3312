//! The strict scan: one pass that judges a JSON text and writes its tape.

use super::Kind;
use super::entry::{Entry, Escapes};
use super::escape::{SHORT_ESCAPES, long_escape};
use super::fault::Fault;
use super::frame::{Frame, Frames};
use super::names::Names;
use super::number::scan_number;
use super::plain::{Form, form};
use super::specials::Specials;
use super::string::inside;
use crate::{Code, Limits};

/// Which values a scan writes on the tape with what is inside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScanMode {
    /// All.
    Whole,
    /// Those that the reading of an envelope looks into. Of others, such as the value of
    /// `structuredContent`, only the place is written down; they are checked all the same.
    Envelope,
}

/// What a scan leaves.
pub(super) struct Scanned {
    pub tape: Vec<Entry>,
    pub big_integer: Option<u32>,
    pub depth: usize,
}

struct Scanner<'a> {
    text: &'a [u8],
    mode: ScanMode,
    /// Behind what is written down stand, for the time being, the names of open objects whose inside is
    /// only checked.
    tape: Vec<Entry>,
    frames: Frames,
    names: Names,
    big_integer: Option<u32>,
    max_depth: usize,
    values_left: usize,
}

/// Scans the one JSON text that begins at `from`. `text` is valid UTF-8 and shorter than 4 GiB.
pub(super) fn scan(
    text: &[u8],
    from: usize,
    limits: &Limits,
    mode: ScanMode,
) -> Result<Scanned, Fault> {
    let mut scanner = Scanner::new(text, limits, mode);
    let start = white_space(text, from);
    if start == text.len() {
        return Err(Fault {
            code: Code::EmptyOutput,
            offset: 0,
        });
    }
    let (ended, _) = scanner.value::<true>(start, Specials::NONE)?;
    let end = white_space(text, ended.at);
    if end < text.len() {
        return Err(Fault {
            code: Code::TrailingData,
            offset: end,
        });
    }
    Ok(Scanned {
        tape: scanner.tape,
        big_integer: scanner.big_integer,
        depth: scanner.frames.deepest(),
    })
}

/// The tapes of some values, one behind the other. They begin at `starts`, in order, in a text that
/// was scanned before.
pub(super) fn scan_insides(text: &[u8], starts: impl Iterator<Item = u32>) -> Vec<Entry> {
    let mut scanner = Scanner::new(text, &Limits::WIDEST, ScanMode::Whole);
    for start in starts {
        if scanner
            .value::<true>(start as usize, Specials::NONE)
            .is_err()
        {
            break;
        }
    }
    scanner.tape
}

/// Where a value ended, and how many elements or members it has.
struct Ended {
    at: usize,
    count: u32,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a [u8], limits: &Limits, mode: ScanMode) -> Self {
        Scanner {
            text,
            mode,
            // A guess for small documents; large ones grow their tape as they need it.
            tape: Vec::with_capacity((text.len() / 16).clamp(16, 256)),
            frames: Frames::new(),
            names: Names::default(),
            big_integer: None,
            max_depth: limits.max_depth.min(super::limits::MAX_DEPTH),
            values_left: limits.max_values,
        }
    }

    /// Reads the value at `at` and all that is inside it. With `KEEP` it is written on the tape, else
    /// only checked.
    ///
    /// White space is looked for where something else than expected stands, since most tools write
    /// none.
    fn value<const KEEP: bool>(
        &mut self,
        mut at: usize,
        mut specials: Specials,
    ) -> Result<(Ended, Specials), Fault> {
        let text = self.text;
        let outside = self.frames.depth();
        let mut frame = Frame::OUTERMOST;
        loop {
            // A value is expected here.
            let Some(&byte) = text.get(at) else {
                return Err(Fault::unexpected(text, at));
            };
            if self.values_left == 0 {
                return Err(one_too_many(text, at));
            }
            self.values_left -= 1;
            // What a container that ends here has.
            let mut count = 0;
            if byte == b'"' {
                let string;
                (string, specials) = scan_string(text, at, specials)?;
                if KEEP {
                    self.push(Entry::string(at, string.end, self.after(), string.escapes));
                }
                at = string.end;
            } else if matches!(byte, b'-' | b'0'..=b'9') {
                let number = scan_number(text, at)?;
                if number.big_integer && self.big_integer.is_none() {
                    self.big_integer = Some(at as u32);
                }
                if KEEP {
                    self.push(Entry::new(Kind::Number, at, number.end, self.after()));
                }
                at = number.end;
            } else if matches!(byte, b'{' | b'[') {
                if KEEP && let Some(form) = self.plain_text_block(at, &frame) {
                    let (start, index) = (at, self.tape.len());
                    let string;
                    (string, specials) = scan_string(text, at + form.before.len() - 1, specials)?;
                    at = string.end;
                    let first = start + form.before.len() - 1;
                    let string = Entry::string(first, string.end, 0, string.escapes);
                    self.values_left -= form.members() as usize;
                    if text[at..].starts_with(form.after) {
                        self.frames.pass();
                        let entries = form.whole(start, string, index);
                        self.tape.extend_from_slice(&entries);
                        self.values_left -= 2 - form.members() as usize;
                        at += form.after.len();
                    } else {
                        // It goes on, so the loop takes over behind the text.
                        self.tape.extend(form.begun(start, string, index));
                        self.frames.push(frame);
                        frame = Frame::new(true, index);
                        frame.count = form.members() - 1;
                        frame.sketches = u64::MAX;
                    }
                } else if KEEP && self.is_opaque(&frame, byte) {
                    self.values_left += 1;
                    let (start, index) = (at, self.tape.len());
                    let ended;
                    (ended, specials) = self.checked(at, specials)?;
                    at = ended.at;
                    let mut entry = Entry::new(kind_of(byte), start, at, index + 1);
                    entry.close(at, index + 1, ended.count);
                    self.push(entry);
                } else {
                    if self.frames.depth() >= self.max_depth {
                        return Err(Fault {
                            code: Code::LimitDepth,
                            offset: at,
                        });
                    }
                    self.frames.push(frame);
                    frame = Frame::new(byte == b'{', self.tape.len());
                    if KEEP {
                        self.push(Entry::new(kind_of(byte), at, at, self.after()));
                    }
                    at += 1;
                    if is_white_space(text, at) {
                        at = white_space(text, at);
                    }
                    if text.get(at) != Some(&frame.bracket) {
                        if frame.is_object() {
                            (at, specials) = self.name::<KEEP>(at, specials, &mut frame)?;
                        }
                        continue;
                    }
                    at += 1;
                    frame = self.close::<KEEP>(&frame, at);
                }
            } else if is_white_space(text, at) {
                self.values_left += 1;
                at = white_space(text, at);
                continue;
            } else {
                let (kind, end) = word(text, at)?;
                if KEEP {
                    self.push(Entry::new(kind, at, end, self.after()));
                }
                at = end;
            }
            // A value ended here; so may any number of containers.
            loop {
                if self.frames.depth() == outside {
                    return Ok((Ended { at, count }, specials));
                }
                match text.get(at) {
                    Some(b',') => {
                        at += 1;
                        frame.count += 1;
                        if frame.is_object() {
                            (at, specials) = self.name::<KEEP>(at, specials, &mut frame)?;
                        }
                        break;
                    }
                    Some(&byte) if byte == frame.bracket => {
                        at += 1;
                        frame.count += 1;
                        count = frame.count;
                        frame = self.close::<KEEP>(&frame, at);
                    }
                    Some(b' ' | b'\t' | b'\n' | b'\r') => at = white_space(text, at),
                    _ => return Err(Fault::unexpected(text, at)),
                }
            }
        }
    }

    /// Checks the value at `at`. It is a function of its own, so that each of the two loops has the
    /// processor's registers for itself.
    #[inline(never)]
    fn checked(&mut self, at: usize, specials: Specials) -> Result<(Ended, Specials), Fault> {
        self.value::<false>(at, specials)
    }

    /// Closes the innermost container, which ends at `at`; gives the one around it.
    #[inline(always)]
    fn close<const KEEP: bool>(&mut self, frame: &Frame, at: usize) -> Frame {
        let index = frame.index as usize;
        if KEEP {
            let next = self.tape.len();
            self.tape[index].close(at, next, frame.count);
        } else {
            self.tape.truncate(index);
        }
        if frame.many {
            self.names.close();
        }
        self.frames.pop()
    }

    /// Reads a member's name, its colon and the white space around; gives where the value begins, or
    /// white space before it.
    #[inline(always)]
    fn name<const KEEP: bool>(
        &mut self,
        at: usize,
        specials: Specials,
        frame: &mut Frame,
    ) -> Result<(usize, Specials), Fault> {
        let text = self.text;
        let at = find(text, at, b'"')?;
        let (string, specials) = scan_string(text, at, specials)?;
        let entry = Entry::string(at, string.end, self.after(), string.escapes);
        self.push(entry);
        if frame.may_repeat(text, &entry) {
            let first = frame.index as usize + usize::from(KEEP);
            let (before, _) = self.tape.split_at(self.tape.len() - 1);
            frame.many = self.names.add(text, before, first, KEEP, *frame, entry)?;
        }
        let colon = find(text, string.end, b':')?;
        Ok((colon + 1, specials))
    }

    /// Whether no reader looks into the container that begins here with `byte` when an envelope is read.
    /// To be wrong costs time, nothing else: what is inside is read again when it is asked for.
    #[inline(always)]
    fn is_opaque(&self, frame: &Frame, byte: u8) -> bool {
        self.mode == ScanMode::Envelope
            && match self.tape.last() {
                Some(name) if frame.is_object() => !is_looked_into(self.text, name),
                Some(_) => byte == b'[',
                None => false,
            }
    }

    /// The form of the plain text block that begins at `at`, if one may.
    #[inline(always)]
    fn plain_text_block(&self, at: usize, frame: &Frame) -> Option<&'static Form> {
        let here = self.mode == ScanMode::Envelope
            && frame.is_array()
            && self.values_left >= 2
            && self.frames.depth() < self.max_depth;
        if here { form(&self.text[at..]) } else { None }
    }

    /// The index behind the next entry.
    #[inline(always)]
    fn after(&self) -> usize {
        self.tape.len() + 1
    }

    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        self.tape.push(entry);
    }
}

/// Whether the rules of chapter 2 look into the value of a member with this name.
fn is_looked_into(text: &[u8], name: &Entry) -> bool {
    name.escaped()
        || matches!(
            inside(text, name),
            b"content"
                | b"_meta"
                | b"resource"
                | b"question"
                | b"annotations"
                | b"audience"
                | b"computer.jp/error"
                | b"trace"
        )
}

fn kind_of(bracket: u8) -> Kind {
    match bracket {
        b'{' => Kind::Object,
        _ => Kind::Array,
    }
}

/// Why the text is refused at `at`, or behind white space there, if no more values may come.
#[cold]
fn one_too_many(text: &[u8], at: usize) -> Fault {
    let at = white_space(text, at);
    match text.get(at) {
        Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => Fault {
            code: Code::LimitValues,
            offset: at,
        },
        Some(_) => not_a_word(text, at),
        None => Fault::unexpected(text, at),
    }
}

/// A string that was scanned.
struct Text {
    end: usize,
    escapes: Escapes,
}

/// Reads the string at `at`.
#[inline(always)]
fn scan_string(text: &[u8], at: usize, specials: Specials) -> Result<(Text, Specials), Fault> {
    let mut specials = specials.pass(text, at);
    let mut escapes = Escapes::None;
    loop {
        specials = specials.filled(text);
        let at = specials.place();
        match text.get(at) {
            Some(b'"') => {
                let end = at + 1;
                return Ok((Text { end, escapes }, specials.passed()));
            }
            Some(b'\\') => match text.get(at + 1) {
                Some(&letter) if SHORT_ESCAPES[usize::from(letter)] => {
                    escapes = escapes.max(Escapes::Canonical);
                    specials = specials.passed_pair(text);
                }
                _ => {
                    let (end, kind) = long_escape(text, at)?;
                    escapes = escapes.max(kind);
                    specials = specials.from(text, end);
                }
            },
            Some(_) => {
                return Err(Fault {
                    code: Code::ControlCharacter,
                    offset: at,
                });
            }
            None => return Err(Fault::unexpected(text, at)),
        }
    }
}

/// Reads `true`, `false` or `null`; nothing else may stand here. Gives the end.
#[inline(always)]
fn word(text: &[u8], at: usize) -> Result<(Kind, usize), Fault> {
    let rest = &text[at..];
    if rest.starts_with(b"true") {
        Ok((Kind::Bool, at + 4))
    } else if rest.starts_with(b"null") {
        Ok((Kind::Null, at + 4))
    } else if rest.starts_with(b"false") {
        Ok((Kind::Bool, at + 5))
    } else {
        Err(not_a_word(text, at))
    }
}

/// Why there is no value here.
#[cold]
fn not_a_word(text: &[u8], at: usize) -> Fault {
    let rest = &text[at..];
    let word: &[u8] = match rest[0] {
        b't' => b"true",
        b'f' => b"false",
        b'n' => b"null",
        b'N' if rest.starts_with(b"NaN") => {
            return Fault {
                code: Code::NonFinite,
                offset: at,
            };
        }
        b'I' if rest.starts_with(b"Infinity") => {
            return Fault {
                code: Code::NonFinite,
                offset: at,
            };
        }
        _ => b"",
    };
    let alike = word.iter().zip(rest).take_while(|(a, b)| a == b).count();
    Fault::unexpected(text, at + alike)
}

/// The place of `byte`, which must stand at `at` or behind white space there.
#[inline(always)]
fn find(text: &[u8], at: usize, byte: u8) -> Result<usize, Fault> {
    if text.get(at) == Some(&byte) {
        return Ok(at);
    }
    let at = white_space(text, at);
    if text.get(at) == Some(&byte) {
        return Ok(at);
    }
    Err(Fault::unexpected(text, at))
}

#[inline(always)]
fn is_white_space(text: &[u8], at: usize) -> bool {
    matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r'))
}

/// The place of the first byte at or behind `at` that is not white space.
#[inline(never)]
fn white_space(text: &[u8], mut at: usize) -> usize {
    while is_white_space(text, at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<(Code, usize)> {
        let scanned = scan(text.as_bytes(), 0, &Limits::default(), ScanMode::Whole);
        let fault = scanned.err()?;
        Some((fault.code, fault.offset))
    }

    #[test]
    fn the_limit_of_values_is_met_at_a_value() {
        for (text, code, offset) in [
            ("[1, 2]", Code::LimitValues, 4),
            ("[1,\n\"\"]", Code::LimitValues, 4),
            ("[1, NaN]", Code::NonFinite, 4),
            ("[1, Infinity]", Code::NonFinite, 4),
            ("[1, x]", Code::JsonSyntax, 4),
            ("[1, ", Code::JsonTruncated, 4),
        ] {
            let limits = Limits {
                max_values: 2,
                ..Limits::default()
            };
            let fault = scan(text.as_bytes(), 0, &limits, ScanMode::Whole).err();
            assert_eq!(fault, Some(Fault { code, offset }), "{text}");
        }
    }

    /// An object with `count` names, the value of one of which is itself such an object.
    fn object(count: usize, inside: &str) -> String {
        let member = |i| match i {
            1 => format!("\"name{i}\":{inside}"),
            _ => format!("\"name{i}\":{i}"),
        };
        let members: Vec<String> = (0..count).map(member).collect();
        format!("{{{}}}", members.join(","))
    }

    #[test]
    fn a_name_twice_is_found_among_few_and_among_many() {
        for count in 1..40 {
            let good = object(count, &object(count, "{}"));
            assert_eq!(fault(&good), None, "{good}");
            for again in 0..count {
                // Spelled as it was, and with an escape.
                for spelled in [format!("\"name{again}\""), format!("\"\\u006eame{again}\"")] {
                    let bad = good.replacen('{', "{\"before\":0,", 1);
                    let bad = format!("{},{spelled}:0}}", &bad[..bad.len() - 1]);
                    let place = bad.rfind(&spelled);
                    assert_eq!(
                        fault(&bad),
                        place.map(|at| (Code::DuplicateName, at)),
                        "{bad}"
                    );
                }
            }
        }
    }
}

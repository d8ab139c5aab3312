//! The strict scan: one pass that judges a JSON text and writes its tape.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use super::Kind;
use super::number::scan_number;
use super::string::{Specials, decode, hex4};
use super::tape::{Entry, Escapes};
use crate::{Code, Limits};

/// Why a text is not a strict JSON document, and at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    pub code: Code,
    pub offset: usize,
}

impl Fault {
    /// The byte at `at` can't stand there, or the text ends there.
    #[cold]
    pub(super) fn unexpected(text: &[u8], at: usize) -> Self {
        let code = if at < text.len() {
            Code::JsonSyntax
        } else {
            Code::JsonTruncated
        };
        Fault { code, offset: at }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.code.summary(), self.offset)
    }
}

/// What a scan leaves.
pub(super) struct Scanned {
    pub tape: Vec<Entry>,
    pub big_integer: Option<u32>,
}

/// How many names of one object are compared one by one, before a set takes over.
const FEW_NAMES: u32 = 12;

/// An array or object that is still open.
struct Open {
    /// Its place on the tape.
    index: usize,
    object: bool,
    count: u32,
    /// The sketches of the names so far, together.
    sketches: u64,
    /// Whether the last of [`Scanner::names`] has its names.
    many: bool,
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    specials: Specials,
    tape: Vec<Entry>,
    open: Vec<Open>,
    /// The names of each open object that has more than a few. The standard library's hasher is
    /// keyed at random, so a tool can't choose names that collide.
    names: Vec<HashSet<Cow<'a, str>>>,
    big_integer: Option<u32>,
    max_depth: usize,
    values_left: usize,
}

/// Scans the one JSON text that begins at `from`. `text` is valid UTF-8 and shorter than 4 GiB.
pub(super) fn scan(text: &[u8], from: usize, limits: &Limits) -> Result<Scanned, Fault> {
    let mut scanner = Scanner {
        text,
        at: from,
        specials: Specials::new(text),
        // A guess for small documents; large ones grow their tape as they need it.
        tape: Vec::with_capacity((text.len() / 16).clamp(16, 256)),
        open: Vec::with_capacity(8),
        names: Vec::new(),
        big_integer: None,
        max_depth: limits.max_depth.min(crate::json::limits::MAX_DEPTH),
        values_left: limits.max_values,
    };
    scanner.document()?;
    Ok(Scanned {
        tape: scanner.tape,
        big_integer: scanner.big_integer,
    })
}

impl<'a> Scanner<'a> {
    fn document(&mut self) -> Result<(), Fault> {
        self.white_space();
        if self.at == self.text.len() {
            return Err(Fault {
                code: Code::EmptyOutput,
                offset: 0,
            });
        }
        loop {
            // A value is expected here.
            if self.value()? {
                continue;
            }
            // A value ended here; so may any number of containers.
            loop {
                self.white_space();
                let Some(open) = self.open.last_mut() else {
                    return if self.at == self.text.len() {
                        Ok(())
                    } else {
                        Err(Fault {
                            code: Code::TrailingData,
                            offset: self.at,
                        })
                    };
                };
                match self.text.get(self.at) {
                    Some(b',') => {
                        self.at += 1;
                        open.count = open.count.saturating_add(1);
                        let object = open.object;
                        self.white_space();
                        if object {
                            self.name()?;
                        }
                        break;
                    }
                    Some(b'}') if open.object => {
                        open.count = open.count.saturating_add(1);
                        self.close();
                    }
                    Some(b']') if !open.object => {
                        open.count = open.count.saturating_add(1);
                        self.close();
                    }
                    _ => return Err(Fault::unexpected(self.text, self.at)),
                }
            }
        }
    }

    /// Reads the value at the current place. True when it opened a container whose first value
    /// follows; the place is then before that value.
    #[inline]
    fn value(&mut self) -> Result<bool, Fault> {
        let start = self.at;
        let Some(&byte) = self.text.get(start) else {
            return Err(Fault::unexpected(self.text, start));
        };
        if self.values_left == 0
            && matches!(
                byte,
                b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'
            )
        {
            return Err(Fault {
                code: Code::LimitValues,
                offset: start,
            });
        }
        self.values_left = self.values_left.wrapping_sub(1);
        match byte {
            b'"' => self.string().map(|_| ()),
            b'{' | b'[' => return self.open(byte == b'{'),
            b'-' | b'0'..=b'9' => {
                let number = scan_number(self.text, start)?;
                if number.big_integer && self.big_integer.is_none() {
                    self.big_integer = Some(start as u32);
                }
                self.push(Kind::Number, start, number.end);
                Ok(())
            }
            b't' => self.word(b"true", Kind::Bool),
            b'f' => self.word(b"false", Kind::Bool),
            b'n' => self.word(b"null", Kind::Null),
            b'N' if self.text[start..].starts_with(b"NaN") => Err(Fault {
                code: Code::NonFinite,
                offset: start,
            }),
            b'I' if self.text[start..].starts_with(b"Infinity") => Err(Fault {
                code: Code::NonFinite,
                offset: start,
            }),
            _ => Err(Fault::unexpected(self.text, start)),
        }?;
        Ok(false)
    }

    fn open(&mut self, object: bool) -> Result<bool, Fault> {
        if self.open.len() >= self.max_depth {
            return Err(Fault {
                code: Code::LimitDepth,
                offset: self.at,
            });
        }
        let kind = if object { Kind::Object } else { Kind::Array };
        let index = self.tape.len();
        self.push(kind, self.at, self.at);
        self.open.push(Open {
            index,
            object,
            count: 0,
            sketches: 0,
            many: false,
        });
        self.at += 1;
        self.white_space();
        let last = if object { b'}' } else { b']' };
        if self.text.get(self.at) == Some(&last) {
            self.close();
            return Ok(false);
        }
        if object {
            self.name()?;
        }
        Ok(true)
    }

    /// Closes the innermost container at its closing bracket.
    #[inline]
    fn close(&mut self) {
        self.at += 1;
        let next = self.tape.len();
        if let Some(open) = self.open.pop() {
            self.tape[open.index].close(self.at, next, open.count);
            if open.many {
                self.names.pop();
            }
        }
    }

    /// Reads a member's name, its colon and the white space around.
    #[inline]
    fn name(&mut self) -> Result<(), Fault> {
        if self.text.get(self.at) != Some(&b'"') {
            return Err(Fault::unexpected(self.text, self.at));
        }
        let (index, start) = (self.tape.len(), self.at);
        let sketch = match self.string()? {
            Escapes::None => sketch(&self.text[start + 1..self.at - 1]),
            _ => u64::MAX,
        };
        // Most names differ from all others in their sketch already, and need no comparison.
        if let Some(open) = self.open.last_mut() {
            let new = open.sketches & sketch == 0;
            open.sketches |= sketch;
            if !new || open.count >= FEW_NAMES {
                self.refuse_duplicate(index)?;
            }
        }
        self.white_space();
        if self.text.get(self.at) != Some(&b':') {
            return Err(Fault::unexpected(self.text, self.at));
        }
        self.at += 1;
        self.white_space();
        Ok(())
    }

    /// Refuses the name at `index` of the tape if its object has it already.
    fn refuse_duplicate(&mut self, index: usize) -> Result<(), Fault> {
        let Some(open) = self.open.last_mut() else {
            return Ok(());
        };
        let name = self.tape[index];
        let fault = Fault {
            code: Code::DuplicateName,
            offset: name.start as usize,
        };
        if open.many
            && let Some(names) = self.names.last_mut()
        {
            return if names.insert(decode(self.text, &name)) {
                Ok(())
            } else {
                Err(fault)
            };
        }
        let mut at = open.index + 1;
        while at < index {
            if same_string(self.text, &self.tape[at], &name) {
                return Err(fault);
            }
            at = self.tape[at + 1].next as usize;
        }
        if open.count == FEW_NAMES {
            let mut names = HashSet::new();
            let mut at = open.index + 1;
            while at < index {
                names.insert(decode(self.text, &self.tape[at]));
                at = self.tape[at + 1].next as usize;
            }
            names.insert(decode(self.text, &name));
            open.many = true;
            self.names.push(names);
        }
        Ok(())
    }

    /// Reads the string at the current place; gives what escapes it has.
    /// Inlined into both places that call it: what it returns would go through memory otherwise.
    #[inline(always)]
    fn string(&mut self) -> Result<Escapes, Fault> {
        let start = self.at;
        let mut at = start + 1;
        let mut escapes = Escapes::None;
        loop {
            at = self.specials.next(self.text, at);
            match self.text.get(at) {
                Some(b'"') => break,
                Some(b'\\') => match self.text.get(at + 1) {
                    Some(&letter) if SHORT_ESCAPES[usize::from(letter)] => {
                        escapes = escapes.max(Escapes::Canonical);
                        at += 2;
                    }
                    _ => (at, escapes) = self.long_escape(at, escapes)?,
                },
                Some(_) => {
                    return Err(Fault {
                        code: Code::ControlCharacter,
                        offset: at,
                    });
                }
                None => return Err(Fault::unexpected(self.text, at)),
            }
        }
        let next = self.tape.len() + 1;
        self.tape.push(Entry::string(start, at + 1, next, escapes));
        self.at = at + 1;
        Ok(escapes)
    }

    /// Checks an escape that is not one of [`SHORT_ESCAPES`]; gives the place behind it.
    #[cold]
    fn long_escape(&self, at: usize, escapes: Escapes) -> Result<(usize, Escapes), Fault> {
        let end = escape(self.text, at)?;
        Ok((end, escapes.max(kind_of_escape(&self.text[at + 1..end]))))
    }

    fn word(&mut self, word: &[u8], kind: Kind) -> Result<(), Fault> {
        let start = self.at;
        for (index, byte) in word.iter().enumerate() {
            if self.text.get(start + index) != Some(byte) {
                return Err(Fault::unexpected(self.text, start + index));
            }
        }
        self.push(kind, start, start + word.len());
        Ok(())
    }

    #[inline]
    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let next = self.tape.len() + 1;
        self.tape.push(Entry::new(kind, start, end, next));
        self.at = end;
    }

    #[inline]
    fn white_space(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }
}

/// One bit of 64 for a name; names that have different bits are different.
#[inline]
fn sketch(name: &[u8]) -> u64 {
    let at = |index: usize| u32::from(name.get(index).copied().unwrap_or(0));
    let length = name.len();
    let mix = at(0) * 31 + at(length / 2) * 7 + at(length.wrapping_sub(1)) * 17 + length as u32;
    1 << (mix & 63)
}

fn same_string(text: &[u8], a: &Entry, b: &Entry) -> bool {
    if a.escaped() || b.escaped() {
        return decode(text, a) == decode(text, b);
    }
    a.end - a.start == b.end - b.start
        && text[a.start as usize..a.end as usize] == text[b.start as usize..b.end as usize]
}

/// The letters of the escapes that RFC 8785 writes too. A look into a table is one branch for all of
/// them, which the processor can foresee in text that has many.
const SHORT_ESCAPES: [bool; 256] = {
    let mut short = [false; 256];
    let letters = br#""\bfnrt"#;
    let mut at = 0;
    while at < letters.len() {
        short[letters[at] as usize] = true;
        at += 1;
    }
    short
};

/// Whether RFC 8785 writes an escape, here without its backslash, as it stands.
fn kind_of_escape(escape: &[u8]) -> Escapes {
    match escape {
        [b'u', b'0', b'0', b'0', b'0'..=b'7' | b'b' | b'e' | b'f']
        | [b'u', b'0', b'0', b'1', b'0'..=b'9' | b'a'..=b'f'] => Escapes::Canonical,
        _ => Escapes::Any,
    }
}

/// Checks the escape that begins with the backslash at `at`; gives the place behind it, which for a
/// surrogate pair is behind its second half.
fn escape(text: &[u8], at: usize) -> Result<usize, Fault> {
    match text.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let end = four_digits(text, at)?;
            match hex4(&text[at + 2..end]) {
                0xD800..0xDC00 => low_surrogate(text, at, end),
                0xDC00..0xE000 => Err(Fault {
                    code: Code::LoneSurrogate,
                    offset: at,
                }),
                _ => Ok(end),
            }
        }
        Some(_) => Err(Fault {
            code: Code::BadEscape,
            offset: at,
        }),
        None => Err(Fault::unexpected(text, at + 1)),
    }
}

/// Checks the four digits of the `\u` escape at `at`; gives the place behind them.
fn four_digits(text: &[u8], at: usize) -> Result<usize, Fault> {
    for digit in at + 2..at + 6 {
        match text.get(digit) {
            Some(byte) if byte.is_ascii_hexdigit() => {}
            Some(_) => {
                return Err(Fault {
                    code: Code::BadEscape,
                    offset: at,
                });
            }
            None => return Err(Fault::unexpected(text, digit)),
        }
    }
    Ok(at + 6)
}

/// Checks that the escape of a low surrogate stands at `at`, behind the high one at `high`.
fn low_surrogate(text: &[u8], high: usize, at: usize) -> Result<usize, Fault> {
    let lone = Fault {
        code: Code::LoneSurrogate,
        offset: high,
    };
    for place in at..at + 6 {
        let fits = match (text.get(place), place - at) {
            (None, _) => return Err(Fault::unexpected(text, place)),
            (Some(b'\\'), 0) | (Some(b'u'), 1) => true,
            (Some(byte), 2) => byte.eq_ignore_ascii_case(&b'd'),
            (Some(byte), 3) => matches!(byte, b'c'..=b'f' | b'C'..=b'F'),
            (Some(byte), 4..) => byte.is_ascii_hexdigit(),
            _ => false,
        };
        if !fits {
            return Err(lone);
        }
    }
    Ok(at + 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<(Code, usize)> {
        let fault = scan(text.as_bytes(), 0, &Limits::default()).err()?;
        Some((fault.code, fault.offset))
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

//! Where the outer members of a JSON object stand: one pass by the grammar, which keeps nothing of what is inside.

use std::ops::Range;

/// How deep arrays and objects may be nested in a message; each level takes a byte while it is read.
const MAX_DEPTH: usize = 1 << 20;

/// The maximum number of members that are kept.
const MAX_MEMBERS: usize = 4096;

/// A member of the root, of one of its objects, or of the `_meta` of such an object.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// 0 for a member of the root.
    pub level: u8,
    /// Its name with the quotes.
    pub name: Range<usize>,
    pub value: Range<usize>,
}

/// Why a text is no JSON, and at which byte.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fault {
    pub why: &'static str,
    pub at: usize,
}

/// The members of the object that begins at `from`, which ends the text.
pub(crate) fn outline(text: &str, from: usize) -> Result<Vec<Member>, Fault> {
    let mut scan = Scan {
        text: text.as_bytes(),
        at: from,
    };
    let mut members = Vec::new();
    scan.object(0, &mut members)?;
    scan.space();
    match scan.at < text.len() {
        true => Err(scan.fault("is followed by something else")),
        false => Ok(members),
    }
}

struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn fault(&self, why: &'static str) -> Fault {
        Fault { why, at: self.at }
    }

    /// The fault of a byte that can't stand here.
    fn unexpected(&self) -> Fault {
        let rest = &self.text[self.at..];
        let rest = rest.strip_prefix(b"-").unwrap_or(rest);
        self.fault(match rest {
            [] => "is cut off",
            [b'N', b'a', b'N', ..] | [b'I', b'n', b'f', ..] => {
                "has `NaN` or `Infinity`, which is not JSON"
            }
            _ => "is not JSON",
        })
    }

    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or_default()
    }

    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && self.at < self.text.len();
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        self.space();
        match self.eat(byte) {
            true => Ok(()),
            false => Err(self.unexpected()),
        }
    }

    /// The object that begins here, and the objects in it that hold members of a message.
    fn object(&mut self, level: u8, members: &mut Vec<Member>) -> Result<(), Fault> {
        self.expect(b'{')?;
        self.space();
        if self.eat(b'}') {
            return Ok(());
        }
        loop {
            let name = self.name()?;
            self.space();
            let start = self.at;
            let index = members.len();
            if index == MAX_MEMBERS {
                return Err(self.fault("has too many members"));
            }
            let is_outer = level == 0 || (level == 1 && &self.text[name.clone()] == b"\"_meta\"");
            members.push(Member {
                level,
                name,
                value: start..start,
            });
            match is_outer && self.peek() == b'{' {
                true => self.object(level + 1, members)?,
                false => self.value()?,
            }
            members[index].value.end = self.at;
            self.space();
            if !self.eat(b',') {
                return self.expect(b'}');
            }
        }
    }

    /// A member's name, up to its value.
    fn name(&mut self) -> Result<Range<usize>, Fault> {
        self.space();
        let start = self.at;
        self.string()?;
        let end = self.at;
        self.expect(b':')?;
        Ok(start..end)
    }

    /// Passes the value that begins here.
    fn value(&mut self) -> Result<(), Fault> {
        // The brackets that close what is open.
        let mut open = Vec::new();
        loop {
            self.space();
            let bracket = match self.peek() {
                b'{' => b'}',
                b'[' => b']',
                _ => 0,
            };
            if bracket != 0 {
                self.at += 1;
                self.space();
                if !self.eat(bracket) {
                    if open.len() == MAX_DEPTH {
                        return Err(self.fault("is nested too deeply"));
                    }
                    open.push(bracket);
                    if bracket == b'}' {
                        self.name()?;
                    }
                    continue;
                }
            } else {
                self.scalar()?;
            }
            // A value has ended here, and so may what it is in.
            loop {
                let Some(&bracket) = open.last() else {
                    return Ok(());
                };
                self.space();
                if self.eat(b',') {
                    if bracket == b'}' {
                        self.name()?;
                    }
                    break;
                }
                self.expect(bracket)?;
                open.pop();
            }
        }
    }

    fn scalar(&mut self) -> Result<(), Fault> {
        if self.peek() == b'"' {
            return self.string();
        }
        let rest = &self.text[self.at..];
        let words: [&[u8]; 3] = [b"true", b"false", b"null"];
        if let Some(word) = words.iter().find(|word| rest.starts_with(word)) {
            self.at += word.len();
            return Ok(());
        }
        self.number()
    }

    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') && !self.digits() {
            self.at = start;
            return Err(self.unexpected());
        }
        if self.eat(b'.') && !self.digits() {
            return Err(self.unexpected());
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'+') || self.eat(b'-');
            if !self.digits() {
                return Err(self.unexpected());
            }
        }
        Ok(())
    }

    fn digits(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        self.at > start
    }

    /// Passes the string that begins here. Its surrogates are for its reader to judge.
    fn string(&mut self) -> Result<(), Fault> {
        if !self.eat(b'"') {
            return Err(self.unexpected());
        }
        loop {
            let rest = &self.text[self.at..];
            let plain = rest
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\' | ..0x20));
            self.at += plain.unwrap_or(rest.len());
            if self.eat(b'"') {
                return Ok(());
            }
            if !self.eat(b'\\') {
                return Err(self.unexpected());
            }
            let rest = &self.text[self.at..];
            let escape = match rest {
                [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 1,
                [b'u', a, b, c, d, ..] if [a, b, c, d].into_iter().all(u8::is_ascii_hexdigit) => 5,
                _ => return Err(self.unexpected()),
            };
            self.at += escape;
        }
    }
}

//! Inputs made by structure: envelopes that are nearly right, any JSON, numbers, URIs, logs.
//!
//! A generator writes JSON *text*, not values, so that spelling (white space, escapes, the order of
//! members, names given twice) varies too.

pub mod contract;
mod envelope;
mod format;
mod hostile;
mod launch;
mod schema;
mod uri;
mod vocabulary;

use crate::corpus::Corpus;
use crate::laws::Feed;
use crate::rng::Rng;

pub use format::format;
pub use hostile::hostile;
pub use launch::launch;
pub use schema::schema;
pub use uri::{root, uri};
use vocabulary::words;

/// The input of a kind: one that is stored, or one made for it; some are damaged.
pub fn input(feed: Feed, corpus: &Corpus, rng: &mut Rng) -> Vec<u8> {
    let is_stored = match feed {
        Feed::Uri | Feed::Launch => rng.u8(..3) == 2,
        Feed::Document => rng.u8(..8) >= 6,
        Feed::Schema => rng.u8(..8) == 7,
        Feed::Profile | Feed::Lock => true,
        Feed::Number | Feed::Log | Feed::Contract | Feed::Format => false,
    };
    let mut input = match feed {
        _ if is_stored => corpus.choose(feed, rng).to_vec(),
        Feed::Number => Generator::new(rng).number_document(),
        Feed::Log => Generator::new(rng).log(),
        Feed::Uri => uri(rng).into_bytes(),
        Feed::Schema => schema(rng).into_bytes(),
        Feed::Launch => launch(rng).into_bytes(),
        Feed::Contract => contract::tool_schema(rng).to_string().into_bytes(),
        Feed::Format => format(rng).into_bytes(),
        _ if rng.u8(..6) == 5 => Generator::new(rng).json(),
        _ => Generator::new(rng).document(),
    };
    // A mutated schema is seldom a pair, and damage leaves little of a format.
    if !matches!(feed, Feed::Contract | Feed::Format) && rng.u8(..5) > 2 {
        damage(&mut input, corpus.choose(feed, rng), rng);
    }
    input
}

/// Puts something else in the place of some of a text.
pub(crate) fn damage(text: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    for _ in 0..rng.usize(1..4) {
        let from = rng.usize(..=text.len());
        let to = from + rng.usize(..=(text.len() - from).min(24));
        let start = rng.usize(..=other.len());
        let instead = match rng.u8(..5) {
            0 => Vec::new(),
            1 => vec![rng.u8(..)],
            2 => text[from..to].repeat(2),
            3 => words("pieces")[rng.usize(..words("pieces").len())]
                .as_bytes()
                .to_vec(),
            _ => other[start..other.len().min(start + 24)].to_vec(),
        };
        text.splice(from..to, instead);
    }
}

/// Writes texts, all of it decided by one generator of random numbers.
pub struct Generator<'a> {
    rng: &'a mut Rng,
    out: Vec<u8>,
    /// One in so many decisions goes wrong on purpose; 0 for never.
    flaw: u32,
    /// White space and escapes are written in many ways, or plainly.
    noisy: bool,
}

impl<'a> Generator<'a> {
    /// A generator that follows `rng`.
    pub fn new(rng: &'a mut Rng) -> Self {
        let flaw = [0, 0, 200, 60, 20][rng.usize(..5)];
        let noisy = rng.u8(..3) == 0;
        Self {
            rng,
            out: Vec::new(),
            flaw,
            noisy,
        }
    }

    /// One that makes no mistakes on purpose.
    pub fn flawless(rng: &'a mut Rng) -> Self {
        Self {
            flaw: 0,
            ..Self::new(rng)
        }
    }

    /// A document: mostly an envelope, sometimes any JSON or plain text.
    pub fn document(mut self) -> Vec<u8> {
        match self.rng.u8(..20) {
            0 => {
                let text = self.text();
                self.out.extend_from_slice(text.as_bytes());
            }
            1 | 2 => self.value(0),
            3 => {
                let depth = self.rng.usize(1..1200);
                let (open, close) = if self.rng.bool() {
                    ("[", "]")
                } else {
                    ("{\"a\":", "}")
                };
                self.out.extend(open.repeat(depth).bytes());
                self.put("1");
                self.out.extend(close.repeat(depth).bytes());
            }
            _ => self.envelope(),
        }
        if self.flawed() {
            let tails: [&str; 5] = ["{}", "x", "\u{0}", "\n[done]", "]"];
            let tail = tails[self.rng.usize(..tails.len())];
            self.put(tail);
        }
        if self.flawed() {
            self.out.splice(0..0, *b"\xef\xbb\xbf");
        }
        self.out
    }

    /// Any JSON text.
    pub fn json(mut self) -> Vec<u8> {
        self.value(0);
        self.out
    }

    /// The text of one number, or of what looks like one.
    pub fn number_document(mut self) -> Vec<u8> {
        self.number();
        self.out
    }

    /// Documents a line each, with empty lines, CR LF and plain text between.
    pub fn log(mut self) -> Vec<u8> {
        for _ in 0..self.rng.usize(1..8) {
            match self.rng.u8(..10) {
                0 => {}
                1 => {
                    let text = self.text().replace(['\n', '\r'], " ");
                    self.put(&text);
                }
                _ => self.envelope(),
            }
            // The last line may have no end.
            match self.rng.u8(..12) {
                0 => self.put("\r\n"),
                1 => self.put("\n\n"),
                _ => self.put("\n"),
            }
        }
        if self.rng.bool() {
            self.out.pop();
        }
        self.out
    }

    fn boolean(&mut self) {
        let text = self.pick(&["true", "false"]);
        self.put(text);
    }

    fn put(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn flawed(&mut self) -> bool {
        self.flaw > 0 && self.rng.u32(..self.flaw) == self.flaw - 1
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.rng.usize(..from.len())]
    }

    fn space(&mut self) {
        if self.noisy && self.rng.u8(..4) == 0 {
            let space = self.pick(&[" ", "\n", "\t", "\r\n", "   ", "\n  "]);
            self.put(space);
        } else if self.flawed() {
            let space = self.pick(&["\u{a0}", "\u{c}", "//x\n", "\u{feff}", "\u{0}"]);
            self.put(space);
        }
    }

    fn text(&mut self) -> String {
        let pieces = match self.rng.u8(..30) {
            0 => self.rng.usize(..200),
            1..=5 => 0,
            _ => self.rng.usize(..6),
        };
        let mut text = String::new();
        for _ in 0..pieces {
            match self.rng.u8(..4) {
                0 => text.push(self.rng.char()),
                1 => text.push(self.rng.ascii()),
                _ => text.push_str(self.pick(words("pieces"))),
            }
        }
        text
    }

    fn string(&mut self, text: &str) {
        self.put("\"");
        for c in text.chars() {
            let code = c as u32;
            let must = code < 0x20 || c == '"' || c == '\\';
            if must && self.flawed() {
                self.out.extend_from_slice(c.to_string().as_bytes());
            } else if must || (self.noisy && self.rng.u8(..5) == 0) {
                self.escape(c, must);
            } else {
                self.out.extend_from_slice(c.to_string().as_bytes());
            }
        }
        if self.flawed() {
            let bad = self.pick(&[
                "\\ud800",
                "\\udc00\\ud800",
                "\\x41",
                "\\u12",
                "\\ud83d\\u0041",
                "\\",
                "\\uD83Dx",
            ]);
            self.put(bad);
        }
        if self.flawed() {
            let bytes: [&[u8]; 5] = [
                b"\xff",
                b"\xed\xa0\x80",
                b"\xc0\xaf",
                b"\xf4\x90\x80\x80",
                b"\xe2\x82",
            ];
            let bad = bytes[self.rng.usize(..bytes.len())];
            self.out.extend_from_slice(bad);
        }
        if !self.flawed() {
            self.put("\"");
        }
    }

    fn escape(&mut self, c: char, must: bool) {
        let short = match c {
            '"' => Some("\\\""),
            '\\' => Some("\\\\"),
            '/' => Some("\\/"),
            '\n' => Some("\\n"),
            '\r' => Some("\\r"),
            '\t' => Some("\\t"),
            '\u{8}' => Some("\\b"),
            '\u{c}' => Some("\\f"),
            _ => None,
        };
        match short {
            Some(short) if must && !self.noisy || self.rng.bool() => self.put(short),
            _ => {
                let upper = self.rng.bool();
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let text = if upper {
                        format!("\\u{unit:04X}")
                    } else {
                        format!("\\u{unit:04x}")
                    };
                    self.put(&text);
                }
            }
        }
    }

    fn number(&mut self) {
        if self.flawed() {
            let bad = self.pick(words("bad_numbers"));
            return self.put(bad);
        }
        let text = match self.rng.u8(..8) {
            0..=2 => self.pick(words("numbers")).to_string(),
            3 => self.rng.i32(..).to_string(),
            4 => format!("{}", self.rng.f64() * 10f64.powi(self.rng.i32(-30..30))),
            5 | 6 => {
                let value = f64::from_bits(self.rng.u64(..));
                if value.is_finite() {
                    format!("{value:e}")
                } else {
                    "1".to_string()
                }
            }
            _ => {
                // Digits by hand: more of them than a double holds, and exponents that undo them.
                let mut digits: String = (0..self.rng.usize(1..40))
                    .map(|_| self.rng.digit())
                    .collect();
                if digits.len() > 1 && digits.starts_with('0') {
                    digits.insert(1, '.');
                    if digits.ends_with('.') {
                        digits.push('0');
                    }
                }
                if self.rng.bool() {
                    digits.push_str(&format!("e{}", self.rng.i32(-340..310)));
                }
                digits
            }
        };
        if self.rng.u8(..6) == 0 && !text.starts_with('-') {
            self.put("-");
        }
        self.put(&text);
    }

    fn value(&mut self, depth: usize) {
        let kinds = if depth > 6 { 6 } else { 9 };
        match self.rng.u8(..kinds) {
            0 => self.put("null"),
            1 => self.boolean(),
            2 | 3 => self.number(),
            4 | 5 => {
                let text = self.text();
                self.string(&text);
            }
            6 => {
                self.put("[");
                for i in 0..self.rng.usize(..5) {
                    self.comma(i);
                    self.space();
                    self.value(depth + 1);
                }
                self.space();
                self.put("]");
            }
            _ => {
                let mut members = Members::default();
                self.put("{");
                // Readers may treat objects of many names in a way of their own.
                let many = self.rng.u8(..30) == 0;
                for i in 0..self.rng.usize(..if many { 40 } else { 5 }) {
                    let name = if many && self.rng.bool() {
                        format!("{i}")
                    } else if self.rng.bool() {
                        self.pick(words("names")).to_string()
                    } else {
                        self.text()
                    };
                    if members.seen(&name) && !self.flawed() {
                        continue;
                    }
                    self.member(&mut members, &name);
                    self.value(depth + 1);
                }
                self.end(&members);
            }
        }
        if self.flawed() {
            let slip = self.pick(&[",", ":", "]", "}", "tru", "'", "nul"]);
            self.put(slip);
        }
    }

    fn comma(&mut self, index: usize) {
        if index > 0 && !self.flawed() {
            self.put(",");
        }
    }

    fn member(&mut self, members: &mut Members, name: &str) {
        self.comma(members.names.len());
        members.names.push(name.to_string());
        self.space();
        self.string(name);
        self.space();
        self.put(":");
        self.space();
    }

    fn end(&mut self, members: &Members) {
        if self.flawed() {
            self.comma(members.names.len());
        }
        self.space();
        self.put("}");
    }

    /// A member with a text that is right, or with any value at all.
    fn text_member(&mut self, members: &mut Members, name: &str, text: &str) {
        if self.flawed() {
            return;
        }
        self.member(members, name);
        if self.flawed() {
            self.value(5)
        } else {
            self.string(text)
        }
    }

    fn extra(&mut self, members: &mut Members) {
        if self.rng.u8(..8) == 0 {
            let name = self.pick(words("names"));
            if !members.seen(name) || self.flawed() {
                self.member(members, name);
                self.value(4);
            }
        }
    }
}

#[derive(Default)]
struct Members {
    names: Vec<String>,
}

impl Members {
    fn seen(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_everything() {
        let make = |seed| Generator::new(&mut Rng::with_seed(seed)).document();
        assert_eq!(make(7), make(7));
        assert!((0..50).any(|seed| make(seed) != make(seed + 1)));
    }

    #[test]
    fn without_flaws_the_text_is_strict_json() {
        for seed in 0..500 {
            let text = Generator::flawless(&mut Rng::with_seed(seed)).json();
            // Some numbers are out of range on purpose; everything else must be right.
            if let Err(error) = crate::oracle::judge(&text) {
                let shown = String::from_utf8_lossy(&text);
                assert!(
                    error.to_string().starts_with("number out of range"),
                    "{error}: {shown}"
                );
            }
        }
    }

    #[test]
    fn documents_are_of_every_sort() {
        let (mut strict, mut broken) = (0, 0);
        for seed in 0..400 {
            let text = Generator::new(&mut Rng::with_seed(seed)).document();
            if crate::oracle::judge(&text).is_ok() {
                strict += 1
            } else {
                broken += 1
            }
        }
        assert!(
            strict > 100 && broken > 60,
            "{strict} strict, {broken} broken"
        );
    }
}

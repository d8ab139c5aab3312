//! Inputs made by structure: envelopes that are nearly right, any JSON, numbers, URIs, logs.
//!
//! A generator writes JSON *text*, not values, so that spelling (white space, escapes, the order of
//! members, names given twice) varies too.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};
use fastrand::Rng;

/// Words and characters with which readers and formatters have had trouble.
const PIECES: &[&str] = &[
    "a",
    "hello",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    "`",
    "```",
    "````rs\n",
    "~~~",
    "\"",
    "\\",
    "/",
    "<",
    ">",
    "&",
    "</resource>",
    "</content>",
    "<resource uri=\"x\">",
    "é",
    "ß",
    "漢字",
    "\u{1F600}",
    "👨‍👩‍👧",
    "e\u{301}",
    "\u{fffd}",
    "\u{feff}",
    "\u{202e}",
    "\u{2066}",
    "\u{200f}",
    "\u{61c}",
    "\u{2028}",
    "\u{1b}[31m",
    "\u{1b}[0m",
    "\u{1b}[2J",
    "\u{1b}]0;t\u{7}",
    "\u{1b}]52;c;eA==\u{1b}\\",
    "\u{1b}",
    "\u{9b}2J",
    "\u{90}",
    "\u{7}",
    "\u{8}",
    "\r",
    "\u{7f}",
    "\u{0}",
    "\u{1}",
    "\u{ffff}",
    "\u{10ffff}",
    "\u{e000}",
    "\u{fb33}",
    "---",
    "…",
    "[truncated]",
    "content",
    "type",
    "\u{300}\u{301}\u{302}",
    "\u{e0001}",
    "\u{200b}",
    "\u{3000}",
    "\u{1b}[38;2;1;2;3m",
    "\u{1b}[?25l",
    "\u{1b}[31",
];

/// Names that mean something in an envelope, and a few that do not.
const NAMES: &[&str] = &[
    "content",
    "type",
    "text",
    "resource",
    "uri",
    "blob",
    "mimeType",
    "name",
    "title",
    "description",
    "formatted",
    "annotations",
    "audience",
    "priority",
    "lastModified",
    "question",
    "id",
    "schema",
    "default",
    "data",
    "size",
    "_meta",
    "isError",
    "structuredContent",
    "computer.jp/error",
    "computer.jp/status",
    "transient",
    "trace",
    "a",
    "b",
    "",
    "é",
    "\u{1F600}",
    "\u{fb33}",
    "\r",
    "1",
    "10",
    "2",
    "A",
    "aa",
    "\u{80}",
    "</script>",
];

const TYPES: &[&str] = &[
    "text",
    "resource",
    "question",
    "image",
    "audio",
    "resource_link",
];

const MIMES: &[&str] = &[
    "text/plain",
    "text/rust",
    "text/x-rust",
    "TEXT/HTML; charset=utf-8",
    "application/json",
    "application/ld+json",
    "image/png",
    "image/svg+xml",
    "audio/wav",
    "application/octet-stream",
    "text/x-python;a=\"b;c\"",
    "",
    "/",
    "text/",
    "a/b/c",
    "text/markdown",
    "application/x-```",
    "text/\n",
    "\u{1b}[2J",
];

const STATUSES: &[&str] = &["running", "waiting", "stopped", "Stopped", "done", ""];

const TIMES: &[&str] = &[
    "2025-01-12T15:00:58Z",
    "2025-01-12T15:00:58.123+02:00",
    "2024-02-29T00:00:00Z",
    "2023-02-29T00:00:00Z",
    "2025-01-12",
    "2025-13-01T00:00:00Z",
    "2025-01-12t15:00:58z",
    "2016-12-31T23:59:60Z",
    "yesterday",
    "",
];

/// Numbers at the edges of doubles, of integers and of their spelling.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "0.0",
    "-0.0e-1",
    "1",
    "-1",
    "0.5",
    "1.0",
    "1e0",
    "1E+2",
    "1e-7",
    "1e21",
    "1e20",
    "123456789012345680000",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "18446744073709551616",
    "5e-324",
    "4.9e-324",
    "2.4703282292062328e-324",
    "2.4703282292062327e-324",
    "1e-400",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "1e309",
    "-1e400",
    "1e99999999999999999999",
    "1e-99999999999999999999",
    "0e999999999999",
    "333333333.33333329",
    "4.50",
    "2e-3",
    "0.000001",
    "0.0000001",
    "0.000000000000000000000000001",
    "1.1125369292536007e-308",
    "2.2250738585072011e-308",
    "72057594037927936.000",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.0000000000000001110223024625156540423631668090820312",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "1e22",
    "1e23",
    "8.41e21",
];

/// What is not a number in JSON though some readers take it.
const BAD_NUMBERS: &[&str] = &[
    "NaN",
    "Infinity",
    "-Infinity",
    "01",
    "+1",
    ".5",
    "1.",
    "1e",
    "1e+",
    "0x10",
    "-",
    "--1",
    "1_000",
    "１",
    "1.e1",
    "-01",
];

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
        self.flaw > 0 && self.rng.u32(..self.flaw) == 0
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
                0 => text.push(self.rng.char(..)),
                1 => text.push(self.rng.char(' '..='~')),
                _ => text.push_str(self.pick(PIECES)),
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
            let bad = self.pick(BAD_NUMBERS);
            return self.put(bad);
        }
        let text = match self.rng.u8(..8) {
            0..=2 => self.pick(NUMBERS).to_string(),
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
                    .map(|_| self.rng.digit(10))
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
                        self.pick(NAMES).to_string()
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
            let name = self.pick(NAMES);
            if !members.seen(name) || self.flawed() {
                self.member(members, name);
                self.value(4);
            }
        }
    }

    fn envelope(&mut self) {
        let mut members = Members::default();
        self.put("{");
        let mut parts = [0, 1, 2, 3, 4];
        self.rng.shuffle(&mut parts);
        for part in parts {
            match part {
                0 => {
                    if self.flawed() {
                        continue;
                    }
                    self.member(&mut members, "content");
                    if self.flawed() {
                        self.value(3)
                    } else {
                        self.blocks()
                    }
                }
                1 if self.rng.u8(..3) == 0 => {
                    self.member(&mut members, "structuredContent");
                    self.value(2);
                }
                2 if self.rng.u8(..3) == 0 => {
                    self.member(&mut members, "isError");
                    if self.flawed() {
                        self.value(5);
                    } else {
                        self.boolean();
                    }
                }
                3 if self.rng.u8(..3) == 0 => {
                    self.member(&mut members, "_meta");
                    if self.flawed() {
                        self.value(3)
                    } else {
                        self.meta()
                    }
                }
                4 => self.extra(&mut members),
                _ => {}
            }
        }
        self.end(&members);
    }

    fn meta(&mut self) {
        let mut members = Members::default();
        self.put("{");
        if self.rng.bool() {
            let status = self.pick(STATUSES);
            self.text_member(&mut members, "computer.jp/status", status);
        }
        if self.rng.bool() {
            self.member(&mut members, "computer.jp/error");
            if self.flawed() {
                self.value(4);
            } else {
                let mut error = Members::default();
                self.put("{");
                self.member(&mut error, "transient");
                self.boolean();
                self.member(&mut error, "trace");
                self.put("[");
                for i in 0..self.rng.usize(..4) {
                    self.comma(i);
                    let text = self.text();
                    if self.flawed() {
                        self.value(5)
                    } else {
                        self.string(&text)
                    }
                }
                self.put("]");
                self.end(&error);
            }
        }
        self.extra(&mut members);
        self.end(&members);
    }

    fn blocks(&mut self) {
        self.put("[");
        let count = if self.rng.u8(..40) == 0 {
            self.rng.usize(..300)
        } else {
            self.rng.usize(..6)
        };
        for i in 0..count {
            self.comma(i);
            self.space();
            if self.flawed() {
                self.value(4)
            } else {
                self.block()
            }
        }
        self.space();
        self.put("]");
    }

    fn block(&mut self) {
        let mut members = Members::default();
        let kind = if self.flawed() {
            "video"
        } else {
            self.pick(TYPES)
        };
        self.put("{");
        // The type may stand first or last.
        let first = self.rng.bool();
        if first {
            self.text_member(&mut members, "type", kind);
        }
        match kind {
            "text" => {
                let text = self.text();
                self.text_member(&mut members, "text", &text);
            }
            "resource" => {
                self.member(&mut members, "resource");
                if self.flawed() {
                    self.value(4)
                } else {
                    self.resource()
                }
                if self.rng.u8(..5) == 0 {
                    let text = self.text();
                    self.text_member(&mut members, "formatted", &text);
                }
            }
            "question" => {
                self.member(&mut members, "question");
                if self.flawed() {
                    self.value(4)
                } else {
                    self.question()
                }
            }
            "resource_link" => {
                let (uri, name) = (uri(self.rng), self.text());
                self.text_member(&mut members, "uri", &uri);
                self.text_member(&mut members, "name", &name);
                if self.rng.bool() {
                    self.member(&mut members, "size");
                    self.number();
                }
                self.mime(&mut members);
            }
            _ => {
                let data = self.base64();
                self.text_member(&mut members, "data", &data);
                self.mime(&mut members);
            }
        }
        if !first {
            self.text_member(&mut members, "type", kind);
        }
        if self.rng.u8(..4) == 0 {
            self.member(&mut members, "annotations");
            if self.flawed() {
                self.value(4)
            } else {
                self.annotations()
            }
        }
        self.extra(&mut members);
        self.end(&members);
    }

    fn mime(&mut self, members: &mut Members) {
        let mime = if self.rng.u8(..8) == 0 {
            self.text()
        } else {
            self.pick(MIMES).to_string()
        };
        self.text_member(members, "mimeType", &mime);
    }

    fn resource(&mut self) {
        let mut members = Members::default();
        self.put("{");
        let uri = uri(self.rng);
        self.text_member(&mut members, "uri", &uri);
        if self.rng.bool() {
            self.mime(&mut members);
        }
        let blob = self.rng.u8(..3) == 0;
        if !blob || self.flawed() {
            let text = self.text();
            self.text_member(&mut members, "text", &text);
        }
        if blob {
            let data = self.base64();
            self.text_member(&mut members, "blob", &data);
        }
        for name in ["name", "title", "description"] {
            if self.rng.u8(..6) == 0 {
                let text = self.text();
                self.text_member(&mut members, name, &text);
            }
        }
        if self.rng.u8(..8) == 0 {
            self.member(&mut members, "annotations");
            self.annotations();
        }
        self.extra(&mut members);
        self.end(&members);
    }

    fn question(&mut self) {
        let mut members = Members::default();
        self.put("{");
        let id = if self.rng.bool() {
            "confirm".to_string()
        } else {
            self.text()
        };
        self.text_member(&mut members, "id", &id);
        let text = self.text();
        self.text_member(&mut members, "text", &text);
        self.member(&mut members, "schema");
        if self.flawed() {
            self.value(4);
        } else {
            let schema = self.pick(&[
                "{}",
                r#"{"type":"boolean"}"#,
                r#"{"type":"string","enum":["a","b"]}"#,
            ]);
            self.put(schema);
        }
        if self.rng.bool() {
            self.member(&mut members, "default");
            self.value(4);
        }
        self.end(&members);
    }

    fn annotations(&mut self) {
        let mut members = Members::default();
        self.put("{");
        if self.rng.bool() {
            self.member(&mut members, "priority");
            self.number();
        }
        if self.rng.bool() {
            let time = self.pick(TIMES);
            self.text_member(&mut members, "lastModified", time);
        }
        if self.rng.bool() {
            self.member(&mut members, "audience");
            let audience = self.pick(&[
                r#"["user"]"#,
                r#"["assistant"]"#,
                r#"["user","assistant"]"#,
                "[]",
                r#"["dog"]"#,
                "[1]",
            ]);
            self.put(audience);
        }
        self.extra(&mut members);
        self.end(&members);
    }

    fn base64(&mut self) -> String {
        let bytes: Vec<u8> = (0..self.rng.usize(..40)).map(|_| self.rng.u8(..)).collect();
        let mut text = match self.rng.u8(..8) {
            0 => STANDARD_NO_PAD.encode(&bytes),
            1 => URL_SAFE.encode(&bytes),
            _ => STANDARD.encode(&bytes),
        };
        if self.rng.u8(..10) == 0 {
            let at = self.rng.usize(..=text.len());
            let noise = self.pick(&["\n", " ", "=", "!", "-", "A", "é", "\r\n", "=="]);
            text.insert_str(at, noise);
        }
        text
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

/// A URI or what people write for one: drives, UNC, back slashes, escapes, dot segments, fragments.
pub fn uri(rng: &mut Rng) -> String {
    const STARTS: &[&str] = &[
        "file:///",
        "file://localhost/",
        "file://LOCALHOST/",
        "file:/",
        "file:",
        "FILE:///",
        "file://host/",
        "file:////",
        "file:///C:/",
        "file:///c|/",
        "file:///C%3A/",
        "file://C:/",
        "C:\\",
        "c:/",
        "C:",
        "\\\\server\\share\\",
        "//host/",
        "/",
        "./",
        "../",
        "",
        "~/",
        "https://Example.COM/",
        "http://user@host:80/",
        "https://[::1]:443/",
        "HTTP://a:0080",
        "https://host",
        "urn:isbn:",
        "data:text/plain,",
        "mailto:",
        "git+ssh://h/",
        "x:",
        "custom://A/",
        "file://",
        "https://ex%41mple.com/",
        "http://host:/",
        "\\\\?\\C:\\",
        "\\\\.\\pipe\\",
        "file:///%43:/",
        "http://",
        "file:///%2e%2e/",
    ];
    const SEGMENTS: &[&str] = &[
        "a",
        "src",
        "main.rs",
        ".",
        "..",
        "...",
        "",
        "%2e",
        "%2E%2e",
        ".%2e",
        "%41",
        "%7e",
        "~",
        "%2F",
        "%5c",
        "%00",
        "%zz",
        "%",
        "%4",
        "a b",
        "é",
        "漢",
        "%C3%A9",
        "%c3%a9",
        "%ff",
        "C:",
        "c|",
        "%25",
        "%252e",
        "a;b",
        "a:b",
        "@",
        "a,b=c",
        "+",
        "*",
        "[x]",
        "{x}",
        "\"",
        "<",
        "^",
        "|",
        "localhost",
        "AUX",
        "a.",
        " ",
        "\u{202e}",
        "\u{1F600}",
        "\t",
        "\u{7f}",
    ];
    let mut uri = STARTS[rng.usize(..STARTS.len())].to_string();
    for i in 0..rng.usize(..6) {
        if i > 0 {
            uri.push_str(["/", "/", "/", "\\", "//"][rng.usize(..5)]);
        }
        uri.push_str(SEGMENTS[rng.usize(..SEGMENTS.len())]);
        if rng.u8(..12) == 0 {
            uri.push(rng.char(' '..='~'));
        }
    }
    if rng.u8(..6) == 0 {
        uri.push_str(["?", "?q=%41&b=/../", "?%2f", "?a?b", "?é"][rng.usize(..5)]);
    }
    if rng.u8(..4) == 0 {
        uri.push_str(["#L10-20", "#", "#%41", "#a#b", "#/../x", "#é", "#L1 "][rng.usize(..7)]);
    }
    uri
}

/// A root that relative forms are resolved against.
pub fn root(rng: &mut Rng) -> String {
    const ROOTS: &[&str] = &[
        "file:///work",
        "file:///work/",
        "/work/dir",
        "C:\\work",
        "file:///C:/work",
        "\\\\server\\share\\dir",
        "file://host/dir",
        "file:///work/../x/",
        "/",
        "file:///w%20x",
    ];
    ROOTS[rng.usize(..ROOTS.len())].to_string()
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

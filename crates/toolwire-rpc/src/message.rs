//! A message: its text, and where its members stand in it.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use serde::de::{Deserializer as _, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use toolwire::json::ObjectWriter;

/// The maximum length of an id as it is spelled.
const MAX_ID: usize = 1024;

/// How many characters of a text that is no message are kept, and how many are shown in a sentence.
const KEPT: usize = 4096;
const QUOTED: usize = 200;

/// The longest message that is read although it is not UTF-8: what is put in place of a byte takes three.
const MAX_MENDED: usize = 8 * 1024 * 1024;

/// Code of an error: the text is no JSON.
const PARSE_ERROR: i32 = -32700;

/// Code of an error: the text is JSON, and no message.
pub(crate) const INVALID_REQUEST: i32 = -32600;

/// A JSON-RPC message. Whether the values in it are I-JSON is for their reader to judge: a result with a lone
/// surrogate still ends its request.
#[derive(Debug, Clone)]
pub struct Message {
    text: Arc<String>,
    kind: Kind,
    id: Option<Id>,
    method: String,
    body: Option<Range<usize>>,
    is_2_0: bool,
}

/// The answer to a request: its result as JSON, or an error.
pub type Answer = Result<String, RpcError>;

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpcError {
    /// What kind of error it is.
    pub code: i32,
    /// A sentence for people.
    pub message: String,
    /// More about it, as JSON.
    pub data: Option<String>,
}

impl RpcError {
    /// An error without more about it.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        RpcError {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The error as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        ObjectWriter::new()
            .json("code", self.code.to_string())
            .text("message", &self.message)
            .optional_json("data", self.data.as_ref())
            .end()
    }
}

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It has a method and an id.
    Request,
    /// It has a method.
    Notification,
    /// It answers a request.
    Result,
    /// It refuses a request, whose id may be missing.
    Error,
}

/// An id as its sender spelled it: a string or a number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Id(Box<str>);

impl Id {
    /// The id that is spelled like this, if it is one.
    #[must_use]
    pub fn of(spelled: &str) -> Option<Id> {
        let is_id =
            spelled.starts_with(['"', '-']) || spelled.starts_with(|c: char| c.is_ascii_digit());
        (is_id && spelled.len() <= MAX_ID).then(|| Id(spelled.into()))
    }

    /// The id as JSON.
    #[must_use]
    pub fn as_json(&self) -> &str {
        &self.0
    }

    /// The number of a request of this side: `3`, `"3"` and `3.0` are the same.
    #[must_use]
    pub fn own(&self) -> Option<u64> {
        let digits = self.0.trim_matches('"');
        let digits = digits.strip_suffix(".0").unwrap_or(digits);
        digits.parse().ok()
    }
}

/// One JSON value of a message, verbatim. It shares the text with the message.
#[derive(Debug, Clone)]
pub struct Part {
    text: Arc<String>,
    at: Range<usize>,
}

impl Deref for Part {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text[self.at.clone()]
    }
}

/// A text that is no message.
#[derive(Debug, Clone)]
pub struct Damage {
    /// What is wrong with it.
    pub why: String,
    /// The part of it where that is.
    pub quote: String,
    /// The code of an error that says so, or the status of HTTP; 0 if nothing was reached.
    pub code: i32,
    /// The id that it seems to have.
    pub id: Option<Id>,
    /// Whether it seems to be the answer to a request.
    pub answers: bool,
    /// Whether it seems to be several messages.
    pub is_batch: bool,
}

impl Damage {
    /// Something that is wrong with what is quoted.
    pub fn new(why: impl Into<String>, quote: &str, code: i32) -> Self {
        Damage {
            why: why.into(),
            quote: quote.trim().chars().take(KEPT).collect(),
            code,
            id: None,
            answers: false,
            is_batch: false,
        }
    }

    /// What a text that is no JSON, for a fault at this byte, may have been by its strings and brackets alone.
    fn of(text: &str, why: &str, at: usize) -> Self {
        let mut from = at.min(text.len()).saturating_sub(QUOTED / 2);
        while !text.is_char_boundary(from) {
            from -= 1;
        }
        let mut damage = Damage::new(why, &text[from..], PARSE_ERROR);
        let mut is_call = false;
        let (mut depth, mut at, bytes) = (0_usize, 0, text.as_bytes());
        while at < bytes.len() {
            match bytes[at] {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                b'"' => {
                    let start = at + 1;
                    at = start;
                    while at < bytes.len() && bytes[at] != b'"' {
                        at += 1 + usize::from(bytes[at] == b'\\');
                    }
                    let end = at.min(bytes.len());
                    let behind = text.get(end + 1..).unwrap_or_default().trim_start();
                    if let (1, Some(value)) = (depth, behind.strip_prefix(':')) {
                        match &bytes[start..end] {
                            b"id" => {
                                let id = value.split([',', '}']).next().unwrap_or_default();
                                damage.id = Id::of(id.trim());
                            }
                            b"result" | b"error" => damage.answers = true,
                            b"method" => is_call = true,
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
            at += 1;
        }
        if is_call {
            damage.id = None;
        }
        damage.answers &= !is_call;
        damage
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)?;
        match self.quote.as_str() {
            "" => Ok(()),
            quote => {
                let quote: String = quote.chars().take(QUOTED).collect();
                write!(f, ": `{quote}`")
            }
        }
    }
}

/// The values of these members of an object, as they are written; what is between them is only checked.
fn pick<'a, const N: usize>(
    object: &'a str,
    names: [&str; N],
) -> serde_json::Result<[Option<&'a str>; N]> {
    let mut reader = serde_json::Deserializer::from_str(object);
    let picked = reader.deserialize_map(Pick(names))?;
    reader.end()?;
    Ok(picked)
}

struct Pick<'n, const N: usize>([&'n str; N]);

impl<'de, const N: usize> Visitor<'de> for Pick<'_, N> {
    type Value = [Option<&'de str>; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut values = [None; N];
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            let Some(at) = self.0.iter().position(|one| *one == name) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value: &RawValue = map.next_value()?;
            if values[at].replace(value.get()).is_some() {
                return Err(A::Error::custom(TWICE));
            }
        }
        Ok(values)
    }
}

const TWICE: &str = "has a member twice";

/// What serde_json finds wrong with a text, and at which byte.
fn fault(text: &str, error: &serde_json::Error) -> (&'static str, usize) {
    let before = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let at = before.map(str::len).sum::<usize>() + error.column();
    let near = &text.as_bytes()[at.saturating_sub(4).min(text.len())..(at + 9).min(text.len())];
    let has = |word: &[u8]| near.windows(word.len()).any(|part| part == word);
    let why = match error.classify() {
        serde_json::error::Category::Eof => "is cut off",
        serde_json::error::Category::Data => TWICE,
        _ if has(b"NaN") || has(b"Infinity") => "has `NaN` or `Infinity`, which is not JSON",
        _ => "is not JSON",
    };
    (why, at)
}

impl Message {
    /// Reads a line or a body, which becomes the text without a copy. A byte order mark is skipped.
    ///
    /// # Errors
    ///
    /// If it is no message.
    pub fn read(mut text: Vec<u8>) -> Result<Message, Damage> {
        text.truncate(text.trim_ascii_end().len());
        let text = match String::from_utf8(text) {
            Ok(text) => text,
            Err(error) if error.as_bytes().len() <= MAX_MENDED => {
                String::from_utf8_lossy(error.as_bytes()).into_owned()
            }
            Err(error) => {
                let start = String::from_utf8_lossy(&error.as_bytes()[..QUOTED]).into_owned();
                return Err(Damage::new("is not UTF-8", &start, PARSE_ERROR));
            }
        };
        let begin = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        if !begin.starts_with('{') {
            let is_json = serde_json::from_str::<IgnoredAny>(begin).is_ok();
            let code = if is_json {
                INVALID_REQUEST
            } else {
                PARSE_ERROR
            };
            let mut damage = Damage::new("is no message", begin, code);
            let is_batch = begin
                .strip_prefix('[')
                .is_some_and(|rest| rest.trim_start().starts_with('{'));
            damage.is_batch = is_batch;
            damage.answers =
                is_batch && (text.contains("\"result\"") || text.contains("\"error\""));
            if is_batch {
                damage.why = "is a batch of messages, which are not read".to_owned();
            }
            return Err(damage);
        }
        let names = ["jsonrpc", "id", "method", "params", "result", "error"];
        let [version, id, method, params, result, error] = pick(begin, names).map_err(|error| {
            let (why, at) = fault(begin, &error);
            Damage::of(begin, why, at)
        })?;
        let invalid = |why: &str| Damage::new(why, begin, INVALID_REQUEST);
        let is_2_0 = version == Some("\"2.0\"");
        let has_id = id.is_some();
        let id = id.and_then(Id::of);
        let (kind, body) = match (&method, result, error) {
            (Some(_), ..) if has_id && id.is_none() => {
                return Err(invalid("has an id that can't be used"));
            }
            (Some(_), ..) if has_id => (Kind::Request, params),
            (Some(_), ..) => (Kind::Notification, params),
            (None, _, Some(error)) => (Kind::Error, Some(error)),
            (None, Some(result), None) if id.is_some() => (Kind::Result, Some(result)),
            (None, None, None) if id.is_some() => {
                let mut damage = invalid("has neither `result` nor `error`");
                (damage.id, damage.answers) = (id, true);
                return Err(damage);
            }
            _ => return Err(invalid("is no message")),
        };
        let method = match method {
            Some(method) => {
                decoded(method).ok_or_else(|| invalid("has a method that is no string"))?
            }
            None => String::new(),
        };
        let body = body.map(|body| {
            let start = body.as_ptr() as usize - text.as_ptr() as usize;
            start..start + body.len()
        });
        Ok(Message {
            text: Arc::new(text),
            kind,
            id,
            method,
            body,
            is_2_0,
        })
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether it says that it is one of JSON-RPC 2.0.
    #[must_use]
    pub fn is_2_0(&self) -> bool {
        self.is_2_0
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> Option<&Id> {
        self.id.as_ref()
    }

    /// Its method; empty for an answer.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// All of it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its `params`, `result` or `error`, verbatim.
    #[must_use]
    pub fn body(&self) -> Option<Part> {
        let at = self.body.clone()?;
        let text = Arc::clone(&self.text);
        Some(Part { text, at })
    }

    /// Members of its body, verbatim; nothing if it is no object, or has one of them twice.
    #[must_use]
    pub fn members<const N: usize>(&self, names: [&str; N]) -> Option<[Option<&str>; N]> {
        pick(&self.text[self.body.clone()?], names).ok()
    }

    /// A member of its body, verbatim.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&str> {
        let [member] = self.members([name])?;
        member
    }

    /// A member of its body that is a string, decoded.
    #[must_use]
    pub fn text_of(&self, name: &str) -> Option<String> {
        decoded(self.member(name)?)
    }
}

fn decoded(string: &str) -> Option<String> {
    serde_json::from_str(string).ok()
}

/// The text of a notification.
pub(crate) fn notification(method: &str, params: &str) -> String {
    ObjectWriter::new()
        .text("jsonrpc", "2.0")
        .text("method", method)
        .json("params", params)
        .end()
}

/// The text of a request.
pub(crate) fn request(id: u64, method: &str, params: &str) -> String {
    ObjectWriter::new()
        .text("jsonrpc", "2.0")
        .number("id", id)
        .text("method", method)
        .json("params", params)
        .end()
}

/// The text of an answer.
pub(crate) fn answer(id: Option<&Id>, answer: &Answer) -> String {
    let mut text = ObjectWriter::new();
    text.text("jsonrpc", "2.0")
        .json("id", id.map_or("null", Id::as_json));
    match answer {
        Ok(result) => text.json("result", result),
        Err(error) => text.json("error", error.to_json()),
    };
    text.end()
}

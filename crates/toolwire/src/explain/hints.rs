//! What usually lies behind an output that could not be read: mistakes that people and tools make.

use std::borrow::Cow;
use std::ops::Range;

use crate::json::{Document, Kind};
use crate::{Code, Limits, Parsed, parse};

/// Places at which an envelope is looked for inside of other output.
const CANDIDATES: usize = 8;

const ESCAPE: u8 = 0x1b;

/// A guess at the cause, with the place to look at if it is another than the diagnostic's.
pub(super) struct Hint {
    pub(super) message: String,
    pub(super) at: Option<usize>,
}

impl Hint {
    fn new(message: impl Into<String>) -> Self {
        Hint {
            message: message.into(),
            at: None,
        }
    }
}

/// Guesses for raw text; an envelope needs none, its diagnostics say what to mend.
pub(super) fn hints(parsed: &Parsed<'_>) -> Vec<Hint> {
    if !parsed.is_raw() {
        return Vec::new();
    }
    let raw = parsed.raw();
    if let Some(order) = utf16(raw) {
        return vec![Hint::new(format!(
            "this looks like UTF-16 ({order}-endian), which PowerShell's `>` writes; let the tool \
             write UTF-8, or convert with `Get-Content FILE | Set-Content -Encoding utf8 OTHER`"
        ))];
    }
    let Some(first) = parsed
        .diagnostics()
        .iter()
        .find(|d| d.code != Code::NonzeroExit)
    else {
        return Vec::new();
    };
    let offset = first
        .offset
        .and_then(|offset| usize::try_from(offset).ok())
        .unwrap_or(0);
    let offset = offset.min(raw.len());
    let guess = match first.code {
        Code::InvalidUtf8 => other_encoding(raw, offset),
        Code::PlainText => plain_text(raw),
        Code::JsonSyntax => json_syntax(raw, offset),
        Code::BadEscape => bad_escape(raw, offset),
        Code::NoContent | Code::ContentNotArray => other_shape(raw),
        _ => None,
    };
    // What is wrapped in quotes or a fence is found inside of them, too, but that says less.
    let wrapped = guess.is_some() && raw.trim_ascii_start().first() != Some(&ESCAPE);
    let inside = match first.code {
        Code::PlainText if !wrapped => embedded_hint(raw),
        Code::TrailingData => embedded_hint(raw),
        _ => None,
    };
    guess.into_iter().chain(inside).collect()
}

/// The byte order, if the bytes look like UTF-16 text.
fn utf16(raw: &[u8]) -> Option<&'static str> {
    match raw {
        [0xFF, 0xFE, ..] => return Some("little"),
        [0xFE, 0xFF, ..] => return Some("big"),
        _ => {}
    }
    // Without a mark: every other byte of ASCII text is zero.
    let sample = &raw[..raw.len().min(64) & !1];
    let zeros = |odd: usize| {
        sample
            .iter()
            .skip(odd)
            .step_by(2)
            .filter(|b| **b == 0)
            .count()
    };
    let half = sample.len() / 2;
    match (zeros(0), zeros(1)) {
        (0, high) if half >= 2 && high == half => Some("little"),
        (high, 0) if half >= 2 && high == half => Some("big"),
        _ => None,
    }
}

/// What a byte that is not UTF-8 may come from.
fn other_encoding(raw: &[u8], at: usize) -> Option<Hint> {
    if raw.contains(&0) {
        return Some(Hint::new(
            "this looks like binary content; send it as a resource with a `blob`, or as an image",
        ));
    }
    let rest = raw.get(at + 1).is_none_or(u8::is_ascii);
    (raw[at] >= 0xA0 && rest).then(|| {
        Hint::new(
            "this looks like Latin-1 or Windows-1252; let the tool write UTF-8, in Python with \
             `PYTHONUTF8=1`",
        )
    })
}

fn embedded_hint(raw: &[u8]) -> Option<Hint> {
    let range = embedded(raw)?;
    let before = !raw[..range.start].trim_ascii().is_empty();
    let rest = raw[range.end..].trim_ascii();
    let message = match (before, rest.is_empty()) {
        (_, false) if starts_another(rest) => {
            "there are several JSON texts, and an output is exactly one; a log with one envelope \
             a line is read with `--lines`"
        }
        (true, true) => {
            "an envelope begins here, after other output; send logs to stderr, or write the \
             envelope to the result channel"
        }
        (true, false) => {
            "an envelope stands here, with other output before and after it; send logs to stderr, \
             or write the envelope to the result channel"
        }
        (false, false) => {
            return Some(Hint::new(
                "what stands before that place is a whole envelope",
            ));
        }
        (false, true) => return None,
    };
    Some(Hint {
        message: message.to_owned(),
        at: Some(range.start),
    })
}

/// Whether what follows an envelope begins with another.
fn starts_another(rest: &[u8]) -> bool {
    let line = rest.split(|b| *b == b'\n').next().unwrap_or(rest);
    parse_end(line).is_some() || parse_end(rest).is_some()
}

/// The first envelope that stands inside of other output.
fn embedded(raw: &[u8]) -> Option<Range<usize>> {
    let mut tried = 0;
    let mut line_start = 0;
    let first_content = find(raw, b"{\"content\"");
    while line_start < raw.len() && tried < CANDIDATES {
        let line_end = raw[line_start..]
            .iter()
            .position(|b| *b == b'\n')
            .map_or(raw.len(), |n| line_start + n);
        let line = &raw[line_start..line_end];
        let start = line_start + line.len() - line.trim_ascii_start().len();
        let inside = first_content.filter(|at| (line_start..line_end).contains(at));
        if let Some(at) = (raw.get(start) == Some(&b'{')).then_some(start).or(inside) {
            tried += 1;
            if let Some(end) = parse_end(&raw[at..]) {
                return Some(at..at + end);
            }
        }
        line_start = line_end + 1;
    }
    None
}

/// Where the envelope ends that begins with these bytes.
fn parse_end(text: &[u8]) -> Option<usize> {
    let limits = Limits {
        max_diagnostics: 1,
        ..Limits::default()
    };
    let whole = parse(text, &limits);
    if !whole.is_raw() {
        return Some(text.len());
    }
    let rest = whole
        .diagnostics()
        .iter()
        .find(|d| d.code == Code::TrailingData)?
        .offset?;
    let end = usize::try_from(rest).ok()?.min(text.len());
    (!parse(&text[..end], &limits).is_raw()).then(|| text[..end].trim_ascii_end().len())
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

fn plain_text(raw: &[u8]) -> Option<Hint> {
    let text = raw.trim_ascii();
    match *text.first()? {
        ESCAPE => Some(Hint::new(
            "the output begins with a terminal escape sequence, such as a colour; switch colours \
             off when the tool does not write to a terminal",
        )),
        b'`' if text.starts_with(b"```") => Some(Hint::new(
            "the output is in a Markdown code fence; write the JSON without the fence",
        )),
        b'\'' if text.get(1) == Some(&b'{') => Some(Hint::new(
            "the output is in single quotes, which a shell should have removed; write the JSON \
             without them",
        )),
        b'"' => encoded_twice(text),
        b'[' => bare_array(text).or_else(|| shown_object(text)),
        _ => shown_object(text),
    }
}

/// What Python's `repr` and Node's `console.log` show of an object that was meant to be printed.
fn shown_object(text: &[u8]) -> Option<Hint> {
    let text = text.strip_prefix(b"[").unwrap_or(text).trim_ascii_start();
    let begins = |word: &[u8]| text.starts_with(word);
    if begins(b"<toolwire.Envelope") || begins(b"<toolwire.Block") {
        return Some(Hint::new(
            "this is how Python shows an object of toolwire; write the answer itself: \
             `print(envelope)`",
        ));
    }
    let node = begins(b"Envelope {") || begins(b"Block {") || text == b"object Object]";
    node.then(|| {
        Hint::new(
            "this is how Node shows an object; write its JSON: `console.log(String(envelope))`",
        )
    })
}

fn encoded_twice(text: &[u8]) -> Option<Hint> {
    let document = strict(text)?;
    let inner = document.root().as_str()?;
    parse_end(inner.as_bytes())?;
    Some(Hint::new(
        "this is a JSON string that holds an envelope: it was encoded twice; write the envelope \
         itself",
    ))
}

fn bare_array(text: &[u8]) -> Option<Hint> {
    let document = strict(text)?;
    let typed = document.root().elements().any(|element| {
        element
            .get("type")
            .is_some_and(|kind| kind.kind() == Kind::String)
    });
    typed.then(|| {
        Hint::new("this is an array of blocks; put it into an object: `{\"content\": […]}`")
    })
}

fn json_syntax(raw: &[u8], at: usize) -> Option<Hint> {
    let rest = &raw[at..];
    let before = raw[..at].trim_ascii_end();
    let last = before.last();
    let message = match rest.first()? {
        b'\\' if rest.get(1) == Some(&b'"') => {
            "the quotes are escaped although they are not inside a string: a shell or a printf \
             escaped once too often; let a JSON library or `jq` write the text"
        }
        b'\'' => {
            "JSON strings stand in double quotes; in Python write `json.dumps(value)`, not \
             `print(value)` or `str(value)`"
        }
        _ if word(rest, &["True", "False", "None"]) => {
            "`True`, `False` and `None` are Python's spelling; write `json.dumps(value)`, not \
             `print(value)` or `str(value)`"
        }
        _ if word(rest, &["undefined"]) => {
            "`undefined` is JavaScript's; leave the member out, or write `null`"
        }
        b'}' | b']' if last == Some(&b',') => {
            "a comma stands before the closing bracket; JSON has no trailing commas"
        }
        b',' if matches!(rest[1..].trim_ascii_start().first(), Some(b'}' | b']')) => {
            "a comma stands before the closing bracket; JSON has no trailing commas"
        }
        b'/' | b'#' => "JSON has no comments; remove it",
        _ if bare_name(rest) && matches!(last, Some(b'{' | b',')) => {
            "names stand in double quotes in JSON"
        }
        _ => return None,
    };
    Some(Hint::new(message))
}

/// A Windows path is by far the most common string with a bad escape.
fn bad_escape(raw: &[u8], at: usize) -> Option<Hint> {
    let string_start = raw[..at].iter().rposition(|b| *b == b'"')?;
    let string = &raw[string_start + 1..at];
    let drive = string.len() >= 2 && string[0].is_ascii_alphabetic() && string[1] == b':';
    drive.then(|| {
        Hint::new("this looks like a Windows path; double each backslash, or write `/` instead")
    })
}

/// `name:` without quotes, as JavaScript allows.
fn bare_name(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let length = text.iter().take_while(|byte| is_part(byte)).count();
    length > 0 && text[length..].trim_ascii_start().first() == Some(&b':')
}

fn word(text: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| {
        text.strip_prefix(word.as_bytes())
            .is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
    })
}

/// JSON objects that hold an answer, but in another shape than an envelope's.
fn other_shape(raw: &[u8]) -> Option<Hint> {
    let document = strict(raw)?;
    let root = document.root();
    let is_array =
        |node: Option<crate::json::Node<'_>>| node.is_some_and(|n| n.kind() == Kind::Array);
    if is_array(root.get("result").and_then(|result| result.get("content"))) {
        return Some(Hint::new(
            "this is a whole JSON-RPC message; the envelope is what stands in `result`",
        ));
    }
    if root
        .get("content")
        .is_some_and(|content| content.kind() == Kind::String)
    {
        return Some(Hint::new(
            "`content` is a string; write it as a block: \
             `{\"content\": [{\"type\": \"text\", \"text\": …}]}`",
        ));
    }
    if root
        .get("content")
        .is_some_and(|content| content.get("type").is_some())
    {
        return Some(Hint::new(
            "`content` is a single block; put it into an array",
        ));
    }
    if root
        .get("type")
        .is_some_and(|kind| kind.kind() == Kind::String)
    {
        return Some(Hint::new(
            "if this object is a block, put it into an envelope: `{\"content\": [{…}]}`",
        ));
    }
    None
}

fn strict(text: &[u8]) -> Option<Document<'_>> {
    Document::read(Cow::Borrowed(text), &Limits::default()).ok()
}

//! The usual causes of output that could not be read: mistakes that people and tools make.

use std::borrow::Cow;

use memchr::memmem;

use crate::base::json::{Document, Kind, Node};
use crate::{Code, Limits, Parsed, parse};

/// Maximum number of places at which an envelope is looked for.
const MAX_CANDIDATES: usize = 8;

const ESCAPE: u8 = 0x1b;

/// Codes, what begins at the place of the diagnostic, and the cause, separated by tabs.
const BEGINNINGS: &str = include_str!("hints.txt");

/// A cause and, if it is about a place, the offset of that.
pub(super) type Hint = (&'static str, Option<usize>);

/// The likely causes of raw text.
pub(super) fn hints(parsed: &Parsed<'_>) -> Vec<Hint> {
    let mut diagnostics = parsed.diagnostics().iter();
    let first = diagnostics.find(|d| d.code != Code::NonzeroExit);
    let Some(first) = first.filter(|_| parsed.is_raw()) else {
        return Vec::new();
    };
    let raw = parsed.raw();
    if let Some(message) = utf16(raw) {
        return vec![(message, None)];
    }
    let at = usize::try_from(first.offset.unwrap_or(0)).unwrap_or(usize::MAX);
    let (before, rest) = raw.split_at(at.min(raw.len()));
    let guess = beginning(first.code, rest).or_else(|| match first.code {
        Code::InvalidUtf8 => other_encoding(raw, rest),
        Code::PlainText => plain_text(raw.trim_ascii()),
        Code::JsonSyntax => json_syntax(before.trim_ascii_end().last(), rest),
        Code::BadEscape => bad_escape(before),
        Code::NoContent | Code::ContentNotArray => other_shape(raw),
        _ => None,
    });
    // An envelope in quotes or a fence is found inside of them, too, but that says less.
    let is_wrapped = guess.is_some() && !raw.trim_ascii_start().starts_with(&[ESCAPE]);
    let inside = match first.code {
        Code::PlainText if is_wrapped => None,
        Code::PlainText | Code::TrailingData => embedded(raw),
        _ => None,
    };
    let guess = guess.map(|message| (message, None));
    guess.into_iter().chain(inside).collect()
}

fn beginning(code: Code, rest: &[u8]) -> Option<&'static str> {
    BEGINNINGS.lines().find_map(|line| {
        let mut parts = line.splitn(3, '\t');
        let is_code = parts.next() == Some(code.as_str());
        let begins = rest.starts_with(parts.next()?.as_bytes());
        parts.next().filter(|_| is_code && begins)
    })
}

fn utf16(raw: &[u8]) -> Option<&'static str> {
    let sample = &raw[..raw.len().min(64) & !1];
    let all = |first, second| {
        let mut pairs = sample.chunks(2);
        sample.len() >= 4 && pairs.all(|pair| (pair[0] == 0, pair[1] == 0) == (first, second))
    };
    let marks = [&b"\xff\xfe"[..], b"\xfe\xff"];
    let is_utf16 = marks.iter().any(|mark| raw.starts_with(mark)) || all(false, true);
    (is_utf16 || all(true, false)).then_some(
        "this looks like UTF-16, which PowerShell's `>` writes; let the tool write UTF-8, or convert \
         with `Get-Content FILE | Set-Content -Encoding utf8 OTHER`",
    )
}

fn other_encoding(raw: &[u8], rest: &[u8]) -> Option<&'static str> {
    match rest {
        _ if raw.contains(&0) => Some(
            "this looks like binary content; send it as a resource with a `blob`, or as an image",
        ),
        [0xA0..=0xFF, rest @ ..] if rest.first().is_none_or(u8::is_ascii) => Some(
            "this looks like Latin-1 or Windows-1252; let the tool write UTF-8, in Python with \
             `PYTHONUTF8=1`",
        ),
        _ => None,
    }
}

/// An envelope among other output: where a line begins with an object, or at the first `{"content"`.
fn embedded(raw: &[u8]) -> Option<Hint> {
    let first_content = memmem::find(raw, b"{\"content\"");
    let mut start = 0;
    let candidates = raw
        .split_inclusive(|byte| *byte == b'\n')
        .filter_map(|line| {
            let lines = start..start + line.len();
            start = lines.end;
            match line.trim_ascii_start() {
                text @ [b'{', ..] => Some(lines.end - text.len()),
                _ => first_content.filter(|at| lines.contains(at)),
            }
        });
    let mut candidates = candidates.take(MAX_CANDIDATES);
    let (begin, end) = candidates.find_map(|at| Some((at, at + parse_end(&raw[at..])?)))?;
    let rest = raw[end..].trim_ascii();
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or(rest);
    match (raw[..begin].trim_ascii(), rest) {
        ([], []) => None,
        (_, [_, ..]) if parse_end(line).or_else(|| parse_end(rest)).is_some() => Some((
            "there are several JSON texts, and an output is exactly one; a log with one envelope a line \
             is read with `--lines`",
            Some(begin),
        )),
        ([], _) => Some(("the output before that place is a whole envelope", None)),
        _ => Some((
            "an envelope begins here, among other output; send logs to stderr, or write the envelope to \
             the result channel",
            Some(begin),
        )),
    }
}

/// Where the envelope at the beginning of a text ends, if there is one.
fn parse_end(text: &[u8]) -> Option<usize> {
    let limits = Limits {
        max_diagnostics: 1,
        ..Limits::default()
    };
    let whole = parse(text, &limits);
    if !whole.is_raw() {
        return Some(text.len());
    }
    let mut diagnostics = whole.diagnostics().iter();
    let rest = diagnostics.find(|d| d.code == Code::TrailingData)?.offset?;
    let end = usize::try_from(rest).ok()?.min(text.len());
    (!parse(&text[..end], &limits).is_raw()).then(|| text[..end].trim_ascii_end().len())
}

fn plain_text(text: &[u8]) -> Option<&'static str> {
    if text.first() == Some(&ESCAPE) {
        return Some(
            "the output begins with a terminal escape sequence, such as a colour; switch colours off \
             when the tool does not write to a terminal",
        );
    }
    let document = strict(text)?;
    let root = document.root();
    let is_envelope = |text: Cow<'_, str>| parse_end(text.as_bytes()).is_some();
    if root.as_str().is_some_and(is_envelope) {
        return Some("this is a JSON string that holds an envelope: write the envelope itself");
    }
    let mut elements = root.elements();
    elements
        .any(|block| is(Some(block), "type", Kind::String))
        .then_some("this is an array of blocks; put it into an object: `{\"content\": […]}`")
}

fn json_syntax(last: Option<&u8>, rest: &[u8]) -> Option<&'static str> {
    let closes = |text: &[u8]| matches!(text.trim_ascii_start(), [b'}' | b']', ..]);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let name = rest.iter().take_while(|byte| is_part(byte)).count();
    let is_name = name > 0 && rest[name..].trim_ascii_start().first() == Some(&b':');
    let after_comma = last == Some(&b',') && closes(rest);
    match rest {
        [b',', rest @ ..] if closes(rest) => Some(TRAILING_COMMA),
        _ if after_comma => Some(TRAILING_COMMA),
        _ if is_name && matches!(last, Some(b'{' | b',')) => {
            Some("names stand in double quotes in JSON")
        }
        _ => None,
    }
}

const TRAILING_COMMA: &str =
    "a comma stands before the closing bracket; JSON has no trailing commas";

fn bad_escape(before: &[u8]) -> Option<&'static str> {
    let string = before.rsplit(|byte| *byte == b'"').next();
    let is_drive = matches!(string, Some([drive, b':', ..]) if drive.is_ascii_alphabetic());
    is_drive
        .then_some("this looks like a Windows path; double each backslash, or write `/` instead")
}

fn other_shape(raw: &[u8]) -> Option<&'static str> {
    let document = strict(raw)?;
    let root = document.root();
    let content = root.get("content");
    if is(root.get("result"), "content", Kind::Array) {
        Some("this is a whole JSON-RPC message; the envelope is its `result`")
    } else if is(Some(root), "content", Kind::String) {
        Some(
            "`content` is a string; write it as a block: \
             `{\"content\": [{\"type\": \"text\", \"text\": …}]}`",
        )
    } else if content.is_some_and(|content| content.get("type").is_some()) {
        Some("`content` is a single block; put it into an array")
    } else {
        let is_block = is(Some(root), "type", Kind::String);
        is_block
            .then_some("if this object is a block, put it into an envelope: `{\"content\": [{…}]}`")
    }
}

fn is(node: Option<Node<'_>>, name: &str, kind: Kind) -> bool {
    let member = node.and_then(|node| node.get(name));
    member.is_some_and(|member| member.kind() == kind)
}

fn strict(text: &[u8]) -> Option<Document<'_>> {
    Document::read(Cow::Borrowed(text), &Limits::default()).ok()
}

//! What usually lies behind an output that could not be read: mistakes that people and tools make.

use std::borrow::Cow;

use memchr::memmem;

use crate::base::json::{Document, Kind, Node};
use crate::{Code, Limits, Parsed, parse};

/// Maximum number of places at which an envelope is looked for inside of other output.
const MAX_CANDIDATES: usize = 8;

const ESCAPE: u8 = 0x1b;

/// A guess at the cause, with the place to look at if it is another than the diagnostic's.
pub(super) type Hint = (&'static str, Option<usize>);

/// Guesses for raw text; an envelope needs none, its diagnostics say what to mend.
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
    let guess = match first.code {
        Code::InvalidUtf8 => other_encoding(raw, rest),
        Code::PlainText => plain_text(raw.trim_ascii()),
        Code::JsonSyntax => json_syntax(before.trim_ascii_end().last(), rest),
        Code::BadEscape => bad_escape(before),
        Code::NoContent | Code::ContentNotArray => other_shape(raw),
        _ => None,
    };
    // What is wrapped in quotes or a fence is found inside of them, too, but that says less.
    let is_wrapped = guess.is_some() && !raw.trim_ascii_start().starts_with(&[ESCAPE]);
    let inside = match first.code {
        Code::PlainText if is_wrapped => None,
        Code::PlainText | Code::TrailingData => embedded(raw),
        _ => None,
    };
    let guess = guess.map(|message| (message, None));
    guess.into_iter().chain(inside).collect()
}

/// The byte order, if the bytes look like UTF-16 text: without a mark, every other byte of ASCII text is zero.
fn utf16(raw: &[u8]) -> Option<&'static str> {
    let sample = &raw[..raw.len().min(64) & !1];
    let all = |first, second| {
        let mut pairs = sample.chunks(2);
        sample.len() >= 4 && pairs.all(|pair| (pair[0] == 0, pair[1] == 0) == (first, second))
    };
    if raw.starts_with(b"\xff\xfe") || all(false, true) {
        return Some(
            "this looks like UTF-16 (little-endian), which PowerShell's `>` writes; let the tool \
             write UTF-8, or convert with `Get-Content FILE | Set-Content -Encoding utf8 OTHER`",
        );
    }
    (raw.starts_with(b"\xfe\xff") || all(true, false))
        .then_some("this looks like UTF-16 (big-endian); let the tool write UTF-8")
}

/// What a byte that is not UTF-8 may come from.
fn other_encoding(raw: &[u8], rest: &[u8]) -> Option<&'static str> {
    Some(match rest {
        _ if raw.contains(&0) => {
            "this looks like binary content; send it as a resource with a `blob`, or as an image"
        }
        [0xA0..=0xFF, rest @ ..] if rest.first().is_none_or(u8::is_ascii) => {
            "this looks like Latin-1 or Windows-1252; let the tool write UTF-8, in Python with \
             `PYTHONUTF8=1`"
        }
        _ => return None,
    })
}

/// The first envelope that stands inside of other output.
fn embedded(raw: &[u8]) -> Option<Hint> {
    let first_content = memmem::find(raw, b"{\"content\"");
    let mut start = 0;
    let candidates = raw
        .split_inclusive(|byte| *byte == b'\n')
        .filter_map(|line| {
            let lines = start..start + line.len();
            start = lines.end;
            let text = line.trim_ascii_start();
            match text {
                [b'{', ..] => Some(lines.end - text.len()),
                _ => first_content.filter(|at| lines.contains(at)),
            }
        });
    let mut candidates = candidates.take(MAX_CANDIDATES);
    let (begin, end) = candidates.find_map(|at| Some((at, at + parse_end(&raw[at..])?)))?;
    let rest = raw[end..].trim_ascii();
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or(rest);
    let message = match (raw[..begin].trim_ascii(), rest) {
        (_, [_, ..]) if parse_end(line).or_else(|| parse_end(rest)).is_some() => {
            "there are several JSON texts, and an output is exactly one; a log with one envelope \
             a line is read with `--lines`"
        }
        ([], []) => return None,
        ([], _) => return Some(("what stands before that place is a whole envelope", None)),
        (_, []) => {
            "an envelope begins here, after other output; send logs to stderr, or write the \
             envelope to the result channel"
        }
        _ => {
            "an envelope stands here, with other output before and after it; send logs to stderr, \
             or write the envelope to the result channel"
        }
    };
    Some((message, Some(begin)))
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
    let mut diagnostics = whole.diagnostics().iter();
    let rest = diagnostics.find(|d| d.code == Code::TrailingData)?.offset?;
    let end = usize::try_from(rest).ok()?.min(text.len());
    (!parse(&text[..end], &limits).is_raw()).then(|| text[..end].trim_ascii_end().len())
}

fn plain_text(text: &[u8]) -> Option<&'static str> {
    let document = strict(text);
    let root = document.as_ref().map(Document::root);
    let holds_envelope = || parse_end(root?.as_str()?.as_bytes());
    let is_typed = |block| is(Some(block), "type", Kind::String);
    Some(match text {
        [ESCAPE, ..] => {
            "the output begins with a terminal escape sequence, such as a colour; switch colours \
             off when the tool does not write to a terminal"
        }
        [b'`', b'`', b'`', ..] => {
            "the output is in a Markdown code fence; write the JSON without the fence"
        }
        [b'\'', b'{', ..] => {
            "the output is in single quotes, which a shell should have removed; write the JSON \
             without them"
        }
        _ if holds_envelope().is_some() => {
            "this is a JSON string that holds an envelope: it was encoded twice; write the \
             envelope itself"
        }
        _ if root.is_some_and(|root| root.elements().any(is_typed)) => {
            "this is an array of blocks; put it into an object: `{\"content\": […]}`"
        }
        _ => return shown_object(text.strip_prefix(b"[").unwrap_or(text).trim_ascii_start()),
    })
}

/// What Python's `repr` and Node's `console.log` show of an object that was meant to be printed.
fn shown_object(text: &[u8]) -> Option<&'static str> {
    let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word.as_bytes()));
    if begins(&["<toolwire.Envelope", "<toolwire.Block"]) {
        return Some(
            "this is how Python shows an object of toolwire; write the answer itself: \
             `print(envelope)`",
        );
    }
    (begins(&["Envelope {", "Block {"]) || text == b"object Object]").then_some(
        "this is how Node shows an object; write its JSON: `console.log(String(envelope))`",
    )
}

fn json_syntax(last: Option<&u8>, rest: &[u8]) -> Option<&'static str> {
    let comma = "a comma stands before the closing bracket; JSON has no trailing commas";
    Some(match rest {
        [b'\\', b'"', ..] => {
            "the quotes are escaped although they are not inside a string: a shell or a printf \
             escaped once too often; let a JSON library or `jq` write the text"
        }
        [b'\'', ..] => {
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
        [b'}' | b']', ..] if last == Some(&b',') => comma,
        [b',', rest @ ..] if matches!(rest.trim_ascii_start(), [b'}' | b']', ..]) => comma,
        [b'/' | b'#', ..] => "JSON has no comments; remove it",
        _ if bare_name(rest) && matches!(last, Some(b'{' | b',')) => {
            "names stand in double quotes in JSON"
        }
        _ => return None,
    })
}

/// A Windows path is by far the most common string with a bad escape.
fn bad_escape(before: &[u8]) -> Option<&'static str> {
    let string = before.rsplit(|byte| *byte == b'"').next();
    let is_drive = matches!(string, Some([drive, b':', ..]) if drive.is_ascii_alphabetic());
    is_drive
        .then_some("this looks like a Windows path; double each backslash, or write `/` instead")
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
fn other_shape(raw: &[u8]) -> Option<&'static str> {
    let document = strict(raw)?;
    let root = document.root();
    let content = root.get("content");
    Some(if is(root.get("result"), "content", Kind::Array) {
        "this is a whole JSON-RPC message; the envelope is what stands in `result`"
    } else if is(Some(root), "content", Kind::String) {
        "`content` is a string; write it as a block: \
         `{\"content\": [{\"type\": \"text\", \"text\": …}]}`"
    } else if content.is_some_and(|content| content.get("type").is_some()) {
        "`content` is a single block; put it into an array"
    } else if is(Some(root), "type", Kind::String) {
        "if this object is a block, put it into an envelope: `{\"content\": [{…}]}`"
    } else {
        return None;
    })
}

/// Whether a member has this kind.
fn is(node: Option<Node<'_>>, name: &str, kind: Kind) -> bool {
    let member = node.and_then(|node| node.get(name));
    member.is_some_and(|member| member.kind() == kind)
}

fn strict(text: &[u8]) -> Option<Document<'_>> {
    Document::read(Cow::Borrowed(text), &Limits::default()).ok()
}

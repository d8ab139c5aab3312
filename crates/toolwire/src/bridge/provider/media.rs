//! Pictures, sound and files in a result: what their bytes are, and what they are called.

use std::borrow::Cow;

use crate::base::json::string;
use crate::protocol::read::base64::{self, Form};
use crate::{BlockView, digest_bytes};

/// Bytes of a block, as a message has them.
pub(super) struct Media<'a> {
    /// The media type of the bytes, or the declared one where the bytes do not show it.
    pub(super) mime: Cow<'a, str>,
    /// Standard base64.
    pub(super) data: Cow<'a, str>,
    pub(super) name: Option<Cow<'a, str>>,
    pub(super) title: Option<Cow<'a, str>>,
    pub(super) uri: Option<Cow<'a, str>>,
    /// What the bytes were declared as, if they are something else.
    pub(super) declared: Option<Cow<'a, str>>,
    /// Whether the bytes are what their type says, as far as the first of them show it.
    pub(super) is_sound: bool,
}

/// Other spellings of media types.
const ALIASES: [(&str, &str); 5] = [
    ("image/jpg", "image/jpeg"),
    ("audio/mp3", "audio/mpeg"),
    ("audio/x-wav", "audio/wav"),
    ("audio/wave", "audio/wav"),
    ("audio/vnd.wave", "audio/wav"),
];

/// The first bytes of a type: an offset and the bytes there.
const MAGIC: [(&str, usize, &[u8]); 9] = [
    ("image/png", 0, b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", 0, b"\xff\xd8\xff"),
    ("image/gif", 0, b"GIF87a"),
    ("image/gif", 0, b"GIF89a"),
    ("image/webp", 8, b"WEBP"),
    ("application/pdf", 0, b"%PDF-"),
    ("audio/wav", 8, b"WAVE"),
    ("audio/mpeg", 0, b"ID3"),
    ("audio/flac", 0, b"fLaC"),
];

/// Types whose bytes always begin as the table says, so that anything else is refused.
const CERTAIN: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "application/pdf",
];

impl<'a> Media<'a> {
    /// The bytes of a block; none if it has none, or no readable base64.
    pub(super) fn of(block: &BlockView<'a>) -> Option<Self> {
        let written = block.blob_base64()?;
        let data = match base64::form(written.as_bytes()) {
            Form::Standard => written,
            _ => Cow::Owned(base64::encode(&base64::decode(written.as_bytes())?)),
        };
        let declared = block.mime_type().unwrap_or_default();
        let plain = declared.split(';').next().unwrap_or_default().trim();
        let plain = plain.to_ascii_lowercase();
        let alias = ALIASES.iter().find(|(alias, _)| *alias == plain);
        let plain = alias.map_or(plain, |(_, usual)| (*usual).to_owned());
        let shown = sniff(&data);
        let is_sound = shown.is_some() || !CERTAIN.contains(&&*plain);
        let differs = shown.is_some_and(|shown| shown != plain);
        Some(Media {
            mime: shown.map_or(Cow::Owned(plain), Cow::Borrowed),
            data,
            name: file_name(block),
            title: block.title(),
            uri: block.uri(),
            declared: differs.then_some(declared),
            is_sound,
        })
    }

    /// How many bytes the base64 stands for.
    pub(super) fn bytes(&self) -> usize {
        let padding = self.data.bytes().rev().take_while(|byte| *byte == b'=');
        (self.data.len() / 4 * 3).saturating_sub(padding.count())
    }

    /// A name for the file, whether it has one or not.
    pub(super) fn file_name(&self, extension: &str) -> Cow<'_, str> {
        match &self.name {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(format!("file.{extension}")),
        }
    }

    /// Writes what a template of a part names.
    pub(super) fn write(&self, word: &str, extension: &str, key: &str, out: &mut String) -> bool {
        let optional = |text: Option<&Cow<'_, str>>, out: &mut String| {
            text.inspect(|text| out.push_str(&string(text))).is_some()
        };
        let title = self.title.as_ref().or(self.name.as_ref());
        match word {
            "mime" => out.push_str(&string(&self.mime)),
            "format" => out.push_str(&string(extension)),
            "data" => push_all(out, &["\"", &self.data, "\""]),
            "url" => {
                // A media type can hold a quote, but the types of the tables don't.
                push_all(out, &["\"data:", &self.mime, ";base64,", &self.data, "\""]);
            }
            "filename" => out.push_str(&string(&self.file_name(extension))),
            "document" => out.push_str(&string(&neutral(&self.file_name(extension), key))),
            "name" => return optional(self.name.as_ref(), out),
            "uri" => return optional(self.uri.as_ref(), out),
            "title" => return optional(title, out),
            "heading" => return optional(title.or(self.uri.as_ref()), out),
            _ => return false,
        }
        true
    }
}

/// Copies long texts once, into room that fits them.
fn push_all(out: &mut String, texts: &[&str]) {
    out.reserve(texts.iter().map(|text| text.len()).sum::<usize>() + 256);
    texts.iter().for_each(|text| out.push_str(text));
}

/// The type that the first bytes show.
fn sniff(data: &str) -> Option<&'static str> {
    let first = data.as_bytes().get(..24).unwrap_or(data.as_bytes());
    let bytes = base64::decode(first)?;
    let shows = |(_, at, magic): &&(&str, usize, &[u8])| {
        bytes.get(*at..).is_some_and(|rest| rest.starts_with(magic))
    };
    MAGIC.iter().find(shows).map(|(mime, _, _)| *mime)
}

/// The name of a resource, or the last step of its URI.
pub(super) fn file_name<'a>(block: &BlockView<'a>) -> Option<Cow<'a, str>> {
    let last = |uri: Cow<'a, str>| {
        let path = uri.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit(['/', ':']).next().unwrap_or_default();
        (!name.is_empty()).then(|| Cow::Owned(name.to_owned()))
    };
    block.name().or_else(|| last(block.uri()?))
}

/// A name of letters, digits, hyphens and single spaces, which no other document of a request has: the end stands
/// for the call and the place in its result.
fn neutral(name: &str, key: &str) -> String {
    let mut out = String::new();
    for c in name.chars().take(120) {
        let c = if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            ' '
        };
        if c != ' ' || !(out.is_empty() || out.ends_with(' ')) {
            out.push(c);
        }
    }
    format!("{} {}", out.trim_end(), short_digest(key, 8))
        .trim_start()
        .to_owned()
}

/// The first hexadecimal digits of a text's SHA-256.
pub(super) fn short_digest(text: &str, digits: usize) -> String {
    let digest = digest_bytes(text.as_bytes());
    digest["sha256:".len()..][..digits].to_owned()
}

//! From blocks to parts: what each kind of block is written as (FMT-7 to FMT-23).

use std::borrow::Cow;

use super::fence;
use super::marker::{Marker, inline_json};
use super::part::{Frame, Part, Prepared};
use super::terminal;
use super::xml;
use super::{FormatOptions, Style, Target};
use crate::{BlockKind, BlockView, Parsed, digest_bytes, mime};

/// Where the trace stands in an envelope.
const TRACE: &str = "/_meta/computer.jp~1error/trace";

/// The parts of an answer, in order.
pub(crate) fn parts<'a>(parsed: &'a Parsed<'_>, options: &FormatOptions) -> Vec<Part<'a>> {
    let writer = Writer { options };
    if parsed.is_raw() {
        match std::str::from_utf8(parsed.raw()) {
            Err(_) => {
                let mut parts = vec![writer.not_utf8(parsed.raw())];
                parts.extend(writer.trace(parsed));
                return parts;
            }
            // The envelope that stands for it would say the same, at several times the size.
            Ok(text) if !parsed.is_error() => {
                let text = Cow::Borrowed(text);
                let marker = Marker::new("text");
                let part = writer.plain("/content/0".into(), text, &marker, String::new());
                return Vec::from_iter((!part.is_empty()).then_some(part));
            }
            // A tool that failed and wrote nothing has a sentence instead (EXIT-3).
            Ok(_) => {}
        }
    }
    let mut parts: Vec<Part<'a>> = parsed
        .blocks()
        .filter(|block| writer.is_addressed(block))
        .map(|block| writer.block(&block))
        .collect();
    // FMT-19: the data of an answer that has nothing else to show.
    if parsed.blocks().next().is_none()
        && let Some(data) = parsed.structured_content()
    {
        let marker = Marker::new("structured_content").with("type", "application/json");
        let text = Cow::Borrowed(data.raw());
        parts.push(writer.fenced("/structuredContent".into(), text, &marker, Some("json")));
    }
    parts.extend(writer.trace(parsed));
    parts.retain(|part| !part.is_empty());
    parts
}

pub(super) struct Writer<'o> {
    pub(super) options: &'o FormatOptions,
}

impl Writer<'_> {
    fn style(&self) -> Style {
        self.options.style
    }

    /// FMT-23: a block is for everybody unless it names its audience.
    fn is_addressed(&self, block: &BlockView<'_>) -> bool {
        match (self.options.audience, block.audience()) {
            (Some(role), Some(audience)) => audience.is_empty() || audience.contains(&role),
            _ => true,
        }
    }

    /// FMT-6: content is made fit for target and style before anything else is done with it.
    fn prepare<'a>(&self, text: Cow<'a, str>) -> Prepared<'a> {
        let mut prepared = Prepared {
            text,
            colored: false,
        };
        if self.options.target == Target::Terminal {
            let color = self.options.color && self.style() == Style::Fence;
            let safe = terminal::sanitize(&prepared.text, color);
            prepared = Prepared {
                text: Cow::Owned(safe.text),
                colored: safe.colored,
            };
        }
        if self.style() == Style::Xml {
            prepared.text = xml::representable(prepared.text);
        }
        prepared
    }

    pub(super) fn block<'a>(&self, block: &BlockView<'a>) -> Part<'a> {
        let pointer = block.pointer();
        match block.kind() {
            BlockKind::Text => {
                let text = block.text().unwrap_or_default();
                self.plain(pointer, text, &Marker::new("text"), String::new())
            }
            BlockKind::Resource => self.resource(block),
            BlockKind::Question => self.question(block),
            BlockKind::Image => self.bytes(block, Marker::new("image")),
            BlockKind::Audio => self.bytes(block, Marker::new("audio")),
            BlockKind::ResourceLink => {
                let marker = described("resource_link", block)
                    .with_some("bytes", block.size().map(|size| size.to_string()))
                    .with_some("description", block.description());
                Part::whole(pointer, marker.line(self.style()))
            }
        }
    }

    fn resource<'a>(&self, block: &BlockView<'a>) -> Part<'a> {
        let pointer = block.pointer();
        let marker = described("resource", block);
        if let Some(formatted) = block.formatted() {
            return self.plain(
                pointer,
                formatted,
                &marker.with("formatted", "true"),
                String::new(),
            );
        }
        match block.text() {
            Some(text) => {
                let language = mime::language(block.mime_type().as_deref());
                self.fenced(pointer, text, &marker, language)
            }
            None => self.bytes(block, marker),
        }
    }

    /// FMT-16: bytes are never shown, only what they are.
    fn bytes<'a>(&self, block: &BlockView<'a>, marker: Marker) -> Part<'a> {
        let mut marker = marker;
        if block.kind() != BlockKind::Resource {
            marker = marker.with_some("type", block.mime_type());
        }
        let content = block.content_bytes();
        let marker = marker
            .with("bytes", content.len().to_string())
            .with("digest", digest_bytes(&content));
        Part::whole(block.pointer(), marker.line(self.style()))
    }

    fn question<'a>(&self, block: &BlockView<'a>) -> Part<'a> {
        let pointer = block.pointer();
        let Some(question) = block.question() else {
            return Part::whole(pointer, String::new());
        };
        let text = self.prepare(question.text).finish();
        let mut marker = Marker::new("question").with("id", question.id);
        if let Some(url) = question.url {
            marker = marker.with("url", url);
        }
        let out = match self.style() {
            Style::Fence => {
                let marker = marker
                    .with_json("schema", Some(question.schema))
                    .with_json("default", question.default);
                let mut out = marker.line(Style::Fence);
                if !text.is_empty() {
                    out.push('\n');
                    out.push_str(&text);
                }
                out
            }
            Style::Xml => {
                // FMT-34: two characters that are not hidden have no place in XML either.
                let json = |raw| xml::representable(Cow::Owned(inline_json(raw))).into_owned();
                let schema = json(question.schema.raw());
                let default = question.default.map(|default| json(default.raw()));
                let mut out = marker.start_tag();
                let children = [
                    ("text", Some(text)),
                    ("schema", Some(schema)),
                    ("default", default),
                ];
                for (name, value) in children {
                    let Some(value) = value else { continue };
                    out.push_str(&format!("\n<{name}>"));
                    xml::push_content(&mut out, &value, xml::needs_cdata(&value));
                    out.push_str(&format!("</{name}>"));
                }
                out.push('\n');
                out.push_str(&marker.end_tag());
                out
            }
        };
        Part::whole(pointer, out)
    }

    /// FMT-18: the causes of an error, one below the other, but for one that was said already.
    pub(super) fn trace<'a>(&self, parsed: &Parsed<'_>) -> Option<Part<'a>> {
        let mut causes = parsed.trace();
        let mut blocks = parsed.blocks().filter(|block| self.is_addressed(block));
        let text = blocks.next().and_then(|block| block.text());
        if let (Some(text), Some(first)) = (text, causes.first())
            && text.starts_with(&**first)
        {
            causes.remove(0);
        }
        if !parsed.is_error() || causes.is_empty() {
            return None;
        }
        let text = self.prepare(Cow::Owned(causes.join("\n")));
        let marker = Marker::new("trace");
        Some(match self.style() {
            Style::Xml => self.element(TRACE.into(), text, &marker),
            Style::Fence => code_block(TRACE.into(), text, &marker.line(Style::Fence), None),
        })
    }

    /// FMT-17: raw bytes that are not UTF-8: mostly text, or not to be shown.
    fn not_utf8<'a>(&self, raw: &[u8]) -> Part<'a> {
        let pointer = "/content/0".to_owned();
        let invalid: usize = raw.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
        if raw.contains(&0) || invalid.saturating_mul(10) > raw.len() {
            let marker = Marker::new("binary")
                .with("bytes", raw.len().to_string())
                .with("digest", digest_bytes(raw));
            return Part::whole(pointer, marker.line(self.style()));
        }
        let marker = Marker::new("text").with("invalid_bytes", invalid.to_string());
        let before = format!("{}\n", marker.line(Style::Fence));
        let text = Cow::Owned(String::from_utf8_lossy(raw).into_owned());
        self.plain(pointer, text, &marker, before)
    }

    /// Content without a fence, or the element of `marker`.
    fn plain<'a>(
        &self,
        pointer: String,
        text: Cow<'a, str>,
        marker: &Marker,
        before: String,
    ) -> Part<'a> {
        let text = self.prepare(text);
        match self.style() {
            // FMT-31: nothing to show is no element.
            Style::Xml if text.text.is_empty() => Part::whole(pointer, String::new()),
            Style::Xml => self.element(pointer, text, marker),
            Style::Fence => {
                let frame = Frame {
                    before,
                    ..Frame::default()
                };
                Part::content(pointer, text, frame)
            }
        }
    }

    /// Content in a code fence, below its header line if that is wanted, or the element of `marker`.
    fn fenced<'a>(
        &self,
        pointer: String,
        text: Cow<'a, str>,
        marker: &Marker,
        language: Option<&str>,
    ) -> Part<'a> {
        let text = self.prepare(text);
        match self.style() {
            Style::Xml => self.element(pointer, text, marker),
            Style::Fence => {
                let header = if self.options.header {
                    marker.line(Style::Fence)
                } else {
                    String::new()
                };
                code_block(pointer, text, &header, language)
            }
        }
    }

    fn element<'a>(&self, pointer: String, text: Prepared<'a>, marker: &Marker) -> Part<'a> {
        let frame = Frame {
            before: format!("{}\n", marker.start_tag()),
            after: format!("\n{}", marker.end_tag()),
            ends_line: false,
            cdata: Some(xml::needs_cdata(&text.text)),
        };
        Part::content(pointer, text, frame)
    }
}

fn code_block<'a>(
    pointer: String,
    text: Prepared<'a>,
    header: &str,
    language: Option<&str>,
) -> Part<'a> {
    let fence = fence::around(&text.text);
    let line_feed = if header.is_empty() { "" } else { "\n" };
    let before = format!(
        "{header}{line_feed}{fence}{}\n",
        language.unwrap_or_default()
    );
    let frame = Frame {
        before,
        after: fence,
        ends_line: true,
        cdata: None,
    };
    Part::content(pointer, text, frame)
}

/// A marker with what identifies a resource or link.
fn described(word: &'static str, block: &BlockView<'_>) -> Marker {
    Marker::new(word)
        .with_some("uri", block.uri())
        .with_some("name", block.name())
        .with_some("title", block.title())
        .with_some("type", block.mime_type())
}

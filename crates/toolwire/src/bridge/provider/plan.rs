//! What goes into a message, and what becomes of the rest.

use std::borrow::Cow;

use super::call::ModelCall;
use super::form::{Accepted, Content, Form};
use super::media::{Media, file_name};
use super::options::{MessageOptions, Resources, Structured};
use crate::base::json::{Document, Node};
use crate::bridge::mcp::{Fate, LossReport};
use crate::protocol::format::{Marker, Part, head, other_parts, part_of, trace_of};
use crate::{BlockKind, BlockView, FormatOptions, Json, Parsed, Role, Style};

/// A result in the order of its message.
pub(super) struct Plan<'a> {
    pub(super) form: &'static Form,
    pub(super) call: &'a ModelCall,
    pub(super) is_error: bool,
    pub(super) cache: bool,
    pub(super) output_schema: bool,
    pub(super) inside: Vec<Unit<'a>>,
    pub(super) beside: Vec<Unit<'a>>,
    pub(super) structured: Option<Node<'a>>,
    pub(super) report: LossReport,
}

/// One element of a message.
pub(super) enum Unit<'a> {
    Text(Cow<'a, str>),
    /// Structured content.
    Data(Json),
    /// Bytes, and what the provider calls them.
    Media(&'static Accepted, Media<'a>, &'static str, String),
    /// A resource with text, by a template: its text is the data.
    Document(&'static str, Media<'a>, String),
}

/// An element whose text can still be cut.
enum Draft<'a> {
    Text { part: Part<'a>, priority: f64 },
    Ready(Unit<'a>),
}

/// How many media of each kind a turn has, by the template of the kind.
#[derive(Default)]
pub(super) struct Counts(Vec<(&'static str, usize)>);

impl Counts {
    /// Counts one more, unless the maximum is reached.
    fn take(&mut self, accepted: &Accepted) -> bool {
        let at = self.0.iter().position(|(part, _)| *part == accepted.part);
        let at = at.unwrap_or_else(|| {
            self.0.push((accepted.part, 0));
            self.0.len() - 1
        });
        let count = &mut self.0[at].1;
        let has_room = *count < accepted.max_count;
        *count += usize::from(has_room);
        has_room
    }
}

/// The priority of a block that names none: between those that are needed and those that are not.
const MIDDLE: f64 = 0.5;

const USER_ONLY: &str = "The output is for the user alone.";

/// Room for the notice that says what was cut.
const NOTICE: usize = 128;

impl<'a> Plan<'a> {
    pub(super) fn new(
        parsed: &'a Parsed<'_>,
        call: &'a ModelCall,
        form: &'static Form,
        options: &MessageOptions,
        counts: &mut Counts,
    ) -> Self {
        let mut planner = Planner {
            plan: Plan {
                form,
                call,
                is_error: parsed.is_error(),
                cache: options.cache,
                output_schema: options.output_schema,
                inside: Vec::new(),
                beside: Vec::new(),
                structured: parsed.structured_content(),
                report: LossReport::default(),
            },
            options,
            counts,
            drafts: Vec::new(),
            attachments: 0,
        };
        planner.envelope(parsed);
        planner.plan
    }
}

struct Planner<'a, 'o> {
    plan: Plan<'a>,
    options: &'o MessageOptions,
    counts: &'o mut Counts,
    drafts: Vec<Draft<'a>>,
    attachments: usize,
}

/// Text for a model has a line with URI and type above each resource.
fn text_options() -> FormatOptions {
    FormatOptions {
        header: true,
        ..FormatOptions::default()
    }
}

impl<'a> Planner<'a, '_> {
    fn envelope(&mut self, parsed: &'a Parsed<'_>) {
        let options = text_options();
        let prefers_data = self.options.structured == Structured::Preferred;
        let prefers_data = prefers_data && parsed.structured_content().is_some();
        self.report("/content", Fate::Kept, "");
        let mut is_for_user = false;
        if parsed.is_raw() {
            for part in other_parts(parsed, &options) {
                self.text(part, MIDDLE);
            }
        } else {
            for block in parsed.blocks() {
                let audience = block.audience().unwrap_or_default();
                if !audience.is_empty() && !audience.contains(&Role::Assistant) {
                    is_for_user = true;
                    self.report(block.pointer(), Fate::Dropped, "it is for the user alone");
                } else {
                    self.block(&block, prefers_data);
                }
            }
            for (index, _) in parsed.skipped() {
                let at = format!("/content/{index}");
                self.report(at, Fate::Dropped, "its type is unknown");
            }
            self.structured(prefers_data);
            if let Some(trace) = trace_of(parsed, &options) {
                self.text(trace, MIDDLE);
            }
        }
        // JSON output says by its member `error` that it is one.
        let has_media = |draft: &Draft<'_>| matches!(draft, Draft::Ready(Unit::Media(..)));
        let is_json = self.options.output_schema
            && self.plan.form.takes_output_schema()
            && !self.drafts.iter().any(has_media);
        let is_flag = is_json || self.plan.form.result.error.is_flag();
        let mut first = head(parsed, Style::Fence, is_flag);
        if self.drafts.is_empty() && is_for_user {
            self.drafts.push(Draft::Ready(Unit::Text(USER_ONLY.into())));
        } else if self.drafts.is_empty() && self.plan.is_error && first.is_empty() {
            first = head(parsed, Style::Fence, false);
        }
        if self.plan.is_error {
            let reason = if is_flag {
                ""
            } else {
                "the first line of the text says it"
            };
            let fate = if is_flag { Fate::Kept } else { Fate::Moved };
            self.report("/isError", fate, reason);
        }
        self.fit(&first);
        self.finish(first);
    }

    fn report(&mut self, at: impl Into<String>, fate: Fate, reason: &str) {
        self.plan.report.add(at, fate, reason);
    }

    fn text(&mut self, part: Part<'a>, priority: f64) {
        self.drafts.push(Draft::Text { part, priority });
    }

    fn block(&mut self, block: &BlockView<'a>, prefers_data: bool) {
        let at = block.pointer();
        let media = Media::of(block);
        if let Some(media) = media {
            return self.media(block, media, at);
        }
        if prefers_data && matches!(block.kind(), BlockKind::Text | BlockKind::Resource) {
            return self.report(at, Fate::Dropped, "structured content is preferred");
        }
        if block.kind() == BlockKind::Resource
            && block.formatted().is_none()
            && let Some(document) = self.document(block)
        {
            self.report(at, Fate::Kept, "");
            return self.drafts.push(Draft::Ready(document));
        }
        let part = part_of(block, &text_options());
        if part.is_blank() {
            return self.report(at, Fate::Dropped, "it is empty");
        }
        self.report(at, Fate::Kept, "");
        self.text(part, block.priority().unwrap_or(MIDDLE));
    }

    /// A resource with text as a document or as a search result.
    fn document(&self, block: &BlockView<'a>) -> Option<Unit<'a>> {
        let form = &self.plan.form.result;
        let template = match self.options.resources {
            Resources::Document => form.document,
            Resources::SearchResult => form.search_result,
            Resources::Text => "",
        };
        let text = block.text().filter(|text| !text.trim().is_empty())?;
        let is_free = !self.plan.is_error || form.error.has_media;
        (!template.is_empty() && is_free && self.options.max_bytes.is_none()).then(|| {
            let media = Media {
                mime: Cow::Borrowed("text/plain"),
                data: text,
                name: file_name(block),
                title: block.title(),
                uri: block.uri(),
                declared: None,
                is_sound: true,
            };
            Unit::Document(template, media, self.key(block))
        })
    }

    /// What no other document of a request has.
    fn key(&self, block: &BlockView<'_>) -> String {
        let id = self.plan.call.id.as_deref().unwrap_or_default();
        format!("{id} {}", block.index())
    }

    fn media(&mut self, block: &BlockView<'a>, media: Media<'a>, at: String) {
        if let Some(declared) = &media.declared {
            let reason = format!("the bytes are `{}`, not `{declared}`", media.mime);
            let place = match block.kind() {
                BlockKind::Resource => format!("{at}/resource/mimeType"),
                _ => format!("{at}/mimeType"),
            };
            self.report(place, Fate::Approximated, &reason);
        }
        let form = &self.plan.form.result;
        let mut why = format!("the provider takes no `{}` in a result", media.mime);
        if !media.is_sound {
            why = format!("the bytes are not `{}`", media.mime);
        } else if self.plan.is_error && !form.error.has_media {
            why = "an error has text alone".to_owned();
        } else if let Some((accepted, word)) = self.accepted(form.inside, &media, &mut why) {
            self.report(at, Fate::Kept, "");
            if block.uri().is_some() && !accepted.part.contains("$uri") {
                let line = described("resource", block).line(Style::Fence);
                self.drafts.push(Draft::Ready(Unit::Text(line.into())));
            }
            let unit = Unit::Media(accepted, media, word, self.key(block));
            return self.drafts.push(Draft::Ready(unit));
        }
        let beside = media.is_sound && self.options.companion && !form.companion.is_empty();
        if beside && let Some((accepted, word)) = self.accepted(form.beside, &media, &mut why) {
            self.report(at, Fate::Moved, "it follows the results");
            return self.attach(block, accepted, media, word);
        }
        self.report(at, Fate::Approximated, &why);
        self.text(
            part_of(block, &text_options()),
            block.priority().unwrap_or(MIDDLE),
        );
    }

    /// How the provider takes these bytes; `why` becomes the reason if it does not.
    fn accepted(
        &mut self,
        table: &'static [Accepted],
        media: &Media<'_>,
        why: &mut String,
    ) -> Option<(&'static Accepted, &'static str)> {
        for accepted in table {
            let Some((_, word)) = accepted.types.iter().find(|(mime, _)| *mime == media.mime)
            else {
                continue;
            };
            if media.bytes() > accepted.max_bytes {
                *why = format!("the maximum is {} bytes", accepted.max_bytes);
            } else if !self.counts.take(accepted) {
                *why = format!("the maximum is {} in a turn", accepted.max_count);
            } else {
                return Some((accepted, word));
            }
        }
        None
    }

    /// Puts media behind the results: both places have a line that names them.
    fn attach(
        &mut self,
        block: &BlockView<'a>,
        accepted: &'static Accepted,
        media: Media<'a>,
        word: &'static str,
    ) {
        self.attachments += 1;
        let number = self.attachments.to_string();
        let kind = match block.kind() {
            BlockKind::Image => "image",
            BlockKind::Audio => "audio",
            _ => "resource",
        };
        let line = described(kind, block).with("attachment", &*number);
        let line = Unit::Text(line.line(Style::Fence).into());
        self.drafts.push(Draft::Ready(line));
        let origin = Marker::new("tool_output")
            .with("tool", &*self.plan.call.name)
            .with_some("call", self.plan.call.id.as_deref())
            .with("attachment", number)
            .with_some("uri", block.uri());
        let origin = Unit::Text(origin.line(Style::Fence).into());
        let key = self.key(block);
        self.plan.beside.push(origin);
        self.plan
            .beside
            .push(Unit::Media(accepted, media, word, key));
    }

    /// Structured content, if it is preferred or all that there is.
    fn structured(&mut self, is_preferred: bool) {
        let Some(data) = self.plan.structured else {
            return;
        };
        let at = "/structuredContent";
        if is_preferred || self.drafts.is_empty() {
            self.report(at, Fate::Kept, "");
            let exact = Json::from(data).exact();
            return self.drafts.push(Draft::Ready(Unit::Data(exact)));
        }
        if self.plan.form.result.result.contains("$structured") {
            return self.report(at, Fate::Moved, "it is in the artifact");
        }
        if self.is_said(data) {
            return self.report(at, Fate::Kept, "a text is the same");
        }
        self.report(at, Fate::Dropped, "content is preferred");
    }

    /// Whether a text block holds the same value.
    fn is_said(&self, data: Node<'_>) -> bool {
        let data = Json::from(data);
        self.drafts.iter().any(|draft| match draft {
            Draft::Text { part, .. } => {
                let text = part.render();
                let is_near = text.len() <= data.as_str().len().saturating_mul(4);
                is_near && Json::new(&*text).is_ok_and(|text| text == data)
            }
            Draft::Ready(_) => false,
        })
    }

    /// Cuts the texts to the budget: those of higher priority are taken first, and one is cut.
    fn fit(&mut self, first: &str) {
        let Some(budget) = self.options.max_bytes else {
            return;
        };
        for draft in &mut self.drafts {
            if let Draft::Ready(Unit::Data(data)) = draft
                && data.as_str().len() > budget.saturating_sub(NOTICE + first.len())
            {
                let part = Part::plain("/structuredContent", data.to_string());
                *draft = Draft::Text {
                    part,
                    priority: 1.0,
                };
            }
        }
        let own = |draft: &Draft<'_>| match draft {
            Draft::Ready(Unit::Text(text)) => text.len() + 2,
            Draft::Ready(Unit::Data(data)) => data.as_str().len() + 2,
            _ => 0,
        };
        let own = first.len() + 2 + self.drafts.iter().map(own).sum::<usize>();
        let mut order: Vec<(usize, f64, usize)> = Vec::new();
        for (index, draft) in self.drafts.iter().enumerate() {
            if let Draft::Text { part, priority } = draft {
                order.push((index, *priority, part.render().len() + 2));
            }
        }
        if own + order.iter().map(|(_, _, length)| length).sum::<usize>() <= budget {
            return;
        }
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut left = budget.saturating_sub(own + NOTICE);
        let (mut cut, mut omitted) = (None, 0);
        let mut gone = Vec::new();
        for (index, _, length) in order {
            if length <= left {
                left -= length;
                continue;
            }
            let Draft::Text { part, .. } = &self.drafts[index] else {
                continue;
            };
            let at = part.pointer.clone();
            let shorter = if cut.is_none() {
                part.within(left.saturating_sub(2))
            } else {
                None
            };
            if let Some((text, kept, of)) = shorter {
                left = 0;
                cut = Some((at.clone(), kept, of));
                self.drafts[index] = Draft::Ready(Unit::Text(text.into()));
                self.report(at, Fate::Approximated, "the budget is smaller");
            } else {
                omitted += 1;
                gone.push(index);
                self.report(at, Fate::Dropped, "the budget is smaller");
            }
        }
        let mut index = 0;
        self.drafts.retain(|_| {
            index += 1;
            !gone.contains(&(index - 1))
        });
        let mut notice = Marker::new("truncated");
        if let Some((at, kept, of)) = cut {
            notice = notice.with("block", at).with("bytes", kept.to_string());
            notice = notice.with("of", of.to_string());
        }
        if omitted > 0 {
            notice = notice.with("omitted", omitted.to_string());
        }
        let notice = notice.line(Style::Fence);
        self.drafts.push(Draft::Ready(Unit::Text(notice.into())));
    }

    /// Puts the line about the whole before the first text.
    fn finish(&mut self, first: String) {
        let units = self.drafts.drain(..).map(|draft| match draft {
            Draft::Text { part, .. } => Unit::Text(part.into_text()),
            Draft::Ready(unit) => unit,
        });
        self.plan.inside = units.collect();
        if first.is_empty() {
            return;
        }
        match self.plan.inside.first_mut() {
            Some(Unit::Text(text)) => *text = Cow::Owned(format!("{first}\n\n{text}")),
            _ => self.plan.inside.insert(0, Unit::Text(first.into())),
        }
    }
}

/// What identifies a block, in a line.
fn described(word: &'static str, block: &BlockView<'_>) -> Marker {
    Marker::new(word)
        .with_some("uri", block.uri())
        .with_some("name", block.name())
        .with_some("type", block.mime_type())
}

impl Plan<'_> {
    /// Whether structured content is all there is inside.
    pub(super) fn only_data(&self) -> Option<&Json> {
        match &self.inside[..] {
            [Unit::Data(data)] => Some(data),
            _ => None,
        }
    }

    /// Whether anything inside is neither text nor data.
    pub(super) fn has_media(&self) -> bool {
        let is_text = |unit: &Unit<'_>| matches!(unit, Unit::Text(_) | Unit::Data(_));
        !self.inside.iter().all(is_text)
    }

    /// Whether a list stands where one text would be a string.
    pub(super) fn wants_list(&self) -> bool {
        let form = &self.form.result;
        let is_marked = self.cache && form.text.contains("$cache");
        form.content == Content::List || self.has_media() || is_marked
    }

    /// Whether this value holds a name that Gemini reads as a reference to a part.
    pub(super) fn has_reference(data: &Json) -> bool {
        let Ok(document) = Document::new(data.as_str()) else {
            return true;
        };
        let mut open = vec![document.root()];
        while let Some(node) = open.pop() {
            if node.get("$ref").is_some() {
                return true;
            }
            open.extend(node.elements());
            open.extend(node.members().map(|(_, value)| value));
        }
        false
    }
}

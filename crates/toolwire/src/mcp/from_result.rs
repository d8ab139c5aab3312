//! The result of a tool of MCP as an envelope (MCP-14 to MCP-23).

use std::borrow::Cow;

use super::keys::{self, Fields};
use super::restore;
use super::{Fate, LossReport};
use crate::canonical::exact_text;
use crate::json::{Document, Kind, MAX_DEPTH, Node, array, pointer};
use crate::{Limits, Parsed, parse};

/// The envelope that a result is read as.
///
/// ```
/// use toolwire::{Limits, mcp::from_result};
///
/// let read = from_result(br#"{"content":[{"type":"text","text":"ok"}]}"#, &Limits::default());
/// assert_eq!(read.parsed.block(0).unwrap().text().unwrap(), "ok");
/// ```
#[derive(Debug, Clone)]
pub struct FromResult {
    /// The envelope; raw text where the result is none (MCP-15).
    pub parsed: Parsed<'static>,
    /// What became of each member of the result.
    pub report: LossReport,
}

/// Reads the `CallToolResult` of any server, of any revision, and restores what a peer that knows
/// Toolwire put into `_meta`. Any bytes give an envelope.
///
/// What a peer wrote into `_meta` is restored only if [`to_result`](super::to_result) would have put it
/// there; anything else stays where it is, and the report says so (MCP-21).
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, parse};
/// use toolwire::mcp::{ResultOptions, Revision, from_result, to_result};
///
/// let output = br#"{"content":[{"resource":{"name":"a","text":"1","uri":"file:///a"},"type":"resource"}]}"#;
/// let parsed = parse(&output[..], &Limits::default());
/// let result = to_result(&parsed, &ResultOptions::new(Revision::LATEST));
/// assert_eq!(result.json.at("/content/0/resource/name"), None);
/// let back = from_result(result.json.as_str().as_bytes(), &Limits::default());
/// assert_eq!(back.parsed.document(), output);
/// ```
#[must_use]
pub fn from_result(result: &[u8], limits: &Limits) -> FromResult {
    // What was moved stands deeper than it did; the envelope is held to the limits itself.
    let wider = Limits {
        max_depth: (limits.max_depth.saturating_add(keys::DEEPER)).min(MAX_DEPTH),
        ..*limits
    };
    let Ok(document) = Document::read(Cow::Borrowed(result), &wider) else {
        return unread(
            result,
            limits,
            "it is not strict JSON, or over a limit: it is read as text",
        );
    };
    let root = document.root();
    let is_result = ["content", "structuredContent", "isError"];
    if !is_result.iter().any(|name| root.get(name).is_some()) {
        return unread(
            result,
            limits,
            "it is no result of a tool: it is read as text",
        );
    }
    // What can't be restored as a whole is read as it stands.
    for restores in [true, false] {
        let mut way = Way {
            restores,
            ..Way::default()
        };
        let envelope = way.envelope(root);
        let text = match way.is_changed {
            true => exact_text(envelope).into_bytes(),
            false => result.to_vec(),
        };
        let parsed = parse(text, limits);
        if !parsed.is_raw() {
            let report = way.report.finished();
            return FromResult { parsed, report };
        }
    }
    unread(
        result,
        limits,
        "its content is none of blocks: it is read as text",
    )
}

fn unread(result: &[u8], limits: &Limits, reason: &str) -> FromResult {
    let mut report = LossReport::default();
    report.add("", Fate::Approximated, reason);
    FromResult {
        parsed: parse(result.to_vec(), limits),
        report,
    }
}

const RESTORED: &str = "it returned from `_meta` to its place";
const LEFT: &str = "it is not what a peer would have put there: it stays in `_meta`";

/// One way back.
#[derive(Default)]
struct Way<'a> {
    report: LossReport,
    /// Whether what stands in `_meta` is looked at.
    restores: bool,
    /// Something is not as it was received.
    is_changed: bool,
    /// The names in `_meta` whose values have returned.
    used: Vec<&'static str>,
    data: Option<Node<'a>>,
    /// The block that repeats it, once it was asked for.
    mirror: Option<String>,
}

impl<'a> Way<'a> {
    /// The text of the envelope.
    fn envelope(&mut self, root: Node<'a>) -> String {
        let meta = root.get("_meta").filter(|_| self.restores);
        let own = |name: &str| meta.and_then(|meta| meta.get(name));
        let mut out = Fields::default();
        self.structured_content(root, own(keys::WRAPPED), &mut out);
        let moved = own(keys::MEMBERS).filter(|moved| can_return(root, *moved));
        if moved.is_some() {
            self.returned(keys::MEMBERS);
        }
        if root.get("content").is_none() {
            self.is_changed = true;
            out.json("content", self.others(own(keys::BLOCKS), Vec::new()));
            let reason = "a result without content is read as one with no blocks";
            self.report.add("", Fate::Approximated, reason);
        }
        for (name, value) in root.members() {
            match name.as_ref() {
                "structuredContent" | "_meta" => {}
                "content" if value.kind() == Kind::Array => {
                    self.report.add("/content", Fate::Kept, "");
                    let content = self.content(value);
                    out.json("content", self.others(own(keys::BLOCKS), content));
                }
                "resultType" if value.is_str("complete") => {
                    self.is_changed = true;
                    let reason = "every envelope is a complete result";
                    self.report.add("/resultType", Fate::Moved, reason);
                }
                name => {
                    out.json(name, value.raw());
                    self.report.add(pointer::join("", name), Fate::Kept, "");
                }
            }
        }
        self.meta(root, moved, &mut out);
        out.end()
    }

    fn returned(&mut self, name: &'static str) {
        self.is_changed = true;
        self.used.push(name);
    }

    fn structured_content(&mut self, root: Node<'a>, wrapped: Option<Node<'a>>, out: &mut Fields) {
        let Some(data) = root.get("structuredContent") else {
            return;
        };
        let inside = data.get(keys::WRAP).filter(|_| data.len() == 1);
        let place = "/structuredContent";
        self.data =
            match inside.filter(|_| wrapped.is_some_and(|mark| mark.as_bool() == Some(true))) {
                Some(inside) => {
                    self.returned(keys::WRAPPED);
                    let reason = "it was wrapped in an object, as the member `result`";
                    self.report.add(place, Fate::Moved, reason);
                    Some(inside)
                }
                None => {
                    self.report.add(place, Fate::Kept, "");
                    Some(data)
                }
            };
        if let Some(data) = self.data {
            out.json("structuredContent", data.raw());
        }
    }

    /// The blocks, each as it stood in the envelope.
    fn content(&mut self, content: Node<'a>) -> Vec<Cow<'a, str>> {
        let mut blocks = Vec::new();
        let mut mirrored = false;
        for (index, element) in content.elements().enumerate() {
            let place = format!("/content/{index}");
            if !mirrored && self.is_mirror(element) {
                (mirrored, self.is_changed) = (true, true);
                let reason = "it repeats the structured content";
                self.report.add(place, Fate::Moved, reason);
            } else if restore::has_own(element) {
                let place = format!("{place}/_meta");
                match restore::block(element).filter(|_| self.restores) {
                    Some(block) => {
                        self.is_changed = true;
                        self.report.add(place, Fate::Moved, RESTORED);
                        blocks.push(Cow::Owned(block));
                    }
                    None => {
                        self.report.add(place, Fate::Kept, LEFT);
                        blocks.push(Cow::Borrowed(element.raw()));
                    }
                }
            } else {
                blocks.push(Cow::Borrowed(element.raw()));
            }
        }
        blocks
    }

    fn is_mirror(&mut self, element: Node<'_>) -> bool {
        let meta = element.get("_meta");
        let (Some(_), Some(data)) = (meta.and_then(|meta| meta.get(keys::MIRROR)), self.data)
        else {
            return false;
        };
        // Written once, however many blocks claim to be one.
        let write = || exact_text(super::result::mirror(data));
        *self.mirror.get_or_insert_with(write) == restore::exact(element)
    }

    /// The elements of `content`, with those that are no blocks of MCP at their places again.
    fn others(&mut self, others: Option<Node<'a>>, blocks: Vec<Cow<'a, str>>) -> String {
        let Some(others) = others.and_then(Other::read) else {
            return array(blocks);
        };
        // Those before a place are others and blocks; a forged place may be past the end.
        let has_place = |(before, other): (usize, &Other<'_>)| {
            usize::try_from(other.index).is_ok_and(|index| index <= before + blocks.len())
        };
        if !others.iter().enumerate().all(has_place) {
            return array(blocks);
        }
        let mut content = Vec::with_capacity(blocks.len() + others.len());
        let mut blocks = blocks.into_iter();
        for other in others {
            let before = other.index as usize - content.len();
            content.extend(blocks.by_ref().take(before));
            content.push(Cow::Borrowed(other.block.raw()));
        }
        content.extend(blocks);
        self.returned(keys::BLOCKS);
        array(content)
    }

    /// The `_meta` without what has returned from it.
    fn meta(&mut self, root: Node<'a>, moved: Option<Node<'a>>, out: &mut Fields) {
        let moved = moved.into_iter().flat_map(|moved| moved.members());
        let mut meta_moved = None;
        for (name, value) in moved {
            match name.as_ref() {
                "_meta" => meta_moved = Some(value),
                name => out.json(name, value.raw()),
            }
        }
        let Some(meta) = root.get("_meta") else {
            return;
        };
        self.report.add("/_meta", Fate::Kept, "");
        for (name, _) in meta.members() {
            if keys::is_own(&name) {
                let place = pointer::join("/_meta", &name);
                match self.used.contains(&name.as_ref()) {
                    true => self.report.add(place, Fate::Moved, RESTORED),
                    false => self.report.add(place, Fate::Kept, LEFT),
                }
            }
        }
        if meta.kind() != Kind::Object {
            out.json("_meta", meta.raw());
        } else if let Some(meta) = restore::put_back_meta(meta, meta_moved, &self.used) {
            out.json("_meta", meta);
        }
    }
}

/// An element of `content` that is no block of MCP.
struct Other<'a> {
    index: u64,
    block: Node<'a>,
}

impl<'a> Other<'a> {
    /// All of them, in order; absent where one of them would be delivered, which a client of MCP would
    /// have seen.
    fn read(others: Node<'a>) -> Option<Vec<Self>> {
        let mut read: Vec<Other<'a>> = Vec::new();
        for other in others.elements() {
            let (index, block) = (other.get("index")?.as_u64()?, other.get("block")?);
            let follows = read.last().is_none_or(|last| last.index < index);
            if other.len() != 2 || !follows || crate::read::kind_of(block).is_some() {
                return None;
            }
            read.push(Other { index, block });
        }
        (!read.is_empty()).then_some(read)
    }
}

/// Whether members of a result are such as MCP has no place for.
fn can_return(root: Node<'_>, moved: Node<'_>) -> bool {
    let there = restore::members(Some(root));
    let fits = |(name, value): (Cow<'_, str>, Node<'_>)| match name.as_ref() {
        "content" | "structuredContent" => false,
        "isError" => value.kind() != Kind::Bool && !there.contains_key("isError"),
        "_meta" => {
            value.kind() != Kind::Object || value.members().all(|(name, _)| keys::is_own(&name))
        }
        // The one that stands there is that of MCP, which goes.
        "resultType" => there
            .get("resultType")
            .is_none_or(|kind| kind.is_str("complete")),
        name => !there.contains_key(name),
    };
    moved.kind() == Kind::Object && !moved.is_empty() && moved.members().all(fits)
}

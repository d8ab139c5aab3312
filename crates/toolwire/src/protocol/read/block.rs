//! Blocks: which one stands, which one is skipped, which field is ignored (READ-22 to READ-30).

use super::{Finding, Findings};
use crate::base::json::{Kind, Node};
use crate::base::uri::WebUrl;
use crate::protocol::read::base64::{Form, form};
use crate::{BlockKind, Code};

/// A block that is being read.
struct Reading<'a, 'f> {
    node: Node<'a>,
    index: u32,
    findings: &'f mut Findings,
}

/// Reads a block. Absent where it is skipped, with the one finding that says why.
#[inline]
pub(super) fn read_block(node: Node<'_>, index: u32, findings: &mut Findings) -> Option<BlockKind> {
    if node.is_plain_text_block() {
        return Some(BlockKind::Text);
    }
    read_any_block(node, index, findings)
}

fn read_any_block(node: Node<'_>, index: u32, findings: &mut Findings) -> Option<BlockKind> {
    let mut block = Reading {
        node,
        index,
        findings,
    };
    match block.kind_and_needs() {
        Ok(kind) => {
            block.optional_fields(kind);
            Some(kind)
        }
        Err(finding) => {
            block.findings.push(finding);
            None
        }
    }
}

impl<'a> Reading<'a, '_> {
    fn kind_and_needs(&mut self) -> Result<BlockKind, Finding> {
        if self.node.kind() != Kind::Object {
            return Err(self.finding(Code::BlockNotObject, "", self.node));
        }
        let Some(kind) = self.node.get("type") else {
            return Err(self.finding(Code::BlockTypeMissing, "/type", self.node));
        };
        if kind.kind() != Kind::String {
            return Err(self.finding(Code::BlockTypeMissing, "/type", kind));
        }
        if kind.is_str("text") {
            self.need(self.node, "text", "/text", Kind::String)?;
            return Ok(BlockKind::Text);
        }
        if kind.is_str("resource") {
            self.resource()?;
            return Ok(BlockKind::Resource);
        }
        if kind.is_str("question") {
            self.question()?;
            return Ok(BlockKind::Question);
        }
        for media in [BlockKind::Image, BlockKind::Audio] {
            if kind.is_str(media.as_str()) {
                self.media()?;
                return Ok(media);
            }
        }
        if kind.is_str("resource_link") {
            let uri = self.need(self.node, "uri", "/uri", Kind::String)?;
            self.uri(uri, "/uri")?;
            self.need(self.node, "name", "/name", Kind::String)?;
            return Ok(BlockKind::ResourceLink);
        }
        Err(self.finding(Code::UnknownBlockType, "/type", kind))
    }

    fn resource(&mut self) -> Result<(), Finding> {
        let resource = self.need(self.node, "resource", "/resource", Kind::Object)?;
        let uri = self.need(resource, "uri", "/resource/uri", Kind::String)?;
        self.uri(uri, "/resource/uri")?;
        match (resource.get("text"), resource.get("blob")) {
            (Some(_), Some(_)) => Err(self.finding(Code::BothBodies, "/resource", resource)),
            (None, None) => Err(self.finding(Code::NoBody, "/resource", resource)),
            (Some(_), None) => self
                .need(resource, "text", "/resource/text", Kind::String)
                .map(|_| ()),
            (None, Some(_)) => {
                let blob = self.need(resource, "blob", "/resource/blob", Kind::String)?;
                self.base64(blob, "/resource/blob")
            }
        }
    }

    fn question(&mut self) -> Result<(), Finding> {
        let question = self.need(self.node, "question", "/question", Kind::Object)?;
        let id = self.need(question, "id", "/question/id", Kind::String)?;
        if id.is_str("") {
            return Err(self.finding(Code::EmptyField, "/question/id", id));
        }
        self.need(question, "text", "/question/text", Kind::String)?;
        self.need(question, "schema", "/question/schema", Kind::Object)?;
        if question.get("url").is_some() {
            // Without its page it would be another question, one that a form may not ask.
            let url = self.need(question, "url", "/question/url", Kind::String)?;
            if WebUrl::new(&url.as_str().unwrap_or_default()).is_none() {
                return Err(self.finding(Code::BadUrl, "/question/url", url));
            }
        }
        Ok(())
    }

    fn media(&mut self) -> Result<(), Finding> {
        let data = self.need(self.node, "data", "/data", Kind::String)?;
        self.need(self.node, "mimeType", "/mimeType", Kind::String)?;
        self.base64(data, "/data")
    }

    /// A field that the block can't do without.
    fn need(
        &self,
        object: Node<'a>,
        name: &str,
        path: &'static str,
        kind: Kind,
    ) -> Result<Node<'a>, Finding> {
        match object.get(name) {
            Some(value) if value.kind() == kind => Ok(value),
            Some(value) => Err(self.finding(Code::WrongType, path, value)),
            None => Err(self.finding(Code::MissingField, path, object)),
        }
    }

    fn uri(&self, uri: Node<'a>, path: &'static str) -> Result<(), Finding> {
        let text = uri.as_str().unwrap_or_default();
        let bad = text.is_empty() || text.bytes().any(|byte| byte < 0x20 || byte == 0x7F);
        if bad {
            Err(self.finding(Code::BadUri, path, uri))
        } else {
            Ok(())
        }
    }

    fn base64(&mut self, data: Node<'a>, path: &'static str) -> Result<(), Finding> {
        let form = match data.string_bytes() {
            Some((bytes, false)) => form(bytes),
            _ => form(data.as_str().unwrap_or_default().as_bytes()),
        };
        match form {
            Form::Standard => Ok(()),
            Form::Variant => {
                self.note(Code::Base64Variant, path, data);
                Ok(())
            }
            Form::Wrong => Err(self.finding(Code::BadBase64, path, data)),
        }
    }

    /// The optional fields of a block; one of another type is ignored.
    fn optional_fields(&mut self, kind: BlockKind) {
        let known: &[_] = match kind {
            BlockKind::Resource => &IN_RESOURCE_BLOCK,
            BlockKind::ResourceLink => &IN_LINK,
            _ => &[],
        };
        self.fields(self.node, known, "/_meta", &IN_BLOCK);
        if kind == BlockKind::Resource
            && let Some(resource) = self.node.get("resource")
        {
            self.fields(resource, &RESOURCE_FIELDS, "/resource/_meta", &IN_RESOURCE);
        }
        if kind == BlockKind::ResourceLink
            && let Some(size) = self.node.get("size")
            && self.expect(size, Kind::Number, "/size")
            && !is_size(size)
        {
            self.note(Code::OutOfRange, "/size", size);
        }
    }

    /// The strings among the members of an object, its `_meta` and its annotations.
    fn fields(
        &mut self,
        object: Node<'a>,
        strings: &[(&str, &'static str)],
        meta: &'static str,
        annotations: &[&'static str; 4],
    ) {
        let mut members = object.members();
        while let Some((name, value)) = members.next_nodes() {
            if name.is_str("annotations") {
                self.annotations(value, annotations);
            } else if name.is_str("_meta") {
                self.expect(value, Kind::Object, meta);
            } else if let Some((_, path)) = strings.iter().find(|(known, _)| name.is_str(known)) {
                self.expect(value, Kind::String, path);
            }
        }
    }

    fn annotations(&mut self, annotations: Node<'a>, paths: &[&'static str; 4]) {
        let [whole, audiences, priorities, times] = *paths;
        if !self.expect(annotations, Kind::Object, whole) {
            return;
        }
        if let Some(audience) = annotations.get("audience")
            && self.expect(audience, Kind::Array, audiences)
            && let Some((index, role)) = audience.elements().enumerate().find(|(_, r)| !is_role(*r))
        {
            let finding = self.finding(Code::BadRole, audiences, role);
            self.findings.push(Finding {
                index: Some(index as u32),
                ..finding
            });
        }
        if let Some(priority) = annotations.get("priority")
            && self.expect(priority, Kind::Number, priorities)
            && !is_priority(priority)
        {
            self.note(Code::OutOfRange, priorities, priority);
        }
        if let Some(modified) = annotations.get("lastModified")
            && self.expect(modified, Kind::String, times)
            && !is_timestamp(modified.as_str().unwrap_or_default().as_bytes())
        {
            self.note(Code::BadTimestamp, times, modified);
        }
    }

    /// Whether an optional field has its kind; notes where it has not.
    fn expect(&mut self, value: Node<'a>, kind: Kind, path: &'static str) -> bool {
        let fits = value.kind() == kind;
        if !fits {
            self.note(Code::IgnoredField, path, value);
        }
        fits
    }

    fn note(&mut self, code: Code, path: &'static str, node: Node<'a>) {
        let finding = self.finding(code, path, node);
        self.findings.push(finding);
    }

    fn finding(&self, code: Code, path: &'static str, node: Node<'a>) -> Finding {
        Finding {
            block: Some(self.index),
            ..Finding::new(code, path, node)
        }
    }
}

/// The optional fields that are strings, with their paths.
const IN_RESOURCE_BLOCK: [(&str, &str); 1] = [("formatted", "/formatted")];
const IN_LINK: [(&str, &str); 3] = [
    ("title", "/title"),
    ("description", "/description"),
    ("mimeType", "/mimeType"),
];
const RESOURCE_FIELDS: [(&str, &str); 4] = [
    ("mimeType", "/resource/mimeType"),
    ("name", "/resource/name"),
    ("title", "/resource/title"),
    ("description", "/resource/description"),
];

/// The pointers of an annotations object, of its audience, priority and time. It may stand on the block or inside
/// of its resource.
const IN_BLOCK: [&str; 4] = [
    "/annotations",
    "/annotations/audience",
    "/annotations/priority",
    "/annotations/lastModified",
];
const IN_RESOURCE: [&str; 4] = [
    "/resource/annotations",
    "/resource/annotations/audience",
    "/resource/annotations/priority",
    "/resource/annotations/lastModified",
];

pub(crate) fn is_role(role: Node<'_>) -> bool {
    role.is_str("user") || role.is_str("assistant")
}

pub(crate) fn is_priority(priority: Node<'_>) -> bool {
    priority
        .as_f64()
        .is_some_and(|value| (0.0..=1.0).contains(&value))
}

/// A size is a whole number of bytes that a double holds exactly.
pub(crate) fn is_size(size: Node<'_>) -> bool {
    size.as_f64()
        .is_some_and(|n| n >= 0.0 && n.fract() == 0.0 && n <= 9_007_199_254_740_991.0)
}

/// The form of an RFC 3339 date and time; the calendar is not consulted (READ-30).
pub(crate) fn is_timestamp(text: &[u8]) -> bool {
    const FORM: &[u8] = b"dddd-dd-ddTdd:dd:dd";
    if text.len() < FORM.len() + 1 {
        return false;
    }
    let (time, mut rest) = text.split_at(FORM.len());
    let formed = FORM.iter().zip(time).all(|(form, byte)| match form {
        b'd' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b't'),
        other => byte == other,
    });
    let ranges = [
        (5, 1, 12),
        (8, 1, 31),
        (11, 0, 23),
        (14, 0, 59),
        (17, 0, 60),
    ];
    let mut ranges = ranges.into_iter();
    if !formed || !ranges.all(|(at, least, most)| two_digits(&time[at..], least, most)) {
        return false;
    }
    if let [b'.', fraction @ ..] = rest {
        let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit());
        let (digits, zone) = fraction.split_at(digits.count());
        if digits.is_empty() {
            return false;
        }
        rest = zone;
    }
    match rest {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            two_digits(&[*h1, *h2], 0, 23) && two_digits(&[*m1, *m2], 0, 59)
        }
        _ => false,
    }
}

fn two_digits(text: &[u8], least: u8, most: u8) -> bool {
    match text {
        [a, b, ..] if a.is_ascii_digit() && b.is_ascii_digit() => {
            (least..=most).contains(&((a - b'0') * 10 + (b - b'0')))
        }
        _ => false,
    }
}

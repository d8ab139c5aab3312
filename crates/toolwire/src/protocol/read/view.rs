//! Views of delivered blocks: each field where it stands, decoded when it is asked for.

use std::borrow::Cow;

use crate::base::json::{Kind, Node};
use crate::protocol::read::{is_priority, is_role, is_size, is_timestamp};

/// The kinds of blocks (ENV-10).
///
/// ```
/// assert_ne!(toolwire::BlockKind::Resource, toolwire::BlockKind::ResourceLink);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockKind {
    /// Text that goes to the model as it is.
    Text,
    /// Identified content.
    Resource,
    /// A request for input.
    Question,
    /// A picture.
    Image,
    /// Sound.
    Audio,
    /// A resource without its content.
    ResourceLink,
}

closed_words!(BlockKind, "a block type", {
    Text => "text",
    Resource => "resource",
    Question => "question",
    Image => "image",
    Audio => "audio",
    ResourceLink => "resource_link",
});

/// Whom a block is for (`annotations.audience`).
///
/// ```
/// use toolwire::{Limits, Role, parse};
///
/// let parsed = parse(&br#"{"content":[{"type":"text","text":"","annotations":{"audience":["user"]}}]}"#[..], &Limits::default());
/// let block = parsed.block(0).unwrap();
/// assert_eq!(block.audience(), Some(vec![Role::User]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

closed_words!(Role, "a role", {
    User => "user",
    Assistant => "assistant",
});

/// A question, as a view.
///
/// ```
/// use toolwire::{Limits, parse};
///
/// let parsed = parse(&br#"{"content":[{"type":"question","question":{"id":"go","text":"Go on?","schema":{"type":"boolean"},"default":null}}]}"#[..], &Limits::default());
/// let block = parsed.block(0).unwrap();
/// let question = block.question().unwrap();
/// assert_eq!((question.id, question.text), ("go".into(), "Go on?".into()));
/// assert_eq!(question.default.unwrap().raw(), "null");
/// ```
#[derive(Debug, Clone)]
pub struct QuestionView<'a> {
    /// Correlates the answer; not empty.
    pub id: Cow<'a, str>,
    /// A short label.
    pub text: Cow<'a, str>,
    /// JSON Schema of the answer, an object.
    pub schema: Node<'a>,
    /// The value that an answer has by default; `null` is one.
    pub default: Option<Node<'a>>,
    /// The page where the person answers, if not in a form.
    pub url: Option<Cow<'a, str>>,
}

/// A block that is delivered, as a view. A getter looks where its field stands, on the block or
/// inside its `resource`; a malformed optional field reads as absent.
///
/// # Examples
///
/// ```
/// use toolwire::{BlockKind, Limits, parse};
///
/// let output = br#"{"content":[{"type":"resource","resource":{"uri":"file:///a.rs","text":"fn main() {}"}}]}"#;
/// let parsed = parse(&output[..], &Limits::default());
/// let block = parsed.blocks().next().unwrap();
/// assert_eq!(block.kind(), BlockKind::Resource);
/// assert_eq!(block.uri().unwrap(), "file:///a.rs");
/// assert_eq!(&*block.content_bytes(), b"fn main() {}");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct BlockView<'a> {
    kind: BlockKind,
    index: usize,
    node: Node<'a>,
}

/// The kinds with a URI, a name and what is said of it.
const NAMED: [BlockKind; 2] = [BlockKind::Resource, BlockKind::ResourceLink];

impl<'a> BlockView<'a> {
    pub(crate) fn new(kind: BlockKind, index: usize, node: Node<'a>) -> Self {
        BlockView { kind, index, node }
    }

    /// What kind of block this is.
    ///
    /// ```
    /// use toolwire::{BlockKind, Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"text","text":"ok"}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.kind(), BlockKind::Text);
    /// ```
    #[must_use]
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Its place in `content`, skipped blocks counted.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[7,{"type":"text","text":"ok"}]}"#[..], &Limits::default());
    /// assert_eq!(parsed.block(0).unwrap().index(), 1);
    /// ```
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its place as a JSON Pointer.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[7,{"type":"text","text":"ok"}]}"#[..], &Limits::default());
    /// assert_eq!(parsed.block(0).unwrap().pointer(), "/content/1");
    /// ```
    #[must_use]
    pub fn pointer(&self) -> String {
        format!("/content/{}", self.index)
    }

    /// The whole block.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"text","text":"ok","extra":1}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.node().get("extra").unwrap().as_u64(), Some(1));
    /// ```
    #[must_use]
    pub fn node(&self) -> Node<'a> {
        self.node
    }

    /// The object that a resource's fields stand in; the block itself for other kinds.
    fn fields(&self) -> Node<'a> {
        match self.kind {
            BlockKind::Resource => self.node.get("resource").unwrap_or(self.node),
            _ => self.node,
        }
    }

    /// A string that blocks of these kinds have.
    fn string(&self, name: &str, kinds: &[BlockKind]) -> Option<Cow<'a, str>> {
        let fields = kinds.contains(&self.kind).then(|| self.fields());
        fields?.get(name)?.as_str()
    }

    /// The text of a text block or of a resource that has one.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"text","text":"caf\u00e9"}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.text().unwrap(), "café");
    /// ```
    #[must_use]
    pub fn text(&self) -> Option<Cow<'a, str>> {
        match self.kind {
            BlockKind::Text => self.node.get("text")?.as_str(),
            _ => self.string("text", &[BlockKind::Resource]),
        }
    }

    /// The URI of a resource or link, as the tool wrote it.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"resource","resource":{"uri":"file:///b/../a.rs","text":""}}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.uri().unwrap(), "file:///b/../a.rs");
    /// ```
    #[must_use]
    pub fn uri(&self) -> Option<Cow<'a, str>> {
        self.string("uri", &NAMED)
    }

    /// The MIME type, as the tool wrote it.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"image","data":"","mimeType":"Image/PNG"}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.mime_type().unwrap(), "Image/PNG");
    /// ```
    #[must_use]
    pub fn mime_type(&self) -> Option<Cow<'a, str>> {
        let [resource, link] = NAMED;
        let kinds = [resource, link, BlockKind::Image, BlockKind::Audio];
        self.string("mimeType", &kinds)
    }

    /// The name of a resource or link.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"resource_link","uri":"a:b","name":"log"}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.name().unwrap(), "log");
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<Cow<'a, str>> {
        self.string("name", &NAMED)
    }

    /// The title of a resource or link.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"resource_link","uri":"a:b","name":"log","title":"The log"}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.title().unwrap(), "The log");
    /// ```
    #[must_use]
    pub fn title(&self) -> Option<Cow<'a, str>> {
        self.string("title", &NAMED)
    }

    /// The description of a resource or link.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"resource_link","uri":"a:b","name":"log","description":5}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// // It has the wrong type, so it reads as absent, and a diagnostic says so.
    /// assert_eq!(block.description(), None);
    /// assert_eq!(parsed.diagnostics()[0].pointer, "/content/0/description");
    /// ```
    #[must_use]
    pub fn description(&self) -> Option<Cow<'a, str>> {
        self.string("description", &NAMED)
    }

    /// The tool's own presentation of a resource. It never counts for identity.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"resource","resource":{"uri":"a:b","text":"1"},"formatted":"one"}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.formatted().unwrap(), "one");
    /// assert_eq!(block.text().unwrap(), "1");
    /// ```
    #[must_use]
    pub fn formatted(&self) -> Option<Cow<'a, str>> {
        let resource = (self.kind == BlockKind::Resource).then_some(self.node);
        resource?.get("formatted")?.as_str()
    }

    /// The size of a link's target in bytes.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"resource_link","uri":"a:b","name":"log","size":1e3}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.size(), Some(1000));
    /// ```
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        let link = (self.kind == BlockKind::ResourceLink).then_some(self.node);
        let size = link?.get("size").filter(|size| is_size(*size))?;
        size.as_f64().map(|bytes| bytes as u64)
    }

    /// The base64 of a resource's blob, a picture or sound, as the tool wrote it.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"audio","data":"aGk","mimeType":"audio/wav"}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.blob_base64().unwrap(), "aGk");
    /// ```
    #[must_use]
    pub fn blob_base64(&self) -> Option<Cow<'a, str>> {
        let data = || self.string("data", &[BlockKind::Image, BlockKind::Audio]);
        self.string("blob", &[BlockKind::Resource]).or_else(data)
    }

    /// The decoded bytes of a resource's blob, a picture or sound.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"audio","data":"aGk","mimeType":"audio/wav"}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.bytes().unwrap(), b"hi");
    /// ```
    #[must_use]
    pub fn bytes(&self) -> Option<Vec<u8>> {
        crate::protocol::read::base64::decode(self.blob_base64()?.as_bytes())
    }

    /// The raw content: the UTF-8 of a text, the decoded bytes of a blob; nothing where the kind
    /// has no content.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"aGk="}}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(&*block.content_bytes(), b"hi");
    /// ```
    #[must_use]
    pub fn content_bytes(&self) -> Cow<'a, [u8]> {
        match self.text() {
            Some(Cow::Borrowed(text)) => Cow::Borrowed(text.as_bytes()),
            Some(Cow::Owned(text)) => Cow::Owned(text.into_bytes()),
            None => Cow::Owned(self.bytes().unwrap_or_default()),
        }
    }

    /// A field of the annotations: the block's, or the resource's where the block has none that
    /// is well-formed (ENV-21).
    fn annotation(&self, name: &str, fits: impl Fn(Node<'a>) -> bool) -> Option<Node<'a>> {
        let holders = [self.node, self.fields()].into_iter();
        let mut all = holders.filter_map(|holder| holder.get("annotations")?.get(name));
        all.find(|value| fits(*value))
    }

    /// Whom the block is for; absent means everybody.
    ///
    /// ```
    /// use toolwire::{Limits, Role, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"text","text":"","annotations":{"audience":["assistant"]}}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.audience(), Some(vec![Role::Assistant]));
    /// ```
    #[must_use]
    pub fn audience(&self) -> Option<Vec<Role>> {
        let roles = |list: Node<'a>| list.kind() == Kind::Array && list.elements().all(is_role);
        let audience = self.annotation("audience", roles)?;
        let role = |node: Node<'a>| {
            if node.is_str("user") {
                Role::User
            } else {
                Role::Assistant
            }
        };
        Some(audience.elements().map(role).collect())
    }

    /// How important the block is, from 0 to 1.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"text","text":"","annotations":{"priority":0.5}}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.priority(), Some(0.5));
    /// ```
    #[must_use]
    pub fn priority(&self) -> Option<f64> {
        self.annotation("priority", is_priority)?.as_f64()
    }

    /// When the content was last changed, as an RFC 3339 date and time.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"text","text":"","annotations":{"lastModified":"2026-01-31T09:30:00Z"}}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.last_modified().unwrap(), "2026-01-31T09:30:00Z");
    /// ```
    #[must_use]
    pub fn last_modified(&self) -> Option<Cow<'a, str>> {
        let timestamp = |node: Node<'a>| node.as_str().is_some_and(|t| is_timestamp(t.as_bytes()));
        self.annotation("lastModified", timestamp)?.as_str()
    }

    /// The question of a question block.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"question","question":{"id":"go","text":"Go on?","schema":{}}}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.question().unwrap().id, "go");
    /// ```
    #[must_use]
    pub fn question(&self) -> Option<QuestionView<'a>> {
        if self.kind != BlockKind::Question {
            return None;
        }
        let question = self.node.get("question")?;
        Some(QuestionView {
            id: question.get("id")?.as_str()?,
            text: question.get("text")?.as_str()?,
            schema: question.get("schema")?,
            default: question.get("default"),
            url: question.get("url").and_then(|url| url.as_str()),
        })
    }

    /// The block's `_meta`, where it is an object.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[{"type":"text","text":"","_meta":{"a":1}}]}"#[..], &Limits::default());
    /// let block = parsed.block(0).unwrap();
    /// assert_eq!(block.meta().unwrap().raw(), r#"{"a":1}"#);
    /// ```
    #[must_use]
    pub fn meta(&self) -> Option<Node<'a>> {
        self.node
            .get("_meta")
            .filter(|meta| meta.kind() == Kind::Object)
    }
}

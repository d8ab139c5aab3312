// Generated from schema/envelope.schema.json. Do not edit: run `cargo xtask codegen`.

//! The envelope and its blocks, as plain data.
use crate::{Block, Json, Role, Status};
use crate::base::json::Node;
use super::typed::{self, Fields, Typed};
use std::collections::BTreeMap;
/// The intended readers of a block, and its priority.
///
/// As JSON:
///
/// ```json
/// {"audience":["user","assistant"],"lastModified":"2025-01-12T15:00:58Z","priority":0.5}
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Annotations {
    /// The intended readers. If it is absent, the block is for everybody.
    pub audience: Option<Vec<Role>>,
    /// The time when the content last changed: an RFC 3339 timestamp.
    pub last_modified: Option<String>,
    /// The priority, from 0 (optional) to 1 (required).
    pub priority: Option<f64>,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for Annotations {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        let audience = fields.optional("audience", Typed::read);
        let last_modified = fields.optional("lastModified", typed::timestamp);
        let priority = fields.optional("priority", typed::priority);
        Some(Self {
            audience,
            last_modified,
            priority,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.optional("audience", self.audience.as_ref());
        object.optional("lastModified", self.last_modified.as_ref());
        object.optional("priority", self.priority.as_ref());
        object.rest(&self.extra);
    }
}
/// A sound.
///
/// As JSON:
///
/// ```json
/// {"data":"UklGRg==","mimeType":"audio/wav","type":"audio"}
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AudioBlock {
    /// The intended readers of a block, and its priority.
    pub annotations: Option<Annotations>,
    /// The bytes, in base64.
    pub data: String,
    /// Data about the object that contains it. The names of its members begin with a domain of their author.
    pub meta: Option<Json>,
    /// The media type, such as `audio/wav`.
    pub mime_type: String,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for AudioBlock {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        fields.tag();
        let annotations = fields.optional("annotations", Typed::read);
        let data = fields.required("data", Typed::read)?;
        let meta = fields.optional("_meta", typed::object);
        let mime_type = fields.required("mimeType", Typed::read)?;
        Some(Self {
            annotations,
            data,
            meta,
            mime_type,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.text("type", "audio");
        object.optional("annotations", self.annotations.as_ref());
        object.member("data", &self.data);
        object.optional("_meta", self.meta.as_ref());
        object.member("mimeType", &self.mime_type);
        object.rest(&self.extra);
    }
}
/// The answer of a tool: blocks for a model or a person, and structured content for a program. Unknown members are allowed everywhere and are kept.
///
/// As JSON:
///
/// ```json
/// {"content":[{"text":"Check succeeded.","type":"text"}]}
/// {"content":[],"structuredContent":null}
/// {"_meta":{"computer.jp/error":{"trace":["io error: No such file or directory (os error 2)"],"transient":true}},"content":[{"text":"File not found: foo.rs","type":"text"}],"isError":true}
/// {"_meta":{"computer.jp/status":"waiting"},"content":[{"text":"Diff for hunk 3/5:","type":"text"},{"question":{"default":"y","id":"hunk_3","schema":{"enum":["y","n","s","q"],"type":"string"},"text":"Stage this hunk?"},"type":"question"}]}
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Envelope {
    /// The blocks, in the order in which they are shown.
    pub content: Vec<Block>,
    /// Whether the call failed. The default is false.
    pub is_error: Option<bool>,
    /// Data about the envelope. Other members are kept; their names begin with a domain of their author.
    pub meta: Option<EnvelopeMeta>,
    /// The result for programs. Any JSON value; `null` is a value, which differs from an absent member.
    pub structured_content: Option<Json>,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for Envelope {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        let content = fields.required("content", Typed::read)?;
        let is_error = fields.optional("isError", Typed::read);
        let meta = fields.optional("_meta", Typed::read);
        let structured_content = fields.optional("structuredContent", Typed::read);
        Some(Self {
            content,
            is_error,
            meta,
            structured_content,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.member("content", &self.content);
        object.optional("isError", self.is_error.as_ref());
        object.optional("_meta", self.meta.as_ref());
        object.optional("structuredContent", self.structured_content.as_ref());
        object.rest(&self.extra);
    }
}
/// Data about the envelope. Other members are kept; their names begin with a domain of their author.
///
/// As JSON:
///
/// ```json
/// {"computer.jp/status":"running","example.org/build":7}
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EnvelopeMeta {
    /// More about an error.
    pub error: Option<ErrorMeta>,
    /// The default is `stopped`.
    pub status: Option<Status>,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for EnvelopeMeta {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        let error = fields.optional("computer.jp/error", Typed::read);
        let status = fields.optional("computer.jp/status", Typed::read);
        Some(Self {
            error,
            status,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.optional("computer.jp/error", self.error.as_ref());
        object.optional("computer.jp/status", self.status.as_ref());
        object.rest(&self.extra);
    }
}
/// More about an error.
///
/// As JSON:
///
/// ```json
/// {"trace":["connection reset by peer (os error 104)"],"transient":true}
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ErrorMeta {
    /// The messages of the causes, nearest first.
    pub trace: Option<Vec<String>>,
    /// Whether the same call may succeed later. The default is false.
    pub transient: Option<bool>,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for ErrorMeta {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        let trace = fields.optional("trace", Typed::read);
        let transient = fields.optional("transient", Typed::read);
        Some(Self {
            trace,
            transient,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.optional("trace", self.trace.as_ref());
        object.optional("transient", self.transient.as_ref());
        object.rest(&self.extra);
    }
}
/// An image.
///
/// As JSON:
///
/// ```json
/// {"data":"iVBORw0KGgo=","mimeType":"image/png","type":"image"}
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ImageBlock {
    /// The intended readers of a block, and its priority.
    pub annotations: Option<Annotations>,
    /// The bytes, in base64.
    pub data: String,
    /// Data about the object that contains it. The names of its members begin with a domain of their author.
    pub meta: Option<Json>,
    /// The media type, such as `image/png`.
    pub mime_type: String,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for ImageBlock {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        fields.tag();
        let annotations = fields.optional("annotations", Typed::read);
        let data = fields.required("data", Typed::read)?;
        let meta = fields.optional("_meta", typed::object);
        let mime_type = fields.required("mimeType", Typed::read)?;
        Some(Self {
            annotations,
            data,
            meta,
            mime_type,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.text("type", "image");
        object.optional("annotations", self.annotations.as_ref());
        object.member("data", &self.data);
        object.optional("_meta", self.meta.as_ref());
        object.member("mimeType", &self.mime_type);
        object.rest(&self.extra);
    }
}
/// A question and the form of its answer.
///
/// As JSON:
///
/// ```json
/// {"default":"main","id":"target_branch","schema":{"enum":["main","develop","staging"],"type":"string"},"text":"Which branch should I merge into?"}
/// {"id":"login","schema":{},"text":"Sign in to Bluesky","url":"https://example.org/login?state=7f3a"}
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The suggested answer. Any JSON value; `null` is a value, which differs from an absent member.
    pub default: Option<Json>,
    /// The id, by which an answer refers to the question. It is unique in the envelope.
    pub id: String,
    /// A JSON Schema for the answer.
    pub schema: Json,
    /// The question itself, on one line.
    pub text: String,
    /// A page where the person answers, so that the host never sees what is entered. No value answers such a question: the host opens the page if the person agrees.
    pub url: Option<String>,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for Question {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        let default = fields.optional("default", Typed::read);
        let id = fields.required("id", Typed::read)?;
        let schema = fields.required("schema", typed::object)?;
        let text = fields.required("text", Typed::read)?;
        let url = fields.optional("url", Typed::read);
        Some(Self {
            default,
            id,
            schema,
            text,
            url,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.optional("default", self.default.as_ref());
        object.member("id", &self.id);
        object.member("schema", &self.schema);
        object.member("text", &self.text);
        object.optional("url", self.url.as_ref());
        object.rest(&self.extra);
    }
}
/// A question to a person or a model. The blocks before it are its context.
///
/// As JSON:
///
/// ```json
/// {"question":{"default":true,"id":"confirm","schema":{"type":"boolean"},"text":"Apply these changes to a third file?"},"type":"question"}
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionBlock {
    /// The intended readers of a block, and its priority.
    pub annotations: Option<Annotations>,
    /// Data about the object that contains it. The names of its members begin with a domain of their author.
    pub meta: Option<Json>,
    /// A question and the form of its answer.
    pub question: Question,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for QuestionBlock {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        fields.tag();
        let annotations = fields.optional("annotations", Typed::read);
        let meta = fields.optional("_meta", typed::object);
        let question = fields.required("question", Typed::read)?;
        Some(Self {
            annotations,
            meta,
            question,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.text("type", "question");
        object.optional("annotations", self.annotations.as_ref());
        object.optional("_meta", self.meta.as_ref());
        object.member("question", &self.question);
        object.rest(&self.extra);
    }
}
/// Content that has a URI: either text, or bytes in base64.
///
/// As JSON:
///
/// ```json
/// {"mimeType":"text/rust","text":"fn main() {}","uri":"file:///project/src/main.rs"}
/// {"blob":"iVBORw0KGgo=","mimeType":"image/png","uri":"file:///project/logo.png"}
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// Read as well, but each member of the block's annotations takes precedence.
    pub annotations: Option<Annotations>,
    /// The content in base64, if it is bytes.
    pub blob: Option<String>,
    /// What the resource is about.
    pub description: Option<String>,
    /// Data about the object that contains it. The names of its members begin with a domain of their author.
    pub meta: Option<Json>,
    /// The media type, such as `text/rust`.
    pub mime_type: Option<String>,
    /// A short name for programs.
    pub name: Option<String>,
    /// The content, if it is text.
    pub text: Option<String>,
    /// A name for people.
    pub title: Option<String>,
    /// The URI of the resource.
    pub uri: String,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for Resource {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        let annotations = fields.optional("annotations", Typed::read);
        let blob = fields.optional("blob", Typed::read);
        let description = fields.optional("description", Typed::read);
        let meta = fields.optional("_meta", typed::object);
        let mime_type = fields.optional("mimeType", Typed::read);
        let name = fields.optional("name", Typed::read);
        let text = fields.optional("text", Typed::read);
        let title = fields.optional("title", Typed::read);
        let uri = fields.required("uri", Typed::read)?;
        Some(Self {
            annotations,
            blob,
            description,
            meta,
            mime_type,
            name,
            text,
            title,
            uri,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.optional("annotations", self.annotations.as_ref());
        object.optional("blob", self.blob.as_ref());
        object.optional("description", self.description.as_ref());
        object.optional("_meta", self.meta.as_ref());
        object.optional("mimeType", self.mime_type.as_ref());
        object.optional("name", self.name.as_ref());
        object.optional("text", self.text.as_ref());
        object.optional("title", self.title.as_ref());
        object.member("uri", &self.uri);
        object.rest(&self.extra);
    }
}
/// A resource with its content. The host formats it, and recognizes it by its URI.
///
/// As JSON:
///
/// ```json
/// {"formatted":"```rs (src/main.rs)\nfn main() {}\n```","resource":{"mimeType":"text/rust","text":"fn main() {}","uri":"file:///project/src/main.rs"},"type":"resource"}
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceBlock {
    /// The intended readers of a block, and its priority.
    pub annotations: Option<Annotations>,
    /// The presentation that the tool prefers. It is passed on unchanged, and is not part of the identity.
    pub formatted: Option<String>,
    /// Data about the object that contains it. The names of its members begin with a domain of their author.
    pub meta: Option<Json>,
    /// Content that has a URI: either text, or bytes in base64.
    pub resource: Resource,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for ResourceBlock {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        fields.tag();
        let annotations = fields.optional("annotations", Typed::read);
        let formatted = fields.optional("formatted", Typed::read);
        let meta = fields.optional("_meta", typed::object);
        let resource = fields.required("resource", Typed::read)?;
        Some(Self {
            annotations,
            formatted,
            meta,
            resource,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.text("type", "resource");
        object.optional("annotations", self.annotations.as_ref());
        object.optional("formatted", self.formatted.as_ref());
        object.optional("_meta", self.meta.as_ref());
        object.member("resource", &self.resource);
        object.rest(&self.extra);
    }
}
/// A link to a resource, whose content is not included.
///
/// As JSON:
///
/// ```json
/// {"name":"log","size":1024,"type":"resource_link","uri":"https://example.org/log"}
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceLinkBlock {
    /// The intended readers of a block, and its priority.
    pub annotations: Option<Annotations>,
    /// What the resource is about.
    pub description: Option<String>,
    /// Data about the object that contains it. The names of its members begin with a domain of their author.
    pub meta: Option<Json>,
    /// The media type, such as `text/html`.
    pub mime_type: Option<String>,
    /// A short name for programs.
    pub name: String,
    /// The size of the content in bytes.
    pub size: Option<u64>,
    /// A name for people.
    pub title: Option<String>,
    /// The URI of the resource.
    pub uri: String,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for ResourceLinkBlock {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        fields.tag();
        let annotations = fields.optional("annotations", Typed::read);
        let description = fields.optional("description", Typed::read);
        let meta = fields.optional("_meta", typed::object);
        let mime_type = fields.optional("mimeType", Typed::read);
        let name = fields.required("name", Typed::read)?;
        let size = fields.optional("size", typed::size);
        let title = fields.optional("title", Typed::read);
        let uri = fields.required("uri", Typed::read)?;
        Some(Self {
            annotations,
            description,
            meta,
            mime_type,
            name,
            size,
            title,
            uri,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.text("type", "resource_link");
        object.optional("annotations", self.annotations.as_ref());
        object.optional("description", self.description.as_ref());
        object.optional("_meta", self.meta.as_ref());
        object.optional("mimeType", self.mime_type.as_ref());
        object.member("name", &self.name);
        object.optional("size", self.size.as_ref());
        object.optional("title", self.title.as_ref());
        object.member("uri", &self.uri);
        object.rest(&self.extra);
    }
}
/// Text, which is passed on unchanged.
///
/// As JSON:
///
/// ```json
/// {"text":"","type":"text"}
/// {"annotations":{"audience":["user"]},"text":"No warnings.","type":"text"}
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TextBlock {
    /// The intended readers of a block, and its priority.
    pub annotations: Option<Annotations>,
    /// Data about the object that contains it. The names of its members begin with a domain of their author.
    pub meta: Option<Json>,
    /// The text.
    pub text: String,
    /// Every other member, and those whose value was malformed, verbatim.
    pub extra: BTreeMap<String, Json>,
}
impl Typed for TextBlock {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut fields = Fields::of(node)?;
        fields.tag();
        let annotations = fields.optional("annotations", Typed::read);
        let meta = fields.optional("_meta", typed::object);
        let text = fields.required("text", Typed::read)?;
        Some(Self {
            annotations,
            meta,
            text,
            extra: fields.rest(),
        })
    }
    fn write(&self, out: &mut String) {
        let mut object = typed::Object::open(out);
        object.text("type", "text");
        object.optional("annotations", self.annotations.as_ref());
        object.optional("_meta", self.meta.as_ref());
        object.member("text", &self.text);
        object.rest(&self.extra);
    }
}

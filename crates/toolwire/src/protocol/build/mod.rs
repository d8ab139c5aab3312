//! Builders: an envelope and its blocks from plain arguments, checked by the reader itself, so that
//! what is built always reads as valid (API-10 to API-16).
//!
//! # Examples
//!
//! A whole tool:
//!
//! ```
//! use toolwire::build::{self, BlockOptions, EnvelopeOptions, ResourceOptions};
//!
//! let source = "fn main() {}\n";
//! let answer = build::envelope(
//!     vec![
//!         build::text("One file.", BlockOptions::default())?,
//!         build::resource_from_bytes("/src/main.rs", source.as_bytes(), ResourceOptions::default())?,
//!     ],
//!     EnvelopeOptions::default(),
//! )?;
//! println!("{answer}");
//! # Ok::<(), toolwire::Error>(())
//! ```

mod check;

use std::collections::BTreeMap;

use crate::block::{
    Annotations, AudioBlock, ImageBlock, Question, QuestionBlock, Resource, ResourceBlock,
    ResourceLinkBlock, TextBlock,
};
use crate::protocol::read::base64;
use crate::{Block, Envelope, EnvelopeMeta, Error, ErrorMeta, Json, Status};
use check::{ERROR, STATUS, argument, checked_block, object, with};
pub(crate) use check::{check_block, checked_envelope};

/// What every block may carry.
///
/// ```
/// use toolwire::block::Annotations;
/// use toolwire::build::{BlockOptions, text};
///
/// let annotations = Annotations { priority: Some(0.5), ..Annotations::default() };
/// let options = BlockOptions { annotations: Some(annotations), ..BlockOptions::default() };
/// assert!(text("ok", options)?.to_json().contains(r#""priority":0.5"#));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BlockOptions {
    /// Whom the block is for, and how much it matters.
    pub annotations: Option<Annotations>,
    /// The block's `_meta`, an object.
    pub meta: Option<Json>,
}

/// What a resource may carry beside its URI and its content.
///
/// ```
/// use toolwire::build::{ResourceOptions, resource};
///
/// let options = ResourceOptions { mime_type: Some("text/rust".into()), ..Default::default() };
/// assert!(resource("file:///a.rs", "fn main() {}", options)?.to_json().contains("text/rust"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResourceOptions {
    /// The media type, such as `text/rust`.
    pub mime_type: Option<String>,
    /// A short name for programs.
    pub name: Option<String>,
    /// A name for people.
    pub title: Option<String>,
    /// What the resource is about.
    pub description: Option<String>,
    /// The presentation that the tool prefers; it never counts for the identity.
    pub formatted: Option<String>,
    /// Whom the block is for, and how much it matters.
    pub annotations: Option<Annotations>,
    /// The block's `_meta`, an object.
    pub meta: Option<Json>,
}

/// What a link to a resource may carry beside its URI and its name.
///
/// ```
/// use toolwire::build::{ResourceLinkOptions, resource_link};
///
/// let options = ResourceLinkOptions { size: Some(1024), ..ResourceLinkOptions::default() };
/// assert!(resource_link("https://example.org/log", "log", options).is_ok());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResourceLinkOptions {
    /// A name for people.
    pub title: Option<String>,
    /// What the resource is about.
    pub description: Option<String>,
    /// The media type, such as `text/html`.
    pub mime_type: Option<String>,
    /// How many bytes the content has, at most 2^53 − 1.
    pub size: Option<u64>,
    /// Whom the block is for, and how much it matters.
    pub annotations: Option<Annotations>,
    /// The block's `_meta`, an object.
    pub meta: Option<Json>,
}

/// What a question may carry beside its id, its text and its schema.
///
/// ```
/// use toolwire::Json;
/// use toolwire::build::{QuestionOptions, question};
///
/// let options = QuestionOptions { default: Some(Json::from(true)), ..Default::default() };
/// assert!(question("go", "Go on?", Json::new(r#"{"type":"boolean"}"#)?, options).is_ok());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QuestionOptions {
    /// The answer that is suggested; JSON's `null` is a value.
    pub default: Option<Json>,
    /// The page where the person answers, if not in a form (ENV-18).
    pub url: Option<String>,
    /// Whom the block is for, and how much it matters.
    pub annotations: Option<Annotations>,
    /// The block's `_meta`, an object.
    pub meta: Option<Json>,
}

/// What an envelope may carry beside its blocks.
///
/// ```
/// use toolwire::Status;
/// use toolwire::build::{EnvelopeOptions, envelope};
///
/// let options = EnvelopeOptions { status: Some(Status::Running), ..Default::default() };
/// let text = envelope(vec![], options)?.to_json();
/// assert_eq!(text, r#"{"_meta":{"computer.jp/status":"running"},"content":[]}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EnvelopeOptions {
    /// The result for a program; JSON's `null` is a value.
    pub structured_content: Option<Json>,
    /// Whether the tool failed. With `error`, it is written as true unless it is given.
    pub is_error: Option<bool>,
    /// Where a long-running tool stands.
    pub status: Option<Status>,
    /// More about an error.
    pub error: Option<ErrorMeta>,
    /// Other members of `_meta`, an object.
    pub meta: Option<Json>,
}

/// What an error may carry beside its message.
///
/// ```
/// use toolwire::build::{ErrorOptions, error};
///
/// let options = ErrorOptions { transient: true, ..ErrorOptions::default() };
/// assert!(error("the server is busy", options)?.to_json().contains(r#""transient":true"#));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ErrorOptions {
    /// Whether the same call may succeed later.
    pub transient: bool,
    /// The causes, from the nearest to the farthest.
    pub trace: Vec<String>,
    /// Other members of the envelope's `_meta`, an object.
    pub meta: Option<Json>,
}

/// The content of a resource.
///
/// ```
/// use toolwire::build::Body;
///
/// assert_eq!(Body::from("text"), Body::Text("text"));
/// assert_eq!(Body::from(&[0_u8, 1][..]), Body::Bytes(&[0, 1]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body<'a> {
    /// Text, written as `text`.
    Text(&'a str),
    /// Bytes, written as `blob` in base64.
    Bytes(&'a [u8]),
}

impl<'a> From<&'a str> for Body<'a> {
    fn from(text: &'a str) -> Self {
        Body::Text(text)
    }
}

impl<'a> From<&'a [u8]> for Body<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Body::Bytes(bytes)
    }
}

/// A block of text, which is passed on as it is.
///
/// # Errors
///
/// `bad_argument` with a pointer to the argument that reading would warn about, as for every builder
/// (API-4, API-11).
///
/// # Examples
///
/// ```
/// use toolwire::build::{BlockOptions, text};
///
/// let block = text("No warnings.", BlockOptions::default())?;
/// assert_eq!(block.to_json(), r#"{"text":"No warnings.","type":"text"}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn text(text: impl Into<String>, options: BlockOptions) -> Result<Block, Error> {
    let block = TextBlock {
        text: text.into(),
        annotations: options.annotations,
        meta: options.meta,
        extra: BTreeMap::new(),
    };
    checked_block(block).map(Block::Text)
}

/// A block from its JSON text, checked as strictly as the arguments of the builders.
///
/// # Errors
///
/// `bad_argument` with a pointer to the member that reading would warn about, as for every builder;
/// the code of the first place where the text is not strict JSON.
///
/// # Examples
///
/// ```
/// use toolwire::build::block;
///
/// assert_eq!(block(r#"{"text":"ok","type":"text"}"#)?, toolwire::build::text("ok", Default::default())?);
/// assert_eq!(block(r#"{"text":1,"type":"text"}"#).unwrap_err().pointer(), "/text");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn block(json: &str) -> Result<Block, Error> {
    check_block(json)?;
    Block::from_json(json)
}

/// A resource: content with a URI. The URI is written as it is given; a comparison makes it
/// canonical.
///
/// # Errors
///
/// `bad_argument`, for example at `/uri` if the URI is empty.
///
/// # Examples
///
/// ```
/// use toolwire::Code;
/// use toolwire::build::{ResourceOptions, resource};
///
/// let block = resource("file:///a", &[255_u8, 0][..], ResourceOptions::default())?;
/// assert!(block.to_json().contains(r#""blob":"/wA=""#));
///
/// let error = resource("", "text", ResourceOptions::default()).unwrap_err();
/// assert_eq!((error.code(), error.pointer()), (Code::BadArgument, "/uri"));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn resource<'a>(
    uri: &str,
    body: impl Into<Body<'a>>,
    options: ResourceOptions,
) -> Result<Block, Error> {
    resource_block(content(uri.to_owned(), body.into()), options)
}

/// A resource from the bytes of a file (API-13): text if they are UTF-8 without NUL, else a blob;
/// with the media type that the file's name stands for, unless another is given.
///
/// `path` is a path, which becomes a `file:` URI, or a URI, which is written as it is. The bytes are
/// not read from anywhere: the core does no I/O.
///
/// # Errors
///
/// `bad_argument` at `/path` if the path cannot be written as a URI.
///
/// # Examples
///
/// ```
/// use toolwire::build::{ResourceOptions, resource_from_bytes};
///
/// let block = resource_from_bytes("/src/a b.rs", b"fn a() {}", ResourceOptions::default())?;
/// assert_eq!(
///     block.to_json(),
///     r#"{"resource":{"mimeType":"text/rust","text":"fn a() {}","uri":"file:///src/a%20b.rs"},"type":"resource"}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn resource_from_bytes(
    path: &str,
    bytes: &[u8],
    mut options: ResourceOptions,
) -> Result<Block, Error> {
    let resource = Resource::from_bytes(path, bytes)?;
    options.mime_type = options.mime_type.or_else(|| resource.mime_type.clone());
    resource_block(resource, options).map_err(|error| match error.pointer() {
        "/uri" => argument("/path", error.message()),
        _ => error,
    })
}

impl Resource {
    /// The resource that [`resource_from_bytes`] puts into a block, not checked yet: with its URI, its
    /// content, and the media type that the file's name stands for.
    ///
    /// # Errors
    ///
    /// `bad_argument` at `/path` if the path cannot be written as a URI.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::block::Resource;
    ///
    /// let resource = Resource::from_bytes("/src/a.rs", b"fn a() {}")?;
    /// assert_eq!(resource.uri, "file:///src/a.rs");
    /// assert_eq!(resource.mime_type.as_deref(), Some("text/rust"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_bytes(path: &str, bytes: &[u8]) -> Result<Self, Error> {
        Ok(Resource {
            mime_type: crate::mime::from_path(path).map(str::to_owned),
            ..content(uri_of(path)?, body_of(bytes))
        })
    }
}

/// A resource with nothing but its URI and its content.
/// A block of text, unchecked.
pub(crate) fn text_block(text: String) -> Block {
    Block::Text(TextBlock {
        text,
        annotations: None,
        meta: None,
        extra: BTreeMap::new(),
    })
}

/// The metadata of an error, if there is anything to say.
pub(crate) fn error_meta(transient: bool, trace: Vec<String>) -> Option<ErrorMeta> {
    (transient || !trace.is_empty()).then(|| ErrorMeta {
        transient: transient.then_some(true),
        trace: (!trace.is_empty()).then_some(trace),
        extra: BTreeMap::new(),
    })
}

fn content(uri: String, body: Body<'_>) -> Resource {
    let (text, blob) = match body {
        Body::Text(text) => (Some(text.to_owned()), None),
        Body::Bytes(bytes) => (None, Some(base64::encode(bytes))),
    };
    Resource {
        uri,
        text,
        blob,
        mime_type: None,
        name: None,
        title: None,
        description: None,
        annotations: None,
        meta: None,
        extra: BTreeMap::new(),
    }
}

fn resource_block(resource: Resource, options: ResourceOptions) -> Result<Block, Error> {
    let block = ResourceBlock {
        resource: Resource {
            mime_type: options.mime_type,
            name: options.name,
            title: options.title,
            description: options.description,
            ..resource
        },
        formatted: options.formatted,
        annotations: options.annotations,
        meta: options.meta,
        extra: BTreeMap::new(),
    };
    checked_block(block).map(Block::Resource)
}

/// The URI of a path, or of what is one already.
fn uri_of(path: &str) -> Result<String, Error> {
    if crate::base::uri::has_scheme(path) {
        return Ok(path.to_owned());
    }
    crate::file_uri(path).map_err(|error| argument("/path", error.message()))
}

/// Text if the bytes are UTF-8 without NUL, else bytes.
fn body_of(bytes: &[u8]) -> Body<'_> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Body::Text(text),
        _ => Body::Bytes(bytes),
    }
}

/// A picture.
///
/// # Errors
///
/// `bad_argument`, as for every builder.
///
/// # Examples
///
/// ```
/// use toolwire::build::{BlockOptions, image};
///
/// let block = image(b"\x89PNG", "image/png", BlockOptions::default())?;
/// assert_eq!(block.to_json(), r#"{"data":"iVBORw==","mimeType":"image/png","type":"image"}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn image(bytes: &[u8], mime_type: &str, options: BlockOptions) -> Result<Block, Error> {
    let block = ImageBlock {
        data: base64::encode(bytes),
        mime_type: mime_type.to_owned(),
        annotations: options.annotations,
        meta: options.meta,
        extra: BTreeMap::new(),
    };
    checked_block(block).map(Block::Image)
}

/// A sound.
///
/// # Errors
///
/// `bad_argument`, as for every builder.
///
/// # Examples
///
/// ```
/// use toolwire::build::{BlockOptions, audio};
///
/// let block = audio(b"RIFF", "audio/wav", BlockOptions::default())?;
/// assert_eq!(block.to_json(), r#"{"data":"UklGRg==","mimeType":"audio/wav","type":"audio"}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn audio(bytes: &[u8], mime_type: &str, options: BlockOptions) -> Result<Block, Error> {
    let block = AudioBlock {
        data: base64::encode(bytes),
        mime_type: mime_type.to_owned(),
        annotations: options.annotations,
        meta: options.meta,
        extra: BTreeMap::new(),
    };
    checked_block(block).map(Block::Audio)
}

/// A link to a resource, without its content.
///
/// # Errors
///
/// `bad_argument`, for example at `/size` if it is 2^53 or more.
///
/// # Examples
///
/// ```
/// use toolwire::build::{ResourceLinkOptions, resource_link};
///
/// let block = resource_link("https://example.org/log", "log", ResourceLinkOptions::default())?;
/// assert_eq!(
///     block.to_json(),
///     r#"{"name":"log","type":"resource_link","uri":"https://example.org/log"}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn resource_link(uri: &str, name: &str, options: ResourceLinkOptions) -> Result<Block, Error> {
    let block = ResourceLinkBlock {
        uri: uri.to_owned(),
        name: name.to_owned(),
        title: options.title,
        description: options.description,
        mime_type: options.mime_type,
        size: options.size,
        annotations: options.annotations,
        meta: options.meta,
        extra: BTreeMap::new(),
    };
    checked_block(block).map(Block::ResourceLink)
}

/// A question. `schema` is a JSON Schema for the answer, an object.
///
/// # Errors
///
/// `bad_argument`, for example at `/id` if it is empty, at `/schema` if it is not an object, or at `/url` if
/// a host may not open it.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire::build::{QuestionOptions, question};
///
/// let schema = Json::new(r#"{"type":"boolean"}"#)?;
/// let block = question("confirm", "Apply these changes?", schema, QuestionOptions::default())?;
/// assert!(block.to_json().contains(r#""id":"confirm""#));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn question(
    id: &str,
    text: &str,
    schema: Json,
    options: QuestionOptions,
) -> Result<Block, Error> {
    question_block(id, text, schema, options).map(Block::Question)
}

pub(crate) fn question_block(
    id: &str,
    text: &str,
    schema: Json,
    options: QuestionOptions,
) -> Result<QuestionBlock, Error> {
    checked_block(QuestionBlock {
        question: Question {
            id: id.to_owned(),
            text: text.to_owned(),
            schema,
            default: options.default,
            url: options.url,
            extra: BTreeMap::new(),
        },
        annotations: options.annotations,
        meta: options.meta,
        extra: BTreeMap::new(),
    })
}

/// An envelope: a tool's whole answer.
///
/// # Errors
///
/// `bad_argument`: at `/content/N` if the Nth block would be skipped or asks under an id that was
/// used before; at `/status` if it is `waiting` without a question, or is not `waiting` with one; at
/// `/error` if `is_error` is false; at a member of `/meta` that another argument writes (API-16).
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire::build::{BlockOptions, EnvelopeOptions, envelope, text};
///
/// let options = EnvelopeOptions { structured_content: Some(Json::new("[1]")?), ..Default::default() };
/// let answer = envelope(vec![text("one", BlockOptions::default())?], options)?;
/// assert_eq!(
///     answer.to_string(),
///     r#"{"content":[{"text":"one","type":"text"}],"structuredContent":[1]}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn envelope(blocks: Vec<Block>, options: EnvelopeOptions) -> Result<Envelope, Error> {
    let given: Vec<_> = options.status.map(|_| STATUS).into_iter().collect();
    let given = [given, options.error.iter().map(|_| ERROR).collect()].concat();
    let envelope = Envelope {
        content: blocks,
        structured_content: options.structured_content,
        is_error: options.is_error.or(options.error.as_ref().map(|_| true)),
        meta: envelope_meta(options.meta, options.status, options.error)?,
        extra: BTreeMap::new(),
    };
    checked_envelope(envelope, &given)
}

/// An error: an envelope with the message as its one text, and `isError` true (API-14).
///
/// # Errors
///
/// `bad_argument`, as for every builder.
///
/// # Examples
///
/// ```
/// use toolwire::build::{ErrorOptions, error};
///
/// let answer = error("file not found: foo.rs", ErrorOptions::default())?;
/// assert_eq!(
///     answer.to_json(),
///     r#"{"content":[{"text":"file not found: foo.rs","type":"text"}],"isError":true}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn error(message: &str, options: ErrorOptions) -> Result<Envelope, Error> {
    let block = text(message, BlockOptions::default())
        .map_err(|error| argument("/message", error.message()))?;
    let options = EnvelopeOptions {
        is_error: Some(true),
        error: error_meta(options.transient, options.trace),
        meta: options.meta,
        ..EnvelopeOptions::default()
    };
    envelope(vec![block], options)
}

/// An error from a Rust error: its message, and in `trace` the messages of its sources, from the
/// nearest to the farthest. An `options.trace` that is not empty stands in their place.
///
/// # Errors
///
/// `bad_argument`, as for every builder.
///
/// # Examples
///
/// ```
/// use toolwire::build::{ErrorOptions, error_from};
///
/// let failure = std::io::Error::other("disk full");
/// let answer = error_from(&failure, ErrorOptions::default())?;
/// assert!(answer.to_json().contains("disk full"));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn error_from(
    failure: &dyn std::error::Error,
    mut options: ErrorOptions,
) -> Result<Envelope, Error> {
    if options.trace.is_empty() {
        let sources = std::iter::successors(failure.source(), |source| source.source());
        options.trace = sources.take(MAX_SOURCES).map(ToString::to_string).collect();
    }
    error(&failure.to_string(), options)
}

/// A chain of sources that leads back to itself must end somewhere.
const MAX_SOURCES: usize = 100;

fn envelope_meta(
    meta: Option<Json>,
    status: Option<Status>,
    error: Option<ErrorMeta>,
) -> Result<Option<EnvelopeMeta>, Error> {
    if meta.is_none() && status.is_none() && error.is_none() {
        return Ok(None);
    }
    let mut whole = match meta {
        Some(meta) => object::<EnvelopeMeta>(&meta, "/meta")?,
        None => EnvelopeMeta::default(),
    };
    with(&mut whole, "computer.jp/status", status, |meta| {
        &mut meta.status
    })?;
    with(&mut whole, "computer.jp/error", error, |meta| {
        &mut meta.error
    })?;
    Ok(Some(whole))
}

#[cfg(test)]
mod tests;

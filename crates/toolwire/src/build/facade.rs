//! The builders for bindings: JSON text in, JSON text in exact form out.

use std::borrow::Cow;
use std::collections::HashSet;

use super::check::{argument, check_block, object};
use super::{Body, EnvelopeOptions, ErrorOptions, body_of, envelope, error, uri_of};
use crate::json::{Document, Kind, Node, ObjectWriter, pointer, read_text};
use crate::read::base64;
use crate::{Block, Error, Json, Status};

/// Where the arguments of a kind of block stand: in the object that is inside of the block, if it
/// has one, or beside it.
struct Shape {
    kind: &'static str,
    block_type: &'static str,
    inner: Option<&'static str>,
    inside: &'static [&'static str],
    beside: &'static [&'static str],
    /// The argument that stands for the bytes, and the member that holds them.
    bytes: &'static str,
}

const SHAPES: &[Shape] = &[
    Shape {
        kind: "text",
        block_type: "text",
        inner: None,
        inside: &[],
        beside: &["text", "annotations", "meta"],
        bytes: "",
    },
    Shape {
        kind: "resource",
        block_type: "resource",
        inner: Some("resource"),
        inside: &[
            "uri",
            "text",
            "blob",
            "mimeType",
            "name",
            "title",
            "description",
        ],
        beside: &["formatted", "annotations", "meta"],
        bytes: "blob",
    },
    Shape {
        kind: "resource_from_bytes",
        block_type: "resource",
        inner: Some("resource"),
        inside: &["mimeType", "name", "title", "description"],
        beside: &["formatted", "annotations", "meta"],
        bytes: "",
    },
    Shape {
        kind: "image",
        block_type: "image",
        inner: None,
        inside: &[],
        beside: &["data", "mimeType", "annotations", "meta"],
        bytes: "data",
    },
    Shape {
        kind: "audio",
        block_type: "audio",
        inner: None,
        inside: &[],
        beside: &["data", "mimeType", "annotations", "meta"],
        bytes: "data",
    },
    Shape {
        kind: "resource_link",
        block_type: "resource_link",
        inner: None,
        inside: &[],
        beside: &[
            "uri",
            "name",
            "title",
            "description",
            "mimeType",
            "size",
            "annotations",
            "meta",
        ],
        bytes: "",
    },
    Shape {
        kind: "question",
        block_type: "question",
        inner: Some("question"),
        inside: &["id", "text", "schema", "default"],
        beside: &["annotations", "meta"],
        bytes: "",
    },
];

/// Any builder, for a binding: the name of the builder in snake_case, its arguments as the text of a
/// JSON object with the names of the specification (chapter 7.6), and bytes, if they don't stand in
/// the arguments in base64. It gives the JSON text of the block or the envelope.
///
/// An argument that is `null` is not given, but for `default` and `structuredContent`, where it is a
/// value (API-12). The blocks of an envelope are the argument `content`.
///
/// # Errors
///
/// `bad_argument` with a pointer to the argument that is unknown, missing or wrong.
///
/// # Examples
///
/// ```
/// use toolwire::build::from_json;
///
/// let block = from_json("image", r#"{"mimeType":"image/png"}"#, Some(b"\x89PNG"))?;
/// assert_eq!(block, r#"{"data":"iVBORw==","mimeType":"image/png","type":"image"}"#);
///
/// let answer = from_json("envelope", &format!(r#"{{"content":[{block}]}}"#), None)?;
/// assert_eq!(answer, format!(r#"{{"content":[{block}]}}"#));
///
/// let error = from_json("text", r#"{"text":1}"#, None).unwrap_err();
/// assert_eq!(error.pointer(), "/text");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn from_json(kind: &str, arguments: &str, bytes: Option<&[u8]>) -> Result<String, Error> {
    let document = read_text(arguments).map_err(|error| {
        argument(
            "",
            &format!("the arguments are not JSON: {}", error.message()),
        )
    })?;
    if document.root().kind() != Kind::Object {
        return Err(argument("", "the arguments are not an object"));
    }
    let arguments = Arguments { kind, document };
    match kind {
        "envelope" => envelope_from(&arguments).map(|envelope| envelope.to_json()),
        "error" => error_from(&arguments).map(|envelope| envelope.to_json()),
        _ => match SHAPES.iter().find(|shape| shape.kind == kind) {
            Some(shape) => block_from(&arguments, shape, bytes),
            None => Err(argument(
                "",
                &format!("`{kind}` is not the name of a builder"),
            )),
        },
    }
}

struct Arguments<'a> {
    kind: &'a str,
    document: Document<'a>,
}

impl Arguments<'_> {
    /// The arguments that are given.
    fn given(&self) -> impl Iterator<Item = (Cow<'_, str>, Node<'_>)> {
        self.document.root().members().filter(|(name, value)| {
            value.kind() != Kind::Null || matches!(name.as_ref(), "default" | "structuredContent")
        })
    }

    fn unknown(&self, name: &str) -> Error {
        let pointer = pointer::join("", name);
        argument(
            &pointer,
            &format!("`{name}` is not an argument of `{}`", self.kind),
        )
    }
}

fn block_from(
    arguments: &Arguments<'_>,
    shape: &Shape,
    bytes: Option<&[u8]>,
) -> Result<String, Error> {
    let (mut inside, mut beside) = (Members::default(), Members::default());
    beside.string("type", shape.block_type);
    let mut path = None;
    let mut typed = false;
    for (name, value) in arguments.given() {
        let name = name.as_ref();
        typed |= name == "mimeType";
        if shape.kind == "resource_from_bytes" && name == "path" {
            path = Some(text(name, value)?);
        } else if shape.inside.contains(&name) {
            inside.value(name, value);
        } else if shape.beside.contains(&name) {
            beside.value(if name == "meta" { "_meta" } else { name }, value);
        } else {
            return Err(arguments.unknown(name));
        }
    }
    if shape.kind == "resource_from_bytes" {
        let path = path.ok_or_else(|| argument("/path", "`path` is missing"))?;
        let bytes = bytes.ok_or_else(|| argument("/bytes", "`bytes` is missing"))?;
        inside.string("uri", &uri_of(&path)?);
        match body_of(bytes) {
            Body::Text(text) => inside.string("text", text),
            Body::Bytes(bytes) => inside.string("blob", &base64::encode(bytes)),
        }
        if !typed && let Some(mime) = crate::mime::from_path(&path) {
            inside.string("mimeType", mime);
        }
    } else if let Some(bytes) = bytes {
        let target = if shape.inside.contains(&shape.bytes) {
            &mut inside
        } else {
            &mut beside
        };
        if shape.bytes.is_empty() || target.names.contains(shape.bytes) {
            return Err(argument(
                "/bytes",
                &format!("`{}` takes no bytes here", shape.kind),
            ));
        }
        target.string(shape.bytes, &base64::encode(bytes));
    }
    if let Some(inner) = shape.inner {
        beside.raw(inner, &inside.object.end());
    }
    let text = beside.object.end();
    check_block(&text)?;
    Ok(Block::from_json(&text)?.to_json())
}

fn envelope_from(arguments: &Arguments<'_>) -> Result<crate::Envelope, Error> {
    let mut blocks = Vec::new();
    let mut options = EnvelopeOptions::default();
    for (name, value) in arguments.given() {
        match name.as_ref() {
            "content" if value.kind() == Kind::Array => {
                blocks = value.elements().map(Block::of).collect();
            }
            "content" => return Err(wrong("content", "an array of blocks", value)),
            "structuredContent" => options.structured_content = Some(Json::of(value)),
            "isError" => options.is_error = Some(flag("isError", value)?),
            "status" => options.status = Some(status(value)?),
            "error" => options.error = Some(object(&Json::of(value), "/error")?),
            "meta" => options.meta = Some(Json::of(value)),
            name => return Err(arguments.unknown(name)),
        }
    }
    envelope(blocks, options)
}

fn error_from(arguments: &Arguments<'_>) -> Result<crate::Envelope, Error> {
    let mut message = None;
    let mut options = ErrorOptions::default();
    for (name, value) in arguments.given() {
        match name.as_ref() {
            "message" => message = Some(text("message", value)?),
            "transient" => options.transient = flag("transient", value)?,
            "trace" => options.trace = lines(value)?,
            "meta" => options.meta = Some(Json::of(value)),
            name => return Err(arguments.unknown(name)),
        }
    }
    let message = message.ok_or_else(|| argument("/message", "`message` is missing"))?;
    error(&message, options)
}

fn text(name: &str, value: Node<'_>) -> Result<String, Error> {
    match value.as_str() {
        Some(text) => Ok(text.into_owned()),
        None => Err(wrong(name, "a string", value)),
    }
}

fn flag(name: &str, value: Node<'_>) -> Result<bool, Error> {
    value
        .as_bool()
        .ok_or_else(|| wrong(name, "true or false", value))
}

fn status(value: Node<'_>) -> Result<Status, Error> {
    let status = value.as_str().and_then(|word| word.parse().ok());
    status.ok_or_else(|| wrong("status", "`running`, `waiting` or `stopped`", value))
}

fn lines(value: Node<'_>) -> Result<Vec<String>, Error> {
    if value.kind() != Kind::Array {
        return Err(wrong("trace", "an array of strings", value));
    }
    let lines = value.elements().enumerate();
    lines
        .map(|(index, line)| text(&format!("trace/{index}"), line))
        .collect()
}

fn wrong(name: &str, expected: &str, value: Node<'_>) -> Error {
    let found = crate::json::brief(value.raw(), 40);
    argument(
        &format!("/{name}"),
        &format!("`{name}` is {expected}, not `{found}`"),
    )
}

/// An object that is being written, and the names of its members.
#[derive(Default)]
struct Members {
    object: ObjectWriter,
    names: HashSet<String>,
}

impl Members {
    fn raw(&mut self, name: &str, json: &str) {
        self.object.json(name, json);
        self.names.insert(name.to_owned());
    }

    fn value(&mut self, name: &str, value: Node<'_>) {
        self.raw(name, value.raw());
    }

    fn string(&mut self, name: &str, value: &str) {
        self.raw(name, &crate::json::string(value));
    }
}

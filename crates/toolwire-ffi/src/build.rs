//! The builders as text: JSON text in, JSON text in exact form out.

use std::borrow::Cow;
use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use toolwire::block::Resource;
use toolwire::build::{EnvelopeOptions, ErrorOptions, block, envelope, error};
use toolwire::json::{Document, Kind, Node, ObjectWriter, brief, pointer};
use toolwire::{Block, Code, Envelope, Error, ErrorMeta, Json, Status};

use crate::dispatch::builder;

/// The arguments that stand beside the object inside of a block, if it has one.
const BESIDE: [&str; 3] = ["formatted", "annotations", "meta"];

/// Any builder: its name in snake_case, its arguments as the text of a JSON object with the names of
/// the specification (section 7.2), and bytes, if they don't stand in the arguments in base64. It gives the JSON text of the block or the envelope.
///
/// An argument that is `null` is not given, but for `default` and `structuredContent`, where it is a
/// value (API-12). The blocks of an envelope are the argument `content`.
///
/// # Errors
///
/// `bad_argument` with a pointer to the argument that is unknown, missing or wrong.
pub fn from_json(kind: &str, arguments: &str, bytes: Option<&[u8]>) -> Result<String, Error> {
    let document = Document::new(arguments).map_err(|error| {
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
        _ => match builder(kind) {
            Some(known) => block_from(&arguments, known, bytes),
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
    known: &[&str],
    bytes: Option<&[u8]>,
) -> Result<String, Error> {
    let is_from_bytes = arguments.kind == "resource_from_bytes";
    // The type of the block, the object inside of it, and the member that holds bytes.
    let (block_type, inner, content) = match arguments.kind {
        "resource" | "resource_from_bytes" => ("resource", Some("resource"), "blob"),
        "question" => ("question", Some("question"), ""),
        media @ ("image" | "audio") => (media, None, "data"),
        other => (other, None, ""),
    };
    let (mut inside, mut beside) = (Members::default(), Members::default());
    beside.string("type", block_type);
    let mut path = None;
    for (name, value) in arguments.given() {
        match name.as_ref() {
            "path" if is_from_bytes => path = Some(text("path", value)?),
            "meta" => beside.value("_meta", value),
            name if name == "bytes" || !known.contains(&name) => {
                return Err(arguments.unknown(name));
            }
            name if inner.is_none() || BESIDE.contains(&name) => beside.value(name, value),
            name => inside.value(name, value),
        }
    }
    if is_from_bytes {
        let path = path.ok_or_else(|| argument("/path", "`path` is missing"))?;
        let bytes = bytes.ok_or_else(|| argument("/bytes", "`bytes` is missing"))?;
        let resource = Resource::from_bytes(&path, bytes)?;
        inside.string("uri", &resource.uri);
        let is_typed = inside.names.contains("mimeType");
        let mime_type = resource.mime_type.filter(|_| !is_typed);
        for (name, text) in [
            ("text", resource.text),
            ("blob", resource.blob),
            ("mimeType", mime_type),
        ] {
            if let Some(text) = text {
                inside.string(name, &text);
            }
        }
    } else if let Some(bytes) = bytes {
        let target = if inner.is_some() {
            &mut inside
        } else {
            &mut beside
        };
        if content.is_empty() || target.names.contains(content) {
            let message = format!("`{}` takes no bytes here", arguments.kind);
            return Err(argument("/bytes", &message));
        }
        target.string(content, &STANDARD.encode(bytes));
    }
    if let Some(inner) = inner {
        beside.raw(inner, &inside.object.end());
    }
    block(&beside.object.end()).map(|block| block.to_json())
}

fn envelope_from(arguments: &Arguments<'_>) -> Result<Envelope, Error> {
    let mut blocks = Vec::new();
    let mut options = EnvelopeOptions::default();
    for (name, value) in arguments.given() {
        match name.as_ref() {
            "content" if value.kind() == Kind::Array => {
                blocks = value.elements().map(Block::from).collect();
            }
            "content" => return Err(wrong("content", "an array of blocks", value)),
            "structuredContent" => options.structured_content = Some(Json::from(value)),
            "isError" => options.is_error = Some(flag("isError", value)?),
            "status" => options.status = Some(status(value)?),
            "error" => options.error = Some(error_meta(value)?),
            "meta" => options.meta = Some(Json::from(value)),
            name => return Err(arguments.unknown(name)),
        }
    }
    envelope(blocks, options)
}

fn error_from(arguments: &Arguments<'_>) -> Result<Envelope, Error> {
    let mut message = None;
    let mut options = ErrorOptions::default();
    for (name, value) in arguments.given() {
        match name.as_ref() {
            "message" => message = Some(text("message", value)?),
            "transient" => options.transient = flag("transient", value)?,
            "trace" => options.trace = lines(value)?,
            "meta" => options.meta = Some(Json::from(value)),
            name => return Err(arguments.unknown(name)),
        }
    }
    let message = message.ok_or_else(|| argument("/message", "`message` is missing"))?;
    error(&message, options)
}

fn error_meta(value: Node<'_>) -> Result<ErrorMeta, Error> {
    let raw = value.raw();
    let text = format!(r#"{{"_meta":{{"computer.jp/error":{raw}}},"content":[]}}"#);
    let meta = Envelope::from_json(&text)?.meta;
    let error = meta.and_then(|meta| meta.error);
    error.ok_or_else(|| argument("/error", "`error` is not an object"))
}

/// A `bad_argument` error.
fn argument(pointer: &str, message: &str) -> Error {
    Error::new(Code::BadArgument, pointer, None, message)
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
    let found = brief(value.raw(), 40);
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
        self.raw(name, &toolwire::json::string(value));
    }
}

#[cfg(test)]
mod tests {
    use toolwire::block::Annotations;
    use toolwire::build::{ResourceOptions, resource, resource_from_bytes};

    use super::*;

    fn none<T: Default>() -> T {
        T::default()
    }

    fn refused<T: std::fmt::Debug>(result: Result<T, Error>, pointer: &str) {
        let error = result.expect_err(pointer);
        let found = (error.code(), error.pointer());
        assert_eq!(found, (Code::BadArgument, pointer), "{error}");
    }

    #[test]
    fn text_agrees_with_the_functions() {
        let options = ResourceOptions {
            mime_type: Some("a/b".into()),
            name: Some("n".into()),
            title: Some("t".into()),
            description: Some("d".into()),
            formatted: Some("f".into()),
            meta: Some(Json::new(r#"{"k":1.0}"#).unwrap()),
            annotations: Some(Annotations {
                priority: Some(1.0),
                ..none()
            }),
        };
        let rest = r#""mimeType":"a/b","name":"n","title":"t","description":"d","formatted":"f","meta":{"k":1},"annotations":{"priority":1}"#;
        let typed = resource("a:b", "x", options.clone()).unwrap().to_json();
        let built = from_json(
            "resource",
            &format!(r#"{{"uri":"a:b","text":"x",{rest}}}"#),
            None,
        )
        .unwrap();
        assert_eq!(built, typed);
        let typed = resource("a:b", &b"x"[..], options.clone())
            .unwrap()
            .to_json();
        let built = from_json(
            "resource",
            &format!(r#"{{"uri":"a:b",{rest}}}"#),
            Some(b"x"),
        )
        .unwrap();
        assert_eq!(built, typed);
        let typed = resource_from_bytes("/x", b"x", options).unwrap().to_json();
        let built = from_json(
            "resource_from_bytes",
            &format!(r#"{{"path":"/x",{rest}}}"#),
            Some(b"x"),
        )
        .unwrap();
        assert_eq!(built, typed);

        let typed = error(
            "m",
            ErrorOptions {
                trace: vec!["a".into()],
                ..none()
            },
        )
        .unwrap()
        .to_json();
        let built = from_json(
            "error",
            r#"{"message":"m","trace":["a"],"transient":false,"meta":null}"#,
            None,
        );
        assert_eq!(built.unwrap(), typed);
        let built = from_json(
            "envelope",
            r#"{"content":[{"type":"text","text":""}],"structuredContent":null,"isError":true,"error":{"transient":true},"status":"stopped","meta":{"a":1}}"#,
            None,
        );
        assert_eq!(
            built.unwrap(),
            r#"{"_meta":{"a":1,"computer.jp/error":{"transient":true},"computer.jp/status":"stopped"},"content":[{"text":"","type":"text"}],"isError":true,"structuredContent":null}"#
        );
        let asked = from_json(
            "question",
            r#"{"id":"q","text":"?","schema":{},"default":null}"#,
            None,
        );
        assert_eq!(
            asked.unwrap(),
            r#"{"question":{"default":null,"id":"q","schema":{},"text":"?"},"type":"question"}"#
        );
    }

    #[test]
    fn the_wrong_argument_is_named() {
        for (kind, arguments, pointer) in [
            ("text", r#"{}"#, "/text"),
            ("text", r#"{"text":null}"#, "/text"),
            ("text", r#"{"text":"","txt":1}"#, "/txt"),
            ("text", r#"{"text":"","a/b":1}"#, "/a~1b"),
            (
                "text",
                r#"{"text":"","annotations":{"audience":["cat"]}}"#,
                "/annotations/audience/0",
            ),
            ("text", r#"[]"#, ""),
            ("text", r#"{"text":NaN}"#, ""),
            ("video", r#"{}"#, ""),
            ("image", r#"{"mimeType":"a/b"}"#, "/data"),
            ("image", r#"{"mimeType":"a/b","data":"a"}"#, "/data"),
            ("resource", r#"{"uri":"a:b"}"#, ""),
            ("resource", r#"{"uri":"a:b","text":"","blob":""}"#, ""),
            ("resource_from_bytes", r#"{"path":"/a"}"#, "/bytes"),
            ("resource_from_bytes", r#"{"path":1}"#, "/path"),
            ("question", r#"{"id":"q","text":"?"}"#, "/schema"),
            ("envelope", r#"{"content":{}}"#, "/content"),
            ("envelope", r#"{"status":"odd"}"#, "/status"),
            ("envelope", r#"{"isError":1}"#, "/isError"),
            ("envelope", r#"{"error":[]}"#, "/error"),
            ("envelope", r#"{"error":{"trace":[1]}}"#, "/error/trace/0"),
            ("error", r#"{}"#, "/message"),
            ("error", r#"{"message":"","trace":["a",1]}"#, "/trace/1"),
        ] {
            refused(from_json(kind, arguments, None), pointer);
        }
        refused(from_json("text", r#"{"text":""}"#, Some(b"")), "/bytes");
        refused(
            from_json("image", r#"{"data":"","mimeType":"a/b"}"#, Some(b"")),
            "/bytes",
        );
    }

    #[test]
    fn a_refusal_says_what_is_expected_and_never_that_something_is_ignored() {
        for (kind, arguments, message) in [
            (
                "text",
                r#"{"text":5}"#,
                "`text` is a string, not the number `5`",
            ),
            (
                "resource",
                r#"{"uri":"a:b","text":"","name":true}"#,
                "`name` is a string, not `true`",
            ),
            (
                "text",
                r#"{"text":"","annotations":{"priority":2}}"#,
                "`priority` is a number from 0 to 1, not the number `2`",
            ),
            (
                "text",
                r#"{"text":"","annotations":{"lastModified":"now"}}"#,
                "`lastModified` is a date and time, not the string `\"now\"`: write it like \
                 `2025-01-12T15:00:58Z`",
            ),
            (
                "text",
                r#"{"text":"","annotations":{"last_modified":"now"}}"#,
                "`annotations` has no `last_modified`, only `audience`, `priority` and \
                 `lastModified`; the name of an extension holds a `/` or a `.`",
            ),
            (
                "text",
                r#"{"text":"","meta":[]}"#,
                "`meta` is an object, not an array",
            ),
            (
                "image",
                r#"{"data":"","mimeType":"png"}"#,
                "`mimeType` is a type and a subtype, such as `text/rust`, not `png`",
            ),
        ] {
            let error = from_json(kind, arguments, None).unwrap_err();
            assert_eq!(error.message(), message);
        }
    }
}

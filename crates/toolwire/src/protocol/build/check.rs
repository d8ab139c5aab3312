//! The check that every built block and envelope goes through: the reader reads it, and what it
//! would warn about becomes an error at the argument that it came from (API-4, API-11).

use crate::base::json::{Document, Kind, Node, brief, pointer};
use crate::protocol::envelope::typed::{Typed, written};
use crate::protocol::read::IGNORED;
use crate::{
    Code, Diagnostic, Envelope, EnvelopeMeta, Error, Json, Limits, Parsed, Severity, parse,
};

/// A `bad_argument` error.
pub(super) fn argument(pointer: &str, message: &str) -> Error {
    Error::new(Code::BadArgument, pointer, None, message)
}

/// The block, if it reads as valid.
pub(super) fn checked_block<T: Typed>(block: T) -> Result<T, Error> {
    check_block(&written(&block))?;
    Ok(block)
}

/// Checks the JSON text of a block that is made of arguments.
pub(crate) fn check_block(text: &str) -> Result<(), Error> {
    let envelope = format!("{{\"content\":[{text}]}}");
    let parsed = parse(envelope.as_bytes(), &Limits::default());
    if let Some(warning) = first_warning(&parsed) {
        return Err(refusal(&warning, block_argument(&warning.pointer)));
    }
    let Some(block) = parsed.blocks().next() else {
        return Ok(());
    };
    check_annotations(block.node())?;
    match block.mime_type() {
        Some(mime) if !is_media_type(&mime) => Err(argument(
            "/mimeType",
            &format!(
                "`mimeType` is a type and a subtype, such as `text/rust`, not `{}`",
                brief(&mime, 40).escape_debug()
            ),
        )),
        _ => Ok(()),
    }
}

/// API-20: a reader takes an unknown annotation for one of a later version, so that a misspelt one
/// would have no effect and nobody would know.
fn check_annotations(block: Node<'_>) -> Result<(), Error> {
    let unknown = block.get("annotations").and_then(|annotations| {
        annotations
            .members()
            .map(|(name, _)| name)
            .find(|name| !ANNOTATIONS.contains(&name.as_ref()) && !name.contains(['/', '.']))
    });
    let Some(name) = unknown else { return Ok(()) };
    let message = format!(
        "`annotations` has no `{}`, only `audience`, `priority` and `lastModified`; the name of an \
         extension holds a `/` or a `.`",
        brief(&name, 40).escape_debug()
    );
    let pointer = pointer::join("/annotations", &name);
    Err(argument(&pointer, &message))
}

const ANNOTATIONS: [&str; 3] = ["audience", "priority", "lastModified"];

/// API-21: two names of RFC 6838 with a `/` between them, and maybe parameters.
fn is_media_type(text: &str) -> bool {
    let (essence, parameters) = match text.split_once(';') {
        Some((essence, parameters)) => (essence.trim_end_matches(' '), parameters),
        None => (text, ""),
    };
    let names = essence.split_once('/');
    names.is_some_and(|(kind, subtype)| is_restricted_name(kind) && is_restricted_name(subtype))
        && parameters.bytes().all(|byte| (0x20..0x7F).contains(&byte))
}

/// A `restricted-name` of RFC 6838, section 4.2.
fn is_restricted_name(name: &str) -> bool {
    name.len() <= 127
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
}

/// A member of the envelope, and the argument that it is written from.
pub(crate) type Argument = (&'static str, &'static str);
pub(super) const STATUS: Argument = ("/_meta/computer.jp~1status", "/status");
pub(super) const ERROR: Argument = ("/_meta/computer.jp~1error", "/error");

/// The envelope, if it reads as valid.
pub(crate) fn checked_envelope(envelope: Envelope, given: &[Argument]) -> Result<Envelope, Error> {
    let text = written(&envelope);
    match first_warning(&parse(text.as_bytes(), &Limits::default())) {
        None => Ok(envelope),
        Some(warning) => {
            let pointer = if warning.code == Code::QuestionNotWaiting {
                "/_meta/computer.jp~1status"
            } else {
                &warning.pointer
            };
            Err(refusal(&warning, envelope_argument(pointer, given)))
        }
    }
}

/// What a reader with the usual limits said first, notes aside. An integer past 2^53 is written with
/// all its digits, and is nothing to refuse (API-11).
fn first_warning(parsed: &Parsed<'_>) -> Option<Diagnostic> {
    parsed
        .diagnostics()
        .iter()
        .find(|found| found.severity != Severity::Note && found.code != Code::BigInteger)
        .cloned()
}

fn refusal(warning: &Diagnostic, pointer: String) -> Error {
    // Nothing is ignored here, and where the message says what was expected, there is no more to say.
    let message = warning.message.trim_end_matches(IGNORED);
    let message = match warning.code {
        Code::WrongType
        | Code::IgnoredField
        | Code::OutOfRange
        | Code::BadRole
        | Code::BadStatus => message.to_owned(),
        code => format!("{message}: {}", code.help()),
    };
    // The member has another name than the argument that it is written from.
    argument(&pointer, &message.replacen("`_meta`", "`meta`", 1))
}

/// The argument of a builder that a place inside of its block came from.
fn block_argument(pointer: &str) -> String {
    let place = pointer.strip_prefix("/content/0").unwrap_or(pointer);
    let inner = ["/resource", "/question"]
        .iter()
        .find_map(|object| place.strip_prefix(object));
    meta_argument(inner.unwrap_or(place))
}

/// The argument of `envelope` that a place inside of it came from.
fn envelope_argument(pointer: &str, given: &[Argument]) -> String {
    for (member, name) in given {
        if let Some(rest) = pointer.strip_prefix(member) {
            return format!("{name}{rest}");
        }
    }
    meta_argument(pointer)
}

fn meta_argument(place: &str) -> String {
    place
        .strip_prefix("/_meta")
        .map_or_else(|| place.to_owned(), |rest| format!("/meta{rest}"))
}

/// An argument that must be an object, as plain data.
pub(super) fn object<T: Typed>(json: &Json, pointer: &str) -> Result<T, Error> {
    let document = Document::new(json.as_str())?;
    let object = Some(document.root()).filter(|root| root.kind() == Kind::Object);
    object
        .and_then(T::read)
        .ok_or_else(|| argument(pointer, &format!("`{}` is not an object", &pointer[1..])))
}

/// Puts an argument into `_meta`, unless the argument `meta` has put something there (API-16).
pub(super) fn with<T>(
    meta: &mut EnvelopeMeta,
    name: &str,
    value: Option<T>,
    field: fn(&mut EnvelopeMeta) -> &mut Option<T>,
) -> Result<(), Error> {
    let Some(value) = value else { return Ok(()) };
    if field(meta).is_some() || meta.extra.contains_key(name) {
        let message =
            format!("`meta` holds `{name}`, which another argument writes: give one of them");
        return Err(argument(&pointer::join("/meta", name), &message));
    }
    *field(meta) = Some(value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_media_type;

    #[test]
    fn a_media_type_is_two_names_and_maybe_parameters() {
        for good in [
            "a/b",
            "text/x-rust",
            "application/vnd.api+json",
            "3gpp/1!#$&-^_.+",
            "text/plain;charset=utf-8",
            "text/plain ; charset=\"a b\"",
            "text/plain;",
        ] {
            assert!(is_media_type(good), "{good}");
        }
        let long = format!("a/{}", "b".repeat(128));
        for bad in [
            "",
            "rust",
            "/",
            "a/",
            "/b",
            "a/b/c",
            "a b/c",
            " a/b",
            "a/b ",
            "*/*",
            "-a/b",
            "a/b,c/d",
            "a/\u{e9}",
            "a/b;\n",
            "a/b;\u{e9}",
            "a;/b",
            &long,
        ] {
            assert!(!is_media_type(bad), "{bad}");
        }
        for mime in ["/a.rs", "/a.png", "/a.svg", "/a.docx"] {
            assert!(
                is_media_type(crate::mime::from_path(mime).unwrap()),
                "{mime}"
            );
        }
    }
}

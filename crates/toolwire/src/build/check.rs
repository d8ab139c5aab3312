//! The check that every built block and envelope goes through: the reader reads it, and what it
//! would warn about becomes an error at the argument that it came from (API-4, API-11).

use crate::block::Block;
use crate::json::{Kind, read_text};
use crate::typed::{Typed, written};
use crate::{Code, Diagnostic, Envelope, EnvelopeMeta, Error, Json, Limits, Severity, parse};

/// A `bad_argument` error.
pub(super) fn argument(pointer: &str, message: &str) -> Error {
    Error::new(Code::BadArgument, pointer, None, message)
}

/// The block, if it reads as valid.
pub(super) fn checked_block(block: Block) -> Result<Block, Error> {
    check_block(&written(&block))?;
    Ok(block)
}

/// Checks the JSON text of a block.
pub(super) fn check_block(text: &str) -> Result<(), Error> {
    match first_warning(&format!("{{\"content\":[{text}]}}")) {
        None => Ok(()),
        Some(warning) => Err(refusal(&warning, block_argument(&warning.pointer))),
    }
}

/// Which members of `_meta` came from arguments of their own.
#[derive(Clone, Copy)]
pub(super) struct Given {
    pub status: bool,
    pub error: bool,
}

/// The envelope, if it reads as valid.
pub(super) fn checked_envelope(envelope: Envelope, given: Given) -> Result<Envelope, Error> {
    match first_warning(&written(&envelope)) {
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

/// What a reader with the usual limits would say first, notes aside.
fn first_warning(text: &str) -> Option<Diagnostic> {
    let parsed = parse(text.as_bytes(), &Limits::default());
    parsed
        .diagnostics()
        .iter()
        .find(|found| found.severity != Severity::Note)
        .cloned()
}

fn refusal(warning: &Diagnostic, pointer: String) -> Error {
    argument(
        &pointer,
        &format!("{}: {}", warning.message, warning.code.help()),
    )
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
fn envelope_argument(pointer: &str, given: Given) -> String {
    for (member, name, given) in [
        ("/_meta/computer.jp~1status", "/status", given.status),
        ("/_meta/computer.jp~1error", "/error", given.error),
    ] {
        if given && let Some(rest) = pointer.strip_prefix(member) {
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
    let document = read_text(json.as_str())?;
    let root = document.root();
    let read = if root.kind() == Kind::Object {
        T::read(root)
    } else {
        None
    };
    read.ok_or_else(|| argument(pointer, &format!("`{}` is not an object", &pointer[1..])))
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
        return Err(argument(
            &format!("/meta/{}", name.replace('/', "~1")),
            &message,
        ));
    }
    *field(meta) = Some(value);
    Ok(())
}

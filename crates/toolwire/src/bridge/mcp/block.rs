//! One block: what MCP has of it, and what moves into the patch (MCP-5 to MCP-8).

use super::patch::{Mapping, Member, NO_MEMBER, TOO_DEEP, can_move};
use super::{Fate, Revision};
use crate::BlockKind;
use crate::base::json::{Kind, Node, ObjectWriter, string};
use crate::protocol::read::base64::{Form, decode, encode, form};
use crate::protocol::read::{is_priority, is_role, is_size, is_timestamp};

/// A block that a reader delivers, as a block of MCP.
pub(super) fn block(
    mapping: &mut Mapping,
    block: Node<'_>,
    kind: BlockKind,
    revision: Revision,
    at: &str,
) -> String {
    if kind == BlockKind::Question {
        return stand_in(mapping, block, at);
    }
    let mut out = mapping.copy(block, at, |mapping, name, value, place| {
        match (name, kind) {
            ("annotations", _) => Member::Absent,
            ("resource", BlockKind::Resource) => Member::As(resource(mapping, value, place)),
            ("data", BlockKind::Image | BlockKind::Audio) => {
                Member::As(base64(mapping, value, place.to_owned()))
            }
            ("uri", BlockKind::ResourceLink) => Member::As(uri(mapping, value, at)),
            ("type", _)
            | ("text", BlockKind::Text)
            | ("mimeType", BlockKind::Image | BlockKind::Audio)
            | ("name", BlockKind::ResourceLink) => Member::Same,
            ("_meta", _) => Member::if_fits(value.kind() == Kind::Object),
            ("title" | "description" | "mimeType", BlockKind::ResourceLink) => {
                Member::if_fits(value.kind() == Kind::String)
            }
            ("size", BlockKind::ResourceLink) => Member::if_fits(is_size(value)),
            ("icons", BlockKind::ResourceLink) => {
                Member::if_fits(revision.has_icons() && is_icons(value))
            }
            _ => Member::Moved,
        }
    });
    let inside = block
        .get("resource")
        .filter(|_| kind == BlockKind::Resource);
    let inside = inside.and_then(|inside| inside.get("annotations"));
    out.optional_json("annotations", annotations(mapping, block, inside, at));
    out.end()
}

/// A text block that stands for a question, which no result of MCP can hold (MCP-8).
fn stand_in(mapping: &mut Mapping, block: Node<'_>, at: &str) -> String {
    let text = block
        .get("question")
        .and_then(|question| question.get("text"));
    let mut out = ObjectWriter::new();
    out.text("type", "text");
    out.json("text", text.map_or("\"\"", |text| text.raw()));
    // What is for the user alone is so as a text, too; the whole block is reported and comes back.
    let kept = annotations(&mut Mapping::default(), block, None, at);
    out.optional_json("annotations", kept);
    let reason = "a result of MCP holds no question: its text stands in its place";
    match can_move(block) {
        true => mapping.replaces(at.to_owned(), block, reason),
        false => mapping.report.add(at, Fate::Approximated, TOO_DEEP),
    }
    out.end()
}

fn resource(mapping: &mut Mapping, resource: Node<'_>, at: &str) -> String {
    let rule = |mapping: &mut Mapping, name: &str, value: Node<'_>, place: &str| match name {
        "uri" => Member::As(uri(mapping, value, at)),
        "blob" => Member::As(base64(mapping, value, place.to_owned())),
        "text" => Member::Same,
        "mimeType" => Member::if_fits(value.kind() == Kind::String),
        "_meta" => Member::if_fits(value.kind() == Kind::Object),
        _ => Member::Moved,
    };
    mapping.copy(resource, at, rule).end()
}

/// A URI has to be absolute: a reference gets a scheme that tells what it is.
fn uri(mapping: &mut Mapping, uri: Node<'_>, at: &str) -> String {
    let text = uri.as_str().unwrap_or_default();
    if has_scheme(&text) {
        return uri.raw().to_owned();
    }
    let reason = "a URI of MCP is absolute: it has the scheme `toolwire` there";
    mapping.moves(format!("{at}/uri"), uri, reason);
    string(&format!("{RELATIVE}{text}"))
}

fn base64(mapping: &mut Mapping, data: Node<'_>, at: String) -> String {
    let text = data.as_str().unwrap_or_default();
    match (form(text.as_bytes()), decode(text.as_bytes())) {
        (Form::Variant, Some(bytes)) => {
            let reason = "the same bytes in the one form of base64 that clients of MCP take";
            mapping.report.add(at, Fate::Approximated, reason);
            string(&encode(&bytes))
        }
        _ => data.raw().to_owned(),
    }
}

/// The annotations of a block: its own, and those of its resource that it lacks (ENV-21, MCP-6).
fn annotations<'a>(
    mapping: &mut Mapping,
    block: Node<'a>,
    inside: Option<Node<'a>>,
    at: &str,
) -> Option<String> {
    let at = format!("{at}/annotations");
    let own = block.get("annotations");
    let fits = |name: &str, value: Node<'_>| {
        let mut known = ANNOTATIONS.iter();
        known.any(|annotation| annotation.name == name && (annotation.is_taken)(value))
    };
    let kept = own.and_then(|own| mapping.object(own, &at, fits, NO_MEMBER));
    let of = |node: Option<Node<'a>>, name: &str| node.and_then(|node| node.get(name));
    let inside = inside.filter(|inside| can_move(*inside));
    let lifted = ANNOTATIONS.iter().filter_map(|annotation| {
        let value = of(inside, annotation.name).filter(|value| (annotation.is_taken)(*value))?;
        let has_own = of(own, annotation.name).is_some_and(annotation.is_read);
        (!has_own).then_some((annotation.name, value))
    });
    let lifted: Vec<_> = lifted.collect();
    match (&kept, own) {
        // A value of its own that MCP can't have comes back in place of the lifted one.
        (Some(_), Some(own)) => {
            for (name, _) in lifted.iter().filter(|(name, _)| own.get(name).is_none()) {
                mapping.removes(&format!("{at}/{name}"));
            }
        }
        // What comes back as a whole replaces all of it.
        (None, Some(_)) => {}
        (_, None) if lifted.is_empty() => return None,
        (_, None) => mapping.removes(&at),
    }
    let mut out = kept.or_else(|| (!lifted.is_empty()).then(ObjectWriter::new))?;
    for (name, value) in lifted {
        out.json(name, value.raw());
    }
    Some(out.end())
}

/// What a relative reference begins with where MCP has a URI.
const RELATIVE: &str = "toolwire:";

fn has_scheme(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else {
        return false;
    };
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(fits)
}

/// One of the annotations that MCP has.
struct Annotation {
    name: &'static str,
    /// A reader does not ignore this value (ENV-20).
    is_read: fn(Node<'_>) -> bool,
    /// All clients of MCP take it.
    is_taken: fn(Node<'_>) -> bool,
}

const ANNOTATIONS: [Annotation; 3] = [
    Annotation {
        name: "audience",
        is_read: is_audience,
        is_taken: is_audience,
    },
    Annotation {
        name: "priority",
        is_read: is_priority,
        is_taken: is_priority,
    },
    Annotation {
        name: "lastModified",
        is_read: |node| {
            node.as_str()
                .is_some_and(|text| is_timestamp(text.as_bytes()))
        },
        is_taken: |node| node.as_str().is_some_and(|text| is_moment(&text)),
    },
];

fn is_audience(node: Node<'_>) -> bool {
    node.kind() == Kind::Array && node.elements().all(is_role)
}

/// A timestamp with a day that there is, no leap second and capital letters: some clients take no other.
fn is_moment(text: &str) -> bool {
    if !is_timestamp(text.as_bytes()) || text.contains(['t', 'z']) {
        return false;
    }
    let number = |from: usize, to: usize| text.get(from..to).and_then(|part| part.parse().ok());
    let (Some(year), Some(month), Some(day), Some(second)) =
        (number(0, 4), number(5, 7), number(8, 10), number(17, 19))
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days: u16 = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    day <= days && second <= 59
}

/// Whether a value is a list of icons as MCP has them, without anything that clients would strip.
pub(super) fn is_icons(node: Node<'_>) -> bool {
    let text = |node: Node<'_>| node.kind() == Kind::String;
    let is_icon = |icon: Node<'_>| {
        icon.get("src").is_some_and(text)
            && icon.members().all(|(name, value)| match name.as_ref() {
                "src" | "mimeType" => text(value),
                "sizes" => value.kind() == Kind::Array && value.elements().all(text),
                "theme" => value.is_str("light") || value.is_str("dark"),
                _ => false,
            })
    };
    node.kind() == Kind::Array && node.elements().all(is_icon)
}

//! One block: what MCP has of it, and what moves into its `_meta` (MCP-5 to MCP-9).

use super::dialect::Dialect;
use super::keys::{self, Fields};
use super::{Fate, LossReport};
use crate::BlockKind;
use crate::json::{Kind, Node, ObjectWriter, array, pointer, string};
use crate::read::base64::{Form, decode, form};
use crate::read::{is_priority, is_role, is_size, is_timestamp};

/// Maps the parts of one envelope, and says what became of them.
pub(super) struct Mapper {
    pub dialect: &'static Dialect,
    pub report: LossReport,
}

/// What was read of a `_meta`.
#[derive(Default)]
pub(super) struct Meta {
    /// The members that stay.
    pub kept: Fields,
    /// There was an object.
    pub is_there: bool,
}

const NO_MEMBER: &str = "MCP has no such member here";
const NOT_TAKEN: &str = "clients of MCP refuse a result with such a value";
pub(super) const OWN_NAME: &str = "the name is one of the mapping's own";

impl Mapper {
    pub(super) fn new(dialect: &'static Dialect) -> Self {
        let report = LossReport::default();
        Mapper { dialect, report }
    }

    /// Moves a member, or drops what is nested too deep for that.
    pub(super) fn moves(
        &mut self,
        moved: &mut Fields,
        place: &str,
        name: &str,
        value: Node<'_>,
        reason: &str,
    ) {
        let pointer = pointer::join(place, name);
        if keys::can_move(value) {
            moved.json(name, value.raw());
            self.report.add(pointer, Fate::Moved, reason);
        } else {
            self.report.add(pointer, Fate::Dropped, keys::TOO_DEEP);
        }
    }

    /// Keeps a member where it fits, and moves it otherwise.
    fn keeps(
        &mut self,
        fits: bool,
        (kept, moved): (&mut Fields, &mut Fields),
        place: &str,
        name: &str,
        value: Node<'_>,
    ) {
        if fits {
            kept.json(name, value.raw());
        } else {
            self.moves(moved, place, name, value, NOT_TAKEN);
        }
    }

    /// A block that a reader delivers, as a block of MCP.
    pub(super) fn block(&mut self, block: Node<'_>, kind: BlockKind, place: &str) -> String {
        if kind == BlockKind::Question {
            return self.stand_in(block, place);
        }
        let (mut kept, mut moved) = (Fields::default(), Fields::default());
        let mut meta = Meta::default();
        let mut inside = None;
        for (name, value) in block.members() {
            let name = name.as_ref();
            let both = (&mut kept, &mut moved);
            let text = value.kind() == Kind::String;
            match (name, kind) {
                ("type", _) | ("text", BlockKind::Text) => kept.json(name, value.raw()),
                ("annotations", _) => {}
                ("_meta", _) => meta = self.meta(value, place, &mut moved),
                ("resource", BlockKind::Resource) => {
                    inside = value.get("annotations");
                    self.resource(value, place, both);
                }
                ("data", BlockKind::Image | BlockKind::Audio) => {
                    let data = self.base64(value, format!("{place}/data"));
                    kept.json(name, data);
                }
                ("mimeType", BlockKind::Image | BlockKind::Audio) => kept.json(name, value.raw()),
                ("uri", BlockKind::ResourceLink) => self.uri(value, place, both),
                ("name", BlockKind::ResourceLink) => kept.json(name, value.raw()),
                ("title" | "description" | "mimeType", BlockKind::ResourceLink) => {
                    self.keeps(text, both, place, name, value);
                }
                ("size", BlockKind::ResourceLink) => {
                    self.keeps(is_size(value), both, place, name, value);
                }
                ("icons", BlockKind::ResourceLink) if self.dialect.icons => {
                    self.keeps(is_icons(value), both, place, name, value);
                }
                _ => self.moves(&mut moved, place, name, value, NO_MEMBER),
            }
        }
        let own = block.get("annotations");
        let lifted = self.annotations((own, inside), place, (&mut kept, &mut moved));
        let mut ours = Fields::default();
        if !lifted.is_empty() {
            let names = array(lifted.into_iter().map(string));
            ours.json(keys::LIFTED, names);
        }
        if let Some(meta) = meta.write(moved, ours) {
            kept.json("_meta", meta);
        }
        kept.end()
    }

    /// A text block that stands for a question, which no result of MCP can hold (MCP-8).
    fn stand_in(&mut self, block: Node<'_>, place: &str) -> String {
        let mut kept = Fields::default();
        kept.json("type", string("text"));
        let text = block
            .get("question")
            .and_then(|question| question.get("text"));
        kept.json("text", text.map_or("\"\"", |text| text.raw()));
        // What is for the user alone is so as a text, too; a report says it once, of the whole block.
        let mut quiet = Mapper::new(self.dialect);
        let annotations = (block.get("annotations"), None);
        quiet.annotations(annotations, place, (&mut kept, &mut Fields::default()));
        if keys::can_move(block) {
            let meta = ObjectWriter::new().json(keys::BLOCK, block.raw()).end();
            kept.json("_meta", meta);
            let reason = "a result of MCP holds no question: its text stands in its place";
            self.report.add(place.to_owned(), Fate::Moved, reason);
        } else {
            self.report
                .add(place.to_owned(), Fate::Approximated, keys::TOO_DEEP);
        }
        kept.end()
    }

    fn resource(
        &mut self,
        resource: Node<'_>,
        place: &str,
        (kept, moved): (&mut Fields, &mut Fields),
    ) {
        let place = &format!("{place}/resource");
        let (mut inner, mut away) = (Fields::default(), Fields::default());
        for (name, value) in resource.members() {
            let name = name.as_ref();
            let both = (&mut inner, &mut away);
            match name {
                "text" => inner.json(name, value.raw()),
                "uri" => self.uri(value, place, both),
                "blob" => {
                    let blob = self.base64(value, format!("{place}/blob"));
                    inner.json(name, blob);
                }
                "mimeType" => {
                    let fits = value.kind() == Kind::String;
                    self.keeps(fits, both, place, name, value);
                }
                "_meta" => {
                    let fits = value.kind() == Kind::Object;
                    self.keeps(fits, both, place, name, value);
                }
                _ => self.moves(&mut away, place, name, value, NO_MEMBER),
            }
        }
        kept.json("resource", inner.end());
        if let Some(away) = away.some() {
            moved.json("resource", away);
        }
    }

    /// A URI has to be absolute: a reference gets a scheme that tells what it is.
    fn uri(&mut self, uri: Node<'_>, place: &str, (kept, moved): (&mut Fields, &mut Fields)) {
        let text = uri.as_str().unwrap_or_default();
        if has_scheme(&text) {
            kept.json("uri", uri.raw());
        } else {
            kept.json("uri", string(&format!("{RELATIVE}{text}")));
            let reason = "a URI of MCP is absolute: it has the scheme `toolwire` there";
            self.moves(moved, place, "uri", uri, reason);
        }
    }

    fn base64(&mut self, data: Node<'_>, pointer: String) -> String {
        let text = data.as_str().unwrap_or_default();
        match (form(text.as_bytes()), decode(text.as_bytes())) {
            (Form::Variant, Some(bytes)) => {
                let reason = "the same bytes in the one form of base64 that clients of MCP take";
                self.report.add(pointer, Fate::Approximated, reason);
                string(&crate::read::base64::encode(&bytes))
            }
            _ => data.raw().to_owned(),
        }
    }

    /// The annotations of a block: its own, and those of its resource that it lacks (ENV-21). Gives the
    /// names of the latter.
    fn annotations(
        &mut self,
        (own, inside): (Option<Node<'_>>, Option<Node<'_>>),
        place: &str,
        (kept, moved): (&mut Fields, &mut Fields),
    ) -> Vec<&'static str> {
        let (mut stay, mut away) = (Fields::default(), Fields::default());
        let is_object = |node: &Node<'_>| node.kind() == Kind::Object;
        if let Some(own) = own.filter(|own| !is_object(own)) {
            self.moves(moved, place, "annotations", own, NOT_TAKEN);
        }
        let own = own.filter(is_object);
        let inner_place = format!("{place}/annotations");
        for (name, value) in own.into_iter().flat_map(|own| own.members()) {
            let name = name.as_ref();
            match ANNOTATIONS
                .iter()
                .find(|annotation| annotation.name == name)
            {
                Some(annotation) => {
                    let both = (&mut stay, &mut away);
                    let taken = (annotation.is_taken)(value);
                    self.keeps(taken, both, &inner_place, name, value);
                }
                None => self.moves(&mut away, &inner_place, name, value, NO_MEMBER),
            }
        }
        let mut lifted = Vec::new();
        let inside = inside.filter(|inside| keys::can_move(*inside));
        for annotation in &ANNOTATIONS {
            let Some(value) = inside.and_then(|inside| inside.get(annotation.name)) else {
                continue;
            };
            let own = own.and_then(|own| own.get(annotation.name));
            let own = own.is_some_and(annotation.is_read);
            if !own && (annotation.is_taken)(value) {
                stay.json(annotation.name, value.raw());
                lifted.push(annotation.name);
            }
        }
        // An empty object comes back as one.
        let was_empty = own.is_some_and(|own| own.is_empty());
        if was_empty && !lifted.is_empty() {
            moved.json("annotations", "{}");
        } else if let Some(away) = away.some() {
            moved.json("annotations", away);
        }
        if !stay.is_empty() || was_empty {
            kept.json("annotations", stay.end());
        }
        lifted
    }

    /// Sorts a `_meta` into what stays and what has a name of the mapping's own.
    pub(super) fn meta(&mut self, meta: Node<'_>, place: &str, moved: &mut Fields) -> Meta {
        if meta.kind() != Kind::Object {
            self.moves(moved, place, "_meta", meta, NOT_TAKEN);
            return Meta::default();
        }
        let (mut kept, mut own) = (Fields::default(), Fields::default());
        let inner_place = format!("{place}/_meta");
        for (name, value) in meta.members() {
            if keys::is_own(&name) {
                self.moves(&mut own, &inner_place, &name, value, OWN_NAME);
            } else {
                kept.json(&name, value.raw());
            }
        }
        if let Some(own) = own.some() {
            moved.json("_meta", own);
        }
        Meta {
            kept,
            is_there: true,
        }
    }
}

impl Meta {
    /// The `_meta` to write, where there is one: what stays, what was moved, and what else is ours.
    pub(super) fn write(mut self, mut moved: Fields, mut ours: Fields) -> Option<String> {
        // An empty object that gets members comes back as one.
        let fills = !moved.is_empty() || !ours.is_empty();
        if self.is_there && self.kept.is_empty() && fills && !moved.has("_meta") {
            moved.json("_meta", "{}");
        }
        if let Some(moved) = moved.some() {
            ours.json(keys::MEMBERS, moved);
        }
        self.kept.append(ours);
        if self.is_there {
            return Some(self.kept.end());
        }
        self.kept.some()
    }
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

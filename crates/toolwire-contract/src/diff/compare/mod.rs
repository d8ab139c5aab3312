//! The changes from one schema of a tool to another, place by place (28.6).

mod judge;
mod members;
mod remarks;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use toolwire::Json;
use toolwire::json::pointer;

use super::alternatives::{Type, is_opaque};
use super::dialect::Dialect;
use super::graph::{Id, Keyword, Node, is_remark};
use super::pair::{Pair, Side};
use super::say;
use super::value::Value;
use super::words::{Change, Containment, DiffOptions, Verdict, What, Witness};

pub(super) use remarks::new_words;

/// Which of a tool's schemas is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// What callers send has to be allowed still.
    Input,
    /// What comes back has to be what callers knew.
    Output,
}

impl Direction {
    pub(super) fn base(self) -> &'static str {
        match self {
            Direction::Input => "/inputSchema",
            Direction::Output => "/outputSchema",
        }
    }
}

/// Compares two schemas of a tool, and adds what has changed.
pub(super) fn compare(
    tool: &str,
    direction: Direction,
    old: &Json,
    new: &Json,
    options: &DiffOptions,
    changes: &mut Vec<Change>,
) {
    if super::is_same(Some(old), Some(new)) {
        return;
    }
    let closed = !options.open;
    let (sub, sup) = match direction {
        Direction::Input => (old, new),
        Direction::Output => (new, old),
    };
    let side = |schema| Side { schema, closed };
    let change = |what, verdict, why: &str| {
        let mut change = say::change(tool, direction.base(), what, verdict, direction);
        change.message = format!("{}: {why}", change.message);
        change
    };
    let mut pair = match Pair::new(side(sub), side(sup), options.budget) {
        // Arguments and results are objects.
        Ok(pair) => pair.of_objects(),
        Err(reason) => {
            // Of schemas with one normal form, at most words differ.
            if !super::is_same_schema(old, new) {
                changes.push(change(What::Schema, Verdict::Unknown, &reason));
            }
            changes.extend(remarks::literal_words(tool, direction, old, new));
            return;
        }
    };
    let whole = match super::is_same_schema(old, new) {
        true => Containment::Contained,
        false => pair.answer(),
    };
    // What callers knew as it was written, if the results are not those of before.
    let (literally, literal) = match (direction, &whole) {
        (Direction::Output, Containment::Witness(_) | Containment::Unknown(_)) if closed => {
            pair.literal_answer()
        }
        _ => (whole.clone(), None),
    };
    let literal = literal.map(|root| pair.engine.graph.places_of(root));
    let (olds, news) = match direction {
        Direction::Input => ((pair.sub, pair.sub_dialect), (pair.sup, pair.sup_dialect)),
        Direction::Output => ((pair.sup, pair.sup_dialect), (pair.sub, pair.sub_dialect)),
    };
    let mut walk = Walk {
        tool,
        direction,
        contained: whole == Containment::Contained,
        harmless: literally == Containment::Contained,
        literal: literal.unwrap_or_default(),
        old_dialect: olds.1,
        new_dialect: news.1,
        old_document: document(old),
        new_document: document(new),
        pair,
        frames: Vec::new(),
        seen: BTreeSet::new(),
        closed: HashMap::new(),
        renames: Vec::new(),
        told: BTreeSet::new(),
        told_gone: BTreeSet::new(),
        changes: Vec::new(),
    };
    walk.schemas((olds.0, ""), (news.0, ""));
    walk.words(olds.0, news.0);
    let worst = walk
        .changes
        .iter()
        .filter(|change| !is_word(change.what))
        .map(|change| change.verdict)
        .max();
    let worst = worst.unwrap_or(Verdict::Same);
    let told = |verdict| say::change(tool, direction.base(), What::Schema, verdict, direction);
    match literally {
        _ if walk.contained => {}
        Containment::Contained if worst < Verdict::Behaviour => {
            walk.changes.push(told(Verdict::Behaviour));
        }
        Containment::Witness(value) if worst < Verdict::Breaking => {
            let mut whole = told(Verdict::Breaking);
            whole.witness = Some(direction.witness(value));
            walk.changes.push(whole);
        }
        Containment::Unknown(reason) if worst < Verdict::Unknown => {
            walk.changes
                .push(change(What::Schema, Verdict::Unknown, &reason));
        }
        _ => {}
    }
    let mut found = walk.changes;
    if olds.1 != news.1 {
        let verdict = if walk.contained {
            Verdict::Compatible
        } else {
            Verdict::Behaviour
        };
        let place = format!("{}/$schema", direction.base());
        let mut dialect = say::change(tool, &place, What::Schema, verdict, direction);
        dialect.message = "the schema is written in another dialect of JSON Schema".to_owned();
        if verdict != Verdict::Compatible {
            dialect.advice = "read the schema by the rules of that dialect".to_owned();
        }
        (dialect.old, dialect.new) = (old.at("/$schema"), new.at("/$schema"));
        found.push(dialect);
    }
    if found.is_empty() && !super::is_same_schema(old, new) {
        // It is written in another way that no place shows.
        found.push(say::change(
            tool,
            direction.base(),
            What::Schema,
            Verdict::Compatible,
            direction,
        ));
    }
    changes.append(&mut found);
}

/// A schema as it was given. One that can't be read has no verdict anyway.
fn document(schema: &Json) -> Value {
    Value::read(schema).unwrap_or(Value::Null)
}

/// Whether a change is one of words, which no proof is about.
fn is_word(what: What) -> bool {
    matches!(
        what,
        What::Title | What::Description | What::Remark | What::Default | What::Access
    )
}

impl Direction {
    fn witness(self, value: Json) -> Witness {
        match self {
            Direction::Input => Witness::Arguments(value),
            Direction::Output => Witness::Result(value),
        }
    }
}

/// How a value is reached in the one that it is a part of.
#[derive(Debug, Clone)]
enum Step {
    Member(String),
    Element(usize),
    /// It is the same value.
    Here,
}

struct Walk<'a> {
    tool: &'a str,
    direction: Direction,
    /// Whether the whole is proven, so that no change can be more than compatible.
    contained: bool,
    /// Whether it is proven that what callers knew, as it was written, allows all results.
    harmless: bool,
    /// What callers knew as it was written, by place.
    literal: HashMap<String, Id>,
    old_dialect: Dialect,
    new_dialect: Dialect,
    old_document: Value,
    new_document: Value,
    pair: Pair,
    /// From the root to here: the schema whose values are asked about, and the way on.
    frames: Vec<(Id, Step)>,
    seen: BTreeSet<(Id, Id)>,
    /// What references lead to, closed where they stand.
    closed: HashMap<Id, Id>,
    /// Parameters that seem to have other names now, with their places.
    renames: Vec<((Id, String), (Id, String))>,
    /// Where changes of words are told, and where words stood whose change is told elsewhere.
    told: BTreeSet<String>,
    told_gone: BTreeSet<String>,
    changes: Vec<Change>,
}

/// A schema and where it stands.
type At<'p> = (Id, &'p str);

/// The keywords that are told of as one change.
const GROUPS: [(What, &[&str]); 9] = [
    (What::Type, &["type"]),
    (What::Values, &["enum", "const"]),
    (
        What::Bounds,
        &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
    ),
    (What::Length, &["minLength", "maxLength"]),
    (What::Pattern, &["pattern"]),
    (What::Format, &["format"]),
    (
        What::Content,
        &["contentEncoding", "contentMediaType", "contentSchema"],
    ),
    (
        What::Items,
        &[
            "minItems",
            "maxItems",
            "uniqueItems",
            "contains",
            "minContains",
            "maxContains",
        ],
    ),
    (
        What::Members,
        &["minProperties", "maxProperties", "propertyNames"],
    ),
];
/// Those in which schemas stand beside this one.
const BESIDE: [&str; 10] = [
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
];

impl Walk<'_> {
    fn schemas(&mut self, old: At<'_>, new: At<'_>) {
        /// How deep places are told one by one.
        const DEEP: usize = 24;
        if self.frames.len() > DEEP {
            return;
        }
        let (old_at, new_at) = (self.followed(old), self.followed(new));
        let (site, other_site) = (old, new);
        let (old, new): (At<'_>, At<'_>) = ((old_at.0, &old_at.1), (new_at.0, &new_at.1));
        self.remarks(site, other_site, old, new);
        if !self.seen.insert((old.0, new.0)) {
            return;
        }
        self.pair.refill();
        let beside = self.differs(&BESIDE, old.0, new.0);
        let mut wholly = false;
        if beside || self.differs(&["type"], old.0, new.0) {
            let (kinds, others) = (self.kinds(old.0), self.kinds(new.0));
            let both = !kinds.is_empty() && !others.is_empty();
            let disjoint = both
                && kinds
                    .iter()
                    .all(|kind| !others.iter().any(|other| other.0 == kind.0));
            let has_members = |id| self.pair.engine.graph.keyword(id, "properties").is_some();
            let moved = beside && has_members(old.0) != has_members(new.0);
            wholly = kinds != others && (disjoint || beside);
            if wholly || moved {
                let what = if wholly {
                    What::Type
                } else {
                    What::Alternatives
                };
                self.leaf(what, &[], old, new);
            }
            if disjoint || moved {
                return;
            }
        }
        for (what, keywords) in GROUPS {
            if !(wholly && what == What::Type) && self.differs(keywords, old.0, new.0) {
                self.leaf(what, keywords, old, new);
            }
        }
        self.unknown_keywords(old, new);
        self.members(old, new);
        self.elements(old, new);
        self.beside(old, new, wholly);
    }

    /// What a schema refers to that says nothing of values but a reference, closed if the schema is.
    fn followed(&mut self, at: At<'_>) -> (Id, String) {
        let graph = &mut self.pair.engine.graph;
        let (mut id, mut place) = (at.0, at.1.to_owned());
        let mut closing = None;
        for _ in 0..100 {
            let Some(keywords) = graph.keywords(id) else {
                break;
            };
            let mut said = keywords
                .iter()
                .filter(|(name, _)| !is_remark(name) && *name != "unevaluatedProperties");
            match (said.next(), said.next()) {
                (Some((name, Keyword::One(target))), None) if name == "$ref" => {
                    closing = closing.or(keywords.get("unevaluatedProperties").cloned());
                    id = *target;
                    place = graph.place(id).unwrap_or(&place).to_owned();
                }
                _ => break,
            }
        }
        if let (Some(closing), Some(keywords)) = (closing, graph.keywords(id).cloned()) {
            let closed = self.closed.entry(id).or_insert_with(|| {
                let mut keywords = keywords;
                keywords.insert("unevaluatedProperties".to_owned(), closing);
                graph.push(Node::Keywords(keywords))
            });
            id = *closed;
        }
        (id, place)
    }

    fn differs(&self, keywords: &[&str], old: Id, new: Id) -> bool {
        keywords
            .iter()
            .any(|name| !self.pair.engine.graph.same_keyword(old, new, name))
    }

    /// The types that a schema allows, and whether its numbers are whole.
    fn kinds(&mut self, id: Id) -> BTreeSet<(Type, bool)> {
        let all = self.pair.engine.all_of(&[id]);
        all.map(|all| all.iter().map(|one| (one.kind, one.integer)).collect())
            .unwrap_or_default()
    }

    fn place(&self, at: At<'_>, keyword: &str) -> String {
        let base = self.direction.base();
        match keyword {
            "" => format!("{base}{}", at.1),
            keyword => pointer::join(&format!("{base}{}", at.1), keyword),
        }
    }

    /// Adds a change, with what stands at its place.
    fn push(&mut self, what: What, place: String, gone: bool, judged: (Verdict, Option<Json>)) {
        let base = self.direction.base().len();
        let mut change = say::change(self.tool, &place, what, judged.0, self.direction);
        change.witness = judged.1.map(|value| self.direction.witness(value));
        let at = place.get(base..).unwrap_or_default();
        let read = |document: &Value| document.at(at).and_then(Value::to_json);
        change.old = read(&self.old_document);
        change.new = if gone { None } else { read(&self.new_document) };
        self.changes.push(change);
    }

    /// A change of a group of keywords; of the whole place if there are none.
    fn leaf(&mut self, what: What, keywords: &[&str], old: At<'_>, new: At<'_>) {
        let (sub, sup) = self.directed(old.0, new.0);
        let sup = if keywords.is_empty() {
            sup
        } else {
            self.hybrid(sub, sup, keywords)
        };
        let judged = self.judge(sub, sup);
        let graph = &self.pair.engine.graph;
        // The one keyword that differs, or the place.
        let mut differing = keywords
            .iter()
            .filter(|name| !graph.same_keyword(old.0, new.0, name));
        let keyword = match (differing.next(), differing.next()) {
            (Some(one), None) => one,
            _ => "",
        };
        let gone = !keyword.is_empty() && graph.keyword(new.0, keyword).is_none();
        let place = self.place(if gone { old } else { new }, keyword);
        let mut change = say::change(self.tool, &place, what, judged.0, self.direction);
        change.witness = judged.1.map(|value| self.direction.witness(value));
        let read = |document: &Value, at: At<'_>| {
            let at = match keyword {
                "" => at.1.to_owned(),
                keyword => pointer::join(at.1, keyword),
            };
            document.at(&at).and_then(Value::to_json)
        };
        change.old = read(&self.old_document, old);
        change.new = if gone {
            None
        } else {
            read(&self.new_document, new)
        };
        say::tell(&mut change);
        self.changes.push(change);
    }

    /// Goes on to a part.
    fn into(&mut self, around: (Id, Id), step: Step, old: (Id, String), new: (Id, String)) {
        let (sub, _) = self.directed(around.0, around.1);
        self.frames.push((sub, step));
        self.schemas((old.0, &old.1), (new.0, &new.1));
        self.frames.pop();
    }

    fn unknown_keywords(&mut self, old: At<'_>, new: At<'_>) {
        let graph = &self.pair.engine.graph;
        let keywords = |id| graph.keywords(id).into_iter().flat_map(BTreeMap::keys);
        let known = |name: &str| {
            GROUPS.iter().any(|(_, all)| all.contains(&name)) || BESIDE.contains(&name)
        };
        let names: BTreeSet<String> = keywords(old.0).chain(keywords(new.0)).cloned().collect();
        for name in names {
            if is_opaque(&name) && !known(&name) && self.differs(&[&name], old.0, new.0) {
                self.leaf(What::Keyword, &[&name], old, new);
            }
        }
    }

    fn elements(&mut self, old: At<'_>, new: At<'_>) {
        let graph = &self.pair.engine.graph;
        let (tuple, other) = (
            graph.many(old.0, "prefixItems").to_vec(),
            graph.many(new.0, "prefixItems").to_vec(),
        );
        let (rest, others) = (graph.one(old.0, "items"), graph.one(new.0, "items"));
        if tuple.len() != other.len() {
            if self.differs(&["prefixItems", "items"], old.0, new.0) {
                self.leaf(What::Items, &["prefixItems", "items"], old, new);
            }
            return;
        }
        for (index, (before, after)) in tuple.iter().zip(&other).enumerate() {
            let at = |dialect, place: &str| {
                pointer::join(
                    &pointer::join(place, spelled("prefixItems", false, dialect)),
                    &index.to_string(),
                )
            };
            let (one, two) = (at(self.old_dialect, old.1), at(self.new_dialect, new.1));
            self.into(
                (old.0, new.0),
                Step::Element(index),
                (*before, one),
                (*after, two),
            );
        }
        match (rest, others) {
            (None, None) => {}
            (Some(before), Some(after)) => {
                let tupled = !tuple.is_empty();
                let one = pointer::join(old.1, spelled("items", tupled, self.old_dialect));
                let two = pointer::join(new.1, spelled("items", tupled, self.new_dialect));
                self.into(
                    (old.0, new.0),
                    Step::Element(tuple.len()),
                    (before, one),
                    (after, two),
                );
            }
            _ => self.leaf(What::Items, &["items"], old, new),
        }
    }

    /// Alternatives: one by one where they can be told apart, else as a whole.
    fn beside(&mut self, old: At<'_>, new: At<'_>, told: bool) {
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let graph = &self.pair.engine.graph;
            let (one, two) = (
                graph.many(old.0, keyword).to_vec(),
                graph.many(new.0, keyword).to_vec(),
            );
            let mut alike = one.len() == two.len();
            for (before, after) in one.iter().zip(&two) {
                let same = self.pair.engine.graph.same(*before, *after);
                alike &= same || self.kinds(*before) == self.kinds(*after);
            }
            if alike {
                for (index, (before, after)) in one.iter().zip(&two).enumerate() {
                    let at = |place: &str| {
                        pointer::join(&pointer::join(place, keyword), &index.to_string())
                    };
                    let (one, two) = (at(old.1), at(new.1));
                    self.into((old.0, new.0), Step::Here, (*before, one), (*after, two));
                }
            } else if !told {
                self.leaf(What::Alternatives, &[keyword], old, new);
            }
        }
        let graph = &self.pair.engine.graph;
        let (one, two) = (graph.one(old.0, "$ref"), graph.one(new.0, "$ref"));
        if one.is_some() != two.is_some() && !told {
            self.leaf(What::Alternatives, &["$ref"], old, new);
        }
        let graph = &self.pair.engine.graph;
        if let (Some(before), Some(after)) = (one, two) {
            let at = |id| graph.place(id).unwrap_or_default().to_owned();
            let (one, two) = (at(before), at(after));
            self.into((old.0, new.0), Step::Here, (before, one), (after, two));
        }
        let others: [&[&str]; 3] = [
            &["not"],
            &["if", "then", "else"],
            &["dependentRequired", "dependentSchemas"],
        ];
        for keywords in others {
            if !told && self.differs(keywords, old.0, new.0) {
                self.leaf(What::Alternatives, keywords, old, new);
            }
        }
    }
}

/// Whether two names look like one.
pub(super) fn is_near(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.to_lowercase().replace(['_', '-'], "");
    let (left, right) = (plain(one), plain(other));
    let longest = left.len().min(right.len()) >= 3;
    left == right
        || longest && (left.contains(&right) || right.contains(&left))
        || toolwire::nearest(one, [other]).is_some()
}

/// The keyword as the dialect of the document has it.
fn spelled(keyword: &'static str, tuple: bool, dialect: Dialect) -> &'static str {
    match (keyword, dialect) {
        (_, Dialect::Draft2020) => keyword,
        ("prefixItems", _) => "items",
        ("items", _) if tuple => "additionalItems",
        (other, _) => other,
    }
}

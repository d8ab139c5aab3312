//! The changes from one schema of a tool to another, place by place (28.6).

use std::collections::BTreeSet;

use serde_json::Value;
use toolwire::Json;
use toolwire::json::pointer;

use crate::fingerprint::normal_schema;

use super::annotations::{self, Spot};
use super::contain::Prover;
use super::dialect::is_annotation;
use super::judge::{Judge, Judged, Step};
use super::lower::DEEP;
use super::pair::{Answer, Pair, SUB, SUP, Side};
use super::say;
use super::types::{Change, DiffOptions, Direction, Verdict, What};
use super::value::{Members, elements, is_same, write};

/// Compares two schemas of a tool, and adds what has changed.
pub(super) fn compare(
    tool: &str,
    direction: Direction,
    old: &Json,
    new: &Json,
    options: &DiffOptions,
    changes: &mut Vec<Change>,
) {
    if is_same(Some(old), Some(new)) {
        return;
    }
    let is_equal = is_same_schema(old, new);
    let unknown = |why: &str| {
        let mut change = say::change(tool, direction.base(), What::Schema, Verdict::Unknown);
        change.message = format!("{}: {why}", change.message);
        change
    };
    let side = |schema, letters| Side::new(schema, !options.open, letters);
    let letters = match direction {
        Direction::Input => [SUB, SUP],
        Direction::Output => [SUP, SUB],
    };
    let sides = side(old, letters[0]).and_then(|old| Ok((old, side(new, letters[1])?)));
    let (before, after) = match sides {
        Ok(sides) => sides,
        Err(reason) => {
            // Of schemas with one normal form, at most annotations differ.
            changes.extend((!is_equal).then(|| unknown(&reason)));
            let (base, none) = (direction.base(), BTreeSet::new());
            changes.extend(annotations::compare(tool, base, (old, new), &[], &none));
            return;
        }
    };
    let pair = match direction {
        Direction::Input => Pair::new(&before, &after, options.budget),
        Direction::Output => Pair::new(&after, &before, options.budget),
    };
    let (judge, whole) = Judge::new(&pair, direction, is_equal, options.budget);
    let prover = pair.prover();
    let mut walk = Walk {
        tool,
        sides: (&before, &after),
        old: &before.literal,
        new: &after.literal,
        why: pair.meter.stopped.get(),
        judge,
        prover: &prover,
        seen: BTreeSet::new(),
        renames: Vec::new(),
        changes: Vec::new(),
    };
    walk.schemas(
        &(&before.literal, String::new()),
        &(&after.literal, String::new()),
        0,
    );
    walk.whole(whole, unknown);
    let whole_of =
        |change: &&Change| matches!(change.what, What::ParameterAdded | What::ParameterRemoved);
    let base = direction.base().len();
    let told = walk
        .changes
        .iter()
        .filter(whole_of)
        .map(|change| change.place[base..].to_owned());
    let renamed = walk
        .renames
        .iter()
        .flat_map(|(one, other)| [one.clone(), other.clone()]);
    let told: BTreeSet<String> = told.chain(renamed).collect();
    let annotations =
        annotations::compare(tool, direction.base(), (old, new), &walk.renames, &told);
    let mut found = walk.changes;
    found.extend(annotations);
    if before.dialect != after.dialect {
        let verdict = match walk.judge.contained {
            true => Verdict::Compatible,
            false => Verdict::Behaviour,
        };
        let place = format!("{}/$schema", direction.base());
        let mut dialect = say::change(tool, &place, What::Schema, verdict);
        dialect.message = "the schema is written in another dialect of JSON Schema".to_owned();
        if verdict != Verdict::Compatible {
            dialect.advice = "read the schema by the rules of that dialect".to_owned();
        }
        (dialect.old, dialect.new) = (old.at("/$schema"), new.at("/$schema"));
        found.push(dialect);
    }
    if found.is_empty() && !is_equal {
        // It is written in another way that no place shows.
        found.push(say::change(
            tool,
            direction.base(),
            What::Schema,
            Verdict::Compatible,
        ));
    }
    changes.append(&mut found);
}

pub(super) struct Walk<'s> {
    tool: &'s str,
    sides: (&'s Side, &'s Side),
    /// The schemas, whose references begin with a letter.
    old: &'s Value,
    new: &'s Value,
    /// Why the whole was given up.
    why: Option<&'static str>,
    pub(super) judge: Judge<'s>,
    pub(super) prover: &'s Prover<'s>,
    seen: BTreeSet<(*const Value, *const Value)>,
    /// Parameters that seem to have other names now.
    pub(super) renames: Vec<(String, String)>,
    changes: Vec<Change>,
}

/// The keywords that are reported as one change.
const GROUPS: [(What, &str); 9] = [
    (What::Type, "type"),
    (What::Values, "enum const"),
    (
        What::Bounds,
        "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
    ),
    (What::Length, "minLength maxLength"),
    (What::Pattern, "pattern"),
    (What::Format, "format"),
    (
        What::Content,
        "contentEncoding contentMediaType contentSchema",
    ),
    (
        What::Items,
        "minItems maxItems uniqueItems contains minContains maxContains",
    ),
    (What::Members, "minProperties maxProperties propertyNames"),
];
/// Those in which schemas stand beside this one.
const BESIDE: &str = "$ref allOf anyOf oneOf not if then else dependentRequired dependentSchemas";
/// Those about the parts of values, which have places of their own.
const PARTS: &str = "additionalProperties items patternProperties prefixItems properties required";

fn words(keywords: &str) -> Vec<&str> {
    keywords.split(' ').collect()
}

impl<'s> Walk<'s> {
    fn schemas(&mut self, old: &Spot<'s>, new: &Spot<'s>, depth: usize) {
        let (old, new) = (&followed(self.old, old), &followed(self.new, new));
        let pair = (std::ptr::from_ref(old.0), std::ptr::from_ref(new.0));
        if depth > DEEP || !self.seen.insert(pair) {
            return;
        }
        let beside = self.differs(&words(BESIDE), old, new);
        let mut wholly = false;
        if beside || self.differs(&["type"], old, new) {
            let kinds = |schema| Judge::kinds(&self.prover.lower, schema);
            let (kinds, others) = (kinds(old.0), kinds(new.0));
            let both = !kinds.is_empty() && !others.is_empty();
            let differ = |kind: &(_, bool)| !others.iter().any(|other| other.0 == kind.0);
            let disjoint = both && kinds.iter().all(differ);
            let has_members = |spot: &Spot<'_>| spot.0.get("properties").is_some();
            let moved = beside && has_members(old) != has_members(new);
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
            let keywords = words(keywords);
            if !(wholly && what == What::Type) && self.differs(&keywords, old, new) {
                self.leaf(what, &keywords, old, new);
            }
        }
        let names = [old, new]
            .into_iter()
            .flat_map(|spot| spot.0.as_object().into_iter().flat_map(|all| all.keys()));
        for name in names.collect::<BTreeSet<_>>() {
            let name = name.as_str();
            let known = GROUPS.iter().map(|(_, all)| *all).chain([BESIDE, PARTS]);
            if !is_annotation(name)
                && !known.flat_map(words).any(|known| known == name)
                && self.differs(&[name], old, new)
            {
                self.leaf(What::Keyword, &[name], old, new);
            }
        }
        self.members(old, new, depth);
        self.elements(old, new, depth);
        self.beside(old, new, wholly, depth);
    }

    pub(super) fn differs(&self, keywords: &[&str], old: &Spot<'s>, new: &Spot<'s>) -> bool {
        keywords
            .iter()
            .any(|name| match (old.0.get(name), new.0.get(name)) {
                (Some(one), Some(other)) => {
                    !self
                        .prover
                        .same_keyword(name, one, other, &mut Vec::new(), 0)
                }
                (one, other) => one.is_some() != other.is_some(),
            })
    }

    /// Adds a change at a place, with the old and the new value there.
    pub(super) fn change(
        &mut self,
        what: What,
        (at, is_gone): (&str, bool),
        judged: Judged,
    ) -> &mut Change {
        let direction = self.judge.direction;
        let place = format!("{}{at}", direction.base());
        let mut change = say::change(self.tool, &place, what, judged.0);
        change.witness = judged.1.map(|value| direction.witness(value));
        let read = |side: &Side| side.document.pointer(at).and_then(write);
        change.old = read(self.sides.0);
        change.new = if is_gone { None } else { read(self.sides.1) };
        self.changes.push(change);
        let last = self.changes.len() - 1;
        &mut self.changes[last]
    }

    /// A change of a group of keywords; of the whole place if there are none.
    pub(super) fn leaf(&mut self, what: What, keywords: &[&str], old: &Spot<'s>, new: &Spot<'s>) {
        let (sub, sup) = self.judge.directed(old.0, new.0);
        let judged = match keywords {
            ["additionalProperties"] => self.rest(old, new),
            keywords => self.judge.place(sub, sup, keywords),
        };
        // The one keyword that differs, or the place.
        let mut differing = keywords
            .iter()
            .filter(|name| self.differs(&[name], old, new));
        let keyword = match (differing.next(), differing.next()) {
            (Some(one), None) => Some(*one),
            _ => None,
        };
        let is_gone = keyword.is_some_and(|keyword| new.0.get(keyword).is_none());
        let at = |spot: &Spot<'s>| match keyword {
            Some(keyword) => pointer::join(&spot.1, keyword),
            None => spot.1.clone(),
        };
        let (one, two) = (at(old), at(new));
        let before = self.sides.0.document.pointer(&one).and_then(write);
        let change = self.change(what, (if is_gone { &one } else { &two }, is_gone), judged);
        change.old = before;
        say::tell(change);
    }

    /// The verdict on members of other names than those that either schema declares.
    fn rest(&mut self, old: &Spot<'s>, new: &Spot<'s>) -> Judged {
        let (sub, sup) = self.judge.directed(old.0, new.0);
        let any = |keyword: &str| {
            let all = [old, new]
                .into_iter()
                .filter_map(|spot| spot.0.get(keyword)?.as_object());
            let names = all.flat_map(|all| all.keys()).cloned();
            let names: Members = names.map(|name| (name, Value::Bool(true))).collect();
            (!names.is_empty()).then(|| (keyword.to_owned(), Value::Object(names)))
        };
        let own = sup.get("additionalProperties").cloned();
        let own = own.map(|own| ("additionalProperties".to_owned(), own));
        let rest = [any("properties"), any("patternProperties"), own]
            .into_iter()
            .flatten();
        let rest = Value::Object(rest.collect());
        let closed = self.judge.pair.sup.closed(&rest);
        self.judge.values(sub, &closed, &rest)
    }

    /// Goes on to a part that both schemas have at the same place.
    pub(super) fn into(
        &mut self,
        (old, new): (&Spot<'s>, &Spot<'s>),
        step: Step,
        place: &str,
        depth: usize,
    ) {
        let inside = |spot: &Spot<'s>| Some((spot.0.pointer(place)?, format!("{}{place}", spot.1)));
        if let (Some(one), Some(other)) = (inside(old), inside(new)) {
            self.enter((old, new), step, &one, &other, depth);
        }
    }

    fn enter(
        &mut self,
        around: (&Spot<'s>, &Spot<'s>),
        step: Step,
        old: &Spot<'s>,
        new: &Spot<'s>,
        depth: usize,
    ) {
        let (sub, _) = self.judge.directed(around.0.0, around.1.0);
        self.judge.frames.push((sub, step));
        self.schemas(old, new, depth + 1);
        self.judge.frames.pop();
    }

    fn elements(&mut self, old: &Spot<'s>, new: &Spot<'s>, depth: usize) {
        let count = |spot: &Spot<'s>| {
            spot.0
                .get("prefixItems")
                .map_or(0, |all| elements(all).len())
        };
        let tuple = count(old);
        if tuple != count(new) {
            if self.differs(&["prefixItems", "items"], old, new) {
                self.leaf(What::Items, &["prefixItems", "items"], old, new);
            }
            return;
        }
        for index in 0..tuple {
            let place = format!("/prefixItems/{index}");
            self.into((old, new), Step::Element(index), &place, depth);
        }
        match old.0.get("items").is_some() == new.0.get("items").is_some() {
            true => self.into((old, new), Step::Element(tuple), "/items", depth),
            false => self.leaf(What::Items, &["items"], old, new),
        }
    }

    /// Alternatives: one by one where they can be told apart, else as a whole.
    fn beside(&mut self, old: &Spot<'s>, new: &Spot<'s>, told: bool, depth: usize) {
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let list = |spot: &Spot<'s>| spot.0.get(keyword).map_or(&[][..], elements);
            let (all, others) = (list(old), list(new));
            let mut pairs = all.iter().zip(others);
            let alike = |(one, other): (&'s Value, &'s Value)| {
                let kinds = |schema| Judge::kinds(&self.prover.lower, schema);
                self.prover.same(one, other, &mut Vec::new(), 0) || kinds(one) == kinds(other)
            };
            if all.len() != others.len() || !pairs.all(alike) {
                if !told {
                    self.leaf(What::Alternatives, &[keyword], old, new);
                }
                continue;
            }
            for index in 0..all.len() {
                let place = format!("/{keyword}/{index}");
                self.into((old, new), Step::Here, &place, depth);
            }
        }
        match (target(self.old, old.0), target(self.new, new.0)) {
            (Some(one), Some(other)) => self.enter((old, new), Step::Here, &one, &other, depth),
            (None, None) => {}
            _ if told => {}
            _ => self.leaf(What::Alternatives, &["$ref"], old, new),
        }
        let others: [&[&str]; 3] = [
            &["not"],
            &["if", "then", "else"],
            &["dependentRequired", "dependentSchemas"],
        ];
        for keywords in others {
            if !told && self.differs(keywords, old, new) {
                self.leaf(What::Alternatives, keywords, old, new);
            }
        }
    }

    /// Adds a change of the whole if the places say less.
    fn whole(&mut self, whole: Answer, unknown: impl Fn(&str) -> Change) {
        let worst = self.changes.iter().map(|change| change.verdict).max();
        let worst = worst.unwrap_or(Verdict::Same);
        let direction = self.judge.direction;
        let told = |verdict| say::change(self.tool, direction.base(), What::Schema, verdict);
        let change = match whole {
            _ if self.judge.contained => return,
            Answer::Contained if worst < Verdict::Behaviour => told(Verdict::Behaviour),
            Answer::Witness(value) if worst < Verdict::Breaking => {
                let mut whole = told(Verdict::Breaking);
                whole.witness = Some(direction.witness(value));
                whole
            }
            Answer::Unknown if worst < Verdict::Unknown => unknown(
                self.why
                    .unwrap_or("neither a proof nor a witness was found"),
            ),
            _ => return,
        };
        self.changes.push(change);
    }
}

/// What a schema refers to.
fn target<'s>(root: &'s Value, schema: &Value) -> Option<Spot<'s>> {
    let place = schema.get("$ref")?.as_str()?.get(1..)?;
    Some((root.pointer(place)?, place.to_owned()))
}

/// What a schema refers to that says nothing of values but a reference.
fn followed<'s>(root: &'s Value, spot: &Spot<'s>) -> Spot<'s> {
    let mut spot = spot.clone();
    for _ in 0..100 {
        let members = spot.0.as_object().into_iter().flatten();
        let says = members.filter(|(name, _)| !is_annotation(name)).count();
        match target(root, spot.0) {
            Some(target) if says == 1 => spot = target,
            _ => break,
        }
    }
    spot
}

/// Whether two schemas have the same normal form (27.3), so that they allow the same.
fn is_same_schema(old: &Json, new: &Json) -> bool {
    let normal = |schema| normal_schema(schema).ok();
    is_same(Some(old), Some(new))
        || normal(old)
            .is_some_and(|old| normal(new).is_some_and(|new| old.as_str() == new.as_str()))
}

//! The changes from one schema of a tool to another, place by place (28.6).

use std::collections::BTreeSet;

use serde_json::Value;
use toolwire::Json;
use toolwire::json::pointer;

use crate::fingerprint::normal_schema;

use super::annotations::{self, Spot};
use super::dialect::{inside, is_annotation};
use super::lower::{DEEP, Prover};
use super::pair::{NEW, OLD, Side, document};
use super::say;
use super::types::{Change, DiffOptions, Direction, Verdict, What};
use super::value::{elements, is_same, write};
use super::verdicts::{Findings, Judged};

/// Compares two schemas of a tool, and adds what has changed.
pub(super) fn compare(
    tool: &str,
    direction: Direction,
    (old, new): (&Json, &Json),
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
    let side = |schema| Side::new(schema, !options.open);
    let sides = side(old).and_then(|old| Ok((old, side(new)?)));
    let sides = sides.map(|(old, new)| (document(&old, &new), old, new));
    let prover = match &sides {
        Ok((document, old, new)) => Prover::new(document, (old, new), options.budget),
        Err(reason) => Err(reason.clone()),
    };
    let (prover, (_, before, after)) = match (&prover, &sides) {
        (Ok(prover), Ok(sides)) => (prover, sides),
        (Err(reason), _) | (_, Err(reason)) => {
            // Of schemas with one normal form, at most annotations differ.
            changes.extend((!is_equal).then(|| unknown(reason)));
            let (base, none) = (direction.base(), BTreeSet::new());
            changes.extend(annotations::compare(tool, base, (old, new), &[], &none));
            return;
        }
    };
    let findings = match is_equal {
        true => Findings::default(),
        false => Findings::new(prover, direction, before.is_closed, options.budget),
    };
    let mut walk = Walk {
        tool,
        direction,
        sides: (before, after),
        findings,
        prover,
        seen: BTreeSet::new(),
        renames: Vec::new(),
        changes: Vec::new(),
    };
    let [one, other] = [OLD, NEW].map(|root| (prover.root(root), String::new()));
    walk.schemas(&one, &other, 0);
    walk.whole(unknown);
    let whole_of =
        |change: &&Change| matches!(change.what, What::ParameterAdded | What::ParameterRemoved);
    let base = direction.base().len();
    let reported = walk.changes.iter().filter(whole_of);
    let reported = reported
        .map(|change| change.place[base..].to_owned())
        .collect();
    let annotations =
        annotations::compare(tool, direction.base(), (old, new), &walk.renames, &reported);
    let mut found = walk.changes;
    found.extend(annotations);
    if before.dialect != after.dialect {
        let verdict = match walk.findings.is_contained() {
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
    pub(super) direction: Direction,
    sides: (&'s Side, &'s Side),
    pub(super) findings: Findings,
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
        let (old, new) = (&self.followed(old), &self.followed(new));
        let pair = (std::ptr::from_ref(old.0), std::ptr::from_ref(new.0));
        if depth > DEEP || !self.seen.insert(pair) {
            return;
        }
        let beside = self.differs(&words(BESIDE), old, new);
        let mut wholly = false;
        if beside || self.differs(&["type"], old, new) {
            let (kinds, others) = (self.prover.kinds(old.0), self.prover.kinds(new.0));
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
        let direction = self.direction;
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
        let judged = self.findings.claim(&self.reached(old, new, keywords));
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

    /// Pointers to some keywords of the schema that has to allow more, or to all of it, and to what they refer to.
    fn reached(&self, old: &Spot<'s>, new: &Spot<'s>, keywords: &[&str]) -> Vec<String> {
        let (schema, at) = self.direction.sup(old, new);
        let mut pointers: Vec<String> = match keywords {
            [] => vec![at.clone()],
            all => all
                .iter()
                .map(|keyword| pointer::join(at, keyword))
                .collect(),
        };
        let is_asked = |step: &String| {
            let keyword = step[1..].split('/').next().unwrap_or_default();
            keywords.is_empty() || keywords.contains(&keyword)
        };
        let mut open: Vec<&Value> = inside(schema)
            .into_iter()
            .filter(|(step, _)| is_asked(step))
            .map(|(_, inner)| inner)
            .collect();
        if keywords.is_empty() || keywords.contains(&"$ref") {
            open.extend(self.target(schema).map(|(target, at)| {
                pointers.push(at);
                target
            }));
        }
        while let Some(schema) = open.pop() {
            open.extend(inside(schema).into_iter().map(|(_, inner)| inner));
            if let Some((target, at)) = self.target(schema)
                && !pointers.contains(&at)
            {
                pointers.push(at);
                open.push(target);
            }
        }
        pointers
    }

    /// Goes on to a part that both schemas have at the same place.
    pub(super) fn into(&mut self, (old, new): (&Spot<'s>, &Spot<'s>), place: &str, depth: usize) {
        let inside = |spot: &Spot<'s>| Some((spot.0.pointer(place)?, format!("{}{place}", spot.1)));
        if let (Some(one), Some(other)) = (inside(old), inside(new)) {
            self.schemas(&one, &other, depth + 1);
        }
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
            self.into((old, new), &place, depth);
        }
        match old.0.get("items").is_some() == new.0.get("items").is_some() {
            true => self.into((old, new), "/items", depth),
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
                let kinds = |schema| self.prover.kinds(schema);
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
                self.into((old, new), &place, depth);
            }
        }
        match (self.target(old.0), self.target(new.0)) {
            (Some(one), Some(other)) => self.schemas(&one, &other, depth + 1),
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
    fn whole(&mut self, unknown: impl Fn(&str) -> Change) {
        let worst = self.changes.iter().map(|change| change.verdict).max();
        let (verdict, witness) = self.findings.rest();
        if verdict <= worst.unwrap_or(Verdict::Same) {
            return;
        }
        let mut change = match verdict {
            Verdict::Unknown => {
                let why = self.findings.why;
                unknown(why.unwrap_or("neither a proof nor a witness was found"))
            }
            verdict => say::change(self.tool, self.direction.base(), What::Schema, verdict),
        };
        change.witness = witness.map(|value| self.direction.witness(value));
        self.changes.push(change);
    }

    /// What a schema refers to.
    fn target(&self, schema: &Value) -> Option<Spot<'s>> {
        let target = self.prover.target(schema.get("$ref")?.as_str()?)?;
        Some((target, self.prover.place(target).to_owned()))
    }

    /// What a schema refers to that says nothing of values but a reference.
    fn followed(&self, spot: &Spot<'s>) -> Spot<'s> {
        let mut spot = spot.clone();
        for _ in 0..100 {
            let members = spot.0.as_object().into_iter().flatten();
            let says = members.filter(|(name, _)| !is_annotation(name)).count();
            match self.target(spot.0) {
                Some(target) if says == 1 => spot = target,
                _ => break,
            }
        }
        spot
    }
}

/// Whether two schemas have the same normal form (27.3), so that they allow the same.
fn is_same_schema(old: &Json, new: &Json) -> bool {
    let normal = |schema| normal_schema(schema).ok();
    is_same(Some(old), Some(new))
        || normal(old)
            .is_some_and(|old| normal(new).is_some_and(|new| old.as_str() == new.as_str()))
}

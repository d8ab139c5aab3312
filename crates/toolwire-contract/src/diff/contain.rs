//! Whether every value of some schemas is one of others: a rule for each keyword (28.4).

use std::cell::RefCell;
use std::collections::HashSet;

use serde_json::{Value, json};

use super::dialect::is_annotation;
use super::holds::{integers, opaque};
use super::lower::{Branch, DEEP, Lower, Name, Type, named};
use super::value::{Decimal, Members, elements};
use crate::fingerprint::{Holds, holds};

/// The greatest number of candidates for a witness that are kept for one schema.
pub(super) const FEW: usize = 40;
/// The greatest number of patterns of names whose combinations are gone through.
const MOST_PATTERNS: usize = 4;

type Key = (Vec<*const Value>, Vec<*const Value>);
type Pair = (*const Value, *const Value);

/// What allows every string: what holds of the name of each member.
fn text() -> &'static Value {
    static TEXT: std::sync::LazyLock<Value> =
        std::sync::LazyLock::new(|| json!({"type": "string"}));
    &TEXT
}

/// Proves that schemas contain each other.
#[derive(Debug)]
pub(super) struct Prover<'a> {
    pub(super) lower: Lower<'a>,
    /// The pairs that are proven or met on the way, in the order of their proofs.
    trail: RefCell<Vec<Key>>,
    known: RefCell<HashSet<Key>>,
}

/// Why it is not proven: values that may be allowed by the one and not by the other.
pub(super) type Candidates = Vec<Value>;

impl<'a> Prover<'a> {
    pub(super) fn new(lower: Lower<'a>) -> Self {
        Prover {
            lower,
            trail: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// Proves that values which all of `sub` allow are allowed by all of `sup`.
    pub(super) fn contain(
        &self,
        sub: &[&'a Value],
        sup: &[&'a Value],
        depth: usize,
    ) -> Result<(), Candidates> {
        if depth > DEEP {
            self.lower.meter.stop("its schemas are nested too deep");
            return Err(Vec::new());
        }
        let same = |other: &&'a Value| {
            sub.iter()
                .any(|one| self.same(one, other, &mut Vec::new(), 0))
        };
        if sup.iter().all(same) {
            return Ok(());
        }
        let place = |all: &[&'a Value]| all.iter().map(|one| std::ptr::from_ref(*one)).collect();
        let key: Key = (place(sub), place(sup));
        if !self.known.borrow_mut().insert(key.clone()) {
            return Ok(());
        }
        let start = self.trail.borrow().len();
        self.trail.borrow_mut().push(key);
        let found = self.each(sub, sup, depth);
        if found.is_err() {
            // What was derived from this pair is proven no more.
            for key in self.trail.borrow_mut().drain(start..) {
                self.known.borrow_mut().remove(&key);
            }
        }
        found
    }

    /// Proves that objects always have a member.
    pub(super) fn contain_required(&self, sub: &'a Value, name: &str) -> Result<(), Candidates> {
        let lower = &self.lower;
        let all = lower.branches(&[sub], false, 0).ok_or_else(Vec::new)?;
        let lacks = |one: &&Branch<'a>| {
            one.types().contains(&Type::Object)
                && !one.required().contains(name)
                && !lower.is_empty(one, Type::Object, 0)
        };
        let mut lacking = all.iter().filter(lacks).peekable();
        if lacking.peek().is_none() {
            return Ok(());
        }
        let objects = lacking.filter_map(|one| lower.object(one, false, 0));
        let without = objects.map(|mut object| {
            object.remove(name);
            Value::Object(object)
        });
        Err(without.collect())
    }

    /// Proves that a member of an object may have the values that it has, in whatever branches.
    pub(super) fn contain_member(
        &self,
        sub: &'a Value,
        sup: &'a Value,
        name: &str,
    ) -> Result<(), Candidates> {
        let all = self.lower.branches(&[sub], false, 0).ok_or_else(Vec::new)?;
        let others = self.lower.branches(&[sup], true, 0).ok_or_else(Vec::new)?;
        let is_object = |one: &&Branch<'a>| one.types().contains(&Type::Object);
        let mut found = Vec::new();
        let mut proven = true;
        for one in all.iter().filter(is_object) {
            for other in others.iter().filter(is_object) {
                proven &= self.is_member_in(one, other, name, 0, &mut found).0;
            }
        }
        if proven { Ok(()) } else { Err(found) }
    }

    /// Proves that each branch is in a branch of the others.
    fn each(&self, sub: &[&'a Value], sup: &[&'a Value], depth: usize) -> Result<(), Candidates> {
        let lower = &self.lower;
        let Some(all) = lower.branches(sub, false, depth) else {
            return Err(Vec::new());
        };
        let Some(others) = lower.branches(sup, true, depth) else {
            return Err(lower.samples(sub, depth));
        };
        let (mut proven, mut found) = (true, Vec::new());
        for one in all.iter() {
            for kind in one.types() {
                let others = others.iter().filter(|other| other.types().contains(&kind));
                let others: Vec<&Branch<'a>> = others.collect();
                if let Some(values) = one.values(kind) {
                    let values = values.into_iter().filter(|value| {
                        (matches!(kind, Type::Array | Type::Object)
                            || lower.holds(value, one, true, depth) != Some(false))
                            && !others.iter().any(|other| {
                                let trusted = self.has_opaque(one, other, kind);
                                lower.holds(value, other, trusted, depth) == Some(true)
                            })
                    });
                    let before = found.len();
                    found.extend(values.cloned());
                    proven &= found.len() == before;
                    continue;
                }
                let mut missed = Vec::new();
                let mut is_within = others.is_empty() && lower.is_empty(one, kind, depth);
                for other in &others {
                    match self.within(one, other, kind, depth) {
                        Ok(()) => {
                            is_within = true;
                            break;
                        }
                        Err(more) => missed.extend(more),
                    }
                }
                if !is_within && !lower.is_empty(one, kind, depth) {
                    proven = false;
                    if others.is_empty() {
                        missed = lower.samples_of(one, kind, depth);
                    }
                    found.extend(missed);
                }
                if lower.meter.stopped.get().is_some() {
                    return Err(found);
                }
            }
        }
        if proven {
            return Ok(());
        }
        let mut seen = HashSet::new();
        found.retain(|value| seen.insert(value.clone()));
        found.truncate(FEW);
        Err(found)
    }

    /// Proves that the values of a type in one branch are in another.
    fn within(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        kind: Type,
        depth: usize,
    ) -> Result<(), Candidates> {
        if !self.lower.meter.step(1) {
            return Err(Vec::new());
        }
        let mut found = Vec::new();
        let listed = other.values(kind).is_some();
        let opaque = self.has_opaque(one, other, kind);
        let ruled = match kind {
            Type::Number => are_numbers_in(one, other),
            Type::Text => are_within(one, other, "minLength", "maxLength"),
            Type::Array => self.are_arrays_in(one, other, depth, &mut found),
            Type::Object => self.are_objects_in(one, other, depth, &mut found),
            Type::Bool | Type::Null => true,
        };
        if !listed && opaque && ruled {
            return Ok(());
        }
        let mut all = self.lower.refused(one, other, kind, depth);
        all.append(&mut found);
        all.extend(self.lower.between(one, other, kind, depth));
        Err(all)
    }

    /// Whether a branch has each keyword of another that no rule is for.
    fn has_opaque(&self, one: &Branch<'a>, other: &Branch<'a>, kind: Type) -> bool {
        let mut parts = other.parts.iter();
        parts.all(|part| opaque(part, kind).all(|keyword| self.has(&one.parts, part, keyword)))
            && other
                .undivided
                .iter()
                .all(|part| self.has(&one.parts, part, "oneOf"))
    }

    /// Whether one of some parts has a keyword with the same value as another part, and so what belongs to it.
    fn has(&self, parts: &[&'a Members], part: &'a Members, keyword: &str) -> bool {
        let group: &[&str] = match keyword {
            "if" => &["if", "then", "else"],
            "contains" => &["contains", "minContains", "maxContains"],
            _ => &[keyword],
        };
        parts.iter().any(|own| {
            group
                .iter()
                .all(|name| match (own.get(*name), part.get(*name)) {
                    (Some(one), Some(other)) => {
                        self.same_keyword(name, one, other, &mut Vec::new(), 0)
                    }
                    (one, other) => one.is_none() && other.is_none(),
                })
        })
    }

    fn are_arrays_in(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        depth: usize,
        found: &mut Candidates,
    ) -> bool {
        let tuple = one.tuple().max(other.tuple());
        let (_, most) = one.limits("minItems", "maxItems");
        let first_missing =
            (0..=tuple).find(|index| self.lower.is_nothing(&one.element(*index), depth));
        let most = most.min(first_missing.map_or(u64::MAX, |index| index as u64));
        let unique =
            |branch: &Branch<'_>| branch.all("uniqueItems").any(|is| *is == Value::Bool(true));
        let mut proven = one.limits("minItems", "maxItems").0
            >= other.limits("minItems", "maxItems").0
            && most <= other.limits("minItems", "maxItems").1
            && (!unique(other) || unique(one) || most <= 1);
        for index in (0..=tuple).take_while(|index| (*index as u64) < most) {
            if let Err(candidates) =
                self.contain(&one.element(index), &other.element(index), depth + 1)
            {
                proven = false;
                for value in candidates {
                    found.extend(self.lower.with_element(one, index, &value, depth));
                }
            }
        }
        proven
    }

    fn are_objects_in(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        depth: usize,
        found: &mut Candidates,
    ) -> bool {
        let lower = &self.lower;
        let required = one.required();
        let mut names = &one.names("properties") | &other.names("properties");
        names.extend(required.iter().chain(&other.required()));
        let mut proven = other.required().is_subset(&required);
        let mut possible = 0;
        for name in names {
            let (is_in, is_possible) = self.is_member_in(one, other, name, depth, found);
            let named = Value::from(name);
            let is_named = other.all("propertyNames").all(|rule| {
                let same = |own: &'a Value| self.same(own, rule, &mut Vec::new(), 0);
                lower.fits(&named, &[rule], depth) == Some(true)
                    || one.all("propertyNames").any(same)
            });
            if is_possible && !is_named {
                let value = Vec::from_iter(lower.value_of(one, name, depth));
                found.extend(lower.with_member(one, name, &value, depth));
            }
            proven &= is_in && (is_named || !is_possible);
            possible += u64::from(is_possible);
        }
        let (is_rest_in, is_closed) = self.is_rest_in(one, other, depth, found);
        let (least, most) = one.limits("minProperties", "maxProperties");
        let most = if is_closed { most.min(possible) } else { most };
        let limits = other.limits("minProperties", "maxProperties");
        let depends = |part: &&'a Members| {
            let has = |needed: &Value| {
                needed
                    .as_str()
                    .is_some_and(|needed| required.contains(needed))
            };
            self.has(&one.parts, part, "dependentRequired")
                || named(part, "dependentRequired").all(|(name, needed)| {
                    elements(needed).iter().all(has)
                        || lower.member(one, &Name::Known(name)).is_none()
                })
        };
        proven
            && is_rest_in
            && least.max(required.len() as u64) >= limits.0
            && most <= limits.1
            && other.parts.iter().all(depends)
    }

    /// Whether a member may have the values that it has, and whether it may be there.
    fn is_member_in(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        name: &str,
        depth: usize,
        found: &mut Candidates,
    ) -> (bool, bool) {
        let values = self.values_in(one, other, &Name::Known(name), depth);
        if let Some(Err(values)) = &values {
            found.extend(self.lower.with_member(one, name, values, depth));
        }
        (!matches!(values, Some(Err(_))), values.is_some())
    }

    /// Proves that members of a name may have the values that they have; `None` if there are no such members.
    fn values_in(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        name: &Name<'_>,
        depth: usize,
    ) -> Option<Result<(), Candidates>> {
        let lower = &self.lower;
        let (ways, is_own) = lower.member(one, name)?;
        let sup = lower.strict_member(other, name, is_own);
        let (mut proven, mut missed) = (None, Vec::new());
        for way in ways.iter().filter(|way| !lower.is_nothing(way, depth)) {
            let contained = match &sup {
                Some(sup) => self.contain(way, sup, depth + 1),
                None => Err(lower.samples(way, depth + 1)),
            };
            proven = Some(proven.unwrap_or(true) && contained.is_ok());
            missed.extend(contained.err().into_iter().flatten());
        }
        proven.map(|proven| if proven { Ok(()) } else { Err(missed) })
    }

    /// Whether members of other names are taken, for each way in which these may match patterns; and whether there
    /// are none.
    fn is_rest_in(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        depth: usize,
        found: &mut Candidates,
    ) -> (bool, bool) {
        let lower = &self.lower;
        let patterns = &one.names("patternProperties") | &other.names("patternProperties");
        if patterns.len() > MOST_PATTERNS {
            return (false, false);
        }
        let (mut proven, mut is_closed) = (true, true);
        for choice in 0..1_u32 << patterns.len() {
            let matching = patterns.iter().enumerate();
            let matching = matching.filter(|(index, _)| choice & 1 << index != 0);
            let matching: Vec<&str> = matching.map(|(_, pattern)| *pattern).collect();
            let values = self.values_in(one, other, &Name::Matching(matching.clone()), depth);
            let Some(values) = values else {
                continue;
            };
            is_closed = false;
            let own: Vec<&'a Value> = one.all("propertyNames").chain([text()]).collect();
            let rules: Vec<&'a Value> = other.all("propertyNames").collect();
            let names = self.contain(&own, &rules, depth + 1);
            proven &= values.is_ok() && names.is_ok();
            for odd in names.err().iter().flatten().filter_map(Value::as_str) {
                let value = Vec::from_iter(lower.value_of(one, odd, depth));
                found.extend(lower.with_member(one, odd, &value, depth));
            }
            let values = values.err().unwrap_or_default();
            for example in lower.names(one, &matching, depth).iter().take(2) {
                let values = &values[..values.len().min(16)];
                found.extend(lower.with_member(one, example, values, depth));
            }
        }
        (proven, is_closed)
    }

    /// Whether two schemas say the same of values, in the same words. The pairs that references led to are `seen`.
    pub(super) fn same(
        &self,
        one: &'a Value,
        other: &'a Value,
        seen: &mut Vec<Pair>,
        depth: usize,
    ) -> bool {
        let (Value::Object(all), Value::Object(others)) = (one, other) else {
            return one == other;
        };
        if std::ptr::eq(one, other) {
            return true;
        }
        if depth > DEEP || !self.lower.meter.step(1) {
            return false;
        }
        let says = |part: &'a Members| part.iter().filter(|(name, _)| !is_annotation(name));
        says(all).count() == says(others).count()
            && says(all).all(|(name, one)| {
                let other = others.get(name);
                other.is_some_and(|other| self.same_keyword(name, one, other, seen, depth + 1))
            })
    }

    pub(super) fn same_keyword(
        &self,
        name: &str,
        one: &'a Value,
        other: &'a Value,
        seen: &mut Vec<Pair>,
        depth: usize,
    ) -> bool {
        let lower = &self.lower;
        match (holds(name), one, other) {
            (_, Value::String(one), Value::String(other)) if name == "$ref" => {
                let (Some(one), Some(other)) = (lower.target(one), lower.target(other)) else {
                    return false;
                };
                let pair = (std::ptr::from_ref(one), std::ptr::from_ref(other));
                seen.contains(&pair) || {
                    seen.push(pair);
                    self.same(one, other, seen, depth)
                }
            }
            (Some(Holds::Schema), ..) => self.same(one, other, seen, depth),
            (Some(Holds::List), Value::Array(all), Value::Array(others)) => {
                let mut pairs = all.iter().zip(others);
                all.len() == others.len()
                    && pairs.all(|(one, other)| self.same(one, other, seen, depth))
            }
            (Some(Holds::Map), Value::Object(all), Value::Object(others)) => {
                let mut pairs = all.iter().zip(others);
                all.len() == others.len()
                    && pairs.all(|((name, one), (own, other))| {
                        name == own && self.same(one, other, seen, depth)
                    })
            }
            _ => one == other,
        }
    }
}

/// Whether the least and the greatest of something are within those of another branch.
fn are_within(one: &Branch<'_>, other: &Branch<'_>, least: &str, most: &str) -> bool {
    let (own, limits) = (one.limits(least, most), other.limits(least, most));
    own.0 >= limits.0 && own.1 <= limits.1
}

fn are_numbers_in(one: &Branch<'_>, other: &Branch<'_>) -> bool {
    let is_in = |upper| match (one.bound(upper), other.bound(upper)) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some((own, open)), Some((bound, excluded))) => {
            own < bound || own == bound && (open || !excluded)
        }
    };
    let whole = one.is_integer().then(|| Decimal::whole(1));
    let divides = |of: Decimal| {
        let mut own = one.multiples().chain(whole);
        own.any(|own| own.is_multiple_of(of))
    };
    let is_of = |format: &str| {
        let own: Vec<&str> = one.all("format").filter_map(Value::as_str).collect();
        let nested = |(least, most): (i128, i128)| {
            let within = |upper, most: i128| {
                let bound = one.bound(upper).filter(|_| one.is_integer());
                bound.is_some_and(|(bound, _)| bound <= Decimal::whole(most))
            };
            let mut ranges = own.iter().filter_map(|own| integers(own));
            ranges.any(|own| least <= own.0 && own.1 <= most)
                || within(true, most) && within(false, -least)
        };
        own.iter()
            .any(|own| *own == format || (*own, format) == ("float", "double"))
            || integers(format).map_or(!matches!(format, "float" | "double"), nested)
    };
    is_in(true)
        && is_in(false)
        && (!other.is_integer() || one.is_integer())
        && other.multiples().all(divides)
        && other.all("format").filter_map(Value::as_str).all(is_of)
}

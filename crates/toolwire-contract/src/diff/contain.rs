//! Whether every value of some schemas is one of others: a rule for each keyword (28.3).

use std::collections::BTreeSet;

use serde_json::Value;
use toolwire::json::pointer::join;

use super::branch::{Branch, Keyword, Type};
use super::dialect::is_annotation;
use super::keywords::{group, is_checked, limits, numbers, opaque};
use super::lower::{DEEP, FEW, Name, Prover};
use super::value::{Members, elements};
use crate::fingerprint::{Holds, holds};

type Pair = (*const Value, *const Value);

/// Where a proof fails: pointers to keywords of the second schema, and values that it may not allow. A member that it
/// does not take has a `+` before its name.
#[derive(Debug, Clone, Default)]
pub(super) struct Failure {
    pub(super) at: Vec<String>,
    pub(super) values: Vec<Value>,
}

impl<'a> Prover<'a> {
    /// Where it can't be proven that values which all of `sub` allow are allowed by all of `sup`; nothing if it is
    /// proven.
    pub(super) fn contain(
        &self,
        sub: &[&'a Value],
        sup: &[&'a Value],
        depth: usize,
    ) -> Vec<Failure> {
        if depth > DEEP {
            self.meter.stop("its schemas are nested too deep");
            return vec![Failure::default()];
        }
        let same = |other: &&'a Value| {
            sub.iter()
                .any(|one| self.same(one, other, &mut Vec::new(), 0))
        };
        if sup.iter().all(same) {
            return Vec::new();
        }
        let place = |all: &[&'a Value]| all.iter().map(|one| std::ptr::from_ref(*one)).collect();
        let key = (place(sub), place(sup));
        if !self.known.borrow_mut().insert(key.clone()) {
            return Vec::new();
        }
        let start = self.trail.borrow().len();
        self.trail.borrow_mut().push(key);
        let mut failures = self.each(sub, sup, depth);
        if failures.is_empty() && self.meter.stopped.get().is_some() {
            failures.push(Failure::default());
        }
        if !failures.is_empty() {
            // What was derived from this pair is proven no more.
            for key in self.trail.borrow_mut().drain(start..) {
                self.known.borrow_mut().remove(&key);
            }
        }
        failures
    }

    /// Proves that each branch is in a branch of the others.
    fn each(&self, sub: &[&'a Value], sup: &[&'a Value], depth: usize) -> Vec<Failure> {
        let Some(all) = self.branches(sub, false, depth) else {
            return vec![Failure::default()];
        };
        let others = self.branches(sup, true, depth);
        let parts = others
            .iter()
            .flat_map(|all| all.iter())
            .flat_map(|one| &one.parts);
        let at: BTreeSet<_> = sup
            .iter()
            .chain(parts)
            .map(|one| self.at(one, "type"))
            .collect();
        let untyped = |values| Failure {
            at: at.iter().cloned().collect(),
            values,
        };
        let Some(others) = &others else {
            return vec![untyped(self.samples(sub, depth))];
        };
        let mut failures = Vec::new();
        for one in all.iter() {
            for kind in one.types() {
                let rivals = others.iter().filter(|other| other.types().contains(&kind));
                let rivals: Vec<&Branch<'a>> = rivals.collect();
                if let Some(values) = one.values(kind) {
                    let values = values.into_iter().filter(|value| self.fits(one, value));
                    failures.extend(values.filter_map(|value| {
                        let unseen = match sup.iter().all(|sup| self.surely(sup, value)) {
                            true => Some(self.unchecked(one, &rivals, kind)?),
                            false => None,
                        };
                        let at = unseen.unwrap_or_else(|| self.refusing(&rivals, value));
                        let failure = untyped(vec![value.clone()]);
                        Some(if at.is_empty() {
                            failure
                        } else {
                            Failure { at, ..failure }
                        })
                    }));
                    continue;
                }
                let found = self.within_any(one, &rivals, kind, depth);
                failures.extend(
                    found.unwrap_or_else(|| vec![untyped(self.samples_of(one, kind, depth))]),
                );
                if self.meter.stopped.get().is_some() {
                    return failures;
                }
            }
        }
        failures
    }

    /// Where the proof fails for the branch that comes closest; `None` if there is no other one.
    fn within_any(
        &self,
        one: &Branch<'a>,
        rivals: &[&Branch<'a>],
        kind: Type,
        depth: usize,
    ) -> Option<Vec<Failure>> {
        let mut best: Option<Vec<Failure>> = None;
        let mut others = Vec::new();
        for other in rivals {
            let found = self.within(one, other, kind, depth);
            if found.is_empty() {
                return Some(found);
            }
            others.extend(
                found
                    .iter()
                    .flat_map(|one| one.values.iter().take(4))
                    .cloned(),
            );
            if best.as_ref().is_none_or(|best| found.len() < best.len()) {
                best = Some(found);
            }
        }
        // What one branch refuses another one may take.
        others.truncate(FEW);
        for failure in best.iter_mut().flatten().filter(|_| rivals.len() > 1) {
            failure.values.extend(others.iter().cloned());
        }
        best
    }

    /// The keywords of some branches that the validator does not know; `None` if one of them has none.
    fn unchecked(
        &self,
        one: &Branch<'a>,
        rivals: &[&Branch<'a>],
        kind: Type,
    ) -> Option<Vec<String>> {
        let mut found = Vec::new();
        for other in rivals {
            let parts = other.parts.iter().copied();
            let keywords = parts.flat_map(|part| opaque(part, kind).map(move |name| (part, name)));
            let unchecked = keywords
                .filter(|(part, name)| !is_checked(part, name, kind) && !self.has(one, part, name));
            let unchecked: Vec<_> = unchecked.map(|(part, name)| self.at(part, name)).collect();
            if unchecked.is_empty() {
                return None;
            }
            found.extend(unchecked);
        }
        Some(found).filter(|found| !found.is_empty())
    }

    /// Proves that the values of a type in one branch are in another.
    fn within(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        kind: Type,
        depth: usize,
    ) -> Vec<Failure> {
        if !self.meter.step(1) {
            return vec![Failure::default()];
        }
        let (mut broken, mut failures) = (Vec::<Keyword<'a>>::new(), Vec::new());
        broken.extend(
            ["enum", "const"]
                .into_iter()
                .flat_map(|keyword| other.with(keyword)),
        );
        for part in other.parts.iter().copied() {
            broken.extend(opaque(part, kind).map(|keyword| (part, keyword)));
        }
        broken.extend(other.undivided.iter().map(|part| (*part, "oneOf")));
        broken.retain(|(part, keyword)| !self.has(one, part, keyword));
        match kind {
            Type::Number => numbers(one, other, &mut broken),
            Type::Text => limits(
                one,
                other,
                ["minLength", "maxLength"],
                (0, u64::MAX),
                &mut broken,
            ),
            Type::Array => self.arrays(one, other, depth, &mut broken, &mut failures),
            Type::Object => self.objects(one, other, depth, &mut broken, &mut failures),
            Type::Bool | Type::Null => {}
        }
        if !broken.is_empty() {
            let values = self.between(one, other, kind, depth);
            failures.extend(broken.into_iter().map(|(part, keyword)| {
                let refused = values
                    .iter()
                    .filter(|value| self.refuses(part, keyword, value));
                Failure {
                    at: vec![self.at(part, keyword)],
                    values: refused.take(FEW).cloned().collect(),
                }
            }));
        }
        failures
    }

    /// The place of a keyword in its document.
    fn at(&self, part: &Value, keyword: &str) -> String {
        join(self.place(part), keyword)
    }

    /// Whether the validator is known to take a value.
    fn surely(&self, schema: &Value, value: &Value) -> bool {
        self.accepts(schema, value) == Some(true)
    }

    /// The keywords of some branches that refuse a value.
    fn refusing(&self, branches: &[&Branch<'a>], value: &Value) -> Vec<String> {
        let parts = branches.iter().flat_map(|branch| &branch.parts);
        let keywords = parts.flat_map(|part| {
            let names = part.as_object().into_iter().flat_map(Members::keys);
            names.map(move |name| (*part, name))
        });
        let refusing = keywords.filter(|(part, name)| self.refuses(part, name, value));
        refusing.map(|(part, name)| self.at(part, name)).collect()
    }

    /// Whether one keyword of a part refuses a value.
    fn refuses(&self, part: &Value, keyword: &str, value: &Value) -> bool {
        let group = group(keyword).iter().copied().chain([keyword]);
        let members = group.filter_map(|name| Some((name.to_owned(), part.get(name)?.clone())));
        self.accepts(&Value::Object(members.collect()), value) == Some(false)
    }

    /// Whether one of the parts of a branch has a keyword with the same value as another part, and so what belongs to
    /// it.
    fn has(&self, branch: &Branch<'a>, part: &'a Value, keyword: &str) -> bool {
        let mut parts = branch.parts.iter();
        parts.any(|own| {
            let mut group = group(keyword).iter().copied().chain([keyword]);
            group.all(|name| match (own.get(name), part.get(name)) {
                (Some(one), Some(other)) => self.same_keyword(name, one, other, &mut Vec::new(), 0),
                (one, other) => one.is_none() && other.is_none(),
            })
        })
    }

    fn arrays(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        depth: usize,
        broken: &mut Vec<Keyword<'a>>,
        failures: &mut Vec<Failure>,
    ) {
        let tuple = one.tuple().max(other.tuple());
        let mut indexes = 0..=tuple;
        let missing = indexes.find(|index| self.is_nothing(&one.element(*index), depth));
        let missing = missing.map_or(u64::MAX, |index| index as u64);
        let most = one.limits("minItems", "maxItems").1.min(missing);
        limits(one, other, ["minItems", "maxItems"], (0, missing), broken);
        if other.is_unique() && !one.is_unique() && most > 1 {
            broken.extend(other.with("uniqueItems"));
        }
        for index in (0..=tuple).take_while(|index| (*index as u64) < most) {
            for mut failure in self.contain(&one.element(index), &other.element(index), depth + 1) {
                failure.values = self.with_element(one, index, &failure.values, depth);
                failures.push(failure);
            }
        }
    }

    fn objects(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        depth: usize,
        broken: &mut Vec<Keyword<'a>>,
        failures: &mut Vec<Failure>,
    ) {
        let (required, needed) = (one.required(), other.required());
        let least = required.len() as u64;
        limits(
            one,
            other,
            ["minProperties", "maxProperties"],
            (least, u64::MAX),
            broken,
        );
        for name in needed.difference(&required) {
            let needs = |part: &&&Value| {
                let names = part.get("required").map_or(&[][..], elements);
                names.iter().any(|needed| needed.as_str() == Some(name))
            };
            let at = other.parts.iter().filter(needs);
            let at = at
                .map(|part| join(&self.at(part, "required"), name))
                .collect();
            let values = self.without_member(one, name, depth);
            failures.push(Failure { at, values });
        }
        let mut names = &one.names("properties") | &other.names("properties");
        names.extend(required.union(&needed));
        for name in names {
            self.members(one, other, (Name::Known(name), &[name]), depth, failures);
        }
        let patterns = one.names("patternProperties");
        let others = other.names("patternProperties");
        // Where more of them match, one of these cases says enough.
        let mut cases: Vec<Vec<&str>> = vec![Vec::new()];
        cases.extend(
            (&patterns | &others)
                .into_iter()
                .map(|pattern| vec![pattern]),
        );
        for pattern in &patterns {
            let others = others.iter().filter(|other| !patterns.contains(*other));
            cases.extend(others.map(|other| vec![*pattern, *other]));
        }
        for case in &cases {
            let examples = self.member_names(one, case, depth);
            let examples: Vec<&str> = examples.iter().map(String::as_str).take(2).collect();
            self.members(
                one,
                other,
                (Name::Matching(case), &examples),
                depth,
                failures,
            );
        }
    }

    /// Proves that members of a name, such as these, may be there and have the values that they have.
    fn members(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        (name, examples): (Name<'_>, &[&str]),
        depth: usize,
        failures: &mut Vec<Failure>,
    ) {
        let Some((schemas, is_own)) = self.member(one, name) else {
            return;
        };
        if self.is_nothing(&schemas, depth) {
            return;
        }
        let with = |values: &[Value]| -> Vec<Value> {
            let all = examples.iter();
            let all = all.flat_map(|name| self.with_member(one, name, values, depth));
            all.take(FEW).collect()
        };
        match self.strict_member(other, name, is_own) {
            Some(others) => {
                for mut failure in self.contain(&schemas, &others, depth + 1) {
                    if let Name::Known(name) = name
                        && !other.names("properties").contains(name)
                    {
                        failure.at = other
                            .parts
                            .iter()
                            .map(|part| self.at(part, &format!("+{name}")))
                            .collect();
                    }
                    failure.values = with(&failure.values);
                    failures.push(failure);
                }
            }
            None => {
                let keyword = match name {
                    Name::Known(name) => format!("+{name}"),
                    Name::Matching(_) => "additionalProperties".to_owned(),
                };
                let parts = other.closures.iter().flat_map(|closure| &closure.own);
                failures.push(Failure {
                    at: parts.map(|part| self.at(part, &keyword)).collect(),
                    values: with(&self.samples(&schemas, depth + 1)),
                });
            }
        }
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
        if depth > DEEP || !self.meter.step(1) {
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
        match (holds(name), one, other) {
            (_, Value::String(one), Value::String(other)) if name == "$ref" => {
                let (Some(one), Some(other)) = (self.target(one), self.target(other)) else {
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

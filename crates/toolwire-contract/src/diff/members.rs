//! Members of objects: which are new, gone, renamed, or have to be there now.

use std::collections::BTreeSet;

use toolwire::Json;
use toolwire::json::pointer;

use super::annotations::Spot;
use super::changes::Walk;
use super::judge::{Judge, Judged, Step};
use super::lower::named;
use super::say;
use super::tools::is_near;
use super::types::What;
use super::value::{Members, Value};

/// The greatest number of pairs of names that are held against each other.
const MOST_PAIRS: usize = 10_000;

/// A member and its name.
type Named<'s> = (&'s str, &'s Value);

impl<'s> Walk<'s> {
    pub(super) fn members(&mut self, old: &Spot<'s>, new: &Spot<'s>, depth: usize) {
        let around = (old, new);
        let all = |spot: &Spot<'s>, keyword: &str| -> Vec<(&'s str, &'s Value)> {
            let all = spot
                .0
                .members()
                .into_iter()
                .flat_map(|part| named(part, keyword));
            all.map(|(name, schema)| (name.as_str(), schema)).collect()
        };
        let at = |spot: &Spot<'s>, keyword: &str, name: &str| {
            pointer::join(&pointer::join(&spot.1, keyword), name)
        };
        let (before, after) = (all(old, "properties"), all(new, "properties"));
        let (needed, needs) = (required(old.0), required(new.0));
        let declared = |spot: &Spot<'s>, own: &[(&'s str, &'s Value)]| -> BTreeSet<&'s str> {
            let parts = Judge::declared(&self.prover.lower, spot.0).into_iter();
            parts.chain(own.iter().map(|(name, _)| *name)).collect()
        };
        let (mine, theirs) = (declared(old, &before), declared(new, &after));
        let alone =
            |all: &[(&'s str, &'s Value)], others: &BTreeSet<&str>| -> Vec<(&'s str, &'s Value)> {
                all.iter()
                    .filter(|(name, _)| !others.contains(name))
                    .copied()
                    .collect()
            };
        let (mut gone, mut come) = (alone(&before, &theirs), alone(&after, &mine));
        for ((from, one), (to, other)) in self.renamed(&gone, &come, (&needed, &needs)) {
            gone.retain(|(name, _)| *name != from);
            come.retain(|(name, _)| *name != to);
            let judged = [self.judged(from, old, new), self.judged(to, old, new)];
            let judged = judged.into_iter().max_by_key(|judged| judged.0);
            let spots = (
                (one, at(old, "properties", from)),
                (other, at(new, "properties", to)),
            );
            if let Some(judged) = judged {
                let change = self.change(What::ParameterRenamed, (&spots.1.1, false), judged);
                (change.old, change.new, change.guess) =
                    (Some(Json::from(from)), Some(Json::from(to)), true);
                say::renamed(change, from, to);
            }
            self.renames.push(spots);
        }
        for (what, all, spot, needed) in [
            (What::ParameterRemoved, gone, old, &needed),
            (What::ParameterAdded, come, new, &needs),
        ] {
            for (name, _) in all {
                let judged = self.judged(name, old, new);
                let is_gone = what == What::ParameterRemoved;
                let change = self.change(what, (&at(spot, "properties", name), is_gone), judged);
                if !is_gone {
                    change.old = None;
                }
                say::tell_member(change, needed.contains(name));
            }
        }
        for (name, one) in &before {
            let Some((_, other)) = after.iter().find(|(own, _)| own == name) else {
                continue;
            };
            self.require(name, old, new);
            let (one, other) = (
                (*one, at(old, "properties", name)),
                (*other, at(new, "properties", name)),
            );
            self.into(around, Step::Member((*name).to_owned()), one, other, depth);
        }
        // What is required without being declared.
        let is_declared = |name: &str| before.iter().chain(&after).any(|(own, _)| *own == name);
        for name in needed.union(&needs).filter(|name| !is_declared(name)) {
            self.require(name, old, new);
        }
        let (patterns, others) = (all(old, "patternProperties"), all(new, "patternProperties"));
        if patterns
            .iter()
            .map(|(name, _)| name)
            .ne(others.iter().map(|(name, _)| name))
        {
            self.leaf(What::Members, &["patternProperties"], old, new);
        } else {
            for ((pattern, one), (_, other)) in patterns.into_iter().zip(others) {
                let name = super::witness::of_pattern(pattern)
                    .into_iter()
                    .next()
                    .unwrap_or_default();
                let at = |spot| at(spot, "patternProperties", pattern);
                self.into(
                    around,
                    Step::Member(name),
                    (one, at(old)),
                    (other, at(new)),
                    depth,
                );
            }
        }
        let rest = |spot: &Spot<'s>| spot.0.get("additionalProperties");
        match (rest(old), rest(new)) {
            (Some(one), Some(other))
                if [one, other].iter().all(|rest| **rest != Value::Bool(false)) =>
            {
                let at = |spot: &Spot<'s>| pointer::join(&spot.1, "additionalProperties");
                self.into(
                    around,
                    Step::Member("other".to_owned()),
                    (one, at(old)),
                    (other, at(new)),
                    depth,
                );
            }
            (one, other) if one == other => {}
            _ => self.leaf(What::Members, &["additionalProperties"], old, new),
        }
    }

    /// The verdict on a member that is new or gone, and on whether it has to be there.
    fn judged(&mut self, name: &str, old: &Spot<'s>, new: &Spot<'s>) -> Judged {
        let (sub, sup) = self.judge.directed(old.0, new.0);
        let member = self.judge.member(name, sub, sup);
        let required = self.judge.requirement(name, sub, sup);
        if required.0 > member.0 {
            required
        } else {
            member
        }
    }

    fn require(&mut self, name: &str, old: &Spot<'s>, new: &Spot<'s>) {
        let [before, now] = [old, new].map(|spot| required(spot.0).contains(name));
        if before == now {
            return;
        }
        let (sub, sup) = self.judge.directed(old.0, new.0);
        let judged = self.judge.requirement(name, sub, sup);
        let what = if now {
            What::ParameterRequired
        } else {
            What::ParameterOptional
        };
        let spot = if now { new } else { old };
        let is_declared = spot
            .0
            .get("properties")
            .and_then(|all| all.get(name))
            .is_some();
        let at = match is_declared {
            true => pointer::join(&pointer::join(&spot.1, "properties"), name),
            false => pointer::join(&spot.1, "required"),
        };
        let change = self.change(what, (&at, false), judged);
        (change.old, change.new) = (Some(Json::from(before)), Some(Json::from(now)));
        if !is_declared {
            say::undeclared(change, name);
        }
    }

    /// Members that seem to have other names now (DIFF-51).
    fn renamed(
        &self,
        gone: &[Named<'s>],
        come: &[Named<'s>],
        (needed, needs): (&BTreeSet<&str>, &BTreeSet<&str>),
    ) -> Vec<(Named<'s>, Named<'s>)> {
        let mut taken = BTreeSet::new();
        let mut found = Vec::new();
        if gone.len() * come.len() > MOST_PAIRS {
            return found;
        }
        let kinds = |schema| Judge::kinds(&self.prover.lower, schema);
        for (from, one) in gone {
            let score = |(to, other): &Named<'s>| {
                let said = one.get("description");
                let described = said.is_some() && said == other.get("description");
                let same = self.prover.same(one, other, &mut Vec::new(), 0);
                let only = gone.len() == 1
                    && come.len() == 1
                    && needed.contains(from)
                    && needs.contains(to);
                match (same, described, is_near(from, to), only) {
                    (true, true, _, _) => Some(4),
                    (true, _, true, _) => Some(3),
                    (true, _, _, true) => Some(2),
                    (_, _, true, _) if kinds(one) == kinds(other) => Some(1),
                    _ => None,
                }
            };
            let left = come.iter().filter(|(to, _)| !taken.contains(to));
            let scored = left.filter_map(|own| Some((score(own)?, own)));
            // Of equal ones, the first.
            if let Some((_, to)) = scored.rev().max_by_key(|(score, _)| *score) {
                taken.insert(to.0);
                found.push(((*from, *one), *to));
            }
        }
        found
    }
}

fn required(schema: &Value) -> BTreeSet<&str> {
    let names = schema
        .members()
        .and_then(|all: &Members| all.get("required"));
    names
        .map_or(&[][..], Value::elements)
        .iter()
        .filter_map(Value::text)
        .collect()
}

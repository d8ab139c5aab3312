//! Members of objects: which are new, gone, renamed, or have to be there now.

use std::collections::BTreeSet;

use serde_json::Value;
use toolwire::Json;
use toolwire::json::pointer;

use super::annotations::Spot;
use super::changes::Walk;
use super::say;
use super::tools::is_near;
use super::types::What;
use super::value::elements;
use super::verdicts::Judged;

/// The greatest number of pairs of names that are held against each other.
const MOST_PAIRS: usize = 10_000;

/// A member and its name.
type Named<'s> = (&'s str, &'s Value);

impl<'s> Walk<'s> {
    pub(super) fn members(&mut self, old: &Spot<'s>, new: &Spot<'s>, depth: usize) {
        let around = (old, new);
        let all = |spot: &Spot<'s>, keyword: &str| -> Vec<(&'s str, &'s Value)> {
            let all = spot.0.get(keyword).and_then(Value::as_object);
            let all = all.into_iter().flatten();
            all.map(|(name, schema)| (name.as_str(), schema)).collect()
        };
        let at = |spot: &Spot<'s>, name: &str| {
            pointer::join(&pointer::join(&spot.1, "properties"), name)
        };
        let (before, after) = (all(old, "properties"), all(new, "properties"));
        let (needed, needs) = (required(old.0), required(new.0));
        let declared = |spot: &Spot<'s>, own: &[(&'s str, &'s Value)]| -> BTreeSet<&'s str> {
            let parts = self.prover.declared_names(spot.0).into_iter();
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
        for ((from, _), (to, _)) in self.renamed(&gone, &come, (&needed, &needs)) {
            gone.retain(|(name, _)| *name != from);
            come.retain(|(name, _)| *name != to);
            let (one, other) = (self.judged(from, old, new), self.judged(to, old, new));
            let judged = if one.0 > other.0 { one } else { other };
            let change = self.change(What::ParameterRenamed, (&at(new, to), false), judged);
            (change.old, change.new) = (Some(Json::from(from)), Some(Json::from(to)));
            change.guess = true;
            say::renamed(change, from, to);
            self.renames.push((at(old, from), at(new, to)));
        }
        for (what, all, spot, needed) in [
            (What::ParameterRemoved, gone, old, &needed),
            (What::ParameterAdded, come, new, &needs),
        ] {
            for (name, _) in all {
                let judged = self.judged(name, old, new);
                let is_gone = what == What::ParameterRemoved;
                let change = self.change(what, (&at(spot, name), is_gone), judged);
                if !is_gone {
                    change.old = None;
                }
                say::tell_member(change, needed.contains(name));
            }
        }
        let has = |spot: &Spot<'s>, name: &str| {
            spot.0
                .get("properties")
                .is_some_and(|all| all.get(name).is_some())
        };
        for (name, _) in before.iter().filter(|(name, _)| has(new, name)) {
            self.require(name, old, new);
            let place = pointer::join("/properties", name);
            self.into(around, &place, depth);
        }
        // What is required without being declared.
        let is_declared = |name: &str| has(old, name) || has(new, name);
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
            for (pattern, _) in patterns {
                let place = pointer::join("/patternProperties", pattern);
                self.into(around, &place, depth);
            }
        }
        let rest = |spot: &Spot<'s>| spot.0.get("additionalProperties");
        let is_open = |spot| rest(spot).is_some_and(|rest| *rest != Value::Bool(false));
        if is_open(old) && is_open(new) {
            self.into(around, "/additionalProperties", depth);
        } else if rest(old) != rest(new) {
            self.leaf(What::Members, &["additionalProperties"], old, new);
        }
    }

    /// The verdict on a member that is new or gone, and on whether it has to be there.
    fn judged(&mut self, name: &str, old: &Spot<'s>, new: &Spot<'s>) -> Judged {
        let (_, at) = self.direction.sup(old, new);
        let parts = ["properties", "required"].map(|part| pointer::join(at, part));
        let [value, needed] = parts.map(|part| pointer::join(&part, name));
        self.findings
            .claim(&[value, needed, pointer::join(at, &format!("+{name}"))])
    }

    fn require(&mut self, name: &str, old: &Spot<'s>, new: &Spot<'s>) {
        let [before, now] = [old, new].map(|spot| required(spot.0).contains(name));
        if before == now {
            return;
        }
        let needed = pointer::join(&self.direction.sup(old, new).1, "required");
        let judged = self.findings.claim(&[pointer::join(&needed, name)]);
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
        let kinds = |schema| self.prover.kinds(schema);
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
    let names = schema.get("required");
    names
        .map_or(&[][..], elements)
        .iter()
        .filter_map(Value::as_str)
        .collect()
}

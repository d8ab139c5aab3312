//! Members of objects: which are new, gone, renamed, or have to be there now.

use std::collections::{BTreeMap, BTreeSet};

use toolwire::Json;
use toolwire::json::pointer;

use super::super::alternatives::Alternative;
use super::super::examples;
use super::super::graph::{FALSE, Id, TRUE};
use super::super::say;
use super::super::words::{Verdict, What};
use super::{At, Step, Walk, is_near};

impl Walk<'_> {
    pub(super) fn members(&mut self, old: At<'_>, new: At<'_>) {
        let graph = &self.pair.engine.graph;
        let named = |id, keyword| graph.named(id, keyword).cloned().unwrap_or_default();
        let (before, after) = (named(old.0, "properties"), named(new.0, "properties"));
        let (needed, needs) = (
            graph.names(old.0, "required"),
            graph.names(new.0, "required"),
        );
        let (patterns, others) = (
            named(old.0, "patternProperties"),
            named(new.0, "patternProperties"),
        );
        let (rest, other) = (
            graph.one(old.0, "additionalProperties"),
            graph.one(new.0, "additionalProperties"),
        );
        let at = |place: &str, keyword: &str, name: &str| {
            pointer::join(&pointer::join(place, keyword), name)
        };
        let (mine, theirs) = (self.declared(old.0), self.declared(new.0));
        let mut gone: Vec<&String> = before
            .keys()
            .filter(|name| !after.contains_key(*name))
            .collect();
        gone.retain(|name| !theirs.contains(*name));
        let mut come: Vec<&String> = after
            .keys()
            .filter(|name| !before.contains_key(*name))
            .collect();
        come.retain(|name| !mine.contains(*name));
        for (from, to) in self.renamed(&before, &after, (&gone, &needed), (&come, &needs)) {
            gone.retain(|name| **name != from);
            come.retain(|name| **name != to);
            let (removed, added) = (self.member(&from, old, new), self.member(&to, old, new));
            let required =
                [&from, &to].map(|name| self.requirement(name, &needed, &needs, old.0, new.0));
            let judged = [removed, added]
                .into_iter()
                .chain(required)
                .max_by_key(|judged| judged.0)
                .unwrap_or((Verdict::Unknown, None));
            let spots = (
                (before[&from], at(old.1, "properties", &from)),
                (after[&to], at(new.1, "properties", &to)),
            );
            self.renames.push(spots);
            let place = self.place((new.0, &at(new.1, "properties", &to)), "");
            let mut change = say::change(
                self.tool,
                &place,
                What::ParameterRenamed,
                judged.0,
                self.direction,
            );
            change.witness = judged.1.map(|value| self.direction.witness(value));
            (change.old, change.new, change.guess) =
                (Some(Json::from(&*from)), Some(Json::from(&*to)), true);
            say::renamed(&mut change, &from, &to);
            self.changes.push(change);
        }
        for name in gone {
            let member = self.member(name, old, new);
            let required = self.requirement(name, &needed, &needs, old.0, new.0);
            let judged = if required.0 > member.0 {
                required
            } else {
                member
            };
            let place = self.place((old.0, &at(old.1, "properties", name)), "");
            self.push(What::ParameterRemoved, place, true, judged);
            self.said(needed.contains(name));
        }
        for name in come {
            let member = self.member(name, old, new);
            let required = self.requirement(name, &needed, &needs, old.0, new.0);
            let judged = if required.0 > member.0 {
                required
            } else {
                member
            };
            let place = self.place((new.0, &at(new.1, "properties", name)), "");
            self.push(What::ParameterAdded, place, false, judged);
            if let Some(change) = self.changes.last_mut() {
                change.old = None;
            }
            self.said(needs.contains(name));
        }
        for (name, one) in &before {
            let Some(two) = after.get(name) else { continue };
            self.require(name, &needed, &needs, old, new);
            let places = (at(old.1, "properties", name), at(new.1, "properties", name));
            self.into(
                (old.0, new.0),
                Step::Member(name.clone()),
                (*one, places.0),
                (*two, places.1),
            );
        }
        // What is required without being declared.
        for name in needed
            .union(&needs)
            .filter(|name| !before.contains_key(*name) && !after.contains_key(*name))
        {
            self.require(name, &needed, &needs, old, new);
        }
        if patterns.keys().ne(others.keys()) {
            self.leaf(What::Members, &["patternProperties"], old, new);
        } else {
            for (pattern, one) in &patterns {
                let name = examples::of_pattern(pattern)
                    .into_iter()
                    .next()
                    .unwrap_or_default();
                let places = (
                    at(old.1, "patternProperties", pattern),
                    at(new.1, "patternProperties", pattern),
                );
                self.into(
                    (old.0, new.0),
                    Step::Member(name),
                    (*one, places.0),
                    (others[pattern], places.1),
                );
            }
        }
        match (rest, other) {
            (Some(one), Some(two)) if one > FALSE && two > FALSE => {
                let at = |place: &str| pointer::join(place, "additionalProperties");
                let (old_at, new_at) = (at(old.1), at(new.1));
                self.into(
                    (old.0, new.0),
                    Step::Member("other".to_owned()),
                    (one, old_at),
                    (two, new_at),
                );
            }
            (one, two)
                if one.unwrap_or(TRUE) == two.unwrap_or(TRUE) && one.is_some() == two.is_some() => {
            }
            _ => self.leaf(What::Members, &["additionalProperties"], old, new),
        }
    }

    /// Says of the last change whether the member has to be there.
    fn said(&mut self, required: bool) {
        if let Some(change) = self.changes.last_mut() {
            say::tell_member(change, required);
        }
    }

    fn require(
        &mut self,
        name: &str,
        needed: &BTreeSet<String>,
        needs: &BTreeSet<String>,
        old: At<'_>,
        new: At<'_>,
    ) {
        let (before, now) = (needed.contains(name), needs.contains(name));
        if before == now {
            return;
        }
        let judged = self.requirement(name, needed, needs, old.0, new.0);
        let what = if now {
            What::ParameterRequired
        } else {
            What::ParameterOptional
        };
        let at = if now { new } else { old };
        let own = self.pair.engine.graph.named(at.0, "properties");
        let is_undeclared = own.is_none_or(|own| !own.contains_key(name));
        let place = match is_undeclared {
            true => pointer::join(at.1, "required"),
            false => pointer::join(&pointer::join(at.1, "properties"), name),
        };
        let place = self.place((at.0, &place), "");
        let mut change = say::change(self.tool, &place, what, judged.0, self.direction);
        change.witness = judged.1.map(|value| self.direction.witness(value));
        (change.old, change.new) = (Some(Json::from(before)), Some(Json::from(now)));
        if is_undeclared {
            say::undeclared(&mut change, name);
        }
        self.changes.push(change);
    }

    /// The members that a schema declares, itself or in a part.
    fn declared(&mut self, id: Id) -> BTreeSet<String> {
        let all = self.pair.engine.all_of(&[id]).unwrap_or_default();
        let names = all.iter().flat_map(Alternative::named);
        names.map(str::to_owned).collect()
    }

    /// Members that seem to have other names now (DIFF-51).
    fn renamed(
        &mut self,
        before: &BTreeMap<String, Id>,
        after: &BTreeMap<String, Id>,
        (gone, needed): (&[&String], &BTreeSet<String>),
        (come, needs): (&[&String], &BTreeSet<String>),
    ) -> Vec<(String, String)> {
        /// The most pairs of names that are held against each other.
        const MOST: usize = 10_000;
        let mut taken = BTreeSet::new();
        let mut found = Vec::new();
        if gone.len() * come.len() > MOST {
            return found;
        }
        for from in gone {
            let mut best: Option<(u8, &String)> = None;
            for to in come.iter().filter(|to| !taken.contains(**to)) {
                let (one, two) = (before[*from], after[*to]);
                let graph = &self.pair.engine.graph;
                let said = |id| graph.value(id, "description").cloned();
                let described = said(one).is_some() && said(one) == said(two);
                let same = graph.same(one, two);
                let near = is_near(from, to);
                let only = gone.len() == 1
                    && come.len() == 1
                    && needed.contains(*from)
                    && needs.contains(*to);
                let score = match (same, described, near, only) {
                    (true, true, _, _) => 4,
                    (true, _, true, _) => 3,
                    (true, _, _, true) => 2,
                    (_, _, true, _) if self.kinds(one) == self.kinds(two) => 1,
                    _ => continue,
                };
                if best.is_none_or(|(before, _)| score > before) {
                    best = Some((score, to));
                }
            }
            if let Some((_, to)) = best {
                taken.insert(to.clone());
                found.push(((*from).clone(), to.clone()));
            }
        }
        found
    }
}

//! The verdict on one place: proven, shown by a value for the whole, or unknown.

use std::collections::BTreeSet;

use toolwire::Json;

use super::super::alternatives::{Alternative, Type};
use super::super::engine::Stop;
use super::super::graph::{Id, Node};
use super::super::value::Value;
use super::super::words::Verdict;
use super::{At, Direction, Step, Walk};

impl Walk<'_> {
    pub(super) fn directed(&self, old: Id, new: Id) -> (Id, Id) {
        match self.direction {
            Direction::Input => (old, new),
            Direction::Output => (new, old),
        }
    }

    /// The one schema with some keywords of the other.
    pub(super) fn hybrid(&mut self, sub: Id, sup: Id, keywords: &[&str]) -> Id {
        let graph = &mut self.pair.engine.graph;
        let mut all = graph.keywords(sub).cloned().unwrap_or_default();
        for name in keywords {
            all.remove(*name);
            all.extend(
                graph
                    .keyword(sup, name)
                    .map(|keyword| ((*name).to_owned(), keyword.clone())),
            );
        }
        graph.push(Node::Keywords(all))
    }

    /// Whether the values of one place are those of another: proven, shown not to be by a value for the
    /// whole, or unknown.
    pub(super) fn judge(&mut self, sub: Id, sup: Id) -> (Verdict, Option<Json>) {
        if self.contained {
            return (Verdict::Compatible, None);
        }
        let is_whole = self
            .frames
            .iter()
            .all(|(_, step)| matches!(step, Step::Here));
        let sub = match is_whole {
            true => self.pair.all_of_sub(sub),
            false => vec![sub],
        };
        self.pair.refill();
        if self.pair.engine.contains(&sub, &[sup]) == Ok(true) {
            return (Verdict::Compatible, None);
        }
        self.pair.refill();
        let witness = self.search(&sub, &[sup]).unwrap_or_default();
        self.weighed(witness, true)
    }

    /// The verdict where a place is not proven to be as it was. A witness is one of results only if what
    /// callers knew refuses it as it was written, too, and because of this place: that a result has a
    /// further member is another behaviour (DIFF-41).
    pub(super) fn weighed(&mut self, witness: Option<Json>, here: bool) -> (Verdict, Option<Json>) {
        let is_result = self.direction == Direction::Output;
        match witness {
            _ if is_result && self.harmless => (Verdict::Behaviour, None),
            None => (Verdict::Unknown, None),
            Some(value) if is_result && !(here && self.pair.literal_refuses(&value)) => {
                (Verdict::Behaviour, None)
            }
            witness => (Verdict::Breaking, witness),
        }
    }

    fn search(&mut self, sub: &[Id], sup: &[Id]) -> Result<Option<Json>, Stop> {
        let candidates = self.pair.engine.candidates(sub, sup, 0)?;
        let mut sure = Vec::new();
        for value in candidates {
            // What is refused here, and not only somewhere else in the whole.
            if self.pair.engine.holds_all(sup, &value, None)? == Some(false) {
                sure.push(value);
            }
        }
        let literal = self.direction == Direction::Output;
        let mut found = None;
        for value in sure.into_iter().take(12) {
            let whole = self.wrapped(vec![value])?;
            if let Some(witness) = self.pair.confirmed(&whole, literal) {
                if !literal || self.pair.literal_refuses(&witness) {
                    return Ok(Some(witness));
                }
                found.get_or_insert(witness);
            }
        }
        Ok(found)
    }

    /// Values for the whole in which these stand here.
    pub(super) fn wrapped(&mut self, mut values: Vec<Value>) -> Result<Vec<Value>, Stop> {
        const FEW: usize = 6;
        for (around, step) in self.frames.clone().into_iter().rev() {
            let mut outer = Vec::new();
            for value in values {
                outer.extend(match &step {
                    Step::Here => vec![value],
                    Step::Member(name) => self.pair.engine.with_member(around, name, &value)?,
                    Step::Element(index) => {
                        self.pair.engine.with_element(around, *index, &value)?
                    }
                });
            }
            values = Vec::new();
            for value in outer {
                if self.pair.engine.holds_all(&[around], &value, None)? != Some(false) {
                    values.push(value);
                }
            }
            values.truncate(FEW);
        }
        Ok(values)
    }

    /// Whether it breaks anything that a member has to be there, or has not.
    pub(super) fn requirement(
        &mut self,
        name: &str,
        needed: &BTreeSet<String>,
        needs: &BTreeSet<String>,
        old: Id,
        new: Id,
    ) -> (Verdict, Option<Json>) {
        let (sub, _) = self.directed(old, new);
        let (mine, theirs) = match self.direction {
            Direction::Input => (needed, needs),
            Direction::Output => (needs, needed),
        };
        if self.contained || !theirs.contains(name) || mine.contains(name) {
            return (Verdict::Compatible, None);
        }
        self.pair.refill();
        match self.without(sub, name).unwrap_or_default() {
            Some(values) if values.is_empty() => (Verdict::Compatible, None),
            Some(values) => {
                let whole = self.wrapped(values).unwrap_or_default();
                let literal = self.direction == Direction::Output;
                let witness = self.pair.confirmed(&whole, literal);
                self.weighed(witness, true)
            }
            None => self.weighed(None, true),
        }
    }

    /// Small objects that a schema allows without a member; nothing if that is not known, and none if it
    /// always has the member.
    fn without(&mut self, id: Id, name: &str) -> Result<Option<Vec<Value>>, Stop> {
        let engine = &mut self.pair.engine;
        let mut found = Vec::new();
        let mut always = true;
        for one in engine.all_of(&[id])?.iter() {
            if one.kind != Type::Object || one.required.contains(name) || engine.is_empty(one, 0)? {
                continue;
            }
            always = false;
            let mut one = one.clone();
            one.forbid(name);
            for value in engine.small_objects(&one, 0)? {
                if engine.holds_all(&[id], &value, None)? != Some(false) {
                    found.push(value);
                }
            }
        }
        Ok((always || !found.is_empty()).then_some(found))
    }

    /// Whether the values that a member may have, if it may be there, are still allowed.
    pub(super) fn member(
        &mut self,
        name: &str,
        old: At<'_>,
        new: At<'_>,
    ) -> (Verdict, Option<Json>) {
        if self.contained {
            return (Verdict::Compatible, None);
        }
        let (sub, sup) = self.directed(old.0, new.0);
        let literal = self.literal.get(old.1).copied();
        self.pair.refill();
        let (Ok(mine), Ok(theirs)) = (self.schemas_of(sub, name), self.schemas_of(sup, name))
        else {
            return (Verdict::Unknown, None);
        };
        let mut verdict = (Verdict::Compatible, None);
        self.frames.push((sub, Step::Member(name.to_owned())));
        for one in &mine {
            for other in &theirs {
                self.pair.refill();
                if matches!(self.pair.engine.allows_nothing(one, 0), Ok(true))
                    || self.pair.engine.contains(one, other) == Ok(true)
                {
                    continue;
                }
                let witness = self.search(one, other).unwrap_or_default();
                let here = witness
                    .as_ref()
                    .is_none_or(|value| self.is_refused_here(value, name, literal));
                let judged = self.weighed(witness, here);
                if judged.0 > verdict.0 {
                    verdict = judged;
                }
            }
        }
        self.frames.pop();
        verdict
    }

    /// Whether a schema as it is written refuses the member that the last step leads to.
    fn is_refused_here(&mut self, value: &Json, name: &str, literal: Option<Id>) -> bool {
        let Some(literal) = literal else {
            return true;
        };
        let (Some(part), Ok(all)) = (self.last_part(value), self.schemas_of(literal, name)) else {
            return true;
        };
        let engine = &mut self.pair.engine;
        all.iter()
            .all(|one| engine.holds_all(one, &part, None) == Ok(Some(false)))
    }

    /// The part of a value for the whole that the last step leads to.
    fn last_part(&self, value: &Json) -> Option<Value> {
        let value = Value::read(value).ok()?;
        let mut part = &value;
        for (_, step) in &self.frames {
            part = match (step, part) {
                (Step::Here, part) => part,
                (Step::Member(name), Value::Object(members)) => members.get(name)?,
                (Step::Element(index), Value::Array(parts)) => parts.get(*index)?,
                _ => return None,
            };
        }
        Some(part.clone())
    }

    /// What holds of a member, in each alternative that is an object.
    fn schemas_of(&mut self, id: Id, name: &str) -> Result<Vec<Vec<Id>>, Stop> {
        let engine = &mut self.pair.engine;
        let all = engine.all_of(&[id])?;
        let objects = all
            .iter()
            .filter(|one: &&Alternative| one.kind == Type::Object);
        Ok(objects
            .map(|one| one.member(name, &mut |pattern| engine.matches(pattern, name)))
            .collect())
    }
}

//! The search for a value that one schema allows and another does not (28.5).
//!
//! Values are built from the schemas themselves: small ones, those at the bounds of either side, and for
//! objects and arrays small ones around a part that shows the difference. What is found is only a
//! candidate; the validator decides.

use std::collections::{BTreeMap, BTreeSet};

use super::alternatives::{Alternative, Type};
use super::engine::{Engine, Stop};
use super::examples;
use super::graph::{FALSE, Id, Keyword, TEXT};
use super::value::{Decimal, Members, Value};

/// The most candidates of one place.
const MOST: usize = 48;
/// The longest text and the most elements that are built.
const LONG: u64 = 20_000;
/// How deep parts are looked at.
const DEEP: usize = 20;
/// The most members of one name space that are looked at.
const NAMES: usize = 200;

impl Engine {
    /// Values that `old` seems to allow and `new` seems not to, the surest first.
    pub(super) fn candidates(
        &mut self,
        old: &[Id],
        new: &[Id],
        depth: usize,
    ) -> Result<Vec<Value>, Stop> {
        self.step(1)?;
        if depth > DEEP || old.contains(&FALSE) || self.contains(old, new)? {
            return Ok(Vec::new());
        }
        let olds = self.all_of(old)?;
        let news = self.all_of(new)?;
        let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
        for one in olds.iter() {
            let rivals: Vec<Alternative> = news
                .iter()
                .filter(|other| other.kind == one.kind)
                .cloned()
                .collect();
            for value in self.values_of(one, &rivals, depth)? {
                if seen.insert(value.clone()) {
                    all.push(value);
                }
            }
            if all.len() > 4 * MOST {
                break;
            }
        }
        let mut sure = Vec::new();
        let mut perhaps = Vec::new();
        for value in all {
            if self.holds_all(old, &value, None)? == Some(false) {
                continue;
            }
            match self.holds_all(new, &value, None)? {
                Some(true) => {}
                Some(false) => sure.push(value),
                None => perhaps.push(value),
            }
            if sure.len() == MOST {
                break;
            }
        }
        sure.extend(perhaps);
        sure.truncate(MOST);
        Ok(sure)
    }

    /// A few small values that all of some schemas seem to allow.
    fn some(&mut self, schemas: &[Id], depth: usize) -> Result<Vec<Value>, Stop> {
        const FEW: usize = 3;
        self.step(1)?;
        if depth > DEEP || schemas.contains(&FALSE) {
            return Ok(Vec::new());
        }
        let key = schemas.to_vec();
        if let Some(known) = self.some.get(&key) {
            return Ok(known.clone());
        }
        // Where a schema needs itself there is none.
        self.some.insert(key.clone(), Vec::new());
        let all = self.all_of(schemas)?;
        let mut found = Vec::new();
        // Plain values first, so that what is built stays small.
        let mut order: Vec<&Alternative> = all.iter().collect();
        order.sort_by_key(|one| match one.kind {
            Type::Text => 0,
            Type::Number => 1,
            Type::Bool => 2,
            Type::Array => 3,
            Type::Object => 4,
            Type::Null => 5,
        });
        for one in order {
            let values = match one.kind {
                Type::Object if one.values.is_none() => self.small_objects(one, depth)?,
                Type::Array if one.values.is_none() => self.small_arrays(one, depth)?,
                _ => self.values_of(one, &[], depth)?,
            };
            for value in values {
                if self.holds_all(schemas, &value, None)? == Some(true) && !found.contains(&value) {
                    found.push(value);
                    if found.len() == FEW {
                        break;
                    }
                }
            }
            if found.len() == FEW {
                break;
            }
        }
        self.some.insert(key, found.clone());
        Ok(found)
    }

    fn values_of(
        &mut self,
        one: &Alternative,
        rivals: &[Alternative],
        depth: usize,
    ) -> Result<Vec<Value>, Stop> {
        self.step(1)?;
        if depth > DEEP {
            return Ok(Vec::new());
        }
        if let Some(values) = &one.values {
            return Ok(values.clone());
        }
        let mut all = self.forbidden(one.kind, rivals, depth)?;
        all.extend(match one.kind {
            Type::Null => vec![Value::Null],
            Type::Bool => vec![Value::Bool(true), Value::Bool(false)],
            Type::Number => numbers(one, rivals),
            Type::Text => self.texts(one, rivals),
            Type::Array => self.arrays(one, rivals, depth)?,
            Type::Object => self.objects(one, rivals, depth)?,
        });
        Ok(all)
    }

    /// A few values of a type that `not` excludes.
    fn forbidden(
        &mut self,
        kind: Type,
        rivals: &[Alternative],
        depth: usize,
    ) -> Result<Vec<Value>, Stop> {
        const FEW: usize = 8;
        let opaque = rivals.iter().flat_map(|rival| &rival.opaque);
        let inner: BTreeSet<Id> = opaque
            .filter(|opaque| opaque.keyword == "not")
            .filter_map(|opaque| self.graph.one(opaque.schema, "not"))
            .collect();
        let mut found = Vec::new();
        for id in inner.into_iter().take(FEW) {
            let all = self.all_of(&[id])?;
            for one in all.iter().filter(|one| one.kind == kind) {
                let values = match (kind, &one.values) {
                    (_, Some(values)) => values.iter().take(FEW).cloned().collect(),
                    (Type::Object, _) => self.small_objects(one, depth + 1)?,
                    (Type::Array, _) => self.small_arrays(one, depth + 1)?,
                    _ => self.values_of(one, &[], depth + 1)?,
                };
                found.extend(values.into_iter().take(FEW));
            }
        }
        Ok(found)
    }

    /// A few names that `propertyNames` allows.
    fn names_of(&mut self, one: &Alternative, depth: usize) -> Result<Vec<String>, Stop> {
        const FEW: usize = 8;
        let mut all = Vec::new();
        for id in one.names.iter().take(FEW) {
            let some = self.some(&[TEXT, *id], depth + 1)?;
            all.extend(some.iter().filter_map(Value::text).map(str::to_owned));
            for part in self.all_of(&[*id])?.iter() {
                let values = part.values.iter().flatten().filter_map(Value::text);
                all.extend(values.take(FEW).map(str::to_owned));
            }
        }
        Ok(all)
    }

    fn texts(&mut self, one: &Alternative, rivals: &[Alternative]) -> Vec<Value> {
        let mut texts: Vec<String> = Vec::new();
        for opaque in one
            .opaque
            .iter()
            .chain(rivals.iter().flat_map(|rival| &rival.opaque))
        {
            if let Some(Keyword::Value(Value::Text(what))) =
                self.graph.keyword(opaque.schema, &opaque.keyword)
            {
                texts.extend(match &*opaque.keyword {
                    "pattern" => examples::of_pattern(what),
                    "format" => examples::of_format(what)
                        .iter()
                        .map(|text| (*text).to_owned())
                        .collect(),
                    _ => Vec::new(),
                });
            }
        }
        texts.extend(["a", "", "0", "A b", "é", "-", "value"].map(str::to_owned));
        for rival in rivals {
            let values = rival.values.iter().flatten().filter_map(Value::text);
            texts.extend(values.map(|text| format!("{text}_")));
        }
        let mut lengths: BTreeSet<u64> = BTreeSet::new();
        for of in rivals.iter().chain([one]) {
            lengths.extend([of.least, of.least.saturating_sub(1)]);
            lengths.extend(
                of.most
                    .into_iter()
                    .flat_map(|most| [most, most.saturating_add(1)]),
            );
        }
        lengths.retain(|length| *length <= LONG);
        let plain: Vec<String> = texts.iter().take(6).cloned().collect();
        for length in lengths {
            let length = length as usize;
            texts.push("a".repeat(length));
            // A text with a pattern may be longer in its last character only.
            for text in &plain {
                if let (Some(last), count) = (text.chars().last(), text.chars().count())
                    && count < length
                {
                    texts.push(format!("{text}{}", last.to_string().repeat(length - count)));
                }
            }
        }
        texts.into_iter().map(Value::Text).collect()
    }

    /// Small arrays with as many elements as are needed.
    fn small_arrays(&mut self, one: &Alternative, depth: usize) -> Result<Vec<Value>, Stop> {
        let mut all = Vec::new();
        let contained = one
            .contains
            .iter()
            .map(|contains| contains.least)
            .max()
            .unwrap_or(0);
        for count in BTreeSet::from([one.least, one.least.max(contained)]) {
            all.extend(self.array(one, count, None, depth)?);
        }
        Ok(all)
    }

    /// An array of so many elements, one of which may be given.
    fn array(
        &mut self,
        one: &Alternative,
        count: u64,
        given: Option<(usize, &Value)>,
        depth: usize,
    ) -> Result<Option<Value>, Stop> {
        if count > LONG {
            return Ok(None);
        }
        let mut parts: Vec<Value> = Vec::new();
        for index in 0..count as usize {
            if let Some((at, value)) = given
                && at == index
            {
                parts.push(value.clone());
                continue;
            }
            self.step(1)?;
            let mut schemas = one.element(index);
            for contains in &one.contains {
                if (index as u64) < contains.least {
                    schemas.push(contains.schema);
                }
            }
            schemas.sort_unstable();
            schemas.dedup();
            let mut some = self.some(&schemas, depth + 1)?;
            if one.unique && some.iter().all(|value| parts.contains(value)) {
                some = self.others(&schemas, index, depth)?;
            }
            let found = some
                .iter()
                .find(|value| !one.unique || !parts.contains(value));
            let Some(found) = found.or(some.first()) else {
                return Ok(None);
            };
            parts.push(found.clone());
        }
        Ok(Some(Value::Array(parts)))
    }

    /// Further values, where elements have to differ.
    fn others(&mut self, schemas: &[Id], index: usize, depth: usize) -> Result<Vec<Value>, Stop> {
        let all = self.all_of(schemas)?;
        let mut values = Vec::new();
        for one in all.iter() {
            values.extend(self.values_of(one, &[], depth + 1)?);
        }
        values.push(Value::Text(format!("a{index}")));
        values.push(Value::Number(Decimal::whole(index as i128)));
        let mut kept = Vec::new();
        for value in values {
            if self.holds_all(schemas, &value, None)? == Some(true) {
                kept.push(value);
            }
        }
        kept.reverse();
        Ok(kept)
    }

    fn arrays(
        &mut self,
        one: &Alternative,
        rivals: &[Alternative],
        depth: usize,
    ) -> Result<Vec<Value>, Stop> {
        let mut all = self.small_arrays(one, depth)?;
        let mut counts: BTreeSet<u64> = BTreeSet::from([one.least, one.least.saturating_add(1)]);
        for of in rivals.iter().chain([one]) {
            counts.extend([
                of.least,
                of.least.saturating_sub(1),
                of.prefix() as u64,
                of.prefix() as u64 + 1,
            ]);
            counts.extend(
                of.most
                    .into_iter()
                    .flat_map(|most| [most, most.saturating_add(1)]),
            );
        }
        for count in counts {
            all.extend(self.array(one, count, None, depth)?);
        }
        for rival in rivals.iter().take(4) {
            for index in 0..=one.prefix().max(rival.prefix()) {
                let parts =
                    self.candidates(&one.element(index), &rival.element(index), depth + 1)?;
                for part in parts.iter().take(8) {
                    let count = one.least.max(index as u64 + 1);
                    all.extend(self.array(one, count, Some((index, part)), depth)?);
                    if !one.unique && rival.unique && index == 0 {
                        all.extend(self.array(one, count.max(2), None, depth)?);
                    }
                }
            }
            if rival.unique && !one.unique {
                for part in self.some(&one.element(one.prefix()), depth + 1)? {
                    let count = one.least.max(one.prefix() as u64).saturating_add(2);
                    if let Some(Value::Array(mut parts)) = self.array(one, count, None, depth)? {
                        let from = parts.len() - 2;
                        parts[from..].fill(part);
                        all.push(Value::Array(parts));
                    }
                }
            }
            for contains in &rival.contains {
                for part in self
                    .candidates(&one.element(0), &[contains.schema], depth + 1)?
                    .iter()
                    .take(2)
                {
                    all.extend(self.array(one, one.least.max(1), Some((0, part)), depth)?);
                }
            }
        }
        Ok(all)
    }

    /// Small objects with the members that are needed.
    pub(super) fn small_objects(
        &mut self,
        one: &Alternative,
        depth: usize,
    ) -> Result<Vec<Value>, Stop> {
        let mut members = Members::new();
        let mut choices: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for name in &one.required {
            let member = self.member_of(one, name);
            let some = self.some(&member, depth + 1)?;
            let Some(first) = some.first() else {
                return Ok(Vec::new());
            };
            members.insert(name.clone(), first.clone());
            choices.insert(name.clone(), some);
        }
        let mut spare: Vec<String> = one.named().into_iter().map(str::to_owned).collect();
        spare.extend(self.names_of(one, depth)?);
        spare.extend((0..one.least.min(100)).map(|index| format!("member{index}")));
        for name in spare {
            if members.len() as u64 >= one.least {
                break;
            }
            if !members.contains_key(&name) {
                let member = self.member_of(one, &name);
                let some = self.some(&member, depth + 1)?;
                members.extend(some.into_iter().next().map(|value| (name, value)));
            }
        }
        let mut all = vec![Value::Object(members.clone())];
        // Another choice may be needed beside the first one.
        for (name, some) in choices {
            for other in some.into_iter().skip(1).take(1) {
                let mut members = members.clone();
                members.insert(name.clone(), other);
                all.push(Value::Object(members));
            }
        }
        all.truncate(6);
        Ok(all)
    }

    fn member_of(&mut self, one: &Alternative, name: &str) -> Vec<Id> {
        one.member(name, &mut |pattern| self.matches(pattern, name))
    }

    /// Small objects of a schema that have a member of this value.
    pub(super) fn with_member(
        &mut self,
        around: Id,
        name: &str,
        value: &Value,
    ) -> Result<Vec<Value>, Stop> {
        let all = self.all_of(&[around])?;
        let mut found = Vec::new();
        for one in all.iter().filter(|one| one.kind == Type::Object) {
            for mut object in self.small_objects(one, 0)? {
                if let Value::Object(members) = &mut object {
                    members.insert(name.to_owned(), value.clone());
                }
                found.push(object);
            }
        }
        Ok(found)
    }

    /// Small arrays of a schema that have this element.
    pub(super) fn with_element(
        &mut self,
        around: Id,
        index: usize,
        value: &Value,
    ) -> Result<Vec<Value>, Stop> {
        let all = self.all_of(&[around])?;
        let mut found = Vec::new();
        for one in all.iter().filter(|one| one.kind == Type::Array) {
            let count = one.least.max(index as u64 + 1);
            found.extend(self.array(one, count, Some((index, value)), 0)?);
        }
        Ok(found)
    }

    fn objects(
        &mut self,
        one: &Alternative,
        rivals: &[Alternative],
        depth: usize,
    ) -> Result<Vec<Value>, Stop> {
        let bases = self.small_objects(one, depth)?;
        let mut all = bases.clone();
        let Some(Value::Object(base)) = bases.into_iter().next() else {
            return Ok(all);
        };
        let with = |name: &str, value: Value| {
            let mut members = base.clone();
            members.insert(name.to_owned(), value);
            Value::Object(members)
        };
        let mut known: BTreeSet<String> = one.named().into_iter().map(str::to_owned).collect();
        let groups = one
            .groups
            .iter()
            .chain(rivals.iter().flat_map(|rival| &rival.groups));
        for group in groups {
            known.extend(group.properties.keys().cloned());
            let patterns = group.patterns.keys().take(3);
            known.extend(patterns.flat_map(|pattern| examples::of_pattern(pattern)));
        }
        known.extend(self.names_of(one, depth)?);
        for rival in rivals.iter().take(8) {
            known.extend(self.names_of(rival, depth)?);
        }
        let mut names: Vec<String> = known.into_iter().take(NAMES).collect();
        // Names that nobody has.
        let others = ["other", "A b", "é0", ""].map(str::to_owned);
        names.extend(
            others
                .into_iter()
                .filter(|name| !names.contains(name))
                .collect::<Vec<_>>(),
        );
        let mut full = base.clone();
        for name in &names {
            let member = self.member_of(one, name);
            let text = Value::Text(name.clone());
            if member.contains(&FALSE) || self.holds_all(&one.names, &text, None)? == Some(false) {
                continue;
            }
            for rival in rivals.iter().take(8) {
                let needed = self.member_of(rival, name);
                for value in self
                    .candidates(&member, &needed, depth + 1)?
                    .into_iter()
                    .take(8)
                {
                    all.push(with(name, value));
                }
            }
            for value in self.some(&member, depth + 1)?.into_iter().take(2) {
                full.entry(name.clone()).or_insert_with(|| value.clone());
                all.push(with(name, value));
            }
        }
        for name in full
            .keys()
            .filter(|name| !base.contains_key(*name))
            .take(NAMES)
        {
            let mut members = full.clone();
            members.remove(name);
            all.push(Value::Object(members));
        }
        for most in rivals
            .iter()
            .chain([one])
            .filter_map(|of| of.most)
            .chain([u64::MAX])
        {
            // As many members as are allowed, and one more; those that are needed first.
            for most in [most, most.saturating_add(1)] {
                let mut members = base.clone();
                for (name, value) in &full {
                    if (members.len() as u64) < most {
                        members.entry(name.clone()).or_insert_with(|| value.clone());
                    }
                }
                all.push(Value::Object(members));
            }
        }
        Ok(all)
    }
}

/// Numbers near all bounds of both sides.
fn numbers(one: &Alternative, rivals: &[Alternative]) -> Vec<Value> {
    let mut points = vec![Decimal::ZERO];
    let mut steps = vec![Decimal::whole(1), Decimal::new(5, -1), Decimal::new(1, -3)];
    for of in rivals.iter().chain([one]) {
        points.extend(
            [of.low, of.high]
                .into_iter()
                .flatten()
                .map(|bound| bound.at),
        );
        points.extend(of.values.iter().flatten().filter_map(|value| match value {
            Value::Number(number) => Some(*number),
            _ => None,
        }));
        steps.extend(&of.multiples);
    }
    if let (Some(low), Some(high)) = (one.low, one.high) {
        // Something between two close bounds.
        points.extend(low.at.plus(high.at).and_then(half));
    }
    let mut numbers: Vec<Decimal> = points.clone();
    for point in &points {
        for step in &steps {
            numbers.extend(point.plus(*step));
            numbers.extend(point.minus(*step));
            if let Some(floor) = point.floor(*step) {
                numbers.push(floor);
                numbers.extend(floor.plus(*step));
                numbers.extend(floor.minus(*step));
            }
        }
    }
    // Multiples of all that the old side wants at once.
    let product = one
        .multiples
        .iter()
        .try_fold(Decimal::whole(1), |all, of| all.times(*of));
    if let (Some(product), true) = (product, one.multiples.len() > 1) {
        numbers.extend(points.iter().filter_map(|point| point.floor(product)));
        numbers.extend(
            points
                .iter()
                .filter_map(|point| point.floor(product)?.plus(product)),
        );
    }
    let mut seen = BTreeSet::new();
    numbers.retain(|number| seen.insert(*number));
    numbers.retain(|number| one.has_number(*number) != Some(false));
    numbers.into_iter().map(Value::Number).collect()
}

fn half(number: Decimal) -> Option<Decimal> {
    number.times(Decimal::new(5, -1))
}

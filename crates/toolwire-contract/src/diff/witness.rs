//! Small values that a schema allows, and such that another one may refuse. The validator judges them.

use regex_syntax::hir::{Class, Hir, HirKind};

use serde_json::Value;

use super::branch::{Branch, Type};
use super::lower::{DEEP, FEW, Name, Prover};
use super::value::{Decimal, Members, elements};

/// The longest text or array that is made to be too long.
const LONG: u64 = 3_000;
/// How many values of one type are made as samples.
const SAMPLES: usize = 4;

impl<'a> Prover<'a> {
    /// Values that schemas which all hold are likely to allow, small ones first.
    pub(super) fn samples(&self, schemas: &[&'a Value], depth: usize) -> Vec<Value> {
        let mut found = Vec::new();
        for branch in self
            .branches(schemas, false, depth)
            .iter()
            .flat_map(|all| all.iter())
        {
            for kind in branch.types() {
                found.extend(self.samples_of(branch, kind, depth));
            }
            if found.len() > FEW {
                break;
            }
        }
        found.truncate(FEW);
        found
    }

    pub(super) fn samples_of(&self, branch: &Branch<'a>, kind: Type, depth: usize) -> Vec<Value> {
        if depth > DEEP || !self.meter.step(1) {
            return Vec::new();
        }
        let all = match (branch.values(kind), kind) {
            (Some(values), _) => values.into_iter().cloned().collect(),
            (None, Type::Text) => texts(branch, None),
            (None, Type::Number) => numbers(branch, None),
            (None, Type::Array) => {
                let least = branch.limits("minItems", "maxItems").0;
                let arrays = [least, 1]
                    .into_iter()
                    .filter_map(|count| self.array(branch, count, depth));
                arrays.map(Value::Array).collect()
            }
            (None, Type::Object) => self
                .both_objects(branch, depth)
                .into_iter()
                .map(Value::Object)
                .collect(),
            (None, Type::Bool | Type::Null) => Vec::new(),
        };
        self.allowed(branch, all, SAMPLES)
    }

    /// Whether a value may be one of a branch.
    pub(super) fn fits(&self, branch: &Branch<'a>, value: &Value) -> bool {
        let mut parts = branch.parts.iter();
        parts.all(|part| self.accepts(part, value) != Some(false))
    }

    fn allowed(&self, branch: &Branch<'a>, all: Vec<Value>, most: usize) -> Vec<Value> {
        let mut found = Vec::new();
        for value in all {
            if found.len() < most && !found.contains(&value) && self.fits(branch, &value) {
                found.push(value);
            }
        }
        found
    }

    /// The smallest value that is found.
    fn sample(&self, schemas: &[&'a Value], depth: usize) -> Option<Value> {
        if depth > DEEP || !self.meter.step(1) {
            return None;
        }
        let branches = self.branches(schemas, false, depth)?;
        branches.iter().find_map(|branch| {
            branch
                .types()
                .into_iter()
                .find_map(|kind| match (branch.values(kind), kind) {
                    (None, Type::Object) => {
                        let object = Value::Object(self.object(branch, false, depth)?);
                        self.allowed(branch, vec![object], 1).pop()
                    }
                    _ => self.samples_of(branch, kind, depth).into_iter().next(),
                })
        })
    }

    /// An array of so many elements.
    fn array(&self, branch: &Branch<'a>, count: u64, depth: usize) -> Option<Vec<Value>> {
        let unique = branch.is_unique();
        let count = usize::try_from(count.min(LONG)).ok()?;
        let mut elements: Vec<Value> = Vec::new();
        for index in 0..count {
            let element = branch.element(index);
            let found = match unique {
                true => self.samples(&element, depth + 1),
                false => Vec::from_iter(self.sample(&element, depth + 1)),
            };
            let mut new = found
                .into_iter()
                .filter(|value| !unique || !elements.contains(value));
            elements.push(new.next()?);
        }
        Some(elements)
    }

    /// An object with the members that it needs, or with all that are declared.
    fn object(&self, branch: &Branch<'a>, full: bool, depth: usize) -> Option<Members> {
        let (least, most) = branch.limits("minProperties", "maxProperties");
        let required = branch.required();
        let mut found = Members::new();
        for name in &required {
            found.insert((*name).to_owned(), self.value_of(branch, name, depth)?);
        }
        let others = self.member_names(branch, &[], depth);
        let declared = branch.names("properties");
        for name in declared
            .iter()
            .copied()
            .chain(others.iter().map(String::as_str))
        {
            let count = found.len() as u64;
            if count >= most || count >= least && !(full && declared.contains(name)) {
                break;
            }
            if !found.contains_key(name)
                && let Some(value) = self.value_of(branch, name, depth)
            {
                found.insert(name.to_owned(), value);
            }
        }
        Some(found)
    }

    fn value_of(&self, branch: &Branch<'a>, name: &str, depth: usize) -> Option<Value> {
        let (schemas, _) = self.member(branch, Name::Known(name))?;
        self.sample(&schemas, depth + 1)
    }

    fn both_objects(&self, branch: &Branch<'a>, depth: usize) -> Vec<Members> {
        let mut all: Vec<Members> = Vec::new();
        for full in [false, true] {
            let object = self.object(branch, full, depth);
            all.extend(object.filter(|object| !all.contains(object)));
        }
        all
    }

    /// Objects of a branch in which a member has one of some values.
    pub(super) fn with_member(
        &self,
        branch: &Branch<'a>,
        name: &str,
        values: &[Value],
        depth: usize,
    ) -> Vec<Value> {
        let objects = self.both_objects(branch, depth);
        let with = |value: &Value| -> Vec<Value> {
            let all = objects.iter().cloned();
            let all = all.map(|mut object| {
                object.insert(name.to_owned(), value.clone());
                Value::Object(object)
            });
            all.collect()
        };
        self.allowed(branch, values.iter().flat_map(with).collect(), FEW)
    }

    /// Objects of a branch without a member.
    pub(super) fn without_member(
        &self,
        branch: &Branch<'a>,
        name: &str,
        depth: usize,
    ) -> Vec<Value> {
        let objects = self.both_objects(branch, depth).into_iter();
        let without = objects.map(|mut object| {
            object.remove(name);
            Value::Object(object)
        });
        self.allowed(branch, without.collect(), FEW)
    }

    /// Arrays of a branch in which an element has one of some values.
    pub(super) fn with_element(
        &self,
        branch: &Branch<'a>,
        index: usize,
        values: &[Value],
        depth: usize,
    ) -> Vec<Value> {
        let least = branch.limits("minItems", "maxItems").0;
        let array = self
            .array(branch, least.max(index as u64 + 1), depth)
            .or_else(|| self.array(branch, index as u64, depth));
        let with = |value: &Value| {
            let mut array = array.clone()?;
            match array.get_mut(index) {
                Some(element) => *element = value.clone(),
                None => array.push(value.clone()),
            }
            Some(Value::Array(array))
        };
        self.allowed(branch, values.iter().filter_map(with).collect(), FEW)
    }

    /// Names of members that match patterns and are not declared.
    pub(super) fn member_names(
        &self,
        branch: &Branch<'a>,
        patterns: &[&str],
        depth: usize,
    ) -> Vec<String> {
        let rules: Vec<&'a Value> = branch.all("propertyNames").collect();
        let mut names: Vec<String> = patterns
            .iter()
            .flat_map(|pattern| of_pattern(pattern))
            .collect();
        if names.is_empty() && !rules.is_empty() {
            let texts = self.samples(&rules, depth + 1).into_iter();
            names.extend(texts.filter_map(|name| name.as_str().map(str::to_owned)));
        }
        names.truncate(3);
        names.extend(["other", "other2"].map(str::to_owned));
        names
    }

    /// Values of a type in one branch that may not be in another.
    pub(super) fn between(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        kind: Type,
        depth: usize,
    ) -> Vec<Value> {
        let mut all = match kind {
            Type::Text => texts(one, Some(other)),
            Type::Number => numbers(one, Some(other)),
            Type::Array => {
                let (least, most) = other.limits("minItems", "maxItems");
                let counts = [
                    least.saturating_sub(1),
                    most.saturating_add(1).min(LONG),
                    1,
                    2,
                    0,
                ];
                let arrays = counts
                    .into_iter()
                    .filter_map(|count| self.array(one, count, depth));
                arrays.map(Value::Array).collect()
            }
            Type::Object => self.objects_between(one, depth),
            Type::Bool | Type::Null => Vec::new(),
        };
        all.splice(..0, self.refused(one, other, kind, depth));
        all.retain(|value| !self.fits(other, value));
        self.allowed(one, all, FEW)
    }

    /// Values of a type in one branch that fit `not`, `if`, or two alternatives of `oneOf` in another one.
    fn refused(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        kind: Type,
        depth: usize,
    ) -> Vec<Value> {
        let single = ["not", "if"]
            .into_iter()
            .flat_map(|keyword| other.all(keyword));
        let mut all: Vec<Vec<&'a Value>> = single.map(|inner| vec![inner]).collect();
        for part in &other.undivided {
            let list = part.get("oneOf").map_or(&[][..], elements);
            for (index, one) in list.iter().enumerate() {
                all.extend(list[index + 1..].iter().map(|other| vec![one, other]));
            }
        }
        let branches = all.iter().take(2 * SAMPLES);
        let branches = branches.filter_map(|inner| self.branches(inner, false, depth + 1));
        let both =
            branches.flat_map(|all| all.iter().map(|inner| one.and(inner)).collect::<Vec<_>>());
        both.take(2 * SAMPLES)
            .flat_map(|both| self.samples_of(&both, kind, depth))
            .collect()
    }

    fn objects_between(&self, one: &Branch<'a>, depth: usize) -> Vec<Value> {
        let mut found = self.both_objects(one, depth);
        // One with further members, and the same without each.
        if let Some(mut more) = found.last().cloned() {
            for name in self.member_names(one, &[], depth) {
                let mut with = more.clone();
                with.extend(self.value_of(one, &name, depth).map(|value| (name, value)));
                let with = Value::Object(with);
                if self.fits(one, &with)
                    && let Value::Object(with) = with
                {
                    more = with;
                }
            }
            let names: Vec<String> = more.keys().take(FEW).cloned().collect();
            found.extend(names.iter().map(|name| {
                let mut without = more.clone();
                without.remove(name);
                without
            }));
            found.push(more);
        }
        found.into_iter().map(Value::Object).collect()
    }
}

/// Texts at the limits of a branch, and of another.
fn texts(one: &Branch<'_>, other: Option<&Branch<'_>>) -> Vec<Value> {
    let patterns = one.all("pattern").filter_map(Value::as_str);
    let mut found: Vec<String> = patterns.filter_map(of_pattern).collect();
    let mut lengths = vec![1, 0, 5];
    for branch in [Some(one), other].into_iter().flatten() {
        let formats = branch.all("format").filter_map(Value::as_str);
        found.extend(formats.filter_map(of_format).map(str::to_owned));
        let (least, most) = branch.limits("minLength", "maxLength");
        let beyond = [least.saturating_sub(1), most.saturating_add(1)];
        lengths.extend([least, most].into_iter().chain(beyond));
    }
    lengths.retain(|length| *length <= LONG);
    found.extend(
        lengths
            .into_iter()
            .map(|length| "a".repeat(length as usize)),
    );
    found.into_iter().map(Value::String).collect()
}

/// A text in a format that the validator checks.
pub(super) fn of_format(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => "2020-01-31",
        "date-time" => "2020-01-31T12:00:00Z",
        "time" => "12:00:00Z",
        "duration" => "P1D",
        "email" | "idn-email" => "a@example.com",
        "hostname" | "idn-hostname" => "example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" | "iri" | "url" => "https://example.com/a",
        "uri-reference" | "iri-reference" => "/a",
        "uri-template" => "/a/{b}",
        "uuid" => "123e4567-e89b-12d3-a456-426614174000",
        "json-pointer" => "/a",
        "relative-json-pointer" => "1/a",
        "regex" => "a+",
        _ => return None,
    })
}

/// Numbers at the bounds of a branch, and of another.
fn numbers(one: &Branch<'_>, other: Option<&Branch<'_>>) -> Vec<Value> {
    let (whole, half) = (Decimal::whole(1), Decimal::new(5, -1));
    let mut found = vec![whole, Decimal::ZERO, half, whole.negative()];
    let steps: Vec<Decimal> = one.multiples().chain([whole, half]).collect();
    for branch in [Some(one), other].into_iter().flatten() {
        let upper = branch.bound(true).map(|(bound, _)| bound);
        let lower = branch.bound(false).map(|(bound, _)| bound.negative());
        for bound in upper.into_iter().chain(lower) {
            found.push(bound);
            for step in steps.iter().copied() {
                let down = bound.floor(step);
                let from = [Some(bound), down].into_iter().flatten();
                let near = from.flat_map(|from| [from.plus(step), from.minus(step)]);
                found.extend(near.chain([down]).flatten());
            }
        }
        let multiples = branch.multiples();
        let near = multiples.flat_map(|of| [Some(of), of.plus(of), of.plus(whole)]);
        found.extend(near.flatten());
    }
    found.into_iter().map(Decimal::to_value).collect()
}

/// A text that a regular expression is likely to match.
fn of_pattern(pattern: &str) -> Option<String> {
    let mut text = String::new();
    write_match(&regex_syntax::parse(pattern).ok()?, 0, &mut text)?;
    Some(text)
}

/// Writes the shortest match, of plain characters where there is a choice.
fn write_match(part: &Hir, depth: usize, out: &mut String) -> Option<()> {
    if depth > DEEP || out.len() > LONG as usize {
        return None;
    }
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            let has = |c: &char| {
                let mut ranges = class.ranges().iter();
                ranges.any(|range| (range.start()..=range.end()).contains(c))
            };
            let plain = ['a', 'A', '0'].into_iter().find(has);
            out.push(plain.or(class.ranges().first().map(|range| range.start()))?);
        }
        HirKind::Class(Class::Bytes(_)) => return None,
        HirKind::Repetition(repetition) => {
            for _ in 0..repetition.min {
                write_match(&repetition.sub, depth + 1, out)?;
            }
        }
        HirKind::Capture(capture) => write_match(&capture.sub, depth + 1, out)?,
        HirKind::Concat(all) => {
            let mut all = all.iter();
            all.try_for_each(|inner| write_match(inner, depth + 1, out))?;
        }
        HirKind::Alternation(all) => write_match(all.first()?, depth + 1, out)?,
    }
    Some(())
}

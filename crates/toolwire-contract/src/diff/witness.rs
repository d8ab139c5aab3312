//! Small values that a schema allows, and such that another one may refuse. The validator judges them.

use regex_syntax::hir::{Class, Hir, HirKind};

use serde_json::Value;

use super::contain::FEW;
use super::holds::of_format;
use super::lower::{Branch, DEEP, Lower, Name, Type, named};
use super::value::{Decimal, Members, elements};

/// The longest text or array that is made to be too long.
const LONG: u64 = 3_000;
/// How many values of one type are made as samples.
const SAMPLES: usize = 4;

impl<'a> Lower<'a> {
    /// Whether schemas that all hold are seen to allow nothing.
    pub(super) fn is_nothing(&self, schemas: &[&'a Value], depth: usize) -> bool {
        if depth > DEEP || !self.meter.step(1) {
            return false;
        }
        let branches = self.branches(schemas, false, depth);
        branches.is_some_and(|all| {
            all.iter().all(|one| {
                one.types()
                    .into_iter()
                    .all(|kind| self.is_empty(one, kind, depth))
            })
        })
    }

    /// Whether a branch is seen to allow no value of a type.
    pub(super) fn is_empty(&self, branch: &Branch<'a>, kind: Type, depth: usize) -> bool {
        let crossed = |least, most| {
            let (least, most) = branch.limits(least, most);
            least > most
        };
        // A few levels are enough.
        let depth = depth + DEEP / 4;
        branch.values(kind).is_some_and(|all| all.is_empty())
            || match kind {
                Type::Bool | Type::Null => false,
                Type::Text => crossed("minLength", "maxLength"),
                Type::Number => match (branch.bound(false), branch.bound(true)) {
                    (Some((least, open)), Some((most, excluded))) => {
                        let least = least.negative();
                        least > most || least == most && (open || excluded)
                    }
                    _ => false,
                },
                Type::Array => {
                    crossed("minItems", "maxItems")
                        || branch.limits("minItems", "maxItems").0 > 0
                            && self.is_nothing(&branch.element(0), depth)
                }
                Type::Object => {
                    crossed("minProperties", "maxProperties")
                        || branch.required().iter().any(|name| {
                            let member = self.member(branch, &Name::Known(name));
                            member.is_none_or(|(ways, _)| {
                                ways.iter().all(|way| self.is_nothing(way, depth))
                            })
                        })
                }
            }
    }

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
            (None, Type::Text) => self.texts(branch, None),
            (None, Type::Number) => numbers(branch, None),
            (None, Type::Array) => {
                let least = branch.limits("minItems", "maxItems").0;
                let arrays = [least, 1]
                    .into_iter()
                    .filter_map(|count| self.array(branch, count, depth));
                arrays.map(Value::Array).collect()
            }
            (None, Type::Object) => self
                .objects(branch, depth)
                .into_iter()
                .map(Value::Object)
                .collect(),
            (None, Type::Bool | Type::Null) => Vec::new(),
        };
        self.allowed(branch, all, SAMPLES, depth)
    }

    fn allowed(
        &self,
        branch: &Branch<'a>,
        all: Vec<Value>,
        most: usize,
        depth: usize,
    ) -> Vec<Value> {
        let mut found = Vec::new();
        for value in all {
            if found.len() < most
                && !found.contains(&value)
                && self.holds(&value, branch, true, depth) != Some(false)
            {
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
                        self.allowed(branch, vec![object], 1, depth).pop()
                    }
                    _ => self.samples_of(branch, kind, depth).into_iter().next(),
                })
        })
    }

    /// An array of so many elements.
    fn array(&self, branch: &Branch<'a>, count: u64, depth: usize) -> Option<Vec<Value>> {
        let unique = branch
            .all("uniqueItems")
            .any(|unique| *unique == Value::Bool(true));
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
    pub(super) fn object(&self, branch: &Branch<'a>, full: bool, depth: usize) -> Option<Members> {
        let (least, most) = branch.limits("minProperties", "maxProperties");
        let required = branch.required();
        let mut found = Members::new();
        for name in &required {
            found.insert((*name).to_owned(), self.value_of(branch, name, depth)?);
        }
        let others = self.names(branch, &[], depth);
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

    pub(super) fn value_of(&self, branch: &Branch<'a>, name: &str, depth: usize) -> Option<Value> {
        let (ways, _) = self.member(branch, &Name::Known(name))?;
        ways.iter().find_map(|way| self.sample(way, depth + 1))
    }

    pub(super) fn objects(&self, branch: &Branch<'a>, depth: usize) -> Vec<Members> {
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
        let objects = self.objects(branch, depth);
        let with = |value: &Value| -> Vec<Value> {
            let all = objects.iter().cloned();
            let all = all.map(|mut object| {
                object.insert(name.to_owned(), value.clone());
                Value::Object(object)
            });
            all.collect()
        };
        self.allowed(branch, values.iter().flat_map(with).collect(), FEW, depth)
    }

    /// Arrays of a branch in which an element has a value.
    pub(super) fn with_element(
        &self,
        branch: &Branch<'a>,
        index: usize,
        value: &Value,
        depth: usize,
    ) -> Vec<Value> {
        let least = branch
            .limits("minItems", "maxItems")
            .0
            .max(index as u64 + 1);
        let array = self
            .array(branch, least, depth)
            .or_else(|| self.array(branch, index as u64, depth));
        let array = array.map(|mut array| {
            match array.get_mut(index) {
                Some(element) => *element = value.clone(),
                None => array.push(value.clone()),
            }
            Value::Array(array)
        });
        self.allowed(branch, Vec::from_iter(array), 1, depth)
    }

    /// Names of members that match patterns and are not declared.
    pub(super) fn names(
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
            Type::Text => self.texts(one, Some(other)),
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
            Type::Object => self.objects_between(one, other, depth),
            Type::Bool | Type::Null => Vec::new(),
        };
        all.retain(|value| self.holds(value, other, false, depth) != Some(true));
        self.allowed(one, all, 3 * SAMPLES, depth)
    }

    /// Values of a type in one branch that another one refuses by what no rule is for.
    pub(super) fn refused(
        &self,
        one: &Branch<'a>,
        other: &Branch<'a>,
        kind: Type,
        depth: usize,
    ) -> Vec<Value> {
        let mut all = Vec::new();
        let single = ["not", "if"]
            .into_iter()
            .flat_map(|keyword| other.all(keyword));
        let mut refused: Vec<Vec<&'a Value>> = single.map(|inner| vec![inner]).collect();
        for part in &other.undivided {
            let list = part.get("oneOf").map_or(&[][..], elements);
            let pairs = list.iter().enumerate().flat_map(|(index, one)| {
                let others = list[index + 1..].iter();
                others.map(move |other| vec![one, other])
            });
            refused.extend(pairs.take(2 * SAMPLES));
        }
        for inner in refused {
            for branch in self.both(one, &inner, depth).iter().take(SAMPLES) {
                all.extend(self.samples_of(branch, kind, depth));
            }
        }
        self.allowed(one, all, 2 * SAMPLES, depth)
    }

    fn objects_between(&self, one: &Branch<'a>, other: &Branch<'a>, depth: usize) -> Vec<Value> {
        let mut found = Vec::new();
        let required = one.required();
        for object in self.objects(one, depth) {
            for name in other.required().difference(&required) {
                let mut without = object.clone();
                without.remove(*name);
                found.push(without);
            }
            // What depends on a member is missing, or its count is too great or too small.
            let depend = ["dependentRequired", "dependentSchemas"].into_iter();
            let depend = depend.flat_map(|keyword| {
                other
                    .parts
                    .iter()
                    .flat_map(move |part| named(part, keyword))
            });
            for (name, _) in depend {
                if let Some(value) = self.value_of(one, name, depth) {
                    found.push(
                        [(name.clone(), value)]
                            .into_iter()
                            .chain(object.clone())
                            .collect(),
                    );
                }
            }
            let most = other.limits("minProperties", "maxProperties").1;
            let mut more = object.clone();
            let others = self.names(one, &[], depth);
            for name in one
                .names("properties")
                .into_iter()
                .chain(others.iter().map(String::as_str))
            {
                if most == u64::MAX || more.len() as u64 > most {
                    break;
                }
                if let Some(value) = self.value_of(one, name, depth) {
                    more.insert(name.to_owned(), value);
                }
            }
            found.extend([more, object]);
        }
        found.into_iter().map(Value::Object).collect()
    }

    /// Texts at the limits of a branch, and of another.
    fn texts(&self, one: &Branch<'a>, other: Option<&Branch<'a>>) -> Vec<Value> {
        let branches = || [Some(one), other].into_iter().flatten();
        let own = |keyword: &'static str| one.all(keyword).filter_map(Value::as_str);
        let mut found: Vec<String> = Vec::new();
        found.extend(own("pattern").flat_map(of_pattern));
        let formats = branches().flat_map(|branch| branch.all("format").filter_map(Value::as_str));
        found.extend(formats.flat_map(of_format).map(|text| (*text).to_owned()));
        let shown = one
            .parts
            .iter()
            .flat_map(|part| ["examples", "default"].map(|name| part.get(name)));
        let shown = shown.flatten().flat_map(|value| match elements(value) {
            [] => std::slice::from_ref(value),
            all => all,
        });
        found.extend(shown.filter_map(Value::as_str).map(str::to_owned));
        let limits = branches().flat_map(|branch| {
            let (least, most) = branch.limits("minLength", "maxLength");
            [least, least.saturating_sub(1), most, most.saturating_add(1)]
        });
        let lengths = [1]
            .into_iter()
            .chain(limits)
            .chain([0])
            .filter(|length| *length <= LONG);
        found.extend(lengths.map(|length| "a".repeat(length as usize)));
        found.push("other".to_owned());
        found.into_iter().map(Value::String).collect()
    }

    /// The branches of one that schemas allow, too.
    fn both(&self, one: &Branch<'a>, schemas: &[&'a Value], depth: usize) -> Vec<Branch<'a>> {
        let others = self.branches(schemas, false, depth + 1);
        let others = others.iter().flat_map(|all| all.iter());
        let both = others.map(|other| {
            let mut both = one.clone();
            both.parts.extend(&other.parts);
            both
        });
        both.collect()
    }
}

/// Numbers at the bounds of a branch, and of another.
fn numbers(one: &Branch<'_>, other: Option<&Branch<'_>>) -> Vec<Value> {
    let (whole, half) = (Decimal::whole(1), Decimal::new(5, -1));
    let mut found = vec![whole, Decimal::ZERO, half, whole.negative()];
    for branch in [Some(one), other].into_iter().flatten() {
        let bounds = [true, false].map(|upper| {
            let bound = branch.bound(upper).map(|(bound, _)| bound);
            if upper {
                bound
            } else {
                bound.map(Decimal::negative)
            }
        });
        for bound in bounds.into_iter().flatten() {
            found.push(bound);
            for step in branch
                .multiples()
                .chain(one.multiples())
                .chain([whole, half])
            {
                let down = bound.floor(step);
                found.extend(
                    [
                        down,
                        down.and_then(|down| down.plus(step)),
                        down.and_then(|down| down.minus(step)),
                    ]
                    .into_iter()
                    .flatten(),
                );
                found.extend([bound.plus(step), bound.minus(step)].into_iter().flatten());
            }
        }
        found.extend(
            branch
                .multiples()
                .chain(branch.multiples().filter_map(|of| of.plus(of))),
        );
        found.extend(branch.multiples().filter_map(|of| of.plus(whole)));
    }
    found.into_iter().map(Decimal::to_value).collect()
}

/// Texts that a regular expression is likely to match.
pub(super) fn of_pattern(pattern: &str) -> Vec<String> {
    let Ok(parsed) = regex_syntax::parse(pattern) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for way in 0..3 {
        let mut text = Vec::new();
        if write_match(&parsed, way, 0, &mut text).is_some()
            && let Ok(text) = String::from_utf8(text)
            && !found.contains(&text)
        {
            found.push(text);
        }
    }
    found
}

/// Writes what matches; `way` chooses where there is a choice.
fn write_match(part: &Hir, way: usize, depth: usize, out: &mut Vec<u8>) -> Option<()> {
    if depth > DEEP || out.len() > LONG as usize {
        return None;
    }
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.extend(&*literal.0),
        HirKind::Class(class) => {
            let Class::Unicode(class) = class else {
                return None;
            };
            let plain = ['a', 'A', '0'];
            let has = |c: &&char| {
                class
                    .ranges()
                    .iter()
                    .any(|range| range.start() <= **c && **c <= range.end())
            };
            let first = class.ranges().get(way % class.ranges().len().max(1));
            let first = first.map(|range| if way == 0 { range.start() } else { range.end() });
            let usual = plain.iter().filter(has).nth(way).copied();
            out.extend(usual.or(first)?.to_string().bytes());
        }
        HirKind::Repetition(repetition) => {
            let count = if way == 0 {
                repetition.min
            } else {
                repetition.min.max(1)
            };
            for _ in 0..count {
                write_match(&repetition.sub, way, depth + 1, out)?;
            }
        }
        HirKind::Capture(capture) => write_match(&capture.sub, way, depth + 1, out)?,
        HirKind::Concat(all) => {
            for inner in all {
                write_match(inner, way, depth + 1, out)?;
            }
        }
        HirKind::Alternation(all) => write_match(all.get(way % all.len())?, way, depth + 1, out)?,
    }
    Some(())
}

//! Schemas as branches: each is a conjunction of schema objects without alternatives of their own.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use serde_json::Value;
use toolwire::Json;
use toolwire::json::ObjectWriter;
use toolwire_schema::{Allowance, Budget, check_value_within};

use super::value::{Decimal, Members, elements, limit};

/// The greatest depth of anything that recurses over schemas or values, so that no thread's stack is too small.
pub(super) const DEEP: usize = 36;
/// The greatest number of branches of a schema.
const MOST_BRANCHES: usize = 256;

/// The types of JSON values, the simplest to write first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Type {
    Text,
    Number,
    Bool,
    Null,
    Array,
    Object,
}

impl Type {
    pub(super) const ALL: [Type; 6] = [
        Type::Text,
        Type::Number,
        Type::Bool,
        Type::Null,
        Type::Array,
        Type::Object,
    ];

    fn name(self) -> &'static str {
        match self {
            Type::Text => "string",
            Type::Number => "number",
            Type::Bool => "boolean",
            Type::Null => "null",
            Type::Array => "array",
            Type::Object => "object",
        }
    }

    pub(super) fn of(value: &Value) -> Type {
        match value {
            Value::String(_) => Type::Text,
            Value::Number(_) => Type::Number,
            Value::Bool(_) => Type::Bool,
            Value::Null => Type::Null,
            Value::Array(_) => Type::Array,
            Value::Object(_) => Type::Object,
        }
    }
}

/// What is left of the work for a question, and why it was given up.
#[derive(Debug, Default)]
pub(super) struct Meter {
    pub(super) left: Cell<u64>,
    pub(super) stopped: Cell<Option<&'static str>>,
}

impl Meter {
    pub(super) fn new(steps: u64) -> Self {
        Meter {
            left: Cell::new(steps),
            stopped: Cell::new(None),
        }
    }

    /// Allows some steps for another question.
    pub(super) fn refill(&self, steps: u64) {
        self.left.set(steps);
        self.stopped.set(None);
    }

    /// Pays for some steps; false if there are not so many left.
    pub(super) fn step(&self, steps: u64) -> bool {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.is_some() || self.stop("it takes more steps than the budget has")
    }

    pub(super) fn stop(&self, why: &'static str) -> bool {
        self.stopped.set(self.stopped.get().or(Some(why)));
        false
    }
}

/// The documents that references lead into, by the letters that these begin with.
pub(super) type Roots<'a> = [(char, &'a Value); 4];

/// What stands in a keyword with one schema for each name.
pub(super) fn named<'a>(
    part: &'a Members,
    keyword: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let all = part.get(keyword).and_then(Value::as_object);
    all.into_iter().flatten()
}

/// One way to fit a schema.
#[derive(Debug, Clone, Default)]
pub(super) struct Branch<'a> {
    /// The schema objects that all hold. Their alternatives and references count no more.
    pub(super) parts: Vec<&'a Members>,
    pub(super) closures: Vec<Closure<'a>>,
    /// Those of the parts whose `oneOf` does count, as its alternatives may hold together.
    pub(super) undivided: Vec<&'a Members>,
}

/// A place that takes only what its parts declare.
#[derive(Debug, Clone)]
pub(super) struct Closure<'a> {
    pub(super) own: Vec<&'a Members>,
    /// The parts of branches that may hold beside this one.
    siblings: Vec<&'a Members>,
}

/// A member's name: one that is known, or any of those that match some patterns and no others.
#[derive(Debug, Clone)]
pub(super) enum Name<'n> {
    Known(&'n str),
    Matching(Vec<&'n str>),
}

pub(super) type Branches<'a> = Rc<Vec<Branch<'a>>>;

/// The addresses of schemas that all hold, and whether they are read strictly.
type Parts = (Vec<*const Value>, bool);

/// Finds the branches of schemas.
#[derive(Debug)]
pub(super) struct Lower<'a> {
    roots: Roots<'a>,
    pub(super) meter: &'a Meter,
    found: RefCell<HashMap<Parts, Option<Branches<'a>>>>,
    texts: RefCell<HashMap<(&'static str, &'a str, String), bool>>,
}

impl<'a> Lower<'a> {
    pub(super) fn new(roots: Roots<'a>, meter: &'a Meter) -> Self {
        Lower {
            roots,
            meter,
            found: RefCell::default(),
            texts: RefCell::default(),
        }
    }

    /// What a schema refers to.
    pub(super) fn target(&self, reference: &str) -> Option<&'a Value> {
        let letters = self.roots.iter();
        let (_, root) = letters
            .into_iter()
            .find(|(letter, _)| reference.starts_with(*letter))?;
        root.pointer(&reference[1..])
    }

    /// The branches of schemas that all hold. Those of a `strict` one allow no more than the schemas do, those of
    /// another one no less. `None` if they are too many or too deep.
    pub(super) fn branches(
        &self,
        all: &[&'a Value],
        strict: bool,
        depth: usize,
    ) -> Option<Branches<'a>> {
        let key = (
            all.iter().map(|one| std::ptr::from_ref(*one)).collect(),
            strict,
        );
        if let Some(found) = self.found.borrow().get(&key) {
            return found.clone();
        }
        let mut found = vec![Branch::default()];
        for schema in all {
            found = self.product(&found, &self.expand(schema, strict, depth + 1)?)?;
        }
        let found = Some(Rc::new(found));
        self.found.borrow_mut().insert(key, found.clone());
        found
    }

    fn expand(&self, schema: &'a Value, strict: bool, depth: usize) -> Option<Vec<Branch<'a>>> {
        let part = match schema {
            Value::Object(part) => part,
            Value::Bool(false) => return Some(Vec::new()),
            _ => return Some(vec![Branch::default()]),
        };
        if depth > DEEP {
            self.meter.stop("its schemas are nested too deep");
            return None;
        }
        if !self.meter.step(1) {
            return None;
        }
        let mut all = vec![Branch {
            parts: vec![part],
            ..Branch::default()
        }];
        if let Some(reference) = part.get("$ref") {
            let target = self.target(reference.as_str()?)?;
            all = self.product(&all, &self.expand(target, strict, depth + 1)?)?;
        }
        for inner in part.get("allOf").map_or(&[][..], elements) {
            all = self.product(&all, &self.expand(inner, strict, depth + 1)?)?;
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(list) = part.get(keyword) else {
                continue;
            };
            let groups = elements(list).iter();
            let groups: Option<Vec<_>> = groups
                .map(|inner| self.expand(inner, strict, depth + 1))
                .collect();
            let groups = groups?;
            if strict && keyword == "oneOf" && !self.are_disjoint(&groups) {
                all.iter_mut().for_each(|one| one.undivided.push(part));
                continue;
            }
            all = self.product(&all, &groups.concat())?;
        }
        if part.contains_key("unevaluatedProperties") {
            self.close(&mut all, strict, depth)?;
        }
        Some(all)
    }

    /// All conjunctions of a branch of the one and a branch of the other, except for those that allow nothing.
    fn product(&self, all: &[Branch<'a>], others: &[Branch<'a>]) -> Option<Vec<Branch<'a>>> {
        let count = all.len() * others.len();
        if count > MOST_BRANCHES || !self.meter.step(count as u64) {
            self.meter.stop("it has too many alternatives");
            return None;
        }
        let mut found = Vec::new();
        for one in all {
            for other in others {
                let mut both = one.clone();
                both.parts.extend(&other.parts);
                both.closures.extend(other.closures.iter().cloned());
                both.undivided.extend(&other.undivided);
                if !both.types().is_empty() {
                    found.push(both);
                }
            }
        }
        Some(found)
    }

    /// Lets branches take only what they declare, or what others declare that may hold at once.
    fn close(&self, all: &mut [Branch<'a>], strict: bool, depth: usize) -> Option<()> {
        let closures: Option<Vec<Closure<'a>>> = (0..all.len())
            .map(|index| {
                let own = &all[index];
                if !self.meter.step(all.len() as u64) {
                    return None;
                }
                let mut siblings = Vec::new();
                for (at, other) in all.iter().enumerate() {
                    if at != index && !is_disjoint(own, other) {
                        siblings
                            .extend(other.parts.iter().filter(|part| !own.parts.contains(part)));
                    }
                }
                let mut parts = own.parts.clone();
                // A strict branch does not count on conditions.
                for part in own.parts.iter().filter(|_| !strict) {
                    let all = ["if", "then", "else"].iter();
                    let all = all.filter_map(|name| part.get(*name));
                    let all = all.chain(named(part, "dependentSchemas").map(|(_, inner)| inner));
                    for inner in all {
                        let branches = self.expand(inner, false, depth + 1)?;
                        parts.extend(branches.into_iter().flat_map(|one| one.parts));
                    }
                }
                Some(Closure {
                    own: parts,
                    siblings,
                })
            })
            .collect();
        for (branch, closure) in all.iter_mut().zip(closures?) {
            branch.closures.push(closure);
        }
        Some(())
    }

    /// Whether no value has a branch in two of these groups.
    fn are_disjoint(&self, groups: &[Vec<Branch<'a>>]) -> bool {
        let pairs = groups.iter().enumerate();
        pairs.clone().all(|(index, one)| {
            groups[index + 1..].iter().all(|other| {
                one.iter().all(|one| {
                    self.meter.step(1) && other.iter().all(|other| is_disjoint(one, other))
                })
            })
        })
    }

    /// Whether the validator takes a text where a schema has only this keyword.
    pub(super) fn takes(&self, keyword: &'static str, value: &'a str, text: &str) -> bool {
        let key = (keyword, value, text.to_owned());
        if let Some(known) = self.texts.borrow().get(&key) {
            return *known;
        }
        self.meter.step(10);
        let schema = Json::new(ObjectWriter::new().text(keyword, value).end());
        let budget = Budget {
            steps: 200_000,
            ..Budget::default()
        };
        let takes = schema.is_ok_and(|schema| {
            check_value_within(&schema, &Json::from(text), &mut Allowance::new(budget)).is_ok()
        });
        self.texts.borrow_mut().insert(key, takes);
        takes
    }

    /// The schemas in a part for the value of a member; `None` if it does not declare the member.
    fn declared(&self, part: &'a Members, name: &Name<'_>) -> Option<Vec<&'a Value>> {
        let mut all = Vec::new();
        if let Name::Known(name) = name {
            all.extend(part.get("properties").and_then(|all| all.get(name)));
        }
        for (pattern, inner) in named(part, "patternProperties") {
            let matches = match name {
                Name::Known(name) => self.takes("pattern", pattern, name),
                Name::Matching(all) => all.contains(&pattern.as_str()),
            };
            all.extend(matches.then_some(inner));
        }
        if all.is_empty() {
            all.extend(part.get("additionalProperties"));
        }
        (!all.is_empty()).then_some(all)
    }

    /// What holds of the value of a member, one of several conjunctions, and whether the branch declares it itself;
    /// `None` if it takes no such member.
    pub(super) fn member(
        &self,
        branch: &Branch<'a>,
        name: &Name<'_>,
    ) -> Option<(Vec<Vec<&'a Value>>, bool)> {
        let own = branch
            .parts
            .iter()
            .filter_map(|part| self.declared(part, name));
        let mut ways = vec![own.flatten().collect::<Vec<_>>()];
        let mut is_own = true;
        for closure in &branch.closures {
            if closure
                .own
                .iter()
                .any(|part| self.declared(part, name).is_some())
            {
                continue;
            }
            let siblings = closure.siblings.iter();
            let siblings = siblings.filter_map(|part| self.declared(part, name));
            let siblings: Vec<_> = siblings.collect();
            is_own = false;
            if siblings.len() * ways.len() > MOST_BRANCHES {
                continue;
            }
            let with = |way: &Vec<&'a Value>| {
                let way = way.clone();
                siblings
                    .iter()
                    .map(move |other| [way.clone(), other.clone()].concat())
            };
            ways = ways.iter().flat_map(with).collect();
            if ways.is_empty() {
                return None;
            }
        }
        Some((ways, is_own))
    }

    /// What holds of the value of a member in a strict branch; `None` if it takes no such member, which it does if
    /// the question is not whether it is declared.
    pub(super) fn strict_member(
        &self,
        branch: &Branch<'a>,
        name: &Name<'_>,
        is_declared: bool,
    ) -> Option<Vec<&'a Value>> {
        let is_taken = branch.closures.iter().all(|closure| {
            let mut own = closure.own.iter();
            own.any(|part| self.declared(part, name).is_some())
        });
        let all = branch
            .parts
            .iter()
            .filter_map(|part| self.declared(part, name));
        (is_taken || !is_declared).then(|| all.flatten().collect())
    }
}

/// Whether no value is in both branches: their types differ, or their values, or those of a member that both need.
fn is_disjoint(one: &Branch<'_>, other: &Branch<'_>) -> bool {
    let differ = |left: Option<Vec<&Value>>, right: Option<Vec<&Value>>| {
        let both = left.zip(right);
        both.is_some_and(|(left, right)| left.iter().all(|value| !right.contains(value)))
    };
    let (kinds, required) = (other.types(), other.required());
    let shared = one.types().into_iter().filter(|kind| kinds.contains(kind));
    shared.into_iter().all(|kind| {
        differ(one.listed(None), other.listed(None))
            || kind == Type::Object
                && one
                    .required()
                    .intersection(&required)
                    .any(|name| differ(one.listed(Some(name)), other.listed(Some(name))))
    })
}

static NULL: [Value; 1] = [Value::Null];
static TRUTHS: [Value; 2] = [Value::Bool(true), Value::Bool(false)];

impl<'a> Branch<'a> {
    /// The types of values that it may allow.
    pub(super) fn types(&self) -> Vec<Type> {
        let is = |kind: &Value, of: Type| {
            let name = kind.as_str().unwrap_or_default();
            name == of.name() || of == Type::Number && name == "integer"
        };
        let allows = |part: &&Members, of: Type| {
            let kinds = part.get("type");
            kinds.is_none_or(|kinds| {
                is(kinds, of) || elements(kinds).iter().any(|kind| is(kind, of))
            })
        };
        let all = Type::ALL.into_iter();
        all.filter(|of| self.parts.iter().all(|part| allows(part, *of)))
            .collect()
    }

    /// Whether its numbers are whole.
    pub(super) fn is_integer(&self) -> bool {
        let is = |kind: Option<&Value>, name: &str| {
            let kinds = kind.map(|kind| (kind.as_str(), elements(kind)));
            kinds.is_some_and(|(text, all)| {
                text == Some(name) || all.iter().any(|kind| kind.as_str() == Some(name))
            })
        };
        let mut parts = self.parts.iter().map(|part| part.get("type"));
        parts.any(|kind| is(kind, "integer") && !is(kind, "number"))
            || self.multiples().any(Decimal::is_whole)
    }

    /// The values that `enum` and `const` leave, of it or of a member that it declares itself.
    fn listed(&self, name: Option<&str>) -> Option<Vec<&'a Value>> {
        let mut left: Option<Vec<&Value>> = None;
        for part in &self.parts {
            let part = match name {
                Some(name) => part
                    .get("properties")
                    .and_then(|all| all.get(name)?.as_object()),
                None => Some(*part),
            };
            let lists = [
                part.and_then(|part| part.get("enum")).map(elements),
                part.and_then(|part| part.get("const"))
                    .map(std::slice::from_ref),
            ];
            for list in lists.into_iter().flatten() {
                let keep = |value: &&Value| left.as_ref().is_none_or(|left| left.contains(value));
                left = Some(list.iter().filter(keep).collect());
            }
        }
        left
    }

    /// Its values of a type, if they are listed.
    pub(super) fn values(&self, of: Type) -> Option<Vec<&'a Value>> {
        let all = self.listed(None);
        match (all, of) {
            (Some(all), _) => Some(
                all.into_iter()
                    .filter(|value| Type::of(value) == of)
                    .collect(),
            ),
            (None, Type::Bool) => Some(TRUTHS.iter().collect()),
            (None, Type::Null) => Some(NULL.iter().collect()),
            _ => None,
        }
    }

    /// The values of a keyword in all parts.
    pub(super) fn all(&self, keyword: &str) -> impl Iterator<Item = &'a Value> {
        self.parts.iter().filter_map(move |part| part.get(keyword))
    }

    pub(super) fn numbers(&self, keyword: &str) -> impl Iterator<Item = Decimal> {
        self.all(keyword).filter_map(|value| match value {
            Value::Number(number) => Decimal::of(number),
            _ => None,
        })
    }

    pub(super) fn multiples(&self) -> impl Iterator<Item = Decimal> {
        self.numbers("multipleOf")
    }

    /// The least and the greatest of what a pair of keywords such as `minLength` and `maxLength` allow.
    pub(super) fn limits(&self, least: &str, most: &str) -> (u64, u64) {
        let least = self.all(least).filter_map(limit).max();
        let most = self.all(most).filter_map(limit).min();
        (least.unwrap_or(0), most.unwrap_or(u64::MAX))
    }

    /// A bound of its numbers and whether that is excluded: the upper one, or the lower one with its sign turned.
    pub(super) fn bound(&self, upper: bool) -> Option<(Decimal, bool)> {
        let (at, beyond) = match upper {
            true => ("maximum", "exclusiveMaximum"),
            false => ("minimum", "exclusiveMinimum"),
        };
        let turned = |number: Decimal| if upper { number } else { number.negative() };
        let at = self.numbers(at).map(|number| (turned(number), false));
        let beyond = self.numbers(beyond).map(|number| (turned(number), true));
        let bound = at
            .chain(beyond)
            .min_by_key(|(number, excluded)| (*number, !excluded))?;
        if !self.is_integer() {
            return Some(bound);
        }
        // Of whole numbers, the greatest within the bound.
        let whole = bound.0.floor(Decimal::whole(1)).unwrap_or(bound.0);
        let excluded = bound.1 && whole == bound.0;
        let down = |number: Decimal| number.minus(Decimal::whole(1)).unwrap_or(number);
        Some((if excluded { down(whole) } else { whole }, false))
    }

    /// The names of members that have to be there.
    pub(super) fn required(&self) -> BTreeSet<&'a str> {
        let names = self.all("required").flat_map(elements);
        names.filter_map(Value::as_str).collect()
    }

    /// The names of members, or the patterns of such, that it or a branch beside it declares.
    pub(super) fn names(&self, keyword: &str) -> BTreeSet<&'a str> {
        let closures = self.closures.iter();
        let beside = closures.flat_map(|closure| closure.own.iter().chain(&closure.siblings));
        let parts = self.parts.iter().chain(beside);
        parts
            .flat_map(|part| named(part, keyword))
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// What holds of the element at an index.
    pub(super) fn element(&self, index: usize) -> Vec<&'a Value> {
        let parts = self.parts.iter().filter_map(|part| {
            let first = part.get("prefixItems").map_or(&[][..], elements);
            first.get(index).or_else(|| part.get("items"))
        });
        parts.collect()
    }

    /// How many elements have schemas of their own.
    pub(super) fn tuple(&self) -> usize {
        self.all("prefixItems")
            .map(|all| elements(all).len())
            .max()
            .unwrap_or(0)
    }
}

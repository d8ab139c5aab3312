//! One way to fit a schema.

use std::collections::BTreeSet;

use serde_json::Value;

use super::value::{Decimal, decimal, elements, limit};

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
    const ALL: [(Type, &'static str); 6] = [
        (Type::Text, "string"),
        (Type::Number, "number"),
        (Type::Bool, "boolean"),
        (Type::Null, "null"),
        (Type::Array, "array"),
        (Type::Object, "object"),
    ];

    fn of(value: &Value) -> Type {
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

/// One way to fit a schema.
#[derive(Debug, Clone, Default)]
pub(super) struct Branch<'a> {
    /// The schema objects that all hold. Their alternatives and references count no more.
    pub(super) parts: Vec<&'a Value>,
    pub(super) closures: Vec<Closure<'a>>,
    /// Those of the parts whose `oneOf` does count, as its alternatives may hold together.
    pub(super) undivided: Vec<&'a Value>,
}

/// A place that takes only what its parts declare.
#[derive(Debug, Clone)]
pub(super) struct Closure<'a> {
    pub(super) own: Vec<&'a Value>,
    /// Whether another branch may hold beside this one, and declare more.
    pub(super) is_open: bool,
}

/// A part of a branch, and one of its keywords.
pub(super) type Keyword<'a> = (&'a Value, &'a str);

/// What stands in a keyword with one schema for each name.
pub(super) fn named<'a>(
    part: &'a Value,
    keyword: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let all = part.get(keyword).and_then(Value::as_object);
    all.into_iter().flatten()
}

/// Whether no value is in both branches: their types differ, or their values, or those of a member that both need.
pub(super) fn is_disjoint(one: &Branch<'_>, other: &Branch<'_>) -> bool {
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
    pub(super) fn and(&self, other: &Branch<'a>) -> Branch<'a> {
        let mut both = self.clone();
        both.parts.extend(&other.parts);
        both.closures.extend(other.closures.iter().cloned());
        both.undivided.extend(&other.undivided);
        both
    }

    /// The types of values that it may allow.
    pub(super) fn types(&self) -> Vec<Type> {
        let allows = |part: &&Value, name: &str| {
            let is = |kind: &Value| {
                let kind = kind.as_str();
                kind == Some(name) || kind == Some("integer") && name == "number"
            };
            let kinds = part.get("type");
            kinds.is_none_or(|kinds| is(kinds) || elements(kinds).iter().any(is))
        };
        let all = Type::ALL.into_iter();
        let all = all.filter(|(_, name)| self.parts.iter().all(|part| allows(part, name)));
        all.map(|(kind, _)| kind).collect()
    }

    /// The parts that allow whole numbers only.
    pub(super) fn integers(&self) -> Vec<Keyword<'a>> {
        let is = |part: &Value, name: &str| {
            let kinds = part.get("type").into_iter();
            let mut kinds = kinds.flat_map(|kind| std::iter::once(kind).chain(elements(kind)));
            kinds.any(|kind| kind.as_str() == Some(name))
        };
        let parts = self.parts.iter().copied();
        let integers = parts.filter_map(|part| {
            let of = part.get("multipleOf").and_then(decimal);
            let is_integer = is(part, "integer") && !is(part, "number");
            match of.is_some_and(Decimal::is_whole) {
                true => Some((part, "multipleOf")),
                false => is_integer.then_some((part, "type")),
            }
        });
        integers.collect()
    }

    pub(super) fn is_integer(&self) -> bool {
        !self.integers().is_empty()
    }

    /// The values that `enum` and `const` leave, of it or of a member that it declares itself.
    pub(super) fn listed(&self, name: Option<&str>) -> Option<Vec<&'a Value>> {
        let mut left: Option<Vec<&Value>> = None;
        for part in &self.parts {
            let part = match name {
                Some(name) => part.get("properties").and_then(|all| all.get(name)),
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
        match (self.listed(None), of) {
            (Some(mut all), _) => {
                all.retain(|value| Type::of(value) == of);
                Some(all)
            }
            (None, Type::Bool) => Some(TRUTHS.iter().collect()),
            (None, Type::Null) => Some(NULL.iter().collect()),
            _ => None,
        }
    }

    /// The values of a keyword in all parts.
    pub(super) fn all(&self, keyword: &str) -> impl Iterator<Item = &'a Value> {
        self.parts.iter().filter_map(move |part| part.get(keyword))
    }

    /// The parts that have a keyword.
    pub(super) fn with(&self, keyword: &'static str) -> Vec<Keyword<'a>> {
        let has = |part: &&Value| part.get(keyword).is_some();
        let parts = self.parts.iter().copied().filter(has);
        parts.map(|part| (part, keyword)).collect()
    }

    pub(super) fn is_unique(&self) -> bool {
        self.all("uniqueItems").any(|is| *is == Value::Bool(true))
    }

    pub(super) fn multiples(&self) -> impl Iterator<Item = Decimal> {
        self.all("multipleOf").filter_map(decimal)
    }

    /// The least and the greatest of what a pair of keywords such as `minLength` and `maxLength` allow.
    pub(super) fn limits(&self, least: &str, most: &str) -> (u64, u64) {
        let least = self.all(least).filter_map(limit).max();
        let most = self.all(most).filter_map(limit).min();
        (least.unwrap_or(0), most.unwrap_or(u64::MAX))
    }

    /// A bound of its numbers and whether that is excluded: the upper one, or the lower one with its sign turned.
    pub(super) fn bound(&self, upper: bool) -> Option<(Decimal, bool)> {
        let [at, beyond] = bounds(upper);
        let turned = |number: Decimal| if upper { number } else { number.negative() };
        let at = self.all(at).filter_map(decimal);
        let at = at.map(|number| (turned(number), false));
        let beyond = self.all(beyond).filter_map(decimal);
        let beyond = beyond.map(|number| (turned(number), true));
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

    /// The names of members, or the patterns of such, that it declares.
    pub(super) fn names(&self, keyword: &str) -> BTreeSet<&'a str> {
        let closures = self.closures.iter().flat_map(|closure| &closure.own);
        let parts = self.parts.iter().chain(closures);
        let names = parts.flat_map(|part| named(part, keyword));
        names.map(|(name, _)| name.as_str()).collect()
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
        let all = self.all("prefixItems").map(|all| elements(all).len());
        all.max().unwrap_or(0)
    }
}

/// The keywords of the upper or the lower bound.
pub(super) fn bounds(upper: bool) -> [&'static str; 2] {
    match upper {
        true => ["maximum", "exclusiveMaximum"],
        false => ["minimum", "exclusiveMinimum"],
    }
}

//! A schema as alternatives: each is of one type, and says all at once of the values that it allows.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::graph::{FALSE, Id, TRUE};
use super::value::{Decimal, Value};

/// The types of JSON values; `integer` is a number that is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Type {
    Null,
    Bool,
    Number,
    Text,
    Array,
    Object,
}

impl Type {
    pub(super) const ALL: [Type; 6] = [
        Type::Null,
        Type::Bool,
        Type::Number,
        Type::Text,
        Type::Array,
        Type::Object,
    ];

    pub(super) fn of(value: &Value) -> Type {
        match value {
            Value::Null => Type::Null,
            Value::Bool(_) => Type::Bool,
            Value::Number(_) => Type::Number,
            Value::Text(_) => Type::Text,
            Value::Array(_) => Type::Array,
            Value::Object(_) => Type::Object,
        }
    }
}

/// A bound of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) at: Decimal,
    pub(super) exclusive: bool,
}

impl Bound {
    fn at(at: Decimal) -> Bound {
        Bound {
            at,
            exclusive: false,
        }
    }
}

/// `prefixItems` and `items` of one schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct List {
    pub(super) prefix: Vec<Id>,
    pub(super) rest: Id,
}

/// `contains` of one schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contains {
    pub(super) schema: Id,
    pub(super) least: u64,
    pub(super) most: Option<u64>,
}

/// `properties`, `patternProperties` and `additionalProperties` of one schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) properties: BTreeMap<String, Id>,
    pub(super) patterns: BTreeMap<String, Id>,
    /// Nothing if there is none, which allows every other member and looks at none.
    pub(super) rest: Option<Id>,
}

/// What is only compared, never looked into: a keyword, and which of its cases it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Opaque {
    pub(super) keyword: String,
    pub(super) schema: Id,
    pub(super) case: usize,
}

/// All that holds of the values of one alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alternative {
    pub(super) kind: Type,
    /// The only values, sorted, if they are few.
    pub(super) values: Option<Vec<Value>>,
    pub(super) integer: bool,
    pub(super) low: Option<Bound>,
    pub(super) high: Option<Bound>,
    pub(super) multiples: Vec<Decimal>,
    /// The least and the most characters, elements or members.
    pub(super) least: u64,
    pub(super) most: Option<u64>,
    pub(super) unique: bool,
    pub(super) lists: Vec<List>,
    pub(super) contains: Vec<Contains>,
    pub(super) required: BTreeSet<String>,
    pub(super) groups: Vec<Rc<Group>>,
    pub(super) names: Vec<Id>,
    pub(super) opaque: BTreeSet<Opaque>,
}

impl Alternative {
    /// Every value of a type.
    pub(super) fn any(kind: Type) -> Self {
        let values = match kind {
            Type::Null => Some(vec![Value::Null]),
            Type::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            _ => None,
        };
        Alternative {
            kind,
            values,
            integer: false,
            low: None,
            high: None,
            multiples: Vec::new(),
            least: 0,
            most: None,
            unique: false,
            lists: Vec::new(),
            contains: Vec::new(),
            required: BTreeSet::new(),
            groups: Vec::new(),
            names: Vec::new(),
            opaque: BTreeSet::new(),
        }
    }

    /// One value.
    pub(super) fn only(value: Value) -> Self {
        let mut only = Alternative::any(Type::of(&value));
        only.values = Some(vec![value]);
        only
    }

    /// What holds of both; nothing if no value is seen to do so.
    pub(super) fn and(&self, other: &Alternative) -> Option<Alternative> {
        if self.kind != other.kind {
            return None;
        }
        let mut both = self.clone();
        both.values = match (both.values.take(), &other.values) {
            (Some(mut one), Some(other)) => {
                one.retain(|value| other.binary_search(value).is_ok());
                Some(one)
            }
            (one, other) => one.or_else(|| other.clone()),
        };
        both.integer |= other.integer;
        both.raise(other.low);
        both.lower(other.high);
        add(&mut both.multiples, &other.multiples);
        both.least = both.least.max(other.least);
        both.most = both.most.into_iter().chain(other.most).min();
        both.unique |= other.unique;
        add(&mut both.lists, &other.lists);
        add(&mut both.contains, &other.contains);
        both.required.extend(other.required.iter().cloned());
        add(&mut both.groups, &other.groups);
        add(&mut both.names, &other.names);
        both.opaque.extend(other.opaque.iter().cloned());
        (!both.is_plainly_empty()).then_some(both)
    }

    /// How much it holds.
    pub(super) fn size(&self) -> usize {
        let lists = self.lists.iter().map(|list| list.prefix.len());
        self.values.as_ref().map_or(0, Vec::len)
            + self.multiples.len()
            + lists.sum::<usize>()
            + self.lists.len()
            + self.contains.len()
            + self.required.len()
            + self.groups.len()
            + self.names.len()
            + self.opaque.len()
    }

    pub(super) fn raise(&mut self, bound: Option<Bound>) {
        let key = |bound: &Bound| (bound.at, bound.exclusive);
        self.low = self.low.into_iter().chain(bound).max_by_key(key);
    }

    pub(super) fn lower(&mut self, bound: Option<Bound>) {
        let key = |bound: &Bound| (bound.at, !bound.exclusive);
        self.high = self.high.into_iter().chain(bound).min_by_key(key);
    }

    /// Whether the numbers and the counts alone leave no value.
    pub(super) fn is_plainly_empty(&self) -> bool {
        let crossed = |low: Bound, high: Bound| {
            low.at > high.at || low.at == high.at && (low.exclusive || high.exclusive)
        };
        self.values.as_ref().is_some_and(Vec::is_empty)
            || self.most.is_some_and(|most| most < self.least)
            || matches!((self.low, self.high), (Some(low), Some(high)) if crossed(low, high))
    }

    /// Whether a number is within the bounds and has the multiples; nothing if that is not known.
    pub(super) fn has_number(&self, number: Decimal) -> Option<bool> {
        let above = self
            .low
            .is_none_or(|low| number > low.at || number == low.at && !low.exclusive);
        let below = self
            .high
            .is_none_or(|high| number < high.at || number == high.at && !high.exclusive);
        if !above || !below || self.integer && !number.is_whole() {
            return Some(false);
        }
        let mut known = Some(true);
        for of in &self.multiples {
            match number.is_multiple_of(*of) {
                Some(false) => return Some(false),
                Some(true) => {}
                None => known = None,
            }
        }
        known
    }

    /// Writes the bounds of integers as integers, and lists those between them where they are few.
    pub(super) fn list_integers(&mut self) {
        let one = Decimal::whole(1);
        if self.integer {
            self.low = self.low.map(|low| match low.at.floor(one) {
                Some(floor) if low.exclusive || floor != low.at => {
                    floor.plus(one).map_or(low, Bound::at)
                }
                _ => low,
            });
            self.high = self.high.map(|high| match high.at.floor(one) {
                Some(floor) if floor != high.at => Bound::at(floor),
                Some(floor) if high.exclusive => floor.minus(one).map_or(high, Bound::at),
                _ => high,
            });
        }
        const FEW: i128 = 64;
        let (Some(low), Some(high), true, None) = (self.low, self.high, self.integer, &self.values)
        else {
            return;
        };
        let floor = |at: Decimal| at.floor(one).and_then(Decimal::to_i128);
        let (Some(from), Some(to)) = (floor(low.at), floor(high.at)) else {
            return;
        };
        if to.saturating_sub(from) > FEW {
            return;
        }
        let numbers: Vec<_> = (from..=to).map(Decimal::whole).collect();
        let known: Option<Vec<bool>> = numbers
            .iter()
            .map(|number| self.has_number(*number))
            .collect();
        if let Some(known) = known {
            let numbers = numbers.into_iter().zip(known).filter(|(_, has)| *has);
            self.values = Some(numbers.map(|(number, _)| Value::Number(number)).collect());
        }
    }

    /// What holds of the member of a name: all of these.
    pub(super) fn member(&self, name: &str, matches: &mut dyn FnMut(&str) -> bool) -> Vec<Id> {
        let mut all = BTreeSet::new();
        for group in &self.groups {
            let own = group.properties.get(name).copied();
            let matched = group
                .patterns
                .iter()
                .filter(|(pattern, _)| matches(pattern));
            let mut said: Vec<Id> = own.into_iter().chain(matched.map(|(_, id)| *id)).collect();
            if said.is_empty() {
                said.extend(group.rest);
            }
            all.extend(said);
        }
        all.remove(&TRUE);
        all.into_iter().collect()
    }

    /// The names that a group of this has of its own.
    pub(super) fn named(&self) -> BTreeSet<&str> {
        let names = self.groups.iter().flat_map(|group| group.properties.keys());
        names.map(String::as_str).collect()
    }

    /// The names and the patterns of the members that are looked at; nothing if all are.
    pub(super) fn looked_at(&self) -> Option<(BTreeSet<&str>, BTreeSet<&str>)> {
        if self.groups.iter().any(|group| group.rest.is_some()) {
            return None;
        }
        let patterns = self.groups.iter().flat_map(|group| group.patterns.keys());
        Some((self.named(), patterns.map(String::as_str).collect()))
    }

    /// What holds of the element at an index: all of these.
    pub(super) fn element(&self, index: usize) -> Vec<Id> {
        let all = self
            .lists
            .iter()
            .map(|list| list.prefix.get(index).copied().unwrap_or(list.rest));
        let mut all: BTreeSet<Id> = all.collect();
        all.remove(&TRUE);
        all.into_iter().collect()
    }

    /// How many elements have a schema of their own.
    pub(super) fn prefix(&self) -> usize {
        self.lists
            .iter()
            .map(|list| list.prefix.len())
            .max()
            .unwrap_or(0)
    }

    /// Lets an object have no members beside those that its groups have looked at.
    pub(super) fn shut(&mut self) {
        if self.kind != Type::Object || self.groups.iter().any(|group| group.rest.is_some()) {
            return;
        }
        let properties = self
            .named()
            .into_iter()
            .map(|name| (name.to_owned(), TRUE))
            .collect();
        let patterns = self.groups.iter().flat_map(|group| group.patterns.keys());
        let patterns = patterns.map(|pattern| (pattern.clone(), TRUE)).collect();
        self.groups.push(Rc::new(Group {
            properties,
            patterns,
            rest: Some(FALSE),
        }));
    }
}

impl Alternative {
    /// Takes the member of a name away. It does not count as one that was looked at.
    pub(super) fn forbid(&mut self, name: &str) {
        self.groups.push(Rc::new(Group {
            properties: BTreeMap::from([(name.to_owned(), FALSE)]),
            patterns: BTreeMap::new(),
            rest: None,
        }));
    }
}

/// Adds what is not there yet.
fn add<T: Clone + PartialEq>(all: &mut Vec<T>, others: &[T]) {
    for other in others {
        if !all.contains(other) {
            all.push(other.clone());
        }
    }
}

/// Keywords that are only compared: those that are not decided, and those that 2020-12 does not have.
pub(super) fn is_opaque(name: &str) -> bool {
    let is_known = super::dialect::ONE.contains(&name)
        || super::dialect::MANY.contains(&name)
        || super::dialect::NAMED.contains(&name)
        || super::graph::is_remark(name)
        || matches!(
            name,
            "$ref"
                | "const"
                | "dependentRequired"
                | "enum"
                | "exclusiveMaximum"
                | "exclusiveMinimum"
                | "maxContains"
                | "maxItems"
                | "maxLength"
                | "maxProperties"
                | "maximum"
                | "minContains"
                | "minItems"
                | "minLength"
                | "minProperties"
                | "minimum"
                | "multipleOf"
                | "required"
                | "type"
                | "uniqueItems"
        );
    !is_known || matches!(name, "contentSchema" | "not")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_twice_is_held_once() {
        let mut one = Alternative::any(Type::Array);
        let rest = TRUE;
        one.lists.push(List {
            prefix: vec![FALSE],
            rest,
        });
        one.multiples.push(Decimal::whole(2));
        one.forbid("a");
        let mut all = one.clone();
        for _ in 0..40 {
            all = all.and(&all).unwrap();
        }
        assert_eq!(all, one);
        assert_eq!(all.size(), one.size());
    }
}

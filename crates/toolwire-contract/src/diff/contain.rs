//! Proofs that one schema allows all that another allows (28.4).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::alternatives::{Alternative, Contains, Group, Opaque, Type};
use super::engine::{Engine, Stop};
use super::graph::{FALSE, Id, Node, TEXT, TRUE};
use super::value::{Decimal, Value};

/// So many times an alternative is split into cases, one in the other.
const SPLITS: usize = 4;
/// The most patterns of names that are looked at together.
const PATTERNS: usize = 4;

impl Engine {
    /// Whether it is proven that each value that all of `old` allow is allowed by all of `new`. What is
    /// not proven need not be wrong.
    ///
    /// A pair that is met again inside of its own proof counts as proven: it is about a part of the value
    /// then, and values are finite (DIFF-24).
    pub(super) fn contains(&mut self, old: &[Id], new: &[Id]) -> Result<bool, Stop> {
        self.step(1)?;
        let mut new: Vec<Id> = new.iter().copied().filter(|id| *id != TRUE).collect();
        new.retain(|id| !old.iter().any(|one| self.graph.same(*one, *id)));
        if new.is_empty() || old.contains(&FALSE) {
            return Ok(true);
        }
        let pair = (old.to_vec(), new);
        if self.known.contains(&pair) {
            return Ok(true);
        }
        if self.failed.contains(&pair) {
            return Ok(false);
        }
        let before = self.proven.len();
        self.proven.push(pair.clone());
        self.known.insert(pair.clone());
        let proven = self.deeper(|engine| engine.prove(&pair.0, &pair.1));
        if !matches!(proven, Ok(true)) {
            // What was proven since may have counted on it.
            for pair in self.proven.drain(before..) {
                self.known.remove(&pair);
            }
            if proven == Ok(false) {
                self.failed.insert(pair);
            }
        }
        proven
    }

    fn prove(&mut self, old: &[Id], new: &[Id]) -> Result<bool, Stop> {
        let olds = self.all_of(old)?;
        let news = self.all_of(new)?;
        for one in olds.iter() {
            if !self.covered(one, &news, new, 0)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether all values of one alternative are allowed by some alternatives, which are those of the
    /// schemas `new`.
    fn covered(
        &mut self,
        one: &Alternative,
        news: &[Alternative],
        new: &[Id],
        splits: usize,
    ) -> Result<bool, Stop> {
        self.step(1)?;
        if let Some(values) = &one.values {
            for value in values.clone() {
                let holds = self.holds_all(new, &value, Some(&one.opaque))?;
                if holds != Some(true) && !self.is_none_of(one, &value)? {
                    self.note(|| {
                        format!("whether {} is still allowed is not decided", brief(&value))
                    });
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let rivals: Vec<&Alternative> =
            news.iter().filter(|other| other.kind == one.kind).collect();
        for other in &rivals {
            if self.within(one, other)? {
                return Ok(true);
            }
        }
        if self.is_empty(one, 0)? {
            return Ok(true);
        }
        if splits == SPLITS || rivals.len() < 2 || one.kind != Type::Object {
            return Ok(false);
        }
        for cases in self.splits(one, &rivals)? {
            let mut all = true;
            for case in &cases {
                if !self.is_empty(case, 0)? && !self.covered(case, news, new, splits + 1)? {
                    all = false;
                    break;
                }
            }
            if all {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an alternative is seen not to allow a value that it lists.
    fn is_none_of(&mut self, one: &Alternative, value: &Value) -> Result<bool, Stop> {
        Ok(match value {
            Value::Number(number) => one.has_number(*number) == Some(false),
            Value::Text(text) => {
                let count = text.chars().count() as u64;
                count < one.least || one.most.is_some_and(|most| count > most)
            }
            _ => false,
        })
    }

    /// Ways to tell the values of an object apart: by the values of a member, by its types, or by whether
    /// it is there. Each way is all of its cases.
    fn splits(
        &mut self,
        one: &Alternative,
        rivals: &[&Alternative],
    ) -> Result<Vec<Vec<Alternative>>, Stop> {
        /// The most cases of one split, and the most members that are tried.
        const CASES: usize = 40;
        const NAMES: usize = 8;
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for rival in rivals {
            names.extend(rival.named().into_iter().filter(|name| {
                rivals.iter().any(|other| {
                    let member = |all: &Alternative| all.member(name, &mut |_| false);
                    member(rival) != member(other)
                        || rival.required.contains(*name) != other.required.contains(*name)
                })
            }));
        }
        let mut ways = Vec::new();
        for name in names.into_iter().take(NAMES) {
            let member = one.member(name, &mut |pattern| self.matches(pattern, name));
            let all = self.all_of(&member)?;
            let mut there = Vec::new();
            for part in all.iter() {
                match &part.values {
                    Some(values) => there.extend(values.iter().cloned().map(Alternative::only)),
                    None => there.push(part.clone()),
                }
            }
            let required = one.required.contains(name);
            if there.len() > CASES || required && there.len() < 2 {
                continue;
            }
            let mut cases = Vec::new();
            for part in there {
                let part = self.graph.push(Node::Case(Box::new(part)));
                let mut case = one.clone();
                case.required.insert(name.to_owned());
                case.groups.push(Rc::new(Group {
                    properties: [(name.to_owned(), part)].into(),
                    patterns: BTreeMap::new(),
                    rest: None,
                }));
                cases.push(case);
            }
            if !required {
                let mut without = one.clone();
                without.forbid(name);
                cases.push(without);
            }
            ways.push(cases);
        }
        Ok(ways)
    }

    /// Whether all values of one alternative are values of another of its type.
    fn within(&mut self, one: &Alternative, other: &Alternative) -> Result<bool, Stop> {
        self.step(1)?;
        if other.values.is_some() {
            return Ok(false);
        }
        for needed in &other.opaque {
            if !self.has(&one.opaque, needed) {
                let keyword = needed.keyword.clone();
                self.note(|| format!("what `{keyword}` allows is not decided"));
                return Ok(false);
            }
        }
        match one.kind {
            Type::Null | Type::Bool => Ok(false),
            Type::Number => Ok(number_within(one, other)),
            Type::Text => Ok(count_within(one, other)),
            Type::Array => self.array_within(one, other),
            Type::Object => self.object_within(one, other),
        }
    }

    /// Whether something that is only compared stands there too.
    pub(super) fn has(&self, all: &BTreeSet<Opaque>, needed: &Opaque) -> bool {
        let keywords: &[&str] = match &*needed.keyword {
            "if" => &["if", "then", "else"],
            keyword => &[keyword],
        };
        all.iter().any(|own| {
            own.keyword == needed.keyword
                && own.case == needed.case
                && keywords
                    .iter()
                    .all(|name| self.graph.same_keyword(own.schema, needed.schema, name))
        })
    }

    fn array_within(&mut self, one: &Alternative, other: &Alternative) -> Result<bool, Stop> {
        let (mut one, mut other) = (one.clone(), other.clone());
        self.bound_elements(&mut one)?;
        self.bound_elements(&mut other)?;
        if !count_within(&one, &other)
            || other.unique && !one.unique && one.most.is_none_or(|most| most > 1)
        {
            return Ok(false);
        }
        for needed in &other.contains {
            if !self.has_contained(&one, needed)? {
                self.note(|| "what `contains` allows is not decided".to_owned());
                return Ok(false);
            }
        }
        let prefix = one.prefix().max(other.prefix());
        for index in 0..=prefix {
            if one.most.is_some_and(|most| index as u64 >= most) {
                return Ok(true);
            }
            if !self.contains(&one.element(index), &other.element(index))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// An array ends before an element that nothing can be.
    fn bound_elements(&mut self, one: &mut Alternative) -> Result<(), Stop> {
        for index in 0..=one.prefix() {
            if self.allows_nothing(&one.element(index), 0)? {
                let most = index as u64;
                one.most = Some(one.most.map_or(most, |own| own.min(most)));
                break;
            }
        }
        Ok(())
    }

    fn has_contained(&mut self, one: &Alternative, needed: &Contains) -> Result<bool, Stop> {
        if needed.least == 0 && needed.most.is_none() {
            return Ok(true);
        }
        let same = one.contains.iter().any(|own| {
            self.graph.same(own.schema, needed.schema)
                && own.least >= needed.least
                && needed
                    .most
                    .is_none_or(|most| own.most.is_some_and(|own| own <= most))
        });
        if same {
            return Ok(true);
        }
        // All elements are such, and there are enough of them.
        if needed.most.is_some() || one.least < needed.least {
            return Ok(false);
        }
        for index in 0..=one.prefix() {
            if !self.contains(&one.element(index), &[needed.schema])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn object_within(&mut self, one: &Alternative, other: &Alternative) -> Result<bool, Stop> {
        if !other.required.is_subset(&one.required) {
            return Ok(false);
        }
        let required = one.required.len() as u64;
        let has_least = other.least <= one.least.max(required);
        let has_most = other
            .most
            .is_none_or(|most| one.most.is_some_and(|own| own <= most));
        let names: BTreeSet<String> = one
            .named()
            .union(&other.named())
            .map(|name| (*name).to_owned())
            .collect();
        if !has_least || !has_most && !self.has_few(one, other)? {
            return Ok(false);
        }
        for name in &names {
            self.step(1)?;
            let member = |all: &Alternative, engine: &mut Engine| {
                all.member(name, &mut |pattern| engine.matches(pattern, name))
            };
            let (before, after) = (member(one, self), member(other, self));
            if !self.contains(&before, &after)? && !self.allows_nothing(&before, 0)? {
                return Ok(false);
            }
        }
        // All other names, by the patterns that they match.
        let patterns = patterns_of([one, other]);
        if patterns.len() > PATTERNS {
            self.note(|| "what so many `patternProperties` allow is not decided".to_owned());
            return Ok(false);
        }
        for chosen in 0..1_usize << patterns.len() {
            let mut matches = |pattern: &str| is_chosen(&patterns, chosen, pattern);
            // A name that is nobody's own.
            let (before, after) = (rest(one, &mut matches), rest(other, &mut matches));
            if !self.contains(&before, &after)? {
                if !patterns.is_empty() {
                    self.note(|| "what `patternProperties` allow is not decided".to_owned());
                }
                return Ok(false);
            }
        }
        for needed in &other.names {
            if !self.allows_names(one, *needed)? {
                self.note(|| "what `propertyNames` allows is not decided".to_owned());
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an object can't have more members than another may have, because it has no more names.
    fn has_few(&mut self, one: &Alternative, other: &Alternative) -> Result<bool, Stop> {
        let patterns = patterns_of([one]);
        if patterns.len() > PATTERNS {
            return Ok(false);
        }
        for chosen in 0..1_usize << patterns.len() {
            let others = rest(one, &mut |pattern| is_chosen(&patterns, chosen, pattern));
            if !self.allows_nothing(&others, 0)? {
                return Ok(false);
            }
        }
        let mut count = 0;
        for name in one.named() {
            let member = one.member(name, &mut |pattern| self.matches(pattern, name));
            count += u64::from(!self.allows_nothing(&member, 0)?);
        }
        Ok(other.most.is_none_or(|most| count <= most))
    }

    /// Whether a schema allows all names that an object can have.
    fn allows_names(&mut self, one: &Alternative, needed: Id) -> Result<bool, Stop> {
        let names: Vec<Id> = one.names.iter().copied().chain([TEXT]).collect();
        if self.contains(&names, &[needed])? {
            return Ok(true);
        }
        let patterns = one.groups.iter().any(|group| !group.patterns.is_empty());
        if patterns || !rest(one, &mut |_| false).contains(&FALSE) {
            return Ok(false);
        }
        let names: Vec<String> = one.named().into_iter().map(str::to_owned).collect();
        for name in names {
            let member = one.member(&name, &mut |_| false);
            if self.allows_nothing(&member, 0)? {
                continue;
            }
            if self.holds_all(&[needed], &Value::Text(name), Some(&BTreeSet::new()))? != Some(true)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Keeps the first thing that stood in the way.
    fn note(&mut self, reason: impl FnOnce() -> String) {
        self.obstacle.get_or_insert_with(reason);
    }
}

/// The patterns of names in some alternatives.
fn patterns_of<'a>(all: impl IntoIterator<Item = &'a Alternative>) -> Vec<&'a str> {
    let groups = all.into_iter().flat_map(|one| &one.groups);
    let patterns: BTreeSet<&String> = groups.flat_map(|group| group.patterns.keys()).collect();
    patterns.into_iter().map(String::as_str).collect()
}

/// Whether a pattern is one of those that are chosen by the bits of a number.
fn is_chosen(patterns: &[&str], chosen: usize, pattern: &str) -> bool {
    let index = patterns.iter().position(|one| *one == pattern);
    index.is_some_and(|index| chosen >> index & 1 == 1)
}

/// What holds of a member that no group has of its own, by the patterns that its name matches.
fn rest(all: &Alternative, matches: &mut dyn FnMut(&str) -> bool) -> Vec<Id> {
    let mut ids = BTreeSet::new();
    for group in &all.groups {
        let matched = group
            .patterns
            .iter()
            .filter(|(pattern, _)| matches(pattern));
        let mut said: Vec<Id> = matched.map(|(_, id)| *id).collect();
        if said.is_empty() {
            said.extend(group.rest);
        }
        ids.extend(said);
    }
    ids.remove(&TRUE);
    ids.into_iter().collect()
}

fn number_within(one: &Alternative, other: &Alternative) -> bool {
    let whole = one.integer || one.multiples.iter().any(|of| of.is_whole());
    let unit = Decimal::whole(1);
    let own = || {
        let all = one.multiples.iter().copied();
        all.chain(one.integer.then_some(unit))
    };
    // A multiple of all of them is one of the least that they have in common.
    let mut common = own();
    let first = common.next();
    let common = first.and_then(|first| common.try_fold(first, Decimal::least_common_multiple));
    let multiples = other.multiples.iter().all(|needed| {
        own()
            .chain(common)
            .any(|own| own.is_multiple_of(*needed) == Some(true))
    });
    let above = other.low.is_none_or(|needed| {
        one.low.is_some_and(|own| {
            own.at > needed.at || own.at == needed.at && (own.exclusive || !needed.exclusive)
        })
    });
    let below = other.high.is_none_or(|needed| {
        one.high.is_some_and(|own| {
            own.at < needed.at || own.at == needed.at && (own.exclusive || !needed.exclusive)
        })
    });
    multiples && above && below && (!other.integer || whole)
}

fn count_within(one: &Alternative, other: &Alternative) -> bool {
    one.least >= other.least
        && other
            .most
            .is_none_or(|most| one.most.is_some_and(|own| own <= most))
}

/// A value for a message.
pub(super) fn brief(value: &Value) -> String {
    format!("`{}`", toolwire::json::brief(&value.to_text(), 40))
}

//! What people and models read in schemas, defaults and access, which no proof is about (DIFF-42).

use std::collections::{BTreeMap, BTreeSet};

use toolwire::Json;
use toolwire::json::pointer;

use super::super::dialect::{Dialect, MANY, NAMED, ONE};
use super::super::graph::{Id, Keyword};
use super::super::say;
use super::super::value::Value;
use super::super::words::{Change, Verdict, What};
use super::{At, Direction, Walk, spelled};

/// The keywords, and what another value of them is.
const WORDS: [(&str, What, Verdict); 8] = [
    ("title", What::Title, Verdict::Text),
    ("description", What::Description, Verdict::Text),
    ("examples", What::Remark, Verdict::Text),
    ("$comment", What::Remark, Verdict::Text),
    ("deprecated", What::Remark, Verdict::Text),
    ("default", What::Default, Verdict::Behaviour),
    ("readOnly", What::Access, Verdict::Behaviour),
    ("writeOnly", What::Access, Verdict::Behaviour),
];
/// The most pairs of places that are walked through.
const MOST: usize = 20_000;

/// A word of a schema.
struct Word {
    /// Which of [`WORDS`] it is.
    index: usize,
    value: Value,
    place: String,
    /// Whether the change of a parameter has it.
    is_told: bool,
}

/// A place that is looked at later.
type Spot = (Id, String);

impl Walk<'_> {
    /// Compares two places, and what they refer to.
    pub(super) fn remarks(
        &mut self,
        old: At<'_>,
        new: At<'_>,
        old_target: At<'_>,
        new_target: At<'_>,
    ) {
        for (keyword, what, verdict) in WORDS {
            let graph = &self.pair.engine.graph;
            let own = |at: At<'_>| graph.value(at.0, keyword).cloned();
            let (mut before, mut after) = (own(old), own(new));
            let (mut old, mut new) = (old, new);
            if before.is_none() {
                (before, old) = (own(old_target), old_target);
            }
            if after.is_none() {
                (after, new) = (own(new_target), new_target);
            }
            if before != after {
                if before.is_some() {
                    let gone = self.place(old, keyword);
                    self.told_gone.insert(gone);
                }
                let place = self.place(if after.is_some() { new } else { old }, keyword);
                self.tell((what, verdict), place, before.as_ref(), after.as_ref());
            }
        }
    }

    /// Adds a change of words, unless it is told already, as it is where two references lead to one place.
    fn tell(
        &mut self,
        (what, verdict): (What, Verdict),
        place: String,
        before: Option<&Value>,
        after: Option<&Value>,
    ) {
        if self.told.insert(place.clone()) {
            let change = word(self.tool, self.direction, &place, what, verdict);
            self.changes.push(with_values(change, before, after));
        }
    }

    /// Compares the places that the walk of changes did not come to: behind alternatives and conditions that
    /// are told as a whole, or too deep. What stands in one of the schemas alone is told too, unless it is in
    /// a parameter that is new or gone.
    pub(super) fn words(&mut self, old: Id, new: Id) {
        let mut open: Vec<(Spot, Spot)> = std::mem::take(&mut self.renames);
        open.push(((old, String::new()), (new, String::new())));
        let mut seen = BTreeSet::new();
        while let Some((site, other_site)) = open.pop() {
            if seen.len() == MOST || !seen.insert((site.0, other_site.0)) {
                continue;
            }
            let (site, other_site) = ((site.0, &*site.1), (other_site.0, &*other_site.1));
            let (old, new) = (self.followed(site), self.followed(other_site));
            let (old, new) = ((old.0, &*old.1), (new.0, &*new.1));
            self.remarks(site, other_site, old, new);
            self.parts_of_both(old, new, &mut open);
        }
        self.other_words(old, new);
    }

    fn parts_of_both(&mut self, old: At<'_>, new: At<'_>, open: &mut Vec<(Spot, Spot)>) {
        let keywords = |id| self.pair.engine.graph.keywords(id).cloned();
        let (Some(before), Some(after)) = (keywords(old.0), keywords(new.0)) else {
            return;
        };
        for (name, one) in &before {
            let (from, to) = (
                self.inside(old, name, self.old_dialect),
                self.inside(new, name, self.new_dialect),
            );
            match (one, after.get(name)) {
                (Keyword::One(one), Some(Keyword::One(two))) => {
                    let at = |id: Id, inside: String| match &**name {
                        "$ref" => {
                            let place = self.pair.engine.graph.place(id);
                            place.map_or(inside, str::to_owned)
                        }
                        _ => inside,
                    };
                    open.push(((*one, at(*one, from)), (*two, at(*two, to))));
                }
                (Keyword::Named(all), Some(Keyword::Named(others))) => {
                    for (name, one) in all {
                        if let Some(two) = others.get(name) {
                            open.push((
                                (*one, pointer::join(&from, name)),
                                (*two, pointer::join(&to, name)),
                            ));
                        }
                    }
                }
                (Keyword::Many(all), Some(Keyword::Many(others))) => {
                    for (index, other) in self.alike(name, all, others) {
                        open.push((
                            (all[index], pointer::join(&from, &index.to_string())),
                            (others[other], pointer::join(&to, &other.to_string())),
                        ));
                    }
                }
                _ => {}
            }
        }
    }

    /// Where a keyword stands in the document that was given.
    fn inside(&self, at: At<'_>, keyword: &str, dialect: Dialect) -> String {
        let graph = &self.pair.engine.graph;
        let tupled = graph.keyword(at.0, "prefixItems").is_some();
        let known = [("prefixItems", "prefixItems"), ("items", "items")];
        let known = known.iter().find(|(name, _)| *name == keyword);
        let keyword = match known {
            Some((name, _)) => spelled(name, tupled, dialect),
            None if keyword == "dependentSchemas" && dialect == Dialect::Draft7 => "dependencies",
            None => keyword,
        };
        pointer::join(at.1, keyword)
    }

    /// Which schemas of two lists belong together: those that say the same of values, then those of the same
    /// types, then those at the same index.
    fn alike(&mut self, name: &str, all: &[Id], others: &[Id]) -> Vec<(usize, usize)> {
        const MANY: usize = 4_096;
        let straight = all.iter().zip(others).enumerate();
        let straight: Vec<_> = straight.map(|(index, _)| (index, index)).collect();
        if name == "prefixItems" || all.len() * others.len() > MANY {
            return straight;
        }
        let kinds: Vec<_> = all.iter().map(|id| self.kinds(*id)).collect();
        let other_kinds: Vec<_> = others.iter().map(|id| self.kinds(*id)).collect();
        let graph = &self.pair.engine.graph;
        let same = |index: usize, other: usize| graph.same(all[index], others[other]);
        let tests: [&dyn Fn(usize, usize) -> bool; 4] = [
            &|index, other| index == other && same(index, other),
            &same,
            &|index, other| kinds[index] == other_kinds[other],
            &|index, other| index == other,
        ];
        let mut found: BTreeMap<usize, usize> = BTreeMap::new();
        let mut left: BTreeSet<usize> = (0..others.len()).collect();
        for test in tests {
            for index in 0..all.len() {
                if !found.contains_key(&index)
                    && let Some(other) = left.iter().copied().find(|other| test(index, *other))
                {
                    left.remove(&other);
                    found.insert(index, other);
                }
            }
        }
        found.into_iter().collect()
    }

    /// Words that stand nowhere in the other schema, and that nothing has told yet.
    fn other_words(&mut self, old: Id, new: Id) {
        let (before, after) = (
            self.words_in(old, self.old_dialect, What::ParameterRemoved),
            self.words_in(new, self.new_dialect, What::ParameterAdded),
        );
        let known = |words: &[Word]| {
            let values = words.iter().map(|word| (word.index, word.value.clone()));
            values.collect::<BTreeSet<_>>()
        };
        let (known_before, known_after) = (known(&before), known(&after));
        for (words, other, is_new) in [(before, known_after, false), (after, known_before, true)] {
            for word in words {
                if word.is_told || other.contains(&(word.index, word.value.clone())) {
                    continue;
                }
                let (_, what, verdict) = WORDS[word.index];
                let place = format!("{}{}", self.direction.base(), word.place);
                if !is_new && self.told_gone.contains(&place) {
                    continue;
                }
                let (value, none) = (Some(&word.value), None);
                let (old, new) = if is_new { (none, value) } else { (value, none) };
                self.tell((what, verdict), place, old, new);
            }
        }
    }

    /// The words of a schema. Those in a parameter that is told to be new, or gone, are told with it.
    fn words_in(&self, root: Id, dialect: Dialect, what: What) -> Vec<Word> {
        let base = self.direction.base().len();
        let changes = self.changes.iter().filter(|change| change.what == what);
        let told: BTreeSet<&str> = changes.map(|change| &change.place[base..]).collect();
        let mut words = Vec::new();
        // Those that are reached without such a parameter come first.
        for except in [Some(&told), None] {
            self.each_word(root, except, dialect, |index, value, place| {
                words.push(Word {
                    index,
                    value: value.clone(),
                    place,
                    is_told: except.is_none(),
                });
            });
        }
        words
    }

    /// Calls a function for the words of all places that a schema leads to, except for those in some.
    fn each_word(
        &self,
        root: Id,
        except: Option<&BTreeSet<&str>>,
        dialect: Dialect,
        mut call: impl FnMut(usize, &Value, String),
    ) {
        let graph = &self.pair.engine.graph;
        let mut open = vec![(root, String::new())];
        let mut seen = BTreeSet::new();
        while let Some((id, place)) = open.pop() {
            let Some(keywords) = graph.keywords(id) else {
                continue;
            };
            if except.is_some_and(|places| places.contains(&*place)) || !seen.insert(id) {
                continue;
            }
            for (index, (name, _, _)) in WORDS.iter().enumerate() {
                if let Some(Keyword::Value(value)) = keywords.get(*name) {
                    call(index, value, pointer::join(&place, name));
                }
            }
            for (name, keyword) in keywords {
                let inside = self.inside((id, &place), name, dialect);
                match keyword {
                    Keyword::One(to) if name == "$ref" => {
                        let place = graph.place(*to).unwrap_or_default();
                        open.push((*to, place.to_owned()));
                    }
                    Keyword::One(inner) => open.push((*inner, inside)),
                    Keyword::Many(all) => open.extend(
                        all.iter()
                            .enumerate()
                            .map(|(index, id)| (*id, pointer::join(&inside, &index.to_string()))),
                    ),
                    Keyword::Named(all) => open.extend(
                        all.iter()
                            .map(|(name, id)| (*id, pointer::join(&inside, name))),
                    ),
                    Keyword::Value(_) => {}
                }
            }
        }
    }
}

/// The changes of words between two schemas that nothing else is known of: place by place, as they are
/// written.
pub(super) fn literal_words(
    tool: &str,
    direction: Direction,
    old: &Json,
    new: &Json,
) -> Vec<Change> {
    let (before, after) = (written_words(old), written_words(new));
    let places: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut changes = Vec::new();
    for place in places {
        let (one, two) = (before.get(place), after.get(place));
        if one.map(|word| &word.1) == two.map(|word| &word.1) {
            continue;
        }
        if let Some((index, _)) = one.or(two) {
            let (_, what, verdict) = WORDS[*index];
            let place = format!("{}{place}", direction.base());
            let change = word(tool, direction, &place, what, verdict);
            let value = |word: Option<&'_ (usize, Value)>| word.map(|(_, value)| value.clone());
            changes.push(with_values(
                change,
                value(one).as_ref(),
                value(two).as_ref(),
            ));
        }
    }
    changes
}

/// What people and models read in a schema, as it is written, and in no place of the one before; in definitions that
/// nothing refers to as well. `base` is where the schema stands.
pub(in super::super) fn new_words(
    tool: &str,
    base: &str,
    old: Option<&Json>,
    new: &Json,
) -> Vec<Change> {
    let known: BTreeSet<_> = old
        .map(written_words)
        .unwrap_or_default()
        .into_values()
        .collect();
    let direction = match base.starts_with(Direction::Output.base()) {
        true => Direction::Output,
        false => Direction::Input,
    };
    written_words(new)
        .into_iter()
        .filter(|(_, found)| WORDS[found.0].2 == Verdict::Text && !known.contains(found))
        .map(|(place, (index, value))| {
            let place = format!("{base}{place}");
            let change = word(tool, direction, &place, WORDS[index].1, Verdict::Text);
            with_values(change, None, Some(&value))
        })
        .collect()
}

/// The words of a schema as it is written, by their places: which of [`WORDS`] each is, and its value.
fn written_words(schema: &Json) -> BTreeMap<String, (usize, Value)> {
    let mut found = BTreeMap::new();
    if let Ok(schema) = Value::read_loosely(schema) {
        words_of(&schema, String::new(), &mut found);
    }
    found
}

/// The words of a schema and of those in it, by their places.
fn words_of(schema: &Value, place: String, found: &mut BTreeMap<String, (usize, Value)>) {
    let Value::Object(members) = schema else {
        return;
    };
    for (index, (name, _, _)) in WORDS.iter().enumerate() {
        if let Some(value) = members.get(*name) {
            found.insert(pointer::join(&place, name), (index, value.clone()));
        }
    }
    for (name, inner) in members {
        let at = pointer::join(&place, name);
        match inner {
            Value::Object(all) if NAMED.contains(&&**name) || name == "dependencies" => {
                for (name, inner) in all {
                    words_of(inner, pointer::join(&at, name), found);
                }
            }
            Value::Array(all) if MANY.contains(&&**name) || name == "items" => {
                for (index, inner) in all.iter().enumerate() {
                    words_of(inner, pointer::join(&at, &index.to_string()), found);
                }
            }
            inner if ONE.contains(&&**name) || name == "additionalItems" => {
                words_of(inner, at, found);
            }
            _ => {}
        }
    }
}

fn word(tool: &str, direction: Direction, place: &str, what: What, verdict: Verdict) -> Change {
    say::change(tool, place, what, verdict, direction)
}

fn with_values(mut change: Change, before: Option<&Value>, after: Option<&Value>) -> Change {
    change.old = before.and_then(Value::to_json);
    change.new = after.and_then(Value::to_json);
    say::tell(&mut change);
    change
}

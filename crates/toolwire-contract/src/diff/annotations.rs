//! What people and models read in schemas, defaults and access, which no proof is about (DIFF-42).

use std::collections::{BTreeMap, BTreeSet};

use toolwire::Json;
use toolwire::json::pointer;

use super::dialect::{Dialect, Holds, holds, is_annotation};
use super::say;
use super::types::{Change, Verdict, What};
use super::value::{Members, Value};

/// What another value of a keyword is.
pub(super) fn kind(keyword: &str) -> Option<(What, Verdict)> {
    Some(match keyword {
        "title" => (What::Title, Verdict::Text),
        "description" => (What::Description, Verdict::Text),
        "examples" | "$comment" | "deprecated" => (What::Remark, Verdict::Text),
        "default" => (What::Default, Verdict::Behaviour),
        "readOnly" | "writeOnly" => (What::Access, Verdict::Behaviour),
        _ => return None,
    })
}

/// What the value of a keyword is in any dialect.
fn read(keyword: &str) -> Option<Holds> {
    match keyword {
        "additionalItems" => Some(Holds::Schema),
        "dependencies" => Some(Holds::Map),
        keyword => holds(keyword),
    }
}

/// The greatest number of pairs of places that are walked through.
const MOST: usize = 20_000;

/// A schema of a document in 2020-12, and where it stands in the document that was given.
pub(super) type Spot<'s> = (&'s Value, String);

/// A document whose references begin with a letter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Document<'s> {
    pub(super) root: &'s Value,
    pub(super) dialect: Dialect,
}

impl<'s> Document<'s> {
    /// What a schema refers to.
    pub(super) fn target(self, schema: &Value) -> Option<Spot<'s>> {
        let place = schema.get("$ref")?.text()?.get(1..)?;
        Some((self.root.at(place)?, place.to_owned()))
    }

    /// Where a keyword stands in the document that was given.
    pub(super) fn inside(self, (schema, at): &Spot<'s>, keyword: &str) -> String {
        let tuple = schema.get("prefixItems").is_some();
        pointer::join(at, self.dialect.spelled(keyword, tuple))
    }

    /// The schemas in a keyword, by what leads from the keyword to each.
    fn inner(self, spot: &Spot<'s>, keyword: &str) -> Vec<(String, Spot<'s>)> {
        let (Some(value), at) = (spot.0.get(keyword), self.inside(spot, keyword)) else {
            return Vec::new();
        };
        let inner =
            |step: &str, value: &'s Value| (step.to_owned(), (value, pointer::join(&at, step)));
        match (read(keyword), value) {
            (Some(Holds::List | Holds::Schema), Value::Array(all)) => {
                let all = all.iter().enumerate();
                all.map(|(index, value)| inner(&index.to_string(), value))
                    .collect()
            }
            (Some(Holds::Schema), value) => vec![(String::new(), (value, at))],
            (Some(Holds::Map), Value::Object(all)) => {
                all.iter().map(|(name, value)| inner(name, value)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn keywords(self, schema: &'s Value) -> BTreeSet<&'s str> {
        let all = schema.members().into_iter().flat_map(Members::keys);
        all.map(String::as_str)
            .filter(|keyword| read(keyword).is_some())
            .collect()
    }

    /// A schema, all schemas in it, and those that they refer to.
    fn all(self, from: Spot<'s>) -> Vec<Spot<'s>> {
        let (mut open, mut seen, mut found) = (vec![from], BTreeSet::new(), Vec::new());
        while let Some(spot) = open.pop() {
            if seen.insert(std::ptr::from_ref(spot.0)) {
                let keywords = self.keywords(spot.0).into_iter();
                let inner = keywords.flat_map(|keyword| self.inner(&spot, keyword));
                open.extend(inner.map(|(_, spot)| spot).chain(self.target(spot.0)));
                found.push(spot);
            }
        }
        found
    }

    /// What people read there, with `defaults` and access: the keyword, the value and the place of each.
    fn texts(self, from: Spot<'s>, defaults: bool) -> Vec<(&'s str, &'s Value, String)> {
        let mut texts = Vec::new();
        for (schema, at) in self.all(from) {
            for (name, value) in schema.members().into_iter().flatten() {
                if kind(name).is_some_and(|(_, verdict)| defaults || verdict == Verdict::Text) {
                    texts.push((name.as_str(), value, pointer::join(&at, name)));
                }
            }
        }
        texts.sort_by(|one, other| one.2.cmp(&other.2));
        texts
    }

    /// The texts in it, wherever they stand.
    fn known(self) -> BTreeSet<(&'s str, &'s Value)> {
        let texts = self.texts((self.root, String::new()), true).into_iter();
        texts.map(|(name, value, _)| (name, value)).collect()
    }

    /// The names of its definitions and anchors, and the places that references lead to.
    fn definitions(self) -> Definitions {
        let mut found = Definitions::default();
        for (schema, _) in self.all((self.root, String::new())) {
            found.targets.extend(self.target(schema).map(|(_, at)| at));
            let anchor = schema.get("$anchor").and_then(Value::text);
            let definitions = ["$defs", "definitions"].into_iter();
            let definitions = definitions.filter_map(|keyword| schema.get(keyword)?.members());
            let names = definitions.flat_map(Members::keys).cloned();
            found.names.extend(names.chain(anchor.map(str::to_owned)));
        }
        found
    }
}

#[derive(Debug, Default)]
struct Definitions {
    names: BTreeSet<String>,
    targets: BTreeSet<String>,
}

fn is_of_definitions(keyword: &str) -> bool {
    matches!(keyword, "$defs" | "definitions")
}

/// The name that a pointer to a definition ends with.
fn last(pointer: &str) -> Option<String> {
    let name = pointer.rsplit('/').next()?;
    Some(pointer::unescape(name).into_owned())
}

/// Compares what no proof is about, place by place and through references.
#[derive(Debug)]
pub(super) struct Annotations<'s> {
    tool: &'s str,
    /// Where the schemas stand in their tools.
    base: &'s str,
    old: Document<'s>,
    new: Document<'s>,
    told: BTreeSet<String>,
    /// What stands in one of the schemas alone.
    gone: Vec<Spot<'s>>,
    added: Vec<Spot<'s>>,
    /// The names that references in places of both schemas show.
    shared: BTreeSet<String>,
    definitions: [Definitions; 2],
    pub(super) changes: Vec<Change>,
}

impl<'s> Annotations<'s> {
    /// The changes of the annotations between two schemas. `pairs` are corresponding places, and `told` are the
    /// places of parameters whose own change already reports their annotations.
    pub(super) fn compare(
        tool: &'s str,
        base: &'s str,
        (old, new): (Document<'s>, Document<'s>),
        mut pairs: Vec<(Spot<'s>, Spot<'s>)>,
        told: &BTreeSet<String>,
    ) -> Vec<Change> {
        let mut walk = Annotations {
            tool,
            base,
            old,
            new,
            told: BTreeSet::new(),
            gone: Vec::new(),
            added: Vec::new(),
            shared: BTreeSet::new(),
            definitions: [old, new].map(Document::definitions),
            changes: Vec::new(),
        };
        pairs.push(((old.root, String::new()), (new.root, String::new())));
        let mut seen = BTreeSet::new();
        while let Some((one, other)) = pairs.pop() {
            let key = (std::ptr::from_ref(one.0), std::ptr::from_ref(other.0));
            if seen.len() < MOST && seen.insert(key) {
                walk.pair(&one, &other, &mut pairs, told);
            }
        }
        walk.alone();
        walk.names();
        walk.changes
    }

    fn pair(
        &mut self,
        one: &Spot<'s>,
        other: &Spot<'s>,
        open: &mut Vec<(Spot<'s>, Spot<'s>)>,
        told: &BTreeSet<String>,
    ) {
        let (to, other_to) = (self.old.target(one.0), self.new.target(other.0));
        self.shared
            .extend(other_to.as_ref().and_then(|(_, at)| last(at)));
        // An annotation beside a reference takes precedence over that of its target.
        let spots = |own: &Spot<'s>, to: &Option<Spot<'s>>| {
            [Some(own.clone()), to.clone()]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
        };
        let (ones, others) = (spots(one, &to), spots(other, &other_to));
        let names = ones
            .iter()
            .chain(&others)
            .flat_map(|(schema, _)| schema.members().into_iter().flat_map(Members::keys));
        let names: BTreeSet<&String> = names.filter(|name| kind(name).is_some()).collect();
        for name in names {
            let find = |spots: &[Spot<'s>]| {
                let mut found = spots
                    .iter()
                    .filter_map(|(schema, at)| Some((schema.get(name)?, at.clone())));
                found.next()
            };
            let (before, after) = (find(&ones), find(&others));
            let value = |found: &Option<Spot<'s>>| found.as_ref().map(|(value, _)| *value);
            if value(&before) != value(&after) {
                let at = after.as_ref().or(before.as_ref()).map_or("", |(_, at)| at);
                self.tell(
                    name,
                    &pointer::join(at, name),
                    value(&before),
                    value(&after),
                );
                self.told
                    .extend(before.as_ref().map(|(_, at)| pointer::join(at, name)));
            }
        }
        if to.is_some() || other_to.is_some() {
            open.push((
                to.unwrap_or_else(|| one.clone()),
                other_to.unwrap_or_else(|| other.clone()),
            ));
        }
        let keywords = &self.old.keywords(one.0) | &self.new.keywords(other.0);
        for keyword in keywords {
            let (mut all, others) = (self.old.inner(one, keyword), self.new.inner(other, keyword));
            // What refers to a definition has it, too.
            let is_told = |(_, at): &Spot<'s>, definitions: &Definitions| {
                told.contains(at) || is_of_definitions(keyword) && definitions.targets.contains(at)
            };
            for (step, spot) in align(keyword, &all, others) {
                let index = all.iter().position(|(own, _)| *own == step);
                match index.map(|index| all.remove(index)) {
                    // Definitions that are referred to belong together by what refers to them.
                    Some((_, own)) if is_of_definitions(keyword) => {
                        let used =
                            |spot: &Spot<'s>, side: usize| is_told(spot, &self.definitions[side]);
                        match (used(&own, 0), used(&spot, 1)) {
                            (false, false) => open.push((own, spot)),
                            (true, false) => self.added.push(spot),
                            (false, true) => self.gone.push(own),
                            (true, true) => {}
                        }
                    }
                    Some((_, own)) => open.push((own, spot)),
                    None if is_told(&spot, &self.definitions[1]) => {}
                    None => self.added.push(spot),
                }
            }
            let gone = all.into_iter().map(|(_, spot)| spot);
            self.gone
                .extend(gone.filter(|spot| !is_told(spot, &self.definitions[0])));
        }
    }

    fn tell(&mut self, name: &str, at: &str, before: Option<&Value>, after: Option<&Value>) {
        if let (Some((what, verdict)), true) = (kind(name), self.told.insert(at.to_owned())) {
            let place = format!("{}{at}", self.base);
            let change = say::change(self.tool, &place, what, verdict);
            self.changes.push(with_values(change, before, after));
        }
    }

    /// Reports annotations that only one of the schemas has. A default of a new schema is not reported apart from
    /// that schema.
    fn alone(&mut self) {
        if self.gone.is_empty() && self.added.is_empty() {
            return;
        }
        let (old, new) = (self.old, self.new);
        let (before, after) = (old.known(), new.known());
        for spot in std::mem::take(&mut self.gone) {
            for (name, value, at) in old.texts(spot, true) {
                if !after.contains(&(name, value)) {
                    self.tell(name, &at, Some(value), None);
                }
            }
        }
        for spot in std::mem::take(&mut self.added) {
            for (name, value, at) in new.texts(spot, false) {
                if !before.contains(&(name, value)) {
                    self.tell(name, &at, None, Some(value));
                }
            }
        }
    }

    /// Reports a new name of a definition or anchor, if places of both schemas refer to it or if nothing does.
    fn names(&mut self) {
        let [before, after] = &self.definitions;
        let shown: BTreeSet<String> = after.targets.iter().filter_map(|at| last(at)).collect();
        let is_seen = |name: &&String| self.shared.contains(*name) || !shown.contains(*name);
        if after
            .names
            .difference(&before.names)
            .any(|name| is_seen(&name))
        {
            let mut change = say::change(self.tool, self.base, What::Remark, Verdict::Text);
            change.message =
                "the names of definitions have changed, which only a reader of the schema sees"
                    .to_owned();
            self.changes.push(change);
        }
    }
}

/// Gives schemas of a list the steps of those that they belong to: those that say the same of values, then those at the
/// same index.
fn align<'s>(
    keyword: &str,
    all: &[(String, Spot<'s>)],
    others: Vec<(String, Spot<'s>)>,
) -> Vec<(String, Spot<'s>)> {
    const MANY: usize = 4_096;
    if !matches!(keyword, "allOf" | "anyOf" | "oneOf") || all.len() * others.len() > MANY {
        return others;
    }
    let bare = |spots: &[(String, Spot<'s>)]| -> Vec<Value> {
        spots
            .iter()
            .map(|(_, (schema, _))| without_annotations(schema))
            .collect()
    };
    let (ones, twos) = (bare(all), bare(&others));
    let tests: [&dyn Fn(usize, usize) -> bool; 2] = [
        &|index, other| ones[index] == twos[other],
        &|index, other| index == other,
    ];
    let mut found: BTreeMap<usize, usize> = BTreeMap::new();
    let mut left: BTreeSet<usize> = (0..all.len()).collect();
    for test in tests {
        for other in 0..others.len() {
            if !found.contains_key(&other)
                && let Some(index) = left.iter().copied().find(|index| test(*index, other))
            {
                left.remove(&index);
                found.insert(other, index);
            }
        }
    }
    let steps = others.into_iter().enumerate();
    steps
        .map(|(other, (step, spot))| match found.get(&other) {
            Some(index) => (all[*index].0.clone(), spot),
            None => (format!("+{step}"), spot),
        })
        .collect()
}

/// A schema without its annotations. References are compared without the letter of their side.
fn without_annotations(schema: &Value) -> Value {
    let Value::Object(members) = schema else {
        return schema.clone();
    };
    let says = members.iter().filter(|(name, _)| !is_annotation(name));
    let says = says.map(|(name, value)| {
        let value = match (holds(name), value) {
            (Some(Holds::Schema), value) => without_annotations(value),
            (Some(Holds::List), Value::Array(all)) => {
                Value::Array(all.iter().map(without_annotations).collect())
            }
            (Some(Holds::Map), Value::Object(all)) => {
                let all = all
                    .iter()
                    .map(|(name, value)| (name.clone(), without_annotations(value)));
                Value::Object(all.collect())
            }
            (_, Value::Text(to)) if name == "$ref" => Value::Text(to.chars().skip(1).collect()),
            _ => value.clone(),
        };
        (name.clone(), value)
    });
    Value::Object(says.collect())
}

/// A document as it is written.
fn literal(schema: &Json) -> Value {
    Value::read(schema, true).unwrap_or(Value::Null)
}

fn document(root: &Value) -> Document<'_> {
    Document {
        root,
        dialect: Dialect::Draft2020,
    }
}

/// The changes of annotations in schemas that get no verdict.
pub(super) fn literally(tool: &str, base: &str, old: &Json, new: &Json) -> Vec<Change> {
    let (old, new) = (literal(old), literal(new));
    let documents = (document(&old), document(&new));
    Annotations::compare(tool, base, documents, Vec::new(), &BTreeSet::new())
}

/// What people and models read in a schema and in no place of the one before; in definitions that nothing refers to,
/// too. `base` is where the schema stands.
pub(super) fn new_texts(tool: &str, base: &str, old: Option<&Json>, new: &Json) -> Vec<Change> {
    let (old, new) = (old.map_or(Value::Null, literal), literal(new));
    let known = document(&old).known();
    let texts = document(&new)
        .texts((&new, String::new()), false)
        .into_iter();
    let texts = texts.filter(|(name, value, _)| !known.contains(&(*name, *value)));
    let change = |(name, value, at): (&str, &Value, String)| {
        let what = kind(name).map_or(What::Remark, |(what, _)| what);
        let change = say::change(tool, &format!("{base}{at}"), what, Verdict::Text);
        with_values(change, None, Some(value))
    };
    texts.map(change).collect()
}

fn with_values(mut change: Change, before: Option<&Value>, after: Option<&Value>) -> Change {
    change.old = before.and_then(Value::to_json);
    change.new = after.and_then(Value::to_json);
    say::tell(&mut change);
    change
}

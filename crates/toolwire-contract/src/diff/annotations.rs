//! What people and models read in schemas, defaults and access, which no proof is about (DIFF-42).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::Value;
use toolwire::Json;
use toolwire::json::pointer;

use super::dialect::inside;
use super::say;
use super::types::{Change, Verdict, What};
use super::value::{Members, read_loosely, write};

/// What another value of a keyword is.
fn kind(keyword: &str) -> Option<(What, Verdict)> {
    Some(match keyword {
        "title" => (What::Title, Verdict::Text),
        "description" => (What::Description, Verdict::Text),
        "examples" | "$comment" | "deprecated" => (What::Remark, Verdict::Text),
        "default" => (What::Default, Verdict::Behaviour),
        "readOnly" | "writeOnly" => (What::Access, Verdict::Behaviour),
        _ => return None,
    })
}

/// Maximum number of pairs of places that are compared.
const MOST: usize = 20_000;

/// A schema of a document, and where it stands there.
pub(super) type Spot<'s> = (&'s Value, String);

/// A document as it is written.
#[derive(Debug)]
struct Document<'s> {
    root: &'s Value,
    /// The places that references lead to.
    targets: BTreeSet<String>,
    /// The names of its definitions and anchors.
    names: BTreeSet<&'s str>,
}

impl<'s> Document<'s> {
    fn new(root: &'s Value) -> Self {
        let mut document = Document {
            root,
            targets: BTreeSet::new(),
            names: BTreeSet::new(),
        };
        for (schema, _) in document.all((root, String::new())) {
            document
                .targets
                .extend(document.target(schema).map(|(_, at)| at));
            document
                .names
                .extend(schema.get("$anchor").and_then(Value::as_str));
            for keyword in ["$defs", "definitions"] {
                let definitions = schema.get(keyword).and_then(Value::as_object);
                let names = definitions.into_iter().flat_map(Members::keys);
                document.names.extend(names.map(String::as_str));
            }
        }
        document
    }

    /// What a schema refers to.
    fn target(&self, schema: &Value) -> Option<Spot<'s>> {
        let place = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
        Some((self.root.pointer(place)?, place.to_owned()))
    }

    /// The schemas in a schema, by the pointers that lead from it to each.
    fn inside(&self, (schema, at): &Spot<'s>) -> BTreeMap<String, Spot<'s>> {
        let all = inside(schema).into_iter();
        all.map(|(step, inner)| (step.clone(), (inner, format!("{at}{step}"))))
            .collect()
    }

    /// The same without definitions that references lead to, which belong together by what refers to them.
    fn compared(&self, spot: &Spot<'s>) -> BTreeMap<String, Spot<'s>> {
        let mut inside = self.inside(spot);
        inside.retain(|step, (_, at)| {
            let is_definition = step.starts_with("/$defs/") || step.starts_with("/definitions/");
            !is_definition || !self.targets.contains(at)
        });
        inside
    }

    /// A schema, all schemas in it, and those that they refer to.
    fn all(&self, from: Spot<'s>) -> Vec<Spot<'s>> {
        let (mut open, mut seen, mut found) = (vec![from], BTreeSet::new(), Vec::new());
        while let Some(spot) = open.pop() {
            if seen.insert(std::ptr::from_ref(spot.0)) {
                open.extend(self.inside(&spot).into_values());
                open.extend(self.target(spot.0));
                found.push(spot);
            }
        }
        found
    }

    /// What people read there, with `defaults` and access: the keyword, the value and the place of each.
    fn texts(&self, from: Spot<'s>, defaults: bool) -> Vec<(&'s str, &'s Value, String)> {
        let mut texts = Vec::new();
        for (schema, at) in self.all(from) {
            for (name, value) in schema.as_object().into_iter().flatten() {
                if kind(name).is_some_and(|(_, verdict)| defaults || verdict == Verdict::Text) {
                    texts.push((name.as_str(), value, pointer::join(&at, name)));
                }
            }
        }
        texts.sort_by(|one, other| one.2.cmp(&other.2));
        texts
    }

    /// The texts in it, wherever they stand.
    fn known(&self) -> HashSet<(&'s str, &'s Value)> {
        let texts = self.texts((self.root, String::new()), true).into_iter();
        texts.map(|(name, value, _)| (name, value)).collect()
    }

    /// A schema and what it refers to: an annotation beside a reference takes precedence over that of its target.
    fn with_target(&self, spot: &Spot<'s>) -> Vec<Spot<'s>> {
        [spot.clone()]
            .into_iter()
            .chain(self.target(spot.0))
            .collect()
    }
}

/// The value and the place of an annotation.
fn find<'s>(spots: &[Spot<'s>], name: &str) -> Option<Spot<'s>> {
    let mut found = spots.iter();
    found.find_map(|(schema, at)| Some((schema.get(name)?, pointer::join(at, name))))
}

/// The name that a pointer to a definition ends with.
fn last(pointer: &str) -> String {
    pointer::unescape(pointer.rsplit('/').next().unwrap_or_default()).into_owned()
}

/// The changes of what no proof is about, place by place and through references. `renames` are the places of members
/// that have other names now, and `reported` those of members whose own changes report what they have.
pub(super) fn compare(
    tool: &str,
    base: &str,
    (old, new): (&Json, &Json),
    renames: &[(String, String)],
    reported: &BTreeSet<String>,
) -> Vec<Change> {
    let (old, new) = (read_loosely(old), read_loosely(new));
    let (old, new) = (Document::new(&old), Document::new(&new));
    let mut changes = Vec::new();
    let mut places = BTreeSet::new();
    let mut tell = |name: &str, before: Option<Spot<'_>>, after: Option<Spot<'_>>| {
        let [one, other] = [&before, &after].map(|found| found.as_ref().map(|(value, _)| *value));
        if let (Some((what, verdict)), true) = (kind(name), one != other)
            && let Some((_, at)) = after.as_ref().or(before.as_ref())
            && places.insert(at.clone())
        {
            let change = say::change(tool, &format!("{base}{at}"), what, verdict);
            changes.push(with_values(change, one, other));
            places.extend(before.map(|(_, at)| at));
        }
    };
    // What stands in one of the schemas alone, and the names that references in places of both show.
    let (mut gone, mut added, mut shared) = (Vec::new(), Vec::new(), BTreeSet::new());
    let renames = renames.iter().filter_map(|(one, other)| {
        let other = (new.root.pointer(other)?, other.clone());
        Some(((old.root.pointer(one)?, one.clone()), other))
    });
    let mut pairs: Vec<_> = renames.collect();
    pairs.push(((old.root, String::new()), (new.root, String::new())));
    let mut seen = BTreeSet::new();
    while let Some((one, other)) = pairs.pop() {
        let key = (std::ptr::from_ref(one.0), std::ptr::from_ref(other.0));
        if seen.len() >= MOST || !seen.insert(key) {
            continue;
        }
        let (ones, others) = (old.with_target(&one), new.with_target(&other));
        shared.extend(others.get(1).map(|(_, at)| last(at)));
        let spots = ones.iter().chain(&others);
        let names = spots.flat_map(|(schema, _)| schema.as_object().into_iter().flatten());
        for name in names.map(|(name, _)| name).collect::<BTreeSet<_>>() {
            tell(name, find(&ones, name), find(&others, name));
        }
        if ones.len() + others.len() > 2 {
            pairs.extend(
                ones.into_iter()
                    .next_back()
                    .zip(others.into_iter().next_back()),
            );
        }
        let mut inside = old.compared(&one);
        for (step, spot) in new.compared(&other) {
            match inside.remove(&step) {
                Some(own) => pairs.push((own, spot)),
                None => added.push(spot),
            }
        }
        gone.extend(inside.into_values());
    }
    let is_reported = |(_, at): &Spot<'_>| reported.contains(at);
    let (before, after) = (old.known(), new.known());
    for spot in gone.into_iter().filter(|spot| !is_reported(spot)) {
        for (name, value, at) in old.texts(spot, true) {
            if !after.contains(&(name, value)) {
                tell(name, Some((value, at)), None);
            }
        }
    }
    // A default of a new schema is part of it.
    for spot in added.into_iter().filter(|spot| !is_reported(spot)) {
        for (name, value, at) in new.texts(spot, false) {
            if !before.contains(&(name, value)) {
                tell(name, None, Some((value, at)));
            }
        }
    }
    // A new name, if places of both schemas refer to it or if nothing does.
    let shown: BTreeSet<String> = new.targets.iter().map(|at| last(at)).collect();
    let mut names = new.names.difference(&old.names);
    if names.any(|name| shared.contains(*name) || !shown.contains(*name)) {
        let mut change = say::change(tool, base, What::Remark, Verdict::Text);
        change.message =
            "the names of definitions have changed, which only a reader of the schema sees"
                .to_owned();
        changes.push(change);
    }
    changes
}

/// What people and models read in a schema and in no place of the one before; in definitions that nothing refers to,
/// too. `base` is where the schema stands.
pub(super) fn new_texts(tool: &str, base: &str, old: Option<&Json>, new: &Json) -> Vec<Change> {
    let (old, new) = (old.map(read_loosely).unwrap_or_default(), read_loosely(new));
    let (old, document) = (Document::new(&old), Document::new(&new));
    let known = old.known();
    let texts = document.texts((&new, String::new()), false).into_iter();
    let texts = texts.filter(|(name, value, _)| !known.contains(&(*name, *value)));
    let change = |(name, value, at): (&str, &Value, String)| {
        let what = kind(name).map_or(What::Remark, |(what, _)| what);
        let change = say::change(tool, &format!("{base}{at}"), what, Verdict::Text);
        with_values(change, None, Some(value))
    };
    texts.map(change).collect()
}

fn with_values(mut change: Change, before: Option<&Value>, after: Option<&Value>) -> Change {
    change.old = before.and_then(write);
    change.new = after.and_then(write);
    say::tell(&mut change);
    change
}

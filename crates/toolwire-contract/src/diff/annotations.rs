//! What people and models read in schemas, defaults and access, which no proof is about (DIFF-42).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::Value;
use toolwire::Json;
use toolwire::json::pointer::{join, unescape};

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

/// The texts of a schema and of all schemas in it. A place is named by the steps that lead to it, through references.
#[derive(Debug, Default)]
struct Texts<'s> {
    /// For each place, the value of an annotation and where it stands. One beside a reference takes precedence.
    places: BTreeMap<String, BTreeMap<&'s str, Spot<'s>>>,
    /// All of them, with those that no place shows.
    all: Vec<(&'s str, Spot<'s>)>,
    /// The names of its definitions and anchors.
    names: BTreeSet<&'s str>,
    /// Places, and the names of definitions that they refer to.
    references: Vec<(Option<String>, String)>,
}

impl<'s> Texts<'s> {
    /// `renames` are pointers to members and their names before; members at the pointers `hidden` are no places.
    fn new(root: &'s Value, renames: &BTreeMap<&str, String>, hidden: &BTreeSet<String>) -> Self {
        let mut texts = Texts::default();
        let mut seen = HashSet::new();
        let mut definitions: Vec<(&Value, String, Option<String>)> = Vec::new();
        let mut open = vec![(root, String::new(), Some(String::new()))];
        loop {
            if open.is_empty() {
                // Definitions that references lead to belong to the places of these.
                definitions.retain(|(schema, ..)| !seen.contains(&std::ptr::from_ref(*schema)));
                open.extend(definitions.pop());
            }
            let Some((schema, at, place)) = open.pop() else {
                break;
            };
            let place = place.filter(|_| !hidden.contains(&at));
            let is_new = seen.insert(std::ptr::from_ref(schema)) && seen.len() < MOST;
            if let Some(place) = &place {
                texts.places.entry(place.clone()).or_default();
            }
            for (name, value) in schema.as_object().into_iter().flatten() {
                if kind(name).is_none() {
                    continue;
                }
                let spot = (value, join(&at, name));
                for place in place
                    .iter()
                    .flat_map(|at| [at.clone(), format!("{at}/$ref")])
                {
                    let shown = texts.places.entry(place).or_default();
                    if !shown.contains_key(name.as_str()) {
                        shown.insert(name, spot.clone());
                        break;
                    }
                }
                if is_new {
                    texts.all.push((name, spot));
                }
            }
            let target = schema.get("$ref").and_then(Value::as_str);
            let target = target.and_then(|target| target.strip_prefix('#'));
            if let Some((target, schema)) = target.and_then(|at| Some((at, root.pointer(at)?))) {
                let name = unescape(target.rsplit('/').next().unwrap_or_default()).into_owned();
                texts.references.push((place.clone(), name));
                if is_new {
                    open.push((schema, target.to_owned(), place.clone()));
                }
            }
            if !is_new {
                continue;
            }
            texts
                .names
                .extend(schema.get("$anchor").and_then(Value::as_str));
            for (step, inner) in inside(schema) {
                let at = format!("{at}{step}");
                let step = renames.get(at.as_str()).cloned().unwrap_or(step);
                let place = place.as_ref().map(|place| format!("{place}{step}"));
                let name = step
                    .strip_prefix("/$defs/")
                    .or(step.strip_prefix("/definitions/"));
                match name {
                    Some(_) => definitions.push((inner, at, place)),
                    None => open.push((inner, at, place)),
                }
            }
            for keyword in ["$defs", "definitions"] {
                let all = schema.get(keyword).and_then(Value::as_object);
                texts
                    .names
                    .extend(all.into_iter().flat_map(Members::keys).map(String::as_str));
            }
        }
        texts
    }

    fn known(&self) -> HashSet<(&'s str, &'s Value)> {
        self.all
            .iter()
            .map(|(name, (value, _))| (*name, *value))
            .collect()
    }
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
    let step = |at: &str| {
        at.rfind("/properties/")
            .map_or(String::new(), |step| at[step..].to_owned())
    };
    let renames = renames
        .iter()
        .map(|(one, other)| (other.as_str(), step(one)));
    let (old, new) = (
        Texts::new(&old, &BTreeMap::new(), reported),
        Texts::new(&new, &renames.collect(), reported),
    );
    let (before, after) = (old.known(), new.known());
    let mut changes = Vec::new();
    let mut places = BTreeSet::new();
    let keys: BTreeSet<&String> = old.places.keys().chain(new.places.keys()).collect();
    for key in keys {
        let both = (old.places.get(key), new.places.get(key));
        let names = [both.0, both.1]
            .into_iter()
            .flatten()
            .flat_map(BTreeMap::keys);
        for name in names.collect::<BTreeSet<_>>() {
            let one = both.0.and_then(|texts| texts.get(*name)).cloned();
            let other = both.1.and_then(|texts| texts.get(*name)).cloned();
            let [value, now] = [&one, &other].map(|spot| spot.as_ref().map(|(value, _)| *value));
            let Some((what, verdict)) = kind(name).filter(|_| value != now) else {
                continue;
            };
            // What stands in one of the schemas alone may have moved; a default of a new one is part of it.
            let is_known = match both {
                (Some(_), None) => value.is_some_and(|value| after.contains(&(*name, value))),
                (None, Some(_)) => {
                    verdict != Verdict::Text
                        || now.is_some_and(|now| before.contains(&(*name, now)))
                }
                _ => false,
            };
            let at = other.or(one).map(|(_, at)| at).unwrap_or_default();
            if !is_known && places.insert(at.clone()) {
                let change = say::change(tool, &format!("{base}{at}"), what, verdict);
                changes.push(with_values(change, value, now));
            }
        }
    }
    // A new name, if places of both schemas refer to it or if nothing does.
    let mut names = new.names.difference(&old.names);
    if names.any(|name| {
        let refers = new.references.iter().filter(|(_, to)| to == name);
        let mut refers = refers.peekable();
        refers.peek().is_none()
            || refers.any(|(place, _)| place.as_ref().is_some_and(|at| old.places.contains_key(at)))
    }) {
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
    let [old, new] = [&old, &new].map(|root| Texts::new(root, &BTreeMap::new(), &BTreeSet::new()));
    let known = old.known();
    let texts = new.all.into_iter().filter_map(|(name, (value, at))| {
        let (what, verdict) = kind(name)?;
        if verdict != Verdict::Text || known.contains(&(name, value)) {
            return None;
        }
        let change = say::change(tool, &format!("{base}{at}"), what, verdict);
        Some(with_values(change, None, Some(value)))
    });
    texts.collect()
}

fn with_values(mut change: Change, before: Option<&Value>, after: Option<&Value>) -> Change {
    change.old = before.and_then(write);
    change.new = after.and_then(write);
    say::tell(&mut change);
    change
}

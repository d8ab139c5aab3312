//! Schemas as branches (28.3): each is a conjunction of schema objects without alternatives of their own.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use serde_json::{Value, json};
use toolwire_schema::Prepared;

use super::branch::{Branch, Closure, Type, is_disjoint, named};
use super::dialect::inside;
use super::pair::{Meter, ROOTS, Side};
use super::value::elements;

/// Maximum depth of anything that recurses over schemas or values, so that no thread's stack is too small.
pub(super) const DEEP: usize = 36;
/// Maximum number of candidates for one witness.
pub(super) const FEW: usize = 24;
/// Maximum number of branches of a schema.
const MOST_BRANCHES: usize = 256;
/// Maximum number of steps in which the validator judges one value.
const STEPS: u64 = 200_000;

/// A member's name: one that is known, or any of those that match some patterns and no others.
#[derive(Debug, Clone, Copy)]
pub(super) enum Name<'n> {
    Known(&'n str),
    Matching(&'n [&'n str]),
}

type Branches<'a> = Rc<Vec<Branch<'a>>>;
/// The addresses of schemas that all hold, and whether they are read strictly.
type Parts = (Vec<*const Value>, bool);
/// The addresses of two lists of schemas.
pub(super) type Key = (Vec<*const Value>, Vec<*const Value>);

/// What is known of the schemas of a pair.
#[derive(Debug)]
pub(super) struct Prover<'a> {
    pub(super) document: &'a Value,
    validator: Prepared<'a>,
    pub(super) meter: Meter,
    places: HashMap<*const Value, String>,
    found: RefCell<HashMap<Parts, Option<Branches<'a>>>>,
    /// The pairs that are proven or met on the way, in the order of their proofs.
    pub(super) trail: RefCell<Vec<Key>>,
    pub(super) known: RefCell<HashSet<Key>>,
}

impl<'a> Prover<'a> {
    /// The reason if the document can't be used.
    pub(super) fn new(
        document: &'a Value,
        (old, new): (&Side, &Side),
        budget: u64,
    ) -> Result<Self, String> {
        let validator = Prepared::new(document).map_err(|error| error.message().to_owned())?;
        let mut places = HashMap::new();
        for (root, side) in ROOTS.into_iter().zip([old, new, old, new]) {
            let mut open: Vec<_> = document.pointer(root).into_iter().collect();
            let mut at = vec![String::new(); open.len()];
            while let (Some(schema), Some(place)) = (open.pop(), at.pop()) {
                for (step, inner) in inside(schema) {
                    let part = step.strip_prefix("/$defs/");
                    let part = part.filter(|_| place.is_empty());
                    let part = side.parts.iter().find(|(_, name)| Some(&***name) == part);
                    at.push(part.map_or_else(|| format!("{place}{step}"), |(at, _)| at.clone()));
                    open.push(inner);
                }
                places.insert(std::ptr::from_ref(schema), place);
            }
        }
        Ok(Prover {
            document,
            validator,
            meter: Meter::new(budget),
            places,
            found: RefCell::default(),
            trail: RefCell::default(),
            known: RefCell::default(),
        })
    }

    pub(super) fn root(&self, root: &str) -> &'a Value {
        self.document.pointer(root).unwrap_or(self.document)
    }

    /// What a reference leads to.
    pub(super) fn target(&self, reference: &str) -> Option<&'a Value> {
        self.validator.target(reference)
    }

    /// The pointer to a schema in its document.
    pub(super) fn place(&self, schema: &Value) -> &str {
        let place = self.places.get(&std::ptr::from_ref(schema));
        place.map_or("", String::as_str)
    }

    /// Whether the validator takes a value; `None` if that takes too long.
    pub(super) fn accepts(&self, schema: &Value, value: &Value) -> Option<bool> {
        let (accepts, steps) = self.validator.accepts(schema, value, STEPS);
        self.meter.step(1 + steps / 16);
        accepts
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

    fn expand(&self, part: &'a Value, strict: bool, depth: usize) -> Option<Vec<Branch<'a>>> {
        match part {
            Value::Object(_) => {}
            Value::Bool(false) => return Some(Vec::new()),
            _ => return Some(vec![Branch::default()]),
        }
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
        let target = part.get("$ref").and_then(Value::as_str);
        let target = target.map(|reference| self.target(reference));
        let conjunction = part.get("allOf").map_or(&[][..], elements).iter();
        for inner in target.into_iter().chain(conjunction.map(Some)) {
            all = self.product(&all, &self.expand(inner?, strict, depth + 1)?)?;
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
        if part.get("unevaluatedProperties").is_some() {
            self.meter.step((all.len() * all.len()) as u64);
            close(&mut all, strict);
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
        let pairs = all
            .iter()
            .flat_map(|one| others.iter().map(move |other| one.and(other)));
        Some(pairs.filter(|both| !both.types().is_empty()).collect())
    }

    /// Whether no value has a branch in two of these groups.
    fn are_disjoint(&self, groups: &[Vec<Branch<'a>>]) -> bool {
        groups.iter().enumerate().all(|(index, one)| {
            groups[index + 1..].iter().all(|other| {
                one.iter().all(|one| {
                    self.meter.step(1) && other.iter().all(|other| is_disjoint(one, other))
                })
            })
        })
    }

    /// Whether schemas that all hold are seen to allow nothing.
    pub(super) fn is_nothing(&self, schemas: &[&'a Value], depth: usize) -> bool {
        let branches = self.branches(schemas, false, depth);
        branches.is_some_and(|all| {
            let has_none =
                |branch: &Branch<'a>| branch.listed(None).is_some_and(|all| all.is_empty());
            all.iter().all(has_none)
        })
    }

    /// The schemas in a part for the value of a member; `None` if it does not declare the member.
    fn declared(&self, part: &'a Value, name: Name<'_>) -> Option<Vec<&'a Value>> {
        let mut all = Vec::new();
        if let Name::Known(name) = name {
            all.extend(part.get("properties").and_then(|all| all.get(name)));
        }
        for (pattern, inner) in named(part, "patternProperties") {
            let matches = match name {
                Name::Known(name) => {
                    let rule = json!({"pattern": pattern});
                    self.accepts(&rule, &Value::from(name)) == Some(true)
                }
                Name::Matching(all) => all.contains(&pattern.as_str()),
            };
            all.extend(matches.then_some(inner));
        }
        if all.is_empty() {
            all.extend(part.get("additionalProperties"));
        }
        (!all.is_empty()).then_some(all)
    }

    /// What holds of the value of a member, and whether the branch declares it itself; `None` if it takes no such
    /// member.
    pub(super) fn member(
        &self,
        branch: &Branch<'a>,
        name: Name<'_>,
    ) -> Option<(Vec<&'a Value>, bool)> {
        let mut is_own = true;
        for closure in &branch.closures {
            let mut own = closure.own.iter();
            if !own.any(|part| self.declared(part, name).is_some()) {
                if !closure.is_open {
                    return None;
                }
                is_own = false;
            }
        }
        Some((self.all_declared(branch, name), is_own))
    }

    /// What holds of the value of a member in a strict branch; `None` if it takes no such member, which it does if
    /// the question is not whether it is declared.
    pub(super) fn strict_member(
        &self,
        branch: &Branch<'a>,
        name: Name<'_>,
        is_declared: bool,
    ) -> Option<Vec<&'a Value>> {
        let is_taken = branch.closures.iter().all(|closure| {
            let mut own = closure.own.iter();
            own.any(|part| self.declared(part, name).is_some())
        });
        (is_taken || !is_declared).then(|| self.all_declared(branch, name))
    }

    fn all_declared(&self, branch: &Branch<'a>, name: Name<'_>) -> Vec<&'a Value> {
        let parts = branch.parts.iter();
        let all = parts.filter_map(|part| self.declared(part, name));
        all.flatten().collect()
    }
}

impl<'a> Prover<'a> {
    /// The types that a schema allows, and whether its numbers are whole.
    pub(super) fn kinds(&self, schema: &'a Value) -> BTreeSet<(Type, bool)> {
        let branches = self.branches(&[schema], false, 0);
        let all = branches.iter().flat_map(|all| all.iter());
        all.flat_map(|one| {
            let whole = one.is_integer();
            let kinds = one.types().into_iter();
            kinds.map(move |kind| (kind, whole && kind == Type::Number))
        })
        .collect()
    }

    /// The members that a schema declares, itself or in a part.
    pub(super) fn declared_names(&self, schema: &'a Value) -> BTreeSet<&'a str> {
        let branches = self.branches(&[schema], false, 0);
        let all = branches.iter().flat_map(|all| all.iter());
        all.flat_map(|one| one.names("properties")).collect()
    }
}

/// Lets branches take only what they declare, or what others declare that may hold at once.
fn close(all: &mut [Branch<'_>], strict: bool) {
    let overlaps = |index: usize| {
        let mut others = all.iter().enumerate();
        others.any(|(at, other)| at != index && !is_disjoint(&all[index], other))
    };
    let open: Vec<bool> = (0..all.len()).map(overlaps).collect();
    for (branch, is_open) in all.iter_mut().zip(open) {
        let mut own = branch.parts.clone();
        // A strict branch does not count on conditions.
        if !strict {
            own.extend(branch.parts.iter().flat_map(|part| conditions(part)));
        }
        branch.closures.push(Closure { own, is_open });
    }
}

/// The schemas that hold under conditions; one with schemas of its own for the same value may declare anything.
fn conditions(part: &Value) -> Vec<&Value> {
    static ANYTHING: std::sync::LazyLock<Value> =
        std::sync::LazyLock::new(|| json!({"additionalProperties": true}));
    let single = ["if", "then", "else"]
        .iter()
        .filter_map(|name| part.get(name));
    let all = single.chain(named(part, "dependentSchemas").map(|(_, inner)| inner));
    let nested = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"];
    let plain = |inner: &Value| nested.iter().all(|name| inner.get(name).is_none());
    all.map(|inner| if plain(inner) { inner } else { &ANYTHING })
        .collect()
}

//! Schemas as the nodes of a graph: what a reference leads to is an edge, never a copy.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use toolwire::json::pointer;

use super::alternatives::Alternative;
use super::dialect::{MANY, NAMED, ONE};
use super::reference;
use super::value::Value;

/// A schema in a [`Graph`].
pub(super) type Id = usize;

/// What stands in a keyword.
#[derive(Debug, Clone)]
pub(super) enum Keyword {
    One(Id),
    Many(Vec<Id>),
    Named(BTreeMap<String, Id>),
    Value(Value),
}

#[derive(Debug, Clone)]
pub(super) enum Node {
    Bool(bool),
    Keywords(BTreeMap<String, Keyword>),
    /// What was found while a proof looks at cases.
    Case(Box<Alternative>),
}

/// What allows everything, and what allows nothing.
pub(super) const TRUE: Id = 0;
pub(super) const FALSE: Id = 1;
/// What allows every string: what holds of each name of a member.
pub(super) const TEXT: Id = 2;
/// What allows every object: what holds of arguments and results.
pub(super) const OBJECT: Id = 3;

/// The schemas of both sides.
#[derive(Debug)]
pub(super) struct Graph {
    nodes: Vec<Rc<Node>>,
    /// Where the schemas of documents stand in them.
    places: HashMap<Id, String>,
    /// The pairs that were compared since that was counted last.
    pub(super) walked: Cell<u64>,
}

/// Keywords that allow and forbid nothing.
pub(super) fn is_remark(keyword: &str) -> bool {
    matches!(
        keyword,
        "$anchor"
            | "$comment"
            | "$defs"
            | "$id"
            | "$schema"
            | "$vocabulary"
            | "default"
            | "definitions"
            | "deprecated"
            | "description"
            | "examples"
            | "readOnly"
            | "title"
            | "writeOnly"
    )
}

impl Graph {
    pub(super) fn new() -> Self {
        let of_type = |name: &str| {
            let name = Keyword::Value(Value::Array(vec![Value::Text(name.to_owned())]));
            Node::Keywords([("type".to_owned(), name)].into())
        };
        Graph {
            nodes: [
                Node::Bool(true),
                Node::Bool(false),
                of_type("string"),
                of_type("object"),
            ]
            .map(Rc::new)
            .into(),
            places: HashMap::new(),
            walked: Cell::new(0),
        }
    }

    /// Adds a schema, with all that it refers to; the reason if a reference leads to nothing.
    pub(super) fn add(&mut self, root: &Value) -> Result<Id, String> {
        let mut loading = Loading {
            graph: self,
            places: HashMap::new(),
            references: Vec::new(),
        };
        let id = loading.schema(root, String::new());
        while let Some((from, to)) = loading.references.pop() {
            let pointer = reference::pointer(&to);
            let target = pointer.and_then(|pointer| Some((root.at(&pointer)?, pointer)));
            let Some((target, pointer)) = target else {
                let to = toolwire::json::brief(&to, 80).into_owned();
                return Err(format!("the reference `{to}` leads to nothing"));
            };
            let target = loading.schema(target, pointer);
            if let Node::Keywords(keywords) = Rc::make_mut(&mut loading.graph.nodes[from]) {
                keywords.insert("$ref".to_owned(), Keyword::One(target));
            }
        }
        Ok(id)
    }

    /// Where a schema of a document stands in it.
    pub(super) fn place(&self, id: Id) -> Option<&str> {
        self.places.get(&id).map(String::as_str)
    }

    /// The schemas of the document whose root was added last, by their places.
    pub(super) fn places_of(&self, root: Id) -> HashMap<String, Id> {
        let is_there = self.places.contains_key(&root);
        let of_document = self
            .places
            .iter()
            .filter(|(id, _)| is_there && **id >= root);
        of_document
            .map(|(id, place)| (place.clone(), *id))
            .collect()
    }

    pub(super) fn push(&mut self, node: Node) -> Id {
        self.nodes.push(Rc::new(node));
        self.nodes.len() - 1
    }

    pub(super) fn node(&self, id: Id) -> Rc<Node> {
        self.nodes[id].clone()
    }

    pub(super) fn keywords(&self, id: Id) -> Option<&BTreeMap<String, Keyword>> {
        match &*self.nodes[id] {
            Node::Keywords(keywords) => Some(keywords),
            _ => None,
        }
    }

    pub(super) fn keyword(&self, id: Id, name: &str) -> Option<&Keyword> {
        self.keywords(id)?.get(name)
    }

    pub(super) fn value(&self, id: Id, name: &str) -> Option<&Value> {
        match self.keyword(id, name)? {
            Keyword::Value(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn one(&self, id: Id, name: &str) -> Option<Id> {
        match self.keyword(id, name)? {
            Keyword::One(inner) => Some(*inner),
            _ => None,
        }
    }

    pub(super) fn many(&self, id: Id, name: &str) -> &[Id] {
        match self.keyword(id, name) {
            Some(Keyword::Many(all)) => all,
            _ => &[],
        }
    }

    pub(super) fn named(&self, id: Id, name: &str) -> Option<&BTreeMap<String, Id>> {
        match self.keyword(id, name)? {
            Keyword::Named(all) => Some(all),
            _ => None,
        }
    }

    /// The names in a keyword such as `required`.
    pub(super) fn names(&self, id: Id, name: &str) -> BTreeSet<String> {
        let value = self.value(id, name).map_or(&[][..], Value::elements);
        value
            .iter()
            .filter_map(Value::text)
            .map(str::to_owned)
            .collect()
    }

    /// Where a schema leads to that says nothing but a reference.
    pub(super) fn followed(&self, mut id: Id) -> Id {
        for _ in 0..self.nodes.len() {
            let Some(keywords) = self.keywords(id) else {
                return id;
            };
            let mut said = keywords.iter().filter(|(name, _)| !is_remark(name));
            match (said.next(), said.next()) {
                (Some((name, Keyword::One(target))), None) if name == "$ref" => id = *target,
                _ => return id,
            }
        }
        id
    }

    /// Whether two schemas say the same of values, remarks aside: whether no walk through both finds a
    /// difference. Where that would be a long walk, they are not the same.
    pub(super) fn same(&self, left: Id, right: Id) -> bool {
        self.same_as(left, right, &mut Walk::default())
    }

    /// Whether a keyword says the same in both.
    pub(super) fn same_keyword(&self, left: Id, right: Id, name: &str) -> bool {
        match (self.keyword(left, name), self.keyword(right, name)) {
            (Some(one), Some(other)) => self.same_in(name, one, other, &mut Walk::default()),
            (None, None) => true,
            _ => false,
        }
    }

    fn same_as(&self, left: Id, right: Id, walk: &mut Walk) -> bool {
        let (left, right) = (self.followed(left), self.followed(right));
        if left == right || walk.seen.contains(&(left, right)) {
            return true;
        }
        if walk.depth == Walk::DEEP || walk.seen.len() == Walk::LONG {
            return false;
        }
        walk.seen.insert((left, right));
        self.walked.set(self.walked.get() + 1);
        walk.depth += 1;
        let same = self.same_nodes(left, right, walk);
        walk.depth -= 1;
        same
    }

    fn same_nodes(&self, left: Id, right: Id, walk: &mut Walk) -> bool {
        match (&*self.nodes[left], &*self.nodes[right]) {
            (Node::Bool(one), Node::Bool(other)) => one == other,
            (Node::Keywords(one), Node::Keywords(other)) => {
                let said = |all: &'_ BTreeMap<String, Keyword>| {
                    all.keys()
                        .filter(|name| !is_remark(name))
                        .cloned()
                        .collect::<Vec<_>>()
                };
                said(one) == said(other)
                    && said(one)
                        .iter()
                        .all(|name| self.same_in(name, &one[name], &other[name], walk))
            }
            _ => false,
        }
    }

    fn same_in(&self, name: &str, left: &Keyword, right: &Keyword, walk: &mut Walk) -> bool {
        match (left, right) {
            (Keyword::One(one), Keyword::One(other)) => self.same_as(*one, *other, walk),
            (Keyword::Many(one), Keyword::Many(other)) => {
                one.len() == other.len()
                    && one
                        .iter()
                        .zip(other)
                        .all(|(one, other)| self.same_as(*one, *other, walk))
            }
            (Keyword::Named(one), Keyword::Named(other)) => {
                one.len() == other.len()
                    && one.iter().all(|(name, one)| {
                        other
                            .get(name)
                            .is_some_and(|other| self.same_as(*one, *other, walk))
                    })
            }
            (Keyword::Value(one), Keyword::Value(other))
                if matches!(name, "enum" | "required" | "type") =>
            {
                let set = |value: &Value| value.elements().iter().cloned().collect::<BTreeSet<_>>();
                set(one) == set(other)
            }
            (Keyword::Value(one), Keyword::Value(other)) => one == other,
            _ => false,
        }
    }
}

/// A walk through two schemas.
#[derive(Default)]
struct Walk {
    seen: BTreeSet<(Id, Id)>,
    depth: usize,
}

impl Walk {
    /// The deepest and the longest walk.
    const DEEP: usize = 150;
    const LONG: usize = 20_000;
}

struct Loading<'g> {
    graph: &'g mut Graph,
    /// The schemas that are there already, by their address in the document.
    places: HashMap<*const Value, Id>,
    references: Vec<(Id, String)>,
}

impl Loading<'_> {
    fn schema(&mut self, schema: &Value, place: String) -> Id {
        let members = match schema {
            Value::Object(members) => members,
            other => {
                return if *other == Value::Bool(false) {
                    FALSE
                } else {
                    TRUE
                };
            }
        };
        let address = std::ptr::from_ref(schema);
        if let Some(id) = self.places.get(&address) {
            return *id;
        }
        let id = self.graph.push(Node::Bool(true));
        self.places.insert(address, id);
        let keywords = members.iter().filter_map(|(name, value)| {
            let keyword = self.keyword(id, name, value, pointer::join(&place, name))?;
            Some((name.clone(), keyword))
        });
        let keywords = keywords.collect();
        self.graph.nodes[id] = Rc::new(Node::Keywords(keywords));
        self.graph.places.insert(id, place);
        id
    }

    fn keyword(&mut self, id: Id, name: &str, value: &Value, place: String) -> Option<Keyword> {
        Some(match value {
            // Definitions are reached by references, and by nothing else.
            Value::Object(_) if matches!(name, "$defs" | "definitions") => return None,
            Value::Text(to) if name == "$ref" => {
                self.references.push((id, to.clone()));
                return None;
            }
            // Its order says nothing, and a value is found faster in one that is sorted.
            Value::Array(all) if name == "enum" => {
                let mut all = all.clone();
                all.sort();
                Keyword::Value(Value::Array(all))
            }
            // A type is a list always.
            Value::Text(_) if name == "type" => Keyword::Value(Value::Array(vec![value.clone()])),
            Value::Array(all) if MANY.contains(&name) => {
                let all = all.iter().enumerate();
                let ids = all.map(|(index, inner)| {
                    self.schema(inner, pointer::join(&place, &index.to_string()))
                });
                Keyword::Many(ids.collect())
            }
            Value::Object(all) if NAMED.contains(&name) => {
                let ids = all.iter().map(|(name, inner)| {
                    (
                        name.clone(),
                        self.schema(inner, pointer::join(&place, name)),
                    )
                });
                Keyword::Named(ids.collect())
            }
            inner if ONE.contains(&name) => Keyword::One(self.schema(inner, place)),
            other => Keyword::Value(other.clone()),
        })
    }
}

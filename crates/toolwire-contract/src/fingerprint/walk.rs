//! From the text of a schema to a graph of what stands where a schema stands (FP-20 to FP-25).

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use foldhash::fast::RandomState;
use toolwire::json::pointer::push;
use toolwire::json::{Kind, Node, string};
use toolwire::{Code, Error};

use super::canonical::{
    Members, canonical, sorted_members, write_name, write_set, write_sorted, write_value,
};
use super::keywords::{Holds, holds};
use super::merge::{HOLE, Span};
use super::reference::{Pointers, fragment};

/// A place where a schema stands.
#[derive(Default)]
pub(super) struct Place {
    /// Its label in `labels`: its text without words, with a hole for each schema that it leads to.
    pub label: Span,
    /// What the holes lead to, in `edges`.
    pub edges: Span,
    /// The members that are words, in `words`, without braces.
    pub words: Span,
    /// It says nothing but a reference that was followed, and words.
    pub bare: bool,
}

/// A step from a schema to another.
pub(super) struct Edge {
    pub to: u32,
    /// The JSON Pointer from the one to the other, or to the reference, in `pointers`.
    pub pointer: Span,
}

/// A schema that is there to be referred to.
pub(super) struct Definition<'a> {
    /// The place of the schema that it stands in.
    pub owner: u32,
    pub name: Cow<'a, str>,
    pub node: Node<'a>,
    pub place: u32,
}

/// All places of a schema, the root first.
pub(super) struct Walk<'a> {
    pub places: Vec<Place>,
    pub labels: Vec<u8>,
    pub words: Vec<u8>,
    pub edges: Vec<Edge>,
    pointers: String,
    pub definitions: Vec<Definition<'a>>,
    /// Anchors: their names, and the places that have them.
    pub anchors: Vec<(Cow<'a, str>, u32)>,
    /// Whether it has to be taken to the letter (FP-23).
    pub letter: bool,
    known: HashMap<usize, u32, RandomState>,
    waiting: VecDeque<(u32, Node<'a>)>,
    references: Vec<Reference<'a>>,
    most: usize,
    /// The place of `{}`, which `false` leads to.
    everything: Option<u32>,
    /// Whether something in it can be meant by a reference to somewhere else.
    named: bool,
}

struct Reference<'a> {
    from: u32,
    edge: usize,
    text: Cow<'a, str>,
}

impl<'a> Walk<'a> {
    /// Looks at all of a schema.
    ///
    /// # Errors
    ///
    /// `limit_schemas` if it consists of more than `most`, `number_range` for a number that can't be
    /// written.
    pub(super) fn new(root: Node<'a>, most: usize) -> Result<Self, Error> {
        // Room for most schemas, so that little is copied while it grows.
        let size = root.end() - root.start();
        let mut walk = Walk {
            places: Vec::with_capacity(size / 90),
            labels: Vec::with_capacity(size / 2),
            words: Vec::with_capacity(size / 2),
            edges: Vec::with_capacity(size / 90),
            pointers: String::with_capacity(size / 4),
            definitions: Vec::new(),
            anchors: Vec::new(),
            letter: false,
            known: HashMap::with_capacity_and_hasher(size / 90, RandomState::default()),
            waiting: VecDeque::new(),
            references: Vec::new(),
            most,
            everything: None,
            named: false,
        };
        walk.open(root)?;
        walk.follow(root)?;
        Ok(walk)
    }

    /// The number of the place at which a value stands; it is looked at later.
    fn open(&mut self, node: Node<'a>) -> Result<u32, Error> {
        let (count, number) = (self.known.len(), self.places.len() as u32);
        match self.known.entry(node.start()) {
            Entry::Occupied(known) => return Ok(*known.get()),
            Entry::Vacant(_) if count >= self.most => {
                let message = format!("the schema consists of more than {} schemas", self.most);
                return Err(Error::new(Code::LimitSchemas, "", None, message));
            }
            Entry::Vacant(place) => {
                place.insert(number);
            }
        }
        self.waiting.push_back((number, node));
        self.places.push(Place::default());
        Ok(number)
    }

    fn look(&mut self, number: u32, node: Node<'a>) -> Result<(), Error> {
        if node.as_bool() == Some(false) {
            self.have_everything();
        }
        let (label, edges, words) = (self.labels.len(), self.edges.len(), self.words.len());
        let bare = match node.kind() {
            Kind::Object => self.members(number, node)?,
            _ => {
                match node.as_bool() {
                    Some(true) => self.labels.extend_from_slice(b"{}"),
                    Some(false) => {
                        self.labels.extend_from_slice(b"{\"not\":\xFF}");
                        let to = self.have_everything();
                        self.step(to, "not", None);
                    }
                    None => write_value(&mut self.labels, node)?,
                }
                false
            }
        };
        let place = &mut self.places[number as usize];
        place.label = Span::new(label, self.labels.len());
        place.edges = Span::new(edges, self.edges.len());
        place.words = Span::new(words, self.words.len());
        place.bare = bare;
        Ok(())
    }

    /// The place of `{}`, to which `false` leads, since it is `{"not":{}}` (FP-25).
    fn have_everything(&mut self) -> u32 {
        if let Some(place) = self.everything {
            return place;
        }
        let start = self.labels.len();
        self.labels.extend_from_slice(b"{}");
        let place = self.places.len() as u32;
        self.places.push(Place {
            label: Span::new(start, self.labels.len()),
            ..Place::default()
        });
        *self.everything.insert(place)
    }

    /// Writes the label of an object; gives whether it has a reference and nothing else in it.
    fn members(&mut self, number: u32, node: Node<'a>) -> Result<bool, Error> {
        let (mut references, mut others) = (false, false);
        let words = self.words.len();
        // The labels are written to while places are opened.
        let mut labels = std::mem::take(&mut self.labels);
        let mut label = Members::new(&mut labels);
        for (name, value) in sorted_members(node) {
            let mut holds = holds(&name);
            if name == "$schema" && number == 0 {
                continue;
            }
            // What is not as its keyword has it says nothing that could be known.
            let fits = match holds {
                Holds::Named | Holds::Definitions | Holds::Sets => value.kind() == Kind::Object,
                Holds::Schemas => value.kind() == Kind::Array || name == "items",
                Holds::Reference | Holds::Anchor => value.kind() == Kind::String,
                Holds::Set => value.kind() == Kind::Array,
                _ => true,
            };
            if !fits {
                holds = if holds == Holds::Reference {
                    Holds::NoReference
                } else {
                    Holds::Value
                };
            }
            match holds {
                Holds::Words => {
                    self.words(words, &name, value)?;
                    continue;
                }
                Holds::Definitions => {
                    for (name, node) in sorted_members(value) {
                        let place = self.open(node)?;
                        self.definitions.push(Definition {
                            owner: number,
                            name,
                            node,
                            place,
                        });
                    }
                    continue;
                }
                Holds::Anchor => {
                    let anchor = value.as_str().unwrap_or_default();
                    self.anchors.push((anchor, number));
                    continue;
                }
                Holds::Reference => {
                    references = true;
                    label.member(&name).push(HOLE);
                    self.references.push(Reference {
                        from: number,
                        edge: self.edges.len(),
                        text: value.as_str().unwrap_or_default(),
                    });
                    self.step(0, &name, None);
                    continue;
                }
                _ => others = true,
            }
            let out = label.member(&name);
            match holds {
                Holds::Schemas if value.kind() == Kind::Array => {
                    out.push(b'[');
                    for (index, schema) in value.elements().enumerate() {
                        if index > 0 {
                            out.push(b',');
                        }
                        out.push(HOLE);
                        self.edge(schema, &name, Some(&index.to_string()))?;
                    }
                    out.push(b']');
                }
                Holds::Schema | Holds::Schemas => {
                    out.push(HOLE);
                    self.edge(value, &name, None)?;
                }
                Holds::Named | Holds::Sets => {
                    let mut named = Members::new(out);
                    for (key, schema) in sorted_members(value) {
                        let out = named.member(&key);
                        let set = holds == Holds::Sets || name == "dependencies";
                        if set && schema.kind() == Kind::Array {
                            write_set(out, schema)?;
                        } else if holds == Holds::Sets {
                            write_value(out, schema)?;
                        } else {
                            out.push(HOLE);
                            self.edge(schema, &name, Some(&key))?;
                        }
                    }
                    named.end();
                }
                Holds::Set if name == "type" => write_types(out, value)?,
                Holds::Set => write_set(out, value)?,
                Holds::NoReference => {
                    out.push(b'[');
                    write_value(out, value)?;
                    out.push(b']');
                }
                _ => {
                    self.notice(number, &name, holds, value);
                    write_value(out, value)?;
                }
            }
        }
        label.end();
        self.labels = labels;
        Ok(references && !others)
    }

    /// Notes what changes how references are to be taken.
    fn notice(&mut self, number: u32, name: &str, holds: Holds, value: Node<'a>) {
        match holds {
            Holds::Letter => self.letter = true,
            Holds::Id if number == 0 => self.named = true,
            Holds::Id => self.letter = true,
            _ if name == "$dynamicAnchor" => {
                self.named = true;
                if let Some(anchor) = value.as_str() {
                    self.anchors.push((anchor, number));
                }
            }
            _ if name == "$recursiveAnchor" => self.named = true,
            _ => {}
        }
    }

    fn edge(&mut self, schema: Node<'a>, keyword: &str, name: Option<&str>) -> Result<(), Error> {
        let to = self.open(schema)?;
        self.step(to, keyword, name);
        Ok(())
    }

    fn step(&mut self, to: u32, keyword: &str, name: Option<&str>) {
        let start = self.pointers.len();
        push(&mut self.pointers, keyword);
        if let Some(name) = name {
            push(&mut self.pointers, name);
        }
        let pointer = Span::new(start, self.pointers.len());
        self.edges.push(Edge { to, pointer });
    }

    /// The pointer of a step.
    pub(super) fn pointer(&self, edge: &Edge) -> &str {
        &self.pointers[edge.pointer.range()]
    }

    fn words(&mut self, begins: usize, name: &str, value: Node<'a>) -> Result<(), Error> {
        if self.words.len() > begins {
            self.words.push(b',');
        }
        write_name(&mut self.words, name);
        write_value(&mut self.words, value)
    }

    /// Looks at what is open, and leads references to their places, which may open others.
    fn follow(&mut self, root: Node<'a>) -> Result<(), Error> {
        let mut pointers = Pointers::new(root);
        let mut found: HashMap<Cow<'a, str>, Option<u32>, RandomState> = HashMap::default();
        let (mut by_name, mut nowhere) = (Vec::new(), Vec::new());
        let mut elsewhere = false;
        let mut at = 0;
        loop {
            while let Some((number, node)) = self.waiting.pop_front() {
                self.look(number, node)?;
            }
            let Some(reference) = self.references.get(at) else {
                break;
            };
            let text = reference.text.clone();
            let known = found.get(&text).copied();
            let to = match fragment(&text).as_deref() {
                _ if known.is_some() => known.flatten(),
                None => {
                    elsewhere |= !text.starts_with('#');
                    None
                }
                Some("") => Some(0),
                Some(pointer) if pointer.starts_with('/') => match pointers.find(pointer) {
                    Some(node) if matches!(node.kind(), Kind::Object | Kind::Bool) => {
                        Some(self.open(node)?)
                    }
                    _ => None,
                },
                Some(name) => {
                    by_name.push((at, name.to_owned()));
                    at += 1;
                    continue;
                }
            };
            self.lead(at, to, &mut nowhere);
            found.insert(text, to);
            at += 1;
        }
        let mut anchors: HashMap<&str, u32> = HashMap::new();
        for (name, place) in &self.anchors {
            // Which of two would be meant is not known.
            self.letter |= anchors
                .insert(name, *place)
                .is_some_and(|other| other != *place);
        }
        let led: Vec<(usize, Option<u32>)> = by_name
            .iter()
            .map(|(at, name)| (*at, anchors.get(&**name).copied()))
            .collect();
        for (at, to) in led {
            self.lead(at, to, &mut nowhere);
        }
        self.letter |= elsewhere && self.named;
        for at in nowhere {
            self.keep_text(at);
        }
        Ok(())
    }

    fn lead(&mut self, reference: usize, to: Option<u32>, nowhere: &mut Vec<usize>) {
        match to {
            Some(to) => self.edges[self.references[reference].edge].to = to,
            None => nowhere.push(reference),
        }
    }

    /// Puts the text of a reference that leads nowhere into the label in the place of its hole.
    fn keep_text(&mut self, reference: usize) {
        let Reference { from, edge, text } = &self.references[reference];
        let place = &mut self.places[*from as usize];
        let edges = place.edges.range();
        let hole = edge - edges.start;
        let start = self.labels.len();
        let mut holes = 0;
        for at in place.label.range() {
            let byte = self.labels[at];
            if byte == HOLE {
                holes += 1;
                if holes == hole + 1 {
                    self.labels.extend_from_slice(string(text).as_bytes());
                    continue;
                }
            }
            self.labels.push(byte);
        }
        place.label = Span::new(start, self.labels.len());
        place.bare = false;
        self.edges[*edge..edges.end].rotate_left(1);
        place.edges = Span::new(edges.start, edges.end - 1);
    }

    /// Which places the root leads to, itself included.
    pub(super) fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.places.len()];
        reached[0] = true;
        let mut waiting = vec![0];
        while let Some(place) = waiting.pop() {
            for edge in self.edges_of(place) {
                if !std::mem::replace(&mut reached[edge.to as usize], true) {
                    waiting.push(edge.to as usize);
                }
            }
        }
        reached
    }

    pub(super) fn edges_of(&self, place: usize) -> &[Edge] {
        &self.edges[self.places[place].edges.range()]
    }
}

/// The types of a schema, a set; of one alone, the word.
fn write_types(out: &mut Vec<u8>, types: Node<'_>) -> Result<(), Error> {
    let mut texts = types
        .elements()
        .map(canonical)
        .collect::<Result<Vec<_>, _>>()?;
    texts.dedup();
    match &texts[..] {
        [only] => out.extend_from_slice(only),
        _ => write_sorted(out, texts),
    }
    Ok(())
}

//! A JSON value that can be changed; what is not touched keeps its spelling.

use crate::Json;
use crate::base::canonical::exact_text;
use crate::base::json::{Document, Kind, Node, write_string};

/// A JSON value in the making.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tree {
    /// A string, number, boolean or null, as JSON text in exact form.
    Leaf(String),
    Array(Vec<Tree>),
    Object(Members),
}

/// The members of an object, in any order; no two have the same name.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Members {
    pub all: Vec<(String, Tree)>,
}

impl<const N: usize> From<[(&str, Tree); N]> for Tree {
    fn from(members: [(&str, Tree); N]) -> Self {
        let all = members.map(|(name, value)| (name.to_owned(), value));
        Tree::Object(Members { all: all.into() })
    }
}

impl Tree {
    /// The value of a JSON text; an empty object if the text exceeds the limits of a document.
    pub(crate) fn read(json: &Json) -> Self {
        let document = Document::new(json.as_str());
        document.map_or_else(|_| Tree::from([]), |document| Tree::of(document.root()))
    }

    pub(super) fn null() -> Self {
        Tree::Leaf("null".to_owned())
    }

    pub(crate) fn of(node: Node<'_>) -> Self {
        match node.kind() {
            Kind::Array => Tree::Array(node.elements().map(Tree::of).collect()),
            Kind::Object => {
                let members = node.members();
                let all = members.map(|(name, node)| (name.into_owned(), Tree::of(node)));
                Tree::Object(Members { all: all.collect() })
            }
            _ => Tree::Leaf(exact_text(node.raw().to_owned())),
        }
    }

    pub(crate) fn text(text: &str) -> Self {
        let mut out = String::with_capacity(text.len() + 2);
        write_string(&mut out, text);
        Tree::Leaf(out)
    }

    pub(crate) fn flag(flag: bool) -> Self {
        Tree::Leaf(flag.to_string())
    }

    pub(crate) fn is(&self, json: &str) -> bool {
        matches!(self, Tree::Leaf(text) if text == json)
    }

    /// The string that it is.
    pub(crate) fn as_text(&self) -> Option<String> {
        match self {
            Tree::Leaf(json) if json.starts_with('"') => serde_json::from_str(json).ok(),
            _ => None,
        }
    }

    pub(crate) fn object(&self) -> Option<&Members> {
        match self {
            Tree::Object(members) => Some(members),
            _ => None,
        }
    }

    pub(crate) fn object_mut(&mut self) -> Option<&mut Members> {
        match self {
            Tree::Object(members) => Some(members),
            _ => None,
        }
    }

    /// A member, if it is an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Tree> {
        self.object()?.get(name)
    }

    /// Whether it is a schema whose only type is this one.
    pub(super) fn has_type(&self, kind: &str) -> bool {
        self.get("type") == Some(&Tree::text(kind))
    }

    pub(crate) fn array(&self) -> Option<&[Tree]> {
        match self {
            Tree::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The JSON text in exact form.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        exact_text(out)
    }

    fn write(&self, out: &mut String) {
        match self {
            Tree::Leaf(json) => out.push_str(json),
            Tree::Array(elements) => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    element.write(out);
                }
                out.push(']');
            }
            Tree::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.all.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_string(out, name);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

impl Members {
    pub(crate) fn get(&self, name: &str) -> Option<&Tree> {
        self.all.iter().find(|(own, _)| own == name).map(|(_, v)| v)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Tree> {
        let mut all = self.all.iter_mut();
        all.find(|(own, _)| own == name).map(|(_, v)| v)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The elements of a member that is an array; none if it is something else.
    pub(crate) fn list(&self, name: &str) -> &[Tree] {
        self.get(name).and_then(Tree::array).unwrap_or_default()
    }

    /// The members of a member that is an object; none if it is something else.
    pub(crate) fn map(&self, name: &str) -> &[(String, Tree)] {
        let map = self.get(name).and_then(Tree::object);
        map.map_or(&[], |map| &map.all)
    }

    /// The types that a schema names.
    pub(super) fn types(&self) -> Vec<String> {
        types(self.get("type"))
    }

    /// Sets the types of a schema: in the order of the alphabet, null last; one stands alone.
    pub(super) fn set_types(&mut self, mut types: Vec<Tree>) {
        types.sort_by_key(|kind| (kind.is("\"null\""), kind.to_json()));
        types.dedup();
        match types.len() {
            0 => {}
            1 => self.set("type", types.remove(0)),
            _ => self.set("type", Tree::Array(types)),
        }
    }

    /// Takes over the members that it does not have itself.
    pub(crate) fn fill(&mut self, other: Members) {
        for (name, value) in other.all {
            if !self.has(&name) {
                self.all.push((name, value));
            }
        }
    }

    /// The string that a member is.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name).and_then(Tree::as_text)
    }

    pub(crate) fn remove(&mut self, name: &str) -> Option<Tree> {
        let index = self.all.iter().position(|(own, _)| own == name)?;
        Some(self.all.remove(index).1)
    }

    pub(crate) fn set(&mut self, name: &str, value: Tree) {
        match self.all.iter_mut().find(|(own, _)| own == name) {
            Some(member) => member.1 = value,
            None => self.all.push((name.to_owned(), value)),
        }
    }
}

/// The types in the value of the keyword `type`.
pub(super) fn types(kind: Option<&Tree>) -> Vec<String> {
    match kind {
        Some(Tree::Array(kinds)) => kinds.iter().filter_map(Tree::as_text).collect(),
        Some(kind) => kind.as_text().into_iter().collect(),
        None => Vec::new(),
    }
}

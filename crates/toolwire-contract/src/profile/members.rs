//! The members of an object, verbatim and in their order, and what each must be.

use toolwire::json::{Document, Kind, Node, ObjectWriter, pointer};
use toolwire::{Error, Json};

use super::bad;

/// The members of an object, each value to the letter.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Members(Vec<(String, Json)>);

impl Members {
    /// Those of an object.
    pub fn of(node: Node<'_>) -> Members {
        let members = node.members();
        Members(
            members
                .map(|(name, value)| (name.into_owned(), Json::from(value)))
                .collect(),
        )
    }

    pub fn get(&self, name: &str) -> Option<&Json> {
        let member = self.0.iter().find(|(one, _)| one == name);
        member.map(|(_, value)| value)
    }

    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).and_then(Json::to_text)
    }

    /// Gives a member its value, where it stands or at the end.
    pub fn set(&mut self, name: &str, value: Json) {
        match self.0.iter_mut().find(|(one, _)| one == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    pub fn remove(&mut self, name: &str) -> Option<Json> {
        let at = self.0.iter().position(|(one, _)| one == name)?;
        Some(self.0.remove(at).1)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The object, its members in their order.
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::new();
        for (name, value) in self.iter() {
            out.json(name, value.as_str());
        }
        out.end()
    }
}

/// Checks each value of an object.
pub(super) fn table(
    node: Node<'_>,
    place: &str,
    check: impl Fn(Node<'_>, &str) -> Result<(), Error>,
) -> Result<(), Error> {
    if node.kind() != Kind::Object {
        return Err(wrong(node, place, "an object"));
    }
    let mut members = node.members();
    members.try_for_each(|(name, value)| check(value, &pointer::join(place, &name)))
}

pub(super) fn string(node: Node<'_>, place: &str) -> Result<(), Error> {
    match node.kind() {
        Kind::String => Ok(()),
        _ => Err(wrong(node, place, "a string")),
    }
}

pub(super) fn wrong(node: Node<'_>, place: &str, what: &str) -> Error {
    bad(
        place,
        format!("it must be {what}, not {}", node.kind().name()),
    )
}

/// Looks into a value that was checked before.
pub(super) fn with<T>(
    value: &Json,
    look: impl FnOnce(Node<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let document = Document::new(value.as_str())?;
    look(document.root())
}

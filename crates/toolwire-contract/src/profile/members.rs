//! The members of an object, verbatim and in their order, and what each must be.

use toolwire::json::{Document, Node, ObjectWriter, Place, pointer};
use toolwire::{Code, Error, Json};

use crate::unplaced;

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
    /// Looks at each member.
    pub fn check(
        &self,
        pointer: &str,
        look: impl Fn(&str, Place<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.iter().try_for_each(|(name, value)| {
            let document = Document::new(value.as_str())?;
            let pointer = pointer::join(pointer, name);
            let place = Place::new(document.root(), &pointer, Code::BadProfile);
            look(name, place).map_err(|error| unplaced(&error))
        })
    }

    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::new();
        for (name, value) in self.iter() {
            out.json(name, value.as_str());
        }
        out.end()
    }
}

//! Between documents and plain data: how a value is read into a field, and how it is written.
//!
//! serde's derive is not used here, because beside `flatten` it passes unknown members through a
//! buffer that rounds numbers; toolwire keeps them verbatim.

use std::collections::BTreeMap;

use crate::base::json::{Kind, Node, write_string};
use crate::protocol::read::{is_priority, is_size, is_timestamp};
use crate::{Json, Role, Status};

/// A type that a JSON value can be read into and written from.
pub(crate) trait Typed: Sized {
    /// Reads a value; absent where it is malformed.
    fn read(node: Node<'_>) -> Option<Self>;

    /// Writes JSON text, not yet in exact form.
    fn write(&self, out: &mut String);
}

/// The text of a value in exact form (CANON-9). Reading and building keep every value within the
/// limits that are set here, so that it can always be read again.
pub(crate) fn exact(value: &impl Typed) -> String {
    crate::base::canonical::exact_text(written(value))
}

/// The text of a value as it is written, its members in the order of its type.
pub(crate) fn written(value: &impl Typed) -> String {
    let mut text = String::new();
    value.write(&mut text);
    text
}

/// The members of an object, taken one by one; what is left over is kept verbatim.
pub(crate) struct Fields<'a> {
    node: Node<'a>,
    taken: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    pub(crate) fn of(node: Node<'a>) -> Option<Self> {
        (node.kind() == Kind::Object).then(|| Fields {
            node,
            taken: Vec::new(),
        })
    }

    /// Takes the member that tells a block's type, which its Rust type tells as well.
    pub(crate) fn tag(&mut self) {
        self.taken.push("type");
    }

    /// A member that may be absent; a malformed one is left over.
    pub(crate) fn optional<T>(
        &mut self,
        name: &'static str,
        read: fn(Node<'_>) -> Option<T>,
    ) -> Option<T> {
        let value = self.node.get(name).and_then(read)?;
        self.taken.push(name);
        Some(value)
    }

    /// A member that must be there.
    pub(crate) fn required<T>(
        &mut self,
        name: &'static str,
        read: fn(Node<'_>) -> Option<T>,
    ) -> Option<T> {
        self.optional(name, read)
    }

    /// What was not taken.
    pub(crate) fn rest(self) -> BTreeMap<String, Json> {
        self.node
            .members()
            .filter(|(name, _)| !self.taken.contains(&name.as_ref()))
            .map(|(name, value)| (name.into_owned(), Json::from(value)))
            .collect()
    }
}

/// An object that is being written.
pub(crate) struct Object<'a> {
    out: &'a mut String,
    written: Vec<&'static str>,
}

impl<'a> Object<'a> {
    pub(crate) fn open(out: &'a mut String) -> Self {
        out.push('{');
        Object {
            out,
            written: Vec::new(),
        }
    }

    pub(crate) fn text(&mut self, name: &'static str, value: &str) {
        self.name(name);
        write_string(self.out, value);
    }

    pub(crate) fn member<T: Typed>(&mut self, name: &'static str, value: &T) {
        self.name(name);
        value.write(self.out);
    }

    pub(crate) fn optional<T: Typed>(&mut self, name: &'static str, value: Option<&T>) {
        if let Some(value) = value {
            self.member(name, value);
        }
    }

    /// Writes the other members and closes the object. A field goes before another member of its
    /// name, so that no name is there twice.
    pub(crate) fn rest(self, members: &BTreeMap<String, Json>) {
        let mut empty = self.written.is_empty();
        for (name, value) in members {
            if self.written.contains(&name.as_str()) {
                continue;
            }
            if !empty {
                self.out.push(',');
            }
            empty = false;
            write_string(self.out, name);
            self.out.push(':');
            self.out.push_str(value.as_str());
        }
        self.out.push('}');
    }

    fn name(&mut self, name: &'static str) {
        if !self.written.is_empty() {
            self.out.push(',');
        }
        self.written.push(name);
        write_string(self.out, name);
        self.out.push(':');
    }
}

/// An opaque value that must be an object.
pub(crate) fn object(node: Node<'_>) -> Option<Json> {
    (node.kind() == Kind::Object).then(|| Json::from(node))
}

/// A whole number of bytes (READ-30).
pub(crate) fn size(node: Node<'_>) -> Option<u64> {
    // `is_size` has ruled out what a cast would change: fractions, negative and large numbers.
    node.as_f64()
        .filter(|_| is_size(node))
        .map(|size| size as u64)
}

/// A number from 0 to 1 (READ-30).
pub(crate) fn priority(node: Node<'_>) -> Option<f64> {
    node.as_f64().filter(|_| is_priority(node))
}

/// A date and time of RFC 3339 (READ-30).
pub(crate) fn timestamp(node: Node<'_>) -> Option<String> {
    String::read(node).filter(|text| is_timestamp(text.as_bytes()))
}

impl Typed for String {
    fn read(node: Node<'_>) -> Option<Self> {
        Some(node.as_str()?.into_owned())
    }

    fn write(&self, out: &mut String) {
        write_string(out, self);
    }
}

impl Typed for bool {
    fn read(node: Node<'_>) -> Option<Self> {
        node.as_bool()
    }

    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl Typed for u64 {
    fn read(node: Node<'_>) -> Option<Self> {
        node.as_u64()
    }

    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl Typed for f64 {
    fn read(node: Node<'_>) -> Option<Self> {
        node.as_f64()
    }

    fn write(&self, out: &mut String) {
        // Rust writes the shortest decimal that reads back the same, never with an exponent. What
        // is no number in JSON becomes `null`, which every check of a number refuses.
        let text = if self.is_finite() {
            self.to_string()
        } else {
            "null".to_owned()
        };
        out.push_str(&text);
    }
}

impl<T: Typed> Typed for Vec<T> {
    fn read(node: Node<'_>) -> Option<Self> {
        (node.kind() == Kind::Array).then(|| node.elements().map(T::read).collect())?
    }

    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, value) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            value.write(out);
        }
        out.push(']');
    }
}

impl Typed for Json {
    fn read(node: Node<'_>) -> Option<Self> {
        Some(Json::from(node))
    }

    fn write(&self, out: &mut String) {
        out.push_str(self.as_str());
    }
}

impl Typed for Role {
    fn read(node: Node<'_>) -> Option<Self> {
        [Role::User, Role::Assistant]
            .into_iter()
            .find(|role| node.is_str(role.as_str()))
    }

    fn write(&self, out: &mut String) {
        write_string(out, self.as_str());
    }
}

impl Typed for Status {
    fn read(node: Node<'_>) -> Option<Self> {
        node.as_str()?.parse().ok()
    }

    fn write(&self, out: &mut String) {
        write_string(out, self.as_str());
    }
}

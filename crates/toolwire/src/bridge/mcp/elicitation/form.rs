//! The form that a question becomes: a field for each member of a flat object, or one field for all
//! (ELI-10, ELI-11).

use super::super::Revision;
use super::field::Field;
use crate::base::json::{Kind as JsonKind, Node};
use crate::protocol::question::{MAX_FIELDS, flat_object, target};

/// The name of the one field of a form for a question that is no flat object (ELI-11).
pub(super) const WRAPPER: &str = "answer";

/// The members of a schema that refer to another.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// A form.
pub(super) struct Form<'a> {
    /// The schema of the question behind references.
    pub schema: Node<'a>,
    /// Whether the one field is the answer itself.
    pub wrapped: bool,
    pub fields: Vec<Field<'a>>,
}

impl<'a> Form<'a> {
    pub(super) fn new(root: Node<'a>, revision: Revision) -> Self {
        let schema = target(root, root);
        let fields = fields(schema, root, revision);
        let wrapped = fields.is_none();
        let answer = || vec![Field::new(WRAPPER.to_owned(), root, root, true, revision)];
        Form {
            schema,
            wrapped,
            fields: fields.unwrap_or_else(answer),
        }
    }

    /// The names of the fields that a person has to fill in.
    pub(super) fn required(&self) -> impl Iterator<Item = &str> {
        let fields = self.fields.iter();
        let required = fields.filter(|field| field.required && !field.nullable);
        required.map(|field| field.name.as_str())
    }
}

/// The schema of the answer, if a form is one that a scalar question becomes: exactly one field `answer`, which
/// is required (ELI-46). A reference could lead to the form around it, so there may be none.
pub(super) fn unwrapped(requested: Node<'_>) -> Option<Node<'_>> {
    let properties = requested.get("properties")?;
    let mut required = requested.get("required")?.elements();
    let is_wrapping = requested.get("type")?.is_str("object")
        && requested.len() == 3
        && properties.len() == 1
        && required.next().is_some_and(|name| name.is_str(WRAPPER))
        && required.next().is_none();
    let inside = properties.get(WRAPPER)?;
    (is_wrapping && inside.kind() == JsonKind::Object && !refers(inside)).then_some(inside)
}

fn refers(value: Node<'_>) -> bool {
    let mut members = value.members();
    members.any(|(name, value)| REFERENCES.contains(&name.as_ref()) || refers(value))
        || value.elements().any(refers)
}

/// The fields of a flat object.
fn fields<'a>(schema: Node<'a>, root: Node<'a>, revision: Revision) -> Option<Vec<Field<'a>>> {
    let (properties, required) = flat_object(schema, MAX_FIELDS)?;
    let fields = properties.members().map(|(name, own)| {
        let required = required.contains(&name);
        Field::new(name.into_owned(), own, root, required, revision)
    });
    Some(fields.collect())
}

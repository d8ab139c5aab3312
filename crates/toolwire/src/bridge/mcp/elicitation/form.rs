//! The form that a question becomes: a field for each member of a flat object, or one field for all
//! (ELI-10, ELI-11).

use super::super::Revision;
use super::field::{Field, follow};
use crate::Code;
use crate::base::json::{Kind as JsonKind, Node, Place};

/// The name of the one field of a form for a question that is no flat object (ELI-11).
pub(super) const WRAPPER: &str = "answer";

/// Maximum number of fields; an object with more members is written as JSON (ELI-10).
const MAX_FIELDS: usize = 100;

/// With one of these an object may have, or want, other members than its `properties`.
const WIDER: [&str; 9] = [
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "$ref",
    "$dynamicRef",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
];

/// The members of a schema that refer to another.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// A form.
pub(super) struct Form<'a> {
    /// The schema of the question, and what it refers to.
    pub outer: Place<'a>,
    pub whole: Place<'a>,
    /// Whether the one field is the answer itself.
    pub wrapped: bool,
    pub fields: Vec<Field<'a>>,
}

impl<'a> Form<'a> {
    pub(super) fn new(root: Node<'a>, revision: Revision) -> Self {
        let outer = Place::new(root, "/schema", Code::BadArgument);
        let whole = follow(outer.clone(), root);
        let fields = fields(&whole, root, revision);
        let wrapped = fields.is_none();
        let fields = fields.unwrap_or_else(|| {
            let name = WRAPPER.to_owned();
            vec![Field::new(name, outer.clone(), root, true, revision)]
        });
        Form {
            outer,
            whole,
            wrapped,
            fields,
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
fn fields<'a>(whole: &Place<'a>, root: Node<'a>, revision: Revision) -> Option<Vec<Field<'a>>> {
    let schema = whole.node;
    if !schema.get("type")?.is_str("object") || WIDER.iter().any(|name| schema.get(name).is_some())
    {
        return None;
    }
    // An object that names the schema of its other members is a map.
    let others = schema.get("additionalProperties");
    if others.is_some_and(|others| others.kind() == JsonKind::Object && !others.is_empty()) {
        return None;
    }
    let properties = whole.member("properties")?.object().ok()?;
    let required = schema.get("required").into_iter();
    let required = required.flat_map(|names| names.elements());
    let required: Vec<_> = required.filter_map(|name| name.as_str()).collect();
    let is_known = |name| properties.node.get(name).is_some();
    if properties.node.len() > MAX_FIELDS || !required.iter().all(|name| is_known(name)) {
        return None;
    }
    let fields = properties.members().map(|(name, outer)| {
        let required = required.contains(&name);
        Field::new(name.into_owned(), outer, root, required, revision)
    });
    Some(fields.collect())
}

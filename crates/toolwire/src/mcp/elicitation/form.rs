//! The form that a question becomes: a field for each member of a flat object, or one field for all
//! (ELI-10, ELI-11).

use super::super::Revision;
use super::field::{Field, Part, follow};
use crate::json::{Kind as JsonKind, Node, pointer};

/// The name of the one field of a form for a question that is no flat object (ELI-11).
pub(super) const WRAPPER: &str = "answer";

/// An object with more members is written as JSON (ELI-10).
pub(super) const MOST_FIELDS: usize = 100;

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
    /// The schema of the whole, behind references.
    pub whole: Part<'a>,
    /// Whether the one field is the answer itself.
    pub wrapped: bool,
    pub fields: Vec<Field<'a>>,
}

impl<'a> Form<'a> {
    pub(super) fn new(root: Node<'a>, revision: Revision) -> Self {
        let outer = Part {
            node: root,
            pointer: "/schema".to_owned(),
        };
        let whole = follow(outer.clone(), root);
        if let Some(fields) = fields(&whole, root, revision) {
            return Form {
                whole,
                wrapped: false,
                fields,
            };
        }
        let field = Field::new(WRAPPER.to_owned(), outer, root, true, revision);
        Form {
            whole,
            wrapped: true,
            fields: vec![field],
        }
    }

    /// The names of the fields that a person has to fill in.
    pub(super) fn required(&self) -> impl Iterator<Item = &str> {
        let required = self.fields.iter();
        let required = required.filter(|field| field.required && !field.nullable);
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
fn fields<'a>(whole: &Part<'a>, root: Node<'a>, revision: Revision) -> Option<Vec<Field<'a>>> {
    let schema = whole.node;
    if !schema.get("type")?.is_str("object") || WIDER.iter().any(|name| schema.get(name).is_some())
    {
        return None;
    }
    let others = schema.get("additionalProperties");
    // An object that names the schema of its other members is a map.
    if others.is_some_and(|others| others.kind() == JsonKind::Object && !others.is_empty()) {
        return None;
    }
    let properties = schema.get("properties")?;
    if properties.kind() != JsonKind::Object || properties.len() > MOST_FIELDS {
        return None;
    }
    let required: Vec<_> = schema
        .get("required")
        .into_iter()
        .flat_map(|names| names.elements())
        .filter_map(|name| name.as_str())
        .collect();
    if required.iter().any(|name| properties.get(name).is_none()) {
        return None;
    }
    let inside = format!("{}/properties", whole.pointer);
    let fields = properties.members().map(|(name, node)| {
        let outer = Part {
            node,
            pointer: pointer::join(&inside, &name),
        };
        let required = required.contains(&name);
        Field::new(name.into_owned(), outer, root, required, revision)
    });
    Some(fields.collect())
}
